/** What a process left in doubt: listed, sent again once where that is safe, settled by hand. */
import { afterEach, describe, expect, test } from "vitest";
import type { Journal, JournalEntry } from "../../../src/index.js";
import { entriesOf, intent, type JournalPlace, kinds, outcome, written } from "./kinds.js";
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

const big = { $: ["bigint", "9007199254740993"] };

/** What a killed process left: one of each. */
const left: readonly JournalEntry[] = [
  intent("fired"),
  outcome("fired"),
  intent("open", { actor: "ann", arguments: { rows: [{ id: 2, subject: "é", meta: { a: [1, null] } }] } }),
  intent("failed"),
  outcome("failed", { status: "failed", error: { code: "HV000", message: "no" } }),
  intent("unanswered", { op: "update", arguments: { set: { subject: null }, match: { id: big } } }),
  outcome("unanswered", { status: "unknown", error: { code: "40003", message: "no answer; it may have happened" } }),
  intent("not tried", { op: "delete", arguments: { match: { id: 3 } } }),
  outcome("not tried", { status: "not_tried" }),
  intent("again", { op: "delete", arguments: { match: { id: 4 } } }),
  outcome("again", { status: "unknown" }),
  intent("again", { number: 2, attempt: 2, op: "delete", arguments: { match: { id: 4 } } }),
  outcome("again", { number: 3, attempt: 2, status: "failed" }),
  intent("elsewhere", { resource: "gone", op: "insert" }),
];
const inDoubt = ["open", "unanswered", "again", "elsewhere"];

describe.each(kinds)("$name", ({ place: makePlace, isShared }) => {
  async function crashed(entries = left): Promise<JournalPlace> {
    const place = await makePlace();
    places.push(place);
    await written(place, entries);
    return place;
  }

  test("everything in doubt is listed in order, with what it was; nothing is called", async () => {
    const { db, calls } = await world({ journal: (await crashed()).open() });
    const receipts = await db.recover();
    expect(receipts.map(({ idempotencyKey }) => idempotencyKey)).toEqual(inDoubt);
    expect(receipts).toEqual([
      {
        id: 1,
        schema: "public",
        resource: "mail",
        op: "insert",
        status: "unknown",
        idempotencyKey: "open",
        actor: "ann",
        at: "2026-01-02T03:04:05.678Z",
        idempotent: false,
        arguments: { rows: [{ id: 2, subject: "é", meta: { a: [1, null] } }] },
        error: {
          code: "40003",
          message:
            "it was about to be sent at 2026-01-02T03:04:05.678Z, and no outcome was written; it may have happened",
        },
      },
      expect.objectContaining({
        id: 2,
        op: "update",
        arguments: { set: { subject: null }, match: { id: 9007199254740993n } },
        error: {
          code: "40003",
          message: "it was sent at 2026-01-02T03:04:05.678Z: no answer; it may have happened",
        },
      }),
      expect.objectContaining({ id: 3, op: "delete", arguments: { match: { id: 4 } } }),
      expect.objectContaining({ id: 4, resource: "gone" }),
    ]);
    expect(calls).toEqual([]);
    expect((await db.recover()).map(({ idempotencyKey }) => idempotencyKey)).toEqual(inDoubt);
  });

  test("refire: only verbs that are idempotent and registered, once, under their keys and for their actors", async () => {
    const place = await crashed();
    const { db, calls } = await world({
      journal: place.open(),
      table: { idempotent: ["insert", "update"] },
      answer: (_, number) => ({ sent: number }),
    });
    const receipts = await db.recover({ refire: true });
    expect(calls).toEqual([
      { op: "insert", rows: [{ id: 2, subject: "é", meta: { a: [1, null] } }], key: "open", actor: "ann" },
      { op: "update", set: { subject: null }, match: { id: [9007199254740993n] }, key: "unanswered" },
    ]);
    expect(receipts.map(({ status, idempotent, result }) => [status, idempotent, result])).toEqual([
      ["fired", true, { sent: 1 }],
      ["fired", true, { sent: 2 }],
      ["unknown", false, undefined],
      ["unknown", false, undefined],
    ]);
    expect(receipts[2].error?.message).toContain("It was not sent again: delete is not declared idempotent");
    expect(receipts[3].error?.message).toContain("It was not sent again: its table is not registered");
    expect((await db.recover({ refire: true })).map(({ idempotencyKey }) => idempotencyKey)).toEqual([
      "again",
      "elsewhere",
    ]);
    expect(calls).toHaveLength(2);
  });

  test("a refired one that fails stays in doubt: the first attempt may have happened", async () => {
    const { db, calls } = await world({
      journal: (await crashed([intent("a"), intent("b", { arguments: { rows: [{ id: 2 }] } })])).open(),
      table: { idempotent: ["insert"], retry: { retries: 0 } },
      answer: ({ key }) => {
        if (key === "a") throw new Error("mailbox full");
      },
    });
    const receipts = await db.recover({ refire: true });
    expect(receipts).toMatchObject([
      { status: "unknown", error: { code: "40003", message: expect.stringContaining("mailbox full") } },
      { status: "fired" },
    ]);
    expect(calls).toHaveLength(2);
    expect(await db.recover()).toMatchObject([{ idempotencyKey: "a", status: "unknown" }]);
  });

  test("several recover at once: each effect is sent once", async () => {
    const place = await crashed(Array.from({ length: 6 }, (_, i) => intent(`k${i}`)));
    const options = {
      table: { idempotent: ["insert" as const] },
      answer: () => new Promise((resolve) => setTimeout(resolve, 5)),
    };
    const journal = place.open();
    // Where processes share the journal each has its own, otherwise the databases of one process do.
    const all: MailWorld[] = [];
    for (let i = 0; i < 3; i++) all.push(await world({ journal: isShared ? place.open() : journal, ...options }));
    const results = await Promise.all(all.map(({ db }) => db.recover({ refire: true })));
    const keys = all.flatMap((each) => each.keys());
    expect([...keys].sort()).toEqual(["k0", "k1", "k2", "k3", "k4", "k5"]);
    for (const receipts of results) for (const { status } of receipts) expect(status).toBe("fired");
  });

  test("settled by hand: as fired it is never sent again, as failed it may be", async () => {
    const place = await crashed();
    const { db } = await world({ journal: place.open() });
    await db.settle("open", "fired", { result: { id: 77n } });
    await db.settle("unanswered", "failed", { reason: "not in the outbox" });
    await db.settle("elsewhere", "failed");
    expect((await db.recover()).map(({ idempotencyKey }) => idempotencyKey)).toEqual(["again"]);
    expect(await failure(db.settle("open", "failed"))).toMatchObject({
      code: "55000",
      message: 'the write with the idempotency key "open" is not in doubt: it has fired already',
    });
    expect(await failure(db.settle("nothing", "fired"))).toMatchObject({ code: "P0002" });
    expect(await failure(db.settle("again", "unknown" as "fired"))).toMatchObject({ code: "22023" });
    const entries = (await allEntries(place, isShared, db)).filter((entry) => entry.kind === "outcome");
    expect(entries.slice(-3)).toMatchObject([
      { idempotencyKey: "open", status: "fired", settledBy: "host", result: { id: "77" } },
      { status: "failed", error: { message: "not in the outbox" } },
      { status: "failed" },
    ]);
  });

  async function allEntries(place: JournalPlace, shared: boolean, db: MailWorld["db"]): Promise<JournalEntry[]> {
    if (!shared) await db.close();
    const journal: Journal = place.open();
    try {
      return await entriesOf(journal);
    } finally {
      await journal.close();
    }
  }

  test("an effect that is being sent is not in doubt", async () => {
    const place = await crashed([]);
    let release = (_: unknown): void => undefined;
    const held = new Promise((resolve) => {
      release = resolve;
    });
    let called = (_: unknown): void => undefined;
    const sending = new Promise((resolve) => {
      called = resolve;
    });
    const journal = place.open();
    const first = await world({
      journal,
      answer: () => {
        called(undefined);
        return held;
      },
    });
    const second = await world({ journal: isShared ? place.open() : journal });
    const running = first.db.execute("INSERT INTO mail (id) VALUES (1)");
    await sending;
    expect(await first.db.recover()).toEqual([]);
    expect(await second.db.recover()).toEqual([]);
    const [key] = first.keys();
    expect(await failure(second.db.settle(key, "failed"))).toMatchObject({
      code: "55000",
      message: expect.stringContaining("is being sent"),
    });
    release(undefined);
    await running;
    expect(await second.db.recover()).toEqual([]);
  });
});

