/** A server's tools as tables: defaults, declarations, what is called with which arguments. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SqlError } from "../../../src/errors/sql-error.js";
import type { JsonSchema } from "../../../src/json-schema/schema.js";
import { mcpResources, mountMcpDatabase } from "../../../src/mcp/client/resources.js";
import type { McpServerConnection, McpTool, McpToolResult } from "../../../src/mcp/client/types.js";
import type { ResourceColumn, ResourceTable } from "../../../src/resources/resource.js";
import {
  bind,
  connectOwn,
  connectPackage,
  fakeConnection,
  insertInto,
  named,
  resolverContext,
  selectFrom,
} from "../../support/mcp.js";

/** Columns in short: `name type`, `!` required key, `?` nullable, labels in braces. */
const shortly = (columns: readonly ResourceColumn[]) =>
  columns.map(
    ({ name, type, requiredKey, nullable, enum: labels }) =>
      `${name} ${type}${requiredKey === true ? "!" : (nullable ?? true) ? "?" : ""}${labels === undefined ? "" : ` {${labels.join(",")}}`}`,
  );
const failure = async (pending: unknown): Promise<SqlError> => {
  const error = await Promise.resolve(pending).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(SqlError);
  return error as SqlError;
};
const answer = (text: string): McpToolResult => ({ content: [{ type: "text", text }] });
const only = async (connection: McpServerConnection, options = {}): Promise<ResourceTable> =>
  (await mcpResources(connection, options))[0];

describe("tables by default", () => {
  test.each<{ name: string; tool: McpTool; verb: string; volatility: string; columns: string[] }>([
    {
      name: "a reading tool, text",
      tool: {
        name: "get",
        inputSchema: {
          type: "object",
          properties: { id: { type: "integer" }, q: { type: "string" } },
          required: ["id"],
        },
        annotations: { readOnlyHint: true },
      },
      verb: "select",
      volatility: "stable",
      columns: ["id bigint!", "result text?", "q text?"],
    },
    {
      name: "any other tool",
      tool: {
        name: "send",
        inputSchema: {
          type: "object",
          properties: { cc: { type: "string" }, to: { type: "string" } },
          required: ["to"],
        },
      },
      verb: "insert",
      volatility: "volatile",
      columns: ["cc text?", "to text", "result text?"],
    },
    {
      name: "an output schema that tells nothing",
      tool: { name: "get", outputSchema: { type: "object" }, annotations: { readOnlyHint: true } },
      verb: "select",
      volatility: "stable",
      columns: ["result jsonb?"],
    },
    {
      name: "one list of objects gives the rows",
      tool: {
        name: "list",
        outputSchema: {
          type: "object",
          properties: {
            items: { type: "array", items: { $ref: "#/$defs/Item" } },
            next: { type: ["string", "null"] },
          },
          $defs: {
            Item: {
              type: "object",
              properties: { id: { type: "integer" }, kind: { enum: ["a", "b"] } },
              required: ["id"],
            },
          },
        },
        annotations: { readOnlyHint: true },
      },
      verb: "select",
      volatility: "stable",
      columns: ["id bigint?", "kind text? {a,b}"],
    },
    {
      name: "two lists: one row with both",
      tool: {
        name: "graph",
        outputSchema: {
          type: "object",
          properties: {
            nodes: { type: "array", items: { type: "object", properties: { id: {} } } },
            edges: { type: "array", items: { type: "object", properties: { id: {} } } },
          },
        },
        annotations: { readOnlyHint: true },
      },
      verb: "select",
      volatility: "stable",
      columns: ["nodes jsonb?", "edges jsonb?"],
    },
    {
      name: "a list inside the only object",
      tool: {
        name: "list",
        outputSchema: {
          type: "object",
          properties: {
            data: {
              type: "object",
              properties: {
                items: { type: "array", items: { type: "object", properties: { id: { type: "string" } } } },
              },
            },
          },
        },
        annotations: { readOnlyHint: true },
      },
      verb: "select",
      volatility: "stable",
      columns: ["id text?"],
    },
    {
      name: "an argument that is also a result is one column; one of another type is not",
      tool: {
        name: "find",
        inputSchema: {
          type: "object",
          properties: { repo: { type: "string" }, state: { enum: ["open", "closed"] }, labels: { type: "array" } },
          required: ["repo"],
        },
        outputSchema: {
          type: "object",
          properties: { repo: { type: "string" }, state: { type: "string" }, labels: { type: "string" } },
        },
        annotations: { readOnlyHint: true },
      },
      verb: "select",
      volatility: "stable",
      columns: ["repo text!", "state text? {open,closed}", "labels_result text?", "labels jsonb?"],
    },
    {
      name: "no schema at all",
      tool: { name: "x" },
      verb: "insert",
      volatility: "volatile",
      columns: ["result text?"],
    },
    {
      name: "arguments that differ in case only",
      tool: {
        name: "x",
        inputSchema: { type: "object", properties: { id: {}, ID: {} } },
        annotations: { readOnlyHint: true },
      },
      verb: "select",
      volatility: "stable",
      columns: ["result text?", "id jsonb?", "id_e8eb60 jsonb?"],
    },
  ])("$name", async ({ tool, verb, volatility, columns }) => {
    const table = await only(fakeConnection("ns", [tool]));
    expect(["select", "insert", "update", "delete"].filter((name) => name in table)).toEqual([verb]);
    expect(table.volatility).toBe(volatility);
    expect(shortly(table.columns)).toEqual(columns);
  });

  test("names and descriptions say what the original is", async () => {
    const tables = await mcpResources(
      fakeConnection("GitHub", [
        {
          name: "list-issues",
          description: "Issues",
          inputSchema: {
            type: "object",
            properties: { perPage: { type: "integer", description: "How many", default: 30 } },
          },
        },
        { name: "merge", title: "Merges" },
      ]),
    );
    expect(tables.map((table) => [table.name, table.description])).toEqual([
      ["github_list_issues", 'Issues (tool "list-issues")'],
      ["github_merge", "Merges"],
    ]);
    expect(tables[0].columns[0]).toMatchObject({
      name: "perpage",
      description: 'How many (argument "perPage", default 30)',
    });
  });
});

