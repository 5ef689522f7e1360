/** A capability as a function: what a program of a REPL surface may call, described well enough to be found and used. */
import type { JsonSchema } from "../json-schema/schema.js";

/** What a call may know beside its arguments. */
export interface ToolFnContext {
  /** Aborts when the program that calls is stopped. */
  signal?: AbortSignal;
  /** On whose behalf the call is made. */
  actor?: string;
}

/** One function of a catalog. Structural: any object of this shape will do. */
export interface ToolFn {
  /** An identifier; `server__name` for a function that comes from a server. */
  name: string;
  description?: string;
  /** JSON Schema of the one argument object; without it any arguments are passed on. */
  inputSchema?: Record<string, unknown>;
  /** `true`: reads only. `false`: has effects. Absent: nobody said. */
  readOnlyHint?: boolean;
  /** Type of the answer, as text, when it is known or was seen. */
  resultShape?: string;
  /** Where the function comes from, and what that is. */
  server?: string;
  serverDescription?: string;
  call(args: Record<string, unknown>, ctx?: ToolFnContext): Promise<unknown>;
}

/** The function's input schema in the form that our readers take. */
export function inputSchemaOf(fn: ToolFn): JsonSchema | undefined {
  return fn.inputSchema as JsonSchema | undefined;
}

/** Is this a name that a program can write before `(`? */
export function isFnName(name: string): boolean {
  return /^[A-Za-z_]\w*$/.test(name);
}

/**
 * Refuses a name that no program could call.
 * @throws TypeError with a name that would do
 */
export function assertFnName(name: string): void {
  if (typeof name !== "string" || !isFnName(name)) {
    throw new TypeError(
      `${JSON.stringify(name)} is no function name: letters, digits and _ are allowed, and no digit first` +
        (typeof name === "string" && name !== "" ? `; try ${JSON.stringify(toFnName(name))}` : ""),
    );
  }
}

/** The nearest function name to a tool's name: every other character becomes `_`. */
export function toFnName(name: string): string {
  const replaced = name.replaceAll(/\W/g, "_");
  return /^[A-Za-z_]/.test(replaced) ? replaced : `_${replaced}`;
}
