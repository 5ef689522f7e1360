/** A write that a tool can't carry out as it is said is refused before anything of the statement is called or staged. */
import { expect, test } from "vitest";
import { z } from "zod";
import { Database, defineMcpResource } from "../../src/index.js";

async function notes(): Promise<{ db: Database; calls: unknown[] }> {
  const calls: unknown[] = [];
  const db = await Database.create({ policy: { writes: true } });
  db.register(
    defineMcpResource(
      {
        name: "note",
        description: "Notes",
        volatility: "stable",
        primaryKey: ["id"],
        verbs: {
          select: { tool: "list", rows: "$.items" },
          insert: { tool: "create", input: { title: "{title}", path: "/notes/{kind}" } },
          update: { tool: "set", input: { id: "{id}", title: "{title}" } },
          delete: { tool: "remove", input: { id: "{id}" } },
        },
      },
      z.object({ id: z.int(), title: z.string(), kind: z.string().nullable(), done: z.boolean().nullish() }),
      [],
      {
        callTool: async (name, args) => {
          calls.push([name, args]);
          return { structuredContent: { items: [] } };
        },
      },
    ),
  );
  return { db, calls };
}

test.each([
  {
    name: "a column that no argument takes",
    sql: "INSERT INTO note (title, kind, done) VALUES ('a', 'k', true)",
    message: 'tool "create" does not take "done"',
  },
  {
    name: "one in the last row of several",
    sql: "INSERT INTO note (title, kind, done) VALUES ('a', 'k', NULL), ('b', 'k', false)",
    message: 'tool "create" does not take "done"',
  },
  {
    name: "one in an UPDATE",
    sql: "UPDATE note SET title = 'x', kind = NULL WHERE id = 1",
    message: 'tool "set" does not take "kind"',
  },
  {
    name: "a part of an argument that has no value",
    sql: "INSERT INTO note (title) VALUES ('a')",
    code: "HV002",
    message: 'tool "create" can\'t be called: "kind" has no value for "/notes/{kind}"',
  },
  {
    name: "another value for the key that finds the row",
    sql: "UPDATE note SET id = 2 WHERE id = 1",
    message: 'column "id" finds the row, and can\'t be given another value',
  },
])("$name", async ({ sql, message, code = "0A000" }) => {
  const { db, calls } = await notes();
  await expect(db.execute(sql)).rejects.toMatchObject({ code, message, hint: expect.stringMatching(/\S/) });
  await db.execute("BEGIN; DELETE FROM note WHERE id = 7");
  await expect(db.execute(sql)).rejects.toMatchObject({ code, message });
  await db.execute("COMMIT"); // of an aborted transaction: rolls it back
  expect(calls).toEqual([]);
});

test("what the tools take is called", async () => {
  const { db, calls } = await notes();
  await db.execute("INSERT INTO note (title, kind, done) VALUES ('a', 'k', NULL)");
  await db.execute("UPDATE note SET id = 1, title = 'b' WHERE id = 1");
  await db.execute("DELETE FROM note WHERE id = 1");
  expect(calls).toEqual([
    ["create", { title: "a", path: "/notes/k" }],
    ["set", { id: 1, title: "b" }],
    ["remove", { id: 1 }],
  ]);
});
