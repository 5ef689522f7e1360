/** The values of an UPDATE or DELETE: what is written, beside the columns that its row is found by. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type { Row } from "../resource.js";
import { valueIdentity } from "../value-identity.js";

/**
 * Both as one row, for templates that know one value a column.
 * @throws SqlError 0A000 for a key that gets another value: the new one would stand where the old one finds the row
 */
export function writtenValues(set: Row = {}, match: Row = {}): Row {
  const moved = Object.keys(set).find(
    (column) => Object.hasOwn(match, column) && valueIdentity(set[column]) !== valueIdentity(match[column]),
  );
  if (moved === undefined) return { ...match, ...set };
  throw new SqlError(
    sqlstate.featureNotSupported,
    `column "${moved}" finds the row, and can't be given another value`,
    {
      detail: "A call has one place for the column, so nothing was sent.",
      hint: `Leave "${moved}" out of SET; to move a row, INSERT it anew and DELETE the old one.`,
    },
  );
}
