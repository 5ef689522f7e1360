/** What the regular expression functions share: reading flags, and walking over the matches of a text. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { isPairAt } from "../../types/utf8.js";
import { spendWork } from "../../types/work.js";
import type { Captures } from "./dissect.js";
import { parseFlags } from "./options.js";
import { compileRegex, type Regex } from "./regex.js";
import { defaultOptions } from "./syntax.js";

/** The error of functions that always, or never, take all matches. */
function noGlobalOption(name: string, hint?: string): SqlError {
  return new SqlError(sqlstate.invalidParameterValue, `${name}() does not support the "global" option`, { hint });
}

export function invalidParameter(name: string, value: number): SqlError {
  return new SqlError(sqlstate.invalidParameterValue, `invalid value for parameter "${name}": ${value}`);
}

/** Compiles a pattern for a function that refuses the flag g. */
export function compileLocal(pattern: string, flags: string | undefined, functionName: string, hint?: string): Regex {
  if (flags === undefined || flags === "") return compileRegex(pattern, defaultOptions);
  const { options, global } = parseFlags(flags);
  if (global) throw noGlobalOption(functionName, hint);
  return compileRegex(pattern, options);
}

/** The text of capture number `n` (0 is the match), NULL when it took no part. */
export function captureText(text: string, match: Captures, n: number): string | null {
  const start = match[2 * n];
  return start < 0 ? null : text.slice(start, match[2 * n + 1]);
}

/** What regexp_match returns for a match: its captures, or the whole when the pattern has none. */
export function captureTexts(text: string, match: Captures): (string | null)[] {
  const count = match.length / 2 - 1;
  if (count === 0) return [captureText(text, match, 0)];
  return Array.from({ length: count }, (_, i) => captureText(text, match, i + 1));
}

/** What is done with a match, in units of work. */
const unitsOfMatch = 16;

/** All matches from unit `from` on; behind an empty match the search goes on one character further. */
export function* allMatches(regex: Regex, text: string, from: number, captures: boolean): Iterable<Captures> {
  const search = regex.search(text);
  for (let at = from; at <= text.length; ) {
    const match = search.next(at, captures);
    if (match === undefined) return;
    yield match;
    spendWork(unitsOfMatch);
    at = match[1];
    if (match[0] === match[1]) at += isPairAt(text, at) ? 2 : 1;
  }
}

/** Like {@link allMatches}, for splitting: empty matches at either end or right behind another match do not count. */
export function* separators(regex: Regex, text: string): Iterable<Captures> {
  let previousEnd = 0;
  for (const match of allMatches(regex, text, 0, false)) {
    if (match[0] < text.length && match[1] > previousEnd) yield match;
    previousEnd = match[1];
  }
}
