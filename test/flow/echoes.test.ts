/** A call gives back what it was handed: the value has the labels that it had before, in whatever way it goes on. */
import { expect, test } from "vitest";
import { Database, defineResource, type Flow, SqlError } from "../../src/index.js";

const words = ["hunter2", "swordfish"];
const toResult: Flow = { label: "secret", to: "result" };

async function world(flows: readonly Flow[] = [toResult]) {
  const asked: unknown[] = [];
  const sent: unknown[] = [];
  const notes: Record<string, unknown>[] = [{ id: 1, title: "one" }];
  const db = await Database.create({
    policy: { writes: true, unboundedWrites: true, flows },
    functions: [
      {
        name: "digest",
        arguments: ["text"],
        returns: "text",
        declassifies: ["secret"],
        volatility: "immutable",
        call: () => "a digest",
      },
    ],
  });
  const byQuery = (name: string, alternatives: boolean) =>
    defineResource({
      name,
      volatility: "stable",
      columns: [
        { name: "query", type: "text", ...(!alternatives && { requiredKey: true }) },
        { name: "id", type: "bigint" },
        { name: "lang", type: "text", argument: true },
        { name: "found", type: "text" },
      ],
      ...(alternatives && { keyAlternatives: [["query"], ["id"]] }),
      select: (bindings) => {
        asked.push([name, ...bindings.eq.values()].flat());
        return (bindings.eq.get("query") ?? [null]).map((query) => ({
          query,
          id: bindings.eq.get("id")?.[0] ?? 1,
          lang: bindings.eq.get("lang")?.[0],
          found: "something",
        }));
      },
    });
  db.registerAll([
    defineResource({
      name: "vault",
      volatility: "stable",
      primaryKey: ["id"],
      columns: [
        { name: "id", type: "bigint" },
        { name: "word", type: "text", labels: ["secret"] },
        { name: "title", type: "text" },
      ],
      select: () => words.map((word, i) => ({ id: i + 1, word, title: `title ${i + 1}` })),
    }),
    defineResource({
      name: "notes",
      volatility: "volatile",
      primaryKey: ["id"],
      columns: [
        { name: "id", type: "bigint" },
        { name: "title", type: "text" },
      ],
      select: () => notes,
      insert: async (rows) => {
        sent.push(...rows);
        notes.push(...rows);
      },
      update: async (set) => {
        sent.push(set);
      },
    }),
    byQuery("web", false),
    byQuery("news", false),
    byQuery("index", true),
  ]);
  return { db, asked, sent };
}

