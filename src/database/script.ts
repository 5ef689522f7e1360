/** What holds for a text of several statements: one list of parameters, one result. */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import type { ExecuteResult } from "./types.js";

/** A script's result is its last statement's; when that has no rows, those of the last one that had some. */
export function mergedResult(previous: ExecuteResult | undefined, next: ExecuteResult): ExecuteResult {
  if (previous === undefined) return next;
  const touched = [...previous.touched, ...next.touched];
  const notices = [...(previous.notices ?? []), ...(next.notices ?? [])];
  const merged = { ...next, touched, ...(notices.length > 0 && { notices }) };
  if (next.fields.length > 0 || previous.fields.length === 0) return merged;
  return { ...merged, rows: previous.rows, fields: previous.fields, truncated: previous.truncated };
}

/**
 * A value that no `$n` takes is a mistake, as it is for PostgreSQL. The statements of a script share their values.
 * @param taken parameters of the statement that has most
 * @throws SqlError 08P01
 */
export function refuseExtraParameters(params: readonly unknown[] | undefined, taken: number): void {
  const given = params?.length ?? 0;
  if (given <= taken) return;
  throw new SqlError(
    sqlstate.protocolViolation,
    `${given} parameter values were given, but the statement needs ${taken}`,
    {
      hint: "A $1 inside quotes is text and takes no value.",
    },
  );
}
