/**
 * LIKE and ILIKE. A pattern is compiled once into string searches: what stands between `%` signs is looked for from
 * left to right, so that time grows with the text and not with the number of `%`. Source: PostgreSQL 15, 9.7.1.
 */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import { lowerText } from "../types/letter-case.js";
import type { TypeName } from "../types/type.js";
import { characterCount, isPairAt } from "../types/utf8.js";
import { spendWork } from "../types/work.js";
import type { Operator, ScalarFunction } from "./function.js";

type Matcher = (text: string) => boolean;

/** What a segment holds beside UTF-16 units: `_`, and an escape character with nothing behind it. */
const anyCharacter = -1;
const danglingEscape = -2;

/** A run of the pattern without `%`. `literal` is set when it has no `_` either. */
interface Segment {
  readonly items: readonly number[];
  readonly literal: string | undefined;
}

/**
 * A test for texts that match the LIKE pattern. `escapeCharacter` is one character, or empty for none; without it, a backslash.
 * An escape character at the end of the pattern is an error (22025) only when matching comes that far, as in PostgreSQL.
 */
export function compileLike(pattern: string, escapeCharacter: string | undefined, caseInsensitive: boolean): Matcher {
  const matches = compileSegments(segmentsOf(caseInsensitive ? lowerText(pattern) : pattern, escapeCharacter ?? "\\"));
  return caseInsensitive ? (text) => matches(lowerText(text)) : matches;
}

function segmentsOf(pattern: string, escapeCharacter: string): Segment[] {
  const segments: Segment[] = [];
  let items: number[] = [];
  const close = (): void => {
    const literal = items.some((item) => item < 0) ? undefined : String.fromCharCode(...items);
    segments.push({ items, literal });
    items = [];
  };
  for (let i = 0; i < pattern.length; i++) {
    if (escapeCharacter !== "" && pattern.startsWith(escapeCharacter, i)) {
      i += escapeCharacter.length;
      if (i >= pattern.length) items.push(danglingEscape);
      else items.push(pattern.charCodeAt(i));
    } else if (pattern[i] === "%") close();
    else if (pattern[i] === "_") items.push(anyCharacter);
    else items.push(pattern.charCodeAt(i));
  }
  close();
  return segments;
}

/** The first segment stands at the start, the last at the end, those between are found leftmost first. */
function compileSegments(segments: readonly Segment[]): Matcher {
  const first = segments[0];
  const last = segments[segments.length - 1];
  if (segments.every((segment) => segment.literal !== undefined)) {
    const simple = compileLiterals(segments.map((segment) => segment.literal as string));
    if (simple !== undefined) return simple;
  }
  if (segments.length === 1) return (text) => matchAt(first, text, 0) === text.length;
  if (last.items.includes(danglingEscape)) return (text) => failAtDangling(segments, text);
  const middle = segments.slice(1, -1).filter((segment) => segment.items.length > 0);
  return (text) => {
    let at = matchAt(first, text, 0);
    for (const segment of middle) {
      if (at < 0) return false;
      at = find(segment, text, at);
    }
    return at >= 0 && matchesAtEnd(last, text, at);
  };
}

/** The commonest shapes: `abc`, `abc%`, `%abc`, `%abc%`, `ab%yz`. */
function compileLiterals(literals: readonly string[]): Matcher | undefined {
  const [first] = literals;
  const last = literals[literals.length - 1];
  if (literals.length === 1) return (text) => text === first;
  const middle = literals.slice(1, -1).filter((literal) => literal !== "");
  if (middle.length === 0) {
    if (first === "" && last === "") return () => true;
    if (last === "") return (text) => text.startsWith(first);
    if (first === "") return (text) => text.endsWith(last);
    const least = first.length + last.length;
    return (text) => text.length >= least && text.startsWith(first) && text.endsWith(last);
  }
  if (middle.length === 1 && first === "" && last === "") {
    const [part] = middle;
    return (text) => text.includes(part);
  }
  return undefined;
}

/** End of the segment's match at unit `start`, or -1. */
function matchAt(segment: Segment, text: string, start: number): number {
  if (segment.literal !== undefined)
    return text.startsWith(segment.literal, start) ? start + segment.literal.length : -1;
  let at = start;
  for (const item of segment.items) {
    if (at >= text.length) return -1;
    if (item === anyCharacter) at += isPairAt(text, at) ? 2 : 1;
    else if (item === danglingEscape) throw endsWithEscape();
    else if (text.charCodeAt(at++) !== item) return -1;
  }
  return at;
}

/** End of the segment's leftmost match from unit `from` on, or -1. */
function find(segment: Segment, text: string, from: number): number {
  if (segment.literal !== undefined) {
    const at = text.indexOf(segment.literal, from);
    return at < 0 ? -1 : at + segment.literal.length;
  }
  for (let start = from; start < text.length; start += isPairAt(text, start) ? 2 : 1) {
    spendWork(2);
    const end = matchAt(segment, text, start);
    if (end >= 0) return end;
  }
  return -1;
}

/** Whether the segment matches what the text ends with, at or behind unit `from`. */
function matchesAtEnd(segment: Segment, text: string, from: number): boolean {
  if (segment.literal !== undefined)
    return text.length - from >= segment.literal.length && text.endsWith(segment.literal);
  let start = text.length;
  for (let i = segment.items.length; i > 0; i--) {
    // step back one item: a unit, or a whole character for `_`
    start -= segment.items[i - 1] === anyCharacter && start >= 2 && isPairAt(text, start - 2) ? 2 : 1;
    if (start < from) return false;
  }
  return matchAt(segment, text, start) === text.length;
}

