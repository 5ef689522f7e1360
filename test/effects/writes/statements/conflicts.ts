/** INSERT … ON CONFLICT: the rows of the proposed keys are read, then decided as PostgreSQL decides. */
import type { WriteStatement } from "./statement.js";

export const conflictStatements: readonly WriteStatement[] = [
  {
    name: "DO NOTHING keeps what is there",
    sql: "INSERT INTO item (id, name) VALUES (1, 'new'), (10, 'pin') ON CONFLICT (id) DO NOTHING RETURNING id",
    calls: ['item.select {"id":[1,10]}', 'item.insert {"id":10,"name":"pin"}'],
  },
  {
    name: "DO NOTHING without a target",
    sql: "INSERT INTO item (id, name) VALUES (2, 'new'), (10, 'pin') ON CONFLICT DO NOTHING",
    calls: ['item.select {"id":[2,10]}', 'item.insert {"id":10,"name":"pin"}'],
  },
  {
    name: "DO NOTHING keeps the first of the statement's own",
    sql: "INSERT INTO item (id, name) VALUES (10, 'a'), (10, 'b'), (11, 'c') ON CONFLICT DO NOTHING RETURNING id, name",
    calls: ['item.select {"id":[10,11]}', 'item.insert {"id":10,"name":"a"}', 'item.insert {"id":11,"name":"c"}'],
  },
  {
    name: "DO NOTHING for all",
    sql: "INSERT INTO item (id, name) VALUES (1, 'a'), (2, 'b') ON CONFLICT (id) DO NOTHING RETURNING id",
    calls: ['item.select {"id":[1,2]}'],
  },
  {
    name: "DO UPDATE",
    sql: "INSERT INTO item (id, name, qty) VALUES (1, 'x', 3), (10, 'pin', 4) ON CONFLICT (id) DO UPDATE SET qty = item.qty + excluded.qty, name = excluded.name RETURNING id, name, qty",
    calls: [
      'item.select {"id":[1,10]}',
      'item.update {"qty":8,"name":"x"} {"id":[1]}',
      'item.insert {"id":10,"name":"pin","qty":4}',
    ],
  },
  {
    name: "DO UPDATE by the constraint's name",
    sql: "INSERT INTO item (id, name) VALUES (1, 'x') ON CONFLICT ON CONSTRAINT item_pkey DO UPDATE SET name = excluded.name || item.name",
    calls: ['item.select {"id":[1]}', 'item.update {"name":"xnut"} {"id":[1]}'],
  },
  {
    name: "DO UPDATE … WHERE",
    sql: "INSERT INTO item (id, name, qty) VALUES (1, 'x', 3), (2, 'y', 4) ON CONFLICT (id) DO UPDATE SET qty = excluded.qty WHERE item.qty = 0 RETURNING id, qty",
    calls: ['item.select {"id":[1,2]}', 'item.update {"qty":4} {"id":[2]}'],
  },
  {
    name: "DO UPDATE with a subquery",
    sql: "INSERT INTO item (id, name) VALUES (1, 'x') ON CONFLICT (id) DO UPDATE SET qty = (SELECT max(qty) FROM delta) RETURNING qty",
    calls: ["delta.select {}", 'item.select {"id":[1]}', 'item.update {"qty":10} {"id":[1]}'],
  },
  {
    name: "DO UPDATE of several columns",
    sql: "INSERT INTO item AS i (id, name, qty) VALUES (2, 'x', 9) ON CONFLICT (id) DO UPDATE SET (name, qty) = (excluded.name, i.qty - 1) RETURNING *",
    calls: ['item.select {"id":[2]}', 'item.update {"name":"x","qty":-1} {"id":[2]}'],
  },
  {
    name: "a composite key",
    sql: "INSERT INTO pair VALUES (1, 'x', 1), (1, 'z', 2), (2, '', 3) ON CONFLICT (b, a) DO UPDATE SET v = pair.v + excluded.v RETURNING *",
    calls: [
      'pair.select {"a":[1,2],"b":["x","z",""]}',
      'pair.update {"v":11} {"a":[1],"b":["x"]}',
      'pair.insert {"a":1,"b":"z","v":2}',
      'pair.update {"v":43} {"a":[2],"b":[""]}',
    ],
  },
  {
    name: "a required key is asked for once a value",
    sql: "INSERT INTO keyed VALUES (1, 'a'), (5, 'b'), (2, 'c') ON CONFLICT (id) DO UPDATE SET v = keyed.v || excluded.v RETURNING *",
    calls: [
      'keyed.select {"id":[1]}',
      'keyed.select {"id":[5]}',
      'keyed.select {"id":[2]}',
      'keyed.update {"v":"onea"} {"id":[1]}',
      'keyed.insert {"id":5,"v":"b"}',
      'keyed.update {"v":"twoc"} {"id":[2]}',
    ],
  },
  {
    name: "inserts that go together",
    sql: "INSERT INTO bulk VALUES (10, 'a'), (1, 'b'), (11, 'c') ON CONFLICT (id) DO UPDATE SET v = excluded.v",
    calls: [
      'bulk.select {"id":[10,1,11]}',
      'bulk.insert {"id":10,"v":"a"} {"id":11,"v":"c"}',
      'bulk.update {"v":"b"} {"id":[1]}',
    ],
  },
  {
    name: "a SELECT as the source",
    sql: "INSERT INTO item (id, name, qty) SELECT id, coalesce(name, '?'), qty FROM delta ON CONFLICT (id) DO UPDATE SET qty = excluded.qty RETURNING id, name, qty",
    calls: [
      "delta.select {}",
      'item.select {"id":[1,3,8,9]}',
      'item.update {"qty":10} {"id":[1]}',
      'item.update {"qty":7} {"id":[3]}',
      'item.insert {"id":8,"name":"cog","qty":1}',
      'item.insert {"id":9,"name":"pin","qty":null}',
    ],
  },
  {
    name: "a SELECT that finds nothing",
    sql: "INSERT INTO item (id, name) SELECT id, name FROM delta WHERE false ON CONFLICT (id) DO NOTHING",
    calls: [],
  },
  {
    name: "a key beyond 2^53",
    sql: "INSERT INTO item (id, name) VALUES (9007199254740993, 'x'), (9007199254740992, 'y') ON CONFLICT (id) DO UPDATE SET name = excluded.name RETURNING id, name",
    calls: [
      'item.select {"id":["9007199254740993n","9007199254740992n"]}',
      'item.update {"name":"x"} {"id":["9007199254740993n"]}',
      'item.insert {"id":"9007199254740992","name":"y"}',
    ],
  },
  {
    name: "quoted names",
    sql: 'INSERT INTO "Odd Name" VALUES (2, \'zwei\', \'p\') ON CONFLICT ("select") DO UPDATE SET "Groß 🐙" = excluded."Groß 🐙" RETURNING *',
    calls: ['Odd Name.select {"select":[2]}', 'Odd Name.update {"Groß 🐙":"zwei"} {"select":[2]}'],
  },
  {
    name: "the service gives the key: no conflict",
    sql: "INSERT INTO ticket (title) VALUES ('a'), ('b') ON CONFLICT (id) DO NOTHING RETURNING id",
    calls: ['ticket.insert {"title":"a"}', 'ticket.insert {"title":"b"}'],
    unstaged: true,
  },
  {
    name: "the key is changed",
    sql: "INSERT INTO item (id, name) VALUES (1, 'x') ON CONFLICT (id) DO UPDATE SET id = 60 RETURNING id, name",
    calls: ['item.select {"id":[1]}', 'item.update {"id":60} {"id":[1]}'],
  },
  {
    name: "a row twice",
    sql: "INSERT INTO item (id, name) VALUES (1, 'x'), (1, 'y') ON CONFLICT (id) DO UPDATE SET name = excluded.name",
    calls: ['item.select {"id":[1]}'],
    error: { code: "21000", says: ["second time"] },
  },
  {
    name: "a new row twice",
    sql: "INSERT INTO item (id, name) VALUES (10, 'x'), (10, 'y') ON CONFLICT (id) DO UPDATE SET name = excluded.name",
    calls: ['item.select {"id":[10]}'],
    error: { code: "21000", says: [] },
  },
  {
    name: "a row twice that WHERE leaves alone",
    sql: "INSERT INTO item (id, name) VALUES (1, 'x'), (1, 'y') ON CONFLICT (id) DO UPDATE SET name = excluded.name WHERE false",
    calls: ['item.select {"id":[1]}'],
  },
  {
    name: "NULL in a row that conflicts",
    sql: "INSERT INTO item (id, name) VALUES (10, 'x'), (1, NULL) ON CONFLICT (id) DO NOTHING",
    calls: [],
    error: { code: "23502", says: [] },
  },
  {
    name: "NULL made by the update",
    sql: "INSERT INTO item (id, name) VALUES (10, 'x'), (1, 'y') ON CONFLICT (id) DO UPDATE SET name = NULL",
    calls: ['item.select {"id":[10,1]}'],
    error: { code: "23502", says: [] },
  },
  {
    name: "a failing update",
    sql: "INSERT INTO item (id, name, qty) VALUES (10, 'x', 1), (2, 'y', 1) ON CONFLICT (id) DO UPDATE SET qty = excluded.qty / item.qty",
    calls: ['item.select {"id":[10,2]}'],
    error: { code: "22012", says: [] },
  },
  {
    name: "a target that is no key",
    sql: "INSERT INTO item (id, name) VALUES (1, 'x') ON CONFLICT (name) DO NOTHING",
    calls: [],
    error: { code: "42P10", says: ["(id)"] },
  },
  {
    name: "DO UPDATE without a target",
    sql: "INSERT INTO item (id, name) VALUES (1, 'x') ON CONFLICT DO UPDATE SET name = 'y'",
    calls: [],
    error: { code: "42601", says: [] },
  },
];
