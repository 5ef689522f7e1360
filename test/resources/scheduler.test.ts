/** When calls start: places of the database and of a scope, tokens, turns; and that nothing is held when all is over. */
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Database, defineResource, type ResourceTable } from "../../src/index.js";
import { Scheduler } from "../../src/resources/scheduler.js";
import { type RegisteredResource, registeredResource } from "../../src/resources/table-info.js";

function table(name: string, limits: Partial<ResourceTable> = {}): RegisteredResource {
  const columns = [{ name: "id", type: "bigint", requiredKey: true }];
  return registeredResource(
    { name, description: "", columns, volatility: "stable", select: () => [], ...limits },
    "public",
  );
}

/** Asks for places and writes down which calls have started. */
class Calls {
  readonly started: string[] = [];
  readonly ends = new Map<string, () => void>();
  private readonly statement = {};

  constructor(private readonly scheduler: Scheduler) {}

  ask(name: string, of: RegisteredResource, options: { signal?: AbortSignal; group?: object } = {}): Promise<void> {
    return this.scheduler
      .acquire(of, options.group ?? this.statement, options.signal ?? new AbortController().signal)
      .then((place) => {
        this.started.push(name);
        this.ends.set(name, place.release);
      });
  }

  end(name: string): void {
    this.ends.get(name)?.();
  }
}

const settled = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe("places", () => {
  test("no more calls than the database has places; the next starts when one ends", async () => {
    const scheduler = new Scheduler(2);
    const calls = new Calls(scheduler);
    const issue = table("issue");
    for (const name of ["a", "b", "c"]) void calls.ask(name, issue);
    await settled();
    expect(calls.started).toEqual(["a", "b"]);
    expect(scheduler.load).toEqual({ running: 2, waiting: 1 });
    calls.end("a");
    calls.end("a"); // again: no second place comes of it
    await settled();
    expect(calls.started).toEqual(["a", "b", "c"]);
    calls.end("b");
    calls.end("c");
    expect(scheduler.load).toEqual({ running: 0, waiting: 0 });
  });

  test("a call that waits for its service keeps no other from starting", async () => {
    const calls = new Calls(new Scheduler(2));
    const slow = table("slow", { concurrency: 1 });
    for (const name of ["s1", "s2", "s3"]) void calls.ask(name, slow);
    void calls.ask("q", table("quick"));
    await settled();
    expect(calls.started).toEqual(["s1", "q"]);
  });

  test("tables of one scope share its places, and the strictest declaration binds all", async () => {
    const scheduler = new Scheduler(8);
    const calls = new Calls(scheduler);
    const issue = table("issue", { scope: "github", concurrency: 3 });
    const pull = table("pull", { scope: "github", concurrency: 2 });
    const label = table("label", { scope: "github" });
    for (const each of [issue, pull, label]) scheduler.declare(each);
    void calls.ask("issue", issue);
    void calls.ask("pull", pull);
    void calls.ask("label", label);
    void calls.ask("other", table("other"));
    await settled();
    expect(calls.started).toEqual(["issue", "pull", "other"]);
    // Registered again with more, the table no longer holds the others to two.
    scheduler.declare(table("pull", { scope: "github", concurrency: 3 }));
    await settled();
    expect(calls.started).toEqual(["issue", "pull", "other", "label"]);
  });

  test("statements take turns", async () => {
    const calls = new Calls(new Scheduler(1));
    const issue = table("issue");
    const other = {};
    for (const name of ["a1", "a2", "a3"]) void calls.ask(name, issue);
    void calls.ask("b1", issue, { group: other });
    for (const name of ["a1", "a2", "b1", "a3"]) {
      await settled();
      calls.end(name);
    }
    expect(calls.started).toEqual(["a1", "a2", "b1", "a3"]);
  });

  test("who watches is told of a call that has to wait", async () => {
    const db = await Database.create({ limits: { concurrency: 1 } });
    const columns = [{ name: "id", type: "bigint", requiredKey: true }];
    db.register(defineResource({ name: "issue", volatility: "volatile", columns, select: () => [{}] }));
    const events: unknown[] = [];
    await db.execute("SELECT id FROM issue WHERE id IN (1, 2)", {
      onProgress: ({ kind, resource, bindings, calls }) => events.push([kind, resource, bindings["id"], calls]),
    });
    expect(events).toEqual([
      ["wait", "issue", [2], { done: 0, known: 2 }],
      ["call", "issue", [1], { done: 0, known: 2 }],
      ["page", "issue", [1], { done: 0, known: 2 }],
      ["done", "issue", [1], { done: 1, known: 2 }],
      ["call", "issue", [2], { done: 1, known: 2 }],
      ["page", "issue", [2], { done: 1, known: 2 }],
      ["done", "issue", [2], { done: 2, known: 2 }],
    ]);
  });

  test("a call that is given up while it waits gives way, and leaves nothing behind", async () => {
    const scheduler = new Scheduler(1);
    const calls = new Calls(scheduler);
    const issue = table("issue");
    const giveUp = new AbortController();
    void calls.ask("a", issue);
    const waiting = calls.ask("b", issue, { signal: giveUp.signal });
    void calls.ask("c", issue);
    giveUp.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    calls.end("a");
    await settled();
    expect(calls.started).toEqual(["a", "c"]);
    await expect(calls.ask("d", issue, { signal: giveUp.signal })).rejects.toThrow("enough");
    calls.end("c");
    expect(scheduler.load).toEqual({ running: 0, waiting: 0 });
  });
});

