/** The functions of regular expressions that find, count and split. Source: PostgreSQL 15, 9.7.3. */
import { characterCount } from "../../types/utf8.js";
import type { Value } from "../../types/value.js";
import type { Callable, ScalarFunction, SetReturningFunction } from "../function.js";
import { allMatches, captureText, captureTexts, compileLocal, invalidParameter, separators } from "./matching.js";
import { parseFlags } from "./options.js";
import { compileRegex, type Regex } from "./regex.js";
import { startOffset } from "./replacing.js";
import { similarToEscape } from "./similar.js";
import { defaultOptions } from "./syntax.js";

export function regexpMatch(text: string, pattern: string, flags?: string): Value {
  const regex = compileLocal(pattern, flags, "regexp_match", "Use the regexp_matches function instead.");
  const match = regex.exec(text);
  return match === undefined ? null : captureTexts(text, match);
}

export function* regexpMatches(text: string, pattern: string, flags = ""): Iterable<Value> {
  const { options, global } = parseFlags(flags);
  const regex = compileRegex(pattern, options);
  for (const match of allMatches(regex, text, 0, true)) {
    yield captureTexts(text, match);
    if (!global) return;
  }
}

function* split(text: string, regex: Regex): Iterable<string> {
  let from = 0;
  for (const match of separators(regex, text)) {
    yield text.slice(from, match[0]);
    from = match[1];
  }
  yield text.slice(from);
}

export function regexpSplitToArray(text: string, pattern: string, flags?: string): Value {
  return [...split(text, compileLocal(pattern, flags, "regexp_split_to_array"))];
}

export function regexpSplitToTable(text: string, pattern: string, flags?: string): Iterable<Value> {
  return split(text, compileLocal(pattern, flags, "regexp_split_to_table"));
}

function regexpLike(text: string, pattern: string, flags?: string): boolean {
  return compileLocal(pattern, flags, "regexp_like").test(text);
}

function regexpCount(text: string, pattern: string, start = 1, flags = ""): number {
  if (start <= 0) throw invalidParameter("start", start);
  const regex = compileLocal(pattern, flags, "regexp_count");
  let count = 0;
  for (const _match of allMatches(regex, text, startOffset(text, start), false)) count++;
  return count;
}

/**
 * Start and end (in units) of a capture of match number `n`, `undefined` when there is none. A pattern without captures
 * counts as one that captures the whole.
 */
function findPart(
  regex: Regex,
  text: string,
  start: number,
  n: number,
  wanted: number,
): { start: number; end: number } | undefined {
  const part = wanted === 1 && regex.captureCount === 0 ? 0 : wanted;
  if (part > regex.captureCount) return undefined;
  let count = 0;
  for (const match of allMatches(regex, text, startOffset(text, start), part > 0)) {
    if (++count < n) continue;
    return match[2 * part] < 0 ? undefined : { start: match[2 * part], end: match[2 * part + 1] };
  }
  return undefined;
}

function regexpInstr(text: string, pattern: string, start = 1, n = 1, endOption = 0, flags = "", part = 0): number {
  if (start <= 0) throw invalidParameter("start", start);
  if (n <= 0) throw invalidParameter("n", n);
  if (endOption !== 0 && endOption !== 1) throw invalidParameter("endoption", endOption);
  if (part < 0) throw invalidParameter("subexpr", part);
  const found = findPart(compileLocal(pattern, flags, "regexp_instr"), text, start, n, part);
  if (found === undefined) return 0;
  return characterCount(text.slice(0, endOption === 1 ? found.end : found.start)) + 1;
}

function regexpSubstr(text: string, pattern: string, start = 1, n = 1, flags = "", part = 0): string | null {
  if (start <= 0) throw invalidParameter("start", start);
  if (n <= 0) throw invalidParameter("n", n);
  if (part < 0) throw invalidParameter("subexpr", part);
  const found = findPart(compileLocal(pattern, flags, "regexp_substr"), text, start, n, part);
  return found === undefined ? null : text.slice(found.start, found.end);
}

/** The first capture, or the whole match when there is none. */
function substringFromPattern(text: string, pattern: string): string | null {
  const regex = compileRegex(pattern, defaultOptions);
  const match = regex.exec(text);
  return match === undefined ? null : captureText(text, match, regex.captureCount > 0 ? 1 : 0);
}

function substringSimilar(text: string, pattern: string, escapeCharacter: string): string | null {
  return substringFromPattern(text, similarToEscape(pattern, escapeCharacter));
}

function entries(
  name: string,
  args: ScalarFunction["args"],
  optional: number,
  returns: ScalarFunction["returns"],
  call: Callable,
): ScalarFunction[] {
  return Array.from({ length: optional + 1 }, (_, i) => ({
    kind: "scalar" as const,
    name,
    args: args.slice(0, args.length - optional + i),
    returns,
    volatility: "immutable" as const,
    strict: true,
    call,
  }));
}

function setEntries(
  name: string,
  returns: SetReturningFunction["returns"],
  call: (text: string, pattern: string, flags?: string) => Iterable<Value>,
): SetReturningFunction[] {
  return [["text", "text"] as const, ["text", "text", "text"] as const].map((args) => ({
    kind: "set" as const,
    name,
    args,
    returns,
    volatility: "immutable" as const,
    strict: true,
    specialize: () => call as (...args: Value[]) => Iterable<Value>,
  }));
}

export const regexFunctions: readonly ScalarFunction[] = [
  ...entries("regexp_match", ["text", "text", "text"], 1, "text[]", regexpMatch),
  ...entries("regexp_like", ["text", "text", "text"], 1, "bool", regexpLike),
  ...entries("regexp_count", ["text", "text", "int4", "text"], 2, "int4", regexpCount),
  ...entries("regexp_instr", ["text", "text", "int4", "int4", "int4", "text", "int4"], 5, "int4", regexpInstr),
  ...entries("regexp_substr", ["text", "text", "int4", "int4", "text", "int4"], 4, "text", regexpSubstr),
  ...entries("regexp_split_to_array", ["text", "text", "text"], 1, "text[]", regexpSplitToArray),
  ...entries("substring", ["text", "text"], 0, "text", substringFromPattern),
  ...entries("substring", ["text", "text", "text"], 0, "text", substringSimilar),
];

export const regexSetFunctions: readonly SetReturningFunction[] = [
  ...setEntries("regexp_matches", "text[]", regexpMatches),
  ...setEntries("regexp_split_to_table", "text", regexpSplitToTable),
];
