/** Groups of columns of which one each must be bound ("one of `id`, `number`"), as indexes into `table.columns`. */
import type { Table } from "../../catalog/table.js";

const none: readonly (readonly number[])[] = [];

/** Empty for a table that is not read by calls. */
export function alternativesOf(table: Table): readonly (readonly number[])[] {
  if (table.kind !== "resource" || table.keyAlternatives === undefined) return none;
  return table.keyAlternatives.map((group) =>
    group.map((name) => table.columns.findIndex((column) => column.name === name)),
  );
}
