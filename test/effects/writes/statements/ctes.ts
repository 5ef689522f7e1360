/** Data-modifying WITH: several writes in one statement, all or none. */
import type { WriteStatement } from "./statement.js";

export const cteStatements: readonly WriteStatement[] = [
  {
    name: "a deleted row moves to another table",
    sql: "WITH gone AS (DELETE FROM item WHERE id = 1 RETURNING *) INSERT INTO outbox (msg, n) SELECT name, qty FROM gone RETURNING *",
    calls: ['item.select {"id":[1]}', 'item.delete {"id":[1]}', 'outbox.insert {"msg":"nut","n":5}'],
  },
  {
    name: "an updated row is written down",
    sql: "WITH done AS (UPDATE item SET qty = coalesce(qty, 0) + 1 WHERE id < 4 RETURNING id, qty) INSERT INTO outbox SELECT 'qty ' || qty, id FROM done",
    calls: [
      "item.select {}",
      'item.update {"qty":6} {"id":[1]}',
      'item.update {"qty":1} {"id":[2]}',
      'item.update {"qty":1} {"id":[3]}',
      'outbox.insert {"msg":"qty 6","n":1}',
      'outbox.insert {"msg":"qty 1","n":2}',
      'outbox.insert {"msg":"qty 1","n":3}',
    ],
  },
  {
    name: "an inserted row is read",
    sql: "WITH ins AS (INSERT INTO item (id, name) VALUES (10, 'pin'), (11, 'cog') RETURNING id, name) SELECT count(*) AS n, max(name) AS m FROM ins",
    calls: ['item.insert {"id":10,"name":"pin"}', 'item.insert {"id":11,"name":"cog"}'],
  },
  {
    name: "the key that the service gives is read",
    sql: "WITH ins AS (INSERT INTO ticket (title) VALUES ('a'), ('b') RETURNING id, title) SELECT title, id + 1 AS next FROM ins",
    calls: ['ticket.insert {"title":"a"}', 'ticket.insert {"title":"b"}'],
    unstaged: true,
  },
  {
    name: "the key that the service gives, through CTEs and subqueries",
    sql: "WITH ins AS (INSERT INTO ticket (title) VALUES ('a') RETURNING id), more AS (SELECT id * 10 AS ten FROM ins) SELECT ten, (SELECT max(id) FROM ins) AS m, EXISTS (SELECT 1 FROM ins WHERE id > 50) AS e FROM more",
    calls: ['ticket.insert {"title":"a"}'],
    unstaged: true,
  },
  {
    name: "a CTE beside keeps its rows",
    sql: "WITH r AS MATERIALIZED (SELECT id, name FROM delta WHERE id = 8), ins AS (INSERT INTO ticket (title) SELECT name FROM r RETURNING id, title) SELECT r.id AS d, ins.id, ins.title = r.name AS same FROM r, ins",
    calls: ['delta.select {"id":[8]}', 'ticket.insert {"title":"cog"}'],
    unstaged: true,
  },
  {
    name: "one that nobody reads is done all the same",
    sql: "WITH gone AS (DELETE FROM item WHERE id = 1) SELECT count(*) AS n FROM item",
    calls: ["item.select {}", 'item.delete {"id":[1]}'],
  },
  {
    name: "all parts see the rows as they were",
    sql: "WITH up AS (UPDATE item SET qty = 1000 WHERE id = 1 RETURNING qty) SELECT item.qty AS before, up.qty AS after FROM item, up WHERE item.id = 1",
    calls: ['item.select {"id":[1]}', 'item.update {"qty":1000} {"id":[1]}'],
  },
  {
    name: "an inserted row is not seen by the rest",
    sql: "WITH ins AS (INSERT INTO item (id, name) VALUES (10, 'pin')) SELECT count(*) AS n FROM item",
    calls: ["item.select {}", 'item.insert {"id":10,"name":"pin"}'],
  },
  {
    name: "three writes and a read",
    sql: "WITH a AS (INSERT INTO item (id, name) VALUES (10, 'pin') RETURNING id), b AS (UPDATE pair SET v = 0 WHERE a = 1 RETURNING b), c AS (DELETE FROM keyed WHERE id = 1 RETURNING v) SELECT (SELECT count(*) FROM a) AS a, (SELECT count(*) FROM b) AS b, (SELECT string_agg(v, ',') FROM c) AS c",
    calls: [
      'pair.select {"a":[1]}',
      'keyed.select {"id":[1]}',
      'item.insert {"id":10,"name":"pin"}',
      'pair.update {"v":0} {"a":[1],"b":["x"]}',
      'pair.update {"v":0} {"a":[1],"b":["y"]}',
      'keyed.delete {"id":[1]}',
    ],
  },
  {
    name: "writes of two tables, one by the other",
    sql: "WITH up AS (UPDATE item SET note = 'moved' WHERE id IN (SELECT id FROM delta) RETURNING id, name) DELETE FROM keyed k USING up WHERE k.id = up.id RETURNING k.v, up.name",
    calls: [],
    error: { code: "HV002", says: ["send it as a statement of its own first"] },
    differs: "the table needs its key before any row of it can be read",
  },
  {
    name: "a WITH inside a write inside a WITH",
    sql: "WITH x AS (WITH s AS (SELECT id, name FROM delta WHERE id = 8) INSERT INTO item (id, name) SELECT * FROM s) SELECT 1 AS one",
    calls: ['delta.select {"id":[8]}', 'item.insert {"id":8,"name":"cog"}'],
  },
  {
    name: "a MERGE behind a CTE that writes",
    sql: "WITH gone AS (DELETE FROM keyed WHERE id = 2 RETURNING id, v) MERGE INTO pair p USING gone g ON p.a = g.id AND p.b = g.v WHEN NOT MATCHED THEN INSERT VALUES (g.id::int, g.v, 1)",
    calls: [
      'keyed.select {"id":[2]}',
      "pair.select {}",
      'keyed.delete {"id":[2]}',
      'pair.insert {"a":2,"b":"two","v":1}',
    ],
  },
  {
    name: "nothing matches anywhere",
    sql: "WITH gone AS (DELETE FROM item WHERE name = 'none' RETURNING id) INSERT INTO outbox SELECT 'x', id FROM gone",
    calls: ['item.select {"name":["none"]}'],
  },
  {
    name: "a bad row of the second write stops the first",
    sql: "WITH ins AS (INSERT INTO item (id, name) VALUES (10, 'pin')) INSERT INTO pair VALUES (5, 'ok', 1), (6, NULL, 2)",
    calls: [],
    error: { code: "23502", says: [] },
  },
  {
    name: "a failing read stops the write",
    sql: "WITH gone AS (DELETE FROM item WHERE id = 2 RETURNING qty) SELECT 1 / qty FROM gone",
    calls: ['item.select {"id":[2]}'],
    error: { code: "22012", says: [] },
  },
  {
    name: "a failing RETURNING of the second stops the first",
    sql: "WITH a AS (DELETE FROM keyed WHERE id = 1), b AS (UPDATE item SET qty = 0 WHERE id = 1 RETURNING 1 / qty AS x) SELECT * FROM b",
    calls: [],
    error: { code: "22012", says: [] },
  },
  {
    name: "an overflow in the main write stops the first",
    sql: "WITH a AS (INSERT INTO outbox VALUES ('x', 1)) UPDATE item SET qty = qty + 1 WHERE id = 9007199254740993",
    calls: ['item.select {"id":["9007199254740993n"]}'],
    error: { code: "22003", says: [] },
  },
  {
    name: "two inserts of one key",
    sql: "WITH a AS (INSERT INTO item (id, name) VALUES (10, 'a')) INSERT INTO item (id, name) VALUES (10, 'b')",
    calls: [],
    error: { code: "23505", says: [] },
  },
  {
    name: "one without RETURNING can't be read",
    sql: "WITH a AS (DELETE FROM item WHERE id = 1) SELECT * FROM a",
    calls: [],
    error: { code: "0A000", says: [] },
  },
  {
    name: "not at the top",
    sql: "SELECT * FROM (WITH a AS (DELETE FROM item WHERE id = 1 RETURNING id) SELECT * FROM a) s",
    calls: [],
    error: { code: "0A000", says: [] },
  },
  {
    name: "the key that the service gives can't be an input of another write",
    sql: "WITH ins AS (INSERT INTO ticket (title) VALUES ('a') RETURNING id) INSERT INTO outbox SELECT 'ticket', id FROM ins",
    calls: [],
    error: { code: "0A000", says: ["RETURNING"] },
    differs: "PostgreSQL knows the key before the statement ends",
  },
  {
    name: "nor decide which rows another one writes",
    sql: "WITH ins AS (INSERT INTO ticket (title) VALUES ('a') RETURNING id) UPDATE item SET qty = 0 FROM ins WHERE item.id = ins.id",
    calls: [],
    error: { code: "0A000", says: ["RETURNING"] },
    differs: "PostgreSQL knows the key before the statement ends",
  },
  {
    name: "what the statement itself says of the row can",
    sql: "WITH ins AS (INSERT INTO ticket (title) VALUES ('a') RETURNING id, title) INSERT INTO outbox SELECT title, 1 FROM ins",
    calls: ['ticket.insert {"title":"a"}', 'outbox.insert {"msg":"a","n":1}'],
  },
];
