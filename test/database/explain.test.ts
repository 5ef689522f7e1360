/** EXPLAIN in its three forms, and what a run adds to it. Snapshots stand in `explain/`, one file a form. */
import { describe, expect, test } from "vitest";
import { Database, defineResource, type ResourceTable } from "../../src/index.js";
import { readMermaid } from "../support/mermaid.js";
import { prTables } from "../support/pr-world.js";
import { type RecordedCall, Recorder } from "../support/recording.js";

/** The world of pull requests, with an audit that takes predicates, an order and a limit, and labels in batches. */
async function world(writes = true): Promise<{ db: Database; recorder: Recorder }> {
  const recorder = new Recorder();
  const db = await Database.create({ policy: { writes } });
  db.registerAll(prTables().map((table) => recorder.resource(table)));
  db.registerAll([audit(recorder.calls), label(recorder.calls)]);
  return { db, recorder };
}

function audit(calls: RecordedCall[]): ResourceTable {
  return defineResource({
    name: "audit",
    volatility: "volatile",
    accepts: { limit: true, orderBy: ["at"] },
    columns: [
      { name: "id", type: "bigint" },
      { name: "kind", type: "text", operators: ["like", "<>"], exact: true },
      { name: "at", type: "timestamptz", operators: [">", ">=", "<", "<="], exact: true },
    ],
    select: async function* () {
      calls.push({ table: "audit" });
      yield [{ id: 1, kind: "a", at: "2026-01-01T00:00:00Z" }];
      yield [{ id: 2, kind: "b", at: "2026-01-02T00:00:00Z" }];
    },
  });
}

function label(calls: RecordedCall[]): ResourceTable {
  return defineResource({
    name: "label",
    volatility: "immutable",
    batch: { keys: 2, insert: true },
    columns: [
      { name: "pr", type: "bigint", requiredKey: true },
      { name: "name", type: "text" },
    ],
    select: (bindings) => {
      calls.push({ table: "label" });
      return bindings.all("pr").map((pr) => ({ pr, name: `l${pr}` }));
    },
    insert: () => undefined,
  });
}

const statements: readonly { name: string; sql: string; params?: unknown[] }[] = [
  {
    name: "arguments from a constant and from another relation",
    sql: "SELECT p.id, i.points FROM pr p JOIN issue i ON i.id = p.closes WHERE p.base = 'main'",
  },
  {
    name: "several constants, a parameter",
    sql: "SELECT * FROM comment WHERE issue_id IN ('A-1', 'A-2') AND pr_id = $1",
    params: [1],
  },
  { name: "a subquery", sql: "SELECT points FROM issue WHERE id = (SELECT max(closes) FROM pr)" },
  {
    name: "an aggregate over groups, a window, an order",
    sql: "SELECT author, count(*) AS n, rank() OVER (ORDER BY count(*) DESC) FROM pr GROUP BY author ORDER BY n DESC LIMIT 3 OFFSET 1",
  },
  {
    name: "a union, a CTE read twice, EXISTS",
    sql: "WITH m AS MATERIALIZED (SELECT * FROM pr WHERE merged) SELECT id FROM m WHERE EXISTS (SELECT 1 FROM review r WHERE r.pr = m.id) UNION ALL SELECT id FROM m",
  },
  { name: "keys in batches", sql: "SELECT l.name FROM label l WHERE l.pr IN (1, 2, 3)" },
  {
    name: "predicates beyond equality, an order and a limit",
    sql: "SELECT id FROM audit WHERE kind LIKE 'a%' AND at >= timestamptz '2026-01-01 00:00Z' ORDER BY at DESC LIMIT 5",
  },
  { name: "never called", sql: "SELECT * FROM pr WHERE id = NULL" },
  { name: "an insert of all rows at once", sql: "INSERT INTO label (pr, name) SELECT id, title FROM pr" },
  { name: "an update by key", sql: "UPDATE pr SET title = 'x' WHERE id = 1" },
  { name: "an update of what it reads", sql: "UPDATE pr SET title = upper(title) WHERE author = 'ann'" },
  { name: "a table of the system", sql: "SELECT table_name FROM information_schema.tables" },
];

async function snapshots(format: "TEXT" | "JSON" | "MERMAID"): Promise<string> {
  const parts: string[] = [];
  for (const { name, sql, params } of statements) {
    const { db, recorder } = await world();
    const { text } = await db.explain(`EXPLAIN (FORMAT ${format}) ${sql}`, params === undefined ? {} : { params });
    expect(recorder.calls).toEqual([]);
    parts.push(`%% ${name}\n%% ${sql}\n${text}`);
  }
  return `${parts.join("\n\n")}\n`;
}

