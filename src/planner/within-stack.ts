/** Binder and optimizer walk expressions and plans by recursion, which has an end: where it is, the statement is too complex. */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";

/** The result of `work`. @throws SqlError 54001, as PostgreSQL's own limit of the stack, when it recurses too deeply */
export function withinStack<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new SqlError(sqlstate.statementTooComplex, "stack depth limit exceeded", {
      hint: "Divide the statement: expressions or queries are nested too deeply.",
      cause: error,
    });
  }
}
