/**
 * Columns with declared labels: a comparison with a constant that is none of them could only be false, which is nearly
 * always a slip (`'HIGH'` for `'high'`), so it is an error with the labels in it. Casting the column to text lifts the check.
 */
import { types } from "../../types/type.js";
import type { Column, Expr } from "../expr.js";
import { invalidLabel } from "./errors.js";

/** The labelled column that an expression is, seen through implicit casts. */
export function labelledColumn(expr: Expr): (Column & { readonly labels: readonly string[] }) | undefined {
  let inner = expr;
  while (inner.kind === "Cast" && inner.context === "implicit") inner = inner.input;
  if (inner.kind !== "Column" || inner.column.labels === undefined) return undefined;
  return inner.column as Column & { readonly labels: readonly string[] };
}

/** Checks a constant, or the elements of a constant array, that is compared with `other`. @throws SqlError 22P02 */
export function checkLabels(other: Expr, constant: Expr): void {
  const column = labelledColumn(other);
  if (column === undefined) return;
  for (const { text, position } of constantTexts(constant)) {
    if (!column.labels.includes(text)) throw invalidLabel(text, column.name, column.labels, position, true);
  }
}

/** Checks a constant that is stored in a column. @throws SqlError 22P02 */
export function checkStoredLabel(name: string, labels: readonly string[] | undefined, value: Expr): void {
  if (labels === undefined) return;
  for (const { text, position } of constantTexts(value)) {
    if (!labels.includes(text)) throw invalidLabel(text, name, labels, position, false);
  }
}

function constantTexts(expr: Expr): readonly { text: string; position: number | undefined }[] {
  if (expr.kind === "Array") return expr.items.flatMap(constantTexts);
  if (expr.kind === "Cast") return constantTexts(expr.input);
  if (expr.kind !== "Constant") return [];
  const { value, position, type } = expr;
  if (typeof value === "string" && (type === types.unknown || type.category === "S"))
    return [{ text: value, position }];
  if (Array.isArray(value) && type.element?.category === "S") {
    return value.filter((item) => typeof item === "string").map((text) => ({ text, position }));
  }
  return [];
}

/** The same expression without the labels of its column: what a cast to text leaves. */
export function withoutLabels(expr: Expr): Expr {
  if (expr.kind !== "Column" || expr.column.labels === undefined) return expr;
  const { labels: _, ...column } = expr.column;
  return { ...expr, column };
}
