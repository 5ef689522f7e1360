/** Columns that only a write takes: no read searches by them, no tool is called without a column that was written. */
import { expect, test } from "vitest";
import { Database } from "../../src/database/database.js";
import { mcpResource } from "../../src/resources/connectors/mcp.js";

async function notes() {
  const calls: unknown[] = [];
  const db = await Database.create({ policy: { writes: true } });
  const table = mcpResource(
    {
      name: "notes",
      description: "Notes",
      volatility: "stable",
      columns: [
        { name: "result", type: "jsonb" },
        { name: "color", type: "text", argument: true },
      ],
      verbs: {
        select: { tool: "list", input: {}, fields: { result: "$" } },
        insert: { tool: "make", input: { color: "{color}" } },
      },
    },
    {
      callTool: async (name, args) => {
        calls.push([name, args]);
        return { structuredContent: ["a", { b: 1 }] };
      },
    },
  );
  db.register(table);
  return { db, calls };
}

test("a condition on it is refused before the call", async () => {
  const { db, calls } = await notes();
  await expect(db.execute("SELECT result FROM notes WHERE color = 'red'")).rejects.toMatchObject({
    code: "0A000",
    message: 'column "color" can only be written, not searched by',
  });
  expect(calls).toEqual([]);
});

test("it can be written, and a column that no argument carries can't", async () => {
  const { db, calls } = await notes();
  await db.execute("INSERT INTO notes (color) VALUES ('red')");
  expect(calls).toEqual([["make", { color: "red" }]]);
  await expect(db.execute(`INSERT INTO notes (result) VALUES ('"x"')`)).rejects.toMatchObject({ code: "0A000" });
  expect(calls).toHaveLength(1);
});

test("rows of any form are one column", async () => {
  const { db } = await notes();
  const { rows } = await db.execute("SELECT result FROM notes");
  expect(rows).toEqual([{ result: "a" }, { result: { b: 1 } }]);
});
