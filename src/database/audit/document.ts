/** Values as records have them: JSON, with nothing lost that matters and nothing that JSON can't write. */
import { encodeHex } from "../../types/bytea.js";

/** A bigint as its digits, a Date as an instant, bytes as hexadecimal digits, a number that JSON has no word for as its name. */
export function asDocument(value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : value.toISOString();
  if (value instanceof Uint8Array) return `\\x${encodeHex(value)}`;
  if (Array.isArray(value)) return value.map(asDocument);
  if (typeof value === "function" || typeof value === "symbol") return null;
  if (typeof value !== "object" || value === null) return value ?? null;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, asDocument(part)]));
}
