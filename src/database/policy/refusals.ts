/** The errors by which a policy refuses: 42501, in PostgreSQL's words, with the rule that decided. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type { Decision } from "./rules.js";

/** @param position of what is refused in the statement */
export function denied(what: string, decision: Decision, hint: string, position?: number): SqlError {
  return new SqlError(sqlstate.insufficientPrivilege, `permission denied for ${what}`, {
    detail: `Decided by ${decision}.`,
    hint,
    ...(position !== undefined && { position }),
  });
}

/** What to do where a table is not allowed. */
export const otherTables = "SELECT table_name FROM information_schema.tables lists the tables that you may use.";
