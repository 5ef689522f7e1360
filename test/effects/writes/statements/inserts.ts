/** INSERT: every source of rows, odd values, what is refused before any call. */
import type { WriteStatement } from "./statement.js";

export const insertStatements: readonly WriteStatement[] = [
  {
    name: "VALUES with a column list",
    sql: "INSERT INTO item (id, name) VALUES (10, 'pin')",
    calls: ['item.insert {"id":10,"name":"pin"}'],
  },
  {
    name: "VALUES without one, fewer values than columns",
    sql: "INSERT INTO item VALUES (10, 'pin', 3)",
    calls: ['item.insert {"id":10,"name":"pin","qty":3}'],
  },
  {
    name: "several rows are a call each",
    sql: "INSERT INTO item (id, name, qty) VALUES (10, 'pin', 1), (11, 'cog', 2), (12, 'cam', NULL)",
    calls: [
      'item.insert {"id":10,"name":"pin","qty":1}',
      'item.insert {"id":11,"name":"cog","qty":2}',
      'item.insert {"id":12,"name":"cam","qty":null}',
    ],
  },
  {
    name: "several rows are one call where the verb takes them together",
    sql: "INSERT INTO bulk (id, v) VALUES (10, 'a'), (11, NULL), (12, '')",
    calls: ['bulk.insert {"id":10,"v":"a"} {"id":11,"v":null} {"id":12,"v":""}'],
  },
  {
    name: "columns in another order",
    sql: "INSERT INTO item (name, qty, id) VALUES ('pin', 3, 10) RETURNING id, qty, name",
    calls: ['item.insert {"name":"pin","qty":3,"id":10}'],
  },
  {
    name: "any expression",
    sql: "INSERT INTO item (id, name, qty, price) VALUES (5 + 5, upper('p' || 'in'), length('abc') * 2, 1.005)",
    calls: ['item.insert {"id":10,"name":"PIN","qty":6,"price":1.01}'],
  },
  {
    name: "a scalar subquery as a value",
    sql: "INSERT INTO item (id, name, qty) VALUES (10, (SELECT name FROM delta WHERE id = 8), (SELECT max(qty) FROM delta))",
    calls: ['delta.select {"id":[8]}', "delta.select {}", 'item.insert {"id":10,"name":"cog","qty":10}'],
  },
  {
    name: "parameters",
    sql: "INSERT INTO item (id, name, tags, data) VALUES ($1, $2, $3, $4)",
    params: [10, "pin", ["x", "y,z"], { a: [1, "two"] }],
    calls: ['item.insert {"id":10,"name":"pin","tags":["x","y,z"],"data":{"a":[1,"two"]}}'],
  },
  {
    name: "a bigint beyond 2^53",
    sql: "INSERT INTO item (id, name) VALUES (9223372036854775807, 'max') RETURNING id",
    calls: ['item.insert {"id":"9223372036854775807","name":"max"}'],
  },
  {
    name: "a numeric is rounded to its scale",
    sql: "INSERT INTO item (id, name, price) VALUES (10, 'pin', 2.345) RETURNING price",
    calls: ['item.insert {"id":10,"name":"pin","price":2.35}'],
  },
  {
    name: "unicode, quotes and an empty string",
    sql: "INSERT INTO item (id, name, note) VALUES (10, 'naïve 🐙 ''x'' \"y\"', '')",
    calls: ['item.insert {"id":10,"name":"naïve 🐙 \'x\' \\"y\\"","note":""}'],
  },
  {
    name: "arrays with NULL and odd elements",
    sql: "INSERT INTO item (id, name, tags) VALUES (10, 'pin', ARRAY['a', NULL, '', '{,}', 'NULL']) RETURNING tags",
    calls: ['item.insert {"id":10,"name":"pin","tags":["a",null,"","{,}","NULL"]}'],
  },
  {
    name: "jsonb documents",
    sql: "INSERT INTO item (id, name, data) VALUES (10, 'pin', '{\"b\": [1, 2.50, null], \"a\": {\"\": \"x\"}}'), (11, 'nul', 'null'), (12, 'none', NULL)",
    calls: [
      'item.insert {"id":10,"name":"pin","data":{"b":[1,2.5,null],"a":{"":"x"}}}',
      'item.insert {"id":11,"name":"nul","data":null}',
      'item.insert {"id":12,"name":"none","data":null}',
    ],
  },
  {
    name: "a timestamp in another zone",
    sql: "INSERT INTO item (id, name, at) VALUES (10, 'pin', '2026-03-29 12:00:00.5+05:30') RETURNING at",
    calls: ['item.insert {"id":10,"name":"pin","at":"2026-03-29T06:30:00.500Z"}'],
  },
  {
    name: "quoted names",
    sql: 'INSERT INTO "Odd Name" ("select", "Groß 🐙", "constructor") VALUES (7, \'sieben\', \'__proto__\') RETURNING *',
    calls: ['Odd Name.insert {"select":7,"Groß 🐙":"sieben","constructor":"__proto__"}'],
  },
  {
    name: "a composite key",
    sql: "INSERT INTO pair VALUES (3, '', 1), (3, ' ', 2)",
    calls: ['pair.insert {"a":3,"b":"","v":1}', 'pair.insert {"a":3,"b":" ","v":2}'],
  },
  {
    name: "SELECT from another table",
    sql: "INSERT INTO item (id, name, qty) SELECT id, coalesce(name, '?'), qty FROM delta WHERE id > 7",
    calls: [
      "delta.select {}",
      'item.insert {"id":8,"name":"cog","qty":1}',
      'item.insert {"id":9,"name":"pin","qty":null}',
    ],
  },
  {
    name: "SELECT with ORDER BY and LIMIT",
    sql: "INSERT INTO item (id, name) SELECT id + 100, name FROM delta WHERE name IS NOT NULL ORDER BY id DESC LIMIT 2",
    calls: ["delta.select {}", 'item.insert {"id":109,"name":"pin"}', 'item.insert {"id":108,"name":"cog"}'],
  },
  {
    name: "SELECT that finds nothing",
    sql: "INSERT INTO item (id, name) SELECT id, name FROM delta WHERE qty > 1000 RETURNING id",
    calls: ["delta.select {}"],
  },
  {
    name: "SELECT from the table itself",
    sql: "INSERT INTO item (id, name) SELECT id + 20, name || '!' FROM item WHERE qty > 0 AND id < 10",
    calls: ["item.select {}", 'item.insert {"id":21,"name":"nut!"}'],
  },
  {
    name: "SELECT with a join and an aggregate",
    sql: "INSERT INTO outbox (msg, n) SELECT i.name, count(*) FROM item i JOIN delta d ON d.id = i.id GROUP BY i.name",
    calls: [
      "item.select {}",
      "delta.select {}",
      'outbox.insert {"msg":"nut","n":1}',
      'outbox.insert {"msg":"gear","n":1}',
    ],
  },
  {
    name: "a UNION as the source",
    sql: "INSERT INTO outbox (msg, n) SELECT name, id FROM delta WHERE id = 8 UNION ALL SELECT 'x', 0 UNION ALL VALUES ('y', 1)",
    calls: [
      'delta.select {"id":[8]}',
      'outbox.insert {"msg":"cog","n":8}',
      'outbox.insert {"msg":"x","n":0}',
      'outbox.insert {"msg":"y","n":1}',
    ],
  },
  {
    name: "generate_series as the source",
    sql: "INSERT INTO bulk SELECT g, repeat('x', g::int - 9) FROM generate_series(10, 12) g",
    calls: ['bulk.insert {"id":10,"v":"x"} {"id":11,"v":"xx"} {"id":12,"v":"xxx"}'],
  },
  {
    name: "a set-returning function in VALUES",
    sql: "INSERT INTO bulk VALUES (generate_series(10, 11), 'v')",
    calls: [],
    error: { code: "0A000", says: [] },
    differs: "PostgreSQL takes one row of VALUES for a select list",
  },
  {
    name: "WITH before INSERT",
    sql: "WITH s AS (SELECT id, name FROM delta WHERE name LIKE 'c%') INSERT INTO item (id, name) SELECT * FROM s RETURNING id, name",
    calls: ["delta.select {}", 'item.insert {"id":8,"name":"cog"}'],
  },
  {
    name: "a table that can only be written",
    sql: "INSERT INTO outbox VALUES ('hello', 1) RETURNING msg, n + 1 AS next",
    calls: ['outbox.insert {"msg":"hello","n":1}'],
  },
  {
    name: "a table that can only be written answers only what was said",
    sql: "INSERT INTO outbox (msg) VALUES ('hello') RETURNING *",
    calls: ['outbox.insert {"msg":"hello"}'],
  },
  {
    name: "RETURNING expressions, a star and names",
    sql: "INSERT INTO pair VALUES (5, 'q', 7) RETURNING *, a + v AS sum, b || '!' AS loud, (SELECT count(*) FROM delta) AS n",
    calls: ["delta.select {}", 'pair.insert {"a":5,"b":"q","v":7}'],
  },
  {
    name: "RETURNING a whole row",
    sql: "INSERT INTO pair VALUES (5, 'q', 7) RETURNING pair",
    calls: ['pair.insert {"a":5,"b":"q","v":7}'],
  },
  {
    name: "an alias in RETURNING",
    sql: "INSERT INTO pair AS p VALUES (5, 'q', 7) RETURNING p.a, p.b",
    calls: ['pair.insert {"a":5,"b":"q","v":7}'],
  },
  {
    name: "the service gives the key",
    sql: "INSERT INTO ticket (title) VALUES ('new') RETURNING id, title",
    calls: ['ticket.insert {"title":"new"}'],
    unstaged: true,
  },
  {
    name: "the service gives several keys",
    sql: "INSERT INTO ticket (title, owner) VALUES ('a', 'x'), ('b', 'y') RETURNING id, title || id AS t",
    calls: ['ticket.insert {"title":"a","owner":"x"}', 'ticket.insert {"title":"b","owner":"y"}'],
    unstaged: true,
  },
  {
    name: "DEFAULT leaves the column to the service",
    sql: "INSERT INTO ticket VALUES (DEFAULT, 'new', NULL) RETURNING *",
    calls: ['ticket.insert {"title":"new","owner":null}'],
    unstaged: true,
  },
  {
    name: "DEFAULT in some rows only",
    sql: "INSERT INTO ticket VALUES (DEFAULT, 'a', 'x'), (7, 'b', DEFAULT) RETURNING id, owner",
    calls: ['ticket.insert {"title":"a","owner":"x"}', 'ticket.insert {"id":7,"title":"b"}'],
    unstaged: true,
  },
  {
    name: "DEFAULT VALUES",
    sql: "INSERT INTO outbox DEFAULT VALUES",
    calls: ["outbox.insert {}"],
  },
  {
    name: "a failing RETURNING",
    sql: "INSERT INTO pair VALUES (5, 'q', 0) RETURNING 1 / v",
    calls: [],
    error: { code: "22012", says: [] },
  },
  {
    name: "two rows of one key",
    sql: "INSERT INTO item (id, name) VALUES (10, 'a'), (10, 'b')",
    calls: [],
    error: { code: "23505", says: ["Key (id)=(10) already exists"] },
  },
  {
    name: "two rows of one composite key",
    sql: "INSERT INTO pair VALUES (9, 'k', 1), (9, 'K', 2), (9, 'k', 3)",
    calls: [],
    error: { code: "23505", says: ["(a, b)=(9, k)"] },
  },
  {
    name: "NULL in a NOT NULL column, in the second row",
    sql: "INSERT INTO item (id, name) VALUES (10, 'a'), (11, NULL)",
    calls: [],
    error: { code: "23502", says: ["row 2"] },
  },
  {
    name: "NULL in the key",
    sql: "INSERT INTO item (id, name) VALUES (NULL, 'a')",
    calls: [],
    error: { code: "23502", says: [] },
  },
  {
    name: "a text that is too long",
    sql: "INSERT INTO item (id, name, note) VALUES (10, 'a', 'ok'), (11, 'b', '12345678901')",
    calls: [],
    error: { code: "22001", says: [] },
  },
  {
    name: "a number that is out of range",
    sql: "INSERT INTO item (id, name, qty) SELECT id, 'a', 3000000000 * id FROM delta",
    calls: ["delta.select {}"],
    error: { code: "22003", says: [] },
  },
  {
    name: "a numeric that is out of range",
    sql: "INSERT INTO item (id, name, price) VALUES (10, 'a', 123456789)",
    calls: [],
    error: { code: "22003", says: [] },
  },
  {
    name: "a value of another type",
    sql: "INSERT INTO item (id, name, qty) VALUES (10, 'a', 'many')",
    calls: [],
    error: { code: "22P02", says: [] },
  },
  {
    name: "more values than columns",
    sql: "INSERT INTO pair VALUES (1, 'z', 2, 3)",
    calls: [],
    error: { code: "42601", says: [] },
  },
  {
    name: "fewer values than listed columns",
    sql: "INSERT INTO pair (a, b, v) VALUES (1, 'z')",
    calls: [],
    error: { code: "42601", says: [] },
  },
  {
    name: "an unknown column",
    sql: "INSERT INTO pair (a, c) VALUES (1, 2)",
    calls: [],
    error: { code: "42703", says: ['"c"'] },
  },
  {
    name: "a column named twice",
    sql: "INSERT INTO pair (a, a) VALUES (1, 2)",
    calls: [],
    error: { code: "42701", says: [] },
  },
  {
    name: "an error in the last row of a SELECT",
    sql: "INSERT INTO outbox (n) SELECT 10 / (id - 9) FROM delta",
    calls: ["delta.select {}"],
    error: { code: "22012", says: [] },
  },
];
