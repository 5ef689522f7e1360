/** EXPLAIN (LINEAGE): text and JSON, of statements that the rules refuse too; it calls nothing. */
import { expect, test } from "vitest";
import { Database } from "../../src/index.js";
import { Recorder } from "../support/recording.js";

async function world() {
  const recorder = new Recorder();
  const db = await Database.create({
    policy: {
      writes: true,
      labels: { "emails.body": ["secret"], "people.*": ["pii"] },
      flows: [
        { label: "secret", to: "result" },
        { label: "pii", to: "result", aggregate: { minGroup: 5 } },
        { label: "pii", to: "notes.title", redact: true },
      ],
    },
  });
  const add = (name: string, columns: string[], requiredKey?: string) =>
    db.register(
      recorder.resource({
        name,
        primaryKey: ["id"],
        columns: columns.map((column) => ({
          name: column,
          type: column === "id" ? "bigint" : "text",
          requiredKey: column === requiredKey,
        })),
        verbs: ["select", "insert", "update", "delete"],
      }),
    );
  add("emails", ["id", "sender", "body"]);
  add("people", ["id", "email", "age"]);
  add("notes", ["id", "title", "body"]);
  add("web", ["id", "query", "title"], "query");
  return { db, recorder };
}

async function linesOf(sql: string): Promise<string> {
  const { db, recorder } = await world();
  const { rows } = await db.execute(`EXPLAIN (LINEAGE) ${sql}`);
  expect(recorder.calls).toEqual([]);
  return rows.map((row) => row["QUERY PLAN"]).join("\n");
}

test.each([
  {
    sql: "SELECT e.id, upper(body) AS loud, 1 AS one FROM emails e JOIN people p ON p.email = e.sender",
    text: `Result
  id
    Made of: emails.id
    Decided by: emails.sender, people.email
  loud
    Made of: emails.body
    Decided by: emails.sender, people.email
    Labels: secret
    Rule: refused: values labelled "secret" may not go to the result
  one
    Decided by: emails.sender, people.email`,
  },
  {
    sql: "SELECT count(age) FROM people WHERE id > 3",
    text: `Result
  count
    Made of: people.age
    Decided by: people.id
    Labels: pii
    Rule: groups of at least 5 rows`,
  },
  {
    sql: "INSERT INTO notes (id, title) SELECT id, email FROM people WHERE age LIKE '4%' RETURNING title",
    text: `Result
  title
    Made of: notes.title, people.email
    Decided by: people.age
    Labels: pii
    Rule: refused: values labelled "pii" may not go to the result
Written
  notes.id
    Made of: people.id
    Decided by: people.age
    Labels: pii
  notes.title
    Made of: people.email
    Decided by: people.age
    Labels: pii
    Rule: redacted
  rows of notes
    Decided by: people.age`,
  },
  {
    sql: "SELECT title FROM web WHERE query IN (SELECT sender FROM emails WHERE body LIKE '%x%')",
    text: `Result
  title
    Made of: web.title
    Decided by: emails.body, emails.sender, web.query
Arguments
  web.query
    Made of: emails.sender
    Decided by: emails.body, emails.sender`,
  },
  { sql: "SELECT 1", text: "Result\n  ?column?" },
])("$sql", async ({ sql, text }) => {
  expect(await linesOf(sql)).toBe(text);
});

test("JSON, and through explain()", async () => {
  const { db } = await world();
  const sql = "EXPLAIN (LINEAGE, FORMAT JSON) SELECT body FROM emails";
  const expected = [
    {
      Result: [
        {
          Column: "body",
          "Made Of": ["emails.body"],
          "Decided By": [],
          Labels: ["secret"],
          Rule: 'refused: values labelled "secret" may not go to the result',
        },
      ],
      Written: [],
      Arguments: [],
    },
  ];
  expect((await db.execute(sql)).rows).toEqual([{ "QUERY PLAN": expected }]);
  expect(JSON.parse((await db.explain(sql)).text)).toEqual(expected);
});

test.each(["EXPLAIN (LINEAGE, ANALYZE) SELECT 1", "EXPLAIN (LINEAGE, FORMAT MERMAID) SELECT 1"])(
  "%s is 22023",
  async (sql) => {
    const { db } = await world();
    await expect(db.execute(sql)).rejects.toMatchObject({ code: "22023" });
  },
);
