/** MERGE: all actions in the order of the source, and what is refused before any call. */
import type { WriteStatement } from "./statement.js";

export const mergeStatements: readonly WriteStatement[] = [
  {
    name: "all three actions",
    sql: "MERGE INTO item i USING delta d ON d.id = i.id WHEN MATCHED AND d.name IS NULL THEN DELETE WHEN MATCHED THEN UPDATE SET qty = i.qty + d.qty WHEN NOT MATCHED THEN INSERT (id, name, qty) VALUES (d.id, d.name, d.qty)",
    calls: [
      "delta.select {}",
      "item.select {}",
      'item.update {"qty":15} {"id":[1]}',
      'item.delete {"id":[3]}',
      'item.insert {"id":8,"name":"cog","qty":1}',
      'item.insert {"id":9,"name":"pin","qty":null}',
    ],
  },
  {
    name: "update only",
    sql: "MERGE INTO item USING delta d ON item.id = d.id WHEN MATCHED THEN UPDATE SET (qty, note) = (d.qty, d.name)",
    calls: [
      "delta.select {}",
      "item.select {}",
      'item.update {"qty":10,"note":"nut"} {"id":[1]}',
      'item.update {"qty":7,"note":null} {"id":[3]}',
    ],
  },
  {
    name: "insert only",
    sql: "MERGE INTO item USING delta d ON item.id = d.id WHEN NOT MATCHED THEN INSERT (id, name) VALUES (d.id, upper(d.name))",
    calls: [
      "delta.select {}",
      "item.select {}",
      'item.insert {"id":8,"name":"COG"}',
      'item.insert {"id":9,"name":"PIN"}',
    ],
  },
  {
    name: "DO NOTHING takes rows out",
    sql: "MERGE INTO item i USING delta d ON d.id = i.id WHEN MATCHED AND i.qty = 5 THEN DO NOTHING WHEN MATCHED THEN UPDATE SET qty = 0 WHEN NOT MATCHED AND d.qty IS NULL THEN DO NOTHING WHEN NOT MATCHED THEN INSERT (id, name) VALUES (d.id, d.name)",
    calls: [
      "delta.select {}",
      "item.select {}",
      'item.update {"qty":0} {"id":[3]}',
      'item.insert {"id":8,"name":"cog"}',
    ],
  },
  {
    name: "a source of VALUES",
    sql: "MERGE INTO pair p USING (VALUES (1, 'x', 5), (7, 'new', 6)) s (a, b, v) ON p.a = s.a AND p.b = s.b WHEN MATCHED THEN UPDATE SET v = p.v + s.v WHEN NOT MATCHED THEN INSERT VALUES (s.a, s.b, s.v)",
    calls: ["pair.select {}", 'pair.update {"v":15} {"a":[1],"b":["x"]}', 'pair.insert {"a":7,"b":"new","v":6}'],
  },
  {
    name: "a source that is a subquery with a CTE",
    sql: "WITH s AS (SELECT id, sum(qty) AS n FROM twice GROUP BY id) MERGE INTO item i USING s ON s.id = i.id WHEN MATCHED THEN UPDATE SET qty = s.n WHEN NOT MATCHED THEN INSERT (id, name, qty) VALUES (s.id, 'n' || s.id, s.n)",
    calls: [
      "twice.select {}",
      "item.select {}",
      'item.update {"qty":200} {"id":[1]}',
      'item.insert {"id":8,"name":"n8","qty":5}',
    ],
  },
  {
    name: "into a table of batches",
    sql: "MERGE INTO bulk b USING delta d ON b.id = d.id WHEN MATCHED THEN UPDATE SET v = b.v || d.qty WHEN NOT MATCHED THEN INSERT VALUES (d.id, d.name)",
    calls: [
      "delta.select {}",
      "bulk.select {}",
      'bulk.update {"v":"one10"} {"id":[1]}',
      'bulk.insert {"id":3,"v":null} {"id":8,"v":"cog"} {"id":9,"v":"pin"}',
    ],
  },
  {
    name: "a required key",
    sql: "MERGE INTO keyed k USING (VALUES (1, 'eins'), (5, 'fünf')) s (id, v) ON k.id = s.id WHEN MATCHED THEN UPDATE SET v = s.v WHEN NOT MATCHED THEN INSERT (id, v) VALUES (s.id, s.v)",
    calls: [
      'keyed.select {"id":[1]}',
      'keyed.select {"id":[5]}',
      'keyed.update {"v":"eins"} {"id":[1]}',
      'keyed.insert {"id":5,"v":"fünf"}',
    ],
  },
  {
    name: "DEFAULT in an insert",
    sql: "MERGE INTO ticket t USING (VALUES ('first'), ('other')) s (title) ON t.title = s.title WHEN MATCHED THEN UPDATE SET owner = 'bob' WHEN NOT MATCHED THEN INSERT VALUES (DEFAULT, s.title, 'eve')",
    calls: [
      "ticket.select {}",
      'ticket.update {"owner":"bob"} {"id":[1]}',
      'ticket.insert {"title":"other","owner":"eve"}',
    ],
  },
  {
    name: "nothing to do",
    sql: "MERGE INTO item i USING delta d ON d.id = i.id AND i.qty > 1000 WHEN MATCHED THEN DELETE",
    calls: ["delta.select {}", "item.select {}"],
  },
  {
    name: "an empty source",
    sql: "MERGE INTO item i USING (SELECT * FROM delta WHERE false) d ON d.id = i.id WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT (id, name) VALUES (1, 'x')",
    calls: [],
  },
  {
    name: "ON is no equality",
    sql: "MERGE INTO pair p USING (VALUES (15)) s (n) ON p.v > s.n WHEN MATCHED THEN UPDATE SET v = s.n",
    calls: ["pair.select {}", 'pair.update {"v":15} {"a":[1],"b":["y"]}', 'pair.update {"v":15} {"a":[2],"b":[""]}'],
  },
  {
    name: "the key changes",
    sql: "MERGE INTO item i USING delta d ON d.id = i.id WHEN MATCHED THEN UPDATE SET id = i.id + 1000 WHEN NOT MATCHED THEN DO NOTHING",
    calls: [
      "delta.select {}",
      "item.select {}",
      'item.update {"id":1001} {"id":[1]}',
      'item.update {"id":1003} {"id":[3]}',
    ],
  },
  {
    name: "a row twice",
    sql: "MERGE INTO item i USING twice t ON t.id = i.id WHEN MATCHED THEN UPDATE SET qty = t.qty",
    calls: ["twice.select {}", "item.select {}"],
    error: { code: "21000", says: ["second time"] },
  },
  {
    name: "a row twice, deleted",
    sql: "MERGE INTO item i USING twice t ON t.id = i.id WHEN MATCHED THEN DELETE",
    calls: ["twice.select {}", "item.select {}"],
    error: { code: "21000", says: [] },
  },
  {
    name: "a row twice, with nothing done to it",
    sql: "MERGE INTO item i USING twice t ON t.id = i.id WHEN MATCHED THEN DO NOTHING WHEN NOT MATCHED THEN INSERT (id, name) VALUES (t.id, 'x')",
    calls: ["twice.select {}", "item.select {}", 'item.insert {"id":8,"name":"x"}'],
  },
  {
    name: "two inserts of one key",
    sql: "MERGE INTO item i USING (VALUES (70), (70)) s (id) ON s.id = i.id WHEN NOT MATCHED THEN INSERT (id, name) VALUES (s.id, 'x')",
    calls: ["item.select {}"],
    error: { code: "23505", says: [] },
  },
  {
    name: "a bad value in the last row",
    sql: "MERGE INTO item i USING delta d ON d.id = i.id WHEN MATCHED THEN UPDATE SET qty = 1 WHEN NOT MATCHED THEN INSERT (id, name) VALUES (d.id, nullif(d.name, 'pin'))",
    calls: ["delta.select {}", "item.select {}"],
    error: { code: "23502", says: [] },
  },
  {
    name: "a failing action",
    sql: "MERGE INTO item i USING delta d ON d.id = i.id WHEN MATCHED THEN UPDATE SET qty = 1 / (d.qty - 7)",
    calls: ["delta.select {}", "item.select {}"],
    error: { code: "22012", says: [] },
  },
  {
    name: "a clause that can't be reached",
    sql: "MERGE INTO item i USING delta d ON d.id = i.id WHEN MATCHED THEN DELETE WHEN MATCHED THEN UPDATE SET qty = 1",
    calls: [],
    error: { code: "42601", says: [] },
  },
  {
    name: "RETURNING is not in PostgreSQL 15",
    sql: "MERGE INTO item i USING delta d ON d.id = i.id WHEN MATCHED THEN DELETE RETURNING i.id",
    calls: [],
    error: { code: "42601", says: [] },
  },
];
