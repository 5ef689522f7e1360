/**
 * Characters and bytes of strings. PostgreSQL counts characters as Unicode code points and stores UTF-8; JavaScript
 * counts UTF-16 units. Everything here is fast for strings without surrogate pairs, which are almost all of them.
 */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import { spendWork } from "./work.js";

const surrogate = /[\ud800-\udfff]/;
const suspicious = /[\0\ud800-\udfff]/; // what may not stand in a PostgreSQL string, or may only in pairs
/** Of a long text as much is looked at in one go. */
const unitsAtOnce = 1 << 20;
const encoder = new TextEncoder();
const strictDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Whether a string has characters outside the basic plane, so that units and characters differ in number. */
export function hasSurrogates(text: string): boolean {
  return surrogate.test(text);
}

/** Number of characters (code points). */
export function characterCount(text: string): number {
  if (text.length > unitsAtOnce) return longCount(text);
  if (!surrogate.test(text)) return text.length;
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    if (isPairAt(text, i)) i++;
    count++;
  }
  return count;
}

/** The characters of a long text, piece by piece: a pair counts where its first half stands. */
function longCount(text: string): number {
  let count = 0;
  for (let start = 0; start < text.length; start += unitsAtOnce) {
    const piece = text.slice(start, start + unitsAtOnce);
    spendWork(piece.length);
    count += piece.length;
    if (!surrogate.test(piece)) continue;
    for (let i = 0; i < piece.length; i++) if (isPairAt(text, start + i)) count--;
  }
  return count;
}

/** Whether a surrogate pair starts at unit `i`. */
export function isPairAt(text: string, i: number): boolean {
  const high = text.charCodeAt(i);
  if (high < 0xd800 || high > 0xdbff) return false;
  const low = text.charCodeAt(i + 1);
  return low >= 0xdc00 && low <= 0xdfff;
}

/** Unit offset of the character number `count` (0-based) counted from unit `from`; the length when there are fewer. */
export function offsetOfCharacter(text: string, count: number, from = 0): number {
  let i = from;
  for (let left = count; left > 0 && i < text.length; left--) i += isPairAt(text, i) ? 2 : 1;
  return Math.min(i, text.length);
}

/** Characters from position `start` (0-based) up to `end` (exclusive). */
export function sliceCharacters(text: string, start: number, end: number): string {
  if (!surrogate.test(text)) return text.slice(start, end);
  const from = offsetOfCharacter(text, start);
  return text.slice(from, offsetOfCharacter(text, end - start, from));
}

/** Length in bytes of the UTF-8 form. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    if (unit < 0x800) bytes++;
    else if (isPairAt(text, i)) {
      bytes += 2;
      i++;
    } else bytes += 2;
  }
  return bytes;
}

/** The UTF-8 bytes of a string. */
export function encodeUtf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** The string of UTF-8 bytes. @throws SqlError 22021 for bytes that are no UTF-8, and for NUL. */
export function decodeUtf8(bytes: Uint8Array): string {
  const bad = invalidUtf8(bytes);
  if (bad !== undefined) throw invalidBytes(bad);
  return strictDecoder.decode(bytes);
}

/** The first byte sequence that is not UTF-8 as PostgreSQL reports it, or `undefined` when all is well. */
function invalidUtf8(bytes: Uint8Array): Uint8Array | undefined {
  for (let i = 0; i < bytes.length; ) {
    const first = bytes[i];
    if (first !== 0 && first < 0x80) {
      i++;
      continue;
    }
    const length =
      first < 0x80 ? 1 : (first & 0xe0) === 0xc0 ? 2 : (first & 0xf0) === 0xe0 ? 3 : (first & 0xf8) === 0xf0 ? 4 : 1;
    if (first === 0 || length === 1 || i + length > bytes.length || !isLegalSequence(bytes, i, length))
      return bytes.subarray(i, Math.min(i + length, bytes.length));
    i += length;
  }
  return undefined;
}

function isLegalSequence(bytes: Uint8Array, at: number, length: number): boolean {
  const first = bytes[at];
  for (let k = 2; k < length; k++) if ((bytes[at + k] & 0xc0) !== 0x80) return false;
  const second = bytes[at + 1];
  if (first === 0xe0) return second >= 0xa0 && second <= 0xbf;
  if (first === 0xed) return second >= 0x80 && second <= 0x9f;
  if (first === 0xf0) return second >= 0x90 && second <= 0xbf;
  if (first === 0xf4) return second >= 0x80 && second <= 0x8f;
  return second >= 0x80 && second <= 0xbf && first >= 0xc2 && first <= 0xf4;
}

function invalidBytes(bytes: Uint8Array): SqlError {
  const shown = [...bytes].map((byte) => `0x${byte.toString(16).padStart(2, "0")}`).join(" ");
  return new SqlError(
    sqlstate.characterNotInRepertoire,
    `invalid byte sequence for encoding "UTF8": ${shown}`,
    bytes.length === 1 && bytes[0] === 0
      ? { hint: "Text cannot contain the NUL character; use bytea for binary data, or remove it." }
      : {},
  );
}

/** Whether a string can be a PostgreSQL text: no NUL, no half of a surrogate pair. */
export function isStorableText(text: string): boolean {
  return !suspicious.test(text) || firstUnstorable(text) < 0;
}

/** The string itself. @throws SqlError 22021 when it has a NUL or half of a surrogate pair. */
export function checkText(text: string): string {
  if (!suspicious.test(text)) return text;
  const at = firstUnstorable(text);
  if (at < 0) return text;
  const unit = text.charCodeAt(at);
  throw invalidBytes(
    unit === 0
      ? Uint8Array.of(0)
      : Uint8Array.of(0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)),
  );
}

function firstUnstorable(text: string): number {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit === 0) return i;
    if (unit < 0xd800 || unit > 0xdfff) continue;
    if (!isPairAt(text, i)) return i;
    i++;
  }
  return -1;
}

/** At most `limit` bytes of UTF-8 from the start, never half a character: how PostgreSQL shortens names. */
export function clipUtf8(text: string, limit: number): string {
  if (text.length * 3 <= limit) return text;
  let bytes = 0;
  for (let i = 0; i < text.length; ) {
    const point = text.codePointAt(i) as number;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (bytes > limit) return text.slice(0, i);
    i += point < 0x10000 ? 1 : 2;
  }
  return text;
}
