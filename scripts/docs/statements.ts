/**
 * Every form of statement and of expression with an example, which is run when the page is made. The lists are keyed by
 * the kinds of the syntax tree, so that the compiler misses an entry when the grammar grows.
 */
import type * as ast from "../../src/grammar/ast.js";

export interface Example {
  readonly title: string;
  /** Statements that run one after the other on the sample tables of `sample.ts`. */
  readonly sql: string;
}

type SupportedStatement = Exclude<ast.Statement["kind"], "UnsupportedStatement">;

export const statements: Readonly<Record<SupportedStatement, readonly Example[]>> = {
  SelectStatement: [
    { title: "SELECT", sql: "SELECT id, title FROM pr WHERE state = 'open' ORDER BY id LIMIT 2 OFFSET 1" },
    { title: "DISTINCT, DISTINCT ON", sql: "SELECT DISTINCT ON (state) state, id FROM pr ORDER BY state, id DESC" },
    { title: "JOIN … ON, USING, NATURAL", sql: "SELECT * FROM pr LEFT JOIN review r ON r.pr = pr.id" },
    { title: "CROSS, FULL, RIGHT joins", sql: "SELECT * FROM pr FULL JOIN review r ON r.pr = pr.id" },
    {
      title: "LATERAL",
      sql: "SELECT pr.id, l.label FROM pr, LATERAL unnest(pr.labels) WITH ORDINALITY AS l(label, place)",
    },
    { title: "ROWS FROM", sql: "SELECT * FROM ROWS FROM (generate_series(1, 3), unnest(ARRAY['a', 'b'])) AS t(n, c)" },
    { title: "GROUP BY, HAVING", sql: "SELECT state, count(*) FROM pr GROUP BY state HAVING count(*) > 1" },
    {
      title: "GROUPING SETS, ROLLUP, CUBE",
      sql: "SELECT state, count(*), GROUPING(state) FROM pr GROUP BY ROLLUP (state)",
    },
    {
      title: "windows, named windows, frames, EXCLUDE",
      sql: "SELECT id, sum(size) OVER w FROM pr WINDOW w AS (ORDER BY id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW EXCLUDE TIES)",
    },
    {
      title: "FILTER, WITHIN GROUP",
      sql: "SELECT count(*) FILTER (WHERE size > 5), percentile_cont(0.5) WITHIN GROUP (ORDER BY size) FROM pr",
    },
    { title: "UNION, INTERSECT, EXCEPT [ALL]", sql: "SELECT id FROM pr EXCEPT ALL (SELECT pr FROM review) ORDER BY 1" },
    { title: "VALUES", sql: "VALUES (1, 'a'), (2, 'b')" },
    { title: "TABLE", sql: "TABLE pr" },
    {
      title: "WITH, also MATERIALIZED",
      sql: "WITH big AS MATERIALIZED (SELECT * FROM pr WHERE size > 5) SELECT count(*) FROM big",
    },
    {
      title: "WITH RECURSIVE",
      sql: "WITH RECURSIVE t(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM t WHERE n < 5) SELECT sum(n) FROM t",
    },
    {
      title: "SEARCH and CYCLE",
      sql: "WITH RECURSIVE t(n) AS (VALUES (1) UNION ALL SELECT n % 3 + 1 FROM t) SEARCH DEPTH FIRST BY n SET place CYCLE n SET again USING way SELECT n, again FROM t ORDER BY place",
    },
    {
      title: "WITH of a write",
      sql: "WITH gone AS (DELETE FROM review RETURNING pr) SELECT count(*) FROM gone",
    },
    { title: "FETCH … WITH TIES", sql: "SELECT id FROM pr ORDER BY size FETCH FIRST 1 ROW WITH TIES" },
    { title: "SELECT … INTO", sql: "SELECT id, title INTO copied FROM pr" },
    { title: "parameters", sql: "SELECT id FROM pr WHERE state = $1 AND size > $2" },
  ],
  InsertStatement: [
    {
      title: "INSERT … VALUES, DEFAULT, RETURNING",
      sql: "INSERT INTO pr (id, title, state) VALUES (9, 'new', DEFAULT) RETURNING *",
    },
    { title: "INSERT … SELECT", sql: "INSERT INTO review (pr, verdict) SELECT id, 'approve' FROM pr" },
    {
      title: "INSERT … ON CONFLICT DO NOTHING / DO UPDATE",
      sql: "INSERT INTO pr (id, title) VALUES (1, 'again') ON CONFLICT (id) DO UPDATE SET title = excluded.title WHERE pr.size > 0 RETURNING title",
    },
  ],
  UpdateStatement: [
    { title: "UPDATE", sql: "UPDATE pr SET size = size + 1, title = upper(title) WHERE id = 1 RETURNING size" },
    {
      title: "UPDATE … FROM",
      sql: "UPDATE pr SET state = 'approved' FROM review r WHERE r.pr = pr.id AND r.verdict = 'approve'",
    },
    { title: "UPDATE of several columns", sql: "UPDATE pr SET (size, state) = (SELECT 0, 'empty') WHERE id = 2" },
  ],
  DeleteStatement: [
    { title: "DELETE", sql: "DELETE FROM pr WHERE state = 'open' RETURNING id" },
    { title: "DELETE … USING", sql: "DELETE FROM review r USING pr WHERE pr.id = r.pr AND pr.state = 'merged'" },
  ],
  MergeStatement: [
    {
      title: "MERGE",
      sql: "MERGE INTO pr USING review r ON r.pr = pr.id WHEN MATCHED AND r.verdict = 'reject' THEN DELETE WHEN MATCHED THEN UPDATE SET state = 'reviewed' WHEN NOT MATCHED THEN INSERT (id, title) VALUES (r.pr, 'unknown')",
    },
  ],
  BeginStatement: [{ title: "BEGIN, START TRANSACTION", sql: "BEGIN; UPDATE pr SET size = 0; COMMIT" }],
  CommitStatement: [{ title: "COMMIT, END", sql: "START TRANSACTION; DELETE FROM review; END" }],
  RollbackStatement: [{ title: "ROLLBACK, ABORT", sql: "BEGIN; DELETE FROM pr; ROLLBACK" }],
  SavepointStatement: [{ title: "SAVEPOINT", sql: "BEGIN; SAVEPOINT s; DELETE FROM pr; ROLLBACK TO s; COMMIT" }],
  RollbackToStatement: [{ title: "ROLLBACK TO", sql: "BEGIN; SAVEPOINT s; ROLLBACK TO SAVEPOINT s; COMMIT" }],
  ReleaseStatement: [{ title: "RELEASE", sql: "BEGIN; SAVEPOINT s; RELEASE SAVEPOINT s; COMMIT" }],
  ExplainStatement: [
    { title: "EXPLAIN", sql: "EXPLAIN SELECT * FROM pr WHERE id = 1" },
    { title: "EXPLAIN (ANALYZE, FORMAT JSON)", sql: "EXPLAIN (ANALYZE, FORMAT JSON) SELECT count(*) FROM pr" },
  ],
  SetStatement: [{ title: "SET [LOCAL]", sql: "SET TIME ZONE 'Europe/Berlin'" }],
  ShowStatement: [{ title: "SHOW", sql: "SHOW timezone" }],
  ResetStatement: [{ title: "RESET", sql: "RESET timezone" }],
  CreateTableStatement: [
    {
      title: "CREATE TABLE",
      sql: "CREATE TABLE note (id serial PRIMARY KEY, pr int REFERENCES pr, body text NOT NULL DEFAULT '', words int CHECK (words >= 0), UNIQUE (pr, body))",
    },
  ],
  CreateTableAsStatement: [
    { title: "CREATE TABLE AS", sql: "CREATE TABLE open_pr AS SELECT * FROM pr WHERE state = 'open'" },
  ],
  CreateViewStatement: [
    { title: "CREATE [OR REPLACE] VIEW", sql: "CREATE VIEW open_pr AS SELECT * FROM pr WHERE state = 'open'" },
  ],
  CreateIndexStatement: [{ title: "CREATE [UNIQUE] INDEX", sql: "CREATE UNIQUE INDEX pr_title ON pr (title)" }],
  CreateEnumStatement: [
    {
      title: "CREATE TYPE … AS ENUM",
      sql: "CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy'); SELECT 'ok'::mood < 'happy'",
    },
  ],
  CreateSchemaStatement: [{ title: "CREATE SCHEMA", sql: "CREATE SCHEMA archive; CREATE TABLE archive.pr (id int)" }],
  DropStatement: [{ title: "DROP TABLE, VIEW, INDEX, TYPE, SCHEMA", sql: "DROP TABLE IF EXISTS review CASCADE" }],
  TruncateStatement: [{ title: "TRUNCATE", sql: "TRUNCATE TABLE review" }],
};

