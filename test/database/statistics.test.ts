/** What calls say of the tables: estimates, plans that follow them, plans that are kept while little changes. */
import { describe, expect, test } from "vitest";
import { Database, defineResource } from "../../src/index.js";
import type { CallRecord } from "../../src/resources/call-record.js";
import { Statistics } from "../../src/resources/statistics.js";
import { Recorder } from "../support/recording.js";

const call = (changes: Partial<CallRecord> = {}): CallRecord => ({
  resource: "pr",
  schema: "public",
  bindings: {},
  quals: [],
  startedAt: new Date(0),
  durationMs: 100,
  waitedMs: 0,
  pages: 1,
  rows: 10,
  bytes: 100,
  retries: 0,
  status: "answered",
  ...changes,
});

describe("averages", () => {
  test("nothing is known before a call", () => {
    expect(new Statistics().estimateOf("public", "pr")).toBeUndefined();
  });

  test("a whole read says how large the table is, a call with arguments what a call gives", () => {
    const statistics = new Statistics();
    statistics.record(call({ rows: 400, pages: 8 }));
    statistics.record(call({ rows: 100, bindings: { id: [1] } }));
    expect(statistics.estimateOf("public", "pr")).toEqual({
      rowsPerCall: 310,
      callMs: 100,
      whole: { rows: 400, pages: 8 },
    });
    expect(statistics.estimateOf("other", "pr")).toBeUndefined();
  });

  test("later calls weigh more", () => {
    const statistics = new Statistics();
    statistics.record(call({ bindings: { id: [1] }, rows: 0, durationMs: 0 }));
    for (let i = 0; i < 20; i++) statistics.record(call({ bindings: { id: [1] }, rows: 50, durationMs: 10 }));
    const estimate = statistics.estimateOf("public", "pr");
    expect(estimate?.rowsPerCall).toBeCloseTo(50, 0);
    expect(estimate?.callMs).toBeCloseTo(10, 0);
    expect(estimate?.whole).toBeUndefined();
  });

  test.each<Partial<CallRecord>>([
    { status: "failed" },
    { status: "canceled" },
    { status: "cached" },
    { limit: 10, rows: 10 },
  ])("%j says nothing of the table", (changes) => {
    const statistics = new Statistics();
    statistics.record(call(changes));
    expect(statistics.estimateOf("public", "pr")).toBeUndefined();
    expect(statistics.version).toBe(0);
  });

  test("the version changes with the first estimate and by a factor of more than 4", () => {
    const statistics = new Statistics();
    const versions = [100, 110, 90, 150, 5000, 5100].map((rows) => {
      statistics.record(call({ rows }));
      return statistics.version;
    });
    expect(versions).toEqual([1, 1, 1, 1, 2, 2]);
  });

  test("another resource of the name begins anew", () => {
    const statistics = new Statistics();
    statistics.record(call());
    statistics.forget("public", "pr");
    expect(statistics.estimateOf("public", "pr")).toBeUndefined();
    expect(statistics.version).toBe(2);
  });
});

describe("plans", () => {
  async function world() {
    const recorder = new Recorder();
    const db = await Database.create();
    const table = (name: string, count: number, columns: string[]) =>
      recorder.resource({
        name,
        columns: columns.map((column) => ({ name: column, type: "bigint" })),
        rows: Array.from({ length: count }, (_, i) => Object.fromEntries(columns.map((column) => [column, i]))),
      });
    db.registerAll([table("hub", 3, ["id"]), table("large", 500, ["hub"]), table("small", 2, ["hub"])]);
    return { db, recorder };
  }

  const join = "SELECT * FROM hub h JOIN large l ON l.hub = h.id JOIN small s ON s.hub = h.id";
  const order = (text: string) => [...text.matchAll(/Resource Scan on (\w+)/g)].map(([, name]) => name);

  test("a table with fewer rows is joined first", async () => {
    const { db } = await world();
    expect(order((await db.explain(join)).text)).toEqual(["hub", "large", "small"]);
    const before = await db.execute(join);
    expect(order((await db.explain(join)).text)).toEqual(["hub", "small", "large"]);
    expect((await db.execute(join)).rows).toEqual(before.rows);
  });

  test("what another principal's calls gave is counted in, never shown as rows", async () => {
    const { db, recorder } = await world();
    await db.execute("SELECT * FROM small", { actor: "ann" });
    recorder.take();
    expect((await db.explain("SELECT * FROM small", { actor: "bob" })).text).toContain("rows≈2");
    expect(recorder.take()).toEqual([]);
  });

  test("a table that is registered anew has no estimate", async () => {
    const { db, recorder } = await world();
    await db.execute("SELECT * FROM small");
    db.register(recorder.resource({ name: "small", columns: [{ name: "hub", type: "bigint" }], rows: [] }));
    expect((await db.explain("SELECT * FROM small")).text).toBe("Resource Scan on small");
  });
});

