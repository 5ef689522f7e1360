/** Resources of a manifest whose tools answer in pages: every page is read, and no more than are wanted. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { Database, defineMcpResource, type McpDefinition } from "../../src/index.js";
import type { McpServerConnection } from "../../src/mcp/client/types.js";
import { connectOwn } from "../support/mcp.js";

let connection: McpServerConnection;
let seen = 0;
beforeAll(async () => {
  connection = await connectOwn("paged.mjs");
});
afterAll(() => connection.close());

/** Arguments of the calls since it was asked last. */
async function newCalls(): Promise<unknown[]> {
  const { content } = await connection.callTool("log", {});
  const all = JSON.parse(String(content?.[0].text)) as unknown[];
  const fresh = all.slice(seen);
  seen = all.length;
  return fresh;
}

const schema = z.object({ id: z.int(), name: z.string(), kind: z.string(), mode: z.string().optional() });
type Select = NonNullable<McpDefinition["verbs"]["select"]>;
const structured: Select = {
  tool: "items",
  input: { kind: "{kind}", mode: "{mode}" },
  rows: "$.items",
  page: { kind: "cursor", parameter: "cursor", next: "$.nextCursor" },
};
const asText: Select = {
  tool: "items_text",
  input: { kind: "{kind}", mode: "{mode}" },
  rows: "$.items",
  page: { kind: "cursor", parameter: "page.after", next: "$.page.after" },
};

async function databaseOf(select: Select, more: Partial<McpDefinition> = {}): Promise<Database> {
  const db = await Database.create();
  return db.register(
    defineMcpResource(
      {
        name: "item",
        description: "Items",
        volatility: "volatile",
        columns: { kind: { exact: true }, mode: { argument: true } },
        verbs: { select },
        ...more,
      },
      schema,
      [],
      connection,
    ),
  );
}

describe.each([
  { name: "structured content", select: structured, cursor: (at: string) => ({ cursor: at }) },
  { name: "text, the cursor within an object", select: asText, cursor: (at: string) => ({ page: { after: at } }) },
])("$name", ({ select, cursor }) => {
  test.each([
    {
      name: "all pages",
      sql: "SELECT id FROM item ORDER BY id",
      ids: [1, 2, 3, 4, 5],
      calls: [{}, cursor("c2"), cursor("c4")],
    },
    {
      name: "all pages of a filtered list",
      sql: "SELECT id FROM item WHERE kind = 'odd' ORDER BY id",
      ids: [1, 3, 5],
      calls: [{ kind: "odd" }, { kind: "odd", ...cursor("c2") }],
    },
    { name: "one page for LIMIT 2", sql: "SELECT id FROM item LIMIT 2", ids: [1, 2], calls: [{}] },
    { name: "two pages for LIMIT 3", sql: "SELECT id FROM item LIMIT 3", ids: [1, 2, 3], calls: [{}, cursor("c2")] },
    {
      name: "LIMIT with a condition that the tool decides",
      sql: "SELECT id FROM item WHERE kind = 'even' LIMIT 1",
      ids: [2],
      calls: [{ kind: "even" }],
    },
    {
      name: "LIMIT with a condition that is checked here",
      sql: "SELECT id FROM item WHERE name = 'item 5' LIMIT 1",
      ids: [5],
      calls: [{}, cursor("c2"), cursor("c4")],
    },
    {
      name: "LIMIT with several values of an argument, which the tool is not told of",
      sql: "SELECT id FROM item WHERE kind IN ('even', 'none') LIMIT 2",
      ids: [2, 4],
      calls: [{}, cursor("c2"), cursor("c4")],
    },
  ])("$name", async ({ sql, ids, calls }) => {
    const db = await databaseOf(select);
    await newCalls();
    expect((await db.execute(sql)).rows.map(({ id }) => id)).toEqual(ids);
    expect(await newCalls()).toEqual(calls);
  });

  test.each([
    {
      name: "a tool that ignores the cursor",
      sql: "SELECT id FROM item WHERE mode = 'ignores'",
      words: /gave the cursor "c2" a second time/,
    },
    { name: "a page that fails", sql: "SELECT id FROM item WHERE mode = 'fails'", words: /page 2 is not there today/ },
    {
      name: "a cursor that is none",
      sql: "SELECT id FROM item WHERE mode = 'strange'",
      words: /a cursor that is none/,
    },
    { name: "a COUNT over a page that fails", sql: "SELECT count(*) FROM item WHERE mode = 'fails'", words: /page 2/ },
  ])("no rows from $name", async ({ sql, words }) => {
    const error = await (await databaseOf(select)).execute(sql).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "HV000" });
    const { message, detail } = error as { message: string; detail?: string };
    expect(`${message}\n${detail ?? ""}`).toMatch(words);
  });

  test("more pages than the resource may have are an error", async () => {
    const db = await databaseOf(select, { maxPages: 2 });
    await expect(db.execute("SELECT id FROM item")).rejects.toMatchObject({
      code: "HV000",
      message: expect.stringContaining("more than 2 pages"),
    });
  });
});

test("a resource that says it takes no limit reads all pages", async () => {
  const db = await databaseOf(structured, { accepts: { limit: false } });
  await newCalls();
  expect((await db.execute("SELECT id FROM item LIMIT 1")).rows).toEqual([{ id: 1 }]);
  expect(await newCalls()).toHaveLength(3);
});

test("an answer that is a list has no place for a cursor", async () => {
  const db = await databaseOf({ ...structured, tool: "log", rows: "$", input: {} });
  await expect(db.execute("SELECT id FROM item")).rejects.toMatchObject({
    code: "HV000",
    message: expect.stringMatching(/a cursor that is none/),
  });
});

test.each<{ name: string; verbs: McpDefinition["verbs"]; words: RegExp }>([
  {
    name: "a write with pages",
    verbs: { insert: { tool: "items", page: { kind: "cursor", parameter: "cursor", next: "$.next" } } },
    words: /item: insert: a write has no pages/,
  },
  {
    name: "a path that is none",
    verbs: { select: { ...structured, page: { kind: "cursor", parameter: "cursor", next: "nextCursor" } } },
    words: /item: select: page\.next must be a path/,
  },
  {
    name: "no argument",
    verbs: { select: { ...structured, page: { kind: "cursor", parameter: "", next: "$.next" } } },
    words: /page\.parameter must name the argument/,
  },
  {
    name: "an argument that a template fills",
    verbs: {
      select: { ...structured, input: { page: { after: "{kind}" } }, page: asText.page },
    },
    words: /"page\.after" gets a value by the statement as well/,
  },
  {
    name: "an argument that is a column",
    verbs: { select: { tool: "items", page: { kind: "cursor", parameter: "kind", next: "$.next" } } },
    words: /"kind" gets a value by the statement as well/,
  },
])("$name is refused when it is declared", async ({ verbs, words }) => {
  expect(() =>
    defineMcpResource({ name: "item", description: "Items", volatility: "stable", verbs }, schema, [], connection),
  ).toThrow(words);
});
