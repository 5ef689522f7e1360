/**
 * Parses the SQL/JSON path language: recursive descent over the grammar of PostgreSQL 15's jsonpath_gram.y. Predicates and
 * expressions share their parentheses, so both are read by one set of functions and told apart afterwards.
 */
import { SqlError } from "../../../errors/sql-error.js";
import { sqlstate } from "../../../errors/sqlstate.js";
import { numericNegate } from "../../numeric.js";
import type { JsonNumber } from "../item.js";
import { asNumeric, compact, jsonNumber } from "../number.js";
import { checkDepth } from "../parse.js";
import {
  type Comparison,
  isPredicate,
  JsonPath,
  type Method,
  type PathChain,
  type PathItem,
  type PathSubscript,
} from "./ast.js";
import { lexPath, type PathToken, pathSyntaxError } from "./lexer.js";

/** Reads a path. @throws SqlError 42601, 22P02 (empty), 0A000 */
export function parsePath(text: string): JsonPath {
  const tokens = lexPath(text);
  if (tokens.length === 1) {
    throw new SqlError(sqlstate.invalidTextRepresentation, `invalid input syntax for type jsonpath: "${text}"`, {
      hint: "A path begins with $, which stands for the whole value: '$.field'.",
    });
  }
  return new PathParser(tokens).parse();
}

/** What was read: a chain, and whether it is a predicate that no accessor has turned into a value. */
interface Parsed {
  readonly chain: PathChain;
  readonly predicate: boolean;
  /** A predicate in parentheses (or `exists`), which `!` and `is unknown` can be put on. */
  readonly delimited?: boolean;
}

const comparisons = new Set(["==", "!=", "<", ">", "<=", ">="]);
const methods = new Set(["type", "size", "double", "ceiling", "floor", "abs", "keyvalue"]);

class PathParser {
  private at = 0;
  private filterDepth = 0;
  private subscriptDepth = 0;
  private depth = 0;

  constructor(private readonly tokens: readonly PathToken[]) {}

  parse(): JsonPath {
    let lax = true;
    if (this.isWord("strict") || this.isWord("lax")) lax = this.next().text.toLowerCase() === "lax";
    const { chain } = this.disjunction();
    if (this.peek().kind !== "end") throw this.unexpected();
    return new JsonPath(lax, chain);
  }

  private disjunction(): Parsed {
    let left = this.conjunction();
    while (this.isSymbol("||")) {
      if (!left.predicate) throw this.unexpected();
      this.at++;
      const right = this.conjunction();
      if (!right.predicate) throw this.unexpected();
      left = { chain: [{ kind: "or", left: left.chain, right: right.chain }], predicate: true };
    }
    return left;
  }

  private conjunction(): Parsed {
    let left = this.negation();
    while (this.isSymbol("&&")) {
      if (!left.predicate) throw this.unexpected();
      this.at++;
      const right = this.negation();
      if (!right.predicate) throw this.unexpected();
      left = { chain: [{ kind: "and", left: left.chain, right: right.chain }], predicate: true };
    }
    return left;
  }

  private negation(): Parsed {
    if (!this.isSymbol("!")) return this.comparison();
    this.at++;
    if (!this.isSymbol("(") && !this.isWord("exists")) throw this.unexpected();
    const operand = this.primary();
    if (!operand.delimited) throw this.unexpected();
    return { chain: [{ kind: "not", operand: operand.chain }], predicate: true };
  }

  private comparison(): Parsed {
    const left = this.sum();
    if (left.predicate) {
      if (left.delimited && this.isWord("is")) {
        this.at++;
        if (!this.isWord("unknown")) throw this.unexpected();
        this.at++;
        return { chain: [{ kind: "is unknown", operand: left.chain }], predicate: true };
      }
      return left;
    }
    const token = this.peek();
    if (token.kind === "symbol" && comparisons.has(token.text)) {
      this.at++;
      const right = this.value(this.sum());
      return predicate({ kind: "comparison", operator: token.text as Comparison, left: left.chain, right });
    }
    if (this.isWord("starts")) {
      this.at++;
      if (!this.isWord("with")) throw this.unexpected();
      this.at++;
      const initial = this.peek();
      if (initial.kind !== "string" && initial.kind !== "variable") throw this.unexpected();
      this.at++;
      return predicate({ kind: "starts with", left: left.chain, right: [{ kind: initial.kind, value: initial.text }] });
    }
    if (this.isWord("like_regex")) return this.likeRegex(left.chain);
    return left;
  }

