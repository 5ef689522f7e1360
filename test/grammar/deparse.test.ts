/** Trees as SQL: parentheses only where they are needed, names quoted where they must be. */
import { describe, expect, test } from "vitest";
import { deparse, deparseExpression, quoteName } from "../../src/grammar/deparse.js";
import { parse, parseExpression } from "../../src/grammar/parse.js";

describe("expressions", () => {
  test.each([
    { sql: "((a))+((b*c))", text: "a + b * c" },
    { sql: "(a + b) * c", text: "(a + b) * c" },
    { sql: "a - (b - c)", text: "a - (b - c)" },
    { sql: "(a and b) or c", text: "a AND b OR c" },
    { sql: "a and (b or c)", text: "a AND (b OR c)" },
    { sql: "(a = b) = c", text: "(a = b) = c" },
    { sql: "(-5)::int", text: "(-5)::int4" },
    { sql: "- (- a)", text: "- - a" },
    { sql: "x between (a = b) and c", text: "x BETWEEN (a = b) AND c" },
    { sql: "x between (a + 1) and c", text: "x BETWEEN (a + 1) AND c" },
    { sql: "cast(a as timestamp with time zone)", text: "a::timestamptz" },
    { sql: "char(3) 'x'", text: "'x'::bpchar(3)" },
    { sql: "\"char\" 'x'", text: "'x'::\"char\"" },
    { sql: '"Select", "user", value', text: undefined },
    { sql: "'it''s'", text: "'it''s'" },
    { sql: "extract(year from a)", text: "pg_catalog.\"extract\"('year', a)" },
    { sql: "not exists (select 1)", text: "NOT EXISTS (SELECT 1)" },
  ])("$sql", ({ sql, text }) => {
    if (text === undefined) expect(() => parseExpression(sql)).toThrow(expect.objectContaining({ code: "42601" }));
    else expect(deparseExpression(parseExpression(sql))).toBe(text);
  });

  test("a chain of 20,000 operators is printed", () => {
    const sql = new Array(20_000).fill("a").join(" || ");
    expect(deparseExpression(parseExpression(sql))).toBe(sql);
  });
});

test.each([
  { name: "plain", quoted: "plain" },
  { name: "Upper", quoted: '"Upper"' },
  { name: "user", quoted: '"user"' },
  { name: "value", quoted: "value" },
  { name: "timestamp", quoted: '"timestamp"' },
  { name: 'a"b', quoted: '"a""b"' },
  { name: "1a", quoted: '"1a"' },
  { name: "é", quoted: '"é"' },
])("the name $name", ({ name, quoted }) => expect(quoteName(name)).toBe(quoted));

test.each([
  { sql: "select a x from t y where a=1", text: "SELECT a AS x FROM t AS y WHERE a = 1" },
  { sql: "(select 1) union all (select 2 limit 1)", text: "SELECT 1 UNION ALL (SELECT 2 LIMIT 1)" },
  { sql: "select 1 union (select 2 union select 3)", text: "SELECT 1 UNION (SELECT 2 UNION SELECT 3)" },
  { sql: "update t set a=1", text: "UPDATE t SET a = 1" },
  { sql: "insert into t values (1,default)", text: "INSERT INTO t VALUES (1, DEFAULT)" },
])("$sql", ({ sql, text }) => expect(deparse(parse(sql)[0])).toBe(text));

test("an unsupported statement has no text", () => {
  expect(() => deparse(parse("vacuum t")[0])).toThrow(
    expect.objectContaining({ code: "0A000", message: "VACUUM is not supported" }),
  );
});
