/**
 * Each rule changes how rows are found and never which: every statement gives the same rows with no rule at all, with all
 * of them, and with each one left out. Answers recorded from a PostgreSQL 15 server say which rows are right.
 */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { SqlError } from "../../../src/errors/sql-error.js";
import { optimize, rules } from "../../../src/planner/optimize.js";
import { textRows } from "../../engine/harness.js";
import { randomStatement } from "../support/random-statements.js";
import { randomTables } from "../support/random-tables.js";
import { statements } from "../support/statements.js";

/** The rows as one text each, sorted unless the statement orders all of them; or the error. */
async function answerOf(sql: string, seed: number, applied: typeof rules): Promise<string[]> {
  try {
    const { rows } = await textRows(sql, {
      list: randomTables(seed),
      rewrite: (plan) => optimize(plan, undefined, applied),
    });
    return rows.map((row) => JSON.stringify(row)).sort();
  } catch (error) {
    if (error instanceof SqlError) return [`${error.code} ${error.message}`];
    throw error;
  }
}

const recorded = JSON.parse(readFileSync(new URL("../support/answers.json", import.meta.url), "utf8")) as Record<
  string,
  string[]
>;
const names = [...new Set(rules.map((rule) => rule.name))];

for (const [topic, list] of Object.entries(statements)) {
  describe(topic, () => {
    test.each(list)("%s", async (sql) => {
      const expected = recorded[sql];
      expect(await answerOf(sql, 1, []), "without rules").toEqual(expected);
      expect(await answerOf(sql, 1, rules), "with all rules").toEqual(expected);
      for (const name of names) {
        const others = rules.filter((rule) => rule.name !== name);
        expect(await answerOf(sql, 1, others), `without ${name}`).toEqual(expected);
      }
      for (const seed of [2, 3]) {
        expect(await answerOf(sql, seed, rules), `seed ${seed}`).toEqual(await answerOf(sql, seed, []));
      }
    });
  });
}

test("random statements", async () => {
  for (let seed = 1; seed <= 300; seed++) {
    const sql = randomStatement(seed);
    const tables = 1 + (seed % 5);
    expect(await answerOf(sql, tables, rules), `seed ${seed}: ${sql}`).toEqual(await answerOf(sql, tables, []));
  }
});
