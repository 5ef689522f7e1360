/** Errors of PGlite as the program's own. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";

interface DatabaseError {
  readonly code?: string;
  readonly message: string;
  readonly detail?: string;
  readonly hint?: string;
  readonly position?: string | number;
}

/** @param sql the text that was sent: PostgreSQL counts characters, errors here count UTF-16 units */
export function toSqlError(error: unknown, sql: string): SqlError {
  if (error instanceof SqlError) return error;
  const { code, message, detail, hint, position } = error as DatabaseError;
  if (typeof code !== "string" || code.length !== 5) {
    return new SqlError(sqlstate.internalError, `PGlite failed: ${String(message ?? error)}`, { cause: error });
  }
  return new SqlError(code, message, {
    ...(detail && { detail }),
    ...(hint && { hint }),
    ...(position !== undefined && { position: unitsBefore(sql, Number(position)) }),
    cause: error,
  });
}

function unitsBefore(sql: string, position: number): number {
  const before = [...sql].slice(0, position - 1);
  return before.join("").length + 1;
}