describe("the policy", () => {
  test.each([
    { name: "read-only", policy: {}, rule: "policy.writes" },
    {
      name: "without the verb",
      policy: { writes: true, tables: { "ma*": { verbs: ["select" as const] } } },
      rule: 'policy.tables["ma*"].verbs',
    },
    { name: "a denied table", policy: { writes: true, relations: { deny: ["mail"] } }, rule: "policy.relations.deny" },
  ])("$name: nothing is sent again", async ({ policy, rule }) => {
    const place = (await kinds[0].place()) as JournalPlace;
    await written(place, [intent("a")]);
    const { db, calls } = await world({ journal: place.open(), policy, table: { idempotent: ["insert"] } });
    const [receipt] = await db.recover({ refire: true });
    expect(receipt).toMatchObject({ status: "unknown", idempotent: false });
    expect(receipt.error?.message).toContain(rule);
    expect(calls).toEqual([]);
  });
});

test("recovering is in the audit", async () => {
  const place = await kinds[0].place();
  await written(place, [intent("a", { actor: "ann" })]);
  const { db } = await world({ journal: place.open(), table: { idempotent: ["insert"] } });
  await db.recover({ refire: true });
  const { rows } = await db.execute("SELECT statement, status FROM scratchpad.statements", { actor: "ann" });
  expect(rows).toContainEqual({ statement: "RECOVER", status: "ok" });
});

test("a closed database recovers nothing", async () => {
  const { db } = await mailWorld();
  await db.close();
  expect(await failure(db.recover())).toMatchObject({ code: "08003" });
});