describe("forms", () => {
  test("text", async () => {
    await expect(await snapshots("TEXT")).toMatchFileSnapshot("explain/text.txt");
  });

  test("JSON", async () => {
    await expect(await snapshots("JSON")).toMatchFileSnapshot("explain/json.txt");
  });

  test("a diagram", async () => {
    const text = await snapshots("MERMAID");
    for (const part of text.trimEnd().split("\n\n")) readMermaid(part.split("\n").slice(2).join("\n"));
    await expect(text).toMatchFileSnapshot("explain/mermaid.txt");
  });

  test("a JSON plan is one row of one document", async () => {
    const { db } = await world();
    const result = await db.execute("EXPLAIN (FORMAT JSON) SELECT title FROM pr p WHERE id = 1");
    expect(result.fields).toEqual([{ name: "QUERY PLAN", type: "json" }]);
    expect(result.rows).toEqual([
      {
        "QUERY PLAN": [
          {
            Plan: {
              "Node Type": "Resource Scan",
              "Relation Name": "pr",
              Schema: "public",
              Alias: "p",
              Arguments: [{ Columns: ["id"], From: "constant", Argument: "id = 1" }],
              Calls: 1,
              Volatility: "stable",
              Recheck: "(p.id = 1)",
            },
          },
        ],
      },
    ]);
  });

  test("a text plan and a diagram are a row a line", async () => {
    const { db } = await world();
    const text = await db.execute("EXPLAIN (FORMAT TEXT, COSTS off) SELECT title FROM pr");
    expect(text.rows).toEqual([{ "QUERY PLAN": "Resource Scan on pr" }]);
    const diagram = await db.execute("EXPLAIN (FORMAT mermaid) SELECT title FROM pr");
    expect(diagram.rows.map((row) => row["QUERY PLAN"])).toEqual(["flowchart TD", '  n1["Resource Scan on pr"]']);
  });
});

describe("a diagram holds whatever a statement holds", () => {
  test.each([
    `a "quoted" text`,
    ']"] --> n9["x',
    "<script>alert(1)</script> & &lt;",
    "%%{init: {'theme': 'dark'}}%% %% comment",
    "$$x^2$$ `code` \\n # #35; #quot;",
    "line\nbreak\r\nand\ttab",
    "snowman ☃ and 😀, a long one: ".padEnd(300, "😀"),
    "end subgraph style click n1 call x()",
  ])("%s", async (value) => {
    const { db } = await world();
    const { text } = await db.explain(
      `EXPLAIN (FORMAT MERMAID) SELECT p.id, i.points FROM pr p JOIN issue i ON i.id = p.closes || '${value.replaceAll("'", "''")}' WHERE p.title = $1`,
      { params: [value] },
    );
    const { boxes, arrows } = readMermaid(text);
    expect(boxes.size).toBe(3);
    expect(arrows).toHaveLength(3);
    for (const lines of boxes.values()) for (const line of lines) expect([...line].length).toBeLessThanOrEqual(80);
  });

  test("the scan that gives an argument points to the one that waits for it", async () => {
    const { db } = await world();
    const { text } = await db.explain("EXPLAIN (FORMAT MERMAID) SELECT 1 FROM pr p JOIN issue i ON i.id = p.closes");
    const { boxes, arrows } = readMermaid(text);
    const named = (name: string) => [...boxes].find(([, lines]) => lines[0].startsWith(name))?.[0];
    expect(arrows).toContainEqual({
      from: named("Resource Scan on pr"),
      to: named("Resource Scan on issue"),
      label: "id = each p.closes",
    });
  });
});

