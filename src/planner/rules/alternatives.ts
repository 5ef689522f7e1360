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

/**
 * Columns that a call is made by: the required keys, and of each group of alternatives the first that has a value. The
 * others of a group go along with it.
 * @param bound columns that have values
 */
export function callKeys(table: Table, bound: ReadonlySet<number>): ReadonlySet<number> {
  const required = table.columns.flatMap((column, i) => (column.requiredKey === true ? [i] : []));
  const chosen = alternativesOf(table).flatMap((group) => group.filter((i) => bound.has(i)).slice(0, 1));
  return new Set([...required, ...chosen]);
}
