/**
 * The string types: text, varchar, character, name, "char", citext. Values are JavaScript strings without NUL and
 * without halves of surrogate pairs; the order is that of the C collation, by code point.
 */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import { lowerText } from "./letter-case.js";
import type { TypeOperations } from "./operations.js";
import { characterCount, checkText, clipUtf8, encodeUtf8, isStorableText, sliceCharacters } from "./utf8.js";

/** Longest name in bytes (NAMEDATALEN - 1). */
export const maxNameBytes = 63;

/**
 * Order by code point. JavaScript compares UTF-16 units, which puts characters beyond U+FFFF (units d800–dfff) before
 * U+E000–U+FFFF; only where both units are that high has the result to be corrected.
 */
export function compareText(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return x >= 0xd800 && y >= 0xd800 ? codePointRank(x) - codePointRank(y) : x - y;
  }
  return a.length - b.length;
}

/** Moves surrogates behind the rest of the basic plane. */
function codePointRank(unit: number): number {
  return unit >= 0xe000 ? unit - 0x800 : unit + 0x2000;
}

/** A value from a resource as text: strings, and the scalars whose text form is beyond doubt. */
function textFromHost(value: unknown): string | undefined {
  switch (typeof value) {
    case "string":
      return isStorableText(value) ? value : undefined;
    case "number":
    case "bigint":
    case "boolean":
      return String(value);
    default:
      return value instanceof Date && !Number.isNaN(value.getTime()) ? value.toISOString() : undefined;
  }
}

export const textOperations: TypeOperations = {
  input: (text) => checkText(text),
  output: (value) => value as string,
  compare: (a, b) => compareText(a as string, b as string),
  fromHost: (value) => textFromHost(value),
  toHost: (value) => value,
};

export const varcharOperations: TypeOperations = {
  ...textOperations,
  input: (text, typmod) => coerceVarchar(checkText(text), typmod, false),
  fromHost(value, typmod) {
    const text = textFromHost(value);
    return text === undefined || !fits(text, typmod) ? undefined : coerceVarchar(text, typmod, false);
  },
};

export const bpcharOperations: TypeOperations = {
  ...textOperations,
  input: (text, typmod) => coerceBpchar(checkText(text), typmod, false),
  compare: (a, b) => compareText(trimBlanks(a as string), trimBlanks(b as string)),
  key: (value) => trimBlanks(value as string),
  fromHost(value, typmod) {
    const text = textFromHost(value);
    return text === undefined || !fits(text, typmod) ? undefined : coerceBpchar(text, typmod, false);
  },
};

export const nameOperations: TypeOperations = {
  ...textOperations,
  input: (text) => clipUtf8(checkText(text), maxNameBytes),
  fromHost(value) {
    const text = textFromHost(value);
    return text === undefined ? undefined : clipUtf8(text, maxNameBytes);
  },
};

export const citextOperations: TypeOperations = {
  ...textOperations,
  compare: (a, b) => compareText(lowerText(a as string), lowerText(b as string)),
  key: (value) => lowerText(value as string),
};

/** `"char"` is one byte, held as a string of one unit up to U+00FF, or the empty string for byte 0. */
export const charOperations: TypeOperations = {
  input: (text) => charFromText(checkText(text)),
  output: (value) => charToText(value as string),
  compare: (a, b) => charCode(a as string) - charCode(b as string),
  fromHost: (value) => (typeof value === "string" && isStorableText(value) ? charFromText(value) : undefined),
  toHost: (value) => charToText(value as string),
};

function charCode(value: string): number {
  return value === "" ? 0 : value.charCodeAt(0);
}

/** `"char"` of a text: its first byte, or the byte that `\ooo` names. */
export function charFromText(text: string): string {
  if (text.length === 4 && text[0] === "\\" && isOctal(text[1], 3) && isOctal(text[2], 7) && isOctal(text[3], 7)) {
    const code = Number.parseInt(text.slice(1), 8);
    return code === 0 ? "" : String.fromCharCode(code);
  }
  if (text === "") return "";
  return String.fromCharCode(encodeUtf8(text.slice(0, 2))[0]);
}

function isOctal(digit: string, largest: number): boolean {
  return digit >= "0" && digit <= String(largest);
}

/** Text of a `"char"`: bytes above 127 are written `\ooo`. */
export function charToText(value: string): string {
  const code = charCode(value);
  return code < 0x80 ? value : `\\${code.toString(8).padStart(3, "0")}`;
}

/** Without trailing blanks: what counts of a `character(n)`. */
export function trimBlanks(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0x20) end--;
  return end === text.length ? text : text.slice(0, end);
}

function fits(text: string, typmod: number): boolean {
  return typmod < 4 || text.length <= typmod - 4 || characterCount(trimBlanks(text)) <= typmod - 4;
}

/**
 * A string at the length of `varchar(n)`; `typmod` is n + 4, or negative for no limit. Blanks beyond the length are dropped.
 * @throws SqlError 22001 when it is longer, unless the cast is `explicit`, which cuts.
 */
export function coerceVarchar(value: string, typmod: number, explicit: boolean): string {
  const limit = typmod - 4;
  if (typmod < 4 || value.length <= limit || characterCount(value) <= limit) return value;
  if (!explicit && characterCount(trimBlanks(value)) > limit) throw valueTooLong("character varying", limit);
  return sliceCharacters(value, 0, limit);
}

/** A string at the length of `character(n)`: padded with blanks; see {@link coerceVarchar} for what is too long. */
export function coerceBpchar(value: string, typmod: number, explicit: boolean): string {
  const limit = typmod - 4;
  if (typmod < 4) return value;
  const count = characterCount(value);
  if (count < limit) return value + " ".repeat(limit - count);
  if (count === limit) return value;
  if (!explicit && characterCount(trimBlanks(value)) > limit) throw valueTooLong("character", limit);
  return sliceCharacters(value, 0, limit);
}

function valueTooLong(type: string, limit: number): SqlError {
  return new SqlError(sqlstate.stringDataRightTruncation, `value too long for type ${type}(${limit})`, {
    hint: `Shorten the value to ${limit} characters, or cut it on purpose with left(value, ${limit}).`,
  });
}