describe("reading", () => {
  const tool: McpTool = {
    name: "find",
    inputSchema: {
      type: "object",
      properties: {
        q: { type: "string" },
        n: { type: "integer" },
        paths: { type: "array", items: { type: "string" } },
        on: { type: "boolean" },
      },
      required: ["q"],
    },
    annotations: { readOnlyHint: true },
  };

  test("bound columns are arguments, typed as the schema says; rows carry them", async () => {
    const connection = fakeConnection("ns", [tool], () => answer("found"));
    const table = await only(connection);
    expect(await selectFrom(table, { q: "a", n: "7", paths: '["x"]', on: true })).toEqual([
      { result: "found", q: "a", n: "7", paths: '["x"]', on: true },
    ]);
    expect(connection.calls).toEqual([["find", { q: "a", n: 7, paths: ["x"], on: true }]]);
  });

  test("several values of an argument are several calls, each row with its own", async () => {
    const connection = fakeConnection("ns", [tool], (_name, args) => answer(String(args.n)));
    const rows = await selectFrom(await only(connection), { q: "a", n: [1, 2] });
    expect(rows).toEqual([
      { result: "1", q: "a", n: 1 },
      { result: "2", q: "a", n: 2 },
    ]);
  });

  test("too many combinations are refused before a call", async () => {
    const connection = fakeConnection("ns", [tool]);
    const many = Array.from({ length: 11 }, (_, i) => i);
    const error = await failure(selectFrom(await only(connection), { q: many.map(String), n: many }));
    expect(error).toMatchObject({ code: "53400", hint: 'Give fewer values for "q" and "n".' });
    expect(connection.calls).toEqual([]);
  });

  test("an integer that JSON can't hold is refused", async () => {
    const connection = fakeConnection("ns", [tool]);
    const table = await only(connection);
    expect(await failure(selectFrom(table, { q: "a", n: 9007199254740993n }))).toMatchObject({ code: "22003" });
    expect(await failure(selectFrom(table, { q: "a", n: "9007199254740993" }))).toMatchObject({
      code: "22003",
      message: 'value "9007199254740993" cannot be passed exactly as the number argument "n"',
    });
    expect(connection.calls).toEqual([]);
  });

  test("isError becomes HV000 with the tool's words and the arguments", async () => {
    const connection = fakeConnection("ns", [tool], () => ({ ...answer("rate limit"), isError: true }));
    expect(await failure(selectFrom(await only(connection), { q: "a" }))).toMatchObject({
      code: "HV000",
      message: 'tool "find" of MCP server "ns" failed',
      detail: 'rate limit\nArguments: {"q":"a"}',
    });
  });

  test("an answer against the protocol is an error, not an answer without rows", async () => {
    const connection = fakeConnection("ns", [tool], () => ({ content: "found" }) as unknown as McpToolResult);
    expect(await failure(selectFrom(await only(connection), { q: "a" }))).toMatchObject({
      code: "HV000",
      detail: expect.stringContaining("the content of the answer is not a list of blocks"),
    });
  });

  test("what a foreign connection throws becomes HV000, with the cause kept", async () => {
    const cause = new Error("socket hang up");
    const connection = fakeConnection("ns", [tool], () => Promise.reject(cause));
    expect(await failure(selectFrom(await only(connection), { q: "a" }))).toMatchObject({
      code: "HV000",
      detail: 'socket hang up\nArguments: {"q":"a"}',
      cause,
    });
  });

  const listed: McpTool = {
    name: "list",
    outputSchema: {
      type: "object",
      properties: {
        items: {
          type: "array",
          items: { type: "object", properties: { id: { type: "integer" }, createdAt: { type: "string" } } },
        },
      },
    },
    annotations: { readOnlyHint: true },
  };
  test.each<{ name: string; result: McpToolResult; rows: unknown }>([
    {
      name: "structured",
      result: { structuredContent: { items: [{ id: 1, createdAt: "x", extra: true }, { id: 2 }] } },
      rows: [{ id: 1, createdat: "x" }, { id: 2 }],
    },
    { name: "JSON text in its place", result: answer('{"items": [{"id": 3}]}'), rows: [{ id: 3 }] },
    { name: "no rows", result: { structuredContent: { items: [] } }, rows: [] },
    { name: "the list left out", result: { structuredContent: {} }, rows: [] },
  ])("rows of an answer: $name", async ({ result, rows }) => {
    expect(await selectFrom(await only(fakeConnection("ns", [listed], () => result)))).toEqual(rows);
  });

  test("an answer that is not what was declared is an error, not an empty table", async () => {
    const error = await failure(
      selectFrom(await only(fakeConnection("ns", [listed], () => answer("sorry, not today")))),
    );
    expect(error).toMatchObject({ code: "HV000" });
    expect(error.detail).toMatch(/not of the declared output schema: sorry, not today/);
  });

  test.each<{ name: string; result: McpToolResult; outputSchema?: JsonSchema; rows: unknown }>([
    { name: "JSON text stays text", result: answer('{"a":1}'), rows: [{ result: '{"a":1}' }] },
    {
      name: "blocks without text are named",
      result: {
        content: [
          { type: "text", text: "see:" },
          { type: "image", data: "AAAA", mimeType: "image/png" },
        ],
      },
      rows: [{ result: "see:\n[image image/png 4 characters of base64]" }],
    },
    {
      name: "no text at all: the structured content as text",
      result: { content: [], structuredContent: { a: 1 } },
      rows: [{ result: '{"a":1}' }],
    },
    { name: "nothing", result: { content: [] }, rows: [] },
    {
      name: "structured answers are jsonb",
      result: { ...answer("x"), structuredContent: { a: [1] } },
      outputSchema: { type: "object" },
      rows: [{ result: { a: [1] } }],
    },
  ])("the result column: $name", async ({ result, outputSchema, rows }) => {
    const plain = { name: "get", annotations: { readOnlyHint: true }, ...(outputSchema && { outputSchema }) };
    expect(await selectFrom(await only(fakeConnection("ns", [plain], () => result)))).toEqual(rows);
  });
});

