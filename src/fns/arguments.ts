/** Argument checks of a function, before anything is called. */

import type { UnknownKey } from "../json-schema/arguments.js";
import * as schemaArguments from "../json-schema/arguments.js";
import { problemsOf } from "../json-schema/validate.js";
import { fnSignature } from "./describe.js";
import { inputSchemaOf, type ToolFn } from "./tool-fn.js";

export type { UnknownKey } from "../json-schema/arguments.js";

/** Names of required arguments that were left out. */
export function missingRequired(fn: ToolFn, args: Record<string, unknown>): string[] {
  return schemaArguments.missingRequired(inputSchemaOf(fn), args);
}

/** Arguments the function does not have, each with the name that was probably meant. */
export function unknownKeys(fn: ToolFn, args: Record<string, unknown>): UnknownKey[] {
  return schemaArguments.unknownKeys(inputSchemaOf(fn), args);
}

/**
 * Refuses arguments that the function's schema does not take: first what is missing, then what has no meaning, then
 * what is of the wrong kind (unless `types` is off, for callers that check values themselves).
 * @throws TypeError naming the argument and the signature
 */
export function assertArguments(fn: ToolFn, args: unknown, options: { types?: boolean } = {}): void {
  if (typeof args !== "object" || args === null || Array.isArray(args)) {
    throw new TypeError(`${fn.name} takes one argument object: ${fnSignature(fn)}`);
  }
  const given = args as Record<string, unknown>;
  const missing = missingRequired(fn, given);
  if (missing.length > 0) {
    const names = missing.map((name) => JSON.stringify(name)).join(", ");
    throw new TypeError(`${fn.name} needs a value for ${names}: ${fnSignature(fn)}`);
  }
  const [unknown] = unknownKeys(fn, given);
  if (unknown !== undefined) {
    const meant = unknown.hint === undefined ? "" : `, perhaps you meant ${JSON.stringify(unknown.hint)}`;
    throw new TypeError(`${fn.name} has no argument ${JSON.stringify(unknown.key)}${meant}: ${fnSignature(fn)}`);
  }
  const schema = inputSchemaOf(fn);
  if (schema === undefined || options.types === false) return;
  const problems = problemsOf(given, schema, schema, "");
  if (problems.length > 0) throw new TypeError(`${fn.name} was called with wrong arguments: ${problems.join("; ")}`);
}
