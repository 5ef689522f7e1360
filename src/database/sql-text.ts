/** Names and values written as SQL, for previews and messages. */
import { quoteName } from "../grammar/deparse.js";

/** A name, quoted where it has to be. */
export function quoteIdentifier(name: string): string {
  return quoteName(name);
}

/** A host value as a literal. */
export function sqlLiteral(value: unknown): string {
  if (value === null || value === undefined) return "NULL";
  switch (typeof value) {
    case "number":
    case "bigint":
      return Number.isFinite(Number(value)) ? String(value) : quoteText(String(value));
    case "boolean":
      return value ? "true" : "false";
    case "string":
      return quoteText(value);
    default:
      return quoteText(value instanceof Date ? value.toISOString() : JSON.stringify(value));
  }
}

/** A string literal; with a backslash it is written in the escape form, so that it reads the same under any setting. */
export function quoteText(text: string): string {
  const doubled = text.replaceAll("'", "''");
  return doubled.includes("\\") ? `E'${doubled.replaceAll("\\", "\\\\")}'` : `'${doubled}'`;
}
