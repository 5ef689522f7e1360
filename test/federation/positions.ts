/**
 * Where a predicate can stand in a statement, and whether it reaches the calls from there: the table of
 * `docs/pushdown.md`, one entry a cell.
 */

/** `strict`: every operator but IS NULL, of which NULL-extended rows are true as well. */
export type Reach = "yes" | "no" | "strict";

export interface Predicate {
  readonly name: string;
  readonly column: string;
  /** How it arrives: `= ` for an argument, else the operators of the quals, sorted. */
  readonly arrives: readonly string[];
  sql(alias: string): string;
}

const of = (column: string, arrives: readonly string[], text: string): Predicate => ({
  name: text.replaceAll("$", column),
  column,
  arrives,
  sql: (alias) => text.replaceAll("$", `${alias}.${column}`),
});

export const predicates: readonly Predicate[] = [
  of("n", ["="], "$ = 3"),
  of("n", ["="], "$ IN (1, 3)"),
  of("n", [">"], "$ > 2"),
  of("n", [">="], "$ >= 3"),
  of("n", ["<"], "$ < 3"),
  of("n", ["<="], "$ <= 2"),
  of("n", ["<>"], "$ <> 3"),
  of("n", ["<"], "3 > $"),
  of("n", ["<=", ">="], "$ BETWEEN 2 AND 3"),
  of("n", ["<="], "NOT ($ > 2)"),
  of("n", ["<>"], "NOT ($ = 2)"),
  of("n", ["<>", "<>"], "$ NOT IN (1, 3)"),
  of("n", ["is null"], "$ IS NULL"),
  of("n", ["is not null"], "$ IS NOT NULL"),
  of("n", [">"], "$ > (SELECT 2)"),
  of("s", ["like"], "$ LIKE 'b%'"),
  of("s", ["ilike"], "$ ILIKE 'B%'"),
  of("s", [">"], "$ > 'ant'"),
  of("at", [">="], "$ >= '2024-03-10T06:30:00Z'"),
  of("at", ["<"], "$ < timestamptz '2024-07-01' - interval '30 days'"),
  of("ok", ["<>"], "$ <> true"),
  of("doc", ["@>"], `$ @> '{"k": 1}'`),
  of("doc", ["@>"], `'{"k": 1}'::jsonb <@ $`),
  of("tags", ["@>"], "$ @> '{p}'"),
];

export interface Position {
  readonly name: string;
  /** Whether the predicate, on `x` or `y`, reaches the calls of tables `a` (x) and `b` (y). */
  readonly a?: Reach;
  readonly b?: Reach;
  /** A predicate whose value is a subquery stays in the place where it is written. */
  readonly keepsSubqueries?: boolean;
  /** @param p the predicate of an alias @param column the column that it is on */
  sql(p: (alias: string) => string, column: string): string;
}

/** Column lists that have the predicate's column once. */
const idAnd = (column: string) => `id, ${column}`;

