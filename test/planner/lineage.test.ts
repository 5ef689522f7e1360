/** Lineage of single constructs: result columns, what decides them, written values. One base column a letter. */
import { describe, expect, test } from "vitest";
import { parse } from "../../src/grammar/parse.js";
import { bind } from "../../src/planner/bind/bind.js";
import { type Lineage, lineageOf, type Origins } from "../../src/planner/lineage.js";
import { fakeCatalog } from "../support/fake-catalog.js";

const catalog = fakeCatalog([
  "CREATE TABLE t (a int PRIMARY KEY, b text, c text, d int, j jsonb)",
  "CREATE TABLE u (x int PRIMARY KEY, y text, z int DEFAULT 7)",
  "CREATE VIEW v AS SELECT b AS w FROM t WHERE d > 1",
]);

function lineage(sql: string): Lineage {
  const { plan, output } = bind(parse(sql)[0], catalog);
  return lineageOf(plan, output);
}

/** `a b`: names of base columns without their tables; rows of tables are left out. */
function namesOf(origins: Origins): string {
  const names = [...origins.values()].map(({ base }) => base.column).filter((name) => name !== "*");
  return [...new Set(names)].sort().join(" ");
}

describe("result columns", () => {
  test.each<readonly [sql: string, made: readonly string[], decided: string]>([
    ["SELECT a, b || c, 1 FROM t", ["a", "b c", ""], ""],
    ["SELECT a FROM t WHERE b = c", ["a"], "b c"],
    ["SELECT CASE WHEN a > 1 THEN b ELSE c END FROM t", ["a b c"], ""],
    ["SELECT CASE a WHEN d THEN b END FROM t", ["a b d"], ""],
    [
      "SELECT coalesce(b, c), nullif(a, d), greatest(a, d), a IS DISTINCT FROM d FROM t",
      ["b c", "a d", "a d", "a d"],
      "",
    ],
    ["SELECT t FROM t", ["a b c d j"], ""],
    ["SELECT (r).b FROM (SELECT t AS r FROM t) q", ["a b c d j"], ""],
    ["SELECT (ARRAY[b, c])[a], j -> 'x', j['y'] FROM t", ["a b c", "j", "j"], ""],
    ["SELECT t.b, u.y FROM t JOIN u ON t.a = u.x", ["b", "y"], "a x"],
    ["SELECT u.y FROM t LEFT JOIN u ON t.d = u.x", ["y"], "d x"],
    ["SELECT y FROM t CROSS JOIN LATERAL (SELECT y FROM u WHERE x = t.a) q", ["y"], "a x"],
    ["SELECT count(*), sum(d), max(b) FILTER (WHERE c > 'x') FROM t", ["", "d", "b c"], ""],
    ["SELECT b, count(*) FROM t GROUP BY b HAVING min(d) > 1", ["b", ""], "b d"],
    ["SELECT string_agg(b, ',' ORDER BY d) FROM t", ["b d"], ""],
    ["SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY d) FROM t", ["d"], ""],
    ["SELECT b, c, grouping(b) FROM t GROUP BY CUBE (b, c)", ["b", "c", ""], "b c"],
    ["SELECT sum(a) OVER (PARTITION BY b ORDER BY c), rank() OVER (ORDER BY d) FROM t", ["a b c", "d"], ""],
    ["SELECT a FROM t ORDER BY b LIMIT 1", ["a"], "b"],
    ["SELECT a FROM t LIMIT (SELECT max(z) FROM u)", ["a"], "z"],
    ["SELECT DISTINCT b FROM t", ["b"], "b"],
    ["SELECT DISTINCT ON (b) a FROM t ORDER BY b, c", ["a"], "b c"],
    ["SELECT b FROM t UNION ALL SELECT y FROM u", ["b y"], ""],
    ["SELECT b FROM t UNION SELECT y FROM u", ["b y"], "b y"],
    ["SELECT b FROM t EXCEPT SELECT y FROM u", ["b"], "b y"],
    ["SELECT b FROM t INTERSECT SELECT y FROM u", ["b y"], "b y"],
    ["SELECT (SELECT y FROM u WHERE x = t.a) FROM t", ["y"], "a x"],
    ["SELECT EXISTS (SELECT 1 FROM u WHERE x = t.a) FROM t", ["a x"], ""],
    ["SELECT b IN (SELECT y FROM u WHERE z > 1) FROM t", ["b y z"], ""],
    ["SELECT a FROM t WHERE b IN (SELECT y FROM u)", ["a"], "b y"],
    ["SELECT ARRAY(SELECT y FROM u ORDER BY z)", ["y"], "z"],
    ["SELECT a FROM t WHERE d > ALL (SELECT z FROM u)", ["a"], "d z"],
    ["WITH q AS (SELECT b AS m FROM t WHERE d = 1) SELECT m FROM q", ["b"], "d"],
    [
      "WITH RECURSIVE r (n, s) AS (SELECT a, b FROM t UNION ALL SELECT z, s || y FROM r JOIN u ON u.x = r.n) SELECT s FROM r",
      ["b y"],
      "a x z",
    ],
    [
      "WITH RECURSIVE r (p, q) AS (SELECT 1, 2 UNION ALL SELECT q, (SELECT max(d) FROM t) FROM r WHERE p < 9) SELECT p FROM r",
      ["d"],
      "d",
    ],
    ["SELECT * FROM generate_series(1, (SELECT max(d) FROM t)) g", ["d"], "d"],
    ["SELECT n FROM t, generate_series(1, t.d) n", ["d"], "d"],
    ["SELECT o FROM t, unnest(ARRAY[t.b]) WITH ORDINALITY q (e, o)", [""], "b"],
    ["SELECT unnest(ARRAY[b]) FROM t", ["b"], "b"],
    ["VALUES ((SELECT max(b) FROM t)), ('x')", ["b"], ""],
    ["SELECT w FROM v", ["b"], "d"],
    ["INSERT INTO u (x, y) SELECT a, b FROM t WHERE c = 'x' RETURNING y, z", ["b y", "z"], "c"],
    ["UPDATE u SET y = t.b FROM t WHERE t.a = u.x RETURNING y, x, t.c", ["b y", "x", "c"], "a x"],
    ["DELETE FROM u USING t WHERE t.a = u.x RETURNING y", ["y"], "a x"],
    ["WITH w AS (INSERT INTO u (x, y) SELECT a, b FROM t RETURNING y) SELECT y FROM w", ["b y"], ""],
    [
      "INSERT INTO u (x, y) SELECT a, b FROM t ON CONFLICT (x) DO UPDATE SET y = excluded.y || u.z::text RETURNING y",
      ["b y z"],
      "x",
    ],
  ])("%s", (sql, made, decided) => {
    const { columns, rows } = lineage(sql);
    expect(columns.map((column) => namesOf(column.made))).toEqual(made);
    const all = new Set([
      ...namesOf(rows).split(" "),
      ...columns.flatMap((column) => namesOf(column.decided).split(" ")),
    ]);
    expect(
      [...all]
        .filter((name) => name !== "")
        .sort()
        .join(" "),
    ).toBe(decided);
  });
});

