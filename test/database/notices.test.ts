/** Answers without rows explain themselves from the rows in hand; no call is made for it. */
import { describe, expect, test } from "vitest";
import { buildExecuteSqlTool, Database, defineResource } from "../../src/index.js";
import { prWorld } from "../support/pr-world.js";
import { Recorder } from "../support/recording.js";

const texts = (notices: readonly { message: string; hint?: string }[] | undefined) =>
  (notices ?? []).map(({ message, hint }) => (hint === undefined ? message : `${message} | ${hint}`));

/** Issues whose service filters by nothing, and one table that it filters by key. */
async function issueWorld(): Promise<{ db: Database; recorder: Recorder }> {
  const recorder = new Recorder();
  const db = await Database.create();
  db.registerAll([
    recorder.resource({
      name: "issue",
      columns: [
        { name: "id", type: "bigint" },
        { name: "state", type: "text" },
        { name: "repo", type: "text" },
        { name: "points", type: "integer" },
        { name: "closed_at", type: "timestamptz" },
      ],
      rows: [
        { id: 1, state: "open", repo: "a", points: 3, closed_at: null },
        { id: 2, state: "open", repo: "b", points: 5, closed_at: null },
        { id: 3, state: "closed", repo: "a", points: null, closed_at: "2026-01-02T00:00:00Z" },
      ],
    }),
    recorder.resource({
      name: "comment",
      columns: [
        { name: "issue_id", type: "bigint", requiredKey: true },
        { name: "body", type: "text" },
      ],
      rows: [{ issue_id: 1, body: "nice" }],
    }),
    recorder.resource({ name: "nothing", columns: [{ name: "id", type: "bigint" }], rows: [] }),
  ]);
  return { db, recorder };
}

