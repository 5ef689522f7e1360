/** Every statement leaves a record, every call one of its own; a sink that fails is never passed over. */
import { describe, expect, test } from "vitest";
import type { AuditRecord, AuditSink, CallAuditRecord, StatementRecord } from "../../../src/database/audit/records.js";
import { Database, type DatabaseOptions, SqlError } from "../../../src/index.js";
import { Recorder } from "../../support/recording.js";

class Collected implements AuditSink {
  readonly records: AuditRecord[] = [];
  write(record: AuditRecord): void {
    this.records.push(JSON.parse(JSON.stringify(record)) as AuditRecord);
  }
  get statements(): StatementRecord[] {
    return this.records.filter((record) => record.kind === "statement");
  }
  get calls(): CallAuditRecord[] {
    return this.records.filter((record) => record.kind === "call");
  }
}

async function world(options: DatabaseOptions = {}) {
  const recorder = new Recorder();
  const audit = new Collected();
  const db = await Database.create({ policy: { writes: true }, audit, actor: "ann", ...options });
  db.register(
    recorder.resource({
      name: "mail",
      columns: [
        { name: "id", type: "bigint" },
        { name: "subject", type: "text" },
        { name: "token", type: "text", labels: ["secret"] },
      ],
      primaryKey: ["id"],
      rows: [
        { id: 1, subject: "héllo", token: "s3cr3t" },
        { id: 2, subject: null, token: "0ther" },
      ],
      verbs: ["select", "insert", "update", "delete"],
    }),
  );
  return { db, audit, recorder };
}

