/** Expressions as trees: precedence, and the forms with a syntax of their own. */
import { describe, expect, test } from "vitest";
import { parseExpression, parseTypeName } from "../../src/grammar/parse.js";
import { shapeOf } from "./shape.js";

// Source of all rows: PostgreSQL 15, asked with pg_get_viewdef or by which parentheses change an answer.
describe("precedence", () => {
  test.each([
    { sql: "a + b * c", shape: "(a + (b * c))" },
    { sql: "a - b - c", shape: "((a - b) - c)" },
    { sql: "a ^ b ^ c", shape: "((a ^ b) ^ c)" },
    { sql: "-a ^ b", shape: "((- a) ^ b)" },
    { sql: "-2 ^ 2", shape: "(-2 ^ 2)" },
    { sql: "-a::int", shape: "(- (a :: int4))" },
    { sql: "- - 5", shape: "5" },
    { sql: "a || b + c", shape: "(a || (b + c))" },
    { sql: "@ a + b", shape: "(@ (a + b))" },
    { sql: "@ a || b", shape: "((@ a) || b)" },
    { sql: "a -> 'b' ->> 'c' = d", shape: "(((a -> 'b') ->> 'c') = d)" },
    { sql: "a < b || c", shape: "(a < (b || c))" },
    { sql: "a operator(pg_catalog.+) b * c", shape: "(a + (b * c))" },
    { sql: "a * b operator(pg_catalog.+) c", shape: "((a * b) + c)" },
    { sql: "a or b and not c = d", shape: "(a Or (b And (not (c = d))))" },
    { sql: "a and b and (c and d)", shape: "(a And b And (c And d))" },
    { sql: "not a is null", shape: "(not (a is null))" },
    { sql: "a = b is null", shape: "((a = b) is null)" },
    { sql: "a is null is null", shape: "((a is null) is null)" },
    { sql: "a is null = b", shape: "((a is null) = b)" },
    { sql: "a is distinct from b = c", shape: "(a distinct (b = c))" },
    { sql: "a between b + 1 and c and d", shape: "((a between (b + 1) and c) And d)" },
    { sql: "a between b and c = d", shape: "((a between b and c) = d)" },
    { sql: "a = b like c", shape: "(a = (b like c))" },
    { sql: "a like b || c", shape: "(a like (b || c))" },
    { sql: "a in (1) in (true)", shape: "((a in [1]) in [true])" },
    { sql: "a = b in (c)", shape: "(a = (b in [c]))" },
    { sql: "a = not b = c", shape: "(a = (not (b = c)))" },
    { sql: "a = any (b) = c", shape: "((a = any b) = c)" },
    { sql: "a at time zone 'utc' + b", shape: "(timezone('utc', a) + b)" },
    { sql: "a + b at time zone c || d", shape: "((a + timezone(c, b)) || d)" },
    { sql: "-a at time zone b", shape: "timezone(b, (- a))" },
    { sql: 'a || b collate "C" < c', shape: "((a || (b collate C)) < c)" },
    { sql: "a::int::text", shape: "((a :: int4) :: text)" },
    { sql: "(a)[1]::int", shape: "((a [ 1) :: int4)" },
    { sql: "a isnull and b notnull", shape: "((a is null) And (b is not null))" },
    { sql: "(a, b) overlaps (c, d)", shape: "overlaps(a, b, c, d)" },
    { sql: "(a, b) < (c, d)", shape: "(row(a, b) < row(c, d))" },
    { sql: "1+2*3-4", shape: "((1 + (2 * 3)) - 4)" },
    { sql: "a=-1", shape: "(a = -1)" },
  ])("$sql", ({ sql, shape }) => expect(shapeOf(parseExpression(sql))).toBe(shape));

  test.each([
    { sql: "a = b = c", near: "=" },
    { sql: "a < b > c", near: ">" },
    { sql: "a like b like c", near: "like" },
    { sql: "a between 1 and 2 between 3 and 4", near: "between" },
    { sql: "a is distinct from b is null", near: "is" },
    { sql: "a and b = c = d", near: "=" },
    { sql: "a between b and", near: undefined },
    { sql: "a between not b and c", near: "not" },
    { sql: "f(x)[1]", near: "[" },
    { sql: "array[1, 2][1]", near: "[" },
  ])("$sql is refused", ({ sql, near }) => {
    const message = near === undefined ? "syntax error at end of input" : `syntax error at or near "${near}"`;
    expect(() => parseExpression(sql)).toThrow(expect.objectContaining({ code: "42601", message }));
  });
});

