/** Each effect is in the journal before its call is made, and its outcome after it; what the journal does not take is said. */
import { afterEach, describe, expect, test } from "vitest";
import { type Journal, type JournalEntry, memoryJournal, type Receipt } from "../../../src/index.js";
import { entriesOf, type JournalPlace, kinds } from "./kinds.js";
import { failure, mailWorld } from "./mail-world.js";

const places: JournalPlace[] = [];
afterEach(async () => {
  for (const place of places.splice(0)) await place.remove();
});

const brief = (entries: readonly JournalEntry[]) =>
  entries.map((entry) => [entry.kind === "intent" ? `intent ${entry.op}` : entry.status, entry.number, entry.attempt]);

describe.each(kinds)("$name", ({ place: makePlace }) => {
  test("the intent is durable when the call is made, the outcome when execute answers", async () => {
    const place = await makePlace();
    places.push(place);
    const journal = place.open();
    const seen: unknown[] = [];
    const { db, keys } = await mailWorld({
      journal,
      actor: "ann",
      answer: async (_, number) => {
        seen.push(brief(await entriesOf(journal)));
        return { id: 40 + number };
      },
    });
    const sql =
      "BEGIN; INSERT INTO mail (id, subject) VALUES (1, 'é'); DELETE FROM mail WHERE id = 9007199254740993; COMMIT";
    const { receipts } = await db.execute(sql);
    expect(seen).toEqual([
      [["intent insert", 0, 1]],
      [
        ["intent insert", 0, 1],
        ["fired", 1, 1],
        ["intent delete", 0, 1],
      ],
    ]);
    const entries = await entriesOf(journal);
    expect(brief(entries)).toEqual([...(seen[1] as unknown[]), ["fired", 1, 1]]);
    const [first, second] = keys();
    expect(entries).toMatchObject([
      {
        idempotencyKey: first,
        schema: "public",
        resource: "mail",
        actor: "ann",
        arguments: { rows: [{ id: 1, subject: "é" }] },
      },
      { idempotencyKey: first, result: { id: 41 } },
      { idempotencyKey: second, arguments: { match: { id: { $: ["bigint", "9007199254740993"] } } } },
      { idempotencyKey: second, result: { id: 42 } },
    ]);
    expect(receipts).toEqual([
      {
        id: 1,
        resource: "mail",
        op: "insert",
        idempotencyKey: first,
        status: "fired",
        result: { id: 41 },
        durationMs: expect.any(Number),
      },
      {
        id: 2,
        resource: "mail",
        op: "delete",
        idempotencyKey: second,
        status: "fired",
        result: { id: 42 },
        durationMs: expect.any(Number),
      },
    ]);
    await db.close();
  });

  test("a failure in the middle: its outcome stands there, what comes after was never written", async () => {
    const place = await makePlace();
    places.push(place);
    const journal = place.open();
    const { db } = await mailWorld({
      journal,
      answer: (_, number) => {
        if (number === 2) throw new Error("mailbox full");
      },
    });
    const error = await failure(db.execute("INSERT INTO mail (id, subject) VALUES (1, 'a'), (2, 'b'), (3, 'c')"));
    expect(error.receipts?.map(({ status }) => status)).toEqual(["fired", "failed", "not_tried"]);
    const entries = await entriesOf(journal);
    expect(brief(entries)).toEqual([
      ["intent insert", 0, 1],
      ["fired", 1, 1],
      ["intent insert", 0, 1],
      ["failed", 1, 1],
    ]);
    expect(entries[3]).toMatchObject({ error: { code: "HV000", message: "mailbox full" } });
    await db.close();
  });

  test("reads, refused statements, rolled back transactions and EXPLAIN write nothing", async () => {
    const place = await makePlace();
    places.push(place);
    const journal = place.open();
    const { db } = await mailWorld({ journal });
    await db.execute("SELECT 1");
    await db.execute("BEGIN; INSERT INTO mail (id) VALUES (1); ROLLBACK");
    await db.execute("EXPLAIN INSERT INTO mail (id) VALUES (1)");
    await failure(db.execute("INSERT INTO mail (id) VALUES ('x')"));
    await failure(db.execute("INSERT INTO mail (id) VALUES (1), (1/0)"));
    expect(await entriesOf(journal)).toEqual([]);
    await db.close();
  });
});

/** A journal that does not take some entries. */
function failing(
  refuses: (entry: JournalEntry) => boolean,
  words = "no space left on device",
): Journal & { healed: boolean } {
  const inner = memoryJournal();
  const journal = {
    ...inner,
    healed: false,
    append: async (entry: JournalEntry) => {
      if (!journal.healed && refuses(entry)) throw new Error(words);
      return inner.append(entry);
    },
  };
  return journal;
}

