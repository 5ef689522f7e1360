/**
 * Text → tokens. One Chevrotain lexer with hand-written patterns; a second pass gives words their keyword types, decodes
 * literals and pairs parentheses, so that the parser can look behind a closing one without reading ahead.
 */
import { createToken, type IToken, Lexer, type TokenType } from "chevrotain";
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import { endOfName, foldName, isNameStart, isOperatorCharacter, isSpace, truncateName } from "./lexer/characters.js";
import { decodeEscapeString, decodeUnicodeString, invalidBytes, isEscapeCharacter } from "./lexer/escapes.js";
import { digits, endOfOperator, junk, scanNumber } from "./lexer/scan-signs.js";
import {
  endOfComment,
  endOfLine,
  type Quoted,
  scanDollarString,
  scanQuotedName,
  scanString,
} from "./lexer/scan-text.js";
import * as t from "./tokens.js";

/** A token as the parser sees it. */
export interface SqlToken extends IToken {
  /** A name folded and cut, a string decoded, a number's or operator's text. */
  value: string;
  /** For an opening parenthesis: index of the closing one in the token list, or of the list's end. */
  close: number;
  /** For an opening parenthesis: whether a query stands in it, once that has been asked. */
  holdsQuery?: boolean;
  /** For a broken token: what to raise when the parser gets there. */
  error?: SqlError;
}

// Raw types: the lexer's own, turned into the parser's by the second pass.
const pattern = (exec: (text: string, offset: number) => RegExpExecArray | null) => ({ exec });
type Result = RegExpExecArray & { payload?: unknown };

/** The piece of text from `offset` to `end` in the form Chevrotain takes from a custom pattern. */
function match(text: string, offset: number, end: number, payload?: unknown): Result | null {
  if (end <= offset) return null;
  const result = [text.slice(offset, end)] as unknown as Result;
  if (payload !== undefined) result.payload = payload;
  return result;
}

const codes = (characters: string): number[] => [...characters].map((character) => character.charCodeAt(0));
/** Chevrotain sorts patterns by first character; characters beyond ASCII share buckets, so a hint per bucket is enough. */
const beyondAscii = [
  ...Array.from({ length: 128 }, (_, i) => 128 + i),
  ...Array.from({ length: 258 }, (_, i) => i * 255).filter((code) => code >= 256 && code < 65536),
  65535,
];
const letters = codes("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_");
const tenDigits = codes("0123456789");

interface RawOptions {
  readonly starts: readonly number[];
  readonly skipped?: boolean;
}

function raw(name: string, options: RawOptions, exec: (text: string, offset: number) => Result | null): TokenType {
  return createToken({
    name,
    pattern: pattern(exec),
    line_breaks: true,
    start_chars_hint: [...options.starts],
    ...(options.skipped === true ? { group: Lexer.SKIPPED } : {}),
  });
}

const Space = raw("Space", { starts: [9, 10, 12, 13, 32], skipped: true }, (text, offset) => {
  let end = offset;
  while (isSpace(text.charCodeAt(end))) end++;
  return match(text, offset, end);
});

const LineComment = raw("LineComment", { starts: [45], skipped: true }, (text, offset) =>
  text.charCodeAt(offset + 1) === 45 ? match(text, offset, endOfLine(text, offset)) : null,
);

const isCommentStart = (text: string, offset: number): boolean =>
  text.charCodeAt(offset) === 47 && text.charCodeAt(offset + 1) === 42;

const BlockComment = raw("BlockComment", { starts: [47], skipped: true }, (text, offset) =>
  isCommentStart(text, offset) ? match(text, offset, endOfComment(text, offset)) : null,
);

const OpenComment = raw("OpenComment", { starts: [47] }, (text, offset) =>
  isCommentStart(text, offset) ? match(text, offset, text.length) : null,
);

const Word = raw("Word", { starts: [...letters, ...beyondAscii] }, (text, offset) =>
  isNameStart(text.charCodeAt(offset)) ? match(text, offset, endOfName(text, offset)) : null,
);

