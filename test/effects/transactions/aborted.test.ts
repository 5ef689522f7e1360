/** Whatever fails in a transaction aborts it, says so, and leaves nothing behind that a later COMMIT could fire. */
import { describe, expect, test } from "vitest";
import { defineResource, type ExecuteOptions, SqlError } from "../../../src/index.js";
import { openWorld } from "./world.js";

const insert = "INSERT INTO t VALUES (3, 'three')";

async function failure(sent: Promise<unknown>): Promise<SqlError> {
  const error = await sent.then(
    () => new Error("it did not fail"),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(SqlError);
  return error as SqlError;
}

describe("the error says that the transaction is aborted, and how to go on", () => {
  test.each<{ name: string; sql: string; code: string; options?: ExecuteOptions }>([
    { name: "syntax", sql: "SELEC 1", code: "42601" },
    { name: "a name", sql: "SELECT nope FROM t", code: "42703" },
    { name: "a constant", sql: "SELECT 1 / 0", code: "22012" },
    { name: "a row", sql: "SELECT 1 / (id - id) FROM t", code: "22012" },
    { name: "the gate", sql: "CREATE TABLE x (a int)", code: "42501" },
    { name: "several statements that end too early", sql: "COMMIT; SELECT 1", code: "0A000" },
    { name: "no statement", sql: " ", code: "42601" },
    { name: "a value too many", sql: "SELECT 1", code: "08P01", options: { params: [1] } },
    { name: "a limit that is none", sql: "SELECT 1", code: "22023", options: { limit: -1 } },
    { name: "what is too long", sql: `SELECT 1${" ".repeat(1_000_000)}`, code: "54001" },
    { name: "what is too deep", sql: `SELECT ${"(".repeat(50_000)}1${")".repeat(50_000)}`, code: "54001" },
  ])("$name", async ({ sql, code, options }) => {
    const { db, recorder } = await openWorld();
    await db.execute(`BEGIN; ${insert}`);
    const error = await failure(db.execute(sql, options));
    expect(error.code).toBe(code);
    expect(error.hint).toMatch(/The transaction is aborted: send ROLLBACK and begin again\.$/);
    const next = await failure(db.execute("SELECT 1"));
    expect(next).toMatchObject({ code: "25P02", hint: "The transaction is aborted: send ROLLBACK and begin again." });
    const ended = await db.execute("COMMIT");
    expect(ended).toMatchObject({
      command: "ROLLBACK",
      message: "The transaction had failed: 1 staged write dropped; nothing was fired.",
    });
    expect(recorder.take().filter(({ op }) => op !== undefined)).toEqual([]);
  });

  test("with a savepoint, it names the last one", async () => {
    const { db } = await openWorld();
    await db.execute('BEGIN; SAVEPOINT a; SAVEPOINT "B c"');
    const error = await failure(db.execute("SELECT nope"));
    expect(error.hint).toContain('send ROLLBACK TO "B c" to go on from the savepoint, or ROLLBACK.');
    await db.execute('ROLLBACK TO "B c"; RELEASE "B c"');
    expect((await failure(db.execute("SELECT nope"))).hint).toContain("send ROLLBACK TO a ");
  });

  test("outside a transaction it says nothing of one", async () => {
    const { db } = await openWorld();
    expect((await failure(db.execute("SELECT nope"))).hint ?? "").not.toContain("transaction");
  });

  test("explain() aborts nothing", async () => {
    const { db } = await openWorld();
    await db.execute("BEGIN");
    await failure(db.explain("SELECT nope"));
    expect(db.inTransaction()).toBe(true);
    expect((await db.execute("SELECT 1 AS a")).rows).toEqual([{ a: 1 }]);
    await failure(db.execute("SELECT nope"));
    expect((await db.explain("SELECT id FROM t")).readOnly).toBe(true);
  });
});

/** A table that answers never, and tells when it is asked. */
function deaf(onCall: () => void) {
  return defineResource({
    name: "deaf",
    volatility: "volatile",
    columns: [{ name: "id", type: "bigint" }],
    select: () => {
      onCall();
      return new Promise<never>(() => undefined);
    },
  });
}

describe("giving up", () => {
  test("a time-out", async () => {
    const { db, recorder } = await openWorld();
    let calls = 0;
    db.register(
      deaf(() => {
        calls += 1;
      }),
    );
    await db.execute(`BEGIN; ${insert}`);
    expect((await failure(db.execute("SELECT id FROM deaf", { timeoutMs: 200 }))).code).toBe("57014");
    expect(calls).toBe(1);
    expect((await failure(db.execute("SELECT 1"))).code).toBe("25P02");
    await db.execute("COMMIT");
    expect(recorder.take()).toEqual([]);
  });

  test("a statement that runs", async () => {
    const { db } = await openWorld();
    const giveUp = new AbortController();
    db.register(deaf(() => setImmediate(() => giveUp.abort())));
    await db.execute(`BEGIN; ${insert}`);
    expect((await failure(db.execute("SELECT id FROM deaf", { signal: giveUp.signal }))).code).toBe("57014");
    expect((await db.execute("COMMIT")).command).toBe("ROLLBACK");
  });

  test("a statement that waits: a COMMIT sent after it fires nothing", async () => {
    const { db, recorder } = await openWorld({ policy: { writes: true } }, { delayMs: 30 });
    await db.execute(`BEGIN; ${insert}`);
    const giveUp = new AbortController();
    const reading = db.execute("SELECT id FROM t");
    const waiting = failure(db.execute("DELETE FROM t WHERE id = 1", { signal: giveUp.signal }));
    const commit = db.execute("COMMIT");
    giveUp.abort();
    expect((await waiting).code).toBe("57014");
    await reading;
    expect((await commit).command).toBe("ROLLBACK");
    expect(recorder.take()).toEqual([{ table: "t" }]);
  });

  test("a statement whose signal is aborted already", async () => {
    const { db, recorder } = await openWorld();
    await db.execute(`BEGIN; ${insert}`);
    expect((await failure(db.execute("SELECT 1", { signal: AbortSignal.abort() }))).code).toBe("57014");
    expect((await db.execute("COMMIT")).command).toBe("ROLLBACK");
    expect(recorder.take()).toEqual([]);
  });

  test("a COMMIT before it is sent: the transaction is aborted", async () => {
    const { db, recorder } = await openWorld();
    await db.execute(`BEGIN; ${insert}`);
    await failure(db.execute("COMMIT", { signal: AbortSignal.abort() }));
    expect((await db.execute("COMMIT")).command).toBe("ROLLBACK");
    expect(recorder.take()).toEqual([]);
  });
});

describe("what is left behind", () => {
  test("preview() shows nothing while it is aborted, and what comes back with ROLLBACK TO", async () => {
    const { db } = await openWorld();
    await db.execute(`BEGIN; ${insert}; SAVEPOINT a; DELETE FROM t WHERE id = 1`);
    expect(db.preview()).toHaveLength(2);
    await failure(db.execute("SELECT nope"));
    expect(db.preview()).toEqual([]);
    const back = await db.execute("ROLLBACK TO a");
    expect(back).toMatchObject({ command: "ROLLBACK", message: "1 staged write dropped; 1 write staged." });
    expect(back.staged).toHaveLength(1);
    expect(db.preview().map(({ op }) => op)).toEqual(["insert"]);
  });

  test("a COMMIT that fails ends the transaction: another one has nothing to fire", async () => {
    const { db, recorder } = await openWorld({ policy: { writes: true } }, { failAt: 2 });
    await db.execute("BEGIN; DELETE FROM t WHERE id = 1; DELETE FROM t WHERE id = 2; DELETE FROM t WHERE id = 3");
    const error = await failure(db.execute("COMMIT AND CHAIN"));
    expect(error.receipts?.map(({ status }) => status)).toEqual(["fired", "failed", "not_tried"]);
    expect(db.inTransaction()).toBe(false);
    const again = await db.execute("COMMIT");
    expect(again.notices?.map(({ code }) => code)).toEqual(["25P01"]);
    expect(recorder.take()).toHaveLength(2);
  });

  test("COMMIT AND CHAIN stages anew from nothing", async () => {
    const { db, recorder } = await openWorld();
    await db.execute(`BEGIN; ${insert}`);
    expect(await db.execute("COMMIT AND CHAIN")).toMatchObject({ command: "COMMIT", committed: 1, staged: [] });
    await db.execute("DELETE FROM t WHERE id = 1");
    await db.execute("COMMIT");
    expect(recorder.take().map(({ op }) => op)).toEqual(["insert", "delete"]);
  });
});
