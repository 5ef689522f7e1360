/** DELETE: by key without reading, by any condition, USING. */
import type { WriteStatement } from "./statement.js";

export const deleteStatements: readonly WriteStatement[] = [
  {
    name: "by key",
    sql: "DELETE FROM item WHERE id = 1",
    calls: ['item.delete {"id":[1]}'],
  },
  {
    name: "by several keys",
    sql: "DELETE FROM item WHERE id IN (1, 9007199254740993)",
    calls: ['item.delete {"id":[1]}', 'item.delete {"id":["9007199254740993n"]}'],
  },
  {
    name: "by a composite key",
    sql: "DELETE FROM pair WHERE a = 1 AND b = 'x'",
    calls: ['pair.delete {"a":[1],"b":["x"]}'],
  },
  {
    name: "by a part of the key",
    sql: "DELETE FROM pair WHERE a = 2 RETURNING *",
    calls: ['pair.select {"a":[2]}', 'pair.delete {"a":[2],"b":["x"]}', 'pair.delete {"a":[2],"b":[""]}'],
  },
  {
    name: "by any condition",
    sql: "DELETE FROM item WHERE qty <= 0 RETURNING id, name",
    calls: ["item.select {}", 'item.delete {"id":[2]}', 'item.delete {"id":[4]}'],
  },
  {
    name: "what nothing matches",
    sql: "DELETE FROM item WHERE name = 'none' RETURNING *",
    calls: ['item.select {"name":["none"]}'],
  },
  {
    name: "USING",
    sql: "DELETE FROM item USING delta d WHERE d.id = item.id AND d.qty > 5 RETURNING item.id, d.qty",
    calls: ["item.select {}", "delta.select {}", 'item.delete {"id":[1]}', 'item.delete {"id":[3]}'],
  },
  {
    name: "USING that matches a row twice",
    sql: "DELETE FROM item USING twice t WHERE t.id = item.id RETURNING item.id, t.qty",
    calls: ["item.select {}", "twice.select {}", 'item.delete {"id":[1]}'],
  },
  {
    name: "USING a subquery with a LIMIT",
    sql: "DELETE FROM item USING (SELECT id FROM delta ORDER BY id LIMIT 2) d WHERE d.id = item.id RETURNING item.id",
    calls: ["item.select {}", "delta.select {}", 'item.delete {"id":[1]}', 'item.delete {"id":[3]}'],
  },
  {
    name: "where a row is in a subquery",
    sql: "DELETE FROM item WHERE id IN (SELECT id FROM delta WHERE qty IS NOT NULL)",
    calls: ["delta.select {}", 'item.select {"id":[1,3,8]}', 'item.delete {"id":[1]}', 'item.delete {"id":[3]}'],
  },
  {
    name: "where none is",
    sql: "DELETE FROM item WHERE NOT EXISTS (SELECT 1 FROM delta d WHERE d.id = item.id) RETURNING id",
    calls: [
      "item.select {}",
      "delta.select {}",
      'item.delete {"id":[2]}',
      'item.delete {"id":[4]}',
      'item.delete {"id":["9007199254740993n"]}',
    ],
  },
  {
    name: "the largest of each",
    sql: "DELETE FROM pair p WHERE v = (SELECT max(v) FROM pair q WHERE q.a = p.a) RETURNING a, b",
    calls: ["pair.select {}", 'pair.delete {"a":[1],"b":["y"]}', 'pair.delete {"a":[2],"b":[""]}'],
  },
  {
    name: "a required key",
    sql: "DELETE FROM keyed WHERE id = 2",
    calls: ['keyed.delete {"id":[2]}'],
  },
  {
    name: "a required key, with another condition",
    sql: "DELETE FROM keyed WHERE id IN (1, 2) AND v LIKE 't%' RETURNING *",
    calls: ['keyed.select {"id":[1]}', 'keyed.select {"id":[2]}', 'keyed.delete {"id":[2]}'],
  },
  {
    name: "quoted names",
    sql: 'DELETE FROM "Odd Name" WHERE "constructor" IS NULL RETURNING "select"',
    calls: ["Odd Name.select {}", 'Odd Name.delete {"select":[2]}'],
  },
  {
    name: "RETURNING a subquery over the row",
    sql: "DELETE FROM item WHERE id = 1 RETURNING id, (SELECT d.qty FROM delta d WHERE d.id = item.id) AS d",
    calls: ["delta.select {}", 'item.delete {"id":[1]}'],
  },
  {
    name: "a failing RETURNING",
    sql: "DELETE FROM item WHERE id IN (1, 2) RETURNING 10 / qty",
    calls: ['item.select {"id":[1,2]}'],
    error: { code: "22012", says: [] },
  },
  {
    name: "a failing condition",
    sql: "DELETE FROM item WHERE 10 / qty > 1",
    calls: ["item.select {}"],
    error: { code: "22012", says: [] },
  },
];
