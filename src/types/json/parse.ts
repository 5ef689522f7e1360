/**
 * Reads JSON text as PostgreSQL's own parser does, with the same errors (22P02 with the token that is wrong, and the
 * place as a hint). What is built is left to a {@link JsonBuilder}: values for jsonb, spans of the text for json.
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { spendWork } from "../work.js";

/** Receives the pieces of a text from the inside out. `start` and `end` delimit a piece in the text. */
export interface JsonBuilder<T> {
  /** `value` has its escapes resolved, unless the builder leaves them (`decode` false): then it is empty. */
  string(value: string, start: number, end: number): T;
  number(text: string, start: number, end: number): T;
  literal(value: boolean | null, start: number, end: number): T;
  array(items: T[], start: number, end: number): T;
  object(keys: string[], values: T[], start: number, end: number): T;
  /** Whether escapes are resolved and checked (jsonb), or only their form (json on input). */
  readonly decode: boolean;
}

/** Deepest nesting: safe on the default stack of JavaScript engines. PostgreSQL stops where its own ends, at some thousands. */
const maxDepth = 1000;

/** What a value costs, in units of work. */
const unitsOfValue = 8;

/** Parses a whole text. @throws SqlError 22P02, 22P05 (`\u0000`), 54001 */
export function parseJson<T>(text: string, builder: JsonBuilder<T>): T {
  return new JsonParser(text, builder).parse();
}

class JsonParser<T> {
  private position = 0;
  private depth = 0;

  constructor(
    private readonly text: string,
    private readonly builder: JsonBuilder<T>,
  ) {}

  parse(): T {
    this.skipSpace();
    const value = this.value("Expected JSON value");
    this.skipSpace();
    if (this.position < this.text.length) this.unexpected("Expected end of input");
    return value;
  }

  /** A value at the current position, which is not white space. */
  private value(expectation: string): T {
    const { text, builder } = this;
    const start = this.position;
    spendWork(unitsOfValue);
    switch (text.charCodeAt(start)) {
      case 0x22: {
        const value = this.stringToken();
        return builder.string(value, start, this.position);
      }
      case 0x7b:
        return this.object();
      case 0x5b:
        return this.array();
      case 0x74:
      case 0x66:
      case 0x6e: {
        const end = this.wordEnd(start);
        const word = text.slice(start, end);
        if (word !== "true" && word !== "false" && word !== "null") this.invalidToken(start, end);
        this.position = end;
        return builder.literal(word === "null" ? null : word === "true", start, end);
      }
      default: {
        const code = text.charCodeAt(start);
        if (code === 0x2d || isDigit(code)) {
          const end = this.numberEnd(start);
          this.position = end;
          return builder.number(text.slice(start, end), start, end);
        }
        return this.unexpected(expectation);
      }
    }
  }

  private array(): T {
    const start = this.position++;
    this.enter();
    const items: T[] = [];
    this.skipSpace();
    if (this.text.charCodeAt(this.position) === 0x5d) this.position++;
    else {
      for (;;) {
        items.push(this.value("Expected JSON value"));
        this.skipSpace();
        const code = this.text.charCodeAt(this.position);
        if (code === 0x5d) break;
        if (code !== 0x2c) this.unexpected('Expected "," or "]"');
        this.position++;
        this.skipSpace();
      }
      this.position++;
    }
    this.depth--;
    return this.builder.array(items, start, this.position);
  }

  private object(): T {
    const start = this.position++;
    this.enter();
    const keys: string[] = [];
    const values: T[] = [];
    this.skipSpace();
    if (this.text.charCodeAt(this.position) === 0x7d) this.position++;
    else {
      let expectation = 'Expected string or "}"';
      for (;;) {
        if (this.text.charCodeAt(this.position) !== 0x22) this.unexpected(expectation);
        keys.push(this.stringToken());
        this.skipSpace();
        if (this.text.charCodeAt(this.position) !== 0x3a) this.unexpected('Expected ":"');
        this.position++;
        this.skipSpace();
        values.push(this.value("Expected JSON value"));
        this.skipSpace();
        const code = this.text.charCodeAt(this.position);
        if (code === 0x7d) break;
        if (code !== 0x2c) this.unexpected('Expected "," or "}"');
        this.position++;
        this.skipSpace();
        expectation = "Expected string";
      }
      this.position++;
    }
    this.depth--;
    return this.builder.object(keys, values, start, this.position);
  }

