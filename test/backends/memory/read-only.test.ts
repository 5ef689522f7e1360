/** READ ONLY transactions of the engine's own tables; each line is what PostgreSQL 15 answers, unless it says otherwise. */
import { expect, test } from "vitest";
import { MemoryBackend, SqlError } from "../../../src/sql.js";

const writes: readonly (readonly [sql: string, verb: string])[] = [
  ["INSERT INTO t VALUES (2)", "INSERT"],
  ["UPDATE t SET a = 1 WHERE false", "UPDATE"],
  ["DELETE FROM t", "DELETE"],
  ["MERGE INTO t USING (VALUES (1)) v(a) ON false WHEN NOT MATCHED THEN INSERT VALUES (1)", "MERGE"],
  ["WITH w AS (DELETE FROM t RETURNING a) SELECT a FROM w", "SELECT"],
  ["EXPLAIN ANALYZE INSERT INTO t VALUES (2)", "INSERT"],
  ["CREATE TABLE x (a int)", "CREATE TABLE"],
  ["CREATE TABLE x AS SELECT 1", "CREATE TABLE AS"],
  ["CREATE VIEW x AS SELECT 1", "CREATE VIEW"],
  ["CREATE INDEX ON t (a)", "CREATE INDEX"],
  ["CREATE TYPE x AS ENUM ('a')", "CREATE TYPE"],
  ["CREATE SCHEMA x", "CREATE SCHEMA"],
  ["DROP TABLE t", "DROP TABLE"],
  ["TRUNCATE t", "TRUNCATE TABLE"],
];

async function engine(): Promise<MemoryBackend> {
  const db = await MemoryBackend.create();
  await db.query("CREATE TABLE t (a int)");
  await db.query("INSERT INTO t VALUES (1)");
  return db;
}

test.each(writes)("%s", async (sql, verb) => {
  const db = await engine();
  for (const begin of ["BEGIN READ ONLY", "BEGIN; SET TRANSACTION READ ONLY", "BEGIN READ ONLY; COMMIT AND CHAIN"]) {
    await db.query(begin);
    const refusal = { code: "25006", message: `cannot execute ${verb} in a read-only transaction` };
    await expect(db.query(sql)).rejects.toMatchObject(refusal);
    await expect(db.query("SELECT 1")).rejects.toMatchObject({ code: "25P02" });
    await db.query("ROLLBACK");
  }
  expect((await db.query("SELECT a FROM t")).rows).toEqual([{ a: 1 }]);
});

test("it reads, explains, and is over with the transaction", async () => {
  const db = await engine();
  await db.query("BEGIN READ ONLY");
  expect((await db.query("SELECT a FROM t")).rows).toEqual([{ a: 1 }]);
  await db.query("EXPLAIN DELETE FROM t");
  await db.query("COMMIT");
  await db.query("INSERT INTO t VALUES (2)");
  expect((await db.query("SELECT count(*) AS n FROM t")).rows).toEqual([{ n: 2 }]);
});

test("ROLLBACK TO goes back to the mode as well", async () => {
  const db = await engine();
  await db.query("BEGIN; SAVEPOINT a; SET TRANSACTION READ ONLY; ROLLBACK TO a; INSERT INTO t VALUES (2); COMMIT");
  expect((await db.query("SELECT count(*) AS n FROM t")).rows).toEqual([{ n: 2 }]);
});

test("READ WRITE cannot be had after a query", async () => {
  const db = await engine();
  await db.query("BEGIN READ ONLY; SELECT 1");
  await expect(db.query("SET TRANSACTION READ WRITE")).rejects.toMatchObject({ code: "25001" });
});

test("a session that only reads is refused, not taken without effect", async () => {
  const db = await engine();
  const sent = db.query("SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY");
  await expect(sent).rejects.toBeInstanceOf(SqlError);
  await expect(sent).rejects.toMatchObject({ code: "0A000" });
});
