/** Options that are none are refused, and a run ends when its caller or the clock says so. */
import { describe, expect, test } from "vitest";
import {
  buildExecuteSqlTool,
  buildExplainSqlTool,
  Database,
  defineResource,
  type ExecuteOptions,
} from "../../src/index.js";
import { prWorld } from "../support/pr-world.js";

describe("what is wrong with a call is an error before anything runs", () => {
  test.each<{ name: string; sql?: unknown; options?: Record<string, unknown>; code: string; message: string }>([
    {
      name: "limit NaN",
      options: { limit: Number.NaN },
      code: "22023",
      message: "limit must be a number of rows, not NaN",
    },
    {
      name: "a negative limit",
      options: { limit: -1 },
      code: "22023",
      message: "limit must be a number of rows, not -1",
    },
    {
      name: "limit as text",
      options: { limit: "all" },
      code: "22023",
      message: 'limit must be a number of rows, not "all"',
    },
    {
      name: "a negative timeout",
      options: { timeoutMs: -1 },
      code: "22023",
      message: "timeoutMs must be a number of milliseconds, not -1",
    },
    {
      name: "params as text",
      options: { params: "1" },
      code: "22023",
      message: 'params must be an array of values, not "1"',
    },
    {
      name: "params as an object",
      options: { params: { $1: 1 } },
      code: "22023",
      message: "params must be an array of values, not an object",
    },
    {
      name: "a parameter too many",
      options: { params: [1, 2] },
      code: "08P01",
      message: "2 parameter values were given, but the statement needs 1",
    },
    { name: "no statement", sql: undefined, code: "42601", message: "the statement must be a text, not undefined" },
    {
      name: "a list of statements",
      sql: ["SELECT 1"],
      code: "42601",
      message: "the statement must be a text, not an array",
    },
  ])("$name", async (row) => {
    const { db, recorder } = await prWorld();
    const sql = "sql" in row ? row.sql : "SELECT id FROM pr WHERE id = $1";
    const options = { params: [1], ...row.options } as ExecuteOptions;
    await expect(db.execute(sql as string, options)).rejects.toMatchObject({
      name: "SqlError",
      code: row.code,
      message: row.message,
    });
    expect(recorder.take()).toEqual([]);
  });

  test("a script shares its values", async () => {
    const { db } = await prWorld();
    const { rows } = await db.execute("BEGIN; SELECT id FROM pr WHERE id = $1; ROLLBACK", { params: [2] });
    expect(rows).toEqual([{ id: 2 }]);
  });

  test("the tools tell a model, and read a limit that it wrote as text", async () => {
    const { db } = await prWorld();
    const execute = buildExecuteSqlTool(db);
    for (const input of [{}, null, { sql: 5 }, { sql: "SELECT 1", limit: "x" }]) {
      expect(await execute.execute(input as never)).toMatchObject({ ok: false });
      if (input === null || !("limit" in input))
        expect(await buildExplainSqlTool(db).execute(input as never)).toMatchObject({ ok: false });
    }
    const answer = await execute.execute({ sql: "SELECT id FROM pr ORDER BY id", limit: "2" } as never);
    expect(answer).toMatchObject({ ok: true, data: { rows: [{ id: 1 }, { id: 2 }], truncated: true } });
  });

  test("a statement nested deeper than the stack", async () => {
    const { db } = await prWorld();
    const sql = `SELECT ${"1+".repeat(30_000)}1`;
    const answer = await db.execute(sql).then(
      (result) => ({ code: result.command }),
      (error: unknown) => error,
    );
    expect(["54001", "SELECT 1"]).toContain((answer as { code: string }).code);
  });
});

/** Answers after `ms`, unless the call is cancelled. */
function slowTable(ms: number, started: string[]) {
  return defineResource({
    name: "slow",
    volatility: "immutable",
    columns: [
      { name: "k", type: "text", requiredKey: true },
      { name: "v", type: "text" },
    ],
    select: async (bindings, { signal }) => {
      started.push(String(bindings.one("k")));
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(resolve, ms);
        signal.addEventListener("abort", () => {
          clearTimeout(timer);
          reject(signal.reason);
        });
      });
      return { v: "here" };
    },
  });
}

describe("giving up", () => {
  test("a session that gives up takes no answer away from another one", async () => {
    const started: string[] = [];
    const db = await Database.create();
    db.register(slowTable(60, started));
    const giveUp = new AbortController();
    const first = db.session().execute("SELECT v FROM slow WHERE k = 'x'", { signal: giveUp.signal });
    const second = db.execute("SELECT v FROM slow WHERE k = 'x'");
    setTimeout(() => giveUp.abort(), 20);
    await expect(first).rejects.toMatchObject({ code: "57014" });
    expect((await second).rows).toEqual([{ v: "here" }]);
    await db.session().execute("SELECT v FROM slow WHERE k = 'x'");
    expect(started).toEqual(["x", "x"]); // the third one has the second one's answer
  });

  test("an answer that was asked for before invalidate() is not kept", async () => {
    const started: string[] = [];
    const db = await Database.create();
    db.register(slowTable(20, started));
    const running = db.execute("SELECT v FROM slow WHERE k = 'x'");
    setTimeout(() => db.invalidate("slow"), 5);
    await running;
    await db.execute("SELECT v FROM slow WHERE k = 'x'");
    expect(started).toEqual(["x", "x"]);
  });

  test("a statement that waits for its turn is given up at once, and not run", async () => {
    const started: string[] = [];
    const db = await Database.create();
    db.register(slowTable(100, started));
    const giveUp = new AbortController();
    let firstEnded = false;
    const first = db.execute("SELECT v FROM slow WHERE k = 'a'").finally(() => {
      firstEnded = true;
    });
    const second = db.execute("SELECT v FROM slow WHERE k = 'b'", { signal: giveUp.signal });
    setTimeout(() => giveUp.abort(), 10);
    await expect(second).rejects.toMatchObject({ code: "57014" });
    expect(firstEnded).toBe(false);
    await first;
    expect(started).toEqual(["a"]);
  });
});

test("a signal that is aborted already ends an execute that would have to wait, and an explain", async () => {
  const db = await Database.create();
  let finish = () => {};
  db.register(
    defineResource({
      name: "slow",
      volatility: "volatile",
      columns: [{ name: "a", type: "bigint" }],
      select: () =>
        new Promise<{ a: number }[]>((resolve) => {
          finish = () => resolve([{ a: 1 }]);
        }),
    }),
  );
  const running = db.execute("SELECT a FROM slow");
  const signal = AbortSignal.abort();
  await expect(db.execute("SELECT 1", { signal })).rejects.toMatchObject({ code: "57014" });
  await expect(db.explain("SELECT 1", { signal })).rejects.toMatchObject({ code: "57014" });
  finish();
  expect((await running).rows).toEqual([{ a: 1 }]);
});

describe("an option that there is not", () => {
  test.each([
    { option: "allowWrite", hint: "Perhaps you meant allowWrites." },
    { option: "idempotencykey", hint: "Perhaps you meant idempotencyKey." },
    { option: "parameters", hint: "Perhaps you meant params." },
    { option: "constructor", hint: /^The options are params, / },
  ])("$option", async ({ option, hint }) => {
    const db = await Database.create();
    const error = await db.execute("SELECT 1", { [option]: false } as object).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "22023", message: `there is no option "${option}"` });
    expect((error as { hint: string }).hint).toMatch(hint);
    await expect(db.explain("SELECT 1", { [option]: false } as object)).rejects.toMatchObject({ code: "22023" });
  });
});
