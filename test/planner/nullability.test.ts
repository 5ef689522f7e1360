/**
 * Which output columns can be NULL. Each case names them by hand; the built-in engine, and a running PostgreSQL
 * (SCRATCHPAD_TEST_PG: its port), then show it: a NULL is there in every column that can have one, and in no other.
 */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "../../src/grammar/parse.js";
import { bind } from "../../src/planner/bind/bind.js";
import { nullableOutputs } from "../../src/planner/nullability.js";
import { MemoryBackend } from "../../src/sql.js";
import { fakeCatalog } from "../support/fake-catalog.js";

const tables = [
  "CREATE TABLE p(id int NOT NULL, title text NOT NULL, state text, n int, doc jsonb NOT NULL, tags text[] NOT NULL, ok boolean, at timestamptz NOT NULL)",
  "CREATE TABLE r(p_id int NOT NULL, who text NOT NULL, note text)",
  "CREATE TABLE none(x int NOT NULL, y int)",
  `INSERT INTO p VALUES (1, 'One', 'open', 5, '{"a": 1}', '{x}', true, '2026-01-01'), (2, 'Two', NULL, NULL, '{}', '{}', NULL, 'infinity'), (3, 'Three', 'closed', NULL, '[1]', '{x,y}', false, '2026-01-02')`,
  "INSERT INTO r VALUES (1, 'ann', 'good'), (1, 'bob', NULL), (9, 'eve', NULL)",
];

/** `nullable` lists the output columns that can be NULL; `cautious` those of them of which no row shows it. */
interface Case {
  readonly sql: string;
  readonly nullable: readonly string[];
  readonly cautious?: readonly string[];
}

