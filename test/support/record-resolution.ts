/**
 * Records how a PostgreSQL 15 server resolves operators, functions and common types, and the catalogue that it resolved
 * them from, into `test/types/data/resolution.json`: `npx tsx test/support/record-resolution.ts`.
 */
import { writeFileSync } from "node:fs";
import pg from "pg";

const known = [
  ..."bool bytea char name int8 int2 int4 text oid json float4 float8 bpchar varchar date time timestamp".split(" "),
  ..."timestamptz interval timetz numeric uuid jsonb record any anyelement anyarray anynonarray anyenum".split(" "),
  ..."anycompatible anycompatiblearray anycompatiblenonarray regtype regclass regproc".split(" "),
];
const names = [...known, ...known.map((name) => `_${name}`)];

const operands = [
  ..."unknown int2 int4 int8 float4 float8 numeric oid text varchar bpchar name char bool bytea uuid".split(" "),
  ..."date time timetz timestamp timestamptz interval json jsonb int4[] int8[] text[] varchar[] numeric[]".split(" "),
];
const operators = "+ - * / % ^ = < || & << ~ -> ?".split(" ");
const singles = "unknown int2 int4 int8 float4 float8 numeric oid text varchar bool date interval jsonb text[]".split(
  " ",
);
const calls: readonly (readonly [name: string, arity: number])[] = [
  ["abs", 1],
  ["round", 1],
  ["sqrt", 1],
  ["length", 1],
  ["upper", 1],
  ["factorial", 1],
  ["quote_literal", 1],
  ["to_json", 1],
  ["array_ndims", 1],
  ["float8", 1],
  ["text", 1],
  ["date", 1],
  ["pg_typeof", 1],
  ["cardinality", 1],
  ["concat", 2],
  ["mod", 2],
  ["power", 2],
  ["round", 2],
  ["div", 2],
  ["log", 2],
  ["left", 2],
  ["substr", 2],
  ["date_trunc", 2],
  ["date_part", 2],
  ["array_append", 2],
  ["array_cat", 2],
  ["array_position", 2],
  ["width_bucket", 2],
  ["json_build_object", 2],
  ["jsonb_extract_path", 2],
  ["strpos", 2],
  ["starts_with", 2],
  ["gcd", 2],
  ["repeat", 2],
  ["format", 2],
  ["to_char", 2],
  ["age", 2],
];

const sqlName = (type: string) => (type === "char" ? '"char"' : type);
const operand = (type: string) => (type === "unknown" ? "NULL" : `NULL::${sqlName(type)}`);

const client = new pg.Client();
await client.connect();

/** Type of an expression as pg_typeof has it, or the SQLSTATE. */
async function typeOf(expression: string): Promise<string> {
  try {
    // A prepared statement is analysed but not run, so that functions cannot fail.
    const { fields } = await client.query(`SELECT ${expression} WHERE false`);
    const { rows } = await client.query("SELECT format_type($1, NULL) AS name", [fields[0].dataTypeID]);
    return rows[0].name;
  } catch (error) {
    if (!(error instanceof pg.DatabaseError)) throw error;
    return error.code ?? "";
  }
}

const notFound = "42883";
const record = (into: Record<string, string>, key: string, type: string) => {
  if (type !== notFound) into[key] = type;
};

const binary: Record<string, string> = {};
for (const symbol of operators) {
  for (const left of operands) {
    for (const right of operands) {
      record(binary, `${left} ${symbol} ${right}`, await typeOf(`(${operand(left)}) ${symbol} (${operand(right)})`));
    }
  }
}
const functions: Record<string, string> = {};
for (const [name, arity] of calls) {
  for (const first of singles) {
    for (const second of arity === 1 ? [undefined] : singles) {
      const args = second === undefined ? [first] : [first, second];
      record(functions, `${name} ${args.join(" ")}`, await typeOf(`${name}(${args.map(operand).join(", ")})`));
    }
  }
}
const common: Record<string, string> = {};
for (const left of operands) {
  for (const right of operands) {
    common[`${left} ${right}`] = await typeOf(`CASE WHEN true THEN ${operand(left)} ELSE ${operand(right)} END`);
  }
}

const catalogue = await client.query({
  text: `SELECT oprname, l.typname, r.typname, t.typname
    FROM pg_operator o LEFT JOIN pg_type l ON l.oid = oprleft JOIN pg_type r ON r.oid = oprright
      JOIN pg_type t ON t.oid = oprresult
    WHERE oprnamespace = 'pg_catalog'::regnamespace AND (l.typname IS NULL OR l.typname = ANY ($1))
      AND r.typname = ANY ($1) AND t.typname = ANY ($1) ORDER BY 1, 2 NULLS FIRST, 3, 4`,
  values: [names],
  rowMode: "array",
});
const procedures = await client.query({
  text: `SELECT proname, (SELECT array_agg(a.typname::text ORDER BY n) FROM unnest(proargtypes) WITH ORDINALITY u(t, n)
        JOIN pg_type a ON a.oid = t) AS args, r.typname, provariadic <> 0, pronargdefaults
    FROM pg_proc p JOIN pg_type r ON r.oid = prorettype
    WHERE pronamespace = 'pg_catalog'::regnamespace AND proname = ANY ($1) AND prokind = 'f'
      AND r.typname = ANY ($2)
      AND NOT EXISTS (SELECT FROM unnest(proargtypes) t JOIN pg_type a ON a.oid = t WHERE a.typname <> ALL ($2))
    ORDER BY 1, proargtypes::text`,
  values: [calls.map(([name]) => name), names],
  rowMode: "array",
});
const casts = await client.query({
  text: `SELECT s.typname, t.typname, castcontext::text FROM pg_cast JOIN pg_type s ON s.oid = castsource
      JOIN pg_type t ON t.oid = casttarget
    WHERE s.typname = ANY ($1) AND t.typname = ANY ($1) AND s.oid <> t.oid AND s.oid < 10000 AND t.oid < 10000
    ORDER BY 1, 2`,
  values: [names],
  rowMode: "array",
});
const lines = (rows: readonly unknown[]) => `[\n${rows.map((row) => JSON.stringify(row)).join(",\n")}\n]`;
const entries = (map: Record<string, string>) =>
  `{\n${Object.entries(map)
    .map(([key, type]) => `${JSON.stringify(key)}: ${JSON.stringify(type)}`)
    .join(",\n")}\n}`;
writeFileSync(
  new URL("../types/data/resolution.json", import.meta.url),
  `{"operators": ${lines(catalogue.rows)},
"procedures": ${lines(procedures.rows)},
"casts": ${lines(casts.rows)},
"operands": ${JSON.stringify(operands)},
"symbols": ${JSON.stringify(operators)},
"singles": ${JSON.stringify(singles)},
"calls": ${JSON.stringify(calls)},
"binary": ${entries(binary)},
"functions": ${entries(functions)},
"common": ${entries(common)}}
`,
);
await client.end();
