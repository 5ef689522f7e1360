/**
 * Operators between literals without a type. Where an operator over types that this program has not is as good as ours,
 * PostgreSQL asks for a cast. The recorded codes are those of PostgreSQL 15; a running one (SCRATCHPAD_TEST_PG: its port) is
 * asked again, for every symbol that it has.
 */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SqlError } from "../../../src/errors/sql-error.js";
import { MemoryBackend } from "../../../src/sql.js";

const literals = ["'1'", "'{1}'", `'{"a":1}'`, "'2024-01-01'", "NULL"];

async function answerOf(run: () => Promise<{ rows: unknown[] }>): Promise<string> {
  try {
    return JSON.stringify((await run()).rows[0]);
  } catch (error) {
    if (error instanceof SqlError || error instanceof pg.DatabaseError) return error.code ?? "";
    throw error;
  }
}

let backend: MemoryBackend;
beforeAll(async () => {
  backend = await MemoryBackend.create();
});
afterAll(() => backend.close());

const ours = (expression: string) =>
  answerOf(() =>
    backend.query(`SELECT (${expression})::text, pg_typeof(${expression})::text`, [], { rowMode: "array" }),
  );

test.each([
  { expression: `'{"a":1}' ?| '{a}'`, answer: "42725" },
  { expression: `'{"a":1}'::jsonb ?| '{a}'`, answer: '["true","boolean"]' },
  { expression: `'{"a":1}' ?| '{a}'::text[]`, answer: '["true","boolean"]' },
  { expression: `'{"a":1}' ?& '{a}'`, answer: '["true","boolean"]' },
  { expression: "'{1}' && '{1}'", answer: "42725" },
  { expression: "'{1}' && '{1}'::int[]", answer: '["true","boolean"]' },
  { expression: "'1' <-> '1'", answer: "42725" },
  { expression: "# '1'", answer: "42725" },
  { expression: "1 <@ '{1}'", answer: "42725" },
  { expression: "'{1}' @> 1", answer: "42725" },
  { expression: "'{1}' <@ 1", answer: "42883" },
  { expression: "'{1}' @> '{1}'", answer: "42725" },
])("$expression", async ({ expression, answer }) => {
  expect(await ours(expression)).toBe(answer);
});

const port = process.env.SCRATCHPAD_TEST_PG;
if (port !== undefined) {
  describe("PostgreSQL", () => {
    test("says the same of every symbol, unless we refuse it by name", { timeout: 120_000 }, async () => {
      const client = new pg.Client({ host: "127.0.0.1", port: Number(port), user: process.env.PGUSER ?? "postgres" });
      await client.connect();
      try {
        const { rows } = await client.query<{ symbol: string; infix: boolean }>(
          `SELECT DISTINCT oprname::text AS symbol, oprkind = 'b' AS infix FROM pg_operator
           WHERE oprnamespace = 'pg_catalog'::regnamespace ORDER BY 1, 2`,
        );
        const different: string[] = [];
        for (const { symbol, infix } of rows) {
          for (const right of literals) {
            for (const left of infix ? literals : [""]) {
              const expression = `${left} ${symbol} ${right}`;
              const text = `SELECT (${expression})::text, pg_typeof(${expression})::text`;
              const theirs = await answerOf(() => client.query({ text, rowMode: "array" }));
              const answer = await ours(expression);
              if (answer !== theirs && answer !== "0A000") different.push(`${expression}: ${theirs}, not ${answer}`);
            }
          }
        }
        expect(different).toEqual([]);
      } finally {
        await client.end();
      }
    });
  });
} else {
  console.warn("Operators between literals are not asked of a server: SCRATCHPAD_TEST_PG is not set.");
}
