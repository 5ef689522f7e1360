/** SQL → rows over the test tables, against recorded answers of a PostgreSQL 15 server; with and without the rules. */
import { describe, expect, test } from "vitest";
import { SqlError } from "../../src/errors/sql-error.js";
import { optimize } from "../../src/planner/optimize.js";
import { type Case, caseFiles } from "./cases.js";
import { textRows } from "./harness.js";

async function answerOf({ sql }: Case, optimized: boolean): Promise<Omit<Case, "sql">> {
  try {
    return await textRows(sql, optimized ? { rewrite: optimize } : {});
  } catch (error) {
    if (error instanceof SqlError) return { error: `${error.code} ${error.message}` };
    throw error;
  }
}

function comparable(answer: Omit<Case, "sql">, ordered: boolean | undefined): Omit<Case, "sql"> {
  const { oids, rows, error } = answer;
  if (error !== undefined || rows === undefined) return { error };
  const list = ordered === true ? rows : [...rows].map((row) => JSON.stringify(row)).sort();
  return { oids: oids?.map((oid) => (oid >= 16384 ? 0 : oid)), rows: list as Case["rows"] };
}

for (const { name, cases } of caseFiles()) {
  describe(name, () => {
    test.each(cases)("$sql", async (one) => {
      const expected = comparable(one, one.ordered);
      expect(comparable(await answerOf(one, false), one.ordered)).toEqual(expected);
      expect(comparable(await answerOf(one, true), one.ordered), "with rules").toEqual(expected);
    });
  });
}
