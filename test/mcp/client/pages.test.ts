/** Tools that answer in pages, as tables: what is followed by itself, what can be declared, and where it stops. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { Database } from "../../../src/index.js";
import { type McpTableOptions, mcpResources, mountMcpDatabase } from "../../../src/mcp/client/resources.js";
import type { McpServerConnection } from "../../../src/mcp/client/types.js";
import { connectOwn } from "../../support/mcp.js";

let connection: McpServerConnection;
let seen = 0;
beforeAll(async () => {
  connection = await connectOwn("paged.mjs");
});
afterAll(() => connection.close());

async function newCalls(): Promise<unknown[]> {
  const { content } = await connection.callTool("log", {});
  const all = JSON.parse(String(content?.[0].text)) as unknown[];
  const fresh = all.slice(seen);
  seen = all.length;
  return fresh;
}

/** A database with one tool of the server as table `item`. */
async function databaseOf(tool: string, options: McpTableOptions): Promise<Database> {
  const db = await Database.create();
  await mountMcpDatabase(db, connection, {
    table: ({ name }) => (name === tool ? { name: "item", volatility: "volatile", ...options } : null),
  });
  return db;
}

const columns: McpTableOptions["columns"] = [
  { name: "id", type: "bigint" },
  { name: "kind", type: "text" },
];
const textPages: McpTableOptions = {
  columns,
  rows: (data) => (JSON.parse(String(data)) as { items: unknown }).items,
  page: { kind: "cursor", parameter: "page.after", next: "$.page.after" },
};
const byFunction: McpTableOptions = {
  ...textPages,
  page: {
    kind: "cursor",
    parameter: "page.after",
    next: (data) => (JSON.parse(String(data)) as { page?: { after: string } }).page?.after,
  },
};
const after = (cursor: string) => ({ page: { after: cursor } });

test.each<{ name: string; tool: string; options: McpTableOptions; sql: string; ids: number[]; calls: object[] }>([
  {
    name: "a tool whose schemas have cursor and nextCursor is followed by itself",
    tool: "items",
    options: {},
    sql: "SELECT id FROM item",
    ids: [1, 2, 3, 4, 5],
    calls: [{}, { cursor: "c2" }, { cursor: "c4" }],
  },
  {
    name: "LIMIT stops it",
    tool: "items",
    options: {},
    sql: "SELECT id FROM item LIMIT 3",
    ids: [1, 2, 3],
    calls: [{}, { cursor: "c2" }],
  },
  {
    name: "LIMIT stops it beside a value for what is only an argument",
    tool: "items",
    options: {},
    sql: "SELECT id, mode FROM item WHERE mode = 'plain' LIMIT 2",
    ids: [1, 2],
    calls: [{ mode: "plain" }],
  },
  {
    name: "LIMIT stops it beside several values for what is only an argument",
    tool: "items",
    options: {},
    sql: "SELECT id, mode FROM item WHERE mode IN ('plain', 'simple') LIMIT 6",
    ids: [1, 2, 3, 4, 5, 1],
    calls: [{ mode: "plain" }, { mode: "plain", cursor: "c2" }, { mode: "plain", cursor: "c4" }, { mode: "simple" }],
  },
  {
    name: "a condition on what the rows have themselves reads all pages",
    tool: "items",
    options: {},
    sql: "SELECT id FROM item WHERE kind = 'odd' LIMIT 1",
    ids: [1],
    calls: [{ kind: "odd" }, { kind: "odd", cursor: "c2" }],
  },
  {
    name: "null: the first page alone",
    tool: "items",
    options: { page: null },
    sql: "SELECT id FROM item",
    ids: [1, 2],
    calls: [{}],
  },
  {
    name: "null: the cursor is an argument as any other",
    tool: "items",
    options: { page: null },
    sql: "SELECT id FROM item WHERE cursor = 'c2'",
    ids: [3, 4],
    calls: [{ cursor: "c2" }],
  },
  {
    name: "arguments go with every page",
    tool: "items_text",
    options: textPages,
    sql: "SELECT id FROM item WHERE kind = 'odd'",
    ids: [1, 3, 5],
    calls: [{ kind: "odd" }, { kind: "odd", ...after("c2") }],
  },
  {
    name: "several values of an argument: one list of pages after the other",
    tool: "items_text",
    options: textPages,
    sql: "SELECT id FROM item WHERE kind IN ('even', 'odd')",
    ids: [2, 4, 1, 3, 5],
    calls: [{ kind: "even" }, { kind: "odd" }, { kind: "odd", ...after("c2") }],
  },
  {
    name: "a cursor found by a function",
    tool: "items_text",
    options: byFunction,
    sql: "SELECT id FROM item",
    ids: [1, 2, 3, 4, 5],
    calls: [{}, after("c2"), after("c4")],
  },
  {
    name: "a condition that is checked here is no reason to stop early",
    tool: "items_text",
    options: textPages,
    sql: "SELECT id FROM item WHERE id > 4 LIMIT 1",
    ids: [5],
    calls: [{}, after("c2"), after("c4")],
  },
  {
    name: "arguments made by a function, the cursor added",
    tool: "items_text",
    options: { ...textPages, buildInput: () => ({ kind: "odd", page: {} }) },
    sql: "SELECT id FROM item",
    ids: [1, 3, 5],
    calls: [
      { kind: "odd", page: {} },
      { kind: "odd", ...after("c2") },
    ],
  },
])("$name", async ({ tool, options, sql, ids, calls }) => {
  const db = await databaseOf(tool, options);
  await newCalls();
  expect((await db.execute(sql)).rows.map(({ id }) => id)).toEqual(ids);
  expect(await newCalls()).toEqual(calls);
});

test.each([
  { name: "ignores the cursor", mode: "ignores", words: /gave the cursor "c2" a second time/ },
  { name: "fails on the second page", mode: "fails", words: /page 2 is not there today/ },
  { name: "gives a cursor that is none", mode: "strange", words: /a cursor that is none/ },
])("a tool that $name gives no rows", async ({ mode, words }) => {
  const db = await databaseOf("items", {});
  const error = await db.execute(`SELECT id FROM item WHERE mode = '${mode}'`).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "HV000" });
  const { message, detail } = error as { message: string; detail?: string };
  expect(`${message}\n${detail ?? ""}`).toMatch(words);
});

test("the argument of the cursor is no column", async () => {
  const [paged] = await mcpResources(connection, { table: ({ name }) => (name === "items" ? {} : null) });
  expect(paged.columns.map(({ name }) => name)).toEqual(["id", "name", "kind", "mode"]);
  expect(paged.accepts).toEqual({ limit: true });
});

test.each<{ name: string; options: McpTableOptions; words: RegExp }>([
  {
    name: "a write",
    options: { op: "insert", page: { kind: "cursor", parameter: "cursor", next: "$.next" } },
    words: /table "item": a write has no pages/,
  },
  {
    name: "a path that is none",
    options: { page: { kind: "cursor", parameter: "cursor", next: "next" } },
    words: /table "item": page\.next must be a path/,
  },
  {
    name: "a cursor that the first call must have",
    options: {
      inputs: { cursor: { required: true } },
      page: { kind: "cursor", parameter: "cursor", next: "$.next" },
    },
    words: /argument "cursor" is required, and the first page has no cursor/,
  },
])("pages of $name are refused", async ({ options, words }) => {
  await expect(databaseOf("items", options)).rejects.toThrow(words);
});