describe("a filter removed the rows", () => {
  test.each<{ name: string; sql: string; params?: unknown[]; notices: string[] }>([
    {
      name: "the values that occur, the most frequent first, and the one that was meant",
      sql: "SELECT id FROM issue WHERE state = 'Open'",
      notices: [`no row of "issue" has state = 'Open' | Did you mean 'open'? state is 'open' (2), 'closed' (1)`],
    },
    {
      name: "white space",
      sql: "SELECT id FROM issue WHERE state = ' open '",
      notices: [`no row of "issue" has state = ' open ' | Did you mean 'open'? state is 'open' (2), 'closed' (1)`],
    },
    {
      name: "a parameter is shown by its value",
      sql: "SELECT i.id FROM issue i WHERE i.state = $1",
      params: ["closd"],
      notices: [`no row of "issue" i has state = 'closd' | Did you mean 'closed'? state is 'open' (2), 'closed' (1)`],
    },
    {
      name: "nothing near",
      sql: "SELECT id FROM issue WHERE repo IN ('x', 'y')",
      notices: [`no row of "issue" has repo IN ('x', 'y') | repo is 'a' (2), 'b' (1)`],
    },
    {
      name: "an order says between which values they lie",
      sql: "SELECT id FROM issue WHERE points > 100",
      notices: [`no row of "issue" has points > 100 | points is between 3 and 5`],
    },
    {
      name: "only the condition that no row fulfils is named",
      sql: "SELECT id FROM issue WHERE repo = 'a' AND state LIKE 'x%'",
      notices: [`no row of "issue" has state LIKE 'x%' | state is 'open' (2), 'closed' (1)`],
    },
    {
      name: "each is fulfilled, not together",
      sql: "SELECT id FROM issue WHERE repo = 'b' AND state = 'closed'",
      notices: [
        `no row of "issue" has repo = 'b' and state = 'closed' together | repo = 'b' holds for 1, state = 'closed' holds for 1 of 3 rows.`,
      ],
    },
    {
      name: "IS NULL",
      sql: "SELECT id FROM issue WHERE state IS NULL",
      notices: [`no row of "issue" has state IS NULL | state is 'open' (2), 'closed' (1)`],
    },
    {
      name: "a count of nothing",
      sql: "SELECT count(*) FROM issue WHERE state = 'done'",
      notices: [`no row of "issue" has state = 'done' | state is 'open' (2), 'closed' (1)`],
    },
    {
      name: "in a CTE that is read twice",
      sql: "WITH i AS MATERIALIZED (SELECT * FROM issue) SELECT a.id FROM i a JOIN i b ON a.id = b.id WHERE a.state = 'done'",
      notices: [`no row has issue.state = 'done' | issue.state is 'open' (2), 'closed' (1)`],
    },
    {
      name: "groups that HAVING removed",
      sql: "SELECT repo, count(*) FROM issue GROUP BY repo HAVING count(*) > 5",
      notices: ["no row has count > 5 | count is between 1 and 2"],
    },
    {
      name: "the system's relations too",
      sql: "SELECT column_name FROM information_schema.columns WHERE table_name = 'issues'",
      notices: [
        `no row of "columns" has table_name = 'issues' | Did you mean 'issue'? table_name is 'issue' (5), 'comment' (2), 'nothing' (1)`,
      ],
    },
  ])("$name", async ({ sql, params, notices }) => {
    const { db } = await issueWorld();
    const result = await db.execute(sql, params === undefined ? {} : { params });
    expect(result.rows.filter((row) => row.count !== 0)).toEqual([]);
    expect(texts(result.notices)).toEqual(notices);
    expect((result.notices ?? []).every(({ severity, code }) => severity === "NOTICE" && code === "02000")).toBe(true);
  });

  test("many values and long ones are cut", async () => {
    const recorder = new Recorder();
    const db = await Database.create();
    const rows = Array.from({ length: 30 }, (_, i) => ({ name: i < 20 ? `${"x".repeat(60)}` : `n${i}` }));
    db.register(recorder.resource({ name: "thing", columns: [{ name: "name", type: "text" }], rows }));
    const { notices } = await db.execute("SELECT * FROM thing WHERE name = 'zzz'");
    expect(notices?.[0].hint).toBe(
      `name is '${"x".repeat(39)}…' (20), 'n20' (1), 'n21' (1), 'n22' (1), 'n23' (1), 'n24' (1), 'n25' (1), 'n26' (1), 'n27' (1), 'n28' (1) and 1 more`,
    );
  });

  test("beyond 10,000 rows it speaks of those that it looked at", async () => {
    const recorder = new Recorder();
    const db = await Database.create();
    const rows = Array.from({ length: 10_001 }, () => ({ name: "a" }));
    db.register(recorder.resource({ name: "thing", columns: [{ name: "name", type: "text" }], rows }));
    const { notices } = await db.execute("SELECT * FROM thing WHERE name = 'b'");
    expect(texts(notices)).toEqual([`none of the first 10000 rows of "thing" has name = 'b' | name is 'a' (10000)`]);
  });
});

describe("a call gave no rows", () => {
  test.each<{ name: string; sql: string; notices: string[] }>([
    {
      name: "its arguments are named",
      sql: "SELECT body FROM comment WHERE issue_id = 7",
      notices: [`"comment" gave no rows for issue_id = 7`],
    },
    { name: "without arguments", sql: "SELECT id FROM nothing", notices: [`"nothing" has no rows`] },
    {
      name: "one that got no keys says where they would have come from",
      sql: "SELECT c.body FROM nothing n JOIN comment c ON c.issue_id = n.id",
      notices: [`"nothing" n has no rows`],
    },
    {
      name: "contradictory conditions",
      sql: "SELECT id FROM issue WHERE state = 'open' AND state IN ('closed', 'done')",
      notices: [`"issue" was not called: its conditions leave no value to call it with`],
    },
  ])("$name", async ({ sql, notices }) => {
    const { db } = await issueWorld();
    const result = await db.execute(sql);
    expect(result.rows).toEqual([]);
    expect(texts(result.notices)).toEqual(notices);
  });
});

