/** Real MCP servers for tests, and the context that a resolver gets. */
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type ConnectMcpOptions, connectMcp } from "../../src/mcp/client/connect.js";
import type { McpServerConnection, McpTool, McpToolResult } from "../../src/mcp/client/types.js";
import { createBindings } from "../../src/resources/bindings.js";
import type { Bindings, ResourceContext, ResourceTable, Row } from "../../src/resources/resource.js";

const servers = join(dirname(fileURLToPath(import.meta.url)), "mcp-servers");

/** Starts one of the programs in `mcp-servers/`. */
export function connectOwn(file: string, options: Partial<ConnectMcpOptions> = {}): Promise<McpServerConnection> {
  return connectMcp({ namespace: "demo", command: process.execPath, args: [join(servers, file)], ...options });
}

/** Starts a server that is installed as a package. */
export function connectPackage(
  name: "@modelcontextprotocol/server-filesystem" | "@modelcontextprotocol/server-memory",
  options: Partial<ConnectMcpOptions> & { namespace: string },
): Promise<McpServerConnection> {
  const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
  const program = join(dirname(manifest), "dist", "index.js");
  return connectMcp({ command: process.execPath, ...options, args: [program, ...(options.args ?? [])] });
}

/** Process id of a server that was started. */
export function pidOf(connection: McpServerConnection): number {
  return (connection.raw as { transport: { pid: number } }).transport.pid;
}

/** Does the process still exist? */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return false; // no such process
    throw error;
  }
}

/** A connection without a server: the tools given, answers by a function, every call noted. */
export function fakeConnection(
  namespace: string,
  tools: McpTool[],
  answer: (name: string, args: Record<string, unknown>) => McpToolResult | Promise<McpToolResult> = () => ({
    content: [],
  }),
): McpServerConnection & { calls: [string, Record<string, unknown>][] } {
  const calls: [string, Record<string, unknown>][] = [];
  return {
    namespace,
    calls,
    raw: undefined,
    listTools: async () => tools,
    callTool: async (name, args) => {
      calls.push([name, args]);
      return await answer(name, args);
    },
    close: async () => undefined,
  };
}

/** A resolver's context with nothing special in it. */
export function resolverContext(signal: AbortSignal = new AbortController().signal): ResourceContext {
  return {
    signal,
    cache: new Map(),
    progress: () => undefined,
    missing: (part) => {
      throw new Error(`missing ${part}`);
    },
  };
}

/** Bindings of columns to values; an array stands for several values. */
export function bind(values: Record<string, unknown> = {}): Bindings {
  return createBindings(
    new Map(Object.entries(values).map(([column, value]) => [column, Array.isArray(value) ? value : [value]])),
  );
}

/** Reads a table as the database does. */
export async function selectFrom(table: ResourceTable, values: Record<string, unknown> = {}): Promise<Row[]> {
  return (await table.select?.(bind(values), resolverContext())) as Row[];
}

/** Inserts one row. */
export async function insertInto(table: ResourceTable, row: Row): Promise<unknown> {
  return await table.insert?.([row], resolverContext());
}

/** The table of that name. */
export function named(tables: readonly ResourceTable[], name: string): ResourceTable {
  const table = tables.find((candidate) => candidate.name === name);
  if (table === undefined) throw new Error(`no table ${name} among ${tables.map((t) => t.name).join(", ")}`);
  return table;
}