  private enter(): void {
    if (++this.depth > maxDepth) throw tooDeep();
  }

  private skipSpace(): void {
    const { text } = this;
    for (;;) {
      const code = text.charCodeAt(this.position);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.position++;
    }
  }

  /** Reads a string token from its opening quote to behind its closing one. */
  private stringToken(): string {
    const { text } = this;
    const start = this.position;
    let from = start + 1;
    let result = "";
    let at = from;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === 0x22) break;
      if (Number.isNaN(code)) {
        this.position = text.length;
        this.fail(`Token "${text.slice(start)}" is invalid.`, text.length);
      }
      if (code < 0x20) {
        const shown = code.toString(16).padStart(2, "0");
        this.fail(`Character with value 0x${shown} must be escaped.`, at);
      }
      if (code !== 0x5c) {
        at++;
        continue;
      }
      result += text.slice(from, at);
      const escaped = text.charCodeAt(at + 1);
      if (Number.isNaN(escaped)) this.fail(`Token "${text.slice(start)}" is invalid.`, text.length);
      if (escaped === 0x75) {
        result += this.unicodeEscape(start, at);
        at = this.position;
      } else {
        const resolved = simpleEscapes.get(escaped);
        if (resolved === undefined) {
          const end = at + 1 + characterLength(text, at + 1);
          this.fail(`Escape sequence "\\${text.slice(at + 1, end)}" is invalid.`, end);
        }
        result += resolved;
        at += 2;
      }
      from = at;
    }
    this.position = at + 1;
    return from === start + 1 ? text.slice(from, at) : result + text.slice(from, at);
  }

  /** A `\uXXXX` at `at`, with the low surrogate behind it; leaves `position` behind them. */
  private unicodeEscape(start: number, at: number): string {
    const unit = this.hexUnit(start, at + 2);
    this.position = at + 6;
    if (!this.builder.decode) return String.fromCharCode(unit);
    if (unit === 0) {
      throw new SqlError(sqlstate.untranslatableCharacter, "unsupported Unicode escape sequence", {
        detail: "\\u0000 cannot be converted to text.",
        hint: this.place(this.position),
      });
    }
    if (unit >= 0xdc00 && unit <= 0xdfff)
      this.fail("Unicode low surrogate must follow a high surrogate.", this.position);
    if (unit < 0xd800 || unit > 0xdbff) return String.fromCharCode(unit);
    const next = this.position;
    if (this.text.charCodeAt(next) !== 0x5c || this.text.charCodeAt(next + 1) !== 0x75)
      this.fail("Unicode low surrogate must follow a high surrogate.", next + characterLength(this.text, next));
    const low = this.hexUnit(start, next + 2);
    this.position = next + 6;
    if (low >= 0xd800 && low <= 0xdbff)
      this.fail("Unicode high surrogate must not follow a high surrogate.", this.position);
    if (low < 0xdc00 || low > 0xdfff) this.fail("Unicode low surrogate must follow a high surrogate.", this.position);
    return String.fromCharCode(unit, low);
  }

  private hexUnit(start: number, at: number): number {
    let unit = 0;
    for (let i = at; i < at + 4; i++) {
      if (i >= this.text.length) this.fail(`Token "${this.text.slice(start)}" is invalid.`, this.text.length);
      const digit = hexDigit(this.text.charCodeAt(i));
      if (digit < 0) this.fail('"\\u" must be followed by four hexadecimal digits.', i + characterLength(this.text, i));
      unit = unit * 16 + digit;
    }
    return unit;
  }

  /** Behind the number at `start`; the token in an error reaches over all word characters that follow. */
  private numberEnd(start: number): number {
    const { text } = this;
    let at = start;
    let valid = true;
    if (text.charCodeAt(at) === 0x2d) at++;
    if (text.charCodeAt(at) === 0x30) at++;
    else if (isDigit(text.charCodeAt(at))) at = digitsEnd(text, at);
    else valid = false;
    if (text.charCodeAt(at) === 0x2e) {
      at++;
      if (isDigit(text.charCodeAt(at))) at = digitsEnd(text, at);
      else valid = false;
    }
    if (text.charCodeAt(at) === 0x65 || text.charCodeAt(at) === 0x45) {
      at++;
      if (text.charCodeAt(at) === 0x2b || text.charCodeAt(at) === 0x2d) at++;
      if (isDigit(text.charCodeAt(at))) at = digitsEnd(text, at);
      else valid = false;
    }
    const wordEnd = this.wordEnd(at);
    if (!valid || wordEnd > at) this.invalidToken(start, wordEnd);
    return at;
  }

  private wordEnd(start: number): number {
    let at = start;
    while (isWordCharacter(this.text.charCodeAt(at))) at++;
    return at;
  }

  /** The token at the current position is not what may stand here: says so, naming it. */
  private unexpected(expectation: string): never {
    const { text } = this;
    const start = this.position;
    if (start >= text.length) this.fail("The input string ended unexpectedly.", start);
    const code = text.charCodeAt(start);
    let end = start + 1;
    if (code === 0x22) {
      this.stringToken();
      end = this.position;
    } else if (code === 0x2d || isDigit(code)) end = this.numberEnd(start);
    else if (!structural.has(code)) {
      end = this.wordEnd(start);
      if (end === start) end = start + characterLength(text, start);
      const word = text.slice(start, end);
      if (word !== "true" && word !== "false" && word !== "null") this.invalidToken(start, end);
    }
    return this.fail(`${expectation}, but found "${text.slice(start, end)}".`, end);
  }

  private invalidToken(start: number, end: number): never {
    return this.fail(`Token "${this.text.slice(start, end)}" is invalid.`, end);
  }

  private fail(detail: string, end: number): never {
    throw new SqlError(sqlstate.invalidTextRepresentation, "invalid input syntax for type json", {
      detail,
      hint: this.place(end),
    });
  }

  /** The line and an excerpt up to `end`: PostgreSQL's CONTEXT line. */
  private place(end: number): string {
    const { text } = this;
    const before = text.slice(0, end);
    const lineStart = before.lastIndexOf("\n") + 1;
    const line = before.split("\n").length;
    let from = lineStart;
    if (end - from >= 50) from = end - 49;
    if (from - lineStart <= 3) from = lineStart;
    const more = end < text.length && text[end] !== "\n" && text[end] !== "\r";
    return `JSON data, line ${line}: ${from > lineStart ? "..." : ""}${text.slice(from, end)}${more ? "..." : ""}`;
  }
}

