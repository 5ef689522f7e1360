/**
 * Parts of one statement that write the same row. PostgreSQL runs a WITH that nothing reads after the main statement, and
 * calls it unpredictable which of two changes takes place; here nothing is sent. `postgres` is what PostgreSQL 15 answers
 * for tables with the same rows (1, 'a', 'x') and (2, 'b', 'y').
 */
import { expect, test } from "vitest";
import { Database } from "../../../src/index.js";
import { Recorder } from "../../support/recording.js";

const rows = () => [
  { id: 1, k: "a", v: "x" },
  { id: 2, k: "b", v: "y" },
];

async function world(begin: boolean) {
  const recorder = new Recorder();
  const db = await Database.create({ policy: { writes: true, unboundedWrites: true } });
  const columns = [
    { name: "id", type: "bigint" },
    { name: "k", type: "text" },
    { name: "v", type: "text" },
  ];
  const verbs = ["select", "insert", "update", "delete"] as const;
  db.registerAll([
    recorder.resource({ name: "t", primaryKey: ["id"], columns, verbs: [...verbs], rows: rows() }),
    recorder.resource({ name: "loose", columns, verbs: [...verbs], rows: rows() }),
  ]);
  if (begin) await db.execute("BEGIN");
  return { db, recorder };
}

const refused: { sql: string; postgres: string }[] = [
  { sql: "WITH a AS (UPDATE t SET v='1' WHERE id=1) DELETE FROM t WHERE id=1", postgres: "DELETE 1" },
  { sql: "WITH a AS (UPDATE t SET v='1' WHERE id=1), b AS (UPDATE t SET v='2' WHERE id=1) SELECT 1", postgres: "one" },
  { sql: "WITH a AS (UPDATE t SET v='1' WHERE k='a') UPDATE t SET v='2' WHERE v='x'", postgres: "UPDATE 1, v = 2" },
  { sql: "WITH a AS (DELETE FROM t WHERE id=1) INSERT INTO t VALUES (1,'c','d')", postgres: "23505" },
  {
    sql: "WITH a AS (DELETE FROM t WHERE id=1) INSERT INTO t VALUES (1,'c','d') ON CONFLICT (id) DO UPDATE SET v='w'",
    postgres: "INSERT 0 1, v = w",
  },
  {
    sql: "WITH a AS (DELETE FROM t WHERE id=1) INSERT INTO t VALUES (1,'c','d') ON CONFLICT DO NOTHING",
    postgres: "INSERT 0 0",
  },
  {
    sql: "WITH a AS (INSERT INTO t VALUES (5,'a','b')) INSERT INTO t VALUES (5,'c','d') ON CONFLICT DO NOTHING",
    postgres: "23505",
  },
  { sql: "WITH a AS (INSERT INTO t VALUES (5,'a','b')) DELETE FROM t WHERE id=5", postgres: "DELETE 0, and a row 5" },
  { sql: "WITH a AS (UPDATE t SET id=9 WHERE id=1) DELETE FROM t WHERE id=9", postgres: "DELETE 0, and a row 9" },
  { sql: "WITH a AS (UPDATE t SET id=9 WHERE id=1) INSERT INTO t VALUES (1,'c','d')", postgres: "23505" },
  {
    sql: "WITH a AS (UPDATE t SET v='1' WHERE id=1) MERGE INTO t USING (VALUES (1)) s (id) ON t.id = s.id WHEN MATCHED THEN DELETE",
    postgres: "MERGE 1",
  },
  {
    sql: "WITH a AS (UPDATE t SET v='1' WHERE id IN (1,2) RETURNING id) DELETE FROM t USING a WHERE t.id = a.id",
    postgres: "DELETE 0",
  },
  { sql: "WITH a AS (UPDATE loose SET v='1' WHERE id=1) DELETE FROM loose WHERE id=1", postgres: "DELETE 1" },
  { sql: "WITH a AS (DELETE FROM loose WHERE id=1) DELETE FROM loose WHERE id=1", postgres: "DELETE 1" },
  { sql: "WITH a AS (UPDATE loose SET v='1' WHERE id=1) UPDATE loose SET v='2' WHERE k='a'", postgres: "v = 2" },
  { sql: "WITH a AS (UPDATE loose SET id=2 WHERE id=1) DELETE FROM loose WHERE id=2", postgres: "a row 2 stays" },
  { sql: "WITH a AS (INSERT INTO loose VALUES (5,'a','b')) DELETE FROM loose WHERE id=5", postgres: "a row 5 stays" },
];

test.each(refused)("is refused: $sql", async ({ sql }) => {
  for (const begin of [false, true]) {
    const { db, recorder } = await world(begin);
    await expect(db.execute(sql)).rejects.toMatchObject({
      code: "0A000",
      message: expect.stringMatching(/^two parts of the statement write the same row of "(t|loose)"$/),
      detail: expect.stringContaining("PostgreSQL leaves open"),
      hint: expect.stringContaining("BEGIN"),
      position: expect.any(Number),
    });
    expect(recorder.take().filter(({ op }) => op !== undefined)).toEqual([]);
    expect(db.preview()).toEqual([]);
  }
});

const carriedOut: { sql: string; verbs: readonly string[] }[] = [
  { sql: "WITH a AS (UPDATE t SET v='1' WHERE id=1) DELETE FROM t WHERE id=2", verbs: ["update", "delete"] },
  { sql: "WITH a AS (INSERT INTO t VALUES (5,'a','b')) DELETE FROM t WHERE v='y'", verbs: ["insert", "delete"] },
  { sql: "WITH a AS (UPDATE t SET v='1' WHERE id=1) DELETE FROM loose WHERE id=1", verbs: ["update", "delete"] },
  { sql: "WITH a AS (UPDATE loose SET v='1' WHERE id=1) DELETE FROM loose WHERE id=2", verbs: ["update", "delete"] },
  {
    sql: "WITH a AS (INSERT INTO loose VALUES (5,'a',NULL)) DELETE FROM loose WHERE v='b' AND k='a'",
    verbs: ["insert", "delete"],
  },
  {
    sql: "WITH a AS (INSERT INTO loose VALUES (5,'a','b')) INSERT INTO loose VALUES (5,'a','b')",
    verbs: ["insert", "insert"],
  },
  { sql: "UPDATE t SET v='z' WHERE id IN (1,1,2)", verbs: ["update", "update"] },
];

test.each(carriedOut)("is carried out: $sql", async ({ sql, verbs }) => {
  const { db, recorder } = await world(false);
  await db.execute(sql);
  expect(
    recorder
      .take()
      .map(({ op }) => op)
      .filter((op) => op !== undefined),
  ).toEqual(verbs);
});

test("two rows that come at one key violate it, in whatever order", async () => {
  for (const sql of [
    "WITH a AS (INSERT INTO t VALUES (5,'a','b')) INSERT INTO t VALUES (5,'c','d')",
    "WITH a AS (UPDATE t SET id=9 WHERE id=1) INSERT INTO t VALUES (9,'c','d')",
  ]) {
    const { db, recorder } = await world(false);
    await expect(db.execute(sql)).rejects.toMatchObject({ code: "23505" });
    expect(recorder.take().filter(({ op }) => op !== undefined)).toEqual([]);
  }
});
