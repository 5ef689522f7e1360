/** Entry `glove-scratchpad/fns/mcp`: the tools of an MCP server as functions, named `namespace__tool`. */
import { parseToolData } from "../../fns/tool-data.js";
import { type ToolFn, toFnName } from "../../fns/tool-fn.js";
import { isJsonSchema } from "../../json-schema/schema.js";
import { typeText } from "../../json-schema/type-text.js";
import { uniqueNames } from "../../resources/sql-names.js";
import { dataOf, failureText } from "./content.js";
import type { McpServerConnection, McpTool, McpToolResult } from "./types.js";

export type { McpServerConnection, McpTool, McpToolResult } from "./types.js";

/** How a server's tools become functions. */
export interface FnsFromMcpOptions {
  /** `null` or `false` leaves a tool out, text is the function's name, anything else keeps the default. */
  filter?: (tool: McpTool) => string | boolean | null | undefined;
  /** Makes the function's value of an answer's data; by default structured content, else text with JSON parsed. */
  parse?: (data: unknown, whole: McpToolResult) => unknown;
  /** What the server is, for lists of servers; what it says itself when left out. */
  serverDescription?: string;
}

/** Longest description that is taken from a server's instructions. */
const maxServerDescription = 300;

/** The functions of a server's tools, in the server's order. A tool that reports a failure throws its own words. */
export async function fnsFromMcp(connection: McpServerConnection, options: FnsFromMcpOptions = {}): Promise<ToolFn[]> {
  const listed: unknown = await connection.listTools();
  const tools = (Array.isArray(listed) ? listed : ((listed as { tools?: unknown } | null)?.tools ?? [])) as McpTool[];
  const chosen = tools.flatMap((tool) => {
    const verdict = options.filter === undefined ? true : options.filter(tool);
    return verdict === null || verdict === false
      ? []
      : [{ tool, name: typeof verdict === "string" ? verdict : undefined }];
  });
  const names = uniqueNames(
    chosen.filter(({ name }) => name === undefined).map(({ tool }) => tool.name),
    (name) => `${toFnName(connection.namespace)}__${name.replaceAll(/\W/g, "_")}`,
  );
  const serverDescription = options.serverDescription ?? ownDescription(connection);
  return chosen.map(({ tool, name }) => {
    const fn: ToolFn = {
      name: name ?? names.get(tool.name) ?? toFnName(tool.name),
      server: connection.namespace,
      async call(args = {}, ctx = {}) {
        ctx.signal?.throwIfAborted();
        const result = await connection.callTool(tool.name, args, { signal: ctx.signal });
        if (result.isError === true) throw new Error(failureText(result), { cause: result });
        return answerValue(result, options.parse);
      },
    };
    const description = typeof tool.description === "string" ? tool.description : tool.title;
    if (typeof description === "string" && description !== "") fn.description = description;
    if (isJsonSchema(tool.inputSchema)) fn.inputSchema = tool.inputSchema as Record<string, unknown>;
    if (typeof tool.annotations?.readOnlyHint === "boolean") fn.readOnlyHint = tool.annotations.readOnlyHint;
    if (isJsonSchema(tool.outputSchema)) {
      const shape = typeText(tool.outputSchema, tool.outputSchema);
      if (shape !== "unknown" && shape !== "object") fn.resultShape = shape;
    }
    if (serverDescription !== undefined) fn.serverDescription = serverDescription;
    return fn;
  });
}

function answerValue(result: McpToolResult, parse: FnsFromMcpOptions["parse"]): unknown {
  if (parse !== undefined) return parse(dataOf(result), result);
  return result.structuredContent === undefined ? parseToolData(dataOf(result)) : result.structuredContent;
}

function ownDescription(connection: McpServerConnection): string | undefined {
  const words = connection.instructions?.trim().replaceAll(/\s+/g, " ");
  if (words === undefined || words === "") return undefined;
  return words.length > maxServerDescription ? `${words.slice(0, maxServerDescription)}…` : words;
}
