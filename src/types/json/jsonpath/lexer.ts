/** Splits a path into tokens, with the errors of PostgreSQL's own scanner (42601, naming the place). */
import { SqlError } from "../../../errors/sql-error.js";
import { sqlstate } from "../../../errors/sqlstate.js";

/** One token of a path. */
export interface PathToken {
  /** `symbol`: an operator or punctuation; `name`: a word without quotes; `end`. */
  readonly kind: "symbol" | "name" | "string" | "variable" | "number" | "end";
  /** Decoded text. */
  readonly text: string;
  /** As written, for errors. */
  readonly source: string;
}

const symbols = ["&&", "||", "!=", "<>", "==", "<=", ">=", "**", ..."!<>+-*/%.,()[]{}?@$"];
const special = new Set('?%$.[]{}()|&!=<>@#,*:-+/\\" \t\n\r\f');
const blanks = " \t\n\r\f";

/** 42601 at a place of a path. */
export function pathSyntaxError(message: string, near: string): SqlError {
  const place = near === "" ? "at end of jsonpath input" : `at or near "${near}" of jsonpath input`;
  return new SqlError(sqlstate.syntaxError, `${message} ${place}`, {
    hint: "A path looks like '$.items[*] ? (@.price > 10).name'.",
  });
}

/** The tokens of a path, the last one of kind `end`. @throws SqlError 42601 */
export function lexPath(text: string): PathToken[] {
  const tokens: PathToken[] = [];
  let at = 0;
  for (;;) {
    at = skipBlanks(text, at);
    if (at >= text.length) break;
    const start = at;
    const character = text[at];
    let token: { kind: PathToken["kind"]; text: string; end: number };
    if (character === '"') token = quoted(text, at, "string");
    else if (character === "$" && text[at + 1] === '"') token = quoted(text, at + 1, "variable");
    else if (character === "$" && at + 1 < text.length && isNameCharacter(text[at + 1])) {
      token = name(text, at + 1, "variable");
    } else if (isDigit(character) || (character === "." && isDigit(text[at + 1]))) token = number(text, at);
    else if (character === "\\" || !special.has(character)) token = name(text, at, "name");
    else {
      const symbol = symbols.find((candidate) => text.startsWith(candidate, at));
      if (symbol === undefined) throw pathSyntaxError("syntax error", character);
      token = { kind: "symbol", text: symbol === "<>" ? "!=" : symbol, end: at + symbol.length };
    }
    tokens.push({ kind: token.kind, text: token.text, source: text.slice(start, token.end) });
    at = token.end;
  }
  tokens.push({ kind: "end", text: "", source: "" });
  return tokens;
}

function skipBlanks(text: string, start: number): number {
  let at = start;
  for (;;) {
    while (at < text.length && blanks.includes(text[at])) at++;
    if (!text.startsWith("/*", at)) return at;
    const end = text.indexOf("*/", at + 2);
    if (end < 0) throw pathSyntaxError("unexpected end of comment", "");
    at = end + 2;
  }
}

function isNameCharacter(character: string): boolean {
  return character === "\\" || !special.has(character);
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= "0" && character <= "9";
}

function number(text: string, start: number): { kind: "number"; text: string; end: number } {
  let at = start;
  const digits = (): void => {
    while (isDigit(text[at])) at++;
  };
  if (text[at] === "0") at++;
  else digits();
  if (text[at] === ".") {
    at++;
    digits();
  }
  if (text[at] === "e" || text[at] === "E") {
    let exponent = at + 1;
    if (text[exponent] === "+" || text[exponent] === "-") exponent++;
    if (isDigit(text[exponent])) {
      at = exponent;
      digits();
    } else if (exponent > at + 1) throw pathSyntaxError("invalid numeric literal", text.slice(start, exponent));
  }
  if (at < text.length && (isNameCharacter(text[at]) || isDigit(text[at])))
    throw pathSyntaxError("trailing junk after numeric literal", text.slice(start, at + 1));
  return { kind: "number", text: text.slice(start, at), end: at };
}

