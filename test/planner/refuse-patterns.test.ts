/** Regular expressions that we refuse are refused before anything is called. */
import { describe, expect, test } from "vitest";
import { prWorld } from "../support/pr-world.js";

async function outcome(sql: string, params: unknown[] = []) {
  const { db, recorder } = await prWorld();
  const code = await db.execute(sql, { params }).then(
    () => null,
    (error: { code?: string }) => error.code,
  );
  return { code, calls: recorder.calls.length };
}

describe("before the first call", () => {
  test.each([
    { sql: "SELECT title FROM pr WHERE title ~ '(a)\\1'" },
    { sql: "SELECT title FROM pr WHERE title !~* 'a(?=b)'" },
    { sql: "SELECT title ~ 'a(?!b)' FROM pr" },
    { sql: "SELECT title FROM pr WHERE id = 1 AND title ~ '(?<=a)b'" },
    { sql: "SELECT title FROM pr WHERE title ~ lower('A(?=B)')" },
    { sql: "SELECT title FROM pr WHERE title ~ ANY (ARRAY['a', 'a(?=b)'])" },
    { sql: "SELECT title FROM pr WHERE title ~ ANY ('{a,a(?=b)}')" },
    { sql: "SELECT title FROM pr WHERE title ~ $1", params: ["a(?=b)"] },
    { sql: "SELECT regexp_replace(title, '(a)\\1', title, 'g') FROM pr" },
    { sql: "SELECT regexp_count(title, 'a(?=b)', 1, 'i') FROM pr" },
    { sql: "SELECT regexp_match(title, $1, 'i') FROM pr", params: ["a(?=b)"] },
    { sql: "SELECT regexp_matches(title, 'a(?=b)') FROM pr" },
    { sql: "SELECT x FROM pr, regexp_split_to_table(title, 'a(?=b)') x" },
    { sql: "SELECT substring(title FROM 'a(?=b)') FROM pr" },
    { sql: "SELECT count(*) FILTER (WHERE title ~ 'a(?=b)') FROM pr" },
    { sql: "SELECT id FROM pr WHERE EXISTS (SELECT FROM pr q WHERE q.id = pr.id AND q.title ~ 'a(?=b)')" },
  ])("$sql", async ({ sql, params }) => {
    expect(await outcome(sql, params)).toEqual({ code: "0A000", calls: 0 });
  });
});

test.each([
  { name: "a condition that is false", sql: "SELECT title FROM pr WHERE false AND title ~ 'a(?=b)'", calls: 0 },
  { name: "a branch that no row takes", sql: "SELECT CASE WHEN id < 0 THEN title ~ 'a(?=b)' END FROM pr", calls: 1 },
  { name: "q makes it plain text", sql: "SELECT regexp_match(title, 'a(?=b)', 'q') FROM pr", calls: 1 },
  { name: "NULL", sql: "SELECT title FROM pr WHERE title ~ NULL", calls: 0 },
])("not: $name", async ({ sql, calls }) => {
  expect(await outcome(sql)).toEqual({ code: null, calls });
});