async function refusal(promise: Promise<unknown>): Promise<SqlError> {
  const error = await promise.then(
    (value) => new Error(`it succeeded: ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  if (!(error instanceof SqlError)) throw error;
  return error;
}

const joined = "SELECT w.query FROM vault v JOIN web w ON w.query = v.word";

test.each([
  { name: "a join", sql: joined },
  { name: "an expression over it", sql: "SELECT upper(w.query) FROM vault v JOIN web w ON w.query = v.word" },
  {
    name: "a subquery as the argument",
    sql: "SELECT query FROM web WHERE query = (SELECT word FROM vault WHERE id = 1)",
  },
  { name: "IN", sql: "SELECT query FROM web WHERE query IN (SELECT word FROM vault)" },
  { name: "a set operation", sql: `${joined} UNION ALL SELECT 'x'` },
  { name: "a subquery in FROM", sql: `SELECT max(q.query) FROM (${joined}) q` },
  { name: "LATERAL", sql: "SELECT w.query FROM vault v, LATERAL (SELECT * FROM web WHERE query = v.word) w" },
  { name: "a scalar subquery", sql: "SELECT (SELECT w.query FROM web w WHERE w.query = v.word) FROM vault v" },
  { name: "WITH", sql: `WITH q AS MATERIALIZED (${joined}) SELECT * FROM q` },
  { name: "a whole row", sql: "SELECT to_jsonb(w) FROM vault v JOIN web w ON w.query = v.word" },
  {
    name: "two calls in a row",
    sql: "SELECT n.query FROM vault v JOIN web w ON w.query = v.word JOIN news n ON n.query = w.query",
  },
  {
    name: "a column that is only an argument",
    sql: "SELECT w.lang FROM vault v JOIN web w ON w.lang = v.word AND w.query = 'x'",
  },
  { name: "an alternative key", sql: "SELECT i.query FROM vault v JOIN index i ON i.query = v.word" },
])("not to the result: $name", async ({ sql }) => {
  for (const flow of [toResult, { ...toResult, redact: true }]) {
    const { db, asked } = await world([flow]);
    const error = await refusal(db.execute(sql));
    expect(error).toMatchObject({
      code: "42501",
      message: 'values labelled "secret" may not go to the result',
      detail: expect.stringContaining("is made of vault.word (vault.word → "),
    });
    expect(asked).toEqual([]);
  }
});

test.each([
  { name: "another column of the call", sql: "SELECT w.found FROM vault v JOIN web w ON w.query = v.word" },
  { name: "an argument without a label", sql: "SELECT w.query FROM vault v JOIN web w ON w.query = v.title" },
  { name: "another call of the table", sql: `SELECT query FROM web WHERE query = 'x' AND EXISTS (${joined})` },
  { name: "freed before it is passed", sql: "SELECT w.query FROM vault v JOIN web w ON w.query = digest(v.word)" },
  { name: "freed after it came back", sql: "SELECT digest(w.query) FROM vault v JOIN web w ON w.query = v.word" },
])("to the result: $name", async ({ sql }) => {
  const { db, asked } = await world();
  const { rows } = await db.execute(sql);
  expect(rows.length).toBeGreaterThan(0);
  expect(asked.length).toBeGreaterThan(0);
  for (const word of words) expect(JSON.stringify(rows)).not.toContain(word);
});

test.each([
  {
    name: "INSERT",
    to: "notes.title",
    sql: "INSERT INTO notes SELECT v.id + 10, w.query FROM vault v JOIN web w ON w.query = v.word",
    message: 'values labelled "secret" may not be written to "notes.title"',
  },
  {
    name: "UPDATE",
    to: "notes.title",
    sql: "UPDATE notes SET title = w.query FROM vault v JOIN web w ON w.query = v.word WHERE v.id = notes.id",
    message: 'values labelled "secret" may not be written to "notes.title"',
  },
  {
    name: "an argument of another call",
    to: "news.query",
    sql: "SELECT n.found FROM vault v JOIN web w ON w.query = v.word JOIN news n ON n.query = w.query || '!'",
    message: 'values labelled "secret" may not be passed to "news.query"',
  },
])("not to $to: $name", async ({ to, sql, message }) => {
  const { db, asked, sent } = await world([{ label: "secret", to }]);
  expect(await refusal(db.execute(sql))).toMatchObject({ code: "42501", message });
  expect([asked, sent]).toEqual([[], []]);
  const { rows } = await db.execute(`EXPLAIN (LINEAGE) ${sql}`);
  expect(JSON.stringify(rows)).toContain("Rule: refused: values labelled");
});

test("the label stays with what is written, and stands at the result's columns", async () => {
  const { db } = await world();
  await db.execute("INSERT INTO notes SELECT v.id + 10, w.query FROM vault v JOIN web w ON w.query = v.word");
  expect(await refusal(db.execute("SELECT title FROM notes"))).toMatchObject({ code: "42501" });
  const shown = await world([{ label: "secret", to: "notes.title" }]);
  const { fields } = await shown.db.execute(joined);
  expect(fields).toEqual([{ name: "query", type: "text", labels: ["secret"] }]);
});

test("EXPLAIN (LINEAGE) tells of it", async () => {
  const { db } = await world();
  const { rows } = await db.execute(`EXPLAIN (LINEAGE) ${joined}`);
  expect(rows.map((row) => Object.values(row)[0]).slice(0, 6)).toEqual([
    "Result",
    "  query",
    "    Made of: vault.word, web.query",
    "    Decided by: vault.word, web.query",
    "    Labels: secret",
    '    Rule: refused: values labelled "secret" may not go to the result',
  ]);
});