describe("special forms are calls of pg_catalog", () => {
  test.each([
    { sql: "extract(year from x)", shape: "extract('year', x)" },
    { sql: "extract('week' from x)", shape: "extract('week', x)" },
    { sql: "trim(x)", shape: "btrim(x)" },
    { sql: "trim(leading 'a' from x)", shape: "ltrim(x, 'a')" },
    { sql: "trim(both from x)", shape: "btrim(x)" },
    { sql: "trim(trailing from x)", shape: "rtrim(x)" },
    { sql: "trim('a' from x)", shape: "btrim(x, 'a')" },
    { sql: "trim(x, 'a')", shape: "btrim(x, 'a')" },
    { sql: "substring(x from 2)", shape: "substring(x, 2)" },
    { sql: "substring(x from 2 for 3)", shape: "substring(x, 2, 3)" },
    { sql: "substring(x for 3)", shape: "substring(x, 1, (3 :: int4))" },
    { sql: "substring(x similar 'a' escape '#')", shape: "substring(x, 'a', '#')" },
    { sql: "substring(x, 2, 3)", shape: "substring(x, 2, 3)" },
    { sql: "position('a' in x)", shape: "position(x, 'a')" },
    { sql: "overlay(x placing 'a' from 2 for 3)", shape: "overlay(x, 'a', 2, 3)" },
    { sql: "overlay(x, 'a', 2)", shape: "overlay(x, 'a', 2)" },
    { sql: "normalize(x, nfkc)", shape: "normalize(x, 'NFKC')" },
    { sql: "x is nfd normalized", shape: "is_normalized(x, 'NFD')" },
    { sql: "x is not normalized", shape: "(not is_normalized(x))" },
    { sql: "collation for (x)", shape: "pg_collation_for(x)" },
  ])("$sql", ({ sql, shape }) => expect(shapeOf(parseExpression(sql))).toBe(shape));

  test("the words are ordinary names where no parenthesis follows", () => {
    expect(parseExpression("position")).toMatchObject({ kind: "ColumnRef", parts: ["position"] });
    expect(parseExpression("t.coalesce")).toMatchObject({ kind: "ColumnRef", parts: ["t", "coalesce"] });
    expect(parseExpression("row")).toMatchObject({ kind: "ColumnRef", parts: ["row"] });
    expect(parseExpression("timestamp")).toMatchObject({ kind: "ColumnRef", parts: ["timestamp"] });
    expect(parseExpression("left('abc', 2)")).toMatchObject({ kind: "FunctionCall", name: { name: "left" } });
  });
});