describe("writing", () => {
  const tool: McpTool = {
    name: "create",
    inputSchema: {
      type: "object",
      properties: {
        title: { type: "string" },
        tags: { type: "array" },
        note: { type: "string" },
        parent: { type: ["integer", "null"] },
      },
      required: ["title"],
    },
  };

  test("a row is a call; NULL is passed only where the schema knows null", async () => {
    const connection = fakeConnection("ns", [tool], () => answer("made"));
    const table = await only(connection);
    expect(await insertInto(table, { title: "a", tags: ["x"], note: null, parent: null })).toEqual([
      { result: "made" },
    ]);
    await insertInto(table, { title: "b", tags: '["y"]' });
    expect(connection.calls).toEqual([
      ["create", { title: "a", tags: ["x"], parent: null }],
      ["create", { title: "b", tags: ["y"] }],
    ]);
  });

  test("a column that only the tool fills is refused before any call", async () => {
    const table = await only(fakeConnection("ns", [tool]));
    expect(() => table.decode?.("result", "x")).toThrow("can't be given a value");
    expect(table.decode?.("title", "x")).toBe("x");
  });

  test("isError is a failure, an unreadable answer after a success is not", async () => {
    const failing = fakeConnection("ns", [tool], () => ({ ...answer("title taken"), isError: true }));
    expect(await failure(insertInto(await only(failing), { title: "a" }))).toMatchObject({
      code: "HV000",
      detail: 'title taken\nArguments: {"title":"a"}',
    });
    const shaped = { ...tool, outputSchema: { type: "object", properties: { id: { type: "integer" } } } };
    expect(await insertInto(await only(fakeConnection("ns", [shaped], () => answer("ok"))), { title: "a" })).toEqual(
      [],
    );
  });

  test("a call that was sent and not answered has an unknown outcome", async () => {
    const connection = await connectOwn("tools.mjs", { timeoutMs: 30_000 });
    try {
      const tables = await mcpResources(connection);
      const slow = named(tables, "demo_slow_write");
      const late = await failure(slow.insert?.([{ ms: 60_000 }], resolverContext(AbortSignal.timeout(100))));
      expect(late).toMatchObject({ code: "40003", cause: { code: "57014" } });
      expect(late.detail).toContain('Arguments: {"ms":60000}');
      expect(await failure(slow.insert?.([{ ms: 1 }], resolverContext(AbortSignal.abort())))).toMatchObject({
        code: "57014",
      });
      expect(await failure(insertInto(named(tables, "demo_crash"), {}))).toMatchObject({
        code: "40003",
        cause: { code: "08006" },
      });
      expect(await failure(insertInto(named(tables, "demo_crash"), {}))).toMatchObject({ code: "08003" });
    } finally {
      await connection.close();
    }
  });

  test("update and delete by override: keys are bound, the rest is set", async () => {
    const edit: McpTool = {
      name: "edit",
      inputSchema: {
        type: "object",
        properties: { id: { type: "integer" }, title: { type: "string" } },
        required: ["id"],
      },
    };
    const connection = fakeConnection("ns", [edit]);
    const update = await only(connection, { table: () => ({ name: "issue", op: "update" }) });
    expect(update).toMatchObject({ name: "issue", primaryKey: ["id"], volatility: "volatile" });
    await update.update?.({ title: "new" }, bind({ id: 5 }), resolverContext());
    const remove = await only(connection, { table: () => ({ op: "delete" }) });
    await remove.delete?.(bind({ id: 6 }), resolverContext());
    expect(connection.calls).toEqual([
      ["edit", { title: "new", id: 5 }],
      ["edit", { id: 6 }],
    ]);
  });
});

