/** `idempotencyKey` of execute: repeating it sends only what has surely not happened. */
import { afterEach, describe, expect, test, vi } from "vitest";
import { ResourceError } from "../../../src/index.js";
import { entriesOf, type JournalPlace, kinds, written } from "./kinds.js";
import { failure, type MailWorld, mailWorld } from "./mail-world.js";

const places: JournalPlace[] = [];
const worlds: MailWorld[] = [];
afterEach(async () => {
  for (const { db } of worlds.splice(0)) await db.close();
  for (const place of places.splice(0)) await place.remove();
});

async function world(options: Parameters<typeof mailWorld>[0]): Promise<MailWorld> {
  const made = await mailWorld(options);
  worlds.push(made);
  return made;
}

const insert = "INSERT INTO mail (id, subject) VALUES (1, 'a'), (2, 'b')";

describe.each(kinds)("$name", ({ place: makePlace }) => {
  async function makeOne(): Promise<JournalPlace> {
    const place = await makePlace();
    places.push(place);
    return place;
  }

  test("repeated in the same process: nothing is sent again, RETURNING answers from the journal", async () => {
    const { db, calls, keys } = await world({
      journal: (await makeOne()).open(),
      answer: (_, number) => ({ id: number, subject: `answer ${number}`, meta: { n: 9007199254740993n } }),
    });
    const sql = `${insert} RETURNING subject, meta`;
    const first = await db.execute(sql, { idempotencyKey: "request-1" });
    expect(keys()).toEqual(["request-1#1", "request-1#2"]);
    const again = await db.execute(sql, { idempotencyKey: "request-1" });
    expect(calls).toHaveLength(2);
    expect(again.rows.map(({ subject }) => subject)).toEqual(["answer 1", "answer 2"]);
    expect(again.rows).toHaveLength(first.rows.length);
    expect(again.receipts).toMatchObject([
      { status: "fired", replayed: true, result: { subject: "answer 1" }, idempotencyKey: "request-1#1" },
      { status: "fired", replayed: true, result: { subject: "answer 2" } },
    ]);
    expect(again.receipts?.[0]).not.toHaveProperty("durationMs");
    expect(again.notices).toContainEqual({
      severity: "NOTICE",
      code: "00000",
      message: 'INSERT on "mail" and 1 more had fired before under the same idempotency key and was not sent again',
    });
    await db.execute(sql, { idempotencyKey: "request-2" });
    expect(calls).toHaveLength(4);
  });

  test("repeated by another process", async () => {
    const place = await makeOne();
    const script = "BEGIN; INSERT INTO mail (id) VALUES (1); UPDATE mail SET subject = 'x' WHERE id = 1; COMMIT";
    const first = await mailWorld({ journal: place.open() });
    await first.db.execute(script, { idempotencyKey: "k" });
    expect(first.keys()).toEqual(["k#1", "k#2"]);
    await first.db.close();
    const second = await world({ journal: place.open() });
    const { receipts } = await second.db.execute(script, { idempotencyKey: "k" });
    expect(second.calls).toEqual([]);
    expect(receipts?.map(({ status, replayed }) => [status, replayed])).toEqual([
      ["fired", true],
      ["fired", true],
    ]);
  });

  test("what failed is sent again, what fired before it is not", async () => {
    let full = true;
    const { db, keys } = await world({
      journal: (await makeOne()).open(),
      answer: ({ rows }) => {
        if (full && rows?.[0].id === 2) throw new ResourceError("mailbox full", { retryable: true });
      },
    });
    const error = await failure(db.execute(insert, { idempotencyKey: "k" }));
    expect(error.receipts?.map(({ status }) => status)).toEqual(["fired", "failed"]);
    full = false;
    const { receipts } = await db.execute(insert, { idempotencyKey: "k" });
    expect(receipts?.map(({ status, replayed }) => [status, replayed])).toEqual([
      ["fired", true],
      ["fired", undefined],
    ]);
    expect(keys()).toEqual(["k#1", "k#2", "k#2"]);
  });

  test.each([
    { name: "another value", sql: "INSERT INTO mail (id, subject) VALUES (1, 'a'), (2, 'B')", at: "k#2" },
    { name: "another order", sql: "INSERT INTO mail (id, subject) VALUES (2, 'b'), (1, 'a')", at: "k#1" },
    { name: "another verb", sql: "DELETE FROM mail WHERE id = 1", at: "k#1" },
    { name: "a text for NULL", sql: "INSERT INTO mail (id, subject) VALUES (1, 'null'), (2, 'b')", at: "k#1" },
    { name: "a column more", sql: "INSERT INTO mail (id, subject, meta) VALUES (1, 'a', NULL)", at: "k#1" },
    { name: "another actor", sql: insert, actor: "bob", at: "k#1" },
  ])("the same key for $name is refused before anything is sent", async ({ sql, actor, at }) => {
    const { db, calls } = await world({ journal: (await makeOne()).open(), actor: "ann" });
    await db.execute(insert, { idempotencyKey: "k" });
    const error = await failure(db.execute(sql, { idempotencyKey: "k", ...(actor !== undefined && { actor }) }));
    expect(error).toMatchObject({
      code: "22023",
      message: expect.stringContaining("was used for another write"),
      detail: expect.stringContaining(JSON.stringify(at)),
    });
    expect(calls).toHaveLength(2);
  });

  test("an effect in doubt is not sent again, nor what comes after it", async () => {
    const place = await makeOne();
    const first = await mailWorld({ journal: place.open() });
    await first.db.execute(insert, { idempotencyKey: "k" });
    const entries = await reopenedEntries(place, first);
    // The same as it would be, had the process been killed during the second call.
    const crashed = await makeOne();
    await written(crashed, entries.slice(0, 3));
    const second = await world({ journal: crashed.open() });
    const error = await failure(second.db.execute(`${insert}, (3, 'c')`, { idempotencyKey: "k" }));
    expect(error).toMatchObject({
      code: "40003",
      message: 'INSERT on "mail" gave no answer',
      detail: expect.stringContaining("no outcome was written; it may have happened"),
    });
    expect(error.receipts?.map(({ status, replayed }) => [status, replayed])).toEqual([
      ["fired", true],
      ["unknown", undefined],
      ["not_tried", undefined],
    ]);
    expect(second.calls).toEqual([]);
    // The host has looked: it did not happen.
    await second.db.settle("k#2", "failed");
    await second.db.execute(`${insert}, (3, 'c')`, { idempotencyKey: "k" });
    expect(second.keys()).toEqual(["k#2", "k#3"]);
  });

  test("an effect in doubt whose verb is idempotent is sent again under its key", async () => {
    const place = await makeOne();
    const first = await mailWorld({ journal: place.open() });
    await first.db.execute(insert, { idempotencyKey: "k" });
    const crashed = await makeOne();
    await written(crashed, (await reopenedEntries(place, first)).slice(0, 3));
    const second = await world({ journal: crashed.open(), table: { idempotent: ["insert"] } });
    const { receipts } = await second.db.execute(insert, { idempotencyKey: "k" });
    expect(receipts?.map(({ status, replayed }) => [status, replayed])).toEqual([
      ["fired", true],
      ["fired", undefined],
    ]);
    expect(second.keys()).toEqual(["k#2"]);
    expect(await second.db.recover()).toEqual([]);
  });

  test("executed twice at once: one sends, the other waits and sees it", async () => {
    const { db, calls } = await world({
      journal: (await makeOne()).open(),
      answer: () => new Promise((resolve) => setTimeout(resolve, 30)),
    });
    const results = await Promise.all(
      Array.from({ length: 4 }, () => db.session().execute(insert, { idempotencyKey: "k" })),
    );
    expect(calls).toHaveLength(2);
    const replayed = results.map(
      ({ receipts }) => receipts?.filter((receipt) => receipt.replayed === true).length ?? 0,
    );
    expect(replayed.reduce((sum, count) => sum + count)).toBe(6);
  });
});

