/** Columns of a manifest that a read cannot be asked by, because only the tool or request of a write takes them. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type { Bindings, ResourceColumn } from "../resource.js";

/**
 * The check of a read's arguments: a column that exists only as an argument, and that the read does not send, would be
 * stamped on every row as if the service had looked for it.
 * @param sent columns that the read's templates mention
 * @returns a function that throws SqlError 0A000 naming the column
 */
export function refuseOnlyWritten(
  columns: readonly ResourceColumn[],
  sent: ReadonlySet<string>,
): (bindings: Bindings) => void {
  const unsent = columns.filter((column) => column.argument === true && !sent.has(column.name)).map(({ name }) => name);
  return (bindings) => {
    const asked = unsent.find((name) => bindings.eq.has(name));
    if (asked === undefined) return;
    throw new SqlError(sqlstate.featureNotSupported, `column "${asked}" can only be written, not searched by`, {
      detail: "Its value is passed on by a write alone; rows that are read do not have it.",
      hint: `Leave the condition on "${asked}" out of the statement.`,
    });
  };
}