describe("a journal that fails", () => {
  test("an intent that is not taken: the effect is not tried, nor what comes after it", async () => {
    let intents = 0;
    const journal = failing((entry) => entry.kind === "intent" && ++intents === 2);
    const { db, calls } = await mailWorld({ journal });
    const error = await failure(db.execute("BEGIN; INSERT INTO mail (id) VALUES (1), (2), (3); COMMIT"));
    expect(error).toMatchObject({
      code: "58030",
      message: 'INSERT on "mail" was not sent',
      detail:
        "the journal did not take the intent: no space left on device. Of 3 writes, 1 fired before it and 1 were not tried.",
    });
    expect(error.receipts?.map(({ status }) => status)).toEqual(["fired", "not_tried", "not_tried"]);
    expect(calls).toHaveLength(1);
    // Nobody can tell whether the intent stands there all the same; it must not stay in doubt.
    journal.healed = true;
    expect(await db.recover()).toEqual([]);
  });

  test("an outcome that is not taken: fired all the same, with a warning; what comes after goes on", async () => {
    let outcomes = 0;
    const journal = failing((entry) => entry.kind === "outcome" && ++outcomes === 1);
    const { db, calls, keys } = await mailWorld({ journal });
    const { receipts, notices } = await db.execute("BEGIN; INSERT INTO mail (id) VALUES (1), (2); COMMIT");
    expect(calls).toHaveLength(2);
    expect(receipts).toMatchObject([{ status: "fired", unjournaled: "no space left on device" }, { status: "fired" }]);
    expect(receipts?.[1]).not.toHaveProperty("unjournaled");
    expect(notices).toEqual([
      {
        severity: "WARNING",
        code: "58030",
        message: 'the journal did not take the outcome of INSERT on "mail": no space left on device',
        hint: expect.stringContaining("in doubt"),
      },
    ]);
    // recover() tries again to write it first.
    expect(await db.recover()).toEqual([]);
    expect((await journal.find?.(keys()[0]))?.map((entry) => entry.kind)).toEqual(["intent", "outcome"]);
  });

  test("an outcome that is never taken is told when the database is closed", async () => {
    const journal = failing((entry) => entry.kind === "outcome");
    const { db, keys } = await mailWorld({ journal });
    await db.execute("INSERT INTO mail (id) VALUES (1)");
    expect(await db.recover()).toMatchObject([{ idempotencyKey: keys()[0], status: "unknown" }]);
    await expect(db.close()).rejects.toThrow("no space left on device");
  });

  test("a failing effect whose outcome is not taken says both", async () => {
    const journal = failing((entry) => entry.kind === "outcome");
    const { db } = await mailWorld({
      journal,
      answer: () => {
        throw new Error("mailbox full");
      },
    });
    const error = await failure(db.execute("INSERT INTO mail (id) VALUES (1)"));
    expect(error).toMatchObject({ code: "HV000", detail: expect.stringContaining("mailbox full") });
    expect(error.receipts).toMatchObject([{ status: "failed", unjournaled: "no space left on device" }]);
  });

  test("one that can't be read does not let the database start", async () => {
    const journal: Journal = {
      append: async () => undefined,
      // biome-ignore lint/correctness/useYield: it fails before the first entry
      async *open() {
        throw new Error("the disk is gone");
      },
      close: async () => undefined,
    };
    await expect(mailWorld({ journal })).rejects.toThrow("the disk is gone");
  });
});

