/** Columns that stand for arguments which a tool insists on when a row is inserted. */
import type { Table } from "../../catalog/table.js";
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { quoteName } from "../../grammar/deparse/names.js";

/** Other columns left out are for the service to fill; an argument that a tool insists on is not. @throws SqlError 23502 */
export function requireArguments(table: Table, targets: readonly number[], position: number): void {
  const missing = table.columns.filter(
    (column, source) => column.insertArgument !== undefined && !targets.includes(source),
  );
  if (missing.length === 0) return;
  const [first] = missing;
  const wanted = missing.map((column) => `"${column.name}"`).join(", ");
  throw new SqlError(
    sqlstate.notNullViolation,
    `null value in column "${first.name}" of relation "${table.name}" violates not-null constraint`,
    {
      position,
      detail: `The tool requires its argument "${first.insertArgument}", and the statement gives no value for the column.`,
      hint: `Give a value for ${wanted}: INSERT INTO ${quoteName(table.name)} (${missing.map((column) => quoteName(column.name)).join(", ")}, …) VALUES (…).`,
    },
  );
}