const cases: readonly Case[] = [
  { sql: "SELECT id, title, state FROM p", nullable: ["state"] },
  { sql: "SELECT * FROM (SELECT id AS a, n AS b FROM p) AS s", nullable: ["b"] },
  // Outer joins, and conditions that undo them.
  { sql: "SELECT p.id, r.who, r.note FROM p LEFT JOIN r ON r.p_id = p.id", nullable: ["who", "note"] },
  { sql: "SELECT p.id, r.who FROM p RIGHT JOIN r ON r.p_id = p.id", nullable: ["id"] },
  { sql: "SELECT p.id, r.who FROM p FULL JOIN r ON r.p_id = p.id", nullable: ["id", "who"] },
  { sql: "SELECT p.id, r.who FROM p JOIN r ON r.p_id = p.id", nullable: [] },
  { sql: "SELECT p.id, r.who FROM p LEFT JOIN r ON r.p_id = p.id WHERE r.p_id > 0", nullable: [] },
  { sql: "SELECT p.id, r.who FROM p LEFT JOIN r ON r.p_id = p.id WHERE r.p_id IS NULL", nullable: ["who"] },
  {
    sql: "SELECT p.id, s.c FROM p LEFT JOIN (SELECT p_id, count(*) AS c FROM r GROUP BY p_id) s ON s.p_id = p.id",
    nullable: ["c"],
  },
  { sql: "SELECT id, c FROM p CROSS JOIN LATERAL (SELECT count(*) AS c FROM r WHERE r.p_id = p.id) s", nullable: [] },
  {
    sql: "SELECT id, who FROM p LEFT JOIN LATERAL (SELECT who FROM r WHERE r.p_id = p.id LIMIT 1) s ON true",
    nullable: ["who"],
  },
  { sql: "SELECT id, p_id FROM p LEFT JOIN (r CROSS JOIN p AS q(x)) ON r.p_id = p.id", nullable: ["p_id"] },
  // `USING` takes whichever side has a row.
  { sql: "SELECT id FROM p FULL JOIN (SELECT p_id AS id FROM r) s USING (id)", nullable: ["id"], cautious: ["id"] },
  // What WHERE lets pass.
  { sql: "SELECT state, n FROM p WHERE state IS NOT NULL", nullable: ["n"] },
  { sql: "SELECT state FROM p WHERE state = 'open'", nullable: [] },
  { sql: "SELECT state FROM p WHERE state IN ('open', 'closed')", nullable: [] },
  { sql: "SELECT state FROM p WHERE state NOT IN ('open')", nullable: [] },
  { sql: "SELECT state FROM p WHERE NOT (state = 'open')", nullable: [] },
  { sql: "SELECT state FROM p WHERE state LIKE 'o%' OR state = 'closed'", nullable: [] },
  { sql: "SELECT state FROM p WHERE state LIKE 'o%' OR id = 2", nullable: ["state"] },
  { sql: "SELECT state FROM p WHERE lower(state) > 'a' AND id > 0", nullable: [] },
  { sql: "SELECT state FROM p WHERE state = ANY('{open}')", nullable: [] },
  { sql: "SELECT state FROM p WHERE state = ALL('{}')", nullable: ["state"] },
  { sql: "SELECT state FROM p WHERE coalesce(state, '') = ''", nullable: ["state"] },
  { sql: "SELECT state FROM p WHERE state IS DISTINCT FROM 'open'", nullable: ["state"] },
  { sql: "SELECT ok FROM p WHERE ok", nullable: [] },
  { sql: "SELECT ok FROM p WHERE ok IS NOT TRUE", nullable: ["ok"] },
  { sql: "SELECT ok FROM p WHERE ok IS FALSE", nullable: [] },
  { sql: "SELECT ok FROM p WHERE ok IS NOT UNKNOWN", nullable: [] },
  { sql: "SELECT n FROM p WHERE n IN (SELECT 5)", nullable: [] },
  { sql: "SELECT n, state FROM p WHERE (n, state) = (5, 'open')", nullable: [] },
  // Expressions.
  { sql: "SELECT id + 1 AS a, n + 1 AS b, id + n AS c, -id AS d FROM p", nullable: ["b", "c"] },
  {
    sql: "SELECT title || '!' AS a, title || state AS b, upper(title) AS c, upper(state) AS d FROM p",
    nullable: ["b", "d"],
  },
  {
    sql: "SELECT doc -> 'a' AS a, doc ->> 'a' AS b, doc ? 'a' AS c, doc || '{}' AS d, doc #> '{a}' AS e, to_jsonb(id) AS f, to_jsonb(n) AS g FROM p",
    nullable: ["a", "b", "e", "g"],
  },
  {
    sql: "SELECT tags[1] AS a, tags || 'z'::text AS b, array_length(tags, 1) AS c, cardinality(tags) AS d, array_position(tags, 'x') AS e, tags || NULL AS f, array_append(NULL, 'x') AS g FROM p",
    nullable: ["a", "c", "e"],
  },
  {
    sql: "SELECT substring(title from 1 for 2) AS a, substring(title from 'O.e') AS b, regexp_match(title, 'O') AS c, regexp_replace(title, 'O', '') AS d, split_part(title, 'x', 9) AS e FROM p",
    nullable: ["b", "c"],
  },
  {
    sql: "SELECT concat(state, 'x') AS a, concat_ws(',', state) AS b, format('%s', state) AS c, concat_ws(state, 'x') AS d, quote_nullable(state) AS e FROM p",
    nullable: ["d"],
  },
  {
    sql: "SELECT date_trunc('day', at) AS a, extract(hour FROM at) AS b, to_char(at, 'YYYY') AS c, at + interval '1 day' AS d FROM p",
    nullable: ["b", "c"],
  },
  {
    sql: "SELECT coalesce(state, 'none') AS a, coalesce(state, n::text) AS b, nullif(id, 2) AS c, greatest(n, id) AS d, least(n, NULL) AS e FROM p",
    nullable: ["b", "c", "e"],
  },
  {
    sql: "SELECT CASE WHEN id = 1 THEN 'a' ELSE 'b' END AS a, CASE WHEN id = 1 THEN 'a' END AS b, CASE WHEN id = 1 THEN title ELSE state END AS c FROM p",
    nullable: ["b", "c"],
  },
  {
    sql: "SELECT CASE WHEN state IS NULL THEN 'none' ELSE state END AS a, CASE WHEN state IS NOT NULL THEN state ELSE '' END AS b, CASE WHEN n IS NULL OR state IS NULL THEN 0 ELSE n END AS c FROM p",
    nullable: [],
  },
  {
    sql: "SELECT CASE state WHEN 'open' THEN 1 ELSE 0 END AS a, CASE WHEN state = 'open' THEN 1 ELSE n END AS b FROM p",
    nullable: ["b"],
  },
  {
    sql: "SELECT n IS NULL AS a, n = 1 AS b, id = 1 AS c, n IS DISTINCT FROM 1 AS d, ok IS TRUE AS e, NOT ok AS f, id = 1 OR n = 1 AS g, id IN (1, 2) AS h, id IN (7, NULL) AS i FROM p",
    nullable: ["b", "f", "g", "i"],
  },
  {
    sql: "SELECT id::text AS a, n::text AS b, NULL::int AS c, 1 AS d, 'x' AS e, ARRAY[n] AS f, now() AS g, current_date AS h, random() AS i FROM p",
    nullable: ["b", "c"],
  },
  // Subqueries.
  {
    sql: "SELECT (SELECT count(*) FROM r WHERE p_id = id) AS a, (SELECT max(who) FROM r WHERE p_id = id) AS b, (SELECT who FROM r WHERE p_id = id LIMIT 1) AS c FROM p",
    nullable: ["b", "c"],
  },
  {
    sql: "SELECT EXISTS (SELECT FROM r WHERE p_id = id) AS a, ARRAY(SELECT note FROM r WHERE p_id = id) AS b, id IN (SELECT p_id FROM r) AS c, state IN (SELECT note FROM r) AS d, (SELECT id) AS e FROM p",
    nullable: ["d"],
  },
  {
    sql: "SELECT (SELECT count(*) FROM r HAVING count(*) > 5) AS a, (SELECT count(*) FROM r LIMIT 0) AS b, coalesce((SELECT max(x) FROM none), 0) AS c",
    nullable: ["a", "b"],
  },
  // Aggregates.
  {
    sql: "SELECT count(*) AS a, count(y) AS b, sum(x) AS c, max(x) AS d, array_agg(x) AS e, string_agg(x::text, ',') AS f, coalesce(sum(x), 0) AS g, bool_and(x > 0) AS h FROM none",
    nullable: ["c", "d", "e", "f", "h"],
  },
  {
    sql: "SELECT id, sum(id) AS a, sum(n) AS b, max(title) AS c, array_agg(n) AS d, jsonb_agg(n) AS e, avg(id) AS f, stddev_samp(id) AS g, count(n) AS h FROM p GROUP BY id",
    nullable: ["b", "g"],
  },
  {
    sql: "SELECT state, sum(id) FILTER (WHERE id > 2) AS a, count(*) FILTER (WHERE id > 2) AS b FROM p GROUP BY state",
    nullable: ["state", "a"],
  },
  {
    sql: "SELECT id, title, sum(id) AS a, grouping(id) AS b FROM p GROUP BY ROLLUP (id, title)",
    nullable: ["id", "title", "a"],
    cautious: ["a"],
  },
  { sql: "SELECT id, title, count(*) AS a FROM p GROUP BY id, title HAVING count(*) > 0", nullable: [] },
  // Windows.
  {
    sql: "SELECT row_number() OVER () AS a, lag(id) OVER (ORDER BY id) AS b, lag(id, 1, 0) OVER (ORDER BY id) AS c, sum(id) OVER (ORDER BY id) AS d, sum(id) OVER (ORDER BY id ROWS BETWEEN 1 PRECEDING AND 1 PRECEDING) AS e, count(n) OVER () AS f, first_value(id) OVER (ORDER BY id) AS g, nth_value(id, 2) OVER (ORDER BY id) AS h, sum(n) OVER (ORDER BY id DESC) AS i FROM p",
    nullable: ["b", "e", "h", "i"],
  },
  // Set operations.
  { sql: "SELECT id AS a, title AS b FROM p UNION SELECT p_id, note FROM r", nullable: ["b"] },
  { sql: "SELECT n AS a FROM p INTERSECT SELECT 5", nullable: [] },
  { sql: "SELECT id AS a, state AS b FROM p EXCEPT SELECT y, 'open' FROM none", nullable: ["b"] },
  { sql: "VALUES (1, NULL), (2, 'x')", nullable: ["column2"] },
  { sql: "SELECT a FROM (VALUES (1), (2)) v(a) UNION ALL SELECT NULL", nullable: ["a"] },
  // WITH.
  { sql: "WITH c AS (SELECT id, n FROM p) SELECT c.id, c.n FROM c", nullable: ["n"] },
  {
    sql: "WITH RECURSIVE c(i, s) AS (SELECT 1, 'a'::text UNION ALL SELECT i + 1, nullif(s, 'a') FROM c WHERE i < 3) SELECT i, s FROM c",
    nullable: ["s"],
  },
  {
    sql: "WITH RECURSIVE c(i, j, k) AS (SELECT 1, 1, 1 UNION ALL SELECT i + 1, i, nullif(j, 1) FROM c WHERE i < 5) SELECT i, j, k FROM c",
    nullable: ["k"],
  },
  {
    sql: "WITH RECURSIVE c(i, j, k) AS (SELECT 1, 1, 1 UNION ALL SELECT i + 1, k, nullif(i, 1) FROM c WHERE i < 5) SELECT i, j, k FROM c",
    nullable: ["j", "k"],
  },
  // Functions that give rows.
  { sql: "SELECT g, o FROM generate_series(1, 3) WITH ORDINALITY AS s(g, o)", nullable: [] },
  {
    sql: "SELECT a, b FROM ROWS FROM (generate_series(1, 3), generate_series(1, 2)) AS s(a, b)",
    nullable: ["a", "b"],
    cautious: ["a"],
  },
  { sql: "SELECT unnest(tags) AS a, unnest(ARRAY[1, NULL]) AS b FROM p", nullable: ["a", "b"] },
  { sql: "SELECT generate_series(1, id) AS a FROM p", nullable: [] },
  {
    sql: `SELECT v, k, t FROM jsonb_array_elements('[1, 2]') AS e(v), jsonb_each_text('{"a": null}') AS f(k, t)`,
    nullable: ["t"],
  },
  // Writes.
  { sql: "INSERT INTO r (p_id, who) VALUES (5, 'x') RETURNING p_id, who, note", nullable: ["note"] },
  { sql: "UPDATE p SET n = NULL WHERE id = 1 RETURNING id, title, n, upper(title) AS a", nullable: ["n"] },
  { sql: "DELETE FROM r USING p WHERE r.p_id = p.id RETURNING who, note, p.title", nullable: ["note"] },
];

