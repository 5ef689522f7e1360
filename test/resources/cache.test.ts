/** What an answer is kept for: a statement, an execute, a time, the database's life; and what ends it sooner. */
import { describe, expect, test } from "vitest";
import { Database, defineResource, type ResourceTable } from "../../src/index.js";
import type { CallAnswer } from "../../src/resources/call-cache.js";
import { KeptAnswers } from "../../src/resources/call-cache.js";
import { registeredResource } from "../../src/resources/table-info.js";

interface World {
  db: Database;
  calls: string[];
  /** Sets the database's clock ahead. */
  pass(ms: number): void;
}

async function world(...tables: { name: string; schema?: string; options?: Partial<ResourceTable> }[]): Promise<World> {
  const calls: string[] = [];
  let time = Date.UTC(2026, 0, 1);
  const db = await Database.create({ policy: { writes: true }, now: () => new Date(time) });
  for (const { name, schema = "public", options } of tables) {
    db.register(
      defineResource({
        name,
        volatility: "stable",
        columns: [{ name: "id", type: "bigint" }],
        primaryKey: ["id"],
        accepts: { limit: true, orderBy: ["id"] },
        select: (_, ctx) => {
          calls.push(
            [name, ctx.actor, ctx.limit === undefined ? undefined : `limit ${ctx.limit}`].filter(Boolean).join(" "),
          );
          return [{ id: 1 }, { id: 2 }];
        },
        insert: () => undefined,
        delete: () => undefined,
        ...options,
      }),
      { schema },
    );
  }
  const pass = (ms: number) => {
    time += ms;
  };
  return { db, calls, pass };
}

describe("ttlMs", () => {
  test("a stable answer is good across executes for that long, counted from the question", async () => {
    const { db, calls, pass } = await world({ name: "issue", options: { ttlMs: 1_000 } });
    await db.execute("SELECT * FROM issue");
    pass(999);
    await db.execute("SELECT * FROM issue");
    expect(calls).toHaveLength(1);
    pass(1);
    await db.execute("SELECT * FROM issue");
    expect(calls).toHaveLength(2);
  });

  test("an immutable answer expires, one without ttlMs does not", async () => {
    const { db, calls, pass } = await world(
      { name: "a", options: { volatility: "immutable", ttlMs: 1_000 } },
      { name: "b", options: { volatility: "immutable" } },
    );
    for (let i = 0; i < 2; i++) {
      await db.execute("SELECT * FROM a, b");
      pass(10_000);
    }
    expect(calls.sort()).toEqual(["a", "a", "b"]);
  });

  test("an answer that expires within a statement serves it to the end", async () => {
    const calls: number[] = [];
    let time = 0;
    const db = await Database.create({ now: () => new Date(time) });
    const slow = { volatility: "stable" as const, ttlMs: 10 };
    const columns = [{ name: "id", type: "bigint" }];
    db.register(defineResource({ name: "a", ...slow, columns, select: () => [{ id: calls.push(1) }] }));
    db.register(
      defineResource({
        name: "b",
        ...slow,
        columns: [{ name: "id", type: "bigint", requiredKey: true }],
        select: () => {
          time += 50;
          return [{}];
        },
      }),
    );
    await db.execute("SELECT id FROM a");
    time += 5;
    const sql = "SELECT x.id AS x, y.id AS y FROM a x JOIN b ON b.id = x.id JOIN a y ON y.id = b.id";
    expect((await db.execute(sql)).rows).toEqual([{ x: 1, y: 1 }]);
    expect(calls).toHaveLength(1);
  });

  test("each principal has its own", async () => {
    const { db, calls } = await world({ name: "issue", options: { ttlMs: 1_000 } });
    for (const actor of ["ann", "ben", "ann"]) await db.execute("SELECT * FROM issue", { actor });
    expect(calls).toEqual(["issue ann", "issue ben"]);
  });

  test("a write on the table ends it in every session, whatever became of the write", async () => {
    const insert = () => {
      throw new Error("disk full");
    };
    const { db, calls } = await world(
      { name: "issue", options: { ttlMs: 1_000, insert } },
      { name: "other", options: { ttlMs: 1_000 } },
    );
    const reader = db.session();
    await reader.execute("SELECT * FROM issue, other");
    await expect(db.execute("INSERT INTO issue VALUES (3)")).rejects.toMatchObject({ code: "HV000" });
    await reader.execute("SELECT * FROM issue, other");
    expect(calls.sort()).toEqual(["issue", "issue", "other"]);
  });

  test("a table registered again does not answer with the rows of the one before", async () => {
    const { db } = await world({ name: "issue", options: { volatility: "immutable" } });
    expect((await db.execute("SELECT id FROM issue")).rows).toHaveLength(2);
    db.register(
      defineResource({
        name: "issue",
        volatility: "immutable",
        columns: [{ name: "id", type: "bigint" }],
        select: () => [{ id: 9 }],
      }),
    );
    expect((await db.execute("SELECT id FROM issue")).rows).toEqual([{ id: 9 }]);
  });
});

