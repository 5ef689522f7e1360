/** Functions written in code: the arguments are checked before the handler runs, so it may trust them. */
import type { output, ZodType } from "zod";
import { isZodSchema, toJsonSchema } from "../json-schema/from-zod.js";
import { assertArguments } from "./arguments.js";
import { assertFnName, type ToolFn, type ToolFnContext } from "./tool-fn.js";

/** Arguments as the handler sees them: typed by a Zod schema, plain otherwise. */
export type FnArguments<S> = S extends ZodType ? output<S> : Record<string, unknown>;

/** A function to be defined. */
export interface DefineFnSpec<S extends ZodType | Record<string, unknown> = ZodType | Record<string, unknown>> {
  /** An identifier. */
  name: string;
  description?: string;
  /** Zod schema or JSON Schema of the argument object; without it the handler gets whatever was passed. */
  input?: S;
  /** `true` when the function only reads. */
  readOnlyHint?: boolean;
  /** Type of the answer, as text. */
  resultShape?: string;
  handler(args: FnArguments<S>, ctx: ToolFnContext): unknown;
}

/**
 * Makes a function of a handler. Its arguments are checked first: missing and unknown ones by name, values by the schema
 * (a Zod schema also converts them and fills in defaults).
 * @throws TypeError for a name that is no identifier; the function itself throws TypeError for wrong arguments
 */
export function defineFn<S extends ZodType | Record<string, unknown> = Record<string, unknown>>(
  spec: DefineFnSpec<S>,
): ToolFn {
  assertFnName(spec.name);
  const { input } = spec;
  const inputSchema = toJsonSchema(input) as Record<string, unknown> | undefined;
  const fn: ToolFn = {
    name: spec.name,
    async call(args = {}, ctx = {}) {
      ctx.signal?.throwIfAborted();
      const checked = isZodSchema(input) ? parseWithZod(fn, input, args) : args;
      if (!isZodSchema(input)) assertArguments(fn, args);
      return await spec.handler(checked as FnArguments<S>, ctx);
    },
  };
  if (spec.description !== undefined) fn.description = spec.description;
  if (inputSchema !== undefined) fn.inputSchema = inputSchema;
  if (spec.readOnlyHint !== undefined) fn.readOnlyHint = spec.readOnlyHint;
  if (spec.resultShape !== undefined) fn.resultShape = spec.resultShape;
  return fn;
}

/** Names first, because Zod drops an unknown argument in silence; then the values, by the schema itself. */
export function parseWithZod(fn: ToolFn, schema: ZodType, args: unknown): unknown {
  assertArguments(fn, args, { types: false });
  const parsed = schema.safeParse(args);
  if (parsed.success) return parsed.data;
  throw new TypeError(`${fn.name} was called with wrong arguments: ${issuesText(parsed.error.issues)}`, {
    cause: parsed.error,
  });
}

/** Zod's issues on one line, each with its path: `filter.state: Invalid option …`. */
function issuesText(issues: readonly { path: readonly PropertyKey[]; message: string }[]): string {
  return issues
    .map(({ path, message }) => {
      const place = path.map((step, i) =>
        typeof step === "number" ? `[${step}]` : `${i > 0 ? "." : ""}${String(step)}`,
      );
      return path.length === 0 ? message : `${place.join("")}: ${message}`;
    })
    .join("; ");
}
