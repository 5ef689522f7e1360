/** Types that do not go together, and calls that no function answers. */
import type { Generator } from "../generator/generator.js";
import type { Scope } from "../generator/scope.js";
import { type Expr, expression, type Query, raw, type ValueType } from "../tree.js";
import { addWhere, columnOf, inExpression, inQuery, type Mistake, marked, qualified, reference } from "./mistake.js";

/** `column rest`, for a column of one of the types. */
function after(g: Generator, scope: Scope, rest: string, p: number, n: number, ...types: ValueType[]): Expr | null {
  const found = columnOf(g, scope, ...types);
  return found && expression("bool", [{ e: reference(g, scope, found), n }, rest], p);
}

const mixed: readonly (readonly [ValueType, ValueType])[] = [
  ...([
    ["text", "int"],
    ["int", "text"],
    ["date", "int"],
    ["bool", "int"],
    ["tstz", "int"],
  ] as const),
  ...([
    ["uuid", "text"],
    ["text", "date"],
    ["jsonb", "text"],
    ["text[]", "text"],
    ["numeric", "bool"],
  ] as const),
  ...([
    ["enum", "text"],
    ["enum", "int"],
  ] as const),
];

const badLiterals: Partial<Record<ValueType, string>> = {
  int: "'abc'",
  bigint: "'12x'",
  numeric: "'1,5'",
  date: "'yesterdayish'",
  bool: "'maybe'",
  uuid: "'not-a-uuid'",
  tstz: "'2024-13-01'",
  enum: "'no such label'",
};

const badArguments: readonly (readonly [string, ValueType])[] = [
  ...([
    ["lower", "int"],
    ["upper", "date"],
    ["length", "int"],
    ["sum", "text"],
    ["avg", "bool"],
  ] as const),
  ...([
    ["abs", "text"],
    ["round", "text"],
    ["date_trunc", "text"],
    ["jsonb_array_length", "text"],
  ] as const),
  ...([
    ["unnest", "text"],
    ["array_length", "text[]"],
    ["bool_and", "int"],
    ["min", "bool"],
    ["max", "jsonb"],
  ] as const),
  ...([
    ["to_char", "date"],
    ["substring", "int"],
    ["extract_year", "date"],
    ["string_agg", "text"],
  ] as const),
  ...([
    ["jsonb_typeof", "text"],
    ["lower", "enum"],
  ] as const),
];

const badCasts: readonly (readonly [ValueType, string])[] = [
  ...([
    ["date", "int"],
    ["bool", "date"],
    ["int", "date"],
    ["uuid", "int"],
    ["interval", "int"],
  ] as const),
  ...([
    ["numeric", "boolean"],
    ["tstz", "int"],
    ["text[]", "int"],
    ["bool", "numeric"],
    ["jsonb", "date"],
  ] as const),
  ["enum", "int"],
];

