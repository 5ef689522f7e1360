/** The read that looks which rows have some primary keys, as a statement. */
import { quoteName } from "../../grammar/deparse.js";
import type { RegisteredResource } from "../../resources/table-info.js";
import { operationsOf } from "../../types/families.js";
import type { TypeContext } from "../../types/operations.js";
import { displayType } from "../../types/type.js";
import type { Value } from "../../types/value.js";
import { sourcesOf } from "./row-values.js";

/** @param keys rows of the table in memory form, of which the primary key counts; not empty */
export function selectByKey(
  table: RegisteredResource,
  keys: readonly (readonly Value[])[],
  context: TypeContext,
): { sql: string; params: unknown[] } {
  const sources = sourcesOf(table, table.primaryKey);
  const params: unknown[] = [];
  const tuples = keys.map((row) => {
    const values = sources.map((source) => {
      const { type, typmod } = table.columns[source];
      params.push(operationsOf(type).toHost(row[source], context));
      return `CAST($${params.length} AS ${displayType(type, typmod)})`;
    });
    return values.length === 1 ? values[0] : `(${values.join(", ")})`;
  });
  const names = sources.map((source) => quoteName(table.columns[source].name));
  const key = names.length === 1 ? names[0] : `(${names.join(", ")})`;
  const columns = table.columns.map((column) => quoteName(column.name)).join(", ");
  const from = `${quoteName(table.schema)}.${quoteName(table.name)}`;
  return { sql: `SELECT ${columns} FROM ${from} WHERE ${key} IN (${tuples.join(", ")})`, params };
}
