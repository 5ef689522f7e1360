/** The outer form of a result: field names and types, the command tag. */
import type { Column } from "../planner/expr.js";
import type { BoundQuery } from "../planner/plan.js";
import { displayType } from "../types/type.js";
import type { ResultField } from "./types.js";

/**
 * @param names the columns' names in row objects: a repeated name is `name_1`, `name_2`, …
 */
export function fieldsOf(output: readonly Column[], names: readonly string[]): ResultField[] {
  return output.map((column, i) => ({ name: names[i], type: displayType(column.type, column.typmod) }));
}

/**
 * The rows with documents and arrays copied: what the caller does to a result must not reach the answers that are kept of
 * a resource, nor the resource's own objects.
 */
export function ownRows(
  rows: Record<string, unknown>[],
  output: readonly Column[],
  names: readonly string[],
): Record<string, unknown>[] {
  const shared = names.filter((_, i) => output[i].type.kind === "array" || output[i].type.category === "U");
  for (const row of rows) for (const name of shared) row[name] = copied(row[name]);
  return rows;
}

function copied(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copied);
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, copied(part)]));
}

/** PostgreSQL's command tag. */
export function commandTag(command: BoundQuery["command"], rowCount: number): string {
  if (command === "INSERT") return `INSERT 0 ${rowCount}`;
  return `${command === "VALUES" ? "SELECT" : command} ${rowCount}`;
}
