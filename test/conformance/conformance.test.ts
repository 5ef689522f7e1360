/** A fixed sample of every source, run on the built package: nothing is answered wrongly, no error is missed. */
import { expect, test } from "vitest";
import { missingCorpora, sampleGroups } from "./corpus.js";
import { runGroups } from "./run-groups.js";
import { sources } from "./sources.js";
import { Tally } from "./tally.js";

/** Cases a source, about. */
const sampleSizes: Readonly<Record<string, number>> = {
  pg_regress: 110,
  pg_regress_dml: 40,
  slt: 60,
  tpch: 5,
  text2sql: 60,
  "model-sql engine": 40,
  "model-sql database": 40,
  own: Number.POSITIVE_INFINITY,
  "pg_regress $n": 30,
  "pg_regress_dml $n": 20,
  "text2sql $n": 30,
};

const missing = missingCorpora();

if (missing === undefined) {
  const tally = new Tally();

  test("a sample of the corpora has no wrong answer and no missed error", { timeout: 240_000 }, async () => {
    for (const source of sources) {
      const groups = sampleGroups(await source.read(), sampleSizes[source.name]);
      await runGroups(groups, (group, item, judgement) => tally.add(group, item, judgement), { timeoutMs: 30_000 });
    }
    console.log(tally.table());
    expect(tally.sourceNames).toEqual(sources.map((source) => source.name));
    expect(tally.cases).toBeGreaterThan(350);
    expect(tally.silent()).toEqual([]);
  });

  test("nearly all of it is answered", () => {
    expect((tally.count("correct") + tally.count("right error")) / tally.cases).toBeGreaterThan(0.96);
  });
} else {
  console.warn(`The corpora are not run. ${missing}`);

  test("the absence of the corpora is told in a sentence", () => {
    expect(missing).toMatch(/^The corpora are not at .+: set CORPORA to the folder that holds them\.$/);
  });
}
