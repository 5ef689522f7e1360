/**
 * Whole tool lists of servers as tables. The installed servers are always asked; recorded lists (`{ server, tools }` in JSON
 * files) are read where they are at hand: in the folder that MCP_TOOLS_CORPUS names, or ../shared/corpora/mcp-tools beside
 * the project.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { fnSignature } from "../../../src/fns/describe.js";
import { isFnName } from "../../../src/fns/tool-fn.js";
import { fnsFromMcp } from "../../../src/mcp/client/functions.js";
import { mcpResources } from "../../../src/mcp/client/resources.js";
import type { McpServerConnection, McpTool } from "../../../src/mcp/client/types.js";
import { connectPackage, fakeConnection } from "../../support/mcp.js";

const corpus = resolve(process.env.MCP_TOOLS_CORPUS ?? "../shared/corpora/mcp-tools");
const files = existsSync(corpus) ? readdirSync(corpus).filter((file) => file.endsWith(".json")) : [];
const absent = "The recorded tool lists are not here (MCP_TOOLS_CORPUS): only the installed servers are asked.";

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

if (files.length === 0) {
  console.warn(absent);

  test("the absence of the recorded lists is told in a sentence", () => {
    expect(absent).toMatch(/MCP_TOOLS_CORPUS/);
  });
} else {
  test.each(files)("recorded list %s", async (file) => {
    const recorded = JSON.parse(readFileSync(join(corpus, file), "utf8")) as { server: string; tools: McpTool[] };
    expect(await checkAll(fakeConnection(recorded.server, recorded.tools))).toBe(recorded.tools.length);
  });
}
