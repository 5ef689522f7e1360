/**
 * String functions of citext that are not those of text: they find and compare without case. The others take citext
 * as text. Source: PostgreSQL 15, F.10 "citext", version 1.6.
 */
import { lowerText, upperText } from "../types/letter-case.js";
import type { TypeName } from "../types/type.js";
import type { Value } from "../types/value.js";
import type { Callable, ScalarFunction, SetReturningFunction } from "./function.js";
import { regexpMatch, regexpMatches, regexpSplitToArray, regexpSplitToTable } from "./regex/functions.js";
import { replacer } from "./regex/replacing.js";
import { translate } from "./strings/replacing.js";
import { position } from "./strings/substrings.js";

/** The flags with `i` added, unless they ask for case with `c`. */
function caseless(flags = ""): string {
  return flags.includes("c") ? flags : `${flags}i`;
}

/** A pattern that matches just this text. */
function literalPattern(text: string): string {
  return text.replace(/[^a-zA-Z_0-9]/gu, "\\$&");
}

function scalar(name: string, args: readonly TypeName[], returns: TypeName, call: Callable): ScalarFunction {
  return { kind: "scalar", name, args, returns, volatility: "immutable", strict: true, call };
}

/** A function of text, pattern and perhaps flags, in its two forms. */
function matching(
  name: string,
  returns: TypeName,
  call: (text: string, pattern: string, flags: string) => Value,
): ScalarFunction[] {
  const caselessCall = (text: string, pattern: string, flags?: string): Value => call(text, pattern, caseless(flags));
  return [
    scalar(name, ["citext", "citext"], returns, caselessCall),
    scalar(name, ["citext", "citext", "text"], returns, caselessCall),
  ];
}

function rows(
  name: string,
  returns: TypeName,
  call: (text: string, pattern: string, flags: string) => Iterable<Value>,
): SetReturningFunction[] {
  const forms: readonly (readonly TypeName[])[] = [
    ["citext", "citext"],
    ["citext", "citext", "text"],
  ];
  return forms.map((args) => ({
    kind: "set",
    name,
    args,
    returns,
    volatility: "immutable",
    strict: true,
    specialize: () => (text, pattern, flags) =>
      call(text as string, pattern as string, caseless(flags as string | undefined)),
  }));
}

/** The replacement may name captures, as in regexp_replace; for plain `replace` too. */
function replacing(name: string, args: readonly TypeName[], toPattern: (from: string) => string, base: string) {
  const entry: ScalarFunction = {
    kind: "scalar",
    name,
    args,
    returns: "text",
    volatility: "immutable",
    strict: true,
    specialize(site) {
      const replace = replacer("flags")(site);
      return (text: string, from: string, to: string, flags?: string) =>
        replace(text, toPattern(from), to, caseless(flags ?? base));
    },
  };
  return entry;
}

const same = (pattern: string): string => pattern;

export const citextFunctions: readonly ScalarFunction[] = [
  ...matching("regexp_match", "text[]", regexpMatch),
  ...matching("regexp_split_to_array", "text[]", regexpSplitToArray),
  replacing("regexp_replace", ["citext", "citext", "text"], same, ""),
  replacing("regexp_replace", ["citext", "citext", "text", "text"], same, ""),
  replacing("replace", ["citext", "citext", "citext"], literalPattern, "g"),
  scalar("strpos", ["citext", "citext"], "int4", (text: string, part: string) =>
    position(lowerText(text), lowerText(part)),
  ),
  scalar("split_part", ["citext", "citext", "int4"], "text", (text: string, delimiter: string, n: number) => {
    const fields = regexpSplitToArray(text, literalPattern(delimiter), "i") as string[];
    return fields[n - 1] ?? null;
  }),
  scalar("translate", ["citext", "citext", "text"], "text", (text: string, from: string, to: string) =>
    translate(translate(text, lowerText(from), to), upperText(from), to),
  ),
];

export const citextSetFunctions: readonly SetReturningFunction[] = [
  ...rows("regexp_matches", "text[]", regexpMatches),
  ...rows("regexp_split_to_table", "text", regexpSplitToTable),
];
