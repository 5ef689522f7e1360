/** unistr, normalize, IS NORMALIZED. Source: PostgreSQL 15, 9.4. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { hexValue } from "../../types/bytea.js";
import type { ScalarFunction } from "../function.js";

const forms = new Set(["NFC", "NFD", "NFKC", "NFKD"]);

function normalizationForm(form: string): string {
  const name = form.toUpperCase();
  if (!forms.has(name))
    throw new SqlError(sqlstate.invalidParameterValue, `invalid normalization form: ${form}`, {
      hint: "The forms are NFC, NFD, NFKC and NFKD.",
    });
  return name;
}

function invalidEscape(): SqlError {
  return new SqlError(sqlstate.syntaxError, "invalid Unicode escape", {
    hint: "Unicode escapes must be \\XXXX, \\+XXXXXX, \\uXXXX, or \\UXXXXXXXX.",
  });
}

function invalidPair(): SqlError {
  return new SqlError(sqlstate.syntaxError, "invalid Unicode surrogate pair");
}

/** The text with its Unicode escapes replaced by the characters. */
function unescapeUnicode(text: string): string {
  let result = "";
  let high = 0; // first half of a surrogate pair that waits for its second
  for (let at = 0; at < text.length; ) {
    if (text[at] !== "\\" || text[at + 1] === "\\") {
      if (high !== 0) throw invalidPair();
      result += text[at];
      at += text[at] === "\\" ? 2 : 1;
      continue;
    }
    const [skip, digits] = escapeShape(text, at);
    const code = Number.parseInt(text.slice(at + skip, at + skip + digits), 16);
    if (code === 0 || code > 0x10ffff)
      throw new SqlError(
        sqlstate.invalidParameterValue,
        `invalid Unicode code point: ${code.toString(16).toUpperCase().padStart(4, "0")}`,
      );
    const isHigh = code >= 0xd800 && code <= 0xdbff;
    const isLow = code >= 0xdc00 && code <= 0xdfff;
    if (isLow !== (high !== 0)) throw invalidPair();
    if (isHigh) high = code;
    else {
      result += high === 0 ? String.fromCodePoint(code) : String.fromCharCode(high, code);
      high = 0;
    }
    at += skip + digits;
  }
  if (high !== 0) throw invalidPair();
  return result;
}

/** How many characters introduce the escape at a backslash, and how many hexadecimal digits follow. */
function escapeShape(text: string, at: number): [number, number] {
  const shapes: [string, number][] = [
    ["", 4],
    ["u", 4],
    ["+", 6],
    ["U", 8],
  ];
  for (const [mark, digits] of shapes)
    if (text.startsWith(mark, at + 1) && allHex(text, at + 1 + mark.length, digits)) return [1 + mark.length, digits];
  throw invalidEscape();
}

function allHex(text: string, from: number, count: number): boolean {
  for (let i = from; i < from + count; i++) if (hexValue(text.charCodeAt(i)) < 0) return false;
  return true;
}

export const unicodeFunctions: readonly ScalarFunction[] = [
  {
    kind: "scalar",
    name: "unistr",
    args: ["text"],
    returns: "text",
    volatility: "immutable",
    strict: true,
    description: "Replaces \\XXXX and the other Unicode escapes by their characters",
    call: unescapeUnicode,
  },
  {
    kind: "scalar",
    name: "normalize",
    args: ["text", "text"],
    defaults: ["NFC"],
    returns: "text",
    volatility: "immutable",
    strict: true,
    call: (text: string, form: string) => text.normalize(normalizationForm(form)),
  },
  {
    kind: "scalar",
    name: "is_normalized",
    args: ["text", "text"],
    defaults: ["NFC"],
    returns: "bool",
    volatility: "immutable",
    strict: true,
    call: (text: string, form: string) => text.normalize(normalizationForm(form)) === text,
  },
];
