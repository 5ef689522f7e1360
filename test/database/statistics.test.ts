/** What calls say of the tables: estimates, plans that follow them, plans that are kept while little changes. */
import { describe, expect, test } from "vitest";
import { Database } from "../../src/index.js";
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
