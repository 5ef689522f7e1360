/** Finding tables: catalog.search, scratchpad.sources, scratchpad.calls. */
import { describe, expect, test } from "vitest";
import { Database, type DatabaseOptions, defineResource } from "../../src/index.js";

const seed: NonNullable<DatabaseOptions["catalog"]> = {
  tables: [
    {
      schema: "public",
      name: "github_pull_requests",
      description: "Pull requests of a repository",
      volatility: "stable",
      verbs: ["select"],
      columns: [
        { name: "repo", type: "text", requiredKey: true, description: "Owner and name" },
        { name: "number", type: "bigint" },
        { name: "merged_at", type: "timestamptz", description: "When it was merged" },
        { name: "reviewState", type: "text", enum: ["approved", "changes_requested"] },
      ],
      keys: ["repo"],
      primaryKey: [],
    },
    {
      schema: "public",
      name: "linear_issues",
      description: "Tickets of a team",
      volatility: "stable",
      verbs: ["select"],
      columns: [
        { name: "id", type: "text" },
        { name: "assignee", type: "text" },
      ],
      keys: [],
      primaryKey: [],
    },
  ],
};

describe("catalog.search", () => {
  test.each<{ name: string; text: string; first: unknown[] }>([
    { name: "words of a name", text: "pull request", first: ["github_pull_requests", null] },
    { name: "camel case", text: "PullRequests", first: ["github_pull_requests", null] },
    { name: "a prefix", text: "assig", first: ["linear_issues", "assignee"] },
    { name: "a slip", text: "isues", first: ["linear_issues", null] },
    { name: "a description", text: "which tickets are there", first: ["linear_issues", null] },
    { name: "a label", text: "approved", first: ["github_pull_requests", "reviewState"] },
    { name: "a column and its table", text: "github merged", first: ["github_pull_requests", "merged_at"] },
    { name: "a column in camel case", text: "review state", first: ["github_pull_requests", "reviewState"] },
  ])("$name", async ({ text, first }) => {
    const db = await Database.create({ catalog: seed });
    const { rows } = await db.execute("SELECT * FROM catalog.search($1) LIMIT 1", { params: [text] });
    expect(rows.map((row) => [row.table_name, row.column_name])).toEqual([first]);
  });

  test("its columns", async () => {
    const db = await Database.create({ catalog: seed });
    const { rows, fields, touched } = await db.execute("SELECT s.* FROM catalog.search('merged') AS s");
    expect(fields.map(({ name, type }) => [name, type])).toEqual([
      ["table_schema", "text"],
      ["table_name", "text"],
      ["column_name", "text"],
      ["data_type", "text"],
      ["description", "text"],
      ["score", "double precision"],
    ]);
    expect(rows).toEqual([
      {
        table_schema: "public",
        table_name: "github_pull_requests",
        column_name: "merged_at",
        data_type: "timestamp with time zone",
        description: "When it was merged",
        score: 0.9,
      },
    ]);
    expect(touched).toEqual([]);
  });

  test("it composes: joins, NULL, no word, several hundred tables", async () => {
    const db = await Database.create({ catalog: seed });
    for (let i = 0; i < 300; i++) {
      db.register(
        defineResource({
          name: `thing_${i}`,
          volatility: "stable",
          columns: [
            { name: "id", type: "bigint" },
            { name: `detail_${i}`, type: "text" },
          ],
          select: () => [],
        }),
      );
    }
    const joined = await db.execute(
      "SELECT t.table_name FROM information_schema.tables t JOIN catalog.search('linear') s USING (table_name) WHERE s.column_name IS NULL",
    );
    expect(joined.rows).toEqual([{ table_name: "linear_issues" }]);
    expect((await db.execute("SELECT * FROM catalog.search(NULL)")).rows).toEqual([]);
    expect((await db.execute("SELECT * FROM catalog.search(' ,;')")).rows).toEqual([]);
    const many = await db.execute("SELECT count(*) AS n, max(score) AS best FROM catalog.search('thing')");
    expect(many.rows).toEqual([{ n: 100, best: 1 }]);
    const one = await db.execute("SELECT table_name, column_name FROM catalog.search('detail 17') LIMIT 1");
    expect(one.rows).toEqual([{ table_name: "thing_17", column_name: "detail_17" }]);
  });

  test.each([
    { sql: "SELECT * FROM catalog.find('x')", code: "42883", message: "function catalog.find does not exist" },
    { sql: "SELECT * FROM search('x')", code: "42883", message: "function search(unknown) does not exist" },
    { sql: "SELECT * FROM catalog.search()", code: "42883", message: "function catalog.search() does not exist" },
    { sql: "SELECT * FROM nowhere.search('x')", code: "3F000", message: 'schema "nowhere" does not exist' },
  ])("$sql", async ({ sql, code, message }) => {
    const db = await Database.create({ catalog: seed });
    await expect(db.execute(sql)).rejects.toMatchObject({ code, message });
  });
});

