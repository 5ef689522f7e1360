/**
 * Every form of a write, each with three effects, so that one can have been fired, one fail and one not be tried. `t` has the
 * rows 1, 2 and 3 under the key `id`; `s` has rows to insert, `u` rows for those of `t`, `m` some of both.
 */
import type { RecordedCall } from "../../support/recording.js";

export interface Form {
  readonly name: string;
  readonly sql: string;
  readonly tag: string;
  readonly rows?: readonly Record<string, unknown>[];
  /** Calls of reads, in any order; they come before the first effect. */
  readonly reads: readonly RecordedCall[];
  /** Calls of writes, in order. */
  readonly effects: readonly RecordedCall[];
}

const insert = (...values: (readonly [id: number, v: string])[]): RecordedCall[] =>
  values.map(([id, v]) => ({ table: "t", op: "insert", rows: [{ id, v }] }));
const update = (...values: (readonly [id: number, v: string])[]): RecordedCall[] =>
  values.map(([id, v]) => ({ table: "t", op: "update", set: { v }, args: { id: [id] } }));
const remove = (...ids: number[]): RecordedCall[] =>
  ids.map((id) => ({ table: "t", op: "delete", args: { id: [id] } }));

const read = (...tables: string[]): RecordedCall[] => tables.map((table) => ({ table }));

const three = "(11, 'a'), (12, 'b'), (13, 'c')";
const inserted = insert([11, "a"], [12, "b"], [13, "c"]);
const ids = (...list: number[]) => list.map((id) => ({ id }));

export const forms: readonly Form[] = [
  { name: "INSERT … VALUES", sql: `INSERT INTO t VALUES ${three}`, tag: "INSERT 0 3", reads: [], effects: inserted },
  {
    name: "INSERT … VALUES with expressions",
    sql: "INSERT INTO t (v, id) VALUES (lower('A'), 5 + 6), (chr(98), 12), ('c' || '', (SELECT 13))",
    tag: "INSERT 0 3",
    reads: [],
    effects: inserted,
  },
  {
    name: "INSERT … DEFAULT",
    sql: "INSERT INTO t (id, v) VALUES (11, DEFAULT), (12, DEFAULT), (13, DEFAULT)",
    tag: "INSERT 0 3",
    reads: [],
    effects: [11, 12, 13].map((id) => ({ table: "t", op: "insert", rows: [{ id }] })),
  },
  {
    name: "INSERT … SELECT",
    sql: "INSERT INTO t SELECT id, v FROM s",
    tag: "INSERT 0 3",
    reads: read("s"),
    effects: inserted,
  },
  {
    name: "INSERT … SELECT from its own table",
    sql: "INSERT INTO t SELECT id + 10, chr(96 + id::int) FROM t",
    tag: "INSERT 0 3",
    reads: read("t"),
    effects: inserted,
  },
  {
    name: "INSERT … RETURNING",
    sql: `INSERT INTO t VALUES ${three} RETURNING id`,
    tag: "INSERT 0 3",
    rows: ids(11, 12, 13),
    reads: [],
    effects: inserted,
  },
  {
    name: "ON CONFLICT DO NOTHING",
    sql: `INSERT INTO t VALUES (1, 'x'), ${three} ON CONFLICT (id) DO NOTHING`,
    tag: "INSERT 0 3",
    reads: [{ table: "t", args: { id: [1, 11, 12, 13] } }],
    effects: inserted,
  },
  {
    name: "ON CONFLICT DO UPDATE",
    sql: "INSERT INTO t VALUES (1, 'x'), (12, 'b'), (3, 'z') ON CONFLICT (id) DO UPDATE SET v = t.v || excluded.v",
    tag: "INSERT 0 3",
    reads: [{ table: "t", args: { id: [1, 12, 3] } }],
    effects: [...update([1, "onex"]), ...insert([12, "b"]), ...update([3, "threez"])],
  },
  {
    name: "UPDATE by key",
    sql: "UPDATE t SET v = 'n' WHERE id IN (1, 2, 3)",
    tag: "UPDATE 3",
    reads: [],
    effects: update([1, "n"], [2, "n"], [3, "n"]),
  },
  {
    name: "UPDATE of rows that are read first",
    sql: "UPDATE t SET v = upper(v) WHERE v <> ''",
    tag: "UPDATE 3",
    reads: read("t"),
    effects: update([1, "ONE"], [2, "TWO"], [3, "THREE"]),
  },
  {
    name: "UPDATE … FROM",
    sql: "UPDATE t SET v = u.v FROM u WHERE u.id = t.id",
    tag: "UPDATE 3",
    reads: read("t", "u"),
    effects: update([1, "x"], [2, "y"], [3, "z"]),
  },
  {
    name: "UPDATE … RETURNING",
    sql: "UPDATE t SET v = 'n' WHERE v <> '' RETURNING id, v",
    tag: "UPDATE 3",
    rows: [1, 2, 3].map((id) => ({ id, v: "n" })),
    reads: read("t"),
    effects: update([1, "n"], [2, "n"], [3, "n"]),
  },
  {
    name: "DELETE by key",
    sql: "DELETE FROM t WHERE id IN (1, 2, 3)",
    tag: "DELETE 3",
    reads: [],
    effects: remove(1, 2, 3),
  },
  {
    name: "DELETE of rows that are read first",
    sql: "DELETE FROM t WHERE v <> ''",
    tag: "DELETE 3",
    reads: read("t"),
    effects: remove(1, 2, 3),
  },
  {
    name: "DELETE … USING",
    sql: "DELETE FROM t USING u WHERE u.id = t.id",
    tag: "DELETE 3",
    reads: read("t", "u"),
    effects: remove(1, 2, 3),
  },
  {
    name: "DELETE … RETURNING",
    sql: "DELETE FROM t WHERE v <> '' RETURNING id",
    tag: "DELETE 3",
    rows: ids(1, 2, 3),
    reads: read("t"),
    effects: remove(1, 2, 3),
  },
  {
    name: "MERGE",
    sql: `MERGE INTO t USING m ON t.id = m.id WHEN MATCHED AND m.v = 'gone' THEN DELETE
      WHEN MATCHED THEN UPDATE SET v = m.v WHEN NOT MATCHED THEN INSERT VALUES (m.id, m.v)`,
    tag: "MERGE 3",
    reads: read("m", "t"),
    effects: [...update([1, "x"]), ...remove(2), ...insert([12, "b"])],
  },
  {
    name: "a write in WITH",
    sql: "WITH w AS (DELETE FROM t WHERE v <> '' RETURNING id) SELECT id FROM w ORDER BY id",
    tag: "SELECT 3",
    rows: ids(1, 2, 3),
    reads: read("t"),
    effects: remove(1, 2, 3),
  },
  {
    name: "a write in WITH that nothing reads",
    sql: `WITH w AS (INSERT INTO t VALUES ${three}) SELECT 1 AS a`,
    tag: "SELECT 1",
    rows: [{ a: 1 }],
    reads: [],
    effects: inserted,
  },
  {
    name: "two writes in one statement",
    sql: "WITH w AS (INSERT INTO t VALUES (11, 'a') RETURNING id) UPDATE t SET v = 'n' WHERE id IN (2, 3)",
    tag: "UPDATE 2",
    reads: [],
    effects: [...insert([11, "a"]), ...update([2, "n"], [3, "n"])],
  },
];