describe("which side drives a join", () => {
  /** Pull requests in pages, which can be asked for by id; teams and owners that name some of them. */
  async function world(options: { primaryKey?: string[]; equality?: boolean } = {}) {
    const calls: string[] = [];
    const db = await Database.create();
    const stable = { volatility: "stable" as const };
    const bigint = (name: string) => ({ name, type: "bigint" });
    db.registerAll([
      defineResource({
        ...stable,
        name: "pr",
        primaryKey: options.primaryKey ?? ["id"],
        columns: [{ ...bigint("id"), ...(options.equality === false && { equality: false }) }, bigint("size")],
        select: async function* (bindings) {
          const ids = bindings.all("id");
          calls.push(ids.length === 0 ? "pr" : `pr ${ids.join(", ")}`);
          if (ids.length > 0) yield ids.map((id) => ({ id, size: 1 }));
          else for (let page = 0; page < 5; page++) yield [0, 1].map((i) => ({ id: page * 2 + i, size: 1 }));
        },
      }),
      defineResource({
        ...stable,
        name: "few",
        columns: [bigint("pr")],
        select: () => {
          calls.push("few");
          return [{ pr: 3 }, { pr: 4 }];
        },
      }),
      defineResource({
        ...stable,
        name: "many",
        columns: [bigint("pr")],
        select: () => {
          calls.push("many");
          return Array.from({ length: 9 }, (_, i) => ({ pr: i }));
        },
      }),
      defineResource({
        ...stable,
        name: "detail",
        columns: [{ ...bigint("pr"), requiredKey: true }, bigint("lines")],
        select: (bindings) => {
          calls.push(`detail ${bindings.one("pr")}`);
          return [{ pr: bindings.one("pr"), lines: 7 }];
        },
      }),
    ]);
    const take = async (sql: string) => {
      calls.length = 0;
      const { rows } = await db.execute(sql);
      return { rows, calls: calls.toSorted() };
    };
    return { take };
  }

  const few = "SELECT p.id, p.size FROM pr p JOIN few f ON f.pr = p.id ORDER BY p.id";
  const rows = [
    { id: 3, size: 1 },
    { id: 4, size: 1 },
  ];

  test("a table of many pages is asked for the keys of a smaller one, once both are known", async () => {
    const { take } = await world();
    expect(await take(few)).toEqual({ rows, calls: ["few", "pr"] });
    expect(await take(few)).toEqual({ rows, calls: ["few", "pr 3, 4"] });
  });

  test("not for more keys than it has pages", async () => {
    const { take } = await world();
    const many = "SELECT count(*) AS n FROM pr p JOIN many m ON m.pr = p.id";
    expect(await take(many)).toEqual({ rows: [{ n: 9 }], calls: ["many", "pr"] });
    expect(await take(many)).toEqual({ rows: [{ n: 9 }], calls: ["many", "pr"] });
  });

  test.each([{ primaryKey: [] }, { equality: false }, { primaryKey: ["size"] }])("not with %j", async (options) => {
    const { take } = await world(options);
    await take(few);
    expect(await take(few)).toEqual({ rows, calls: ["few", "pr"] });
  });

  test("not where rows without a partner are wanted", async () => {
    const { take } = await world();
    await take(few);
    const outer = await take("SELECT count(*) AS n, count(f.pr) AS f FROM pr p LEFT JOIN few f ON f.pr = p.id");
    expect(outer).toEqual({ rows: [{ n: 10, f: 2 }], calls: ["few", "pr"] });
  });

  test("a key that two tables could give comes from the one with fewer rows", async () => {
    const { take } = await world();
    const both =
      "SELECT d.lines FROM many m JOIN few f ON f.pr = m.pr JOIN detail d ON d.pr = m.pr AND d.pr = f.pr ORDER BY d.pr";
    await take("SELECT * FROM few");
    await take("SELECT * FROM many");
    expect((await take(both)).calls).toEqual(["detail 3", "detail 4", "few", "many"]);
  });
});
