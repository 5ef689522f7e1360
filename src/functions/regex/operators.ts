/** The matching operators `~`, `~*`, `!~`, `!~*`. Source: PostgreSQL 15, 9.7.3, table "Regular Expression Match Operators". */
import type { TypeName } from "../../types/type.js";
import type { Operator } from "../function.js";
import { compileRegex, type Regex } from "./regex.js";
import { defaultOptions } from "./syntax.js";

function matcher(left: TypeName, name: string, right: TypeName, negator: string, ignoresCase: boolean): Operator {
  const options = { ...defaultOptions, ignoreCase: ignoresCase || name.endsWith("*") };
  const negated = name.startsWith("!");
  return {
    kind: "operator",
    name,
    left,
    right,
    returns: "bool",
    volatility: "immutable",
    negator,
    specialize() {
      let lastPattern: string | undefined;
      let regex: Regex | undefined;
      return (text: string, pattern: string) => {
        if (regex === undefined || pattern !== lastPattern) {
          regex = compileRegex(pattern, options);
          lastPattern = pattern;
        }
        return regex.test(text) !== negated;
      };
    },
  };
}

function matchers(left: TypeName, right: TypeName, ignoresCase = false): Operator[] {
  return [
    matcher(left, "~", right, "!~", ignoresCase),
    matcher(left, "!~", right, "~", ignoresCase),
    matcher(left, "~*", right, "!~*", ignoresCase),
    matcher(left, "!~*", right, "~*", ignoresCase),
  ];
}

export const regexOperators: readonly Operator[] = [
  ...matchers("text", "text"),
  ...matchers("bpchar", "text"), // blank padding counts
  ...matchers("name", "text"),
  ...matchers("citext", "citext", true),
  ...matchers("citext", "text", true),
];
