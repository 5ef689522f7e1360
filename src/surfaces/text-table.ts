/** Rows as a text table for people: a terminal, a log. Columns share the width; what is cut ends in `…`. */

/** How much room the table has. */
export interface TextTableOptions {
  /** Characters of a line at most. Default 100. */
  width?: number;
  /** Rows shown at most; a line tells how many were left out. Default all. */
  maxRows?: number;
}

/**
 * Rows as lines under a head; numbers to the right, NULL empty, structures as JSON.
 * @param names the columns, in order, as in `fields` of a result
 */
export function formatRows(
  names: readonly string[],
  rows: readonly Record<string, unknown>[],
  options: TextTableOptions = {},
): string {
  if (names.length === 0) return "";
  const shown = rows.slice(0, options.maxRows ?? rows.length);
  const cells = shown.map((row) => names.map((name) => cellText(row[name])));
  const wanted = names.map((name, i) => Math.max(textWidth(name), ...cells.map((row) => textWidth(row[i])), 1));
  const widths = sharedWidths(wanted, (options.width ?? 100) - (names.length - 1) * 3);
  const rightAligned = names.map(
    (name) =>
      shown.length > 0 && shown.every((row) => isNumberOrNull(row[name])) && shown.some((row) => row[name] !== null),
  );
  const line = (texts: readonly string[]) =>
    texts
      .map((text, i) => pad(clip(text, widths[i]), widths[i], rightAligned[i]))
      .join(" │ ")
      .trimEnd();
  const lines = [line(names), widths.map((width) => "─".repeat(width)).join("─┼─"), ...cells.map(line)];
  if (shown.length < rows.length) lines.push(`… and ${rows.length - shown.length} more`);
  return lines.join("\n");
}

/** A value on one line: NULL is empty, structures are JSON. */
function cellText(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return text.replaceAll("\r", "").replaceAll("\n", "⏎").replaceAll("\t", " ");
}

function isNumberOrNull(value: unknown): boolean {
  return value === null || value === undefined || typeof value === "number" || typeof value === "bigint";
}

/** Takes width from the widest columns until the line fits; no column gets narrower than 8. */
function sharedWidths(wanted: readonly number[], available: number): number[] {
  const widths = [...wanted];
  let excess = widths.reduce((sum, width) => sum + width, 0) - available;
  while (excess > 0) {
    const widest = widths.indexOf(Math.max(...widths));
    if (widths[widest] <= 8) break;
    const others = widths.filter((_, i) => i !== widest);
    const next = Math.max(8, Math.min(widths[widest] - 1, Math.max(...others, 8)));
    const target = Math.max(widths[widest] - excess, next < widths[widest] ? next : widths[widest] - 1);
    excess -= widths[widest] - target;
    widths[widest] = target;
  }
  return widths;
}

/** Counts code points; good for alignment in all but wide scripts. */
function textWidth(text: string): number {
  return [...text].length;
}

function clip(text: string, width: number): string {
  const characters = [...text];
  return characters.length <= width ? text : `${characters.slice(0, width - 1).join("")}…`;
}

function pad(text: string, width: number, right: boolean): string {
  const blanks = " ".repeat(Math.max(0, width - textWidth(text)));
  return right ? blanks + text : text + blanks;
}
