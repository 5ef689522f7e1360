/**
 * `npm run conformance -- [--source a,b] [--limit N] [--only FILE] [--fail FILE] [--strict] [--timeout MS]`
 *
 * Runs the corpora on the built package and prints a table per source. `--limit`: about so many cases of each source, the
 * same ones every time. `--fail` writes what failed as JSON lines; `--only` runs just the cases of such a file. `--strict`:
 * numerics must have PostgreSQL's scale. Ends with 1 when an answer is wrong or an error was
 * missed that `known-differences.ts` does not know.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { builtEngine } from "./built.js";
import { keepCases, missingCorpora, sampleGroups } from "./corpus.js";
import { runGroups } from "./run-groups.js";
import { chosenSources } from "./sources.js";
import { type Failure, Tally } from "./tally.js";

const { values: options } = parseArgs({
  options: {
    source: { type: "string" },
    limit: { type: "string" },
    only: { type: "string" },
    fail: { type: "string" },
    strict: { type: "boolean", default: false },
    timeout: { type: "string", default: "10000" },
    show: { type: "string", default: "20" },
  },
});

await builtEngine();
const missing = missingCorpora();
if (missing !== undefined) {
  console.error(missing);
  process.exit(2);
}

const wanted = options.only === undefined ? undefined : readOnly(options.only);
const tally = new Tally();
const start = performance.now();
for (const source of chosenSources(options.source)) {
  let groups = await source.read();
  if (wanted !== undefined) groups = keepCases(groups, (_, id) => wanted.has(id));
  if (options.limit !== undefined) groups = sampleGroups(groups, Number(options.limit));
  await runGroups(groups, (group, item, judgement) => tally.add(group, item, judgement), {
    strict: options.strict,
    timeoutMs: Number(options.timeout),
  });
}

console.log(tally.table());
const others = tally.otherCodes.map((failure) => ({ ...failure, verdict: "other SQLSTATE" }));
for (const { id, verdict, reason, sql } of [...tally.failures, ...others].slice(0, Number(options.show))) {
  console.log(`\n${verdict}  ${id}\n  ${sql.replaceAll(/\s+/g, " ").slice(0, 300)}\n  ${reason ?? ""}`);
}
console.log(`\n${tally.cases} cases in ${((performance.now() - start) / 1000).toFixed(0)} s`);
if (options.fail !== undefined) {
  writeFileSync(options.fail, tally.failures.map((failure) => `${JSON.stringify(failure)}\n`).join(""));
}
process.exitCode = tally.silent().length > 0 ? 1 : 0;

function readOnly(file: string): Set<string> {
  const lines = readFileSync(file, "utf8").split("\n");
  return new Set(lines.filter((line) => line !== "").map((line) => (JSON.parse(line) as Failure).id));
}
