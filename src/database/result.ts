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

/** PostgreSQL's command tag. */
export function commandTag(command: BoundQuery["command"], rowCount: number): string {
  if (command === "INSERT") return `INSERT 0 ${rowCount}`;
  return `${command === "VALUES" ? "SELECT" : command} ${rowCount}`;
}
