/**
 * Reads a pattern into tokens: PostgreSQL's advanced regular expressions, and the extended ones of the `e` flag.
 * Tokens depend on where they stand (outside, in brackets, in braces), so the parser tells. Source: PostgreSQL 15, 9.7.3.
 */
import { invalidRegex, regexFault, unsupportedRegex } from "./errors.js";
import type { Assertion, RegexOptions } from "./syntax.js";

export type Token =
  | { readonly kind: "end" | "|" | "." | ")" | "{" }
  | { readonly kind: "character"; readonly point: number }
  | { readonly kind: "class"; readonly name: string; readonly negated: boolean }
  | { readonly kind: "assertion"; readonly assertion: Assertion }
  | { readonly kind: "*" | "+" | "?" | "(" | "["; readonly plain: boolean } // greedy; capturing; not negated
  | { readonly kind: "}"; readonly plain: boolean }
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "," };

export type BracketToken =
  | { readonly kind: "character"; readonly point: number }
  | { readonly kind: "class"; readonly name: string; readonly negated: boolean }
  | { readonly kind: "element" | "equivalence"; readonly name: string }
  | { readonly kind: "range" | "close" };

/** Larger ones than Unicode has are allowed and match nothing. */
const maxCodedPoint = 0x7ffffffe;

const classEscapes: Readonly<Record<string, string>> = { d: "digit", s: "space", w: "word" };
const characterEscapes: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  B: 92,
  e: 27,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
};
const assertionEscapes: Readonly<Record<string, Assertion>> = {
  A: "text start",
  Z: "text end",
  m: "word start",
  M: "word end",
  y: "word edge",
  Y: "no word edge",
};

export class RegexLexer {
  private at = 0;
  /** Capturing parentheses opened so far: `\12` is a back-reference only when there are as many. */
  captures = 0;

  constructor(
    private readonly text: string,
    private readonly options: RegexOptions,
  ) {}

  /** The next token outside of brackets. */
  next(): Token {
    if (this.options.expanded) this.skipSpace();
    if (this.at >= this.text.length) return { kind: "end" };
    const point = this.text.codePointAt(this.at) as number;
    const character = String.fromCodePoint(point);
    this.at += character.length;
    switch (character) {
      case "|":
      case ".":
      case ")":
        return { kind: character };
      case "*":
      case "+":
      case "?":
        return { kind: character, plain: !this.takeLazyMark() };
      case "{":
        if (this.options.expanded) this.skipSpace();
        return isDigit(this.text[this.at]) ? { kind: "{" } : { kind: "character", point };
      case "(":
        return this.openParenthesis();
      case "[":
        return this.openBracket();
      case "^":
        return { kind: "assertion", assertion: this.options.lineAnchors ? "line start" : "text start" };
      case "$":
        return { kind: "assertion", assertion: this.options.lineAnchors ? "line end" : "text end" };
      case "\\":
        return this.escape();
      default:
        return { kind: "character", point };
    }
  }

  /** The next token inside `{…}`. */
  nextInBraces(): Token {
    if (this.options.expanded) this.skipSpace();
    if (this.at >= this.text.length) throw invalidRegex(regexFault.braces);
    const character = this.text[this.at++];
    if (isDigit(character)) return { kind: "number", value: character.charCodeAt(0) - 0x30 };
    if (character === ",") return { kind: "," };
    if (character === "}") return { kind: "}", plain: !this.takeLazyMark() };
    throw invalidRegex(regexFault.repetition);
  }

  /** The next token inside `[…]`; `first` is right behind the opening. */
  nextInBrackets(first: boolean): BracketToken {
    if (this.at >= this.text.length) throw invalidRegex(regexFault.brackets);
    const point = this.text.codePointAt(this.at) as number;
    const character = String.fromCodePoint(point);
    this.at += character.length;
    if (character === "\\" && this.options.syntax === "advanced") return this.escapeInBrackets();
    if (character === "-")
      return first || this.text[this.at] === "]" ? { kind: "character", point } : { kind: "range" };
    if (character === "]") return first ? { kind: "character", point } : { kind: "close" };
    if (character === "[") {
      const mark = this.text[this.at];
      if (this.at >= this.text.length) throw invalidRegex(regexFault.brackets);
      if (mark === "." || mark === "=" || mark === ":") return this.named(mark);
    }
    return { kind: "character", point };
  }

  private named(mark: "." | "=" | ":"): BracketToken {
    const close = this.text.indexOf(`${mark}]`, this.at + 1);
    if (close === -1) throw invalidRegex(regexFault.brackets);
    const name = this.text.slice(this.at + 1, close);
    this.at = close + 2;
    if (mark === ":") return { kind: "class", name, negated: false };
    return { kind: mark === "." ? "element" : "equivalence", name };
  }

  private takeLazyMark(): boolean {
    if (this.options.syntax !== "advanced" || this.text[this.at] !== "?") return false;
    this.at++;
    return true;
  }

