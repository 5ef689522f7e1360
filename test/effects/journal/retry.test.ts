/** A write is sent once, unless its verb is declared idempotent. */
import { describe, expect, test } from "vitest";
import { defineResource, memoryJournal, ResourceError, SqlError } from "../../../src/index.js";
import { entriesOf } from "./kinds.js";
import { failure, mailWorld } from "./mail-world.js";

const busy = () => new ResourceError("busy", { retryable: true });
const unanswered = () => new SqlError("40003", "the connection broke");
const retry = { retries: 2, minDelayMs: 1, maxDelayMs: 2 };

describe("calls of one INSERT whose calls fail one after the other", () => {
  const cases: readonly {
    name: string;
    errors: readonly (() => Error)[];
    idempotent: boolean;
    calls: number;
    status: string;
    code?: string;
  }[] = [
    { name: "retryable, not idempotent", errors: [busy], idempotent: false, calls: 1, status: "failed", code: "HV000" },
    {
      name: "no answer, not idempotent",
      errors: [unanswered],
      idempotent: false,
      calls: 1,
      status: "unknown",
      code: "40003",
    },
    { name: "retryable, idempotent", errors: [busy, busy], idempotent: true, calls: 3, status: "fired" },
    { name: "no answer, idempotent", errors: [unanswered], idempotent: true, calls: 2, status: "fired" },
    {
      name: "retryable to the end",
      errors: [busy, busy, busy, busy],
      idempotent: true,
      calls: 3,
      status: "failed",
      code: "HV000",
    },
    {
      name: "no answer, then refused",
      errors: [unanswered, () => new Error("no")],
      idempotent: true,
      calls: 2,
      status: "unknown",
      code: "40003",
    },
    {
      name: "no answer to the end",
      errors: [unanswered, unanswered, unanswered],
      idempotent: true,
      calls: 3,
      status: "unknown",
      code: "40003",
    },
    {
      name: "another error, idempotent",
      errors: [() => new Error("no")],
      idempotent: true,
      calls: 1,
      status: "failed",
      code: "HV000",
    },
  ];
  test.each(cases)("$name: $status", async ({ errors, idempotent, calls: expected, status, code }) => {
    const journal = memoryJournal();
    const { db, calls } = await mailWorld({
      journal,
      table: { retry, ...(idempotent && { idempotent: ["insert"] }) },
      answer: (_, number) => {
        if (number <= errors.length) throw errors[number - 1]();
      },
    });
    const run = db.execute("INSERT INTO mail (id) VALUES (1)");
    const receipts = code === undefined ? (await run).receipts : (await failure(run)).receipts;
    expect(receipts).toMatchObject([{ status, ...(code !== undefined && { error: { code } }) }]);
    expect(receipts?.[0].attempts).toBe(expected === 1 ? undefined : expected);
    expect(calls).toHaveLength(expected);
    expect(new Set(calls.map(({ key }) => key)).size).toBe(1);
    // One intent and one outcome, however often it was sent.
    const entries = await entriesOf(journal);
    expect(entries.map((entry) => (entry.kind === "intent" ? "intent" : entry.status))).toEqual(["intent", status]);
  });
});

test("canceled while it waits for another attempt: what is known of the last one", async () => {
  const controller = new AbortController();
  const { db, calls } = await mailWorld({
    table: { retry: { retries: 5, minDelayMs: 5_000 }, idempotent: ["insert"] },
    answer: () => {
      setTimeout(() => controller.abort(), 5);
      throw busy();
    },
  });
  const error = await failure(db.execute("INSERT INTO mail (id) VALUES (1)", { signal: controller.signal }));
  expect(error.receipts).toMatchObject([{ status: "failed", error: { message: "busy" } }]);
  expect(calls).toHaveLength(1);
});

test("a wait that the statement has no time for is not begun", async () => {
  const { db, calls } = await mailWorld({
    table: { retry: { retries: 5 }, idempotent: ["insert"] },
    answer: () => {
      throw new ResourceError("busy", { retryable: true, retryAfterMs: 60_000 });
    },
  });
  const error = await failure(db.execute("INSERT INTO mail (id) VALUES (1)", { timeoutMs: 30_000 }));
  expect(error.receipts).toMatchObject([{ status: "failed" }]);
  expect(calls).toHaveLength(1);
});

describe("declarations", () => {
  const base = {
    name: "t",
    volatility: "volatile" as const,
    columns: [{ name: "a", type: "text" }],
    insert: () => undefined,
  };
  test.each<{ name: string; more: object; words: string }>([
    {
      name: "a verb that is none",
      more: { idempotent: ["upsert"] },
      words: '"upsert" is none of insert, update, delete',
    },
    { name: "select", more: { idempotent: ["select"] }, words: '"select" is none of' },
    { name: "a verb that it lacks", more: { idempotent: ["delete"] }, words: "there is no delete" },
    { name: "no list", more: { idempotent: "insert" }, words: "must be a list" },
    {
      name: "undoing a verb that it lacks",
      more: { compensate: { update: () => undefined } },
      words: "there is no update",
    },
    {
      name: "undoing what is none",
      more: { compensate: { constructor: () => undefined } },
      words: '"constructor" is none of',
    },
    { name: "no function", more: { compensate: { insert: true } }, words: "must be a function" },
  ])("$name is refused", ({ more, words }) => {
    expect(() => defineResource({ ...base, ...more } as never)).toThrow(words);
  });
});
