/** Which failures are tried again, after which wait, and what the error says when that did not help. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  Database,
  defineResource,
  type ProgressEvent,
  ResourceError,
  type ResourceTable,
  SqlError,
} from "../../src/index.js";

interface World {
  db: Database;
  /** Milliseconds after the start at which each attempt was made. */
  attempts: number[];
}

async function world(failures: unknown[], options: Partial<ResourceTable> = {}): Promise<World> {
  const attempts: number[] = [];
  const started = performance.now();
  const db = await Database.create();
  db.register(
    defineResource({
      name: "issue",
      volatility: "stable",
      columns: [{ name: "id", type: "bigint" }],
      select: () => {
        attempts.push(performance.now() - started);
        const failure = failures[attempts.length - 1];
        if (failure !== undefined) throw failure;
        return [{ id: 7 }];
      },
      ...options,
    }),
  );
  return { db, attempts };
}

const busy = () => new ResourceError("busy", { retryable: true });

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(1);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("what is tried again", () => {
  test("an error marked retryable, after a wait that doubles", async () => {
    const { db, attempts } = await world([busy(), busy()]);
    const run = db.execute("SELECT id FROM issue");
    await vi.advanceTimersByTimeAsync(1_000);
    expect((await run).rows).toEqual([{ id: 7 }]);
    expect(attempts).toEqual([0, 200, 600]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("jitter takes up to half of the wait", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    const { db, attempts } = await world([busy(), busy()]);
    const run = db.execute("SELECT id FROM issue");
    await vi.advanceTimersByTimeAsync(1_000);
    await run;
    expect(attempts).toEqual([0, 100, 300]);
  });

  test("the declared wait, and no longer than the longest", async () => {
    const retry = { retries: 4, minDelayMs: 1_000, maxDelayMs: 3_000 };
    const { db, attempts } = await world([busy(), busy(), busy(), busy()], { retry });
    const run = db.execute("SELECT id FROM issue");
    await vi.advanceTimersByTimeAsync(20_000);
    await run;
    expect(attempts).toEqual([0, 1_000, 3_000, 6_000, 9_000]);
  });

  test("what the service asks for goes before the back-off", async () => {
    const asked = new ResourceError("slow down", { retryable: true, retryAfterMs: 5_000 });
    const { db, attempts } = await world([asked]);
    const run = db.execute("SELECT id FROM issue");
    await vi.advanceTimersByTimeAsync(6_000);
    await run;
    expect(attempts).toEqual([0, 5_000]);
  });

  test.each([
    { name: "an error of another library", failure: Object.assign(new Error("502"), { retryable: true }) },
    {
      name: "a TypeError, as fetch throws it",
      failure: Object.assign(new TypeError("fetch failed"), { retryable: true }),
    },
    { name: "an object that is no error", failure: { message: "busy", retryable: true } },
    {
      name: "what the resource takes for one",
      failure: new Error("ECONNRESET"),
      retry: { isRetryable: (error: unknown) => error instanceof Error && error.message === "ECONNRESET" },
    },
  ])("$name", async ({ failure, retry }) => {
    const { db, attempts } = await world([failure], retry === undefined ? {} : { retry });
    const run = db.execute("SELECT id FROM issue");
    await vi.advanceTimersByTimeAsync(1_000);
    expect((await run).rows).toEqual([{ id: 7 }]);
    expect(attempts).toHaveLength(2);
  });

  test("an error in the middle of pages: the pages are read again from the first", async () => {
    let attempt = 0;
    const { db } = await world([], {
      select: async function* () {
        attempt += 1;
        yield [{ id: 1 }, { id: 2 }];
        if (attempt === 1) throw busy();
        yield [{ id: 3 }];
      },
    });
    const run = db.execute("SELECT count(*) AS n FROM issue");
    await vi.advanceTimersByTimeAsync(1_000);
    expect((await run).rows).toEqual([{ n: 3 }]);
    expect(attempt).toBe(2);
  });
});

describe("what is not", () => {
  test.each([
    { name: "any other error", failure: new Error("no such repository") },
    { name: "retryable that is not true", failure: Object.assign(new Error("busy"), { retryable: "yes" }) },
    { name: "a ResourceError that does not say so", failure: new ResourceError("gone") },
    { name: "with no retries", failure: busy(), retry: { retries: 0 } },
  ])("$name", async ({ failure, retry }) => {
    const { db, attempts } = await world([failure], retry === undefined ? {} : { retry });
    await expect(db.execute("SELECT id FROM issue")).rejects.toMatchObject({ code: "HV000", cause: failure });
    expect(attempts).toHaveLength(1);
  });

  test("a write", async () => {
    let attempts = 0;
    const db = await Database.create({ policy: { writes: true } });
    const insert = () => {
      attempts += 1;
      throw busy();
    };
    db.register(
      defineResource({ name: "mail", volatility: "volatile", columns: [{ name: "id", type: "bigint" }], insert }),
    );
    await expect(db.execute("INSERT INTO mail VALUES (1)")).rejects.toBeInstanceOf(SqlError);
    expect(attempts).toBe(1);
  });

  test("after the last attempt the error says how many there were", async () => {
    const { db, attempts } = await world([busy(), busy(), busy(), busy()]);
    const run = db.execute("SELECT id FROM issue");
    const outcome = expect(run).rejects.toMatchObject({
      code: "HV000",
      message: 'reading table "issue" failed',
      detail: "busy (tried 3 times)",
    });
    await vi.advanceTimersByTimeAsync(10_000);
    await outcome;
    expect(attempts).toHaveLength(3);
  });

  test("a wait that ends after the statement: the error comes at once and names it", async () => {
    const asked = new ResourceError("slow down", { retryable: true, retryAfterMs: 60_000 });
    const { db, attempts } = await world([asked]);
    const error = await db.execute("SELECT id FROM issue", { timeoutMs: 30_000 }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: "HV000",
      detail: "slow down (another attempt must wait 60000 ms, the statement has 30000 ms left)",
    });
    expect(attempts).toEqual([0]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

test("one that waits for its next attempt holds no place", async () => {
  const order: string[] = [];
  const db = await Database.create({ limits: { concurrency: 1 } });
  db.register(
    defineResource({
      name: "issue",
      volatility: "volatile",
      columns: [{ name: "id", type: "bigint", requiredKey: true }],
      select: (bindings) => {
        const id = bindings.one("id");
        order.push(`issue ${id}`);
        if (id === 1 && order.filter((call) => call === "issue 1").length === 1) throw busy();
        return [{}];
      },
    }),
  );
  const run = db.execute("SELECT id FROM issue WHERE id IN (1, 2)");
  await vi.advanceTimersByTimeAsync(1_000);
  await run;
  expect(order).toEqual(["issue 1", "issue 2", "issue 1"]);
});

test("a service that asks for a pause is left alone by the other calls of its scope, no longer than the longest wait", async () => {
  const calls: [number, number][] = [];
  const db = await Database.create({ limits: { concurrency: 1 } });
  const started = performance.now();
  db.register(
    defineResource({
      name: "issue",
      volatility: "volatile",
      columns: [{ name: "id", type: "bigint", requiredKey: true }],
      retry: { maxDelayMs: 2_000 },
      select: (bindings) => {
        const id = Number(bindings.one("id"));
        calls.push([id, performance.now() - started]);
        if (calls.length === 1) throw new ResourceError("slow down", { retryable: true, retryAfterMs: 4_000 });
        return [{}];
      },
    }),
  );
  const run = db.execute("SELECT id FROM issue WHERE id IN (1, 2)");
  await vi.advanceTimersByTimeAsync(10_000);
  await run;
  expect(calls).toEqual([
    [1, 0],
    [2, 2_000],
    [1, 4_000],
  ]);
});

test("who watches is told of each retry, with the tool's words", async () => {
  const { db } = await world([busy()]);
  const events: ProgressEvent[] = [];
  const run = db.execute("SELECT id FROM issue", { onProgress: (event) => events.push(event) });
  await vi.advanceTimersByTimeAsync(1_000);
  await run;
  expect(events.map(({ kind, done, note }) => [kind, done, note])).toEqual([
    ["call", undefined, undefined],
    ["retry", 2, "busy"],
    ["call", undefined, undefined],
    ["page", 1, undefined],
    ["done", 1, undefined],
  ]);
  expect(events.at(-1)?.calls).toEqual({ done: 1, known: 1 });
});