describe("options, as PostgreSQL reads them", () => {
  test.each<{ options: string; code: string; message: string }>([
    { options: "FORMAT XML", code: "0A000", message: "EXPLAIN (FORMAT XML) is not supported" },
    { options: "FORMAT yaml", code: "0A000", message: "EXPLAIN (FORMAT YAML) is not supported" },
    { options: "FORMAT html", code: "22023", message: 'unrecognized value for EXPLAIN option "format": "html"' },
    { options: "FORMAT", code: "42601", message: "format requires a parameter" },
    { options: "nonsense", code: "42601", message: 'unrecognized EXPLAIN option "nonsense"' },
    { options: "ANALYZE maybe", code: "42601", message: "analyze requires a Boolean value" },
    { options: "TIMING", code: "22023", message: "EXPLAIN option TIMING requires ANALYZE" },
    { options: "WAL on", code: "22023", message: "EXPLAIN option WAL requires ANALYZE" },
  ])("$options", async ({ options, code, message }) => {
    const { db, recorder } = await world();
    for (const run of [
      () => db.execute(`EXPLAIN (${options}) SELECT 1`),
      () => db.explain(`EXPLAIN (${options}) SELECT 1`),
    ])
      await expect(run()).rejects.toMatchObject({ code, message });
    expect(recorder.calls).toEqual([]);
  });
});

describe("ANALYZE", () => {
  /** Times are whatever they are. */
  const timeless = (lines: readonly unknown[]) => lines.map((line) => String(line).replaceAll(/[\d.]+ ms/g, "N ms"));

  test("calls, pages, rows, bytes and time of each scan", async () => {
    const { db } = await world();
    const { rows } = await db.execute(
      "EXPLAIN ANALYZE SELECT a.id, l.name FROM audit a JOIN label l ON l.pr = a.id WHERE l.name <> 'x'",
    );
    const lines = timeless(rows.map((row) => row["QUERY PLAN"]));
    expect(lines).toContainEqual(
      expect.stringMatching(/Resource Scan on audit a {2}\(calls=1 pages=2 rows=2 bytes=\d+ time=N ms\)$/),
    );
    expect(lines).toContainEqual(
      expect.stringMatching(/Resource Scan on label l {2}\(calls=1 pages=1 rows=2 bytes=\d+ time=N ms\)$/),
    );
    expect(lines[lines.length - 1]).toBe("Execution Time: N ms");
  });

  test("answers that were at hand", async () => {
    const { db } = await world();
    await db.execute("SELECT name FROM label WHERE pr = 1");
    const { rows } = await db.execute(
      "EXPLAIN (ANALYZE, TIMING off, SUMMARY off, COSTS off) SELECT name FROM label WHERE pr = 1",
    );
    expect(rows.map((row) => row["QUERY PLAN"])[0]).toMatch(/^Resource Scan on label {2}\(calls=0 .*cached=1\)$/);
    expect(rows.some((row) => String(row["QUERY PLAN"]).includes(" ms"))).toBe(false);
  });

  test("in JSON", async () => {
    const { db } = await world();
    const { rows } = await db.execute("EXPLAIN (ANALYZE, FORMAT JSON) SELECT id FROM audit");
    expect(rows[0]["QUERY PLAN"]).toEqual([
      {
        Plan: expect.objectContaining({
          "Node Type": "Resource Scan",
          "Actual Calls": 1,
          "Actual Pages": 2,
          "Actual Rows": 2,
          "Actual Bytes": expect.any(Number),
          "Actual Time": expect.any(Number),
          "Cache Hits": 0,
          Retries: 0,
        }),
        "Execution Time": expect.any(Number),
      },
    ]);
  });

  test("explain() does not run it", async () => {
    const { db, recorder } = await world();
    await expect(db.explain("EXPLAIN ANALYZE SELECT id FROM audit")).rejects.toMatchObject({ code: "0A000" });
    expect(recorder.calls).toEqual([]);
  });
});

test("estimates are shown once calls were made", async () => {
  const { db } = await world();
  const plan = async (sql: string) => (await db.explain(sql)).text.split("\n");
  const join = "SELECT p.id, i.points FROM pr p JOIN issue i ON i.id = p.closes";
  expect((await plan(join)).join("\n")).not.toContain("rows≈");
  await db.execute(join);
  const after = await plan(join);
  expect(after).toContainEqual(expect.stringContaining("Resource Scan on pr p  (rows≈3)"));
  expect(after).toContainEqual(expect.stringContaining("Calls: one for each value of p.closes (about 3)"));
  expect((await plan(`EXPLAIN (COSTS off) ${join}`)).join("\n")).not.toContain("rows≈");
});

test("a write in a transaction says that it waits", async () => {
  const { db } = await world();
  await db.execute("BEGIN");
  const { text } = await db.explain("INSERT INTO emails (to_addr) VALUES ('a'), ('b')");
  expect(text.split("\n")[0]).toBe("Insert on emails  (1 call a row, staged until COMMIT)");
});
