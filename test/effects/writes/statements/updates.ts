/** UPDATE: by key without reading, by any condition, FROM, keys that change. */
import type { WriteStatement } from "./statement.js";

export const updateStatements: readonly WriteStatement[] = [
  {
    name: "by key, constants",
    sql: "UPDATE item SET qty = 7 WHERE id = 1",
    calls: ['item.update {"qty":7} {"id":[1]}'],
  },
  {
    name: "by several keys",
    sql: "UPDATE item SET qty = 7, note = NULL WHERE id IN (1, 2)",
    calls: ['item.update {"qty":7,"note":null} {"id":[1]}', 'item.update {"qty":7,"note":null} {"id":[2]}'],
  },
  {
    name: "by a key beyond 2^53",
    sql: "UPDATE item SET qty = 7 WHERE id = 9007199254740993",
    calls: ['item.update {"qty":7} {"id":["9007199254740993n"]}'],
  },
  {
    name: "by a parameter",
    sql: "UPDATE item SET name = $2 WHERE id = $1",
    params: [2, "it's 🐙"],
    calls: ['item.update {"name":"it\'s 🐙"} {"id":[2]}'],
  },
  {
    name: "an expression over the row reads it first",
    sql: "UPDATE item SET qty = qty + 1 WHERE id = 1 RETURNING id, qty",
    calls: ['item.select {"id":[1]}', 'item.update {"qty":6} {"id":[1]}'],
  },
  {
    name: "NULL stays NULL in an expression",
    sql: "UPDATE item SET qty = qty + 1 WHERE id = 3 RETURNING qty",
    calls: ['item.select {"id":[3]}', 'item.update {"qty":null} {"id":[3]}'],
  },
  {
    name: "any other WHERE reads first",
    sql: "UPDATE item SET note = 'low' WHERE qty < 1 RETURNING id",
    calls: ["item.select {}", 'item.update {"note":"low"} {"id":[2]}', 'item.update {"note":"low"} {"id":[4]}'],
  },
  {
    name: "WHERE on text",
    sql: "UPDATE item SET qty = 1 WHERE name LIKE '%t'",
    calls: ["item.select {}", 'item.update {"qty":1} {"id":[1]}', 'item.update {"qty":1} {"id":[2]}'],
  },
  {
    name: "WHERE on NULL",
    sql: "UPDATE item SET qty = 0 WHERE qty IS NULL RETURNING id, qty",
    calls: ["item.select {}", 'item.update {"qty":0} {"id":[3]}'],
  },
  {
    name: "WHERE on an array and a document",
    sql: "UPDATE item SET note = 'x' WHERE 'a' = ANY(tags) OR data @> '[1]' RETURNING id",
    calls: ["item.select {}", 'item.update {"note":"x"} {"id":[1]}', 'item.update {"note":"x"} {"id":[3]}'],
  },
  {
    name: "no row matches",
    sql: "UPDATE item SET qty = 1 WHERE name = 'none' RETURNING id",
    calls: ['item.select {"name":["none"]}'],
  },
  {
    name: "a NULL key matches nothing",
    sql: "UPDATE item SET qty = 1 WHERE id = NULL",
    calls: [],
  },
  {
    name: "columns swapped see the old values",
    sql: "UPDATE pair SET a = v, v = a WHERE a = 1 RETURNING a, b, v",
    calls: [
      'pair.select {"a":[1]}',
      'pair.update {"a":10,"v":1} {"a":[1],"b":["x"]}',
      'pair.update {"a":20,"v":1} {"a":[1],"b":["y"]}',
    ],
  },
  {
    name: "several columns from a row",
    sql: "UPDATE item SET (qty, note) = (qty * 2, 'dbl') WHERE id = 1",
    calls: ['item.select {"id":[1]}', 'item.update {"qty":10,"note":"dbl"} {"id":[1]}'],
  },
  {
    name: "several columns from a subquery",
    sql: "UPDATE item SET (qty, name) = (SELECT d.qty, coalesce(d.name, '?') FROM delta d WHERE d.id = item.id) WHERE id IN (1, 3) RETURNING id, qty, name",
    calls: [
      'item.select {"id":[1,3]}',
      "delta.select {}",
      'item.update {"qty":10,"name":"nut"} {"id":[1]}',
      'item.update {"qty":7,"name":"?"} {"id":[3]}',
    ],
  },
  {
    name: "a subquery that finds nothing gives NULL",
    sql: "UPDATE item SET qty = (SELECT qty FROM delta WHERE delta.id = item.id) WHERE id = 2 RETURNING qty",
    calls: ['item.select {"id":[2]}', "delta.select {}", 'item.update {"qty":null} {"id":[2]}'],
  },
  {
    name: "a scalar subquery",
    sql: "UPDATE item SET qty = (SELECT sum(qty) FROM delta) WHERE id = 1",
    calls: ['item.select {"id":[1]}', "delta.select {}", 'item.update {"qty":18} {"id":[1]}'],
  },
  {
    name: "DEFAULT is NULL",
    sql: "UPDATE item SET qty = DEFAULT WHERE id = 1 RETURNING qty",
    calls: ['item.update {"qty":null} {"id":[1]}'],
  },
  {
    name: "FROM joins other rows",
    sql: "UPDATE item SET qty = item.qty + d.qty FROM delta d WHERE d.id = item.id RETURNING item.id, item.qty, d.name",
    calls: [
      "item.select {}",
      "delta.select {}",
      'item.update {"qty":15} {"id":[1]}',
      'item.update {"qty":null} {"id":[3]}',
    ],
  },
  {
    name: "FROM that matches a row twice writes it once",
    sql: "UPDATE item SET qty = t.qty FROM twice t WHERE t.id = item.id RETURNING item.id, item.qty",
    calls: ["item.select {}", "twice.select {}", 'item.update {"qty":100} {"id":[1]}'],
  },
  {
    name: "FROM a subquery",
    sql: "UPDATE item i SET qty = s.n FROM (SELECT id, count(*) AS n FROM twice GROUP BY id) s WHERE s.id = i.id RETURNING i.id, i.qty",
    calls: ["item.select {}", "twice.select {}", 'item.update {"qty":2} {"id":[1]}'],
  },
  {
    name: "FROM VALUES",
    sql: "UPDATE item SET name = v.n FROM (VALUES (1, 'one'), (2, 'two'), (77, 'none')) v (id, n) WHERE v.id = item.id",
    calls: ["item.select {}", 'item.update {"name":"one"} {"id":[1]}', 'item.update {"name":"two"} {"id":[2]}'],
  },
  {
    name: "FROM the table itself",
    sql: "UPDATE item a SET qty = b.qty FROM item b WHERE a.id = 3 AND b.id = 1 RETURNING a.id, a.qty, b.name",
    calls: ['item.select {"id":[3]}', 'item.select {"id":[1]}', 'item.update {"qty":5} {"id":[3]}'],
  },
  {
    name: "a row in EXISTS",
    sql: "UPDATE item SET note = 'seen' WHERE EXISTS (SELECT 1 FROM delta d WHERE d.id = item.id)",
    calls: [
      "item.select {}",
      "delta.select {}",
      'item.update {"note":"seen"} {"id":[1]}',
      'item.update {"note":"seen"} {"id":[3]}',
    ],
  },
  {
    name: "a row in IN",
    sql: "UPDATE item SET note = 'seen' WHERE id IN (SELECT id FROM delta) RETURNING id",
    calls: [
      "delta.select {}",
      'item.select {"id":[1,3,8,9]}',
      'item.update {"note":"seen"} {"id":[1]}',
      'item.update {"note":"seen"} {"id":[3]}',
    ],
  },
  {
    name: "a row in NOT IN",
    sql: "UPDATE item SET note = 'not' WHERE id NOT IN (SELECT id FROM delta) RETURNING id",
    calls: [
      "item.select {}",
      "delta.select {}",
      'item.update {"note":"not"} {"id":[2]}',
      'item.update {"note":"not"} {"id":[4]}',
      'item.update {"note":"not"} {"id":["9007199254740993n"]}',
    ],
  },
  {
    name: "the key itself",
    sql: "UPDATE item SET id = 50 WHERE id = 2",
    calls: ['item.update {"id":50} {"id":[2]}'],
  },
  {
    name: "the key by an expression",
    sql: "UPDATE item SET id = id + 100 WHERE id < 3 RETURNING id, name",
    calls: ["item.select {}", 'item.update {"id":101} {"id":[1]}', 'item.update {"id":102} {"id":[2]}'],
  },
  {
    name: "a part of a composite key",
    sql: "UPDATE pair SET b = 'z' WHERE a = 1 AND b = 'x'",
    calls: ['pair.update {"b":"z"} {"a":[1],"b":["x"]}'],
  },
  {
    name: "a composite key by a part of it",
    sql: "UPDATE pair SET v = coalesce(v, 0) + 1 WHERE a = 2 RETURNING *",
    calls: [
      'pair.select {"a":[2]}',
      'pair.update {"v":1} {"a":[2],"b":["x"]}',
      'pair.update {"v":41} {"a":[2],"b":[""]}',
    ],
  },
  {
    name: "composite keys as rows",
    sql: "UPDATE pair SET v = 0 WHERE (a, b) IN ((1, 'y'), (2, ''), (9, 'q'))",
    calls: [
      'pair.select {"a":[1,2,9],"b":["y","","q"]}',
      'pair.update {"v":0} {"a":[1],"b":["y"]}',
      'pair.update {"v":0} {"a":[2],"b":[""]}',
    ],
  },
  {
    name: "an empty text in a key",
    sql: "UPDATE pair SET v = 1 WHERE a = 2 AND b = ''",
    calls: ['pair.update {"v":1} {"a":[2],"b":[""]}'],
  },
  {
    name: "quoted names",
    sql: 'UPDATE "Odd Name" SET "Groß 🐙" = \'x\', "constructor" = "Groß 🐙" WHERE "select" = 1 RETURNING *',
    calls: ['Odd Name.select {"select":[1]}', 'Odd Name.update {"Groß 🐙":"x","constructor":"eins"} {"select":[1]}'],
  },
  {
    name: "jsonb by subscript and function",
    sql: "UPDATE item SET data = jsonb_set(data, '{k}', '\"v\"') WHERE id = 1 RETURNING data",
    calls: ['item.select {"id":[1]}', 'item.update {"data":{"k":"v"}} {"id":[1]}'],
  },
  {
    name: "an element of an array",
    sql: "UPDATE item SET tags[2] = 'z' WHERE id = 1 RETURNING tags",
    calls: ['item.select {"id":[1]}', 'item.update {"tags":["a","z"]} {"id":[1]}'],
  },
  {
    name: "arrays are appended to",
    sql: "UPDATE item SET tags = tags || 'c' WHERE id IN (1, 2) RETURNING id, tags",
    calls: [],
    error: { code: "22P02", says: [] },
  },
  {
    name: "a timestamp by an interval",
    sql: "UPDATE item SET at = at + interval '1 month 2 days' WHERE at IS NOT NULL RETURNING id, at",
    calls: [
      "item.select {}",
      'item.update {"at":"2026-02-03T10:00:00.000Z"} {"id":[1]}',
      'item.update {"at":"2026-08-01T23:59:59.123Z"} {"id":["9007199254740993n"]}',
    ],
  },
  {
    name: "RETURNING a star and an old value's name",
    sql: "UPDATE pair SET v = 99 WHERE a = 1 AND b = 'y' RETURNING *, v * 2 AS w",
    calls: ['pair.update {"v":99} {"a":[1],"b":["y"]}'],
  },
  {
    name: "a required key",
    sql: "UPDATE keyed SET v = v || '!' WHERE id IN (1, 2) RETURNING *",
    calls: [
      'keyed.select {"id":[1]}',
      'keyed.select {"id":[2]}',
      'keyed.update {"v":"one!"} {"id":[1]}',
      'keyed.update {"v":"two!"} {"id":[2]}',
    ],
  },
  {
    name: "all rows of a condition that holds for all",
    sql: "UPDATE pair SET v = 0 WHERE a > 0",
    calls: [
      "pair.select {}",
      'pair.update {"v":0} {"a":[1],"b":["x"]}',
      'pair.update {"v":0} {"a":[1],"b":["y"]}',
      'pair.update {"v":0} {"a":[2],"b":["x"]}',
      'pair.update {"v":0} {"a":[2],"b":[""]}',
    ],
  },
  {
    name: "CASE over the rows",
    sql: "UPDATE item SET note = CASE WHEN qty > 0 THEN 'pos' WHEN qty = 0 THEN 'zero' ELSE 'odd' END WHERE id < 100 RETURNING id, note",
    calls: [
      "item.select {}",
      'item.update {"note":"pos"} {"id":[1]}',
      'item.update {"note":"zero"} {"id":[2]}',
      'item.update {"note":"odd"} {"id":[3]}',
      'item.update {"note":"odd"} {"id":[4]}',
    ],
  },
  {
    name: "keys that would be the same",
    sql: "UPDATE item SET id = 50 WHERE id IN (1, 2)",
    calls: [],
    error: { code: "23505", says: ["(id)=(50)"] },
  },
  {
    name: "a key that is there",
    sql: "UPDATE item SET id = 2 WHERE name IN ('nut', 'bolt') AND qty = 5 OR id = 2 AND qty = 0",
    calls: ['item.select {"qty":[5,0]}'],
    error: { code: "23505", says: [] },
  },
  {
    name: "NULL in a NOT NULL column",
    sql: "UPDATE item SET name = NULL WHERE id = 1",
    calls: [],
    error: { code: "23502", says: [] },
  },
  {
    name: "NULL made by an expression, for one row",
    sql: "UPDATE item SET name = nullif(name, 'bolt') WHERE id < 4",
    calls: ["item.select {}"],
    error: { code: "23502", says: [] },
  },
  {
    name: "NULL in the key",
    sql: "UPDATE pair SET a = NULL WHERE a = 1",
    calls: ['pair.select {"a":[1]}'],
    error: { code: "23502", says: [] },
  },
  {
    name: "a failing expression for one row",
    sql: "UPDATE item SET qty = 10 / qty WHERE id < 4",
    calls: ["item.select {}"],
    error: { code: "22012", says: [] },
  },
  {
    name: "an overflow for one row",
    sql: "UPDATE item SET qty = qty + 1 WHERE qty IS NOT NULL",
    calls: ["item.select {}"],
    error: { code: "22003", says: [] },
  },
  {
    name: "a subquery of two rows",
    sql: "UPDATE item SET qty = (SELECT qty FROM twice WHERE twice.id = item.id) WHERE id = 1",
    calls: ['item.select {"id":[1]}', "twice.select {}"],
    error: { code: "21000", says: [] },
  },
  {
    name: "a failing RETURNING",
    sql: "UPDATE item SET qty = 0 WHERE id = 1 RETURNING 1 / qty",
    calls: [],
    error: { code: "22012", says: [] },
  },
  {
    name: "one column twice",
    sql: "UPDATE item SET qty = 1, qty = 2 WHERE id = 1",
    calls: [],
    error: { code: "42601", says: [] },
  },
  {
    name: "an unknown column",
    sql: "UPDATE item SET colour = 1 WHERE id = 1",
    calls: [],
    error: { code: "42703", says: [] },
  },
  {
    name: "an aggregate in SET",
    sql: "UPDATE item SET qty = max(qty) WHERE id = 1",
    calls: [],
    error: { code: "42803", says: [] },
  },
];