/** A pattern that ends with an escape character matches nothing: it fails where matching gets to the end of it. */
function failAtDangling(segments: readonly Segment[], text: string): boolean {
  let at = matchAt(segments[0], text, 0);
  for (const segment of segments.slice(1)) {
    if (at < 0 || at >= text.length) return false;
    if (segment.items[0] === danglingEscape) throw endsWithEscape();
    if (segment.items.length > 0) at = find(segment, text, at);
  }
  return false;
}

function endsWithEscape(): SqlError {
  return new SqlError(sqlstate.invalidEscapeSequence, "LIKE pattern must not end with escape character", {
    hint: "Write the escape character twice to match it, or name another one with ESCAPE.",
  });
}

/** Remembers the last pattern, which is nearly always a constant. */
function rememberPattern(compile: (pattern: string) => Matcher): (text: string, pattern: string) => boolean {
  let lastPattern: string | undefined;
  let matches: Matcher = () => false;
  return (text, pattern) => {
    if (pattern !== lastPattern) {
      matches = compile(pattern);
      lastPattern = pattern;
    }
    return matches(text);
  };
}

const compileSensitive = (pattern: string): Matcher => compileLike(pattern, undefined, false);
const compileInsensitive = (pattern: string): Matcher => compileLike(pattern, undefined, true);

/** Bytes as a string of one unit each, so that one matcher serves both. */
function bytesAsText(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

function likeOperator(
  left: TypeName,
  name: string,
  right: TypeName,
  negator: string,
  compile: (pattern: string) => Matcher,
  negated: boolean,
): Operator {
  return {
    kind: "operator",
    name,
    left,
    right,
    returns: "bool",
    volatility: "immutable",
    negator,
    specialize() {
      const matches = rememberPattern(compile);
      return negated ? (text: string, pattern: string) => !matches(text, pattern) : matches;
    },
  };
}

function likeOperators(left: TypeName, right: TypeName, ignoresCase = false): Operator[] {
  const compile = ignoresCase ? compileInsensitive : compileSensitive;
  return [
    likeOperator(left, "~~", right, "!~~", compile, false),
    likeOperator(left, "!~~", right, "~~", compile, true),
    likeOperator(left, "~~*", right, "!~~*", compileInsensitive, false),
    likeOperator(left, "!~~*", right, "~~*", compileInsensitive, true),
  ];
}

function byteaLike(negated: boolean): (bytes: Uint8Array, pattern: Uint8Array) => boolean {
  const matches = rememberPattern(compileSensitive);
  return (bytes, pattern) => matches(bytesAsText(bytes), bytesAsText(pattern)) !== negated;
}

export const likeMatchers: readonly Operator[] = [
  ...likeOperators("text", "text"),
  ...likeOperators("bpchar", "text"), // blank padding counts
  ...likeOperators("name", "text"),
  ...likeOperators("citext", "citext", true),
  ...likeOperators("citext", "text", true),
  {
    kind: "operator",
    name: "~~",
    left: "bytea",
    right: "bytea",
    returns: "bool",
    volatility: "immutable",
    negator: "!~~",
    specialize: () => byteaLike(false),
  },
  {
    kind: "operator",
    name: "!~~",
    left: "bytea",
    right: "bytea",
    returns: "bool",
    volatility: "immutable",
    negator: "~~",
    specialize: () => byteaLike(true),
  },
];

/** The pattern with another escape character rewritten to use the backslash; an empty one switches escaping off. */
function likeEscape(pattern: string, escapeCharacter: string): string {
  if (escapeCharacter === "") return pattern.replaceAll("\\", "\\\\");
  if (characterCount(escapeCharacter) !== 1)
    throw new SqlError(sqlstate.invalidEscapeSequence, "invalid escape string", {
      hint: "Escape string must be empty or one character.",
    });
  if (escapeCharacter === "\\") return pattern;
  let result = "";
  let afterEscape = false;
  for (const character of pattern) {
    if (character === escapeCharacter && !afterEscape) {
      result += "\\";
      afterEscape = true;
    } else {
      // a backslash stands for itself now; behind an escape character it is already escaped
      result += character === "\\" && !afterEscape ? "\\\\" : character;
      afterEscape = false;
    }
  }
  return result;
}

function likeFunction(name: string, type: TypeName, negated: boolean): ScalarFunction {
  return {
    kind: "scalar",
    name,
    args: [type, type === "bytea" ? "bytea" : "text"],
    returns: "bool",
    volatility: "immutable",
    strict: true,
    specialize() {
      if (type === "bytea") return byteaLike(negated);
      const matches = rememberPattern(compileSensitive);
      return (text: string, pattern: string) => matches(text, pattern) !== negated;
    },
  };
}

export const likeFunctions: readonly ScalarFunction[] = [
  likeFunction("like", "text", false),
  likeFunction("like", "name", false),
  likeFunction("like", "bytea", false),
  likeFunction("notlike", "text", true),
  likeFunction("notlike", "name", true),
  likeFunction("notlike", "bytea", true),
  {
    kind: "scalar",
    name: "like_escape",
    args: ["text", "text"],
    returns: "text",
    volatility: "immutable",
    strict: true,
    description: "A LIKE pattern rewritten to use the backslash as its escape character",
    call: likeEscape,
  },
];
