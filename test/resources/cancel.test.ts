/** What ends a call before its answer: its own time, the statement's, the caller, another call that failed; nothing runs on. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Database, defineResource, type Limits, type ResourceContext, type ResourceTable } from "../../src/index.js";

const unhandled: unknown[] = [];
const note = (reason: unknown) => void unhandled.push(reason);
beforeEach(() => {
  unhandled.length = 0;
  process.on("unhandledRejection", note);
});
afterEach(async () => {
  vi.useRealTimers();
  await sleep(0); // rejections are told of after the turn
  process.off("unhandledRejection", note);
  expect(unhandled).toEqual([]);
});

type Select = (id: number, context: ResourceContext) => unknown;

async function world(select: Select, options: Partial<ResourceTable> = {}, limits: Limits = {}): Promise<Database> {
  const db = await Database.create({ limits });
  db.register(
    defineResource({
      name: "issue",
      volatility: "volatile",
      columns: [
        { name: "id", type: "bigint", requiredKey: true },
        { name: "title", type: "text" },
      ],
      select: (bindings, context) => select(Number(bindings.one("id")), context) as never,
      ...options,
    }),
  );
  return db;
}

const never = () => new Promise<never>(() => undefined);

/** Ends as soon as the signal says so, as a well-behaved resolver does. */
function untilStopped(context: ResourceContext, stopped: () => void): Promise<never> {
  return new Promise((_, reject) => {
    context.signal.addEventListener("abort", () => {
      stopped();
      reject(context.signal.reason);
    });
  });
}

