/** Flags of the regular expression functions, and options inside the pattern (`(?i)`, `***=`). Source: PostgreSQL 15, 9.7.3.4. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { invalidRegex, regexFault } from "./errors.js";
import { defaultOptions, type RegexOptions } from "./syntax.js";

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** Applies one option letter; false when there is none such. */
function applyLetter(options: Mutable<RegexOptions>, letter: string): boolean {
  switch (letter) {
    case "b":
      throw basicSyntax(letter);
    case "c":
      options.ignoreCase = false;
      return true;
    case "e":
      options.syntax = "extended";
      return true;
    case "i":
      options.ignoreCase = true;
      return true;
    case "m":
    case "n":
      options.newlineStops = true;
      options.lineAnchors = true;
      return true;
    case "p":
      options.newlineStops = true;
      options.lineAnchors = false;
      return true;
    case "q":
      options.syntax = "literal";
      return true;
    case "s":
      options.newlineStops = false;
      options.lineAnchors = false;
      return true;
    case "t":
      options.expanded = false;
      return true;
    case "w":
      options.newlineStops = false;
      options.lineAnchors = true;
      return true;
    case "x":
      options.expanded = true;
      return true;
    default:
      return false;
  }
}

function basicSyntax(letter: string): SqlError {
  return new SqlError(sqlstate.featureNotSupported, "basic regular expressions are not supported", {
    hint: `Leave the option ${letter} out and write the pattern as an advanced regular expression.`,
  });
}

/** Options of a flags argument; `global` is the letter g, which not every function takes. */
export function parseFlags(flags: string): { options: RegexOptions; global: boolean } {
  const options: Mutable<RegexOptions> = { ...defaultOptions };
  let global = false;
  for (const letter of flags) {
    if (letter === "g") global = true;
    else if (letter === "e")
      throw basicSyntax(letter); // as a flag it selects basic syntax in PostgreSQL 15; `(?e)` does not
    else if (!applyLetter(options, letter))
      throw new SqlError(sqlstate.invalidParameterValue, `invalid regular expression option: "${letter}"`, {
        hint: "The options are c, g, i, m, n, p, q, s, t, w and x.",
      });
  }
  return { options, global };
}

/** The pattern without its director (`***:`, `***=`) and embedded options, which are applied. */
export function withEmbeddedOptions(pattern: string, given: RegexOptions): { text: string; options: RegexOptions } {
  if (given.syntax === "literal") return { text: pattern, options: given };
  const options: Mutable<RegexOptions> = { ...given };
  let text = pattern;
  if (text.startsWith("***")) {
    if (text[3] === "=") return { text: text.slice(4), options: { ...options, syntax: "literal" } };
    if (text[3] !== ":") throw invalidRegex(regexFault.quantifier);
    options.syntax = "advanced";
    text = text.slice(4);
  }
  if (options.syntax === "advanced" && /^\(\?[A-Za-z]/.test(text)) {
    const close = text.indexOf(")");
    for (const letter of text.slice(2, close === -1 ? text.length : close))
      if (letter === "g" || !applyLetter(options, letter)) throw invalidRegex(regexFault.option);
    if (close === -1) throw invalidRegex(regexFault.option);
    text = text.slice(close + 1);
  }
  return { text, options };
}