describe("what a receipt shows", () => {
  const circular: Record<string, unknown> = { name: "a" };
  circular.self = [circular];
  test.each<{ name: string; answer: unknown; result: unknown; truncated?: true }>([
    { name: "nothing", answer: undefined, result: undefined },
    { name: "null", answer: null, result: null },
    { name: "a bigint", answer: { id: 9007199254740993n }, result: { id: "9007199254740993" } },
    { name: "a Date", answer: [new Date(0), new Date(Number.NaN)], result: ["1970-01-01T00:00:00.000Z", null] },
    { name: "no number", answer: [Number.NaN, Number.NEGATIVE_INFINITY], result: ["NaN", "-Infinity"] },
    { name: "bytes", answer: Uint8Array.of(1, 255), result: "\\x01ff" },
    { name: "functions, symbols", answer: { f() {}, s: Symbol("s"), u: undefined, v: 1 }, result: { v: 1 } },
    { name: "maps and sets", answer: new Map<string, unknown>([["a", new Set([1])]]), result: { a: [1] } },
    { name: "an error", answer: new TypeError("x"), result: "TypeError: x" },
    { name: "toJSON", answer: { toJSON: () => ({ a: 1n }) }, result: { a: "1" } },
    { name: "what refers to itself", answer: circular, result: { name: "a", self: ["[refers to itself]"] } },
    {
      name: "a getter that throws",
      answer: { get a() { throw new Error("no"); }, b: 1 }, // biome-ignore format: one case a line
      result: "[can't be read]",
    },
    {
      name: "prototype names",
      answer: JSON.parse('{"__proto__": 1, "constructor": 2}'),
      result: JSON.parse('{"__proto__": 1, "constructor": 2}'),
    },
    {
      name: "megabytes",
      answer: { text: "x".repeat(5_000_000) },
      result: `{"text":"${"x".repeat(1_991)}…`,
      truncated: true,
    },
    {
      name: "a million numbers",
      answer: Array.from({ length: 1_000_000 }, () => 1),
      result: expect.stringMatching(/^\[1,1,.*…$/),
      truncated: true,
    },
  ])("$name", async ({ answer, result, truncated }) => {
    const journal = memoryJournal();
    const { db } = await mailWorld({ journal, answer: () => answer });
    const { receipts } = await db.execute("INSERT INTO mail (id) VALUES (1)");
    const [receipt] = receipts as Receipt[];
    expect(receipt.status).toBe("fired");
    expect(receipt.result).toEqual(result);
    expect(receipt.resultTruncated).toBe(truncated);
    expect(JSON.parse(JSON.stringify(receipt.result ?? null))).toEqual(result ?? null);
    const [, outcome] = await entriesOf(journal);
    expect(outcome).toMatchObject({ status: "fired" });
    if (result !== undefined) expect(outcome).toMatchObject({ result });
  });

  test("RETURNING is made of the answer itself, not of what the receipt shows", async () => {
    const { db } = await mailWorld({
      answer: () => ({ id: 9007199254740993n, subject: "s", meta: { long: "x".repeat(100_000) } }),
    });
    const { rows, receipts } = await db.execute(
      "INSERT INTO mail (id) VALUES (1) RETURNING id, length(meta->>'long') AS length",
    );
    expect(rows).toEqual([{ id: "9007199254740993", length: 100_000 }]);
    expect(receipts?.[0].resultTruncated).toBe(true);
  });
});

test("a statement that fails after it has fired says what it fired", async () => {
  const { db, calls } = await mailWorld({ answer: () => ({ id: 0 }) });
  const error = await failure(db.execute("INSERT INTO mail (id) VALUES (7) RETURNING 1 / id"));
  // Where the statement can see it coming nothing is sent; otherwise the error has the receipts.
  expect(error.code).toBe("22012");
  expect(error.receipts?.length ?? 0).toBe(calls.length);
  if (calls.length > 0) expect(error.detail).toContain("has happened");
});

test("an answer that comes after the statement was given up still settles the effect", async () => {
  let answerNow = (_: unknown): void => undefined;
  const answered = new Promise((resolve) => {
    answerNow = resolve;
  });
  const { db, keys } = await mailWorld({ answer: () => answered });
  const error = await failure(db.execute("INSERT INTO mail (id) VALUES (1)", { timeoutMs: 30 }));
  expect(error).toMatchObject({ code: "40003", receipts: [{ status: "unknown" }] });
  expect(await db.recover()).toMatchObject([{ idempotencyKey: keys()[0], status: "unknown" }]);
  answerNow({ id: 5 });
  await answered;
  await new Promise((resolve) => setImmediate(resolve));
  expect(await db.recover()).toEqual([]);
});

test("a call that was canceled before it was sent is not tried, and not in doubt", async () => {
  const controller = new AbortController();
  const journal = memoryJournal();
  const late: Journal = {
    ...journal,
    append: async (entry) => {
      await journal.append(entry);
      controller.abort(); // between the intent and the call
    },
  };
  const { db, calls } = await mailWorld({ journal: late });
  const error = await failure(db.execute("INSERT INTO mail (id) VALUES (1)", { signal: controller.signal }));
  expect(error.receipts).toMatchObject([{ status: "not_tried", error: { code: "57014" } }]);
  expect(calls).toEqual([]);
  expect((await entriesOf(journal)).map((entry) => entry.kind === "outcome" && entry.status)).toEqual([
    false,
    "not_tried",
  ]);
  expect(await db.recover()).toEqual([]);
});

describe("databases that share a journal", () => {
  test("the last one closes it, however often the others are closed", async () => {
    let closed = 0;
    const close = async () => {
      closed += 1;
    };
    const journal: Journal = { ...memoryJournal(), close };
    const [one, two] = [await mailWorld({ journal }), await mailWorld({ journal })];
    await one.db.close();
    await one.db.close();
    expect(closed).toBe(0);
    await two.db.execute("INSERT INTO mail (id) VALUES (1)");
    await two.db.close();
    expect(closed).toBe(1);
  });

  test("closing waits for an effect that is being sent, so that its outcome is written", async () => {
    const journal = memoryJournal();
    let called = (_: unknown): void => undefined;
    const sending = new Promise((resolve) => {
      called = resolve;
    });
    const { db } = await mailWorld({
      journal,
      answer: async () => {
        called(undefined);
        await new Promise((resolve) => setTimeout(resolve, 20));
      },
    });
    const running = db.execute("INSERT INTO mail (id) VALUES (1)");
    await sending;
    await db.close();
    expect(brief(await entriesOf(journal))).toEqual([
      ["intent insert", 0, 1],
      ["fired", 1, 1],
    ]);
    await running;
  });
});

test("when the journal takes entries again, what it missed is written with the next effect", async () => {
  let outcomes = 0;
  const journal = failing((entry) => entry.kind === "outcome" && ++outcomes === 1);
  const { db, keys } = await mailWorld({ journal });
  await db.execute("INSERT INTO mail (id) VALUES (1)");
  await db.execute("INSERT INTO mail (id) VALUES (2)");
  expect((await journal.find?.(keys()[0]))?.map(({ kind }) => kind)).toEqual(["intent", "outcome"]);
  await db.close();
});
