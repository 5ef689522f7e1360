/** regexp_replace. Source: PostgreSQL 15, 9.7.3. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { offsetOfCharacter } from "../../types/utf8.js";
import type { CallSite, ScalarFunction, SessionContext } from "../function.js";
import { lengthTooLarge, maxAllocation } from "../strings/define.js";
import type { Captures } from "./dissect.js";
import { allMatches, invalidParameter } from "./matching.js";
import { parseFlags } from "./options.js";
import { compileRegex, type Regex } from "./regex.js";

/** A replacement in pieces: text, or the number of a capture (0 for the match). */
type Template = readonly (string | number)[];

/** `\1` to `\9` and `\&` stand for captures, `\\` for a backslash; any other backslash is kept. */
function parseTemplate(replacement: string): Template {
  const pieces: (string | number)[] = [];
  let literal = "";
  for (let i = 0; i < replacement.length; i++) {
    const next = replacement[i] === "\\" ? replacement[i + 1] : undefined;
    if (next === "&" || (next !== undefined && next >= "1" && next <= "9")) {
      if (literal !== "") pieces.push(literal);
      literal = "";
      pieces.push(next === "&" ? 0 : Number(next));
      i++;
    } else {
      literal += replacement[i];
      if (next === "\\") i++;
    }
  }
  if (literal !== "") pieces.push(literal);
  return pieces;
}

function fill(template: Template, text: string, match: Captures): string {
  let result = "";
  for (const piece of template) {
    if (typeof piece === "string") result += piece;
    else if (2 * piece < match.length && match[2 * piece] >= 0)
      result += text.slice(match[2 * piece], match[2 * piece + 1]);
  }
  return result;
}

/** Replaces match number `n` from unit `from` on, or all when `n` is 0. */
function replaceMatches(
  regex: Regex,
  text: string,
  template: Template,
  from: number,
  n: number,
  session: SessionContext,
): string {
  if (from === 0 && !regex.test(text)) return text;
  const wantsCaptures = template.some((piece) => typeof piece === "number" && piece > 0);
  let result = "";
  let copied = 0;
  let count = 0;
  for (const match of allMatches(regex, text, from, wantsCaptures)) {
    if (n > 0 && ++count !== n) continue;
    result += text.slice(copied, match[0]) + fill(template, text, match);
    copied = match[1];
    if (n > 0) break;
    if (result.length > maxAllocation) throw lengthTooLarge();
  }
  if (copied === 0 && result === "") return text;
  result += text.slice(copied);
  if (result.length > 2 * text.length) session.reserveBytes(result.length * 2);
  return result;
}

/** regexp_replace for a call site. Argument forms: flags behind the replacement, or start, number and flags. */
export function replacer(form: "flags" | "positions") {
  return ({ session }: CallSite) => {
    let lastReplacement: string | undefined;
    let template: Template = [];
    return (text: string, pattern: string, replacement: string, ...rest: (string | number)[]): string => {
      if (replacement !== lastReplacement) {
        template = parseTemplate(replacement);
        lastReplacement = replacement;
      }
      if (form === "flags") {
        const flags = (rest[0] ?? "") as string;
        if (flags[0] >= "0" && flags[0] <= "9") throw digitAsFlag(flags[0]);
        const { options, global } = parseFlags(flags);
        return replaceMatches(compileRegex(pattern, options), text, template, 0, global ? 0 : 1, session);
      }
      const [start, n, flags] = rest as [number, number | undefined, string | undefined];
      if (start <= 0) throw invalidParameter("start", start);
      if (n !== undefined && n < 0) throw invalidParameter("n", n);
      const { options, global } = parseFlags(flags ?? "");
      const from = startOffset(text, start);
      return replaceMatches(compileRegex(pattern, options), text, template, from, n ?? (global ? 0 : 1), session);
    };
  };
}

/** Unit of the character at a 1-based position; one behind the end when there is none. */
export function startOffset(text: string, start: number): number {
  if (start === 1) return 0;
  const offset = offsetOfCharacter(text, start - 1);
  return offset === text.length && start - 1 > text.length ? text.length + 1 : offset;
}

function digitAsFlag(digit: string): SqlError {
  return new SqlError(sqlstate.invalidParameterValue, `invalid regular expression option: "${digit}"`, {
    hint: "If you meant to use regexp_replace() with a start parameter, cast the fourth argument to integer explicitly.",
  });
}

function entry(args: ScalarFunction["args"], form: "flags" | "positions"): ScalarFunction {
  return {
    kind: "scalar",
    name: "regexp_replace",
    args: ["text", "text", "text", ...args],
    returns: "text",
    volatility: "immutable",
    strict: true,
    specialize: replacer(form),
  };
}

export const regexReplacing: readonly ScalarFunction[] = [
  entry([], "flags"),
  entry(["text"], "flags"),
  entry(["int4"], "positions"),
  entry(["int4", "int4"], "positions"),
  entry(["int4", "int4", "text"], "positions"),
];