  private likeRegex(operand: PathChain): Parsed {
    this.at++;
    const pattern = this.stringToken();
    let flags = "";
    if (this.isWord("flag")) {
      this.at++;
      flags = checkedFlags(this.stringToken());
    }
    return predicate({ kind: "like_regex", operand, pattern, flags });
  }

  private sum(): Parsed {
    let left = this.product();
    for (;;) {
      const token = this.peek();
      if (token.kind !== "symbol" || (token.text !== "+" && token.text !== "-")) return left;
      const chain = this.value(left);
      this.at++;
      const right = this.value(this.product());
      left = { chain: [{ kind: "arithmetic", operator: token.text, left: chain, right }], predicate: false };
    }
  }

  private product(): Parsed {
    let left = this.unary();
    for (;;) {
      const token = this.peek();
      if (token.kind !== "symbol" || (token.text !== "*" && token.text !== "/" && token.text !== "%")) return left;
      const chain = this.value(left);
      this.at++;
      const right = this.value(this.unary());
      left = { chain: [{ kind: "arithmetic", operator: token.text, left: chain, right }], predicate: false };
    }
  }

  private unary(): Parsed {
    const token = this.peek();
    if (token.kind !== "symbol" || (token.text !== "+" && token.text !== "-")) return this.primary();
    this.at++;
    checkDepth(++this.depth);
    const operand = this.value(this.unary());
    this.depth--;
    const [item] = operand;
    if (operand.length === 1 && item.kind === "number")
      return { chain: [token.text === "-" ? { kind: "number", value: negated(item.value) } : item], predicate: false };
    return { chain: [{ kind: "sign", operator: token.text, operand }], predicate: false };
  }

  /** A primary with the accessors behind it. */
  private primary(): Parsed {
    const token = this.peek();
    let start: Parsed;
    if (this.isSymbol("(")) {
      this.at++;
      checkDepth(++this.depth);
      const inner = this.disjunction();
      this.depth--;
      this.expect(")");
      start = { ...inner, delimited: inner.predicate };
    } else if (this.isWord("exists")) {
      this.at++;
      this.expect("(");
      const operand = this.value(this.disjunction());
      this.expect(")");
      return { chain: [{ kind: "exists", operand }], predicate: true, delimited: true };
    } else {
      start = { chain: [this.scalar(token)], predicate: false };
    }
    const accessors: PathItem[] = [];
    for (let accessor = this.accessor(); accessor !== undefined; accessor = this.accessor()) accessors.push(accessor);
    return accessors.length === 0 ? start : { chain: [...start.chain, ...accessors], predicate: false };
  }

  private scalar(token: PathToken): PathItem {
    const item = this.scalarItem(token);
    this.at++;
    return item;
  }

  private scalarItem(token: PathToken): PathItem {
    switch (token.kind) {
      case "string":
      case "variable":
        return { kind: token.kind, value: token.text };
      case "number":
        return { kind: "number", value: numberOf(token.text) };
      case "symbol":
        if (token.text === "$") return { kind: "root" };
        if (token.text === "@") {
          if (this.filterDepth === 0)
            throw new SqlError(sqlstate.syntaxError, "@ is not allowed in root expressions", {
              hint: "@ is the current item inside a filter: $ ? (@.field > 1). Outside of one write $.",
            });
          return { kind: "current" };
        }
        break;
      case "name":
        if (token.source === "null") return { kind: "null" };
        if (token.source === "true" || token.source === "false")
          return { kind: "boolean", value: token.source === "true" };
        if (this.isWord("last")) {
          if (this.subscriptDepth === 0)
            throw new SqlError(sqlstate.syntaxError, "LAST is allowed only in array subscripts");
          return { kind: "last" };
        }
        break;
    }
    throw this.unexpected();
  }

  private accessor(): PathItem | undefined {
    if (this.isSymbol("[")) return this.arrayAccessor();
    if (this.isSymbol("?")) {
      this.at++;
      this.expect("(");
      this.filterDepth++;
      const inner = this.disjunction();
      this.filterDepth--;
      if (!inner.predicate) throw this.unexpected();
      this.expect(")");
      return { kind: "filter", predicate: inner.chain };
    }
    if (!this.isSymbol(".")) return undefined;
    this.at++;
    if (this.isSymbol("*")) {
      this.at++;
      return { kind: "any key" };
    }
    if (this.isSymbol("**")) return this.anyLevels();
    const token = this.peek();
    if (token.kind !== "name" && token.kind !== "string") throw this.unexpected();
    this.at++;
    if (token.kind === "name" && this.isSymbol("(")) {
      const name = token.text.toLowerCase();
      if (name === "datetime") return this.datetime();
      if (methods.has(name)) {
        this.at++;
        this.expect(")");
        return { kind: "method", name: name as Method };
      }
    }
    return { kind: "key", value: token.text };
  }

