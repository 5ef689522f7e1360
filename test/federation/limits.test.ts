/** LIMIT and ORDER BY reach a call where no row that counts can be lost by it, and nothing calls what can give no row. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { limitCases } from "./limits.js";
import type { Handed } from "./narrowing.js";
import { Comparison } from "./three-answers.js";

/** SCRATCHPAD_TEST_PG is the port of a PostgreSQL 15 on 127.0.0.1. */
const port = process.env.SCRATCHPAD_TEST_PG;
let comparison: Comparison;

beforeAll(async () => {
  comparison = await Comparison.open(port === undefined ? undefined : Number(port));
});
afterAll(async () => comparison.close());

function inWords({ table, limit, orderBy }: Handed): string {
  const order = orderBy === undefined ? "" : ` by ${orderBy.join(", ")}`;
  return limit === undefined ? `${table}${order}` : `${table}: ${limit}${order}`;
}

test.each(limitCases)("$name", async ({ sql, calls, anyRows }) => {
  const answers = await comparison.answers(sql);
  const seen = (rows: readonly string[]) => (anyRows === true ? rows.length : rows);
  expect(seen(answers.narrow), sql).toEqual(seen(answers.plain));
  if (answers.oracle !== undefined) expect(seen(answers.narrow), sql).toEqual(seen(answers.oracle));
  expect(answers.calls.map(inWords).sort(), sql).toEqual([...calls].sort());
});
