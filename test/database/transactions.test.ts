/** Writes: when they fire, what they are called with, what a failure leaves behind. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { Database, defineResource, SqlError } from "../../src/index.js";
import { prWorld } from "../support/pr-world.js";

describe("a write outside a transaction", () => {
  test.each([
    {
      name: "INSERT: one call a row",
      sql: "INSERT INTO emails (to_addr, subject) VALUES ('a@x', 's1'), ('b@x', 's2')",
      command: "INSERT 0 2",
      calls: [
        { table: "emails", op: "insert", rows: [{ to_addr: "a@x", subject: "s1" }] },
        { table: "emails", op: "insert", rows: [{ to_addr: "b@x", subject: "s2" }] },
      ],
    },
    {
      name: "INSERT … SELECT",
      sql: "INSERT INTO emails (to_addr, subject) SELECT author, title FROM pr WHERE merged AND base = 'main'",
      command: "INSERT 0 1",
      calls: [
        { table: "pr", args: { merged: [true], base: ["main"] } },
        { table: "emails", op: "insert", rows: [{ to_addr: "ann", subject: "Fix login" }] },
      ],
    },
    {
      name: "UPDATE by key goes straight to the call",
      sql: "UPDATE pr SET title = 'New' WHERE id = 2",
      command: "UPDATE 1",
      calls: [{ table: "pr", op: "update", set: { title: "New" }, args: { id: [2] } }],
    },
    {
      name: "UPDATE of several keys",
      sql: "UPDATE pr SET merged = true WHERE id IN (2, 3)",
      command: "UPDATE 2",
      calls: [
        { table: "pr", op: "update", set: { merged: true }, args: { id: [2] } },
        { table: "pr", op: "update", set: { merged: true }, args: { id: [3] } },
      ],
    },
    {
      name: "UPDATE with any other WHERE reads first",
      sql: "UPDATE pr SET title = upper(title) WHERE author = 'ann' AND id > 1",
      command: "UPDATE 1",
      calls: [
        { table: "pr", args: { author: ["ann"] } },
        { table: "pr", op: "update", set: { title: "DOCS" }, args: { id: [3] } },
      ],
    },
    {
      name: "DELETE",
      sql: "DELETE FROM pr WHERE base = 'docs'",
      command: "DELETE 1",
      calls: [
        { table: "pr", args: { base: ["docs"] } },
        { table: "pr", op: "delete", args: { id: [3] } },
      ],
    },
    { name: "no row, no call", sql: "DELETE FROM pr WHERE id = NULL", command: "DELETE 0", calls: [] },
  ])("$name", async ({ sql, command, calls }) => {
    const { db, recorder } = await prWorld();
    const result = await db.execute(sql);
    expect(result.command).toBe(command);
    expect(result.staged).toBeUndefined();
    expect(recorder.take()).toEqual(calls);
  });

  test("RETURNING gives the written rows", async () => {
    const { db } = await prWorld();
    const { rows } = await db.execute("INSERT INTO pr (id, title) VALUES (7, 'x') RETURNING id, upper(title) AS t");
    expect(rows).toEqual([{ id: 7, t: "X" }]);
  });

  test("allowWrites: false asks for a transaction", async () => {
    const { db, recorder } = await prWorld();
    const refused = db.execute("DELETE FROM pr WHERE id = 1", { allowWrites: false });
    await expect(refused).rejects.toMatchObject({ code: "42501", hint: expect.stringContaining("BEGIN") });
    await db.execute("BEGIN; DELETE FROM pr WHERE id = 1", { allowWrites: false });
    expect(recorder.take()).toEqual([]);
    await db.execute("COMMIT", { allowWrites: false });
    expect(recorder.take()).toEqual([{ table: "pr", op: "delete", args: { id: [1] } }]);
  });
});

describe("a transaction", () => {
  test("stages, shows, rolls back", async () => {
    const { db, recorder } = await prWorld();
    const begun = await db.execute(
      "BEGIN; INSERT INTO emails (to_addr, subject, body) VALUES ('a@example.org', 'it''s', NULL)",
    );
    expect(begun.staged).toEqual([
      {
        id: 1,
        resource: "emails",
        op: "insert",
        sql: "INSERT INTO emails (to_addr, subject, body) VALUES ('a@example.org', 'it''s', NULL)",
        rows: [{ to_addr: "a@example.org", subject: "it's", body: null }],
        idempotencyKey: expect.any(String),
      },
    ]);
    expect(db.preview()).toEqual(begun.staged);
    expect(db.inTransaction()).toBe(true);
    const listed = await db.execute("SELECT id, op, rows FROM scratchpad.staged_writes");
    expect(listed.rows).toEqual([
      { id: 1, op: "insert", rows: [{ to_addr: "a@example.org", subject: "it's", body: null }] },
    ]);
    await db.execute("ROLLBACK");
    expect(db.inTransaction()).toBe(false);
    expect(recorder.take()).toEqual([]);
  });

  test("commits in order, with a receipt for each", async () => {
    const { db, recorder } = await prWorld();
    const result = await db.execute(
      "BEGIN; DELETE FROM pr WHERE id = 3; UPDATE pr SET title = 't' WHERE id = 1; COMMIT",
    );
    expect(result).toMatchObject({ command: "COMMIT", committed: 2 });
    expect(result.receipts?.map(({ id, op, status }) => ({ id, op, status }))).toEqual([
      { id: 1, op: "delete", status: "fired" },
      { id: 2, op: "update", status: "fired" },
    ]);
    expect(recorder.take().map((call) => call.op)).toEqual(["delete", "update"]);
  });

  test("reads see what is staged", async () => {
    const { db } = await prWorld();
    await db.execute(
      "BEGIN; UPDATE pr SET title = 'changed' WHERE id = 1; DELETE FROM pr WHERE id = 3; INSERT INTO pr (id, title) VALUES (4, 'four')",
    );
    const { rows } = await db.execute("SELECT id, title FROM pr ORDER BY id");
    expect(rows).toEqual([
      { id: 1, title: "changed" },
      { id: 2, title: "Add export" },
      { id: 4, title: "four" },
    ]);
    const other = await db.session().execute("SELECT count(*) AS n FROM pr");
    expect(other.rows).toEqual([{ n: 3 }]);
    await db.execute("ROLLBACK");
    expect((await db.execute("SELECT title FROM pr WHERE id = 1")).rows).toEqual([{ title: "Fix login" }]);
  });

  test("a failing COMMIT stops and tells what became of each write", async () => {
    const { db, recorder } = await prWorld({ policy: { writes: true } }, { emails: { failAt: 2 } });
    await db.execute("BEGIN; INSERT INTO emails (to_addr) VALUES ('a'), ('b'), ('c')");
    const error = (await db.execute("COMMIT").catch((reason: unknown) => reason)) as SqlError;
    expect(error).toBeInstanceOf(SqlError);
    expect(error.code).toBe("HV000");
    expect(error.receipts?.map((receipt) => receipt.status)).toEqual(["fired", "failed", "not_tried"]);
    expect(error.detail).toContain("emails is out of order");
    expect(recorder.take()).toHaveLength(2);
    expect(db.inTransaction()).toBe(false);
  });

  test("an error inside it asks for ROLLBACK", async () => {
    const { db, recorder } = await prWorld();
    await db.execute("BEGIN; DELETE FROM pr WHERE id = 1");
    await expect(db.execute("SELECT 1 / (id - id) FROM pr")).rejects.toMatchObject({ code: "22012" });
    await expect(db.execute("SELECT id FROM pr")).rejects.toMatchObject({ code: "25P02" });
    const ended = await db.execute("COMMIT");
    expect(ended.command).toBe("ROLLBACK");
    expect(recorder.take().filter((call) => call.op !== undefined)).toEqual([]);
  });

  test.each(["COMMIT", "ROLLBACK"])("%s without one is a warning", async (sql) => {
    const { db } = await prWorld();
    const { notices } = await db.execute(sql);
    expect(notices).toEqual([{ severity: "WARNING", code: "25P01", message: "there is no transaction in progress" }]);
  });

  test("a timed-out effect is in doubt", async () => {
    const { db } = await prWorld({ policy: { writes: true } }, { emails: { delayMs: 2_000 } });
    const error = (await db
      .execute("INSERT INTO emails (to_addr) VALUES ('a')", { timeoutMs: 50 })
      .catch((reason: unknown) => reason)) as SqlError;
    expect(error.code).toBe("40003");
    expect(error.receipts?.[0].status).toBe("unknown");
  });
});

describe("the schema of a resource", () => {
  const inserted: unknown[] = [];
  const meetings = defineResource({
    name: "meeting",
    volatility: "stable",
    schema: z.object({ id: z.int(), at: z.date(), room: z.enum(["red", "blue"]), size: z.number().min(1).nullable() }),
    keys: ["id"],
    select: (bindings) => ({
      id: bindings.one("id"),
      at: new Date("2026-01-01T10:00:00Z"),
      room: "red" as const,
      size: null,
    }),
    insert: (rows) => {
      inserted.push(...rows);
      return undefined;
    },
  });

  test("decodes what a verb receives", async () => {
    const db = await Database.create({ policy: { writes: true } });
    db.register(meetings);
    await db.execute("INSERT INTO meeting (id, at, room, size) VALUES (1, '2026-05-01 09:30+02', 'blue', 4)");
    expect(inserted.splice(0)).toEqual([{ id: 1, at: new Date("2026-05-01T07:30:00Z"), room: "blue", size: 4 }]);
  });

  test.each([
    {
      name: "a value the schema refuses",
      values: "(1, now(), 'red', 3), (2, now(), 'red', 0)",
      code: "22023",
      detail: /Row 2/,
    },
    { name: "NULL where there can be none", values: "(1, NULL, 'red', 3)", code: "23502", detail: /row 1/ },
    { name: "a constant that is no label", values: "(1, now(), 'green', 3)", code: "22P02", detail: /'red', 'blue'/ },
  ])("$name fires nothing", async ({ values, code, detail }) => {
    const db = await Database.create({ policy: { writes: true } });
    db.register(meetings);
    await expect(db.execute(`INSERT INTO meeting (id, at, room, size) VALUES ${values}`)).rejects.toMatchObject({
      code,
      detail: expect.stringMatching(detail),
    });
    expect(inserted).toEqual([]);
  });

  test("timestamps come out as ISO 8601", async () => {
    const db = await Database.create();
    db.register(meetings);
    const { rows, fields } = await db.execute("SELECT id, at, room FROM meeting WHERE id = 5");
    expect(rows).toEqual([{ id: 5, at: "2026-01-01T10:00:00.000Z", room: "red" }]);
    expect(fields.map((field) => field.type)).toEqual(["bigint", "timestamp with time zone", "text"]);
  });
});
