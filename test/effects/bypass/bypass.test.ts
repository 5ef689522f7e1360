/** Nothing gets past the gate: through every door that is shut, each attempt of the list calls nothing that has an effect. */
import { describe, expect, test } from "vitest";
import type { Database, DatabaseOptions, ExecuteOptions, SqlError } from "../../../src/index.js";
import { attempts } from "./attempts.js";
import { bypassWorld } from "./world.js";

const groups = Object.entries(attempts);

test("there are at least 150, no two alike", () => {
  const texts = groups.flatMap(([, list]) => list.map(([sql]) => sql));
  expect(texts.length).toBeGreaterThanOrEqual(150);
  expect(new Set(texts).size).toBe(texts.length);
});

describe.each(groups)("a read-only database: %s", (_, list) => {
  test.each(list)("%j is %s", async (sql, code) => {
    const { db, recorder } = await bypassWorld();
    await expect(db.execute(sql)).rejects.toMatchObject({ name: "SqlError", code });
    expect(recorder.calls).toEqual([]);
    expect(db.preview()).toEqual([]);
  });
});

/** What happens to a text: nothing that it fails with may be something else than an SqlError. */
async function attempt(db: Database, sql: string, options: ExecuteOptions = {}): Promise<void> {
  await db.execute(sql, options).catch((error: SqlError) => expect(error.name).toBe("SqlError"));
}

interface Door {
  readonly name: string;
  readonly options: DatabaseOptions;
  readonly execute?: ExecuteOptions;
  /** Sent before each attempt. */
  readonly before?: string;
  /** Groups whose texts may rightly fire something through this door. */
  readonly except?: string;
}

const doors: readonly Door[] = [
  {
    name: "policy.writes false, allowWrites true",
    options: { policy: { writes: false } },
    execute: { allowWrites: true },
  },
  {
    name: "a policy that allows reading only",
    options: { policy: { writes: true, tables: { "*": { verbs: ["select"] } } } },
  },
  {
    name: "a READ ONLY transaction",
    options: { policy: { writes: true, unboundedWrites: true } },
    before: "BEGIN READ ONLY",
    except: "several statements", // some end it and begin another one
  },
  {
    name: "allowWrites false outside a transaction",
    options: { policy: { writes: true, unboundedWrites: true } },
    execute: { allowWrites: false },
    except: "several statements", // some are transactions that commit
  },
];

describe.each(doors)("$name", ({ options, execute, before, except }) => {
  test.each(groups.filter(([name]) => name !== except))("%s", async (_, list) => {
    for (const [sql] of list) {
      const { db, effects } = await bypassWorld(options);
      if (before !== undefined) await db.execute(before);
      await attempt(db, sql, execute);
      await attempt(db, "COMMIT", execute);
      expect({ sql, effects: effects() }).toEqual({ sql, effects: [] });
    }
  });
});

test("with every door open, many of them fire: the list is one of real writes", async () => {
  let fired = 0;
  for (const [sql] of groups.flatMap(([, list]) => list)) {
    const { db, effects } = await bypassWorld({ policy: { writes: true, unboundedWrites: true } });
    await attempt(db, sql);
    if (effects().length > 0) fired += 1;
  }
  expect(fired).toBeGreaterThan(60);
});

test("explain() calls nothing, whatever it is asked, and writes or not", async () => {
  for (const writes of [false, true]) {
    const { db, recorder } = await bypassWorld({ policy: { writes, unboundedWrites: true } });
    for (const [sql] of groups.flatMap(([, list]) => list)) {
      await db.explain(sql).catch((error: SqlError) => expect(error.name).toBe("SqlError"));
      expect({ sql, calls: recorder.calls }).toEqual({ sql, calls: [] });
    }
    expect(db.inTransaction()).toBe(false);
  }
});

describe("sizes", () => {
  const nested = (depth: number) => `SELECT ${"(".repeat(depth)}1${")".repeat(depth)}`;
  const write = "DELETE FROM notes WHERE id = 1";
  test.each<{ name: string; sql: string; code: string }>([
    { name: "longer than the limit", sql: `SELECT 1 ${" ".repeat(1_000_000)}; ${write}`, code: "54001" },
    { name: "a long comment before a write", sql: `/*${"x".repeat(900_000)}*/ ${write}`, code: "42501" },
    {
      name: "deep comments before a write",
      sql: `${"/*".repeat(50_000)}${"*/".repeat(50_000)} ${write}`,
      code: "42501",
    },
    {
      name: "comments that end once too seldom",
      sql: `${"/*".repeat(501)}${"*/".repeat(500)} ${write}`,
      code: "42601",
    },
    { name: "parentheses", sql: `${nested(100_000)}; ${write}`, code: "54001" },
    { name: "subqueries", sql: `${"SELECT (".repeat(5_000)}SELECT 1${")".repeat(5_000)}`, code: "54001" },
    { name: "nested WITH", sql: `${"WITH w AS (".repeat(5_000)}${write}${") SELECT 1".repeat(5_000)}`, code: "54001" },
    { name: "EXPLAIN of EXPLAIN", sql: `${"EXPLAIN ".repeat(5_000)}${write}`, code: "54001" },
    { name: "many statements", sql: `${"SELECT 1;".repeat(20_000)}${write}`, code: "0A000" },
    { name: "many semicolons", sql: `${";".repeat(100_000)}${write}`, code: "42501" },
    { name: "a long name", sql: `DELETE FROM ${"n".repeat(100_000)}`, code: "42501" },
    { name: "nothing", sql: "", code: "42601" },
    { name: "semicolons only", sql: ";;;", code: "42601" },
    { name: "a comment only", sql: "-- DELETE FROM notes", code: "42601" },
  ])("$name", async ({ sql, code }) => {
    const { db, recorder } = await bypassWorld();
    await expect(db.execute(sql)).rejects.toMatchObject({ name: "SqlError", code });
    expect(recorder.calls).toEqual([]);
  });
});
