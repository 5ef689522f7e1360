/**
 * Every operator in every position: the rows are the same over resources that narrow by what they are handed, over
 * resources that take nothing, and in PostgreSQL; and the calls are handed what the table of `docs/pushdown.md` says.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Handed } from "./narrowing.js";
import { type Predicate, positions, predicates, type Reach } from "./positions.js";
import { Comparison } from "./three-answers.js";

/** SCRATCHPAD_TEST_PG is the port of a PostgreSQL 15 on 127.0.0.1. */
const port = process.env.SCRATCHPAD_TEST_PG;
let comparison: Comparison;

beforeAll(async () => {
  comparison = await Comparison.open(port === undefined ? undefined : Number(port));
});
afterAll(async () => comparison.close());

function arrives(reach: Reach | undefined, predicate: Predicate): readonly string[] {
  const does = reach === "yes" || (reach === "strict" && !predicate.arrives.includes("is null"));
  return does ? predicate.arrives : [];
}

/** What the calls of a table were handed on a column, `=` for an argument. */
function handedOn(calls: readonly Handed[], table: string, column: string): string[] {
  return calls
    .filter((call) => call.table === table)
    .flatMap((call) => [
      ...call.columns.flatMap((name) => (name === column ? ["="] : [])),
      ...call.quals.flatMap((qual) => (qual.column === column ? [qual.operator] : [])),
    ])
    .sort();
}

describe.each(positions)("$name", (position) => {
  test.each(predicates)("$name", async (predicate) => {
    const sql = position.sql(predicate.sql, predicate.column);
    const { narrow, plain, oracle, calls } = await comparison.answers(sql);
    expect(narrow, sql).toEqual(plain);
    if (oracle !== undefined) expect(narrow, sql).toEqual(oracle);
    if (position.keepsSubqueries === true && sql.includes("(SELECT 2)")) return;
    expect({ a: handedOn(calls, "a", predicate.column), b: handedOn(calls, "b", predicate.column) }, sql).toEqual({
      a: arrives(position.a, predicate),
      b: arrives(position.b, predicate),
    });
  });
});