/** What a closed database has left behind. */
async function reopenedEntries(place: JournalPlace, { db }: MailWorld) {
  await db.close();
  const journal = place.open();
  const entries = await entriesOf(journal);
  await journal.close();
  return entries;
}

describe("keys", () => {
  test.each([
    { name: "empty", key: "" },
    { name: "with a space", key: "a b" },
    { name: "with a line end", key: "a\n" },
    { name: "not ASCII", key: "é" },
    { name: "too long", key: "k".repeat(201) },
    { name: "no text", key: 7 },
    { name: "null", key: null },
    { name: "an object", key: { toString: () => "k" } },
  ])("$name is refused before anything runs", async ({ key }) => {
    const { db, calls } = await world({});
    const error = await failure(db.execute("INSERT INTO mail (id) VALUES (1)", { idempotencyKey: key as string }));
    expect(error).toMatchObject({ code: "22023", message: expect.stringContaining("idempotencyKey") });
    expect(calls).toEqual([]);
  });

  test("no two keys of the host give one key of an effect", async () => {
    const { db, keys } = await world({});
    for (const idempotencyKey of ["a", "a#1", "a#commit1", "a#", "k".repeat(200)])
      await db.execute("INSERT INTO mail (id) VALUES (1), (2)", { idempotencyKey });
    expect(new Set(keys()).size).toBe(10);
  });

  test("a transaction across calls: staged under the key of their call, the rest under that of COMMIT", async () => {
    const { db, keys } = await world({});
    const transaction = async () => {
      await db.execute("BEGIN");
      await db.execute("INSERT INTO mail (id) VALUES (1), (2)", { idempotencyKey: "first" });
      const { staged } = await db.execute("INSERT INTO mail (id) VALUES (3)");
      expect(staged?.map(({ idempotencyKey }) => idempotencyKey).slice(0, 2)).toEqual(["first#1", "first#2"]);
      return db.execute("COMMIT", { idempotencyKey: "end" });
    };
    await transaction();
    expect(keys()).toEqual(["first#1", "first#2", "end#commit3"]);
    const { receipts } = await transaction();
    expect(keys()).toHaveLength(3);
    expect(receipts?.every((receipt) => receipt.replayed === true)).toBe(true);
  });

  const rowsBefore = [
    { id: 7, subject: "a", meta: null },
    { id: 8, subject: "b", meta: null },
  ];

  test.each([
    { name: "an insert", sql: "INSERT INTO mail (id, subject) VALUES (1, 'a'), (2, 'b') RETURNING id", n: 2 },
    { name: "an update of what it reads", sql: "UPDATE mail SET subject = subject || '!' WHERE id = 7", n: 1 },
    { name: "a delete", sql: "DELETE FROM mail WHERE id = 7 RETURNING subject", n: 1 },
    { name: "a new key for a row", sql: "INSERT INTO mail SELECT id + 1, subject FROM mail WHERE id = 8", n: 1 },
    {
      name: "a script, each statement of which sees the one before",
      sql: "INSERT INTO mail VALUES (1, 'a'); UPDATE mail SET subject = subject || '!' WHERE id = 1; SELECT 1",
      n: 2,
    },
    {
      name: "a script that begins with a write of nothing",
      sql: "DELETE FROM mail WHERE subject = 'new'; INSERT INTO mail VALUES (1, 'new')",
      n: 1,
    },
    { name: "EXPLAIN ANALYZE", sql: "EXPLAIN (ANALYZE, TIMING OFF) DELETE FROM mail WHERE id = 7", n: 1 },
    { name: "a parameter", sql: "INSERT INTO mail VALUES ($1::bigint, 'a')", params: [1], n: 1 },
  ])("staged again under one key, $name is staged once", async ({ sql, params, n }) => {
    const { db, calls } = await world({ table: { select: () => rowsBefore } });
    const options = { idempotencyKey: "k", ...(params !== undefined && { params }) };
    await db.execute("BEGIN");
    const first = await db.execute(sql, options);
    expect(first.staged).toHaveLength(n);
    await db.execute("INSERT INTO mail VALUES (100, 'another')");
    const again = await db.execute(sql, options);
    expect(again.staged).toHaveLength(n + 1);
    expect(again.staged?.slice(0, n)).toEqual(first.staged);
    if (!sql.startsWith("EXPLAIN")) expect(again.rows).toEqual(first.rows);
    expect(again.rowCount).toBe(first.rowCount);
    expect(again.notices).toContainEqual({
      severity: "NOTICE",
      code: "00000",
      message: expect.stringContaining("had been staged before under the same idempotency key"),
    });
    // A read sees all that is staged, whatever its key.
    const seen = "SELECT count(*)::int AS n FROM mail WHERE id = 100";
    expect((await db.execute(seen, { idempotencyKey: "k" })).rows).toEqual([{ n: 1 }]);
    const { receipts } = await db.execute("COMMIT");
    expect(receipts?.map(({ replayed }) => replayed)).toEqual(Array.from({ length: n + 1 }));
    expect(calls).toHaveLength(n + 1);
  });

  test.each([
    { name: "other values", sql: "INSERT INTO mail VALUES (6, 'a')" },
    { name: "other parameters", sql: "INSERT INTO mail VALUES ($1::bigint, 'a')", params: [6] },
    // Without its refusal it would look for the row in a transaction where it is not staged yet.
    { name: "a write of the row that was staged", sql: "UPDATE mail SET subject = 'b' WHERE id = 5" },
    { name: "a write of nothing", sql: "DELETE FROM mail WHERE id = 77" },
  ])("$name under the key of a staged write are refused at once", async ({ sql, params }) => {
    const { db, calls } = await world({ table: { select: () => rowsBefore } });
    await db.execute("BEGIN");
    await db.execute("INSERT INTO mail VALUES ($1::bigint, 'a')", { params: [5], idempotencyKey: "k" });
    const error = await failure(db.execute(sql, { idempotencyKey: "k", ...(params !== undefined && { params }) }));
    expect(error).toMatchObject({
      code: "22023",
      message: 'the idempotency key of INSERT on "mail" was used for another write',
      detail: 'The open transaction has another one as "k#1". Nothing was staged.',
    });
    expect((await db.execute("COMMIT")).command).toBe("ROLLBACK");
    expect(calls).toEqual([]);
  });

  test("what reads other rows the second time is another write", async () => {
    let rows = rowsBefore;
    const { db } = await world({ table: { select: () => rows } });
    const sql = "UPDATE mail SET subject = subject || '!' WHERE id = 7";
    await db.execute("BEGIN");
    await db.execute(sql, { idempotencyKey: "k" });
    rows = [{ id: 7, subject: "changed meanwhile", meta: null }];
    expect(await failure(db.execute(sql, { idempotencyKey: "k" }))).toMatchObject({
      code: "22023",
      message: 'the idempotency key of UPDATE on "mail" was used for another write',
    });
  });

  test.each([
    { name: "without keys", keys: [undefined, undefined] },
    { name: "under two keys", keys: ["a", "b"] },
    { name: "under one key, then without", keys: ["a", undefined] },
  ])("two rows of one key are a duplicate: $name", async ({ keys: given }) => {
    const { db } = await world({});
    const add = (idempotencyKey: string | undefined) =>
      db.execute("INSERT INTO mail (id) VALUES (1)", idempotencyKey === undefined ? {} : { idempotencyKey });
    await db.execute("BEGIN");
    await add(given[0]);
    expect(await failure(add(given[1]))).toMatchObject({ code: "23505" });
    await db.execute("ROLLBACK");
    const twice = "INSERT INTO mail (id) VALUES (1); INSERT INTO mail (id) VALUES (1)";
    await db.execute("BEGIN");
    expect(await failure(db.execute(twice, { idempotencyKey: "k" }))).toMatchObject({ code: "23505" });
  });

  test("what a ROLLBACK TO took back is staged again", async () => {
    const { db, keys } = await world({});
    const sql = "INSERT INTO mail (id) VALUES (1); SAVEPOINT s; INSERT INTO mail (id) VALUES (2)";
    await db.execute("BEGIN");
    await db.execute(sql, { idempotencyKey: "k" });
    await db.execute("ROLLBACK TO s");
    const { staged } = await db.execute(sql, { idempotencyKey: "k" });
    expect(staged?.map(({ idempotencyKey }) => idempotencyKey)).toEqual(["k#1", "k#2"]);
    await db.execute("COMMIT");
    expect(keys()).toEqual(["k#1", "k#2"]);
  });

  test("without a key the same statement is another write", async () => {
    const { db, keys } = await world({});
    await db.execute(insert);
    await db.execute(insert);
    expect(new Set(keys()).size).toBe(4);
  });

  test("an answer too large for the journal: the repeated RETURNING shows what was written, and says so", async () => {
    const { db } = await world({ answer: () => ({ subject: "x".repeat(70_000) }) });
    const sql = "INSERT INTO mail (id, subject) VALUES (1, 'as written') RETURNING length(subject) AS n";
    expect((await db.execute(sql, { idempotencyKey: "k" })).rows).toEqual([{ n: 70_000 }]);
    const again = await db.execute(sql, { idempotencyKey: "k" });
    expect(again.rows).toEqual([{ n: 10 }]);
    expect(again.notices).toMatchObject([
      { code: "00000", hint: expect.stringContaining("RETURNING shows what was written") },
    ]);
  });

  test("the statement's time is over while another one sends it: in doubt, and not sent a second time", async () => {
    let release = (_: unknown): void => undefined;
    const held = new Promise((resolve) => {
      release = resolve;
    });
    const { db, calls } = await world({ answer: () => held });
    const first = db.session().execute("INSERT INTO mail (id) VALUES (1)", { idempotencyKey: "k" });
    await vi.waitFor(() => expect(calls).toHaveLength(1));
    const error = await failure(
      db.session().execute("INSERT INTO mail (id) VALUES (1)", { idempotencyKey: "k", timeoutMs: 60 }),
    );
    expect(error).toMatchObject({ code: "40003", receipts: [{ status: "unknown" }] });
    release(undefined);
    expect((await first).receipts).toMatchObject([{ status: "fired" }]);
    expect(calls).toHaveLength(1);
  });
});
