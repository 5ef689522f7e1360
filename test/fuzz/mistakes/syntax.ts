/** Text that is no SQL, or that of another database; writes that the table refuses. */
import type { Generator } from "../generator/generator.js";
import { ident } from "../names.js";
import { inQuery, type Mistake } from "./mistake.js";

/** `t`: a table, `a` and `z`: its first and last column, `bare`: the first without quotes. */
function brokenQueries(t: string, a: string, z: string, bare: string): string[] {
  return [
    "SELECT FROM WHERE",
    `SELECT ${a}, FROM ${t}`,
    `SELECT ${a} FROM ${t} WHERE`,
    `SELECT ${a} ${z} ${a} FROM ${t}`,
    `SELECT (${a} FROM ${t}`,
    `SELECT ${a}) FROM ${t}`,
    `SELECT ${a} FORM ${t}`,
    `SELECT ${a} FROM ${t} WHERE ${a} = `,
    `SELECT ${a} FROM ${t} WHERE ${a} == 1`,
    `SELECT ${a} FROM ${t} GROUP ${a}`,
    `SELECT ${a} FROM ${t} ORDER BY`,
    `SELECT ${a} FROM ${t} LIMIT 1, 2`,
    `SELECT TOP 5 ${a} FROM ${t}`,
    `SELECT ${a} FROM ${t} WHERE ${a} IN ()`,
    `SELECT ${a} FROM ${t} WHERE ${a} BETWEEN 1`,
    `SELECT CASE WHEN true THEN 1 FROM ${t}`,
    `SELECT * FROM ${t} JOIN`,
    `SELECT * FROM ${t} a JOIN ${t} b`,
    `SELECT * FROM ${t} WHERE NOT`,
    `SELECT 'abc FROM ${t}`,
    `SELECT \`${bare}\` FROM ${t}`,
    `SELECT [${bare}] FROM ${t}`,
    `SELECT ${a} FROM ${t} WHERE ${a} = 1 AND`,
    "WITH x AS SELECT 1 SELECT * FROM x",
    "WITH x AS (SELECT 1)",
    `SELECT * FROM (SELECT ${a} FROM ${t})`,
    `SELECT count(DISTINCT) FROM ${t}`,
    `SELECT ${a} FROM ${t} HAVING`,
    `SELECT ${a} FROM ${t} UNION`,
    `SELECT ${a} AS FROM ${t}`,
    `SELECT DISTINCT ON ${a} FROM ${t}`,
    `SELECT ${a} FROM ${t} WHERE ${a} IS 5`,
    `SELECT ${a} FROM ${t} WHERE ${a} NOT LIKE`,
    `SELCT ${a} FROM ${t}`,
    `SELECT * ${t}`,
    `SELECT ${a} FROM ${t} OFFSET`,
    `SELECT ${a} FROM ${t}; garbage`,
    `SELECT row_number() OVER FROM ${t}`,
    `SELECT sum(*) FROM ${t}`,
    `SELECT cast(${a} int) FROM ${t}`,
    `SELECT ${a}:: FROM ${t}`,
    `SELECT extract(year, ${a}) FROM ${t}`,
    "SELECT interval 5 day",
    `SELECT ${a} FROM ${t} WHERE ${a} = "text value"`,
    `SELECT ${a} FROM ${t} ORDER BY ${a} LIMIT 5 WHERE ${a} = 1`,
  ];
}

function brokenWrites(t: string, a: string): string[] {
  return [
    `INSERT INTO ${t} VALUES`,
    `INSERT ${t} VALUES (1)`,
    `INSERT INTO ${t} (${a}) VALUES (1, 2)`,
    `INSERT INTO ${t} (${a}, ${a}) VALUES (1, 1)`,
    `INSERT INTO ${t} (nothing_here) VALUES (1)`,
    `UPDATE ${t} SET`,
    `UPDATE ${t} ${a} = 1`,
    `UPDATE ${t} SET nothing_here = 1`,
    `UPDATE ${t} SET ${a} = ${a}, ${a} = ${a}`,
    `UPDATE ${t} SET ${a} = count(*)`,
    `DELETE ${t}`,
    `DELETE FROM ${t} WHERE`,
    `DELETE * FROM ${t}`,
    `INSERT INTO ${t} (${a}) VALUES (ARRAY[ARRAY['x']])`,
    `INSERT INTO ${t} (${a}) SELECT ${a}, ${a} FROM ${t}`,
    `INSERT INTO ${t} (${a}) VALUES (1) ON CONFLICT (nothing_here) DO NOTHING`,
    `INSERT INTO ${t} (${a}) VALUES (1) ON CONFLICT DO UPDATE SET ${a} = 1`,
  ];
}

function broken(g: Generator, texts: (t: string, a: string, z: string, bare: string) => string[], f: string) {
  const { name, cols } = g.r.pick(g.world.tables);
  const [first, last] = [cols[0].name, cols[cols.length - 1].name];
  return { k: "raw", f: `bad:${f}`, sql: g.r.pick(texts(ident(name), ident(first), ident(last), first)) } as const;
}

export const syntaxMistakes: readonly Mistake[] = [
  inQuery(4, "syntax", (g) => broken(g, brokenQueries, "syntax")),
  inQuery(1.5, "write", (g) => broken(g, brokenWrites, "write")),
];
