/** The form of the table of statements. */
import type { DatabaseOptions } from "../../../src/index.js";

/** One `execute`, and what it has to do. */
export interface Step {
  readonly sql: string;
  readonly params?: unknown[];
  /**
   * The calls that the statement needs, in waves: those of one wave can be made side by side, and each wave needs
   * answers of the one before. Thought out from the statement and the data, never taken from what the program did.
   */
  readonly calls: readonly (readonly string[])[];
  /** `event` only: its calls, with the number of pages that have to be asked for. */
  readonly pages?: readonly string[];
  /** The rows stand in the order of the statement's ORDER BY; otherwise they are compared as a multiset. */
  readonly ordered?: boolean;
  /** It fails: the SQLSTATE, and words of the message, the detail or the hint. */
  readonly error?: { readonly code: string; readonly says?: readonly string[] };
  /** What PostgreSQL is asked instead, where it has no clock to inject, or has no such rows; `null`: it is not asked. */
  readonly oracle?: string | null;
}

export interface Statement extends Step {
  /** What is special about it; unique. */
  readonly name: string;
  /** Further statements of the same session. */
  readonly then?: readonly Step[];
  readonly options?: DatabaseOptions;
}

/** Every step of a statement. */
export function stepsOf(statement: Statement): readonly Step[] {
  return [statement, ...(statement.then ?? [])];
}