/** The nesting of a JSON value went over what the program's stack takes. */
function tooDeep(): SqlError {
  return new SqlError(sqlstate.statementTooComplex, "stack depth limit exceeded", {
    hint: `JSON values may be nested ${maxDepth} levels deep.`,
  });
}

/** Throws when `depth` is over the limit for nested values. */
export function checkDepth(depth: number): void {
  if (depth > maxDepth) throw tooDeep();
}

const simpleEscapes = new Map<number, string>([
  [0x22, '"'],
  [0x5c, "\\"],
  [0x2f, "/"],
  [0x62, "\b"],
  [0x66, "\f"],
  [0x6e, "\n"],
  [0x72, "\r"],
  [0x74, "\t"],
]);

/** `{ } [ ] , :` */
const structural = new Set([0x7b, 0x7d, 0x5b, 0x5d, 0x2c, 0x3a]);

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function digitsEnd(text: string, start: number): number {
  let at = start;
  while (isDigit(text.charCodeAt(at))) at++;
  return at;
}

function isWordCharacter(code: number): boolean {
  return (
    isDigit(code) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || code === 0x5f || code >= 0x80
  );
}

function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  if (code >= 0x41 && code <= 0x46) return code - 0x37;
  if (code >= 0x61 && code <= 0x66) return code - 0x57;
  return -1;
}

function characterLength(text: string, at: number): number {
  const code = text.codePointAt(at);
  return code === undefined ? 0 : code > 0xffff ? 2 : 1;
}
