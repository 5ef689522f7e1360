/** Syntax errors as a reader gets them: PostgreSQL's words, the place, what was expected there. */
import { describe, expect, test } from "vitest";
import { parse } from "../../src/grammar/parse.js";

const failure = (sql: string): unknown => {
  try {
    parse(sql);
  } catch (error) {
    return error;
  }
  return undefined;
};

describe("syntax errors", () => {
  test.each([
    { sql: "SELCT 1", near: "SELCT", hint: "Did you mean SELECT?" },
    { sql: "select a form t", near: "t", hint: "Did you mean FROM?" },
    { sql: "select * from t wher a = 1", near: "a", hint: "Did you mean WHERE?" },
    { sql: "select * from t gruop by a", near: "by", hint: "Did you mean GROUP?" },
    { sql: "insert into t (a) vales (1)", near: "vales", hint: "Did you mean VALUES?" },
    { sql: "select to from t", near: "to", hint: /write it in double quotes: "to"/ },
    { sql: "create table t (user int)", near: "user", hint: /write it in double quotes: "user"/ },
    { sql: "select * from order", near: "order", hint: /write it in double quotes: "order"/ },
    { sql: "select a, from t", near: "from", hint: 'Expected an expression or "*".' },
    { sql: "select * from t order name", near: "name", hint: "Expected BY." },
    { sql: "delete t", near: "t", hint: "Expected FROM." },
    { sql: "select count(* from t", near: "from", hint: 'Expected ")".' },
    { sql: "select case when a then b end 1 from t", near: "1", hint: /^Expected / },
    { sql: "select 'a' {", near: "{", hint: /^Expected / },
  ])("$sql", ({ sql, near, hint }) => {
    const error = failure(sql);
    const position = sql.lastIndexOf(near) + 1;
    expect(error).toMatchObject({ code: "42601", message: `syntax error at or near "${near}"`, position });
    expect((error as { hint?: string }).hint).toEqual(
      typeof hint === "string" ? hint : expect.stringMatching(hint as RegExp),
    );
  });

  test.each([
    { sql: "select (1", hint: 'Expected "," or ")".' },
    { sql: "select 1 +", hint: "Expected an expression, ANY, SOME or ALL." },
    { sql: "select * from t where", hint: "Expected an expression." },
    { sql: "select case when a then b", hint: "Expected WHEN, ELSE or END." },
  ])("$sql ends too early", ({ sql, hint }) => {
    const message = "syntax error at end of input";
    expect(failure(sql)).toMatchObject({ code: "42601", message, position: sql.length + 1, hint });
  });

  test("a hint lists at most eight possibilities", () => {
    const { hint } = failure("select a b c") as { hint: string };
    expect(hint.split(",").length).toBeLessThanOrEqual(9);
  });

  test("what was read before an unreadable token fails first", () => {
    expect(failure("SELCT 'abc")).toMatchObject({ message: 'syntax error at or near "SELCT"' });
    expect(failure("select 'abc")).toMatchObject({ message: 'unterminated quoted string at or near "\'abc"' });
  });
});

// PostgreSQL raises these in its grammar too, with more than "syntax error".
describe("errors of grammar actions", () => {
  test.each([
    { sql: "select * from (select 1)", code: "42601", message: "subquery in FROM must have an alias", position: 15 },
    { sql: "select * from (values (1))", code: "42601", message: "VALUES in FROM must have an alias", position: 15 },
    { sql: "select 1 limit 1, 2", code: "42601", message: "LIMIT #,# syntax is not supported", position: 17 },
    { sql: "(select 1 limit 1) limit 2", code: "42601", message: "multiple LIMIT clauses not allowed", position: 26 },
    {
      sql: "select 1 fetch first 1 rows with ties",
      code: "42601",
      message: "WITH TIES cannot be specified without ORDER BY clause",
    },
    {
      sql: "select f(a => 1, 2)",
      code: "42601",
      message: "positional argument cannot follow named argument",
      position: 18,
    },
    {
      sql: "select a.b.c.d()",
      code: "42601",
      message: "improper qualified name (too many dotted names): a.b.c.d",
      position: 8,
    },
    {
      sql: "select (1, 2, 3) overlaps (1, 2)",
      code: "42601",
      message: "wrong number of parameters on left side of OVERLAPS expression",
      position: 8,
    },
    {
      sql: "select sum(1) over (rows unbounded following)",
      code: "42P20",
      message: "frame start cannot be UNBOUNDED FOLLOWING",
      position: 26,
    },
    { sql: "select xmlelement(name a)", code: "0A000", message: "XMLELEMENT is not supported", position: 8 },
  ])("$sql", ({ sql, ...error }) => expect(failure(sql)).toMatchObject(error));
});