const catalog = fakeCatalog(tables);

function nullableColumns(sql: string): string[] {
  const query = bind(parse(sql)[0], catalog);
  const nullable = nullableOutputs(query);
  return query.output.filter((_, i) => nullable[i]).map((column) => column.name);
}

test.each(cases)("$sql", ({ sql, nullable }) => expect(nullableColumns(sql)).toEqual(nullable));

/** Columns with a NULL in some row. */
function nullsIn(names: readonly string[], rows: readonly (readonly unknown[])[]): string[] {
  return names.filter((_, i) => rows.some((row) => row[i] === null));
}

const shown = ({ nullable, cautious = [] }: Case) => nullable.filter((name) => !cautious.includes(name));

describe("rows of the built-in engine", () => {
  let backend: MemoryBackend;
  beforeAll(async () => {
    backend = await MemoryBackend.create();
    for (const table of tables) await backend.query(table);
  });
  afterAll(() => backend.close());

  test.each(cases)("$sql", async (one) => {
    await backend.query("BEGIN");
    try {
      const { rows, fields } = await backend.query(one.sql, [], { rowMode: "array" });
      const names = fields.map((field) => field.name);
      expect(nullsIn(names, rows as unknown as unknown[][])).toEqual(shown(one));
    } finally {
      await backend.query("ROLLBACK");
    }
  });
});

const port = process.env.SCRATCHPAD_TEST_PG;

if (port === undefined) {
  console.warn("Nullable columns are not shown on a server: SCRATCHPAD_TEST_PG is not set.");
} else {
  describe("rows of PostgreSQL", () => {
    const client = new pg.Client({ host: "127.0.0.1", port: Number(port), user: "postgres", database: "postgres" });
    beforeAll(async () => {
      await client.connect();
      for (const table of tables) await client.query(table.replace("CREATE TABLE", "CREATE TEMP TABLE"));
    });
    afterAll(() => client.end());

    test.each(cases)("$sql", async (one) => {
      await client.query("BEGIN");
      try {
        const { rows, fields } = await client.query({ text: one.sql, rowMode: "array" });
        expect(
          nullsIn(
            fields.map((field) => field.name),
            rows as unknown[][],
          ),
        ).toEqual(shown(one));
      } finally {
        await client.query("ROLLBACK");
      }
    });
  });
}
