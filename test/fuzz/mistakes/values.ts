/** Values that a type or a function does not take. */
import { ident, quote } from "../names.js";
import { clone, type ExprType, expression, raw } from "../tree.js";
import { columnOf, inExpression, inQuery, type Mistake, reference } from "./mistake.js";

const badTexts: readonly (readonly [text: string, type: string])[] = [
  ...([
    ["abc", "int"],
    ["", "int"],
    ["1.5", "int"],
    ["12x", "bigint"],
    ["abc", "numeric"],
  ] as const),
  ...([
    ["x", "double precision"],
    ["maybe", "boolean"],
    ["not-a-date", "date"],
    ["2023-02-29", "date"],
  ] as const),
  ...([
    ["2024-13-01", "date"],
    ["2024-01-01 25:00:00", "timestamp"],
    ["soon", "timestamptz"],
  ] as const),
  ...([
    ["a lot", "interval"],
    ["{bad", "jsonb"],
    ['{"a":}', "jsonb"],
    ["xyz", "uuid"],
    ["{1,x}", "int[]"],
  ] as const),
  ...([
    ["99999999999", "int"],
    ["99999999999999999999", "bigint"],
    ["{a", "text[]"],
    ["1e400", "float8"],
  ] as const),
];

const tooLarge = [
  ...["2147483647 + 1", "2147483647 * 2", "(-2147483648) - 1", "9223372036854775807 + 1", "9223372036854775807 * 3"],
  ...["99999999999::int", "40000::smallint", "123456789.12::numeric(10,2)", "100::numeric(2,0)", "1e308::float8 * 10"],
  ...["factorial(-1)", "'infinity'::float8::int"],
];

const badArguments = [
  ...["sqrt(-1)", "ln(0)", "log(-5)", "power(0, -1)", "substring('abc', 1, -1)", "make_date(2023, 2, 30)", "acos(2)"],
  ...["date_trunc('fortnight', TIMESTAMP '2024-01-01')", "extract(fortnight FROM DATE '2024-01-01')"],
  ...["split_part('a', ',', 0)", "regexp_replace('a', '(', 'b')", "'a' ~ '['", "chr(0)", "ntile(0) OVER ()"],
  ...["to_date('2024-99-99', 'YYYY-MM-DD')", "TIMESTAMP '2024-01-01' AT TIME ZONE 'Mars/Base'"],
  ...["jsonb_array_length('{}'::jsonb)", "jsonb_object_keys('[1]'::jsonb)", "width_bucket(1.0, 5, 5, 3)"],
  ...["array_fill(1, ARRAY[-1])", "jsonb_path_exists('{}'::jsonb, '$.[')", "DATE '2024-01-01' + INTERVAL 'x'"],
];

export const valueMistakes: readonly Mistake[] = [
  inExpression(3, "bad cast text", (g) => {
    const [text, type] = g.r.pick(badTexts);
    const cast = g.r.chance(0.7) ? `${quote(text)}::${type}` : `CAST(${quote(text)} AS ${type})`;
    return raw("text", cast, cast.startsWith("CAST") ? 200 : 150);
  }),
  inExpression(1.5, "bad cast column", (g, scope) => {
    const found = columnOf(g, scope, "text");
    if (found === null || ["num", "datetext"].includes(found.col.sub ?? "")) return null;
    const type = g.r.pick(["int", "numeric", "date", "uuid", "boolean", "timestamptz"]);
    return expression("int", [{ e: reference(g, scope, found), n: 150 }, `::${type}`], 150);
  }),
  inExpression(3, "division by zero", (g, scope) => {
    const { r } = g;
    const found = columnOf(g, scope, "int", "numeric", "bigint", "float");
    const plain = ["1 / 0", "1.5 / 0", "5 % 0", "mod(7, 0)", "1 / (2 - 2)", "1.0::float8 / 0"];
    if (found === null || r.chance(0.15)) return raw("int", r.pick(plain), 90);
    const e = reference(g, scope, found);
    const type: ExprType = e.t;
    const zeros = [" / 0", type === "float" ? " / 0" : " % 0", " / (1 - 1)"];
    if (r.chance(0.6)) return expression(type, [{ e, n: 90 }, r.pick(zeros)], 90);
    return expression(type, ["100 / (", { e, n: 80 }, " - ", { e: clone(e), n: 81 }, ")"], 90);
  }),
  inExpression(1.5, "out of range", (g) => raw("int", g.r.pick(tooLarge), 70)),
  inExpression(1, "bad argument value", (g) => raw("text", g.r.pick(badArguments), 50)),
  inExpression(1, "scalar subquery rows", (g) => {
    const { name, cols } = g.r.pick(g.world.tables);
    return raw("int", `(SELECT ${ident(cols[0].name)} FROM ${ident(name)})`);
  }),
  inExpression(0.7, "scalar subquery columns", (g) => {
    const { name, cols } = g.r.pick(g.world.tables);
    return raw("int", `(SELECT ${ident(cols[0].name)}, 1 FROM ${ident(name)} LIMIT 1)`);
  }),
  inQuery(0.6, "negative limit", (g) => {
    const { q } = g.base();
    q.limit = -g.r.int(1, 5);
    return q;
  }),
];
