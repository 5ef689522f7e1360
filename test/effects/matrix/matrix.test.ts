/** Every form of a write through every fate that it can have: which calls were made, and what the receipts say of each. */
import { describe, expect, test } from "vitest";
import { type ExecuteOptions, SqlError } from "../../../src/index.js";
import type { RecordedCall } from "../../support/recording.js";
import { type Form, forms } from "./forms.js";
import { openWorld, type World, type WorldOptions } from "./world.js";

/** Reads come before effects; among themselves they have no order. */
function calls(world: World): { reads: unknown[]; effects: RecordedCall[] } {
  const all = world.take();
  const reads = all.filter(({ op }) => op === undefined);
  expect(all.slice(0, reads.length)).toEqual(reads);
  return { reads: sorted(reads), effects: all.slice(reads.length) };
}

const sorted = (list: readonly RecordedCall[]) => list.map((call) => JSON.stringify(call)).sort();

function made({ reads, effects }: Form, sent: number) {
  return { reads: sorted(reads), effects: effects.slice(0, sent) };
}

const none = { reads: [], effects: [] };

function receiptsOf(source: { receipts?: readonly { id: number; op: string; status: string }[] }) {
  return source.receipts?.map(({ id, op, status }) => ({ id, op, status }));
}

function receipts({ effects }: Form, ...statuses: string[]) {
  return effects.map(({ op }, i) => ({ id: i + 1, op, status: statuses[i] }));
}

