/**
 * Whole tool lists of servers as tables. The installed servers are always asked; MCP_TOOLS_CORPUS may name a folder of
 * recorded lists (`{ server, tools }` in JSON files), which are then read as well.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fnSignature } from "../../../src/fns/describe.js";
import { isFnName } from "../../../src/fns/tool-fn.js";
import { fnsFromMcp } from "../../../src/mcp/client/functions.js";
import { mcpResources } from "../../../src/mcp/client/resources.js";
import type { McpServerConnection, McpTool } from "../../../src/mcp/client/types.js";
import { connectPackage, fakeConnection } from "../../support/mcp.js";

const corpus = process.env.MCP_TOOLS_CORPUS;
const files =
  corpus !== undefined && existsSync(corpus) ? readdirSync(corpus).filter((file) => file.endsWith(".json")) : [];

/** Every tool must be a table with an identifier for a name and distinct columns, and a function that can be written. */
async function checkAll(connection: McpServerConnection): Promise<number> {
  const tools = await connection.listTools();
  const tables = await mcpResources(connection);
  expect(tables).toHaveLength(tools.length);
  expect(new Set(tables.map((table) => table.name)).size).toBe(tools.length);
  for (const [i, table] of tables.entries()) {
    const { name, inputSchema, annotations } = tools[i];
    const place = `${connection.namespace} ${name}`;
    expect(table.name, place).toMatch(/^[a-z_][a-z0-9_]{0,62}$/);
    const columns = table.columns.map((column) => column.name);
    expect(new Set(columns).size, place).toBe(columns.length);
    for (const column of columns) expect(column, place).toMatch(/^[a-z_][a-z0-9_]{0,62}$/);
    expect(columns.length, place).toBeGreaterThan(0);
    expect(table.select !== undefined, place).toBe(annotations?.readOnlyHint === true);
    const keys = table.columns.filter((column) => column.requiredKey === true);
    const required = (inputSchema?.required ?? []).length;
    expect(keys.length, place).toBe(annotations?.readOnlyHint === true ? required : 0);
  }
  const fns = await fnsFromMcp(connection);
  expect(fns).toHaveLength(tools.length);
  for (const fn of fns) {
    expect(isFnName(fn.name), fn.name).toBe(true);
    expect(fnSignature(fn), fn.name).not.toContain("\n");
  }
  return tools.length;
}

test.each([
  { name: "@modelcontextprotocol/server-filesystem", namespace: "filesystem", args: [tmpdir()], tools: 14 },
  { name: "@modelcontextprotocol/server-memory", namespace: "memory", args: [], tools: 9 },
] as const)("$name", async ({ name, namespace, args, tools }) => {
  const connection = await connectPackage(name, { namespace, args: [...args] });
  try {
    expect(await checkAll(connection)).toBe(tools);
  } finally {
    await connection.close();
  }
});

test(
  files.length === 0 ? "recorded lists: absent (set MCP_TOOLS_CORPUS)" : `recorded lists: ${files.length} servers`,
  async () => {
    let tools = 0;
    for (const file of files) {
      const recorded = JSON.parse(readFileSync(join(corpus ?? "", file), "utf8")) as {
        server: string;
        tools: McpTool[];
      };
      tools += await checkAll(fakeConnection(recorded.server, recorded.tools));
    }
    if (files.length === 0) console.log("MCP_TOOLS_CORPUS is not set: no recorded tool lists were read");
    expect(tools > 0).toBe(files.length > 0);
  },
);