describe("a call's own time", () => {
  beforeEach(() => void vi.useFakeTimers());

  test("one that takes too long: its signal is aborted, the error names table, time and arguments", async () => {
    let stopped = 0;
    const db = await world((_, context) => untilStopped(context, () => stopped++), { timeoutMs: 500 });
    const outcome = expect(db.execute("SELECT * FROM issue WHERE id = 3")).rejects.toMatchObject({
      code: "HV000",
      message: 'reading table "issue" took more than 500 ms',
      detail: "(called with id = 3)",
      hint: expect.stringContaining("timeoutMs"),
    });
    await vi.advanceTimersByTimeAsync(499);
    expect(stopped).toBe(0);
    await vi.advanceTimersByTimeAsync(1);
    await outcome;
    expect(stopped).toBe(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("pages do not extend it, the wait for a place does not count", async () => {
    async function* slowly() {
      for (let i = 0; i < 3; i++) {
        yield [{ title: `t${i}` }];
        await new Promise((resolve) => setTimeout(resolve, 300));
      }
    }
    const db = await world(
      (id) => (id === 1 ? new Promise((r) => setTimeout(r, 900, [])) : []),
      { timeoutMs: 1_000 },
      { concurrency: 1 },
    );
    const waited = db.execute("SELECT count(*) AS n FROM issue WHERE id IN (1, 2, 3)");
    await vi.advanceTimersByTimeAsync(1_500);
    expect((await waited).rows).toEqual([{ n: 0 }]);
    const paged = await world(slowly, { timeoutMs: 700 });
    const outcome = expect(paged.execute("SELECT * FROM issue WHERE id = 1")).rejects.toMatchObject({
      message: 'reading table "issue" took more than 700 ms',
    });
    await vi.advanceTimersByTimeAsync(1_000);
    await outcome;
  });

  test("silence: a page and progress() are signs of life", async () => {
    const db = await world(
      async function* (_, context: ResourceContext) {
        yield [{ title: "a" }];
        await new Promise((resolve) => setTimeout(resolve, 80));
        context.progress(1, 2);
        await new Promise((resolve) => setTimeout(resolve, 80));
        yield [{ title: "b" }];
        await never();
      },
      { idleTimeoutMs: 100 },
    );
    const started = performance.now();
    let ended = 0;
    const outcome = expect(
      db.execute("SELECT * FROM issue WHERE id = 3").finally(() => {
        ended = performance.now() - started;
      }),
    ).rejects.toMatchObject({ code: "HV000", message: 'reading table "issue" gave nothing for 100 ms' });
    await vi.advanceTimersByTimeAsync(1_000);
    await outcome;
    expect(ended).toBe(260);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("the statement's time stays its own error", async () => {
    const db = await world(never, { timeoutMs: 5_000 });
    const outcome = expect(db.execute("SELECT * FROM issue WHERE id = 3", { timeoutMs: 100 })).rejects.toMatchObject({
      code: "57014",
      message: "canceling statement due to statement timeout",
      detail: "Of 1 call: 1 stopped.",
    });
    await vi.advanceTimersByTimeAsync(100);
    await outcome;
    expect(vi.getTimerCount()).toBe(0);
  });

  test("what a resolver says after its call is over changes nothing", async () => {
    let late: ResourceContext | undefined;
    const db = await world(
      (_, context) => {
        late = context;
        return [{ title: "a" }];
      },
      { idleTimeoutMs: 100 },
    );
    expect((await db.execute("SELECT title FROM issue WHERE id = 3")).rows).toEqual([{ title: "a" }]);
    late?.progress(1);
    late?.missing("half", "late");
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("the caller gives up", () => {
  test("resolvers that ignore their signal do not hold the statement; what they throw later is nobody's", async () => {
    const giveUp = new AbortController();
    const answers: ((error: Error) => void)[] = [];
    const db = await world(() => new Promise((_, reject) => answers.push(reject)));
    const run = db.execute("SELECT * FROM issue WHERE id = 3", { signal: giveUp.signal });
    await sleep(1);
    giveUp.abort();
    await expect(run).rejects.toMatchObject({ code: "57014", message: "canceling statement due to user request" });
    for (const fail of answers) fail(new Error("too late"));
    expect(answers).toHaveLength(1);
    await sleep(1);
  });

  test("pages: the iterator is closed, also one that comes after the end", async () => {
    const closed: string[] = [];
    const pagesOf = (name: string) => ({
      [Symbol.asyncIterator]: () => ({
        next: never,
        return: async () => {
          closed.push(name);
          throw new Error("closing failed");
        },
      }),
    });
    const giveUp = new AbortController();
    const answers: ((pages: unknown) => void)[] = [];
    const late = new Promise((resolve) => answers.push(resolve));
    const db = await world((id) => (id === 1 ? pagesOf("open") : late));
    const run = db.execute("SELECT * FROM issue WHERE id IN (1, 2)", { signal: giveUp.signal });
    await sleep(1);
    giveUp.abort();
    await expect(run).rejects.toMatchObject({ code: "57014" });
    for (const answer of answers) answer(pagesOf("late"));
    await sleep(1);
    expect(closed).toEqual(["open", "late"]);
  });

  test("a wait for a place, for a token and for another attempt ends as well", async () => {
    const giveUp = new AbortController();
    const busy = Object.assign(new Error("busy"), { retryable: true, retryAfterMs: 50_000 });
    const db = await world(
      (id) => {
        if (id === 1) throw busy;
        return never();
      },
      { rateLimit: { perSecond: 0.001, burst: 2 }, concurrency: 1 },
    );
    const run = db.execute("SELECT * FROM issue WHERE id IN (1, 2, 3, 4)", { signal: giveUp.signal });
    await sleep(1);
    giveUp.abort();
    await expect(run).rejects.toMatchObject({ code: "57014" });
  });
});

describe("one call fails", () => {
  test("the others are stopped, those that wait are not made, and the error says so", async () => {
    const started: number[] = [];
    let stopped = 0;
    const db = await world(
      async (id, context) => {
        started.push(id);
        if (id === 1) return [{ title: "a" }];
        if (id !== 4) return untilStopped(context, () => stopped++);
        await sleep(1);
        throw new Error("no such issue");
      },
      {},
      { concurrency: 3 },
    );
    await expect(db.execute("SELECT * FROM issue WHERE id IN (1, 2, 3, 4, 5, 6)")).rejects.toMatchObject({
      code: "HV000",
      message: 'reading table "issue" failed',
      detail: "no such issue (called with id = 4). Of 5 other calls: 1 answered, 2 stopped, 2 not made.",
    });
    expect(started).toEqual([1, 2, 3, 4]);
    expect(stopped).toBe(2);
  });

  test("who watches may stop the statement, whatever the resolver catches", async () => {
    const db = await world(async (_, context) => {
      try {
        context.progress(1);
      } catch {
        return [{ title: "caught" }];
      }
      return never();
    });
    const enough = new Error("enough");
    const run = db.execute("SELECT * FROM issue WHERE id = 1", {
      allowPartial: true,
      onProgress: ({ kind }) => {
        if (kind === "progress") throw enough;
      },
    });
    await expect(run).rejects.toBe(enough);
  });
});

describe("1,000 keys through a dependent join", () => {
  interface Load {
    inFlight: number;
    most: number;
    calls: number;
    stopped: number;
  }

  async function keys(answer: (load: Load, context: ResourceContext) => Promise<unknown>) {
    const load: Load = { inFlight: 0, most: 0, calls: 0, stopped: 0 };
    const db = await world(
      async (_, context) => {
        load.calls += 1;
        load.inFlight += 1;
        load.most = Math.max(load.most, load.inFlight);
        try {
          return await answer(load, context);
        } finally {
          load.inFlight -= 1;
        }
      },
      {},
      { concurrency: 8, callsPerStatement: 2_000 },
    );
    db.register(
      defineResource({
        name: "list",
        volatility: "volatile",
        columns: [{ name: "id", type: "bigint" }],
        select: () => Array.from({ length: 1_000 }, (_, i) => ({ id: i })),
      }),
    );
    return { db, load };
  }

  const sql = "SELECT count(*) AS n FROM list l JOIN issue i ON i.id = l.id";

  test("never more than eight in flight", async () => {
    const { db, load } = await keys(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return [{ title: "t" }];
    });
    const { rows, touched } = await db.execute(sql);
    expect(rows).toEqual([{ n: 1_000 }]);
    expect(load).toEqual({ inFlight: 0, most: 8, calls: 1_000, stopped: 0 });
    expect(touched.find(({ name }) => name === "issue")?.invocations).toBe(1_000);
  });

  test("an abort reaches all that run, no other is made, nothing is held", async () => {
    const giveUp = new AbortController();
    const warnings: string[] = [];
    const warn = (warning: Error) => void warnings.push(warning.message);
    process.on("warning", warn);
    const { db, load } = await keys((now, context) => {
      if (now.calls === 97) setImmediate(() => giveUp.abort());
      return now.calls < 90 || giveUp.signal.aborted
        ? Promise.resolve([{}])
        : untilStopped(context, () => now.stopped++);
    });
    await expect(db.execute(sql, { signal: giveUp.signal })).rejects.toMatchObject({
      code: "57014",
      detail: "Of 1,001 calls: 90 answered, 8 stopped, 903 not made.",
    });
    await sleep(1);
    process.off("warning", warn);
    expect(load).toEqual({ inFlight: 0, most: 8, calls: 97, stopped: 8 });
    expect(warnings).toEqual([]);
    // The places are free again: the next statement answers.
    expect((await db.execute(sql)).rows).toEqual([{ n: 1_000 }]);
    expect(load.most).toBe(8);
  });
});

test("one signal may stop any number of statements: Node does not take their listeners for a leak", async () => {
  const warnings: Error[] = [];
  const warned = (warning: Error) => void warnings.push(warning);
  process.on("warning", warned);
  try {
    const db = await world((id) => [{ id }]);
    const stop = new AbortController();
    const sql = (id: number) => `SELECT id FROM issue WHERE id IN (${id}, ${id + 100})`;
    const ids = Array.from({ length: 30 }, (_, i) => i);
    await Promise.all(ids.map((id) => db.execute(sql(id), { signal: stop.signal })));
    await Promise.all(ids.map((id) => db.session().execute(sql(id), { signal: stop.signal })));
    const waiting = ids.map((id) => db.execute(sql(id), { signal: stop.signal }));
    stop.abort();
    const outcomes = await Promise.allSettled(waiting);
    expect(outcomes.map(({ status }) => status)).toEqual(ids.map(() => "rejected"));
    await sleep(0);
    expect(warnings).toEqual([]);
  } finally {
    process.off("warning", warned);
  }
});
