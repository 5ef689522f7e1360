/** Prints an error the way psql does: message, the line of SQL with a caret under the place, detail, hint. */
import { SqlError } from "./sql-error.js";

/** Longest piece of a statement's line that is shown around the caret, in characters. */
const excerptWidth = 100;

/**
 * The error as text, several lines without a final newline:
 *
 *     ERROR 42703: column "titel" does not exist
 *     LINE 1: SELECT titel FROM github_pr
 *                    ^
 *     HINT: …
 *
 * `sql` is the statement's text; without it, or without a position, the excerpt is left out.
 */
export function formatError(error: unknown, sql?: string): string {
  if (!(error instanceof SqlError)) return `ERROR: ${error instanceof Error ? error.message : String(error)}`;
  const lines = [`ERROR ${error.code}: ${error.message}`];
  if (sql !== undefined && error.position !== undefined) lines.push(...excerpt(sql, error.position));
  if (error.detail !== undefined) lines.push(`DETAIL: ${error.detail}`);
  if (error.hint !== undefined) lines.push(`HINT: ${error.hint}`);
  return lines.join("\n");
}

function excerpt(sql: string, position: number): string[] {
  const offset = Math.min(Math.max(position - 1, 0), sql.length);
  const before = sql.slice(0, offset);
  const lineNumber = before.split("\n").length;
  const lineStart = before.lastIndexOf("\n") + 1;
  const nextBreak = sql.indexOf("\n", offset);
  const line = sql
    .slice(lineStart, nextBreak === -1 ? sql.length : nextBreak)
    .replaceAll("\t", " ")
    .replaceAll("\r", " ");
  const column = offset - lineStart;
  const from = line.length <= excerptWidth ? 0 : Math.max(0, column - Math.floor(excerptWidth / 2));
  const to = Math.min(line.length, from + excerptWidth);
  const label = `LINE ${lineNumber}: ${from > 0 ? "…" : ""}`;
  const shown = line.slice(from, to) + (to < line.length ? "…" : "");
  return [label + shown, `${" ".repeat(label.length + column - from)}^`];
}