/** A clock that stands, and tables of two sources: one server with two tables, one of which fails. */
async function sourceWorld() {
  const db = await Database.create({ catalog: seed, now: () => new Date("2026-03-01T10:00:00Z") });
  const source = { name: "jira", kind: "mcp" };
  db.registerAll([
    defineResource({
      name: "jira_issue",
      volatility: "volatile",
      source,
      columns: [
        { name: "id", type: "bigint", requiredKey: true },
        { name: "title", type: "text" },
      ],
      select: (bindings) => [{ id: bindings.one("id"), title: "t" }],
    }),
    defineResource({
      name: "jira_board",
      volatility: "volatile",
      source,
      columns: [{ name: "id", type: "bigint" }],
      select: () => {
        throw new Error("boards are away");
      },
    }),
    defineResource({
      name: "clock",
      volatility: "immutable",
      columns: [{ name: "hour", type: "integer" }],
      select: () => [{ hour: 10 }],
    }),
  ]);
  return db;
}

describe("scratchpad.sources", () => {
  test("before a call", async () => {
    const db = await sourceWorld();
    const { rows } = await db.execute("SELECT name, kind, tables, state, calls FROM scratchpad.sources ORDER BY name");
    expect(rows).toEqual([
      { name: "clock", kind: "resource", tables: ["clock"], state: "ok", calls: 0 },
      {
        name: "github_pull_requests",
        kind: "manifest",
        tables: ["github_pull_requests"],
        state: "not connected",
        calls: 0,
      },
      { name: "jira", kind: "mcp", tables: ["jira_board", "jira_issue"], state: "ok", calls: 0 },
      { name: "linear_issues", kind: "manifest", tables: ["linear_issues"], state: "not connected", calls: 0 },
    ]);
  });

  test("calls, failures and what the last one said", async () => {
    const db = await sourceWorld();
    await db.execute("SELECT * FROM jira_issue WHERE id IN (1, 2)");
    await expect(db.execute("SELECT * FROM jira_board")).rejects.toMatchObject({ code: "HV000" });
    const read =
      "SELECT state, calls, failed_calls, last_error, last_call_at FROM scratchpad.sources WHERE name = 'jira'";
    expect((await db.execute(read)).rows).toEqual([
      {
        state: "failing",
        calls: 3,
        failed_calls: 1,
        last_error: expect.stringContaining("boards are away"),
        last_call_at: "2026-03-01T10:00:00.000Z",
      },
    ]);
  });
});

describe("scratchpad.calls", () => {
  test("each call with its arguments, oldest first", async () => {
    const db = await sourceWorld();
    await db.execute("SELECT * FROM jira_issue WHERE id IN (1, 9007199254740993)");
    await db.execute("SELECT * FROM clock");
    await db.execute("SELECT * FROM clock");
    const { rows } = await db.execute(
      'SELECT at, relation, bindings, quals, "limit", rows, pages, status, error, cached, retries FROM scratchpad.calls',
    );
    const at = "2026-03-01T10:00:00.000Z";
    const answered = {
      at,
      quals: [],
      limit: null,
      rows: 1,
      pages: 1,
      status: "answered",
      error: null,
      cached: false,
      retries: 0,
    };
    expect(rows).toEqual([
      { ...answered, relation: "jira_issue", bindings: { id: [1] } },
      { ...answered, relation: "jira_issue", bindings: { id: ["9007199254740993"] } },
      { ...answered, relation: "clock", bindings: {} },
      { ...answered, relation: "clock", bindings: {}, pages: 0, status: "cached", cached: true },
    ]);
  });

  test("nobody sees what another asked for", async () => {
    const db = await sourceWorld();
    await db.execute("SELECT * FROM jira_issue WHERE id = 1", { actor: "ann" });
    const count = "SELECT count(*) AS n FROM scratchpad.calls";
    expect((await db.execute(count, { actor: "ann" })).rows).toEqual([{ n: 1 }]);
    expect((await db.execute(count, { actor: "bob" })).rows).toEqual([{ n: 0 }]);
    expect((await db.execute(count)).rows).toEqual([{ n: 0 }]);
    expect((await db.session({ actor: "ann" }).execute(count)).rows).toEqual([{ n: 1 }]);
    const sources = "SELECT calls FROM scratchpad.sources WHERE name = 'jira'";
    expect((await db.execute(sources, { actor: "bob" })).rows).toEqual([{ calls: 0 }]);
  });

  test("the last 1,000 are kept", async () => {
    const db = await sourceWorld();
    const keys = Array.from({ length: 600 }, (_, i) => i);
    await db.execute("SELECT * FROM jira_issue WHERE id = ANY($1)", { params: [keys] });
    await db.execute("SELECT * FROM jira_issue WHERE id = ANY($1)", { params: [keys.map((key) => key + 1000)] });
    const { rows } = await db.execute(
      "SELECT count(*) AS n, max((bindings -> 'id' ->> 0)::int) AS newest FROM scratchpad.calls",
    );
    expect(rows).toEqual([{ n: 1000, newest: 1599 }]);
  });
});
