/** Lengths, case, and single characters of strings. Source: PostgreSQL 15, 9.4 "String Functions and Operators". */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { initialCapitals, lowerText, upperText } from "../../types/letter-case.js";
import { trimBlanks } from "../../types/text.js";
import { characterCount, decodeUtf8, hasSurrogates, utf8Length } from "../../types/utf8.js";
import type { Operator, ScalarFunction } from "../function.js";
import { pure, pureOperator, stable } from "./define.js";
import { encodingNamed } from "./encodings.js";

const blankPaddedLength = (text: string): number => characterCount(trimBlanks(text));
const startsWith = (text: string, prefix: string): boolean => text.startsWith(prefix);

export const basicStrings: readonly ScalarFunction[] = [
  pure("lower", ["text"], "text", lowerText),
  pure("upper", ["text"], "text", upperText),
  pure("initcap", ["text"], "text", initialCapitals, "First letter of each word upper case, the rest lower case"),
  pure("length", ["text"], "int4", characterCount, "Number of characters"),
  pure("length", ["bpchar"], "int4", blankPaddedLength),
  pure("length", ["bytea"], "int4", (bytes: Uint8Array) => bytes.length),
  stable("length", ["bytea", "name"], "int4", lengthInEncoding),
  pure("char_length", ["text"], "int4", characterCount),
  pure("char_length", ["bpchar"], "int4", blankPaddedLength),
  pure("character_length", ["text"], "int4", characterCount),
  pure("character_length", ["bpchar"], "int4", blankPaddedLength),
  pure("textlen", ["text"], "int4", characterCount),
  pure("octet_length", ["text"], "int4", utf8Length, "Number of bytes"),
  pure("octet_length", ["bpchar"], "int4", utf8Length),
  pure("octet_length", ["bytea"], "int4", (bytes: Uint8Array) => bytes.length),
  pure("bit_length", ["text"], "int4", (text: string) => utf8Length(text) * 8),
  pure("bit_length", ["bytea"], "int4", (bytes: Uint8Array) => bytes.length * 8),
  pure("ascii", ["text"], "int4", (text: string) => text.codePointAt(0) ?? 0, "Code point of the first character"),
  pure("chr", ["int4"], "text", characterOf, "The character of a code point"),
  pure("reverse", ["text"], "text", reverse),
  pure("to_hex", ["int4"], "text", (n: number) => (n >>> 0).toString(16)),
  pure("to_hex", ["int8"], "text", (n: number | bigint) => BigInt.asUintN(64, BigInt(n)).toString(16)),
  pure("starts_with", ["text", "text"], "bool", startsWith),
  pure("to_ascii", ["text"], "text", refuseToAscii),
  pure("to_ascii", ["text", "name"], "text", refuseToAscii),
  pure("to_ascii", ["text", "int4"], "text", refuseToAscii),
];

export const basicStringOperators: readonly Operator[] = [pureOperator("text", "^@", "text", "bool", startsWith)];

function characterOf(code: number): string {
  if (code < 0) throw new SqlError(sqlstate.invalidParameterValue, "character number must be positive");
  if (code === 0) throw new SqlError(sqlstate.programLimitExceeded, "null character not permitted");
  if (code > 0x10ffff)
    throw new SqlError(sqlstate.programLimitExceeded, `requested character too large for encoding: ${code}`);
  if (code >= 0xd800 && code <= 0xdfff)
    throw new SqlError(sqlstate.programLimitExceeded, `requested character not valid for encoding: ${code}`);
  return String.fromCodePoint(code);
}

function reverse(text: string): string {
  if (hasSurrogates(text)) return [...text].reverse().join("");
  let result = "";
  for (let i = text.length - 1; i >= 0; i--) result += text[i];
  return result;
}

function lengthInEncoding(bytes: Uint8Array, encoding: string): number {
  const codec = encodingNamed(encoding);
  if (codec === undefined) throw new SqlError(sqlstate.invalidParameterValue, `invalid encoding name "${encoding}"`);
  return codec === "UTF8" ? characterCount(decodeUtf8(bytes)) : bytes.length;
}

function refuseToAscii(): never {
  throw new SqlError(sqlstate.featureNotSupported, "encoding conversion from UTF8 to ASCII not supported", {
    hint: "Remove accents with normalize(text, NFD) and regexp_replace(text, '[^[:ascii:]]', '', 'g') where that is enough.",
  });
}
