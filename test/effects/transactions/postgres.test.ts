/** Transactions answer as PostgreSQL's do: the same tags, the same SQLSTATEs, the same rows in the end. */
import { afterAll, describe, expect, test } from "vitest";
import { type Case, errors, savepoints, transactions } from "./cases.js";
import { ourPlace, type Place, postgresPlace, postgresPort, startRows } from "./world.js";

const chapters = { savepoints, transactions, "an error": errors };

async function run(place: Place, { texts }: Case): Promise<{ answers: [string, string][]; rows: unknown }> {
  const answers: [string, string][] = [];
  for (const [sql] of texts) answers.push([sql, (await place.send(sql)).answer]);
  const rows = await place.committed();
  await place.close();
  return { answers, rows };
}

describe.each(Object.entries(chapters))("%s", (_, cases) => {
  test.each(cases)("$name", async (one) => {
    const { answers, rows } = await run(await ourPlace(), one);
    expect(answers).toEqual(one.texts);
    expect(rows).toEqual(one.rows ?? startRows());
  });
});

if (postgresPort === undefined) {
  afterAll(() => console.info("No PostgreSQL to compare transactions with: set SCRATCHPAD_TEST_PG to its port."));
} else {
  describe.each(Object.entries(chapters))("PostgreSQL: %s", (_, cases) => {
    test.each(cases.filter(({ own }) => own === undefined))("$name", async (one) => {
      const { answers, rows } = await run(await postgresPlace(postgresPort as number), one);
      expect(answers).toEqual(one.texts);
      expect(rows).toEqual(one.rows ?? startRows());
    });
  });
}