async function failure(sent: Promise<unknown>): Promise<SqlError> {
  const error = await sent.then(
    () => new Error("it did not fail"),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(SqlError);
  return error as SqlError;
}

const fired = ["fired", "fired", "fired"];
const failsSecond: WorldOptions = {
  onEffect: (n) => {
    if (n === 2) throw new Error("out of order");
    return undefined;
  },
};

describe.each(forms)("$name", (form) => {
  test("allowed", async () => {
    const world = await openWorld();
    const result = await world.db.execute(form.sql);
    expect(result).toMatchObject({ command: form.tag, rows: form.rows ?? [] });
    expect(result.staged).toBeUndefined();
    expect(receiptsOf(result)).toEqual(receipts(form, ...fired));
    expect(calls(world)).toEqual(made(form, 3));
  });

  test("EXPLAIN calls nothing", async () => {
    const world = await openWorld();
    await world.db.execute(`EXPLAIN ${form.sql}`);
    await world.db.explain(form.sql);
    expect(calls(world)).toEqual(none);
  });

  test("EXPLAIN ANALYZE makes its calls once", async () => {
    const world = await openWorld();
    const result = await world.db.execute(`EXPLAIN ANALYZE ${form.sql}`);
    expect(result.command).toBe("EXPLAIN");
    expect(receiptsOf(result)).toEqual(receipts(form, ...fired));
    expect(calls(world)).toEqual(made(form, 3));
  });

  test.each([form.sql, `EXPLAIN ANALYZE ${form.sql}`, `BEGIN; ${form.sql}; COMMIT`])("read-only: %s", async (sql) => {
    const world = await openWorld({ policy: {} });
    expect((await failure(world.db.execute(sql))).code).toBe("42501");
    expect(calls(world)).toEqual(none);
  });

  test("verb missing: nothing is called, whichever of its verbs it is", async () => {
    const all = ["select", "insert", "update", "delete"] as const;
    for (const missing of new Set(form.effects.map(({ op }) => op))) {
      const world = await openWorld({ verbs: all.filter((verb) => verb !== missing) });
      const error = await failure(world.db.execute(form.sql));
      expect(error.code).toBe("55000");
      expect(calls(world)).toEqual(none);
      await failure(world.db.execute(`BEGIN; ${form.sql}`));
      expect((await world.db.execute("COMMIT")).command).toBe("ROLLBACK");
      expect(calls(world)).toEqual(none);
    }
  });

  test("staged, then committed", async () => {
    const world = await openWorld();
    const result = await world.db.execute(`BEGIN; ${form.sql}`);
    expect(result).toMatchObject({ command: form.tag, rows: form.rows ?? [] });
    expect(result.receipts).toBeUndefined();
    expect(result.staged?.map(({ op }) => op)).toEqual(form.effects.map(({ op }) => op));
    expect(result.staged).toEqual(world.db.preview());
    expect(calls(world)).toEqual(made(form, 0));
    const end = await world.db.execute("COMMIT");
    expect(end).toMatchObject({ command: "COMMIT", committed: 3 });
    expect(receiptsOf(end)).toEqual(receipts(form, ...fired));
    expect(end.receipts?.map(({ idempotencyKey }) => idempotencyKey)).toEqual(
      result.staged?.map(({ idempotencyKey }) => idempotencyKey),
    );
    expect(calls(world)).toEqual({ reads: [], effects: form.effects });
  });

  test("in a script", async () => {
    const world = await openWorld();
    const result = await world.db.execute(`BEGIN; ${form.sql}; COMMIT`);
    expect(receiptsOf(result)).toEqual(receipts(form, ...fired));
    expect(calls(world)).toEqual(made(form, 3));
  });

  test("EXPLAIN ANALYZE in a transaction stages", async () => {
    const world = await openWorld();
    const result = await world.db.execute(`BEGIN; EXPLAIN ANALYZE ${form.sql}`);
    expect(result.staged).toHaveLength(3);
    await world.db.execute("ROLLBACK");
    expect(calls(world)).toEqual(made(form, 0));
  });

  test("rolled back", async () => {
    const world = await openWorld();
    await world.db.execute(`BEGIN; ${form.sql}`);
    const end = await world.db.execute("ROLLBACK");
    expect(end.message).toBe("3 staged writes dropped; nothing was fired.");
    await world.db.execute("COMMIT");
    expect(calls(world)).toEqual(made(form, 0));
  });

  test("rolled back to a savepoint", async () => {
    const world = await openWorld();
    const back = await world.db.execute(
      `BEGIN; INSERT INTO t VALUES (99, 'kept'); SAVEPOINT a; ${form.sql}; ROLLBACK TO a`,
    );
    expect(back.staged).toHaveLength(1);
    expect(calls(world).effects).toEqual([]);
    expect((await world.db.execute("COMMIT")).committed).toBe(1);
    expect(calls(world)).toEqual({ reads: [], effects: [{ table: "t", op: "insert", rows: [{ id: 99, v: "kept" }] }] });
  });

  test("aborted after it", async () => {
    const world = await openWorld();
    await failure(world.db.execute(`BEGIN; ${form.sql}; SELECT 1 / (id - id) FROM u; COMMIT`));
    expect((await world.db.execute("COMMIT")).command).toBe("ROLLBACK");
    expect(calls(world).effects).toEqual([]);
  });

  test.each([
    { how: "at once", sql: form.sql, before: undefined },
    { how: "at COMMIT", sql: "COMMIT", before: `BEGIN; ${form.sql}` },
  ])("a failing call in the middle, $how", async ({ sql, before }) => {
    const world = await openWorld(failsSecond);
    if (before !== undefined) await world.db.execute(before);
    const error = await failure(world.db.execute(sql));
    expect(error.code).toBe("HV000");
    expect(receiptsOf(error)).toEqual(receipts(form, "fired", "failed", "not_tried"));
    expect(calls(world)).toEqual(made(form, 2));
    expect(world.db.inTransaction()).toBe(false);
    await world.db.execute("COMMIT");
    expect(calls(world)).toEqual(none);
  });

  test.each([
    { how: "at once", sql: form.sql, before: undefined },
    { how: "at COMMIT", sql: "COMMIT", before: `BEGIN; ${form.sql}` },
  ])("given up after sending, $how: in doubt", async ({ sql, before }) => {
    const giveUp = new AbortController();
    const world = await openWorld({ onEffect: (n) => (n === 2 ? never(() => giveUp.abort()) : undefined) });
    if (before !== undefined) await world.db.execute(before);
    const error = await failure(world.db.execute(sql, { signal: giveUp.signal }));
    expect(error.code).toBe("40003");
    expect(receiptsOf(error)).toEqual(receipts(form, "fired", "unknown", "not_tried"));
    expect(calls(world)).toEqual(made(form, 2));
    expect(world.db.inTransaction()).toBe(false);
  });

  test("cancelled before it is sent", async () => {
    const world = await openWorld();
    const options: ExecuteOptions = { signal: AbortSignal.abort() };
    expect((await failure(world.db.execute(form.sql, options))).code).toBe("57014");
    expect((await failure(world.db.execute(`BEGIN; ${form.sql}; COMMIT`, options))).code).toBe("57014");
    expect(calls(world)).toEqual(none);
  });
});

describe("cancelled while its rows are read", () => {
  test.each(forms.filter(({ reads }) => reads.length > 0))("$name", async (form) => {
    const giveUp = new AbortController();
    const world = await openWorld({ onRead: () => giveUp.abort() });
    expect((await failure(world.db.execute(form.sql, { signal: giveUp.signal }))).code).toBe("57014");
    expect(calls(world).effects).toEqual([]);
  });
});

/** An answer that never comes, and what happens meanwhile. */
function never(meanwhile: () => void): Promise<never> {
  setImmediate(meanwhile);
  return new Promise(() => undefined);
}

describe("a time-out after sending", () => {
  test.each(forms.filter(({ name }) => ["INSERT … VALUES", "UPDATE … FROM", "DELETE by key", "MERGE"].includes(name)))(
    "$name",
    async (form) => {
      const world = await openWorld({ onEffect: (n) => (n === 2 ? never(() => undefined) : undefined) });
      const error = await failure(world.db.execute(form.sql, { timeoutMs: 1_500 }));
      expect(error.code).toBe("40003");
      expect(receiptsOf(error)).toEqual(receipts(form, "fired", "unknown", "not_tried"));
      expect(calls(world)).toEqual(made(form, 2));
    },
  );
});