  private datetime(): PathItem {
    this.at++;
    if (this.isSymbol(")")) {
      this.at++;
      return { kind: "datetime" };
    }
    const template = this.stringToken();
    this.expect(")");
    return { kind: "datetime", template };
  }

  private arrayAccessor(): PathItem {
    this.at++;
    if (this.isSymbol("*") && this.isSymbol("]", 1)) {
      this.at += 2;
      return { kind: "any array" };
    }
    this.subscriptDepth++;
    const subscripts: PathSubscript[] = [];
    for (;;) {
      const from = this.value(this.sum());
      if (this.isWord("to")) {
        this.at++;
        subscripts.push({ from, to: this.value(this.sum()) });
      } else subscripts.push({ from });
      if (!this.isSymbol(",")) break;
      this.at++;
    }
    this.subscriptDepth--;
    this.expect("]");
    return { kind: "index", subscripts };
  }

  private anyLevels(): PathItem {
    this.at++;
    if (!this.isSymbol("{")) return { kind: "any", first: 0, last: Number.POSITIVE_INFINITY };
    this.at++;
    const first = this.level();
    let last = first;
    if (this.isWord("to")) {
      this.at++;
      last = this.level();
    }
    this.expect("}");
    return { kind: "any", first, last };
  }

  private level(): number {
    const token = this.next();
    if (token.kind === "name" && token.text.toLowerCase() === "last") return Number.POSITIVE_INFINITY;
    const level = Number(token.text);
    if (token.kind === "number" && Number.isInteger(level) && !token.text.includes(".")) return level;
    this.at--;
    throw this.unexpected();
  }

  private value(parsed: Parsed): PathChain {
    if (parsed.predicate && isPredicate(parsed.chain[parsed.chain.length - 1])) throw this.unexpected();
    return parsed.chain;
  }

  private stringToken(): string {
    const token = this.peek();
    if (token.kind !== "string") throw this.unexpected();
    this.at++;
    return token.text;
  }

  private peek(ahead = 0): PathToken {
    return this.tokens[Math.min(this.at + ahead, this.tokens.length - 1)];
  }

  private next(): PathToken {
    const token = this.peek();
    this.at++;
    return token;
  }

  private isSymbol(text: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === "symbol" && token.text === text;
  }

  private isWord(text: string): boolean {
    const token = this.peek();
    return token.kind === "name" && token.text.toLowerCase() === text;
  }

  private expect(symbol: string): void {
    if (!this.isSymbol(symbol)) throw this.unexpected();
    this.at++;
  }

  private unexpected(): SqlError {
    return pathSyntaxError("syntax error", this.peek().source);
  }
}

function predicate(item: PathItem): Parsed {
  return { chain: [item], predicate: true };
}

function numberOf(text: string): JsonNumber {
  return jsonNumber(
    text.startsWith(".") ? `0${text}` : text.endsWith(".") ? text.slice(0, -1) : text.replace(".e", "e"),
  );
}

function negated(number: JsonNumber): JsonNumber {
  return typeof number === "number" ? 0 - number : compact(numericNegate(asNumeric(number)));
}

/** The flags of like_regex in the order they are printed, each once. @throws SqlError 42601, 0A000 */
function checkedFlags(flags: string): string {
  for (const flag of flags) {
    if ("ismxq".includes(flag)) continue;
    throw new SqlError(sqlstate.syntaxError, "invalid input syntax for type jsonpath", {
      detail: `Unrecognized flag character "${flag}" in LIKE_REGEX predicate.`,
      hint: "The flags are i (case-insensitive), s (. matches a line feed), m (^ and $ match at lines), q (plain text).",
    });
  }
  if (flags.includes("x") && !flags.includes("q")) {
    throw new SqlError(
      sqlstate.featureNotSupported,
      'XQuery "x" flag (expanded regular expressions) is not implemented',
    );
  }
  return [..."ismxq"].filter((flag) => flags.includes(flag)).join("");
}