export const typeMistakes: readonly Mistake[] = [
  inExpression(3, "text arithmetic", (g, scope) => {
    const found = columnOf(g, scope, "text");
    if (found === null) return null;
    const right = g.leaf(g.r.pick<ValueType>(["int", "text"]), scope, { column: true, typed: true });
    const operator = g.r.pick(["+", "-", "*", "/"]);
    return expression("int", [{ e: reference(g, scope, found), n: 80 }, ` ${operator} `, { e: right, n: 81 }], 80);
  }),
  inExpression(3, "mixed comparison", (g, scope) => {
    const [a, b] = g.r.pick(mixed);
    const found = columnOf(g, scope, a);
    if (found === null || !g.ok(b)) return null;
    const other = columnOf(g, scope, b);
    const right = other === null ? g.literal(b, { typed: true }) : reference(g, scope, other);
    const operator = g.r.pick(["=", "<", "<>"]);
    return expression("bool", [{ e: reference(g, scope, found), n: 51 }, ` ${operator} `, { e: right, n: 51 }], 50);
  }),
  inExpression(2, "bad literal for column", (g, scope) => {
    const found = columnOf(g, scope, ...(Object.keys(badLiterals) as ValueType[]));
    if (found === null) return null;
    const literal = badLiterals[found.col.type];
    const rest = g.r.chance(0.7) ? ` = ${literal}` : ` IN (${literal})`;
    return expression("bool", [{ e: reference(g, scope, found), n: 51 }, rest], 50);
  }),
  inExpression(1.5, "text = number literal", (g, scope) =>
    after(g, scope, ` = ${g.r.int(0, 9)}`, 50, 51, "text", "bool", "date"),
  ),
  inExpression(1.5, "like on non-text", (g, scope) => {
    const operator = g.r.pick(["LIKE", "ILIKE"]);
    return after(g, scope, ` ${operator} '%1%'`, 60, 61, "int", "date", "tstz", "bool", "jsonb", "numeric", "enum");
  }),
  inExpression(1.5, "wrong argument type", (g, scope) => {
    const [name, type] = g.r.pick(badArguments);
    const found = columnOf(g, scope, type);
    const aggregate = /^(sum|avg|bool_and|min|max|string_agg|unnest)$/.test(name);
    if (found === null || (aggregate && !g.r.chance(0.6))) return null;
    return expression("int", [`${name}(`, { e: qualified(found), n: 0 }, ")"]);
  }),
  inExpression(1, "wrong argument count", (g) => {
    const text = ["upper('a', 'b')", "lower()", "replace('a', 'b')", "round(1.5, 2, 3)", "split_part('a', 'b')"];
    const more = ["nullif(1)", "count(1, 2)", "date_trunc('day')", "power(2)", "left('abc')", "mod(5)"];
    return raw("text", g.r.pick([...text, ...more]));
  }),
  inQuery(1.5, "non-boolean where", (g) => {
    const { q, body, scope } = g.base();
    const found = columnOf(g, scope, "int", "text", "numeric", "date", "enum");
    if (found === null) return null;
    addWhere(body, marked("non-boolean where", reference(g, scope, found)));
    return q;
  }),
  inExpression(1, "case type mismatch", (g) => {
    const cases = ["CASE WHEN true THEN 1 ELSE 'abc' END", "coalesce(1, 'x')", "greatest(1, 'z')", "coalesce(true, 1)"];
    const more = ["CASE WHEN true THEN DATE '2024-01-01' ELSE 5 END", "CASE WHEN 1 THEN 2 END"];
    return raw("int", g.r.pick([...cases, ...more]));
  }),
  inExpression(1, "coalesce types", (g, scope) => {
    const a = columnOf(g, scope, "text");
    const b = columnOf(g, scope, "int", "date", "bool", "numeric", "enum");
    if (a === null || b === null) return null;
    const [first, second] = [b, a].map((found) => ({ e: reference(g, scope, found), n: 0 }));
    return expression("text", ["coalesce(", first, ", ", second, ")"]);
  }),
  inExpression(1, "impossible cast", (g, scope) => {
    const [type, target] = g.r.pick(badCasts);
    return after(g, scope, `::${target}`, 150, 150, type);
  }),
  inExpression(1, "json operator on text", (g, scope) =>
    after(g, scope, g.r.pick([" ->> 'a'", " -> 'a'"]), 70, 70, "text", "int"),
  ),
  inQuery(1, "set operation mismatch", (g) => {
    const [a, b] = [g.base(), g.base()];
    const others = [raw("text", "'abc'::text", 150), raw("date", "DATE '2024-01-01'"), raw("bool", "true")];
    a.body.items = [{ e: g.literal("int"), as: null }];
    b.body.items = g.r.chance(0.5)
      ? [
          { e: g.literal("int"), as: null },
          { e: g.literal("int"), as: null },
        ]
      : [{ e: g.r.pick(others), as: null }];
    const q: Query = {
      k: "q",
      body: { k: "set", op: "UNION", all: g.r.chance(0.5), l: a.body, r: b.body },
      order: [],
    };
    return q;
  }),
  inExpression(0.7, "in list type", (g, scope) =>
    after(g, scope, " IN (SELECT 'abc'::text)", 60, 61, "int", "date", "bool", "enum"),
  ),
];
