/** Names and values written as SQL, for previews and messages. */
import { quoteName, quoteString } from "../grammar/deparse.js";

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
      return Number.isFinite(Number(value)) ? String(value) : quoteString(String(value));
    case "boolean":
      return value ? "true" : "false";
    case "string":
      return quoteString(value);
    default:
      return quoteString(value instanceof Date ? value.toISOString() : JSON.stringify(value));
  }
}
