/** Limits of the JavaScript engine that a statement can reach, as the errors that PostgreSQL has for its own. */
import { SqlError } from "./sql-error.js";
import { sqlstate } from "./sqlstate.js";

/** Whether the call stack was full. */
export function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError && error.message.includes("call stack");
}

/**
 * The error of a limit: SqlError 54001 for a call stack that is full, 54000 for a string, an array or a bigint that is too
 * large; any other error as it is.
 * @param hint for a full stack
 */
export function ofEngineLimit(error: unknown, hint?: string): unknown {
  if (!(error instanceof RangeError)) return error;
  if (!isStackOverflow(error))
    return new SqlError(sqlstate.programLimitExceeded, "a value is too large", { detail: error.message, cause: error });
  return new SqlError(sqlstate.statementTooComplex, "stack depth limit exceeded", {
    cause: error,
    ...(hint !== undefined && { hint }),
  });
}
