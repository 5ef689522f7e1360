/** What is refused, with an example each; the page shows the code and the words that the engine gives, and a test keeps them. */
export interface Refusal {
  readonly what: string;
  readonly sql: string;
  /** SQLSTATE. */
  readonly code: string;
}

const notSupported = "0A000";

const statements = [
  ...[
    "ALTER TABLE pr ADD COLUMN x int",
    "ANALYZE pr",
    "CALL p()",
    "CHECKPOINT",
    "CLUSTER pr",
    "COMMENT ON TABLE pr IS 'x'",
  ],
  ...["COPY pr TO 'file'", "DECLARE c CURSOR FOR SELECT 1", "DISCARD ALL", "DO 'x'", "EXECUTE p", "FETCH 1 FROM c"],
  ...["GRANT SELECT ON pr TO bob", "LISTEN x", "LOCK TABLE pr", "NOTIFY x", "PREPARE p AS SELECT 1"],
  ...["REFRESH MATERIALIZED VIEW v", "REINDEX TABLE pr", "REVOKE SELECT ON pr FROM bob", "VACUUM"],
  ...["CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'", "CREATE MATERIALIZED VIEW v AS SELECT 1"],
  ...["CREATE TRIGGER t AFTER INSERT ON pr EXECUTE FUNCTION f()", "CREATE EXTENSION x", "CREATE SEQUENCE s"],
];

export const refusals: readonly Refusal[] = [
  ...statements.map((sql) => ({ what: "statement", sql, code: notSupported })),
  { what: "TABLESAMPLE", sql: "SELECT * FROM pr TABLESAMPLE SYSTEM (10)", code: notSupported },
  { what: "system columns", sql: "SELECT ctid FROM pr", code: notSupported },
  { what: "bit strings", sql: "SELECT B'101'", code: notSupported },
  { what: "WHERE CURRENT OF", sql: "DELETE FROM pr WHERE CURRENT OF c", code: notSupported },
  { what: "%TYPE", sql: "SELECT '1'::pr.id%TYPE", code: notSupported },
  { what: "types of text search", sql: "SELECT 'a'::tsvector", code: notSupported },
  { what: "geometric types", sql: "SELECT '(1,2)'::point", code: notSupported },
  { what: "network types", sql: "SELECT '10.0.0.1'::inet", code: notSupported },
  { what: "range types", sql: "SELECT '[1,3)'::int4range", code: notSupported },
  { what: "money", sql: "SELECT '1'::money", code: notSupported },
  { what: "XML", sql: "SELECT '<a/>'::xml", code: notSupported },
  { what: "other collations", sql: "SELECT 'a' COLLATE \"de_DE\"", code: notSupported },
  { what: "look-around in regular expressions", sql: "SELECT 'ab' ~ 'a(?=b)'", code: notSupported },
  { what: "back-references in regular expressions", sql: "SELECT 'aa' ~ '(a)\\1'", code: notSupported },
  {
    what: "functions of text search, geometry, networks, ranges, XML",
    sql: "SELECT to_tsvector(title) FROM pr",
    code: notSupported,
  },
  { what: "functions of the server's administration", sql: "SELECT pg_sleep(1)", code: notSupported },
  { what: "unknown functions", sql: "SELECT ifnull(1, 2)", code: "42883" },
  { what: "operators between types that have none", sql: "SELECT title + 1 FROM pr", code: "42883" },
  { what: "casts that do not exist", sql: "SELECT 1::date", code: "42846" },
  { what: "unknown columns, also where no row qualifies", sql: "SELECT titel FROM pr WHERE false", code: "42703" },
  { what: "columns outside of GROUP BY", sql: "SELECT title, count(*) FROM pr GROUP BY state", code: "42803" },
  { what: "literals that are no value of their type", sql: "SELECT * FROM pr WHERE id = 'one'", code: "22P02" },
  { what: "numbers out of range", sql: "SELECT 2147483647 + 1", code: "22003" },
  { what: "division by zero", sql: "SELECT size / 0 FROM pr", code: "22012" },
  {
    what: "a row touched twice by ON CONFLICT",
    sql: "INSERT INTO pr (id) VALUES (7), (7) ON CONFLICT (id) DO UPDATE SET size = 1",
    code: "21000",
  },
];