describe("a join matched nothing", () => {
  test.each<{ name: string; sql: string; notices: string[] }>([
    {
      name: "the values of both sides",
      sql: "SELECT a.id FROM issue a JOIN issue b ON a.state = b.repo",
      notices: ["no rows match a.state = b.repo | a.state is 'open' (2), 'closed' (1); b.repo is 'a' (2), 'b' (1)"],
    },
    {
      name: "NOT IN with a NULL in its list",
      sql: "SELECT id FROM issue WHERE points NOT IN (SELECT points FROM issue WHERE repo = 'a')",
      notices: [
        "NOT IN gives no row, since issue.points is NULL in its list | Leave the NULLs out (WHERE issue.points IS NOT NULL), or write NOT EXISTS.",
      ],
    },
    {
      name: "each query of a UNION",
      sql: "SELECT id FROM issue WHERE state = 'x' UNION ALL SELECT id FROM nothing",
      notices: [`no row of "issue" has state = 'x' | state is 'open' (2), 'closed' (1)`, `"nothing" has no rows`],
    },
  ])("$name", async ({ sql, notices }) => {
    const { db } = await issueWorld();
    expect(texts((await db.execute(sql)).notices)).toEqual(notices);
  });
});

describe("comparisons with NULL", () => {
  test.each<{ sql: string; params?: unknown[]; notice: string }>([
    {
      sql: "SELECT id FROM issue WHERE closed_at = NULL",
      notice: "closed_at = NULL is never true | Write closed_at IS NULL.",
    },
    {
      sql: "SELECT id FROM issue WHERE NULL <> closed_at",
      notice: "NULL <> closed_at is never true | Write closed_at IS NOT NULL.",
    },
    {
      sql: "SELECT id FROM issue WHERE points > NULL",
      notice: "points > NULL is never true | NULL compares with nothing; leave the condition out.",
    },
    {
      sql: "SELECT id FROM issue WHERE state = $1",
      params: [null],
      notice: "state = $1 is never true, since $1 is NULL | Write state IS NULL.",
    },
  ])("$sql", async ({ sql, params, notice }) => {
    const { db, recorder } = await issueWorld();
    const result = await db.execute(sql, params === undefined ? {} : { params });
    expect(texts(result.notices)).toEqual([notice]);
    expect(recorder.calls).toEqual([]);
  });
});

describe("no notice", () => {
  test.each([
    "SELECT id FROM issue WHERE state = 'open'",
    "SELECT id FROM issue LIMIT 0",
    "SELECT id FROM issue OFFSET 10",
    "SELECT id FROM issue WHERE random() < 0",
    "SELECT sum(points) FROM issue WHERE state = 'done'",
    "SELECT count(*), 0 AS zero FROM issue",
    "SELECT 0 AS zero",
    "SELECT 1 WHERE false",
    "SELECT 1 / points FROM issue WHERE id > 5 AND 1 / (points - 3) > 0",
  ])("%s", async (sql) => {
    const { db } = await issueWorld();
    const { notices } = await db.execute(sql);
    expect(texts(notices).filter((text) => !text.includes("id > 5"))).toEqual([]);
  });

  test("for writes", async () => {
    const { db } = await prWorld();
    const { notices } = await db.execute("UPDATE pr SET title = 'x' WHERE author = 'nobody'");
    expect(notices).toBeUndefined();
  });
});

test("no call is made for it, and the model reads it", async () => {
  const { db, recorder } = await issueWorld();
  const tool = buildExecuteSqlTool(db);
  const answer = await tool.execute({ sql: "SELECT id FROM issue WHERE state = 'Open'" });
  expect(answer).toMatchObject({
    ok: true,
    data: {
      notices: [`NOTICE: no row of "issue" has state = 'Open' Did you mean 'open'? state is 'open' (2), 'closed' (1)`],
    },
  });
  expect(recorder.take()).toHaveLength(1);
});

test("a bad value in a row that nobody asked for is no error", async () => {
  const db = await Database.create();
  db.register(
    defineResource({
      name: "odd",
      volatility: "stable",
      columns: [
        { name: "id", type: "bigint" },
        { name: "n", type: "integer" },
      ],
      select: () => [{ id: 1, n: "none" }],
    }),
  );
  await expect(db.execute("SELECT id FROM odd WHERE id = 2 AND n = 1")).resolves.toMatchObject({ rows: [] });
});