/** How a string begins: the letters before its quote, and the kind of its content. */
type StringKind = "plain" | "escape" | "unicode" | "binary" | "hex";

interface StringPayload extends Quoted {
  readonly stringKind: StringKind;
}

const prefixes: ReadonlyMap<string, StringKind> = new Map([
  ["e", "escape"],
  ["b", "binary"],
  ["x", "hex"],
]);

const RawString = raw("RawString", { starts: codes("'eEuUbBxX") }, (text, offset) => {
  const first = text[offset].toLowerCase();
  let kind: StringKind | undefined = first === "'" ? "plain" : prefixes.get(first);
  let open = first === "'" ? offset : offset + 1;
  if (first === "u" && text[offset + 1] === "&") {
    kind = "unicode";
    open = offset + 2;
  }
  if (kind === undefined || text[open] !== "'") return null;
  const payload: StringPayload = { ...scanString(text, open + 1, kind === "escape"), stringKind: kind };
  return match(text, offset, payload.end, payload);
});

const RawName = raw("RawName", { starts: codes('"uU') }, (text, offset) => {
  const isUnicode = text[offset] !== '"';
  if (isUnicode && (text[offset + 1] !== "&" || text[offset + 2] !== '"')) return null;
  const quoted = scanQuotedName(text, offset + (isUnicode ? 3 : 1));
  return match(text, offset, quoted.end, quoted);
});

const RawDollarString = raw("RawDollarString", { starts: [36] }, (text, offset) => {
  const quoted = scanDollarString(text, offset);
  return quoted === undefined ? null : match(text, offset, quoted.end, quoted);
});

const RawParameter = raw("RawParameter", { starts: [36] }, (text, offset) =>
  digits(text, offset + 1) > offset + 1 ? match(text, offset, digits(text, offset + 1)) : null,
);

const RawNumber = raw("RawNumber", { starts: [...tenDigits, 46] }, (text, offset) => {
  const number = scanNumber(text, offset);
  return number === undefined ? null : match(text, offset, number.end, number);
});

const RawOperator = raw("RawOperator", { starts: codes("~!@#^&|`?+-*/%<>=") }, (text, offset) =>
  isOperatorCharacter(text.charCodeAt(offset)) ? match(text, offset, endOfOperator(text, offset)) : null,
);

const signs: ReadonlyMap<string, TokenType> = new Map([
  ["(", t.LeftParen],
  [")", t.RightParen],
  ["[", t.LeftBracket],
  ["]", t.RightBracket],
  [",", t.Comma],
  [";", t.Semicolon],
  [".", t.Dot],
  [":", t.Colon],
  ["::", t.TypeCast],
  [":=", t.ColonEquals],
]);

const RawSign = raw("RawSign", { starts: codes("()[],;.:") }, (text, offset) => {
  const two = text.slice(offset, offset + 2);
  return match(text, offset, offset + (two === "::" || two === ":=" || two === ".." ? 2 : 1));
});

const everyCode = [...Array.from({ length: 128 }, (_, i) => i), ...beyondAscii];
const RawOther = raw("RawOther", { starts: everyCode }, (text, offset) => match(text, offset, offset + 1));

const lexer = new Lexer(
  [
    ...[Space, RawString, RawName, Word, RawNumber, RawSign, LineComment, BlockComment, OpenComment, RawOperator],
    ...[RawDollarString, RawParameter, RawOther],
    // The lexer never makes these, but it settles which token belongs to which category.
    ...t.vocabulary,
  ],
  { positionTracking: "onlyOffset", skipValidations: true, ensureOptimizations: false },
);

/** The tokens that the parser may meet, with their categories settled: a parser built before would not see them. */
export const parserTokens: readonly TokenType[] = t.vocabulary;

/** The tokens of the text. Never throws: text that cannot be read becomes a broken token, which ends the list. */
export function tokenize(sql: string): SqlToken[] {
  const rawTokens = lexer.tokenize(sql).tokens as SqlToken[];
  return new TokenFinisher(sql, rawTokens).finish();
}

