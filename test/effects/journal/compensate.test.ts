/** Undoing a write that fired: offered by its receipt, an effect of its own, once only. */
import { afterEach, describe, expect, test } from "vitest";
import { type FiredWrite, memoryJournal, type Receipt, type StagedWriteView } from "../../../src/index.js";
import { entriesOf, intent, type JournalPlace, kinds, outcome } from "./kinds.js";
import { failure, type MailWorld, mailWorld, undoing } from "./mail-world.js";

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

describe.each(kinds)("$name", ({ place: makePlace }) => {
  test("by its receipt, and by its key after a restart; asked twice, it is done once", async () => {
    const place = await makePlace();
    places.push(place);
    const undone: FiredWrite[] = [];
    const table = { compensate: undoing(undone) };
    const first = await mailWorld({ journal: place.open(), table, answer: () => ({ id: 40n }), actor: "ann" });
    const { receipts } = await first.db.execute("INSERT INTO mail (id, subject) VALUES (1, 'a'), (2, 'é')");
    const [one, two] = receipts as Receipt[];
    expect(one.compensable).toBe(true);
    const receipt = await first.db.compensate(one);
    expect(receipt).toMatchObject({
      status: "fired",
      op: "insert",
      idempotencyKey: `${one.idempotencyKey}#undo`,
      compensates: one.idempotencyKey,
      result: { undone: one.idempotencyKey },
    });
    expect(receipt).not.toHaveProperty("compensable");
    expect(undone).toEqual([
      { idempotencyKey: one.idempotencyKey, op: "insert", rows: [{ id: 1, subject: "a" }], result: { id: "40" } },
    ]);
    expect(await first.db.compensate(one)).toMatchObject({ status: "fired", replayed: true });
    await first.db.close();
    const second = await world({ journal: place.open(), table });
    expect(await second.db.compensate(one.idempotencyKey)).toMatchObject({ status: "fired", replayed: true });
    expect(undone).toHaveLength(1);
    await second.db.compensate(JSON.parse(JSON.stringify(two)));
    expect(undone[1]).toMatchObject({ rows: [{ id: 2, subject: "é" }] });
    expect(undone).toHaveLength(2);
  });
});

describe("what can't be undone", () => {
  const cases = [
    {
      name: "a failed write",
      entries: [intent("k"), outcome("k", { status: "failed" })],
      code: "55000",
      words: "has not fired",
    },
    { name: "one in doubt", entries: [intent("k")], code: "55000", words: "has not fired" },
    { name: "what the journal does not know", entries: [], code: "P0002", words: "knows no write" },
    {
      name: "an undoing",
      entries: [intent("k", { compensates: "j" }), outcome("k")],
      code: "55000",
      words: "can't be undone itself",
    },
    {
      name: "a table that is gone",
      entries: [intent("k", { resource: "gone" }), outcome("k")],
      code: "55000",
      words: "not registered",
    },
    {
      name: "a verb without it",
      entries: [intent("k", { op: "delete" as const, arguments: { match: { id: 1 } } }), outcome("k")],
      code: "55000",
      words: "can't be undone",
    },
  ];
  test.each(cases)("$name", async ({ entries, code, words }) => {
    const journal = memoryJournal();
    for (const entry of entries) await journal.append(entry);
    const undone: FiredWrite[] = [];
    const { db } = await world({ journal, table: { compensate: undoing(undone) } });
    const error = await failure(db.compensate("k"));
    expect(error).toMatchObject({ code, message: expect.stringContaining(words) });
    expect(undone).toEqual([]);
    expect(await entriesOf(journal)).toEqual(entries);
  });

  test("where the verb has no compensate, receipts don't offer it", async () => {
    const { db } = await world({ table: { compensate: undoing([]) } });
    const { receipts } = await db.execute(
      "BEGIN; INSERT INTO mail (id) VALUES (1); DELETE FROM mail WHERE id = 1; COMMIT",
    );
    expect(receipts?.map(({ compensable }) => compensable)).toEqual([true, undefined]);
  });
});

test("the policy and the host's approval hold for it", async () => {
  const journal = memoryJournal();
  const undone: FiredWrite[] = [];
  const table = { compensate: undoing(undone) };
  const asked: string[] = [];
  let allow = true;
  const approve = async (staged: readonly StagedWriteView[]) => {
    asked.push(...staged.map(({ sql }) => sql));
    return allow;
  };
  const { db } = await world({ journal, table, policy: { writes: true, approve } });
  const { receipts } = await db.execute("INSERT INTO mail (id, subject) VALUES (1, 'a')");
  const [receipt] = receipts as Receipt[];
  allow = false;
  expect(await failure(db.compensate(receipt))).toMatchObject({ code: "42501" });
  expect(undone).toEqual([]);
  expect(asked).toEqual([
    "INSERT INTO mail (id, subject) VALUES (1, 'a')",
    "-- undoes\nINSERT INTO mail (id, subject) VALUES (1, 'a')",
  ]);
  const readOnly = await world({ journal, table, policy: {} });
  expect(await failure(readOnly.db.compensate(receipt))).toMatchObject({
    code: "42501",
    detail: expect.stringContaining("policy.writes"),
  });
  allow = true;
  expect(await db.compensate(receipt)).toMatchObject({ status: "fired" });
  expect(await db.compensate(receipt)).toMatchObject({ replayed: true });
  expect(asked).toHaveLength(3); // what has been done needs no approval
});

test("one that fails may be asked for again; one without an answer is in doubt and never sent again", async () => {
  let fail: Error | undefined = new Error("locked");
  const calls: string[] = [];
  const { db } = await world({
    table: {
      compensate: {
        insert: ({ idempotencyKey }, { idempotencyKey: own }) => {
          calls.push(`${idempotencyKey} by ${own}`);
          if (fail !== undefined) throw fail;
          return new Promise(() => undefined);
        },
      },
    },
  });
  const { receipts } = await db.execute("INSERT INTO mail (id) VALUES (1)");
  const [{ idempotencyKey }] = receipts as Receipt[];
  const failed = await failure(db.compensate(idempotencyKey));
  expect(failed).toMatchObject({ code: "HV000", receipts: [{ status: "failed", compensates: idempotencyKey }] });
  fail = undefined;
  const hanging = await failure(db.compensate(idempotencyKey, { timeoutMs: 1_500 }));
  expect(hanging).toMatchObject({ code: "40003", receipts: [{ status: "unknown" }] });
  expect(await failure(db.compensate(idempotencyKey))).toMatchObject({ code: "40003" });
  expect(calls).toHaveLength(2);
  expect(await db.recover({ refire: true })).toMatchObject([
    { compensates: idempotencyKey, idempotent: false, status: "unknown" },
  ]);
  expect(calls).toHaveLength(2);
});

test("sessions stop seeing what was undone", async () => {
  const undone: FiredWrite[] = [];
  const { db } = await world({ table: { compensate: undoing(undone), select: async () => [] } });
  const session = db.session();
  const { receipts } = await session.execute("INSERT INTO mail (id, subject) VALUES (1, 'a')");
  expect((await session.execute("SELECT id FROM mail")).rows).toEqual([{ id: 1 }]);
  await db.compensate((receipts as Receipt[])[0]);
  expect((await session.execute("SELECT id FROM mail")).rows).toEqual([]);
});
