/** SIMILAR TO: rewrites SQL's regular expressions into POSIX ones. Source: PostgreSQL 15, 9.7.2. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { characterCount } from "../../types/utf8.js";
import type { ScalarFunction } from "../function.js";

/**
 * The pattern as an advanced regular expression that matches whole texts. `escapeCharacter` is one character, or empty
 * for none. Two marked quotes (`#"`) divide the pattern: then the middle part is the first capture.
 */
export function similarToEscape(pattern: string, escapeCharacter: string): string {
  if (characterCount(escapeCharacter) > 1)
    throw new SqlError(sqlstate.invalidEscapeSequence, "invalid escape string", {
      hint: "Escape string must be empty or one character.",
    });
  let result = "^(?:";
  let afterEscape = false;
  let quotes = 0;
  let bracketDepth = 0;
  let bracketPlace = 0; // 1 right behind the opening bracket, 2 behind its caret, 3 further on
  for (const character of pattern) {
    if (afterEscape) {
      afterEscape = false;
      if (character === '"' && bracketDepth < 1) {
        result += separator(quotes++);
      } else {
        result += `\\${character}`;
        bracketPlace = 3;
      }
    } else if (character === escapeCharacter) afterEscape = true;
    else if (bracketDepth > 0) {
      result += character === "\\" ? "\\\\" : character;
      if (character === "]" && bracketPlace > 2) bracketDepth--;
      else if (character === "[") {
        bracketDepth++;
        bracketPlace = 3;
      } else if (character === "^") bracketPlace++;
      else bracketPlace = 3;
    } else {
      if (character === "[") {
        bracketDepth = 1;
        bracketPlace = 1;
      }
      result += translated(character);
    }
  }
  return `${result})$`;
}

/** The first part is to match as little as possible, the second is captured. */
function separator(quotesBefore: number): string {
  if (quotesBefore === 0) return "){1,1}?(";
  if (quotesBefore === 1) return "){1,1}(?:";
  throw new SqlError("2200C", "SQL regular expression may not contain more than two escape-double-quote separators");
}

function translated(character: string): string {
  switch (character) {
    case "%":
      return ".*";
    case "_":
      return ".";
    case "(":
      return "(?:";
    case "\\":
    case ".":
    case "^":
    case "$":
      return `\\${character}`;
    default:
      return character;
  }
}

export const similarFunctions: readonly ScalarFunction[] = [
  {
    kind: "scalar",
    name: "similar_to_escape",
    args: ["text"],
    returns: "text",
    volatility: "immutable",
    strict: true,
    call: (pattern: string) => similarToEscape(pattern, "\\"),
  },
  {
    kind: "scalar",
    name: "similar_to_escape",
    args: ["text", "text"],
    returns: "text",
    volatility: "immutable",
    strict: true,
    call: similarToEscape,
  },
  {
    kind: "scalar",
    name: "similar_escape",
    args: ["text", "text"],
    returns: "text",
    volatility: "immutable",
    strict: false,
    call: (pattern: string | null, escapeCharacter: string | null) =>
      pattern === null ? null : similarToEscape(pattern, escapeCharacter ?? "\\"),
  },
];
