/** A tool as agent frameworks write it, and how to call one whatever its framework. */
import { type ToolOutcome, toolFailureText } from "../fns/tool-outcome.js";
import { toJsonSchema } from "../json-schema/from-zod.js";
import type { JsonSchema } from "../json-schema/schema.js";
import type { ResourceContext } from "./resource.js";

/** What a tool of the Glove contract answers. */
export type ToolResult = ToolOutcome;

/**
 * Anything with a name and a way to call it: `do(input, display, glove, signal)` answering `{ status, data, message? }`
 * (the Glove contract), or a plain async `call(input, context)` answering the data.
 */
export interface Tool {
  name: string;
  description?: string;
  /** A Zod schema or a JSON Schema of the input. */
  inputSchema?: unknown;
  jsonSchema?: unknown;
  do?(input: never, display: never, glove: never, signal?: AbortSignal): unknown;
  call?(input: never, context: { signal: AbortSignal; actor?: string }): unknown;
}

/** The JSON Schema of a tool's input; `undefined` when it declares none. */
export function toolInputSchema(tool: Tool): JsonSchema | undefined {
  return toJsonSchema(tool.inputSchema ?? tool.jsonSchema);
}

/**
 * Calls a tool and gives its data. Unlike a function made of a tool (`fns/from-tool.ts`), a resource takes an answer without
 * a status as data, and "ok" as success: what it is given is a table's reader, written for this program as often as not.
 * @throws Error with the tool's own message when it answers with a status other than success
 */
export async function callTool(tool: Tool, input: unknown, context: ResourceContext): Promise<unknown> {
  if (typeof tool.do === "function") {
    const result = (await tool.do(
      input as never,
      undefined as never,
      undefined as never,
      context.signal,
    )) as ToolOutcome | null;
    if (typeof result !== "object" || result === null || typeof result.status !== "string") return result;
    if (result.status === "success" || result.status === "ok") return result.data;
    throw new Error(toolFailureText(tool.name, result), { cause: result });
  }
  if (typeof tool.call === "function") {
    return tool.call(input as never, { signal: context.signal, actor: context.actor });
  }
  throw new TypeError(`tool "${tool.name}" has neither do() nor call()`);
}
