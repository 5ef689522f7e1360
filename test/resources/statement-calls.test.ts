/** What is written down of each call, and added up for each scan. */
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type ResourceTable, SqlError } from "../../src/index.js";
import type { ResourceCall } from "../../src/resources/call.js";
import { CallCache, KeptAnswers } from "../../src/resources/call-cache.js";
import type { CallRecord } from "../../src/resources/call-record.js";
import type { ResolveContext } from "../../src/resources/resolve.js";
import { Scheduler } from "../../src/resources/scheduler.js";
import { StatementCalls } from "../../src/resources/statement-calls.js";
import { type RegisteredResource, registeredResource } from "../../src/resources/table-info.js";

const at = new Date("2026-01-01T00:00:00Z");

function table(select: NonNullable<ResourceTable["select"]>, options: Partial<ResourceTable> = {}): RegisteredResource {
  const columns = [
    { name: "id", type: "bigint", requiredKey: true },
    { name: "title", type: "text" },
  ];
  return registeredResource(
    { name: "issue", description: "", columns, volatility: "stable", select, ...options },
    "jira",
  );
}

function call(of: RegisteredResource, id: number, more: Partial<ResourceCall> = {}): ResourceCall {
  return { table: of, values: new Map([["id", [id]]]), columns: ["title"], ...more };
}

function statement(context: Partial<ResolveContext> = {}) {
  const records: CallRecord[] = [];
  const unused = () => {
    throw new Error("not part of this test");
  };
  const calls = new StatementCalls({
    session: {} as ResolveContext["session"],
    cache: new CallCache(new KeptAnswers(() => at)),
    scheduler: new Scheduler(1),
    signal: new AbortController().signal,
    deadlineMs: Date.now() + 60_000,
    shared: new Map(),
    limits: { callsPerStatement: 100, rows: 1_000 },
    now: () => at,
    run: unused,
    onCall: (record) => records.push(record),
    ...context,
  });
  return { calls, records };
}

const later = <T>(ms: number, value: T) => new Promise<T>((resolve) => setTimeout(resolve, ms, value));

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(1);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("pages, rows, bytes, waits and retries of each call, and of the scan", async () => {
  let failed = false;
  const issue = table(async function* (bindings) {
    await later(10, undefined);
    if (bindings.one("id") === 2 && !failed) {
      failed = true;
      throw Object.assign(new Error("busy"), { retryable: true });
    }
    yield [{ title: "abcd" }];
    await later(10, undefined);
    yield [{ title: "efgh" }, { title: "ijkl" }];
  });
  const { calls, records } = statement({ actor: "ann" });
  const qual = { column: "title", operator: ">", value: "a" } as const;
  const asked = calls.ask([call(issue, 1, { limit: 5, quals: [qual] }), call(issue, 2), call(issue, 2)]);
  await vi.advanceTimersByTimeAsync(1_000);
  const { rows, figures } = await asked;
  expect(rows).toHaveLength(9);
  // The second waits 20 ms for the first; its own attempts take 10 and 20, with 200 between them.
  expect(figures).toEqual({
    calls: 2,
    cached: 1,
    pages: 4,
    rows: 9,
    bytes: figures.bytes,
    durationMs: 20 + 230,
    waitedMs: 20,
    retries: 1,
  });
  expect(figures.bytes).toBeGreaterThan(9 * 4);
  const common = { resource: "issue", schema: "jira", actor: "ann", startedAt: at, rows: 3 };
  expect(records).toEqual([
    {
      ...common,
      bindings: { id: [1] },
      quals: [qual],
      limit: 5,
      durationMs: 20,
      waitedMs: 0,
      pages: 2,
      bytes: expect.any(Number),
      retries: 0,
      status: "answered",
    },
    {
      ...common,
      bindings: { id: [2] },
      quals: [],
      durationMs: 230,
      waitedMs: 20,
      pages: 2,
      bytes: expect.any(Number),
      retries: 1,
      status: "answered",
    },
    {
      ...common,
      bindings: { id: [2] },
      quals: [],
      durationMs: 0,
      waitedMs: 0,
      pages: 0,
      bytes: expect.any(Number),
      retries: 0,
      status: "cached",
    },
  ]);
});

test("one that fails is written down with its words, those that it stopped as canceled", async () => {
  const issue = table(async (bindings) => {
    if (bindings.one("id") !== 2) return later(1_000, []);
    await later(10, undefined);
    throw new Error("no such issue");
  });
  const { calls, records } = statement({ scheduler: new Scheduler(2) });
  const asked = calls.ask([1, 2, 3].map((id) => call(issue, id)));
  const outcome = expect(asked).rejects.toBeInstanceOf(SqlError);
  await vi.advanceTimersByTimeAsync(20);
  await outcome;
  const known = records.map(({ bindings, status, durationMs, error }) => [
    bindings["id"]?.[0],
    status,
    durationMs,
    error,
  ]);
  expect(known[0]).toEqual([2, "failed", 10, 'reading table "issue" failed: no such issue (called with id = 2)']);
  expect(known.slice(1).sort()).toEqual([
    [1, "canceled", 10, undefined],
    [3, "canceled", 0, undefined],
  ]);
  expect(calls.failureReason).toMatchObject({
    detail: "no such issue (called with id = 2). Of 2 other calls: 1 stopped, 1 not made.",
  });
  expect(vi.getTimerCount()).toBe(1); // the resolver's own, which does not look at its signal
});

test("an argument that JSON can't write is shown all the same", async () => {
  const issue = table(() => {
    throw new Error("no");
  });
  const { calls } = statement();
  const ids = [9007199254740993n, ...Array.from({ length: 9 }, (_, i) => i)];
  await expect(calls.ask([call(issue, 0, { values: new Map([["id", ids]]) })])).rejects.toMatchObject({
    detail: "no (called with id = 9007199254740993, 0, 1, 2, 3, … (10 values))",
  });
});