function name<K extends PathToken["kind"]>(
  text: string,
  start: number,
  kind: K,
): { kind: K; text: string; end: number } {
  let at = start;
  let result = "";
  while (at < text.length && isNameCharacter(text[at])) {
    if (text[at] === "\\") {
      const escaped = unescaped(text, at);
      result += escaped.text;
      at = escaped.end;
    } else result += text[at++];
  }
  return { kind, text: result, end: at };
}

function quoted<K extends PathToken["kind"]>(
  text: string,
  start: number,
  kind: K,
): { kind: K; text: string; end: number } {
  let at = start + 1;
  let result = "";
  for (;;) {
    const character = text[at];
    if (character === undefined) throw pathSyntaxError("unexpected end of quoted string", "");
    if (character === '"') return { kind, text: result, end: at + 1 };
    if (character === "\\") {
      const escaped = unescaped(text, at);
      result += escaped.text;
      at = escaped.end;
    } else {
      result += character;
      at++;
    }
  }
}

const letters = new Map(Object.entries({ b: "\b", f: "\f", n: "\n", r: "\r", t: "\t", v: "\v" }));

/** The escape at a backslash: one letter, `\xHH`, `\uXXXX` (surrogate pairs too), `\u{…}`; any other character stands for itself. */
function unescaped(text: string, at: number): { text: string; end: number } {
  const code = text[at + 1];
  if (code === undefined) throw pathSyntaxError("unexpected end after backslash", "");
  if (code === "x") {
    const digits = hexDigits(text, at + 2, 2);
    if (digits.length < 2) throw pathSyntaxError("invalid hex character sequence", text.slice(at, at + 2));
    return { text: String.fromCodePoint(checkedCode(Number.parseInt(digits, 16))), end: at + 4 };
  }
  if (code === "u") {
    let end = at;
    let result = "";
    while (text.startsWith("\\u", end)) {
      const unit = unicodeUnit(text, end);
      result += unit.code > 0xffff ? String.fromCodePoint(unit.code) : String.fromCharCode(unit.code);
      end = unit.end;
    }
    checkSurrogates(result);
    return { text: result, end };
  }
  const length = (text.codePointAt(at + 1) as number) > 0xffff ? 2 : 1;
  return { text: letters.get(code) ?? text.slice(at + 1, at + 1 + length), end: at + 1 + length };
}

function unicodeUnit(text: string, at: number): { code: number; end: number } {
  if (text[at + 2] === "{") {
    const digits = hexDigits(text, at + 3, 6);
    const end = at + 3 + digits.length;
    if (digits === "" || text[end] !== "}")
      throw pathSyntaxError("invalid unicode sequence", text.slice(at, Math.max(end, at + 2)));
    const code = Number.parseInt(digits, 16);
    if (code > 0x10ffff) throw new SqlError(sqlstate.syntaxError, "invalid Unicode code point");
    return { code: checkedCode(code), end: end + 1 };
  }
  const digits = hexDigits(text, at + 2, 4);
  if (digits.length < 4) throw pathSyntaxError("invalid unicode sequence", text.slice(at, at + 2 + digits.length));
  return { code: checkedCode(Number.parseInt(digits, 16)), end: at + 6 };
}

function hexDigits(text: string, start: number, most: number): string {
  let end = start;
  while (end < start + most && end < text.length && "0123456789abcdefABCDEF".includes(text[end])) end++;
  return text.slice(start, end);
}

function checkedCode(code: number): number {
  if (code === 0) {
    throw new SqlError(sqlstate.untranslatableCharacter, "unsupported Unicode escape sequence", {
      detail: "\\u0000 cannot be converted to text.",
    });
  }
  return code;
}

function checkSurrogates(text: string): void {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0xd800 || code > 0xdfff) continue;
    const next = text.charCodeAt(i + 1);
    if (code < 0xdc00 && next >= 0xdc00 && next <= 0xdfff) {
      i++;
      continue;
    }
    const high = code < 0xdc00 && next >= 0xd800 && next < 0xdc00;
    throw new SqlError(sqlstate.invalidTextRepresentation, "invalid input syntax for type jsonpath", {
      detail: high
        ? "Unicode high surrogate must not follow a high surrogate."
        : "Unicode low surrogate must follow a high surrogate.",
    });
  }
}