describe("invalidate()", () => {
  test("a table by its exact name and schema", async () => {
    const immutable = { volatility: "immutable" as const };
    const { db, calls } = await world(
      { name: "issue", options: immutable },
      { name: "issue", schema: "jira", options: immutable },
      { name: "issue,x", options: immutable },
    );
    const read = async () => {
      calls.length = 0;
      await db.execute('SELECT 1 FROM issue, jira.issue j, "issue,x"');
      return calls.length;
    };
    expect(await read()).toBe(3);
    db.invalidate("issue");
    expect(await read()).toBe(1);
    db.invalidate("jira.issue");
    expect(await read()).toBe(1);
    db.invalidate("x");
    expect(await read()).toBe(0);
    db.invalidate();
    expect(await read()).toBe(3);
  });

  test("every session forgets what it wrote", async () => {
    const { db } = await world({ name: "issue" });
    const session = db.session();
    await session.execute("INSERT INTO issue VALUES (3)");
    expect((await session.execute("SELECT count(*) AS n FROM issue")).rows).toEqual([{ n: 3 }]);
    db.invalidate("issue");
    expect((await session.execute("SELECT count(*) AS n FROM issue")).rows).toEqual([{ n: 2 }]);
  });
});

describe("bounds of what is kept", () => {
  const table = registeredResource(
    {
      name: "issue",
      description: "",
      volatility: "immutable",
      columns: [{ name: "id", type: "bigint" }],
      select: () => [],
    },
    "public",
  );
  const answer = (rows: number): CallAnswer => ({
    rows: new Array(rows).fill({}),
    pages: 1,
    bytes: 0,
    durationMs: 0,
    waitedMs: 0,
    retries: 0,
    isPartial: false,
  });

  test("calls: the one that was not used for longest goes", () => {
    const kept = new KeptAnswers(() => new Date(0));
    for (let i = 0; i < 1_000; i++) kept.begin(`${i}`, table)(answer(1));
    kept.get("0");
    kept.begin("new", table)(answer(1));
    expect(kept.size).toEqual({ calls: 1_000, rows: 1_000 });
    expect([kept.get("0"), kept.get("1")]).toEqual([answer(1), undefined]);
  });

  test("rows of all calls", () => {
    const kept = new KeptAnswers(() => new Date(0));
    for (const name of ["a", "b", "c"]) kept.begin(name, table)(answer(400_000));
    expect(kept.size).toEqual({ calls: 2, rows: 800_000 });
    kept.begin("huge", table)(answer(1_000_001));
    expect(kept.get("huge")).toBeUndefined();
    kept.begin("b", table)(answer(10)); // again: counted once
    expect(kept.size.rows).toBe(400_010);
  });
});

test("an answer does not grow with the list that the resolver keeps its rows in", async () => {
  const store = [{ id: 1 }];
  const { db } = await world({ name: "issue", options: { volatility: "immutable", select: () => store } });
  const read = async () => (await db.execute("SELECT id FROM issue ORDER BY id")).rows;
  expect(await read()).toEqual([{ id: 1 }]);
  store.push({ id: 2 });
  expect(await read()).toEqual([{ id: 1 }]);
  db.invalidate("issue");
  expect(await read()).toEqual([{ id: 1 }, { id: 2 }]);
});

describe("LIMIT beside writes of the session", () => {
  test("no limit and no order is passed while the session sees rows of its own", async () => {
    const { db, calls } = await world({ name: "issue" });
    const sql = "SELECT id FROM issue ORDER BY id LIMIT 1";
    expect((await db.execute(sql)).rows).toEqual([{ id: 1 }]);
    const result = await db.execute(`BEGIN; DELETE FROM issue WHERE id = 1; ${sql}`);
    expect(result.rows).toEqual([{ id: 2 }]);
    await db.execute("ROLLBACK");
    await db.execute(sql);
    expect(calls).toEqual(["issue limit 1", "issue", "issue limit 1"]);
  });

  test("so it is after a write that the service does not show yet", async () => {
    const { db, calls } = await world({ name: "issue" });
    await db.execute("DELETE FROM issue WHERE id = 1");
    expect((await db.execute("SELECT id FROM issue LIMIT 1")).rows).toEqual([{ id: 2 }]);
    expect(calls).toEqual(["issue"]);
  });
});
