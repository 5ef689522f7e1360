/**
 * Functions made of tools: a tool of an agent framework (`do` answering a status and data) or a plain object with an
 * async `call`. The program that calls sees data or an exception, never a status to look at.
 */
import type { ZodType } from "zod";
import { isZodSchema, toJsonSchema } from "../json-schema/from-zod.js";
import { assertArguments } from "./arguments.js";
import { parseWithZod } from "./define-fn.js";
import { parseToolData } from "./tool-data.js";
import { assertFnName, type ToolFn, type ToolFnContext, toFnName } from "./tool-fn.js";
import { type ToolOutcome, toolFailureText } from "./tool-outcome.js";

/** The least a tool has; tools of agent frameworks have more. One of `do` and `call` must be there. */
export interface ToolLike {
  name: string;
  description?: string;
  /** Zod schema of the input. */
  inputSchema?: unknown;
  /** JSON Schema of the input, for tools that came from elsewhere. */
  jsonSchema?: unknown;
  readOnlyHint?: boolean;
  annotations?: { readOnlyHint?: boolean };
  /** A gate of the agent framework: this call may run only after the user was asked. */
  requiresPermission?: unknown;
  // biome-ignore lint/complexity/noBannedTypes: tools declare their own parameter types; they are checked at run time
  do?: Function;
  // biome-ignore lint/complexity/noBannedTypes: as above
  call?: Function;
}

/** How a tool becomes a function. */
export interface FnFromToolOptions {
  /** Name of the function; the tool's own, made an identifier, when left out. */
  name?: string;
  description?: string;
  readOnlyHint?: boolean;
  /** Makes the function's value of the tool's data. For `do`, JSON text is parsed when this is left out. */
  parse?: (data: unknown) => unknown;
  server?: string;
  serverDescription?: string;
  resultShape?: string;
  /** Call a tool that asks for permission without asking: the host has decided. Refused by default. */
  skipPermission?: boolean;
}

/**
 * Makes a function of a tool. An answer whose status is not success becomes an exception with the tool's own words.
 * @throws TypeError when the tool has neither `do` nor `call`, or the name is no identifier
 */
export function fnFromTool(tool: ToolLike, options: FnFromToolOptions = {}): ToolFn {
  const name = options.name ?? toFnName(tool.name);
  assertFnName(name);
  if (typeof tool.do !== "function" && typeof tool.call !== "function") {
    throw new TypeError(`tool ${JSON.stringify(tool.name)} can't be called: it has neither do() nor call()`);
  }
  const validator = isZodSchema(tool.inputSchema) ? tool.inputSchema : undefined;
  const fn: ToolFn = {
    name,
    async call(args = {}, ctx = {}) {
      ctx.signal?.throwIfAborted();
      const input = checkedInput(fn, validator, args);
      refuseUnasked(tool, input, options);
      if (typeof tool.do === "function") return await runDo(tool, input, ctx, options.parse ?? parseToolData);
      const data: unknown = await tool.call?.(input, ctx);
      return options.parse === undefined ? data : options.parse(data);
    },
  };
  const schema = toJsonSchema(tool.inputSchema ?? tool.jsonSchema);
  const description = options.description ?? tool.description;
  const readOnlyHint = options.readOnlyHint ?? tool.readOnlyHint ?? tool.annotations?.readOnlyHint;
  if (description !== undefined) fn.description = description;
  if (schema !== undefined) fn.inputSchema = schema as Record<string, unknown>;
  if (readOnlyHint !== undefined) fn.readOnlyHint = readOnlyHint;
  if (options.resultShape !== undefined) fn.resultShape = options.resultShape;
  if (options.server !== undefined) fn.server = options.server;
  if (options.serverDescription !== undefined) fn.serverDescription = options.serverDescription;
  return fn;
}

/** A Zod input is checked and converted here; a JSON Schema's values are left to the tool, which knows more of them. */
function checkedInput(fn: ToolFn, validator: ZodType | undefined, args: unknown): unknown {
  if (validator !== undefined) return parseWithZod(fn, validator, args);
  assertArguments(fn, args, { types: false });
  return args;
}

/** A permission gate lives in the agent's own loop, which a function call does not pass: so it may not be passed over. */
function refuseUnasked(tool: ToolLike, input: unknown, options: FnFromToolOptions): void {
  if (options.skipPermission === true) return;
  const gate = tool.requiresPermission;
  const asks: unknown = typeof gate === "function" ? gate(input) : gate;
  if (asks === true) {
    throw new Error(
      `tool ${JSON.stringify(tool.name)} asks for permission before it runs, and a function has nobody to ask; ` +
        "the host can allow it with fnFromTool(tool, { skipPermission: true })",
    );
  }
}

async function runDo(
  tool: ToolLike,
  input: unknown,
  ctx: ToolFnContext,
  parse: (data: unknown) => unknown,
): Promise<unknown> {
  const outcome: unknown = await tool.do?.(input, absent(tool, "display"), absent(tool, "agent"), ctx.signal);
  if (!isOutcome(outcome)) {
    throw new Error(`tool ${JSON.stringify(tool.name)} answered without a status`);
  }
  if (outcome.status === "success") return parse(outcome.data);
  throw new Error(toolFailureText(tool.name, outcome), { cause: outcome });
}

function isOutcome(value: unknown): value is ToolOutcome {
  return typeof value === "object" && value !== null && "status" in value && typeof value.status === "string";
}

/** Stands in for the agent's parts that a function call does not have: harmless to pass on, an error to use. */
function absent(tool: ToolLike, part: string): unknown {
  return new Proxy(Object.freeze({}), {
    get(_target, property) {
      if (typeof property === "symbol" || property === "then" || property === "toJSON") return undefined;
      throw new Error(
        `tool ${JSON.stringify(tool.name)} uses the ${part} (${property}), which it doesn't have when called as a function`,
      );
    },
  });
}