  private openParenthesis(): Token {
    if (this.options.syntax !== "advanced" || this.text[this.at] !== "?") {
      this.captures++;
      return { kind: "(", plain: true };
    }
    const mark = this.text[this.at + 1];
    this.at += 2;
    if (mark === ":") return { kind: "(", plain: false };
    if (mark === "#") {
      const close = this.text.indexOf(")", this.at);
      this.at = close === -1 ? this.text.length : close + 1;
      return this.next();
    }
    const behind = mark === "<" ? this.text[this.at] : undefined;
    if (mark === "=" || mark === "!" || behind === "=" || behind === "!")
      throw unsupportedRegex(
        `${mark === "<" ? "lookbehind" : "lookahead"} constraints`,
        "Match the whole with a capture of the wanted part, or combine two conditions with AND / AND NOT.",
      );
    throw invalidRegex(regexFault.quantifier);
  }

  private openBracket(): Token {
    for (const [form, assertion] of [
      ["[:<:]]", "word start"],
      ["[:>:]]", "word end"],
    ] as const)
      if (this.text.startsWith(form, this.at)) {
        this.at += form.length;
        return { kind: "assertion", assertion };
      }
    const negated = this.text[this.at] === "^";
    if (negated) this.at++;
    return { kind: "[", plain: !negated };
  }

  private escapeInBrackets(): BracketToken {
    const token = this.escape();
    if (token.kind === "character" || token.kind === "class") return token;
    throw invalidRegex(regexFault.escape);
  }

  /** Behind a backslash. */
  private escape(): Token {
    if (this.at >= this.text.length) throw invalidRegex(regexFault.escape);
    const point = this.text.codePointAt(this.at) as number;
    const character = String.fromCodePoint(point);
    this.at += character.length;
    if (this.options.syntax !== "advanced" || !isAsciiAlphanumeric(character)) return { kind: "character", point };
    if (Object.hasOwn(characterEscapes, character)) return { kind: "character", point: characterEscapes[character] };
    if (Object.hasOwn(assertionEscapes, character))
      return { kind: "assertion", assertion: assertionEscapes[character] };
    const lower = character.toLowerCase();
    if (Object.hasOwn(classEscapes, lower))
      return { kind: "class", name: classEscapes[lower], negated: lower !== character };
    if (character === "c") {
      if (this.at >= this.text.length) throw invalidRegex(regexFault.escape);
      return { kind: "character", point: this.text.charCodeAt(this.at++) & 0x1f };
    }
    if (character === "x") return this.coded(16, 1, 255);
    if (character === "u") return this.coded(16, 4, 4);
    if (character === "U") return this.coded(16, 8, 8);
    if (character === "0") return this.octal();
    if (isDigit(character)) return this.backReferenceOrOctal();
    throw invalidRegex(regexFault.escape);
  }

  /** `\1` to `\9`, and longer numbers when there are as many captures, are back-references; others are octal. */
  private backReferenceOrOctal(): Token {
    const start = this.at - 1;
    let end = this.at;
    while (isDigit(this.text[end])) end++;
    const number = Number(this.text.slice(start, end));
    if (end === this.at || number <= this.captures) {
      if (number > this.captures) throw invalidRegex(regexFault.backReference);
      throw unsupportedRegex("back-references", "Capture the parts with regexp_match and compare them with =.");
    }
    return this.octal();
  }

  private octal(): Token {
    this.at--;
    let end = this.at;
    while (end < this.at + 3 && this.text[end] >= "0" && this.text[end] <= "7") end++;
    if (end === this.at) throw invalidRegex(regexFault.escape);
    let point = Number.parseInt(this.text.slice(this.at, end), 8);
    if (point > 0xff) {
      point >>= 3;
      end--;
    }
    this.at = end;
    return { kind: "character", point };
  }

  private coded(base: 16, least: number, most: number): Token {
    let end = this.at;
    while (end < this.at + most && isHexDigit(this.text[end])) end++;
    if (end - this.at < least) throw invalidRegex(regexFault.escape);
    const point = Number.parseInt(this.text.slice(this.at, end), base);
    if (point > maxCodedPoint) throw invalidRegex(regexFault.escape);
    this.at = end;
    return { kind: "character", point };
  }

  /** White space and comments of the expanded syntax. */
  private skipSpace(): void {
    for (;;) {
      while (this.at < this.text.length && /\s/.test(this.text[this.at])) this.at++;
      if (this.text[this.at] !== "#") return;
      const lineEnd = this.text.indexOf("\n", this.at);
      this.at = lineEnd === -1 ? this.text.length : lineEnd;
    }
  }
}

function isDigit(character: string | undefined): boolean {
  return character !== undefined && character >= "0" && character <= "9";
}

function isHexDigit(character: string | undefined): boolean {
  return character !== undefined && /^[0-9A-Fa-f]$/.test(character);
}

function isAsciiAlphanumeric(character: string): boolean {
  return /^[0-9A-Za-z]$/.test(character);
}
