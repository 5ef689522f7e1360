/** Parses a pattern into its syntax tree. Source: PostgreSQL 15, 9.7.3.1 to 9.7.3.4. */
import {
  anyCharacterSet,
  type CharacterSet,
  CharacterSetBuilder,
  collatingElement,
  complement,
  notNewlineSet,
} from "./character-set.js";
import { invalidRegex, regexFault } from "./errors.js";
import { type BracketToken, RegexLexer, type Token } from "./lexer.js";
import { withEmbeddedOptions } from "./options.js";
import { concat, longer, type Preference, type RegexNode, type RegexOptions, shorter } from "./syntax.js";

/** Largest repetition count (DUPMAX). */
const maxRepetition = 255;
/** Parentheses deeper than this are refused, before they fill the stack. */
const maxDepth = 500;

/** A pattern as a tree, with its number of captures and the options that hold after `(?…)`. */
export interface ParsedRegex {
  readonly node: RegexNode;
  readonly captures: number;
  readonly options: RegexOptions;
}

/** @throws SqlError 2201B for a malformed pattern, 0A000 for look-around and back-references */
export function parseRegex(pattern: string, given: RegexOptions): ParsedRegex {
  const { text, options } = withEmbeddedOptions(pattern, given);
  if (options.syntax === "literal") {
    const items = [...text].map((character) => characterNode(character.codePointAt(0) as number, options));
    return { node: concat(items), captures: 0, options };
  }
  const parser = new RegexParser(text, options);
  return { node: parser.parse(), captures: parser.captures, options };
}

function characterNode(point: number, options: RegexOptions): RegexNode {
  return { kind: "set", set: new CharacterSetBuilder(options.ignoreCase).addCharacter(point).build() };
}

class RegexParser {
  private readonly lexer: RegexLexer;
  private token: Token;
  private depth = 0;

  constructor(
    text: string,
    private readonly options: RegexOptions,
  ) {
    this.lexer = new RegexLexer(text, options);
    this.token = this.lexer.next();
  }

  get captures(): number {
    return this.lexer.captures;
  }

  parse(): RegexNode {
    const node = this.alternation();
    if (this.token.kind !== "end") throw invalidRegex(regexFault.parentheses);
    return node;
  }

  private advance(): void {
    this.token = this.lexer.next();
  }

  private alternation(): RegexNode {
    const branches = [this.branch()];
    while (this.token.kind === "|") {
      this.advance();
      branches.push(this.branch());
    }
    return branches.length === 1 ? branches[0] : { kind: "alternation", branches };
  }

  private branch(): RegexNode {
    const items: RegexNode[] = [];
    while (this.token.kind !== "|" && this.token.kind !== "end" && !this.atClose()) items.push(this.quantified());
    return concat(items);
  }

  /** A closing parenthesis that closes something; in extended syntax a stray one is an ordinary character. */
  private atClose(): boolean {
    return this.token.kind === ")" && (this.depth > 0 || this.options.syntax === "advanced");
  }

  private quantified(): RegexNode {
    const { token } = this;
    if (token.kind === "assertion") {
      this.advance();
      return { kind: "assertion", assertion: token.assertion };
    }
    const item = this.atom();
    const quantifier = this.quantifier();
    return quantifier === undefined ? item : { kind: "repeat", item, ...quantifier };
  }

  private atom(): RegexNode {
    const { token } = this;
    switch (token.kind) {
      case "character":
        this.advance();
        return characterNode(token.point, this.options);
      case ")":
        this.advance();
        return characterNode(0x29, this.options);
      case ".":
        this.advance();
        return { kind: "set", set: this.options.newlineStops ? notNewlineSet : anyCharacterSet };
      case "class": {
        this.advance();
        const builder = new CharacterSetBuilder(this.options.ignoreCase);
        builder.addClass(token.name, token.negated);
        return { kind: "set", set: builder.build() };
      }
      case "[": {
        const set = this.bracket(!token.plain);
        this.advance();
        return { kind: "set", set };
      }
      case "(":
        return this.group(token.plain);
      default:
        throw invalidRegex(regexFault.quantifier);
    }
  }

  private group(capturing: boolean): RegexNode {
    const capture = capturing ? this.lexer.captures : 0;
    if (++this.depth > maxDepth) throw invalidRegex(regexFault.complexity);
    this.advance();
    const item = this.alternation();
    if (this.token.kind !== ")") throw invalidRegex(regexFault.parentheses);
    this.depth--;
    this.advance();
    return { kind: "group", item, capture };
  }

  private quantifier(): { min: number; max: number; preference: Preference } | undefined {
    const { token } = this;
    switch (token.kind) {
      case "*":
      case "+":
      case "?": {
        this.advance();
        const preference = token.plain ? longer : shorter;
        return {
          min: token.kind === "+" ? 1 : 0,
          max: token.kind === "?" ? 1 : Number.POSITIVE_INFINITY,
          preference,
        };
      }
      case "{":
        return this.braces();
      default:
        return undefined;
    }
  }

  private braces(): { min: number; max: number; preference: Preference } {
    let token = this.lexer.nextInBraces();
    const number = (): number => {
      let value = 0;
      while (token.kind === "number") {
        value = value * 10 + token.value;
        if (value > maxRepetition) throw invalidRegex(regexFault.repetition);
        token = this.lexer.nextInBraces();
      }
      return value;
    };
    const min = number();
    let max = min;
    const exact = token.kind !== ",";
    if (!exact) {
      token = this.lexer.nextInBraces();
      max = token.kind === "number" ? number() : Number.POSITIVE_INFINITY;
    }
    if (token.kind !== "}" || min > max) throw invalidRegex(regexFault.repetition);
    const preference = exact ? 0 : token.plain ? longer : shorter;
    this.advance();
    return { min, max, preference };
  }

  /** What stands between brackets; the closing one is read. */
  private bracket(negated: boolean): CharacterSet {
    const builder = new CharacterSetBuilder(this.options.ignoreCase);
    let token = this.lexer.nextInBrackets(true);
    while (token.kind !== "close") {
      if (token.kind === "range") throw invalidRegex(regexFault.range);
      if (token.kind === "class") {
        if (!builder.addClass(token.name, token.negated)) throw invalidRegex(regexFault.characterClass);
        token = this.lexer.nextInBrackets(false);
        continue;
      }
      const first = this.bracketPoint(token);
      const isEquivalence = token.kind === "equivalence";
      token = this.lexer.nextInBrackets(false);
      if (token.kind === "range" && !isEquivalence) {
        const end = this.lexer.nextInBrackets(false);
        const last = end.kind === "range" ? 0x2d : this.rangeEnd(end);
        if (first > last) throw invalidRegex(regexFault.range);
        builder.addRange(first, last);
        token = this.lexer.nextInBrackets(false);
      } else builder.addCharacter(first);
    }
    if (!negated) return builder.build();
    if (this.options.newlineStops) builder.addCharacter(10);
    return complement(builder.build());
  }

  private rangeEnd(token: BracketToken): number {
    if (token.kind !== "character" && token.kind !== "element") throw invalidRegex(regexFault.range);
    return this.bracketPoint(token);
  }

  private bracketPoint(token: BracketToken): number {
    if (token.kind === "character") return token.point;
    if (token.kind === "element" || token.kind === "equivalence") {
      const point = collatingElement(token.name);
      if (point !== undefined) return point;
    }
    throw invalidRegex(regexFault.collatingElement);
  }
}