describe("nodes", () => {
  test.each([
    { sql: "-9223372036854775808", node: { kind: "NumericLiteral", text: "-9223372036854775808", isInteger: true } },
    { sql: "1.50", node: { kind: "NumericLiteral", text: "1.50", isInteger: false } },
    { sql: "$2", node: { kind: "Parameter", number: 2 } },
    { sql: "t.*", node: { kind: "ColumnRef", parts: ["t"], star: true } },
    { sql: "(t).f", node: { kind: "FieldSelection", field: { name: "f" } } },
    { sql: "(t).*", node: { kind: "FieldStar" } },
    { sql: "a[2:]", node: { kind: "Slice", lower: { text: "2" } } },
    { sql: "B'01'", node: { kind: "BitStringLiteral", base: "binary", digits: "01" } },
    { sql: "count(*)", node: { kind: "FunctionCall", star: true } },
    { sql: "count(distinct a)", node: { kind: "FunctionCall", distinct: true } },
    { sql: "f(a => 1)", node: { args: [{ name: { name: "a" }, value: { text: "1" } }] } },
    { sql: "f(variadic a)", node: { args: [{ variadic: true }] } },
    {
      sql: "sum(a) filter (where b) over w",
      node: { filter: { parts: ["b"] }, over: { kind: "Identifier", name: "w" } },
    },
    { sql: "percentile_cont(0.5) within group (order by a desc)", node: { withinGroup: [{ direction: "desc" }] } },
    { sql: "current_timestamp(3)", node: { kind: "SqlValueFunction", name: "current_timestamp", precision: 3 } },
    { sql: "current_schema", node: { kind: "SqlValueFunction", name: "current_schema" } },
    { sql: "current_schema()", node: { kind: "FunctionCall", name: { name: "current_schema" } } },
    {
      sql: "interval '1' day to second (2)",
      node: { type: { intervalFields: "day to second", modifiers: [{ text: "2" }] } },
    },
    { sql: "numeric(4, 1) '2.5'", node: { kind: "Cast", type: { name: "numeric", modifiers: [{}, {}] } } },
    { sql: "date '2024-01-01'", node: { kind: "Cast", operand: { value: "2024-01-01" }, type: { name: "date" } } },
    { sql: "a not like all (b)", node: { kind: "QuantifiedArray", operator: { name: "!~~" }, quantifier: "all" } },
    { sql: "a = some (select 1)", node: { kind: "QuantifiedSubquery", quantifier: "any" } },
    { sql: "a in ((select 1))", node: { kind: "InSubquery" } },
    { sql: "a in ((select 1), 2)", node: { kind: "InList", items: [{ kind: "ScalarSubquery" }, {}] } },
    { sql: "((select 1) + 1)", node: { kind: "BinaryOperator", left: { kind: "ScalarSubquery" } } },
    {
      sql: "((select 1) union (select 2))",
      node: { kind: "ScalarSubquery", query: { body: { kind: "SetOperation" } } },
    },
    { sql: "a != b", node: { operator: { name: "<>" } } },
    { sql: "row()", node: { kind: "RowConstructor", explicit: true, fields: [] } },
    { sql: "array[[1], [2]]", node: { elements: [{ kind: "ArrayConstructor" }, { kind: "ArrayConstructor" }] } },
  ])("$sql", ({ sql, node }) => expect(parseExpression(sql)).toMatchObject(node));

  test("ranges cover the text of a node", () => {
    const sql = "lower(a) || 'x' = t.b";
    const expression = parseExpression(sql);
    expect(expression.range).toEqual({ start: 0, end: sql.length });
    expect(expression).toMatchObject({
      operator: { range: { start: 16, end: 17 } },
      left: { left: { name: { range: { start: 0, end: 5 } }, range: { start: 0, end: 8 } } },
      right: { range: { start: 18, end: 21 } },
    });
  });
});

describe("types under their catalog names", () => {
  test.each([
    { sql: "int", type: { name: "int4" } },
    { sql: '"int"', type: { name: "int" } },
    { sql: "double precision", type: { name: "float8" } },
    { sql: "float(24)", type: { name: "float4" } },
    { sql: "dec(3)", type: { name: "numeric", modifiers: [{ text: "3" }] } },
    { sql: "char", type: { name: "bpchar", modifiers: [{ text: "1" }] } },
    { sql: '"char"', type: { name: "char", modifiers: [] } },
    { sql: "character varying(10)", type: { name: "varchar", modifiers: [{ text: "10" }] } },
    { sql: "national character varying", type: { name: "varchar" } },
    { sql: "bit varying(3)", type: { name: "varbit" } },
    { sql: "time with time zone", type: { name: "timetz" } },
    { sql: "timestamp (3) without time zone", type: { name: "timestamp", modifiers: [{ text: "3" }] } },
    { sql: "timestamp with time zone", type: { name: "timestamptz" } },
    { sql: "interval year to month", type: { name: "interval", intervalFields: "year to month" } },
    { sql: "interval(2)", type: { name: "interval", modifiers: [{ text: "2" }] } },
    { sql: "text[][3]", type: { name: "text", arrayBounds: [null, 3] } },
    { sql: "int array[4]", type: { name: "int4", arrayBounds: [4] } },
    { sql: "s.mood", type: { schema: "s", name: "mood" } },
    { sql: "setof record", type: { name: "record", setOf: true } },
  ])("$sql", ({ sql, type }) => expect(parseTypeName(sql)).toMatchObject(type));

  test("a float's precision has bounds", () => {
    expect(() => parseTypeName("float(54)")).toThrow(expect.objectContaining({ code: "22023" }));
  });
});
