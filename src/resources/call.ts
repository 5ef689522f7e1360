/**
 * One call of a read, its identity and its arguments in words; and what calls of reads and writes have in common: being
 * given up, and failing.
 */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import { boundText, qualText } from "./argument-text.js";
import type { Qual, ResourceContext, SqlScalar } from "./resource.js";
import type { RegisteredResource } from "./table-info.js";
import { valueIdentity } from "./value-identity.js";

/** A read with all its arguments known. */
export interface ResourceCall {
  readonly table: RegisteredResource;
  /** Column name → host values, without duplicates. */
  readonly values: ReadonlyMap<string, readonly unknown[]>;
  /** Predicates beyond equality. */
  readonly quals?: readonly Qual[];
  readonly columns: readonly string[];
  readonly limit?: number;
  readonly orderBy?: NonNullable<ResourceContext["orderBy"]>;
}

/** A text that is the same exactly for calls that must give the same rows: table, arguments, columns, order, limit. */
export function callIdentity(call: ResourceCall): string {
  const values = [...call.values]
    .map(([column, bound]) => [column, bound.map(valueIdentity).sort()] as const)
    .sort((a, b) => (a[0] < b[0] ? -1 : 1));
  const quals = (call.quals ?? [])
    .map(({ column, operator, value }) => JSON.stringify([column, operator, valueIdentity(value)]))
    .sort();
  return JSON.stringify([
    call.table.schema,
    call.table.name,
    values,
    quals,
    [...call.columns].sort(),
    call.orderBy ?? null,
    call.limit ?? null,
  ]);
}

/** The arguments as a message shows them: `repo = 'a'; id = 1, 2, … (40 values); since >= '2026-01-01'`; empty without any. */
export function argumentsText(call: ResourceCall): string {
  const bound = [...call.values].map(([column, values]) => boundText(column, values));
  return [...bound, ...(call.quals ?? []).map(qualText)].join("; ");
}

/** Column → its values, as a result shows the arguments of a call. */
export function bindingsOf(call: ResourceCall): Record<string, SqlScalar[]> {
  return Object.fromEntries([...call.values].map(([column, values]) => [column, [...values] as SqlScalar[]]));
}

/** What was thrown, in words, whatever it was. */
export function errorWords(error: unknown): string {
  try {
    return wordsOf(error);
  } catch {
    return "the error can't be read"; // looking at it throws
  }
}

function wordsOf(error: unknown): string {
  if (error instanceof Error) return error.message === "" ? error.name : error.message;
  if (typeof error !== "object" || error === null) return error === undefined ? "no reason was given" : String(error);
  const { message } = error as { message?: unknown };
  if (typeof message === "string" && message !== "") return message;
  try {
    return JSON.stringify(error);
  } catch {
    return Object.prototype.toString.call(error).slice("[object ".length, -1); // it refers to itself
  }
}

/** The promise, given up as soon as the signal says so: a resolver that does not look at its signal cannot hold the statement. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** The error of a cancelled statement; the reason of the signal says whether it was the user or the clock. */
export function canceled(signal: AbortSignal): SqlError {
  if (signal.reason instanceof SqlError) return signal.reason;
  const timedOut = signal.reason instanceof Error && signal.reason.name === "TimeoutError";
  return new SqlError(
    sqlstate.queryCanceled,
    timedOut ? "canceling statement due to statement timeout" : "canceling statement due to user request",
    { cause: signal.reason },
  );
}
