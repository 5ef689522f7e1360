/** Statements with LIMIT, and what of it is handed to the calls of each table: `3`, `3 by n desc`, or nothing. */
export interface LimitCase {
  readonly name: string;
  readonly sql: string;
  /** One entry a call, `a: 3 by id`. */
  readonly calls: readonly string[];
  /** Which rows come is open; only their number is compared. */
  readonly anyRows?: boolean;
}

export const limitCases: readonly LimitCase[] = [
  { name: "alone", sql: "SELECT id FROM a LIMIT 3", calls: ["a: 3"], anyRows: true },
  { name: "OFFSET is fetched too", sql: "SELECT id FROM a ORDER BY id LIMIT 3 OFFSET 2", calls: ["a: 5 by id"] },
  { name: "ORDER BY", sql: "SELECT id FROM a ORDER BY n DESC, id LIMIT 3", calls: ["a: 3 by n desc, id"] },
  { name: "an alias", sql: "SELECT id AS i, n AS m FROM a ORDER BY m, i LIMIT 4", calls: ["a: 4 by n, id"] },
  {
    name: "NULLS as they stand by themselves",
    sql: "SELECT id FROM a ORDER BY n DESC NULLS FIRST, id LIMIT 3",
    calls: ["a: 3 by n desc, id"],
  },
  { name: "NULLS FIRST ascending", sql: "SELECT id FROM a ORDER BY n NULLS FIRST, id LIMIT 3", calls: ["a"] },
  { name: "NULLS LAST descending", sql: "SELECT id FROM a ORDER BY n DESC NULLS LAST, id LIMIT 3", calls: ["a"] },
  { name: "an expression", sql: "SELECT id FROM a ORDER BY n + 1, id LIMIT 3", calls: ["a"] },
  { name: "a cast", sql: "SELECT id FROM a ORDER BY n::text, id LIMIT 3", calls: ["a"] },
  { name: "a column that is not offered", sql: "SELECT id FROM a ORDER BY ok, id LIMIT 3", calls: ["a"] },
  { name: "WITH TIES", sql: "SELECT id FROM a ORDER BY n FETCH FIRST 2 ROWS WITH TIES", calls: ["a"] },
  { name: "LIMIT 0", sql: "SELECT id FROM a LIMIT 0", calls: [] },
  { name: "WHERE false", sql: "SELECT id FROM a WHERE false", calls: [] },
  { name: "a contradiction", sql: "SELECT id FROM a WHERE n = 1 AND n = 2", calls: [] },
  { name: "a contradiction of lists", sql: "SELECT id FROM a WHERE s IN ('ant', 'cat') AND s = 'bee'", calls: [] },
  { name: "NULL", sql: "SELECT id FROM a WHERE n > NULL", calls: [] },
  { name: "a NULL at run time", sql: "SELECT id FROM a WHERE n > (SELECT n FROM b WHERE id = 100)", calls: ["b"] },
  { name: "NOT IN with NULL", sql: "SELECT id FROM a WHERE n NOT IN (1, NULL)", calls: [] },
  { name: "an exact equality", sql: "SELECT id FROM a WHERE k = 2 ORDER BY id LIMIT 2", calls: ["a: 2 by id"] },
  { name: "an exact list", sql: "SELECT id FROM a WHERE k IN (1, 2) ORDER BY id LIMIT 2", calls: ["a: 2 by id"] },
  {
    name: "exact quals",
    sql: "SELECT id FROM a WHERE n > 1 AND s LIKE 'b%' ORDER BY id LIMIT 2",
    calls: ["a: 2 by id"],
  },
  { name: "NOT IN", sql: "SELECT id FROM a WHERE n NOT IN (1, 2) ORDER BY id LIMIT 2", calls: ["a: 2 by id"] },
  { name: "pairs", sql: "SELECT id FROM a WHERE (k, n) IN ((1, 2), (2, 3)) ORDER BY id LIMIT 2", calls: ["a"] },
  { name: "OR", sql: "SELECT id FROM a WHERE n = 3 OR id > 5 ORDER BY id LIMIT 2", calls: ["a"] },
  {
    name: "what is checked here",
    sql: "SELECT id FROM a WHERE n > 1 AND length(s) = 3 ORDER BY id LIMIT 2",
    calls: ["a"],
  },
  { name: "a value that does not convert", sql: "SELECT id FROM a WHERE n > 1.5 ORDER BY id LIMIT 2", calls: ["a"] },
  {
    name: "a value of a wider type",
    sql: "SELECT id FROM a WHERE n > 1.0::numeric ORDER BY id LIMIT 2",
    calls: ["a: 2 by id"],
  },
  {
    name: "an instant of a local time",
    sql: "SELECT id FROM a WHERE at > timestamp '2024-02-01' ORDER BY id LIMIT 2",
    calls: ["a"],
  },
  { name: "a subquery as value", sql: "SELECT id FROM a WHERE n > (SELECT 2) ORDER BY id LIMIT 2", calls: ["a"] },
  { name: "IN (SELECT)", sql: "SELECT id FROM a WHERE k IN (SELECT k FROM b) ORDER BY id LIMIT 2", calls: ["b", "a"] },
  { name: "EXISTS stops at the first", sql: "SELECT EXISTS (SELECT 1 FROM a WHERE n > 2)", calls: ["a: 1"] },
  {
    name: "inner join",
    sql: "SELECT x.id FROM a x JOIN b y ON x.k = y.k ORDER BY x.id, y.id LIMIT 2",
    calls: ["a", "b"],
  },
  { name: "cross join", sql: "SELECT x.id FROM a x, b y ORDER BY x.id, y.id LIMIT 2", calls: ["a", "b"] },
  {
    name: "semi join",
    sql: "SELECT x.id FROM a x WHERE EXISTS (SELECT 1 FROM b y WHERE y.k = x.k) ORDER BY x.id LIMIT 2",
    calls: ["a", "b"],
  },
  {
    name: "anti join",
    sql: "SELECT x.id FROM a x WHERE NOT EXISTS (SELECT 1 FROM b y WHERE y.k = x.k) ORDER BY x.id LIMIT 2",
    calls: ["a", "b"],
  },
  {
    name: "left join, the preserved side",
    sql: "SELECT x.id, y.id AS y FROM a x LEFT JOIN b y ON x.k = y.k ORDER BY x.id, y.id LIMIT 4",
    calls: ["a", "b"],
  },
  {
    name: "left join, its order",
    sql: "SELECT x.id FROM a x LEFT JOIN b y ON x.k = y.k ORDER BY x.id LIMIT 4",
    calls: ["a: 4 by id", "b"],
  },
  {
    name: "left join, the order of the other side",
    sql: "SELECT y.id FROM a x LEFT JOIN b y ON x.k = y.k ORDER BY y.id LIMIT 4",
    calls: ["a", "b"],
  },
  {
    name: "left join, a filter above",
    sql: "SELECT x.id FROM a x LEFT JOIN b y ON x.k = y.k WHERE y.id IS NULL ORDER BY x.id LIMIT 2",
    calls: ["a", "b"],
  },
  {
    name: "right join, the preserved side",
    sql: "SELECT y.id FROM a x RIGHT JOIN b y ON x.k = y.k ORDER BY y.id LIMIT 4",
    calls: ["a", "b: 4 by id"],
  },
  {
    name: "full join",
    sql: "SELECT x.id FROM a x FULL JOIN b y ON x.k = y.k ORDER BY x.id LIMIT 4",
    calls: ["a", "b"],
  },
  { name: "DISTINCT", sql: "SELECT DISTINCT n FROM a ORDER BY n LIMIT 2", calls: ["a"] },
  { name: "DISTINCT ON", sql: "SELECT DISTINCT ON (n) n, id FROM a ORDER BY n, id LIMIT 2", calls: ["a"] },
  { name: "GROUP BY", sql: "SELECT n, count(*) FROM a GROUP BY n ORDER BY n LIMIT 2", calls: ["a"] },
  { name: "an aggregate", sql: "SELECT count(*) FROM a LIMIT 1", calls: ["a"] },
  { name: "min", sql: "SELECT min(n) FROM a LIMIT 1", calls: ["a"] },
  { name: "a window", sql: "SELECT id, count(*) OVER () FROM a ORDER BY id LIMIT 2", calls: ["a"] },
  {
    name: "an aggregate above",
    sql: "SELECT count(*), sum(id) FROM (SELECT id FROM a ORDER BY id LIMIT 3) q",
    calls: ["a: 3 by id"],
  },
  {
    name: "a limit in a limit",
    sql: "SELECT id FROM (SELECT id FROM a ORDER BY id LIMIT 5) q LIMIT 2",
    calls: ["a: 2 by id"],
    anyRows: true,
  },
  {
    name: "another order on top",
    sql: "SELECT id FROM (SELECT id, n FROM a ORDER BY id LIMIT 5) q ORDER BY n, id LIMIT 2",
    calls: ["a: 5 by id"],
  },
  {
    name: "OFFSET inside",
    sql: "SELECT id FROM (SELECT id FROM a ORDER BY id LIMIT 5 OFFSET 3) q ORDER BY id LIMIT 2",
    calls: ["a: 8 by id"],
  },
  {
    name: "UNION ALL",
    sql: "SELECT id FROM a UNION ALL SELECT id FROM b ORDER BY id LIMIT 3",
    calls: ["a: 3 by id", "b: 3 by id"],
  },
  {
    name: "UNION ALL, each on its own",
    sql: "SELECT n AS v FROM a UNION ALL SELECT k FROM b WHERE length(s) > 3 ORDER BY v LIMIT 3",
    calls: ["a: 3 by n", "b"],
  },
  { name: "UNION", sql: "SELECT n FROM a UNION SELECT n FROM b ORDER BY n LIMIT 3", calls: ["a", "b"] },
  { name: "EXCEPT", sql: "SELECT n FROM a EXCEPT SELECT n FROM b ORDER BY n LIMIT 3", calls: ["a", "b"] },
  { name: "a set-returning function", sql: "SELECT id, unnest(tags) FROM a ORDER BY id LIMIT 3", calls: ["a"] },
  { name: "a CTE", sql: "WITH q AS (SELECT id, n FROM a) SELECT id FROM q ORDER BY id LIMIT 3", calls: ["a: 3 by id"] },
  {
    name: "in IN",
    sql: "SELECT id FROM b WHERE k IN (SELECT k FROM a ORDER BY id LIMIT 3)",
    calls: ["a: 3 by id", "b"],
  },
  {
    name: "in a correlated subquery",
    sql: "SELECT id, (SELECT max(q.n) FROM (SELECT n FROM a WHERE a.k = b.k ORDER BY id LIMIT 1) q) AS m FROM b",
    calls: ["b", "a"],
  },
  {
    name: "a random projection",
    sql: "SELECT id FROM (SELECT id, random() AS r FROM a) q WHERE r < 0 ORDER BY id LIMIT 3",
    calls: ["a"],
  },
];