describe("what a statement leaves behind", () => {
  test("a read: who, what, which tables, how many rows", async () => {
    const { db, audit } = await world();
    await db.execute("SELECT id, subject FROM mail WHERE id = $1", { params: [1] });
    const [record] = audit.statements;
    expect(record).toMatchObject({
      actor: "ann",
      session: 1,
      sql: "SELECT id, subject FROM mail WHERE id = $1",
      statement: "SELECT",
      status: "ok",
      command: "SELECT 1",
      relations: [{ relation: "public.mail", access: "read", op: "select", calls: 1 }],
      rows: 1,
      characters: JSON.stringify([{ id: 1, subject: "héllo" }]).length,
      tokens: 7,
      planHash: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
    expect(audit.calls).toMatchObject([
      {
        statementId: record.id,
        relation: "public.mail",
        op: "select",
        arguments: { id: [1] },
        status: "answered",
        rows: 2,
      },
    ]);
  });

  test.each([
    { name: "a text that is no statement", sql: "SELEC 1", statement: "", code: "42601" },
    { name: "an unknown column", sql: "SELECT nope FROM mail", statement: "", code: "42703" },
    { name: "an empty text", sql: "", statement: "", code: "42601" },
    { name: "an error of a value", sql: "SELECT subject::int FROM mail", statement: "SELECT", code: "22P02" },
    { name: "a definition", sql: "DROP TABLE mail", statement: "", code: "42501" },
  ])("$name is recorded as failed", async ({ sql, statement, code }) => {
    const { db, audit } = await world();
    await expect(db.execute(sql)).rejects.toMatchObject({ code });
    expect(audit.statements).toMatchObject([{ sql, statement, status: "failed", error: { code }, rows: 0 }]);
  });

  test("what is no text is recorded too", async () => {
    const { db, audit } = await world();
    await expect(db.execute(17 as unknown as string)).rejects.toMatchObject({ code: "42601" });
    expect(audit.statements).toMatchObject([{ sql: "", status: "failed", error: { code: "42601" } }]);
  });

  test("each statement of a script has a record; the effects are COMMIT's", async () => {
    const { db, audit } = await world();
    await db.execute("BEGIN; INSERT INTO mail (id, subject) VALUES (7, 'x'); DELETE FROM mail WHERE id = 2; COMMIT");
    expect(
      audit.statements.map(({ statement, command, staged, receipts }) => [
        statement,
        command,
        staged,
        receipts?.length,
      ]),
    ).toEqual([
      ["BEGIN", "BEGIN", 0, undefined],
      ["INSERT", "INSERT 0 1", 1, undefined],
      ["DELETE", "DELETE 1", 2, undefined],
      ["COMMIT", "COMMIT", undefined, 2],
    ]);
    const commit = audit.statements[3];
    expect(audit.calls).toMatchObject([
      { statementId: commit.id, op: "insert", arguments: { rows: [{ id: 7, subject: "x" }] }, status: "fired" },
      { statementId: commit.id, op: "delete", arguments: { match: { id: 2 } }, status: "fired" },
    ]);
  });

  test("a write at once has its receipt, a failed one too", async () => {
    const recorder = new Recorder();
    const audit = new Collected();
    const db = await Database.create({ policy: { writes: true }, audit });
    db.register(
      recorder.resource({
        name: "note",
        columns: [{ name: "id", type: "bigint" }],
        primaryKey: ["id"],
        verbs: ["insert"],
        failAt: 2,
      }),
    );
    await expect(db.execute("INSERT INTO note VALUES (1), (2), (3)")).rejects.toMatchObject({ code: "HV000" });
    expect(audit.statements[0]).toMatchObject({
      status: "failed",
      receipts: [{ status: "fired" }, { status: "failed" }, { status: "not_tried" }],
    });
    expect(audit.calls.map((call) => call.status)).toEqual(["fired", "failed"]);
    expect(audit.statements[0]).not.toHaveProperty("actor");
  });

  test("statements that run alike have one plan hash, others another", async () => {
    const { db, audit } = await world();
    for (const sql of ["SELECT id FROM mail", "select  ID  from MAIL", "SELECT subject FROM mail WHERE id > 1"])
      await db.execute(sql);
    const [a, b, c] = audit.statements.map((record) => record.planHash);
    expect(a).toBe(b);
    expect(a).not.toBe(c);
  });
});

describe("values with a label stay out of the records", () => {
  test("arguments, predicates, written values and parameters", async () => {
    const { db, audit } = await world();
    await db.execute("SELECT id FROM mail WHERE token = $1", { params: ["s3cr3t"] });
    await db.execute("INSERT INTO mail (id, token) VALUES (9, 'n3w')");
    await db.execute("UPDATE mail SET token = $1 WHERE id = 1", { params: ["ch4nged"] });
    expect(audit.calls[0].arguments).toEqual({ token: "[redacted]" });
    expect(audit.statements[0].params).toEqual(["[redacted]"]);
    expect(audit.calls[1].arguments).toEqual({ rows: [{ id: 9, token: "[redacted]" }] });
    expect(audit.calls[2].arguments).toEqual({ set: { token: "[redacted]" }, match: { id: 1 } });
    const calls = await db.execute("SELECT bindings, written FROM scratchpad.calls ORDER BY at");
    expect(JSON.stringify(calls.rows)).not.toMatch(/s3cr3t|n3w|ch4nged/);
  });
});

describe("scratchpad.statements and scratchpad.calls", () => {
  test("show a principal its own statements", async () => {
    const { db } = await world();
    const bob = db.session({ actor: "bob" });
    await bob.execute("SELECT 1 AS one");
    await expect(bob.execute("SELECT 1/0")).rejects.toThrow();
    const own = await bob.execute(
      "SELECT sql, status, error->>'code' AS code, session FROM scratchpad.statements ORDER BY at",
    );
    expect(own.rows).toEqual([
      { sql: "SELECT 1 AS one", status: "ok", code: null, session: 2 },
      { sql: "SELECT 1/0", status: "failed", code: "22012", session: 2 },
    ]);
    expect((await db.execute("SELECT count(*) AS n FROM scratchpad.statements")).rows).toEqual([{ n: 0 }]);
  });

  test("calls of writes stand beside those of reads", async () => {
    const { db } = await world();
    await db.execute("UPDATE mail SET subject = 'new' WHERE id = 2");
    const { rows } = await db.execute("SELECT relation, op, bindings, written, status FROM scratchpad.calls");
    expect(rows).toEqual([
      { relation: "mail", op: "update", bindings: { id: [2] }, written: { subject: "new" }, status: "answered" },
    ]);
  });
});

describe("a sink that fails", () => {
  test("fails the statement, and says what was fired", async () => {
    const audit: AuditSink = {
      write: (record) => {
        if (record.kind === "statement") throw new Error("the disk is full");
      },
    };
    const { db, recorder } = await world({ audit });
    const error = await db.execute("INSERT INTO mail (id) VALUES (5)").catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(SqlError);
    expect(error).toMatchObject({ code: "58030", receipts: [{ status: "fired", op: "insert" }] });
    expect((error as SqlError).detail).toBe("the disk is full.");
    expect(recorder.take()).toHaveLength(1);
  });

  test("one that does not take a call's record does so too, without an unhandled rejection", async () => {
    const audit: AuditSink = {
      write: (record) => (record.kind === "call" ? Promise.reject(new Error("gone")) : undefined),
    };
    const { db } = await world({ audit });
    await expect(db.execute("SELECT * FROM mail")).rejects.toMatchObject({ code: "58030", detail: "gone." });
  });

  test("one that refuses the beginning keeps the statement from running", async () => {
    const audit: AuditSink = {
      begin: () => {
        throw new Error("no auditor");
      },
      write: () => undefined,
    };
    const { db, recorder } = await world({ audit });
    await expect(db.execute("INSERT INTO mail (id) VALUES (5)")).rejects.toMatchObject({ code: "58030" });
    expect(recorder.take()).toEqual([]);
  });
});

describe("closing", () => {
  /** Notes when it is closed, and fails at it where it has words to fail with. */
  function sink(name: string, closed: string[], failure?: Error): AuditSink {
    return {
      write: () => undefined,
      close: async () => {
        closed.push(name);
        if (failure !== undefined) throw failure;
      },
    };
  }

  test("closes the sinks behind one that fails", async () => {
    const closed: string[] = [];
    const full = new Error("disk full");
    const { db } = await world({ audit: [sink("a", closed, full), sink("b", closed)] });
    await expect(db.close()).rejects.toBe(full);
    expect(closed).toEqual(["a", "b"]);
  });

  test("tells of all that fail", async () => {
    const closed: string[] = [];
    const failures = [new Error("disk full"), new Error("no network")];
    const { db } = await world({
      audit: [sink("a", closed, failures[0]), sink("b", closed), sink("c", closed, failures[1])],
    });
    const error = await db.close().then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(AggregateError);
    expect((error as AggregateError).errors).toEqual(failures);
    expect(closed).toEqual(["a", "b", "c"]);
  });
});