export const positions: readonly Position[] = [
  { name: "alone", a: "yes", sql: (p) => `SELECT * FROM a x WHERE ${p("x")}` },
  {
    name: "inner join, left, WHERE",
    a: "yes",
    sql: (p) => `SELECT x.id, y.id AS y FROM a x JOIN b y ON x.k = y.k WHERE ${p("x")}`,
  },
  {
    name: "inner join, right, ON",
    b: "yes",
    sql: (p) => `SELECT x.id, y.id AS y FROM a x JOIN b y ON x.k = y.k AND ${p("y")}`,
  },
  {
    name: "left join, preserved side, WHERE",
    a: "yes",
    sql: (p) => `SELECT x.id, y.id AS y FROM a x LEFT JOIN b y ON x.k = y.k WHERE ${p("x")}`,
  },
  {
    name: "left join, preserved side, ON",
    a: "no",
    sql: (p) => `SELECT x.id, y.id AS y FROM a x LEFT JOIN b y ON x.k = y.k AND ${p("x")}`,
  },
  {
    name: "left join, null-supplying side, WHERE",
    b: "strict",
    sql: (p) => `SELECT x.id, y.id AS y FROM a x LEFT JOIN b y ON x.k = y.k WHERE ${p("y")}`,
  },
  {
    name: "left join, null-supplying side, ON",
    b: "yes",
    sql: (p) => `SELECT x.id, y.id AS y FROM a x LEFT JOIN b y ON x.k = y.k AND ${p("y")}`,
  },
  {
    name: "left join below a left join, null-supplying side, WHERE",
    b: "strict",
    sql: (p) =>
      `SELECT z.id, x.id AS x, y.id AS y FROM c z LEFT JOIN (a x LEFT JOIN b y ON x.k = y.k) ON z.n = x.n WHERE ${p("y")}`,
  },
  {
    name: "left join below a left join, null-supplying side, ON",
    b: "strict",
    sql: (p) =>
      `SELECT z.id, x.id AS x, y.id AS y FROM c z LEFT JOIN (a x LEFT JOIN b y ON x.k = y.k) ON z.n = x.n AND ${p("y")}`,
  },
  {
    name: "right join, null-supplying side, WHERE",
    a: "strict",
    sql: (p) => `SELECT x.id, y.id AS y FROM a x RIGHT JOIN b y ON x.k = y.k WHERE ${p("x")}`,
  },
  {
    name: "right join, preserved side, WHERE",
    b: "yes",
    sql: (p) => `SELECT x.id, y.id AS y FROM a x RIGHT JOIN b y ON x.k = y.k WHERE ${p("y")}`,
  },
  {
    name: "right join, null-supplying side, ON",
    a: "yes",
    sql: (p) => `SELECT x.id, y.id AS y FROM a x RIGHT JOIN b y ON x.k = y.k AND ${p("x")}`,
  },
  {
    name: "right join, preserved side, ON",
    b: "no",
    sql: (p) => `SELECT x.id, y.id AS y FROM a x RIGHT JOIN b y ON x.k = y.k AND ${p("y")}`,
  },
  {
    name: "full join, WHERE",
    a: "strict",
    sql: (p) => `SELECT x.id, y.id AS y FROM a x FULL JOIN b y ON x.k = y.k WHERE ${p("x")}`,
  },
  {
    name: "full join, ON",
    a: "no",
    sql: (p) => `SELECT x.id, y.id AS y FROM a x FULL JOIN b y ON x.k = y.k AND ${p("x")}`,
  },
  {
    name: "EXISTS, outer query",
    a: "yes",
    sql: (p) => `SELECT x.id FROM a x WHERE EXISTS (SELECT 1 FROM b y WHERE y.k = x.k) AND ${p("x")}`,
  },
  {
    name: "EXISTS, inner query",
    b: "yes",
    sql: (p) => `SELECT x.id FROM a x WHERE EXISTS (SELECT 1 FROM b y WHERE y.k = x.k AND ${p("y")})`,
  },
  {
    name: "EXISTS, on the outer table inside",
    a: "yes",
    keepsSubqueries: true,
    sql: (p) => `SELECT x.id FROM a x WHERE EXISTS (SELECT 1 FROM b y WHERE y.k = x.k AND ${p("x")})`,
  },
  {
    name: "IN, outer query",
    a: "yes",
    sql: (p) => `SELECT x.id FROM a x WHERE x.k IN (SELECT y.k FROM b y) AND ${p("x")}`,
  },
  {
    name: "IN, inner query",
    b: "yes",
    sql: (p) => `SELECT x.id FROM a x WHERE x.k IN (SELECT y.k FROM b y WHERE ${p("y")})`,
  },
  {
    name: "NOT EXISTS, outer query",
    a: "yes",
    sql: (p) => `SELECT x.id FROM a x WHERE NOT EXISTS (SELECT 1 FROM b y WHERE y.k = x.k) AND ${p("x")}`,
  },
  {
    name: "NOT EXISTS, inner query",
    b: "yes",
    sql: (p) => `SELECT x.id FROM a x WHERE NOT EXISTS (SELECT 1 FROM b y WHERE y.k = x.k AND ${p("y")})`,
  },
  {
    name: "NOT EXISTS, on the outer table inside",
    a: "no",
    sql: (p) => `SELECT x.id FROM a x WHERE NOT EXISTS (SELECT 1 FROM b y WHERE y.k = x.k AND ${p("x")})`,
  },
  {
    name: "NOT IN, outer query",
    a: "yes",
    sql: (p) => `SELECT x.id FROM a x WHERE x.k NOT IN (SELECT y.id FROM b y WHERE y.id > 2) AND ${p("x")}`,
  },
  {
    name: "NOT IN, inner query",
    b: "yes",
    sql: (p) => `SELECT x.id FROM a x WHERE x.k NOT IN (SELECT y.k FROM b y WHERE ${p("y")})`,
  },
  {
    name: "below GROUP BY",
    a: "yes",
    sql: (p) => `SELECT k, count(*) FROM a x WHERE ${p("x")} GROUP BY k`,
  },
  {
    name: "above GROUP BY, a key",
    a: "yes",
    sql: (p, column) => `SELECT * FROM (SELECT ${column}, count(*) FROM a GROUP BY ${column}) x WHERE ${p("x")}`,
  },
  {
    name: "above GROUP BY, no key",
    a: "no",
    sql: (p, column) =>
      column === "tags"
        ? `SELECT * FROM (SELECT k, max(${column}) AS ${column}, count(*) FROM a GROUP BY k) x WHERE ${p("x")}`
        : `SELECT * FROM (SELECT k, (array_agg(${column} ORDER BY id))[1] AS ${column} FROM a GROUP BY k) x WHERE ${p("x")}`,
  },
  {
    name: "above ROLLUP, a key",
    a: "strict",
    sql: (p, column) =>
      `SELECT * FROM (SELECT ${column}, count(*) FROM a GROUP BY ROLLUP (${column})) x WHERE ${p("x")}`,
  },
  {
    name: "above DISTINCT",
    a: "yes",
    sql: (p, column) => `SELECT * FROM (SELECT DISTINCT ${column}, ok IS NULL AS o FROM a) x WHERE ${p("x")}`,
  },
  {
    name: "above DISTINCT ON",
    a: "no",
    sql: (p, column) =>
      `SELECT * FROM (SELECT DISTINCT ON (k) ${idAnd(column)} FROM a ORDER BY k, id) x WHERE ${p("x")}`,
  },
  {
    name: "above a window, its partition",
    a: "yes",
    sql: (p, column) =>
      `SELECT * FROM (SELECT ${idAnd(column)}, count(*) OVER (PARTITION BY ${column}) AS w FROM a) x WHERE ${p("x")}`,
  },
  {
    name: "above a window, not its partition",
    a: "no",
    sql: (p, column) =>
      `SELECT * FROM (SELECT ${idAnd(column)}, count(*) OVER (PARTITION BY k) AS w FROM a) x WHERE ${p("x")}`,
  },
  {
    name: "below a window",
    a: "yes",
    sql: (p) => `SELECT id, count(*) OVER (PARTITION BY k) AS w FROM a x WHERE ${p("x")}`,
  },
  {
    name: "above LIMIT",
    a: "no",
    sql: (p, column) => `SELECT * FROM (SELECT ${idAnd(column)} FROM a ORDER BY id LIMIT 6) x WHERE ${p("x")}`,
  },
  {
    name: "below LIMIT",
    a: "yes",
    sql: (p) => `SELECT x.id FROM a x WHERE ${p("x")} ORDER BY x.id LIMIT 3`,
  },
  {
    name: "above UNION ALL",
    a: "yes",
    b: "yes",
    sql: (p, column) =>
      `SELECT * FROM (SELECT ${idAnd(column)} FROM a UNION ALL SELECT ${idAnd(column)} FROM b) x WHERE ${p("x")}`,
  },
  {
    name: "above UNION",
    a: "yes",
    b: "yes",
    sql: (p, column) => `SELECT * FROM (SELECT ${column} FROM a UNION SELECT ${column} FROM b) x WHERE ${p("x")}`,
  },
  {
    name: "above EXCEPT",
    a: "yes",
    b: "yes",
    sql: (p, column) =>
      `SELECT * FROM (SELECT ${column}, k IS NULL AS o FROM a EXCEPT SELECT ${column}, k IS NULL FROM b) x WHERE ${p("x")}`,
  },
  {
    name: "in a query of EXCEPT",
    b: "yes",
    sql: (p, column) => `SELECT ${column} FROM a EXCEPT SELECT ${column} FROM b y WHERE ${p("y")}`,
  },
  {
    name: "above a CTE that is read once",
    a: "yes",
    sql: (p, column) => `WITH q AS (SELECT ${idAnd(column)} FROM a) SELECT * FROM q x WHERE ${p("x")}`,
  },
  {
    name: "above a materialized CTE",
    a: "no",
    sql: (p, column) => `WITH q AS MATERIALIZED (SELECT ${idAnd(column)} FROM a) SELECT * FROM q x WHERE ${p("x")}`,
  },
  {
    name: "in a scalar subquery",
    a: "yes",
    sql: (p) => `SELECT y.id, (SELECT count(*) FROM a x WHERE ${p("x")}) AS c FROM b y`,
  },
  {
    name: "in a correlated scalar subquery",
    a: "yes",
    sql: (p) => `SELECT y.id, (SELECT count(*) FROM a x WHERE x.k = y.k AND ${p("x")}) AS c FROM b y`,
  },
  {
    name: "under OR",
    a: "no",
    sql: (p) => `SELECT x.id FROM a x WHERE ${p("x")} OR x.id = 4`,
  },
  {
    name: "in CASE",
    a: "no",
    sql: (p) => `SELECT x.id FROM a x WHERE CASE WHEN x.id > 3 THEN ${p("x")} ELSE true END`,
  },
];
