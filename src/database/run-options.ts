/** The options of one `execute`: what is wrong with them is said before anything runs, and what ends the run. */
import { closest } from "../errors/did-you-mean.js";
import { isStackOverflow, ofEngineLimit } from "../errors/engine-limits.js";
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import { maxTimerMs } from "../resources/timer.js";
import { checkHostKey } from "./idempotency.js";
import type { ExecuteOptions } from "./types.js";

/** Rows that `execute` returns when the caller does not say. */
const defaultRowLimit = 50;

/**
 * The options as they are now: what the caller changes later, or a property that says something else each time it is
 * read, decides nothing. Whether they are right is {@link checkOptions}'s affair.
 */
export function ownOptions(given: ExecuteOptions | null): ExecuteOptions {
  const options = { ...given };
  return Array.isArray(options.params) ? { ...options, params: [...options.params] } : options;
}

/** Whether a value is a signal that can be listened to. */
export function isSignal(value: unknown): value is AbortSignal {
  return value instanceof AbortSignal;
}

const optionNames: Readonly<Record<keyof ExecuteOptions, true>> = {
  params: true,
  limit: true,
  allowWrites: true,
  actor: true,
  signal: true,
  timeoutMs: true,
  allowPartial: true,
  onProgress: true,
  idempotencyKey: true,
};

/** A misspelt option would be one that is not given: `allowWrite: false` would let the write fire. */
function refuseUnknown(options: ExecuteOptions): void {
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(optionNames, name));
  if (unknown === undefined) return;
  const known = Object.keys(optionNames);
  const near = closest(unknown, known);
  throw invalid(
    `there is no option ${JSON.stringify(unknown)}`,
    near === undefined ? `The options are ${known.join(", ")}.` : `Perhaps you meant ${near}.`,
  );
}

/** @throws SqlError 22023 for an option that is none, or has a value that it can't have */
export function checkOptions(options: ExecuteOptions): void {
  refuseUnknown(options);
  rowLimit(options.limit);
  const { params, timeoutMs, allowWrites, signal } = options;
  checkActor(options.actor);
  if (allowWrites !== undefined && allowWrites !== null && typeof allowWrites !== "boolean")
    throw invalid(`allowWrites must be true or false, not ${shown(allowWrites)}`);
  if (signal !== undefined && signal !== null && !isSignal(signal))
    throw invalid(`signal must be an AbortSignal, not ${shown(signal)}`);
  if (params !== undefined && params !== null && !Array.isArray(params)) {
    throw invalid(
      `params must be an array of values, not ${shown(params)}`,
      "Write params: [value of $1, value of $2].",
    );
  }
  if (timeoutMs !== undefined && !(typeof timeoutMs === "number" && timeoutMs >= 0)) {
    throw invalid(`timeoutMs must be a number of milliseconds, not ${shown(timeoutMs)}`);
  }
  checkAllowPartial(options.allowPartial);
  checkHostKey(options.idempotencyKey);
  const { onProgress } = options;
  if (onProgress !== undefined && typeof onProgress !== "function")
    throw invalid(`onProgress must be a function, not ${shown(onProgress)}`);
}

/** @throws SqlError 22023 for what is no boolean: "false" must not be taken for leave to give a part of the rows */
export function checkAllowPartial(allowPartial: unknown): void {
  if (allowPartial !== undefined && typeof allowPartial !== "boolean")
    throw invalid(`allowPartial must be true or false, not ${shown(allowPartial)}`);
}

/** @throws SqlError 22023 for what is no text: who asks must not depend on how it is turned into one */
export function checkActor(actor: unknown): void {
  if (actor !== undefined && actor !== null && typeof actor !== "string")
    throw invalid(`actor must be a text, not ${shown(actor)}`);
}

/** The rows to return at most. @throws SqlError 22023 for what is no number of rows: an answer without rows would be wrong */
export function rowLimit(limit: number | null | undefined): number {
  if (limit === undefined || limit === null) return defaultRowLimit;
  if (typeof limit === "number" && limit >= 0) return Math.floor(limit);
  throw invalid(
    `limit must be a number of rows, not ${shown(limit)}`,
    "Leave it out for the default, or pass 0 or more.",
  );
}

/** The statement's text. @throws SqlError 42601 for what is no text */
export function statementText(sql: unknown): string {
  if (typeof sql === "string") return sql;
  throw new SqlError(sqlstate.syntaxError, `the statement must be a text, not ${shown(sql)}`, {
    hint: "Pass the statement as sql.",
  });
}

function invalid(message: string, hint?: string): SqlError {
  return new SqlError(sqlstate.invalidParameterValue, message, hint === undefined ? {} : { hint });
}

function shown(value: unknown): string {
  if (value === null || typeof value !== "object")
    return typeof value === "string" ? JSON.stringify(value) : String(value);
  return Array.isArray(value) ? "an array" : "an object";
}

/** What ends a run from outside: the caller's signal or the clock. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** `Date.now()` when the time is over; later once the clock has stood still. */
  readonly atMs: number;
  /** The clock stands still while something runs that is not the statement's own doing. */
  standStill<T>(run: () => Promise<T>): Promise<T>;
  /** Stops the clock. */
  clear(): void;
}

/** The clock keeps the process alive: a program whose only hope is the timeout must live to see it. */
export function deadline(signal: AbortSignal | undefined, timeoutMs: number): Deadline {
  const clock = new AbortController();
  const start = (leftMs: number) =>
    Number.isFinite(leftMs)
      ? setTimeout(
          () => clock.abort(new DOMException("the time is over", "TimeoutError")),
          Math.min(Math.max(0, leftMs), maxTimerMs),
        )
      : undefined;
  let timer = start(timeoutMs);
  let atMs = Date.now() + timeoutMs;
  return {
    signal: signal === undefined ? clock.signal : AbortSignal.any([signal, clock.signal]),
    get atMs() {
      return atMs;
    },
    async standStill(run) {
      clearTimeout(timer);
      const since = Date.now();
      try {
        return await run();
      } finally {
        atMs += Date.now() - since;
        timer = start(atMs - Date.now());
      }
    },
    clear: () => clearTimeout(timer),
  };
}

/** Runs something that may be nested deeper than the stack; PostgreSQL has the same limit under the same name. */
export async function withinStack<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    // Another RangeError is the caller's own, thrown by what watches the statement.
    if (!isStackOverflow(error)) throw error;
    throw ofEngineLimit(error, "Write the statement with less nesting, or as several statements.");
  }
}