describe("overrides", () => {
  const tools: McpTool[] = [
    {
      name: "search",
      inputSchema: {
        type: "object",
        properties: { query: { type: "string" }, max: { type: "integer" } },
        required: ["query"],
      },
    },
    { name: "drop" },
  ];

  test("null skips, undefined keeps, an object overrides", async () => {
    const tables = await mcpResources(fakeConnection("ns", tools), {
      table: (tool) =>
        tool.name === "drop" ? null : { name: "web", op: "select", volatility: "immutable", description: "The web" },
    });
    expect(tables.map(({ name, volatility, description }) => [name, volatility, description])).toEqual([
      ["web", "immutable", "The web"],
    ]);
    const kept = await mcpResources(fakeConnection("ns", tools), { table: () => undefined });
    expect(kept.map((table) => table.name)).toEqual(["ns_search", "ns_drop"]);
  });

  test("rows(data, whole): data is the text as it is, whole the full answer", async () => {
    const seen: unknown[] = [];
    const result = { ...answer('{"hits":[{"title":"a"}]}'), structuredContent: { s: 1 } };
    const table = await only(
      fakeConnection("ns", tools, () => result),
      {
        table: () => ({
          op: "select" as const,
          columns: [{ name: "title", type: "text" }],
          rows: (data: unknown, whole: McpToolResult) => {
            seen.push(data, whole);
            return JSON.parse(String(data)).hits;
          },
        }),
      },
    );
    expect(shortly(table.columns)).toEqual(["query text!", "title text?", "max bigint?"]);
    expect(await selectFrom(table, { query: "q" })).toEqual([{ title: "a", query: "q" }]);
    expect(seen).toEqual(['{"hits":[{"title":"a"}]}', result]);
  });

  test("rows(data): structured content when there is no text", async () => {
    const table = await only(
      fakeConnection("ns", tools, () => ({ structuredContent: { hits: [{ title: "s" }] } })),
      {
        table: () => ({
          op: "select" as const,
          columns: [{ name: "title", type: "text" }],
          rows: (data: { hits: unknown }) => data.hits,
        }),
      },
    );
    expect(await selectFrom(table, { query: "q" })).toEqual([{ title: "s", query: "q" }]);
  });

  test("rows() that reads text as if it were parsed is told so", async () => {
    const table = await only(
      fakeConnection("ns", tools, () => answer('{"hits":[]}')),
      {
        table: () => ({
          op: "select" as const,
          columns: [{ name: "title", type: "text" }],
          rows: (data: { hits: unknown }) => data.hits,
        }),
      },
    );
    expect((await failure(selectFrom(table, { query: "q" }))).detail).toContain("use JSON.parse");
  });

  test.each<{ name: string; result: McpToolResult; rows: unknown }>([
    { name: "a list in JSON text", result: answer('[{"Title":"a"}]'), rows: [{ title: "a" }] },
    {
      name: "the one list of an object",
      result: answer('{"total":1,"items":[{"title":"a"}]}'),
      rows: [{ title: "a" }],
    },
    {
      name: "an object that is the row",
      result: { structuredContent: { title: "a", tags: [] } },
      rows: [{ title: "a", tags: [] }],
    },
  ])("columns without rows(): $name", async ({ result, rows }) => {
    const table = await only(
      fakeConnection("ns", [{ name: "t", annotations: { readOnlyHint: true } }], () => result),
      {
        table: () => ({ columns: [{ name: "title", type: "text" }] }),
      },
    );
    expect(await selectFrom(table)).toEqual(rows);
  });

  test("columns without rows(): prose is an error", async () => {
    const table = await only(
      fakeConnection("ns", [{ name: "t", annotations: { readOnlyHint: true } }], () => answer("nothing here")),
      {
        table: () => ({ columns: [{ name: "title", type: "text" }] }),
      },
    );
    expect((await failure(selectFrom(table))).detail).toContain("the answer is no JSON: nothing here");
  });

  test("inputs rename, require and describe; keys say which must be bound", async () => {
    const connection = fakeConnection("ns", tools, () => answer("x"));
    const table = await only(connection, {
      table: () => ({
        op: "select" as const,
        inputs: { query: { column: "q", description: "Words" }, max: { required: true }, extra: {} },
      }),
    });
    expect(shortly(table.columns)).toEqual(["q text!", "max bigint!", "result text?", "extra jsonb?"]);
    expect(table.columns[0].description).toBe("Words");
    await selectFrom(table, { q: "a", max: 1, extra: "{}" });
    expect(connection.calls).toEqual([["search", { query: "a", max: 1, extra: {} }]]);
    const keyed = await only(connection, { table: () => ({ op: "select" as const, keys: ["max"] }) });
    expect(shortly(keyed.columns)).toEqual(["max bigint!", "result text?", "query text"]);
  });

  test("buildInput makes the arguments", async () => {
    const connection = fakeConnection("ns", tools, () => answer("x"));
    const table = await only(connection, {
      table: () => ({
        op: "select" as const,
        buildInput: ({ bindings }: { bindings?: ReturnType<typeof bind> }) => ({ query: `${bindings?.one("query")}!` }),
      }),
    });
    await selectFrom(table, { query: "a" });
    expect(connection.calls).toEqual([["search", { query: "a!" }]]);
  });

  test("a table that can't be one is refused by name", async () => {
    await expect(
      mcpResources(fakeConnection("ns", [{ name: "x" }]), { table: () => ({ columns: [] }) }),
    ).rejects.toThrow('resource "ns_x": a table needs at least one column');
  });
});

