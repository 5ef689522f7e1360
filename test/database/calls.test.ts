/** Which calls a statement makes: the whole list, in order, with arguments. */
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type ResourceTable, resourceFromTool } from "../../src/index.js";
import { prWorld } from "../support/pr-world.js";
import type { RecordedCall, Recorder } from "../support/recording.js";

/** A tool whose one, optional, input is not part of what it answers. */
function searchTable(recorder: Recorder): ResourceTable {
  return resourceFromTool(
    {
      name: "search",
      inputSchema: z.object({ query: z.string().optional() }),
      call: async (input: { query?: string }) => {
        recorder.calls.push({ table: "search", args: { query: [input.query] } });
        return { hit: `about ${input.query}` };
      },
    },
    { name: "search", volatility: "volatile", columns: [{ name: "hit", type: "text" }] },
  );
}

describe("reads", () => {
  test.each<{ name: string; sql: string; rows: unknown[][]; calls: RecordedCall[] }>([
    {
      name: "an equality is an argument",
      sql: "SELECT id FROM pr WHERE base = 'docs'",
      rows: [[3]],
      calls: [{ table: "pr", args: { base: ["docs"] } }],
    },
    {
      name: "a boolean column alone is one too",
      sql: "SELECT id FROM pr WHERE merged AND NOT id = 1",
      rows: [[3]],
      calls: [{ table: "pr", args: { merged: [true] } }],
    },
    {
      name: "a required key with several values is called once for each",
      sql: "SELECT id, points FROM issue WHERE id IN ('A-1', 'A-3', 'A-1') ORDER BY id",
      rows: [
        ["A-1", 3],
        ["A-3", 8],
      ],
      calls: [
        { table: "issue", args: { id: ["A-1"] } },
        { table: "issue", args: { id: ["A-3"] } },
      ],
    },
    {
      name: "an optional column with several values is one call",
      sql: "SELECT count(*) FROM pr WHERE base IN ('main', 'docs')",
      rows: [[3]],
      calls: [{ table: "pr", args: { base: ["main", "docs"] } }],
    },
    {
      name: "OR of equalities",
      sql: "SELECT points FROM issue WHERE id = 'A-1' OR id = 'A-2' ORDER BY 1",
      rows: [[3], [5]],
      calls: [
        { table: "issue", args: { id: ["A-1"] } },
        { table: "issue", args: { id: ["A-2"] } },
      ],
    },
    {
      name: "a scalar subquery is read first",
      sql: "SELECT points FROM issue WHERE id = (SELECT closes FROM pr WHERE id = 2)",
      rows: [[5]],
      calls: [
        { table: "pr", args: { id: [2] } },
        { table: "issue", args: { id: ["A-2"] } },
      ],
    },
    {
      name: "a dependent join takes the keys of the other side, without NULL",
      sql: "SELECT p.id, i.points FROM pr p JOIN issue i ON i.id = p.closes ORDER BY p.id",
      rows: [
        [1, 3],
        [2, 5],
      ],
      calls: [{ table: "pr" }, { table: "issue", args: { id: ["A-1"] } }, { table: "issue", args: { id: ["A-2"] } }],
    },
    {
      name: "on the null-supplying side of a LEFT JOIN",
      sql: "SELECT p.id, i.points FROM pr p LEFT JOIN issue i ON i.id = p.closes ORDER BY p.id",
      rows: [
        [1, 3],
        [2, 5],
        [3, null],
      ],
      calls: [{ table: "pr" }, { table: "issue", args: { id: ["A-1"] } }, { table: "issue", args: { id: ["A-2"] } }],
    },
    {
      name: "the order of FROM does not matter",
      sql: "SELECT i.points FROM issue i, pr p WHERE p.id = 1 AND p.closes = i.id",
      rows: [[3]],
      calls: [
        { table: "pr", args: { id: [1] } },
        { table: "issue", args: { id: ["A-1"] } },
      ],
    },
    {
      name: "two keys from two relations",
      sql: "SELECT c.body FROM pr p JOIN issue i ON i.id = p.closes JOIN comment c ON c.issue_id = i.id AND c.pr_id = p.id WHERE p.id = 1",
      rows: [["nice"]],
      calls: [
        { table: "pr", args: { id: [1] } },
        { table: "issue", args: { id: ["A-1"] } },
        { table: "comment", args: { issue_id: ["A-1"], pr_id: [1] } },
      ],
    },
    {
      name: "a correlated subquery",
      sql: "SELECT p.id FROM pr p WHERE EXISTS (SELECT 1 FROM issue i WHERE i.id = p.closes AND i.state = 'open')",
      rows: [[2]],
      calls: [
        { table: "pr" },
        { table: "issue", args: { id: ["A-1"], state: ["open"] } },
        { table: "issue", args: { id: ["A-2"], state: ["open"] } },
      ],
    },
    {
      name: "IN (SELECT …)",
      sql: "SELECT id FROM issue WHERE id IN (SELECT closes FROM pr WHERE merged)",
      rows: [["A-1"]],
      calls: [
        { table: "pr", args: { merged: [true] } },
        { table: "issue", args: { id: ["A-1"] } },
      ],
    },
    {
      name: "through a CTE that is read once",
      sql: "WITH mine AS (SELECT * FROM pr WHERE author = 'ann') SELECT id FROM mine WHERE base = 'main'",
      rows: [[1]],
      calls: [{ table: "pr", args: { author: ["ann"], base: ["main"] } }],
    },
    {
      name: "keys from a CTE that is read twice",
      sql: "WITH k AS (SELECT closes FROM pr WHERE id < 3) SELECT i.id FROM issue i JOIN k ON k.closes = i.id WHERE (SELECT count(*) FROM k) = 2 ORDER BY 1",
      rows: [["A-1"], ["A-2"]],
      calls: [{ table: "pr" }, { table: "issue", args: { id: ["A-1"] } }, { table: "issue", args: { id: ["A-2"] } }],
    },
    {
      name: "two aliases with different keys are two calls",
      sql: "SELECT a.points + b.points FROM issue a, issue b WHERE a.id = 'A-1' AND b.id = 'A-2'",
      rows: [[8]],
      calls: [
        { table: "issue", args: { id: ["A-1"] } },
        { table: "issue", args: { id: ["A-2"] } },
      ],
    },
    {
      name: "identical calls are made once",
      sql: "SELECT count(*) FROM pr a, pr b",
      rows: [[9]],
      calls: [{ table: "pr" }],
    },
    { name: "key = NULL calls nothing", sql: "SELECT id FROM issue WHERE id = NULL", rows: [], calls: [] },
    {
      name: "contradictory keys call nothing",
      sql: "SELECT id FROM issue WHERE id = 'A-1' AND id = 'A-2'",
      rows: [],
      calls: [],
    },
    {
      name: "keys that turn out empty call nothing more",
      sql: "SELECT i.id FROM issue i JOIN pr p ON p.closes = i.id WHERE p.author = 'nobody'",
      rows: [],
      calls: [{ table: "pr", args: { author: ["nobody"] } }],
    },
    {
      name: "a filter above an outer join is checked on the NULL-extended rows",
      sql: "SELECT p.id FROM pr p LEFT JOIN review r ON r.pr = p.id WHERE r.pr IS NULL",
      rows: [[3]],
      calls: [{ table: "pr" }, { table: "review" }],
    },
    {
      name: "a column that is only an argument takes the keys of a join",
      sql: "SELECT p.id, s.hit FROM search s JOIN pr p ON s.query = p.title WHERE p.base = 'docs'",
      rows: [[3, "about Docs"]],
      calls: [
        { table: "pr", args: { base: ["docs"] } },
        { table: "search", args: { query: ["Docs"] } },
      ],
    },
    {
      name: "and several values in several calls",
      sql: "SELECT hit FROM search WHERE query IN ('a', 'b')",
      rows: [["about a"], ["about b"]],
      calls: [
        { table: "search", args: { query: ["a"] } },
        { table: "search", args: { query: ["b"] } },
      ],
    },
    {
      name: "a computed argument",
      sql: "SELECT points FROM issue WHERE id = 'A-' || (4 - 2)",
      rows: [[5]],
      calls: [{ table: "issue", args: { id: ["A-2"] } }],
    },
  ])("$name", async ({ sql, rows, calls }) => {
    const { db, recorder } = await prWorld();
    db.register(searchTable(recorder));
    const result = await db.execute(sql);
    expect(result.rows.map((row) => Object.values(row))).toEqual(rows);
    expect(recorder.take()).toEqual(calls);
  });

  test("parameters are arguments", async () => {
    const { db, recorder } = await prWorld();
    const { rows } = await db.execute("SELECT points FROM issue WHERE id = $1", { params: ["A-3"] });
    expect(rows).toEqual([{ points: 8 }]);
    expect(recorder.take()).toEqual([{ table: "issue", args: { id: ["A-3"] } }]);
  });

  test("= ANY with an array parameter", async () => {
    const { db, recorder } = await prWorld();
    const { rows } = await db.execute("SELECT id FROM issue WHERE id = ANY($1) ORDER BY id", {
      params: [["A-3", "A-1"]],
    });
    expect(rows).toEqual([{ id: "A-1" }, { id: "A-3" }]);
    expect(recorder.take()).toEqual([
      { table: "issue", args: { id: ["A-3"] } },
      { table: "issue", args: { id: ["A-1"] } },
    ]);
  });

  test("independent calls run side by side", async () => {
    const { db, recorder } = await prWorld({}, { pr: { delayMs: 20 }, review: { delayMs: 20 } });
    await db.execute("SELECT count(*) FROM pr, review");
    expect(recorder.maxInFlight).toBe(2);
  });

  test("a failing call tells the tool's words and stops the statement", async () => {
    const { db } = await prWorld({}, { issue: { failAt: 2 } });
    await expect(db.execute("SELECT count(*) FROM issue WHERE id IN ('A-1', 'A-2')")).rejects.toMatchObject({
      code: "HV000",
      message: 'reading table "issue" failed',
      detail: expect.stringContaining("issue is out of order"),
    });
  });

  test("touched relations name arguments and calls", async () => {
    const { db } = await prWorld();
    const { touched } = await db.execute("SELECT i.id FROM issue i JOIN pr p ON p.closes = i.id");
    expect(touched).toEqual([
      expect.objectContaining({
        name: "issue",
        source: "virtual",
        access: "read",
        bindings: { id: ["A-1", "A-2"] },
        invocations: 2,
      }),
      expect.objectContaining({ name: "pr", bindings: {}, invocations: 1 }),
    ]);
  });

  test("stable answers are shared within a script, volatile ones are not", async () => {
    const { db, recorder } = await prWorld({ policy: { writes: true } }, { review: { volatility: "volatile" } });
    await db.execute(
      "BEGIN; SELECT count(*) FROM pr; SELECT count(*) FROM pr; SELECT count(*) FROM review; SELECT count(*) FROM review; ROLLBACK",
    );
    expect(recorder.take().map((call) => call.table)).toEqual(["pr", "review", "review"]);
  });

  test("an immutable answer is kept across statements", async () => {
    const { db, recorder } = await prWorld({}, { pr: { volatility: "immutable" } });
    await db.execute("SELECT count(*) FROM pr");
    await db.execute("SELECT count(*) FROM pr");
    expect(recorder.take()).toHaveLength(1);
    db.invalidate("pr");
    await db.execute("SELECT count(*) FROM pr");
    expect(recorder.take()).toHaveLength(1);
  });
});