describe("rate limits", () => {
  test("the burst at once, the others as tokens flow in", async () => {
    const calls = new Calls(new Scheduler(8));
    const issue = table("issue", { rateLimit: { perSecond: 2, burst: 3 } });
    for (const name of ["1", "2", "3", "4", "5"]) void calls.ask(name, issue);
    await settled();
    expect(calls.started).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(499);
    expect(calls.started).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(1);
    expect(calls.started).toHaveLength(4);
    await vi.advanceTimersByTimeAsync(500);
    expect(calls.started).toHaveLength(5);
  });

  test("a token is spent when a call starts: one that waited for a place is no credit for the next", async () => {
    const calls = new Calls(new Scheduler(1));
    const issue = table("issue", { rateLimit: { perSecond: 1 } });
    for (const name of ["1", "2", "3"]) void calls.ask(name, issue);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(calls.started).toEqual(["1"]);
    calls.end("1");
    await settled();
    expect(calls.started).toEqual(["1", "2"]);
    calls.end("2");
    await settled();
    expect(calls.started).toEqual(["1", "2"]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(calls.started).toEqual(["1", "2", "3"]);
  });

  test("a rate below one a second, and no timer once nobody waits", async () => {
    const calls = new Calls(new Scheduler(8));
    const issue = table("issue", { rateLimit: { perSecond: 0.1 } });
    const giveUp = new AbortController();
    void calls.ask("1", issue);
    void calls.ask("2", issue);
    const third = calls.ask("3", issue, { signal: giveUp.signal });
    await vi.advanceTimersByTimeAsync(9_999);
    expect(calls.started).toEqual(["1"]);
    await vi.advanceTimersByTimeAsync(1);
    expect(calls.started).toEqual(["1", "2"]);
    expect(vi.getTimerCount()).toBe(1);
    giveUp.abort(new Error("enough"));
    await expect(third).rejects.toThrow("enough");
    expect(vi.getTimerCount()).toBe(0);
  });

  test("reads and writes of a scope are counted together", async () => {
    const seen: string[] = [];
    const db = await Database.create({ policy: { writes: true } });
    const note = (text: string) => {
      seen.push(text);
      return [];
    };
    const limits = { scope: "mail", rateLimit: { perSecond: 1 }, volatility: "volatile" as const };
    const columns = [{ name: "id", type: "bigint" }];
    db.register(defineResource({ name: "inbox", ...limits, columns, select: () => note("read") }));
    db.register(defineResource({ name: "outbox", ...limits, columns, insert: () => note("write") }));
    const read = db.execute("SELECT * FROM inbox");
    const write = db.session().execute("INSERT INTO outbox VALUES (1)");
    await read;
    await vi.advanceTimersByTimeAsync(999);
    expect(seen).toEqual(["read"]);
    await vi.advanceTimersByTimeAsync(1);
    await write;
    expect(seen).toEqual(["read", "write"]);
  });

  test("a write that is canceled while it waits was not tried", async () => {
    const seen: unknown[] = [];
    const db = await Database.create({ policy: { writes: true } });
    const rateLimit = { perSecond: 0.01 };
    const columns = [{ name: "id", type: "bigint" }];
    db.register(
      defineResource({
        name: "outbox",
        volatility: "volatile",
        columns,
        rateLimit,
        insert: ([row]) => seen.push(row.id),
      }),
    );
    const run = db.execute("INSERT INTO outbox VALUES (1), (2)", { timeoutMs: 5_000 });
    const outcome = expect(run).rejects.toMatchObject({
      code: "57014",
      receipts: [{ status: "fired" }, { status: "not_tried" }],
    });
    await vi.advanceTimersByTimeAsync(5_000);
    await outcome;
    expect(seen).toEqual([1]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

test.each([
  { limits: { concurrency: 0 }, words: "concurrency must be a number of at least 1" },
  { limits: { rateLimit: { perSecond: 0 } }, words: "rateLimit.perSecond must be a number above 0" },
  { limits: { retry: { retries: -1 } }, words: "retry.retries must be a number of at least 0" },
  { limits: { maxPages: Number.NaN }, words: "maxPages must be a number of at least 1" },
])("a limit under which no call would start is refused: $words", ({ limits, words }) => {
  const columns = [{ name: "id", type: "bigint" }];
  expect(() => defineResource({ name: "x", volatility: "stable", columns, select: () => [], ...limits })).toThrow(
    words,
  );
});

test("an answer that is never kept has no time for which it is good", () => {
  const columns = [{ name: "id", type: "bigint" }];
  const options = { name: "x", volatility: "volatile" as const, columns, select: () => [], ttlMs: 5 };
  expect(() => defineResource(options)).toThrow("a volatile answer is never kept");
});