describe("mounting", () => {
  test("registers every table and gives the names", async () => {
    const registered: string[] = [];
    const db = { register: (table: ResourceTable) => registered.push(table.name) };
    const connection = fakeConnection("ns", [{ name: "a" }, { name: "b" }]);
    expect(await mountMcpDatabase(db, connection)).toEqual(["ns_a", "ns_b"]);
    expect(registered).toEqual(["ns_a", "ns_b"]);
  });
  test("a connection that hands out the protocol's own answer will do", async () => {
    const connection = { ...fakeConnection("ns", []), listTools: async () => ({ tools: [{ name: "a" }] }) as never };
    expect(await mountMcpDatabase({ register: () => 0 }, connection)).toEqual(["ns_a"]);
    const broken = { ...connection, listTools: async () => null as never };
    await expect(mcpResources(broken)).rejects.toThrow("gave no list of tools");
  });
});

describe("the filesystem server", () => {
  let folder: string;
  let connection: McpServerConnection;
  let tables: ResourceTable[];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "mcp-files-"));
    await writeFile(join(folder, "a.txt"), "hello\nworld\n");
    connection = await connectPackage("@modelcontextprotocol/server-filesystem", {
      namespace: "filesystem",
      args: [folder],
    });
    tables = await mcpResources(connection);
  });
  afterAll(async () => {
    await connection.close();
    await rm(folder, { recursive: true });
  });

  test("every tool is a table", async () => {
    expect(tables.map((table) => table.name)).toEqual(
      (await connection.listTools()).map((tool) => `filesystem_${tool.name}`),
    );
  });
  test("reads a file", async () => {
    const table = named(tables, "filesystem_read_text_file");
    expect(shortly(table.columns)).toEqual([
      "path text!",
      "content text?",
      "tail double precision?",
      "head double precision?",
    ]);
    const path = join(folder, "a.txt");
    expect(await selectFrom(table, { path })).toEqual([{ content: "hello\nworld\n", path }]);
    expect(await selectFrom(table, { path, head: 1 })).toEqual([{ content: "hello", path, head: 1 }]);
  });
  test("reads several files by one jsonb argument", async () => {
    const table = named(tables, "filesystem_read_multiple_files");
    const [row] = await selectFrom(table, { paths: JSON.stringify([join(folder, "a.txt")]) });
    expect(row.content).toContain("hello");
  });
  test("writes a file", async () => {
    const table = named(tables, "filesystem_write_file");
    expect(shortly(table.columns)).toEqual(["path text", "content text"]);
    const path = join(folder, "b.txt");
    expect(await insertInto(table, { path, content: "new" })).toEqual([{ content: `Successfully wrote to ${path}` }]);
    expect(await readFile(path, "utf8")).toBe("new");
  });
  test("a refusal has the server's own words", async () => {
    const error = await failure(selectFrom(named(tables, "filesystem_read_text_file"), { path: "/etc/hostname" }));
    expect(error).toMatchObject({ code: "HV000", message: 'tool "read_text_file" of MCP server "filesystem" failed' });
    expect(error.detail).toMatch(/Access denied[\s\S]*\nArguments: {"path":"\/etc\/hostname"}$/);
  });
});

describe("the memory server", () => {
  let folder: string;
  let connection: McpServerConnection;
  let tables: ResourceTable[];
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "mcp-memory-"));
    connection = await connectPackage("@modelcontextprotocol/server-memory", {
      namespace: "memory",
      env: { MEMORY_FILE_PATH: join(folder, "memory.jsonl") },
    });
    tables = await mcpResources(connection);
  });
  afterAll(async () => {
    await connection.close();
    await rm(folder, { recursive: true });
  });

  test("writes entities and finds them", async () => {
    const create = named(tables, "memory_create_entities");
    expect(shortly(create.columns)).toEqual([
      "entities jsonb",
      "name text?",
      "entitytype text?",
      "observations jsonb?",
    ]);
    const entities = [{ name: "Ada", entityType: "person", observations: ["likes tea"] }];
    expect(await insertInto(create, { entities })).toEqual([
      { name: "Ada", entitytype: "person", observations: ["likes tea"] },
    ]);
    const [found] = await selectFrom(named(tables, "memory_search_nodes"), { query: "tea" });
    expect(found).toEqual({ entities, relations: [], query: "tea" });
    expect(await selectFrom(named(tables, "memory_read_graph"))).toEqual([{ entities, relations: [] }]);
  });
});