describe("written values", () => {
  test.each<readonly [sql: string, written: readonly string[]]>([
    ["INSERT INTO u (x, y) SELECT a, b FROM t WHERE c = 'x'", ["x: a | c", "y: b | c"]],
    ["INSERT INTO u VALUES (1, (SELECT b FROM t WHERE a = 1), DEFAULT)", ["x:  | ", "y: b | a", "z:  | "]],
    ["UPDATE u SET y = t.b, z = z + 1 FROM t WHERE t.a = u.x", ["y: b | a x", "z: z | a x"]],
    ["UPDATE u SET (y, z) = (SELECT b, d FROM t WHERE a = u.x)", ["y: b d | a x", "z: b d | a x"]],
    [
      "INSERT INTO u (x) SELECT a FROM t ON CONFLICT (x) DO UPDATE SET y = (SELECT max(c) FROM t)",
      ["x: a | ", "y: c | x"],
    ],
    ["MERGE INTO u USING t ON t.a = u.x WHEN MATCHED AND t.c = 'x' THEN UPDATE SET y = t.b", ["y: b | a c x"]],
    ["DELETE FROM u WHERE y = 'x'", []],
  ])("%s", (sql, written) => {
    const { writes } = lineage(sql);
    const shown = writes.map(
      ({ table, source, trace }) => `${table.columns[source].name}: ${namesOf(trace.made)} | ${namesOf(trace.decided)}`,
    );
    expect(shown).toEqual(written);
  });
});

/** Whether the statement fails would tell of the values of these columns. */
test.each<readonly [sql: string, fallible: string]>([
  ["SELECT date_trunc('day', now()), extract(year FROM now()), date_part('hour', now()) FROM t WHERE b = 'x'", ""],
  ["SELECT date_trunc(b, now()) FROM t", "b"],
  ["SELECT date_part(b, now()) FROM t", "b"],
  ["SELECT date_trunc('day', now(), c) FROM t", "c"],
  ["SELECT regexp_matches(b, 'x') FROM t", ""],
  ["SELECT regexp_matches('x', b) FROM t", "b"],
  ["SELECT m FROM t, regexp_split_to_table(c, b) m", "b c"],
  ["SELECT unnest(ARRAY[b]) FROM t", ""],
  ["SELECT ntile(2) OVER (ORDER BY b) FROM t", ""],
  ["SELECT ntile(d) OVER () FROM t", "d"],
  ["SELECT nth_value(b, 2) OVER () FROM t", ""],
  ["SELECT nth_value(1, d) OVER () FROM t", "d"],
  ["SELECT sum(1) OVER (ROWS (SELECT max(d) FROM t) PRECEDING) FROM u", "d"],
  ["SELECT x FROM u LIMIT (SELECT max(d) FROM t)", "d"],
  ["SELECT x FROM u OFFSET (SELECT max(d) FROM t)", "d"],
  ["SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY b) FROM t", ""],
  ["SELECT percentile_disc(d) WITHIN GROUP (ORDER BY b) FROM t GROUP BY d", "b d"],
  ["SELECT array_agg(b) FROM t", ""],
  ["SELECT array_agg(string_to_array(b, ',')) FROM t", "b"],
])("%s can fail by: %s", (sql, expected) => {
  const { fallible } = lineage(sql);
  const names = fallible.flatMap(({ trace }) => [namesOf(trace.made), namesOf(trace.decided)].join(" ").split(" "));
  expect(
    [...new Set(names)]
      .filter((name) => name !== "")
      .sort()
      .join(" "),
  ).toBe(expected);
});

test("a chain of thousands of UNIONs and of operators", () => {
  const unions = Array.from({ length: 3000 }, () => "SELECT b FROM t").join(" UNION ALL ");
  expect(namesOf(lineage(unions).columns[0].made)).toBe("b");
  const sum = Array.from({ length: 1000 }, () => "d").join(" + ");
  expect(namesOf(lineage(`SELECT ${sum} FROM t`).columns[0].made)).toBe("d");
});

test("subqueries within what may fail are walked once, however deep they are", () => {
  let sql = "1";
  for (let i = 0; i < 25; i++) sql = `(SELECT d + ${sql} FROM t)`;
  expect(namesOf(lineage(`SELECT ${sql}`).columns[0].made)).toBe("d");
});
