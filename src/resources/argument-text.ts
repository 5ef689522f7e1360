/** The arguments of calls in the words of SQL, as messages, notices and what a model reads of a result show them. */
import { quoteString } from "../grammar/deparse/names.js";
import { printOperator } from "../planner/print-expr.js";
import type { Qual } from "./resource.js";
import { exactly } from "./value-identity.js";

/** Values of one column that are shown; a batch has thousands. */
const maxShownValues = 5;
/** Characters of one value that are shown. */
const maxValueLength = 200;

/** A host value as a literal: `42`, `'a'`, `'2026-01-01T00:00:00.000Z'`, `'{"a":1}'`, `NULL`. */
export function sqlLiteral(value: unknown): string {
  if (value === null || value === undefined) return "NULL";
  switch (typeof value) {
    case "bigint":
      return String(value);
    case "number":
      return Number.isFinite(value) ? String(value) : quoteString(String(value));
    case "boolean":
      return value ? "true" : "false";
    case "string":
      return quoteString(value);
    default:
      return quoteString(documentText(value));
  }
}

function documentText(value: unknown): string {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? String(value) : value.toISOString();
  return JSON.stringify(value, exactly);
}

/** One value in a message: a literal, cut when it is long. */
export function shownArgument(value: unknown): string {
  const text = sqlLiteral(value);
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text;
}

/** `repo = 'a'`; `id = 1, 2, 3, 4, 5, … (40 values)`. */
export function boundText(column: string, values: readonly unknown[]): string {
  const shown = values.slice(0, maxShownValues).map(shownArgument).join(", ");
  return `${column} = ${shown}${values.length > maxShownValues ? `, … (${values.length} values)` : ""}`;
}

/** `since >= '2026-01-01'`, `title LIKE 'Fix%'`, `closed_at IS NULL`. */
export function qualText({ column, operator, value }: Qual): string {
  return `${column} ${printOperator(operator)}${value === undefined ? "" : ` ${shownArgument(value)}`}`;
}