class TokenFinisher {
  private readonly tokens: SqlToken[] = [];
  private readonly open: SqlToken[] = [];

  constructor(
    private readonly sql: string,
    private readonly rawTokens: readonly SqlToken[],
  ) {}

  finish(): SqlToken[] {
    const { tokens, rawTokens } = this;
    for (let i = 0; i < rawTokens.length; i++) {
      const token = rawTokens[i];
      try {
        i += this.finishOne(token, i);
      } catch (error) {
        if (!(error instanceof SqlError)) throw error;
        become(token, t.BrokenToken, token.image);
        token.error = error;
      }
      // The lexer tracks starts only; a string written in several pieces ends with the last one.
      token.endOffset = rawTokens[i].startOffset + rawTokens[i].image.length - 1;
      tokens.push(token);
      if (token.tokenType === t.BrokenToken) break;
    }
    for (const parenthesis of this.open) parenthesis.close = tokens.length;
    return tokens;
  }

  /** Settles one token; gives how many raw tokens behind it belong to it. */
  private finishOne(token: SqlToken, index: number): number {
    switch (token.tokenType) {
      case Word:
        this.finishWord(token, index);
        return 0;
      case RawSign:
        this.finishSign(token);
        return 0;
      case RawOperator:
        finishOperator(token);
        return 0;
      case RawString:
        return this.finishString(token, index);
      case RawNumber:
        this.finishNumber(token);
        return 0;
      case RawName:
        return this.finishName(token, index);
      case RawDollarString:
        become(token, t.StringToken, closed(token, "unterminated dollar-quoted string").content);
        return 0;
      case RawParameter: {
        const junkEnd = junk(this.sql, token.startOffset + token.image.length);
        if (junkEnd > 0) throw this.unreadable("trailing junk after parameter", token, junkEnd);
        become(token, t.ParameterToken, token.image.slice(1));
        return 0;
      }
      case OpenComment:
        throw this.unreadable("unterminated /* comment", token, this.sql.length);
      default:
        if (token.image === "\0") throw invalidBytes([0], token.startOffset + 1);
        become(token, t.IllegalToken, token.image);
        return 0;
    }
  }

  private finishWord(token: SqlToken, index: number): void {
    const folded = foldName(token.image);
    const keyword = t.keywordTokens.get(folded);
    if (keyword === undefined) {
      // N'abc' is NCHAR 'abc'.
      const next = this.rawTokens[index + 1];
      if (folded === "n" && next?.startOffset === token.startOffset + 1 && next.image[0] === "'") {
        become(token, t.kw.nchar, "nchar");
      } else {
        become(token, t.Identifier, truncateName(folded));
      }
    } else if (t.specialForms.has(folded) && !this.isSpecialForm(folded, index)) {
      become(token, t.Identifier, folded);
    } else {
      become(token, keyword, folded);
    }
  }

  /** A special form has a parenthesis behind it; there are also GROUPING SETS and IF [NOT] EXISTS. */
  private isSpecialForm(word: string, index: number): boolean {
    const next = this.rawTokens[index + 1]?.image;
    if (next === "(") return true;
    if (word === "grouping") return next !== undefined && foldName(next) === "sets";
    if (word !== "exists") return false;
    const previous = this.tokens[index - 1]?.tokenType;
    return previous === t.kw.if || (previous === t.kw.not && this.tokens[index - 2]?.tokenType === t.kw.if);
  }

  private finishSign(token: SqlToken): void {
    const type = signs.get(token.image);
    if (type === undefined) {
      become(token, t.IllegalToken, token.image);
      return;
    }
    become(token, type, token.image);
    if (type === t.LeftParen) {
      this.open.push(token);
    } else if (type === t.RightParen) {
      const opening = this.open.pop();
      if (opening !== undefined) opening.close = this.tokens.length;
    }
  }

