/** encode and decode: bytes as hex, base64 or escape text. Source: PostgreSQL 15, 9.5. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { decodeEscape, decodeHex, encodeHex } from "../../types/bytea.js";
import type { ScalarFunction } from "../function.js";
import { pure } from "./define.js";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const lineLength = 76; // as in MIME

function encodeBase64(bytes: Uint8Array): string {
  let text = "";
  let line = 0;
  for (let i = 0; i < bytes.length; i += 3) {
    if (line === lineLength) {
      text += "\n";
      line = 0;
    }
    const word = (bytes[i] << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    text += alphabet[word >> 18] + alphabet[(word >> 12) & 63];
    text += i + 1 < bytes.length ? alphabet[(word >> 6) & 63] : "=";
    text += i + 2 < bytes.length ? alphabet[word & 63] : "=";
    line += 4;
  }
  return text;
}

function decodeBase64(text: string): Uint8Array {
  const bytes: number[] = [];
  let word = 0;
  let place = 0; // characters of the group of four so far
  let padding = 0;
  for (const character of text) {
    if (character === " " || character === "\t" || character === "\n" || character === "\r") continue;
    if (character === "=") {
      // one or two may end the text, where the third and fourth character would be
      if (padding === 0) {
        if (place < 2)
          throw new SqlError(sqlstate.invalidParameterValue, 'unexpected "=" while decoding base64 sequence');
        padding = place === 2 ? 1 : 2;
      }
      word <<= 6;
    } else {
      const value = alphabet.indexOf(character);
      if (value < 0)
        throw new SqlError(
          sqlstate.invalidParameterValue,
          `invalid symbol "${character}" found while decoding base64 sequence`,
        );
      word = (word << 6) | value;
    }
    if (++place < 4) continue;
    bytes.push((word >> 16) & 0xff);
    if (padding === 0 || padding > 1) bytes.push((word >> 8) & 0xff);
    if (padding === 0 || padding > 2) bytes.push(word & 0xff);
    word = 0;
    place = 0;
  }
  if (place !== 0)
    throw new SqlError(sqlstate.invalidParameterValue, "invalid base64 end sequence", {
      hint: "Input data is missing padding, is truncated, or is otherwise corrupted.",
    });
  return Uint8Array.from(bytes);
}

function encodeEscape(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) {
    if (byte === 0 || byte >= 0x80) text += `\\${byte.toString(8).padStart(3, "0")}`;
    else text += byte === 0x5c ? "\\\\" : String.fromCharCode(byte);
  }
  return text;
}

function unknownFormat(format: string): SqlError {
  return new SqlError(sqlstate.invalidParameterValue, `unrecognized encoding: "${format}"`, {
    hint: "The formats are base64, escape and hex.",
  });
}

function encode(bytes: Uint8Array, format: string): string {
  switch (format.toLowerCase()) {
    case "hex":
      return encodeHex(bytes);
    case "base64":
      return encodeBase64(bytes);
    case "escape":
      return encodeEscape(bytes);
    default:
      throw unknownFormat(format);
  }
}

function decode(text: string, format: string): Uint8Array {
  switch (format.toLowerCase()) {
    case "hex":
      return decodeHex(text);
    case "base64":
      return decodeBase64(text);
    case "escape":
      return decodeEscape(text);
    default:
      throw unknownFormat(format);
  }
}

export const transferEncodings: readonly ScalarFunction[] = [
  pure("encode", ["bytea", "text"], "text", encode, "Bytes as text: hex, base64 or escape"),
  pure("decode", ["text", "text"], "bytea", decode, "The bytes of hex, base64 or escape text"),
];