export const expressions: Readonly<Record<ast.Expression["kind"], readonly Example[]>> = {
  NumericLiteral: [{ title: "numbers", sql: "SELECT 1, -2.50, 1e3" }],
  StringLiteral: [{ title: "strings of every quoting", sql: "SELECT 'it''s', E'a\\tb', $$it's$$, U&'\\00e9'" }],
  BitStringLiteral: [],
  BooleanLiteral: [{ title: "booleans", sql: "SELECT true, false" }],
  NullLiteral: [{ title: "NULL", sql: "SELECT NULL" }],
  Parameter: [{ title: "parameters", sql: "SELECT $1::int + 1" }],
  ColumnRef: [{ title: "columns", sql: "SELECT title, pr.title, public.pr.title, pr.* FROM pr" }],
  FieldSelection: [{ title: "a field of a row", sql: "SELECT (pr).title FROM pr" }],
  FieldStar: [{ title: "all fields of a row", sql: "SELECT (pr).* FROM pr" }],
  Subscript: [{ title: "elements of arrays and JSON", sql: "SELECT labels[1], meta['a'] FROM pr" }],
  Slice: [{ title: "slices", sql: "SELECT labels[1:2] FROM pr" }],
  FunctionCall: [
    {
      title: "calls, named arguments, VARIADIC",
      sql: "SELECT make_interval(days => 3), concat_ws(',', VARIADIC ARRAY['a', 'b'])",
    },
    {
      title: "EXTRACT, SUBSTRING, POSITION, OVERLAY, TRIM, NORMALIZE",
      sql: "SELECT EXTRACT(year FROM DATE '2024-02-29'), SUBSTRING('abc' FROM 2 FOR 1), POSITION('b' IN 'abc'), OVERLAY('abc' PLACING 'X' FROM 2), TRIM(LEADING 'x' FROM 'xa')",
    },
    { title: "AT TIME ZONE", sql: "SELECT TIMESTAMP '2024-01-01 12:00' AT TIME ZONE 'Europe/Berlin'" },
  ],
  SqlValueFunction: [
    { title: "CURRENT_DATE and its like", sql: "SELECT CURRENT_DATE <= CURRENT_TIMESTAMP, CURRENT_USER" },
  ],
  BinaryOperator: [{ title: "operators", sql: "SELECT 1 + 2 * 3, 'a' || 'b', OPERATOR(pg_catalog.-) 1" }],
  UnaryOperator: [{ title: "prefix operators", sql: "SELECT -size, @ size FROM pr" }],
  And: [{ title: "AND", sql: "SELECT true AND NULL" }],
  Or: [{ title: "OR", sql: "SELECT true OR NULL" }],
  Not: [{ title: "NOT", sql: "SELECT NOT false" }],
  IsTest: [{ title: "IS [NOT] NULL, TRUE, FALSE, UNKNOWN", sql: "SELECT NULL IS UNKNOWN, 1 ISNULL" }],
  DistinctFrom: [{ title: "IS [NOT] DISTINCT FROM", sql: "SELECT NULL IS DISTINCT FROM 1" }],
  Between: [{ title: "BETWEEN [SYMMETRIC]", sql: "SELECT 2 BETWEEN SYMMETRIC 3 AND 1" }],
  InList: [{ title: "IN (list)", sql: "SELECT 1 IN (1, 2), (1, 2) IN ((1, 2))" }],
  InSubquery: [{ title: "IN (query)", sql: "SELECT 1 NOT IN (SELECT pr FROM review)" }],
  PatternMatch: [
    { title: "LIKE, ILIKE, SIMILAR TO", sql: "SELECT 'abc' LIKE 'a%', 'ABC' ILIKE 'a_c', 'abc' SIMILAR TO '(a|b)+c'" },
  ],
  QuantifiedArray: [{ title: "ANY, SOME, ALL of an array", sql: "SELECT 'bug' = ANY (labels) FROM pr" }],
  QuantifiedSubquery: [{ title: "ANY, SOME, ALL of a query", sql: "SELECT 3 > ALL (SELECT id FROM pr)" }],
  Exists: [{ title: "EXISTS", sql: "SELECT id FROM pr WHERE EXISTS (SELECT 1 FROM review WHERE pr = pr.id)" }],
  ScalarSubquery: [{ title: "a query as a value", sql: "SELECT (SELECT max(size) FROM pr)" }],
  ArrayConstructor: [{ title: "ARRAY[…]", sql: "SELECT ARRAY[[1, 2], [3, 4]]" }],
  ArraySubquery: [{ title: "ARRAY(query)", sql: "SELECT ARRAY(SELECT id FROM pr ORDER BY id)" }],
  RowConstructor: [{ title: "rows", sql: "SELECT ROW(1, 'a'), (1, 2) < (1, 3)" }],
  Case: [
    {
      title: "CASE",
      sql: "SELECT CASE size WHEN 3 THEN 'three' ELSE 'other' END, CASE WHEN size > 5 THEN 1 END FROM pr",
    },
  ],
  Cast: [{ title: "casts", sql: "SELECT '1'::int, CAST(1.5 AS int), DATE '2024-01-01', INTERVAL '1' DAY" }],
  Collate: [{ title: 'COLLATE "C"', sql: "SELECT 'a' < 'B' COLLATE \"C\"" }],
  Grouping: [{ title: "GROUPING", sql: "SELECT GROUPING(state) FROM pr GROUP BY CUBE (state)" }],
  Coalesce: [{ title: "COALESCE", sql: "SELECT COALESCE(NULL, 2)" }],
  NullIf: [{ title: "NULLIF", sql: "SELECT NULLIF(1, 1)" }],
  MinMax: [{ title: "GREATEST, LEAST", sql: "SELECT GREATEST(1, 2, NULL), LEAST(1, 2)" }],
  DefaultValue: [{ title: "DEFAULT in INSERT and UPDATE", sql: "UPDATE pr SET state = DEFAULT" }],
  CurrentOf: [],
};
