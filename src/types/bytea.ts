/** The type bytea: hexadecimal and escape input, `\x…` output, order by bytes. Values are `Uint8Array`s, never changed in place. */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import type { TypeOperations } from "./operations.js";
import { encodeUtf8 } from "./utf8.js";

const hexPairs: readonly string[] = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Two lower case digits a byte. */
export function encodeHex(bytes: Uint8Array): string {
  let hex = "";
  for (const byte of bytes) hex += hexPairs[byte];
  return hex;
}

/** Bytes of hexadecimal text; white space may stand between bytes. @throws SqlError 22023 */
export function decodeHex(text: string): Uint8Array {
  const bytes: number[] = [];
  for (let i = 0; i < text.length; ) {
    const unit = text[i];
    if (unit === " " || unit === "\n" || unit === "\t" || unit === "\r") {
      i++;
      continue;
    }
    const high = hexDigit(text, i);
    if (i + 1 >= text.length)
      throw new SqlError(sqlstate.invalidParameterValue, "invalid hexadecimal data: odd number of digits");
    bytes.push(high * 16 + hexDigit(text, i + 1));
    i += 2;
  }
  return Uint8Array.from(bytes);
}

function hexDigit(text: string, at: number): number {
  const value = hexValue(text.charCodeAt(at));
  if (value < 0) {
    const shown = String.fromCodePoint(text.codePointAt(at) as number);
    throw new SqlError(sqlstate.invalidParameterValue, `invalid hexadecimal digit: "${shown}"`);
  }
  return value;
}

/** 0–15 for the UTF-16 unit of a hexadecimal digit, otherwise -1. */
export function hexValue(unit: number): number {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  if (unit >= 0x61 && unit <= 0x66) return unit - 0x57;
  if (unit >= 0x41 && unit <= 0x46) return unit - 0x37;
  return -1;
}

/** Bytes of the escape format: `\\` is a backslash, `\ooo` any byte, all else UTF-8. @throws SqlError 22P02 */
export function decodeEscape(text: string): Uint8Array {
  if (!text.includes("\\")) return encodeUtf8(text);
  const source = encodeUtf8(text);
  const bytes: number[] = [];
  for (let i = 0; i < source.length; i++) {
    if (source[i] !== 0x5c) {
      bytes.push(source[i]);
    } else if (source[i + 1] === 0x5c) {
      bytes.push(0x5c);
      i++;
    } else {
      const [a, b, c] = [source[i + 1] - 0x30, source[i + 2] - 0x30, source[i + 3] - 0x30];
      if (!(a >= 0 && a <= 3 && b >= 0 && b <= 7 && c >= 0 && c <= 7))
        throw new SqlError(sqlstate.invalidTextRepresentation, "invalid input syntax for type bytea", {
          hint: "Write bytes as '\\x' followed by two hexadecimal digits each; a backslash alone is written '\\\\'.",
        });
      bytes.push(a * 64 + b * 8 + c);
      i += 3;
    }
  }
  return Uint8Array.from(bytes);
}

/** Order by bytes, the shorter first. */
function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) if (a[i] !== b[i]) return a[i] - b[i];
  return a.length - b.length;
}

function parseBytea(text: string): Uint8Array {
  return text.startsWith("\\x") ? decodeHex(text.slice(2)) : decodeEscape(text);
}

export const byteaOperations: TypeOperations = {
  input: (text) => parseBytea(text),
  output: (value) => `\\x${encodeHex(value as Uint8Array)}`,
  compare: (a, b) => compareBytes(a as Uint8Array, b as Uint8Array),
  key: (value) => encodeHex(value as Uint8Array),
  fromHost(value) {
    if (value instanceof Uint8Array) return value;
    if (value instanceof ArrayBuffer) return new Uint8Array(value);
    if (typeof value !== "string") return undefined;
    try {
      return parseBytea(value);
    } catch (error) {
      if (error instanceof SqlError) return undefined; // the caller names column and row
      throw error;
    }
  },
  toHost: (value) => `\\x${encodeHex(value as Uint8Array)}`,
};
