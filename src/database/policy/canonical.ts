/** Values as one text, the same for the same values: keys in order, types told apart that JSON writes alike. */

import { encodeHex } from "../../types/bytea.js";

/** SHA-256 of a text in UTF-8, hexadecimal. */
export async function sha256Hex(text: string): Promise<string> {
  return encodeHex(new Uint8Array(await globalThis.crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));
}

/** @throws TypeError for a value that holds itself */
export function canonicalText(value: unknown): string {
  return textOf(value, []);
}

function textOf(value: unknown, above: readonly object[]): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value);
    case "number":
      return Object.is(value, -0) ? "-0" : String(value);
    case "bigint":
      return `${value}n`;
    case "boolean":
      return String(value);
    case "object":
      return value === null ? "null" : objectText(value, above);
    default:
      return typeof value; // undefined, and what is no data
  }
}

function objectText(value: object, above: readonly object[]): string {
  if (above.includes(value)) throw new TypeError("a value holds itself");
  const inside = [...above, value];
  if (Array.isArray(value)) return `[${value.map((part) => textOf(part, inside)).join(",")}]`;
  if (value instanceof Date) return `Date(${value.getTime()})`;
  if (value instanceof Uint8Array) return `Bytes(${Array.from(value).join(",")})`;
  const parts = Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, part]) => `${JSON.stringify(key)}:${textOf(part, inside)}`);
  return `{${parts.join(",")}}`;
}