  private finishString(token: SqlToken, index: number): number {
    const { stringKind } = token.payload as StringPayload;
    if (stringKind === "binary" || stringKind === "hex") {
      const what = stringKind === "binary" ? "bit string literal" : "hexadecimal string literal";
      const { content } = closed(token, `unterminated ${what}`);
      become(token, t.BitStringToken, (stringKind === "binary" ? "b" : "x") + content);
      return 0;
    }
    const { content } = closed(token, "unterminated quoted string");
    if (content.includes("\0")) throw invalidBytes([0], token.startOffset + 1);
    if (stringKind === "unicode") {
      const found = this.unicodeEscape(index);
      become(token, t.StringToken, decodeUnicodeString(content, found.escape, token.startOffset + 3));
      return found.extra;
    }
    become(
      token,
      t.StringToken,
      stringKind === "escape" ? decodeEscapeString(content, token.startOffset + 2) : content,
    );
    return 0;
  }

  private finishName(token: SqlToken, index: number): number {
    const { content } = closed(token, "unterminated quoted identifier");
    let name = content;
    let extra = 0;
    if (token.image[0] !== '"') {
      const found = this.unicodeEscape(index);
      extra = found.extra;
      name = decodeUnicodeString(content, found.escape, token.startOffset + 3);
    }
    if (name === "") throw this.unreadable("zero-length delimited identifier", token, endOf(token));
    if (name.includes("\0")) throw invalidBytes([0], token.startOffset + 1);
    become(token, t.Identifier, truncateName(name));
    return extra;
  }

  /** UESCAPE 'c' behind a U& literal. */
  private unicodeEscape(index: number): { escape: string; extra: number } {
    const word = this.rawTokens[index + 1];
    if (word === undefined || word.tokenType !== Word || foldName(word.image) !== "uescape") {
      return { escape: "\\", extra: 0 };
    }
    const value = this.rawTokens[index + 2];
    const payload = value?.tokenType === RawString ? (value.payload as StringPayload) : undefined;
    if (payload === undefined || payload.stringKind !== "plain" || payload.content === undefined) {
      const place = value ?? word;
      throw this.unreadable("UESCAPE must be followed by a simple string literal", place, endOf(place));
    }
    if (!isEscapeCharacter(payload.content)) {
      throw this.unreadable("invalid Unicode escape character", value, endOf(value));
    }
    return { escape: payload.content, extra: 2 };
  }

  private finishNumber(token: SqlToken): void {
    const { isInteger, junkEnd } = token.payload as { isInteger: boolean; junkEnd: number };
    if (junkEnd > 0) throw this.unreadable("trailing junk after numeric literal", token, junkEnd);
    become(token, isInteger ? t.IntegerToken : t.DecimalToken, token.image);
  }

  private unreadable(message: string, token: SqlToken, end: number): SqlError {
    const near = this.sql.slice(token.startOffset, end);
    return new SqlError(sqlstate.syntaxError, `${message} at or near "${near}"`, { position: token.startOffset + 1 });
  }
}

function become(token: SqlToken, type: TokenType, value: string): void {
  token.tokenType = type;
  token.tokenTypeIdx = type.tokenTypeIdx as number;
  token.value = value;
}

function finishOperator(token: SqlToken): void {
  const image = token.image;
  if (image.length > 63) {
    throw new SqlError(sqlstate.syntaxError, "operator too long", { position: token.startOffset + 1 });
  }
  become(token, t.operatorTokens.get(image) ?? t.OperatorToken, image === "!=" ? "<>" : image);
}

/** The quoted text of a token, or the error that its end is missing. */
function closed(token: SqlToken, message: string): { content: string } {
  const { content } = token.payload as Quoted;
  if (content === undefined) {
    throw new SqlError(sqlstate.syntaxError, `${message} at or near "${token.image}"`, {
      position: token.startOffset + 1,
    });
  }
  return { content };
}

function endOf(token: IToken): number {
  return token.startOffset + token.image.length;
}
