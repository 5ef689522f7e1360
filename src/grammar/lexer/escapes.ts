/** Decodes the escapes of E'' and U&'' strings and U&"" names. Source: PostgreSQL 15, 4.1.2 "Constants". */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { hexValue, isSpace } from "./characters.js";

const decoder = new TextDecoder("utf-8", { fatal: true });

/** The error of bytes that are no UTF-8 text. */
export function invalidBytes(bytes: readonly number[], position?: number): SqlError {
  const shown = bytes.map((byte) => `0x${byte.toString(16).padStart(2, "0")}`).join(" ");
  return new SqlError(sqlstate.characterNotInRepertoire, `invalid byte sequence for encoding "UTF8": ${shown}`, {
    position,
  });
}

const simpleEscapes: ReadonlyMap<string, string> = new Map([
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

/** Collects characters and raw bytes; bytes written one by one (`\xc3\xa9`) have to make whole UTF-8 characters. */
class TextBuilder {
  private text = "";
  private bytes: number[] = [];
  private highSurrogate = 0;

  constructor(private readonly position: number) {}

  add(piece: string): void {
    this.flush();
    this.text += piece;
  }

  addByte(byte: number): void {
    if (byte === 0) throw invalidBytes([0], this.position);
    if (byte < 128) this.add(String.fromCharCode(byte));
    else this.bytes.push(byte);
  }

  /** Adds a code point written as an escape; surrogates have to come in pairs. `where` is the escape, for errors. */
  addCodePoint(code: number, invalid: (message: string) => SqlError): void {
    const isLow = code >= 0xdc00 && code <= 0xdfff;
    if (this.highSurrogate !== 0) {
      if (!isLow) throw invalid("invalid Unicode surrogate pair");
      const high = this.highSurrogate;
      this.highSurrogate = 0;
      this.add(String.fromCharCode(high, code));
    } else if (isLow) {
      throw invalid("invalid Unicode surrogate pair");
    } else if (code >= 0xd800 && code <= 0xdbff) {
      this.highSurrogate = code;
    } else if (code === 0 || code > 0x10ffff) {
      throw invalid("invalid Unicode escape value");
    } else {
      this.add(String.fromCodePoint(code));
    }
  }

  /** True while the second half of a surrogate pair is awaited. */
  get isInPair(): boolean {
    return this.highSurrogate !== 0;
  }

  finish(): string {
    this.flush();
    return this.text;
  }

  private flush(): void {
    if (this.bytes.length === 0) return;
    const bytes = this.bytes;
    this.bytes = [];
    try {
      this.text += decoder.decode(Uint8Array.from(bytes));
    } catch (error) {
      if (error instanceof TypeError) throw invalidBytes(bytes, this.position);
      throw error;
    }
  }
}

/** Reads up to `count` hexadecimal digits; gives their value and how many there were. */
function readHex(raw: string, offset: number, count: number): { value: number; length: number } {
  let value = 0;
  let length = 0;
  while (length < count && offset + length < raw.length) {
    const digit = hexValue(raw.charCodeAt(offset + length));
    if (digit < 0) break;
    value = value * 16 + digit;
    length++;
  }
  return { value, length };
}

/**
 * The value of an E'' string from what stands between its quotes. Doubled quotes have been made single already.
 * @param offset where `raw` begins in the SQL text, for positions
 */
export function decodeEscapeString(raw: string, offset: number): string {
  if (!raw.includes("\\")) return raw;
  const builder = new TextBuilder(offset + 1);
  let i = 0;
  while (i < raw.length) {
    const backslash = raw.indexOf("\\", i);
    const at = backslash === -1 ? raw.length : backslash;
    if (at > i || backslash === -1) {
      if (builder.isInPair) throw syntax("invalid Unicode surrogate pair", offset + i);
      if (at > i) builder.add(raw.slice(i, at));
    }
    if (backslash === -1) break;
    i = decodeOne(raw, backslash, offset, builder);
  }
  if (builder.isInPair) throw syntax("invalid Unicode surrogate pair", offset + raw.length);
  return builder.finish();
}

function decodeOne(raw: string, backslash: number, offset: number, builder: TextBuilder): number {
  const letter = raw[backslash + 1] ?? "";
  if (letter === "u" || letter === "U") {
    const width = letter === "u" ? 4 : 8;
    const { value, length } = readHex(raw, backslash + 2, width);
    if (length !== width) {
      throw new SqlError(sqlstate.invalidEscapeSequence, "invalid Unicode escape", {
        position: offset + backslash + 1,
        hint: "Unicode escapes must be \\uXXXX or \\UXXXXXXXX.",
      });
    }
    const written = raw.slice(backslash, backslash + 2 + width);
    builder.addCodePoint(value, (message) => syntax(`${message} at or near "${written}"`, offset + backslash));
    return backslash + 2 + width;
  }
  if (builder.isInPair) throw syntax("invalid Unicode surrogate pair", offset + backslash);
  if (letter >= "0" && letter <= "7") {
    let end = backslash + 1;
    let value = 0;
    while (end < backslash + 4 && raw[end] >= "0" && raw[end] <= "7") value = value * 8 + Number(raw[end++]);
    builder.addByte(value & 255);
    return end;
  }
  if (letter === "x") {
    const { value, length } = readHex(raw, backslash + 2, 2);
    if (length > 0) {
      builder.addByte(value);
      return backslash + 2 + length;
    }
  }
  const character = letter === "" ? "" : String.fromCodePoint(raw.codePointAt(backslash + 1) ?? 0);
  builder.add(simpleEscapes.get(character) ?? character);
  return backslash + 1 + character.length;
}

/** The value of a U&'' string or U&"" name whose escape character is `sign`. */
export function decodeUnicodeString(raw: string, sign: string, offset: number): string {
  const builder = new TextBuilder(offset + 1);
  let i = 0;
  while (i < raw.length) {
    const at = raw.indexOf(sign, i);
    const end = at === -1 ? raw.length : at;
    if (end > i) {
      if (builder.isInPair) throw syntax("invalid Unicode surrogate pair", offset + i);
      builder.add(raw.slice(i, end));
    }
    if (at === -1) break;
    if (raw[at + 1] === sign) {
      if (builder.isInPair) throw syntax("invalid Unicode surrogate pair", offset + at);
      builder.add(sign);
      i = at + 2;
      continue;
    }
    const long = raw[at + 1] === "+";
    const first = at + (long ? 2 : 1);
    const width = long ? 6 : 4;
    const { value, length } = readHex(raw, first, width);
    if (length !== width) {
      throw new SqlError(sqlstate.syntaxError, "invalid Unicode escape", {
        position: offset + at + 1,
        hint: "Unicode escapes must be \\XXXX or \\+XXXXXX.",
      });
    }
    builder.addCodePoint(value, (message) => syntax(message, offset + at));
    i = first + width;
  }
  if (builder.isInPair) throw syntax("invalid Unicode surrogate pair", offset + raw.length);
  return builder.finish();
}

/** Whether a UESCAPE string names a usable escape character. */
export function isEscapeCharacter(text: string): boolean {
  if (text.length !== 1) return false;
  const code = text.charCodeAt(0);
  return hexValue(code) < 0 && text !== "+" && text !== "'" && text !== '"' && !isSpace(code);
}

function syntax(message: string, offset: number): SqlError {
  return new SqlError(sqlstate.syntaxError, message, { position: offset + 1 });
}
