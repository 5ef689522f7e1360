/** Regular expressions against recorded answers of a PostgreSQL 15 server; what is refused; that no pattern hangs. */
import { describe, expect, test } from "vitest";
import { compileRegex } from "../../src/functions/regex/regex.js";
import { defaultOptions } from "../../src/functions/regex/syntax.js";
import { evaluate, evaluateSet } from "../support/call-function.js";
import { differences } from "../support/compare-answers.js";

test.each(["regex", "regex-random"])("%s", (file) => {
  expect(differences(`functions/data/${file}.json`)).toEqual([]);
});

const text = (value: string) => ({ type: "text", text: value });

test.each([
  { name: "lookahead", pattern: "a(?=b)" },
  { name: "negative lookahead", pattern: "a(?!b)" },
  { name: "lookbehind", pattern: "(?<=a)b" },
  { name: "back-reference", pattern: "(a)\\1" },
  { name: "basic syntax in the pattern", pattern: "(?b)a" },
])("$name is refused", ({ pattern }) => {
  expect(() => evaluate("regexp_match", [text("ab"), text(pattern)])).toThrow(
    expect.objectContaining({ code: "0A000", message: expect.stringContaining("not supported") }),
  );
});

test.each(["b", "e"])("the flag %s is refused, as it means basic syntax", (flag) => {
  expect(() => evaluate("regexp_like", [text("ab"), text("a"), text(flag)])).toThrow(
    expect.objectContaining({ code: "0A000", message: "basic regular expressions are not supported" }),
  );
});

describe("patterns that would never come to an answer by trying all ways", () => {
  test.each([
    { name: "nested quantifiers", pattern: "^(a+)+$" },
    { name: "overlapping alternatives", pattern: "^(a|aa)*$" },
    { name: "many optional parts", pattern: `${"a?".repeat(60)}${"a".repeat(60)}!` },
    { name: "captures in loops", pattern: "((a*)*)*(x)" },
    { name: "a counted group", pattern: "^(a|ab){100,200}$" },
  ])("$name", ({ pattern }) => {
    expect(compileRegex(pattern, defaultOptions).exec(`${"a".repeat(50_000)}b`)).toBeUndefined();
  });
});

describe("set-returning functions", () => {
  test("regexp_matches gives every match with the flag g", () => {
    const args = [text("foobarbequebazilbarfbonk"), text("(b[^b]+)(b[^b]+)")];
    expect(evaluateSet("regexp_matches", [...args, text("g")])).toEqual([
      ["bar", "beque"],
      ["bazil", "barf"],
    ]);
    expect(evaluateSet("regexp_matches", args)).toEqual([["bar", "beque"]]);
    expect(evaluateSet("regexp_matches", [text("abc"), text("x")])).toEqual([]);
  });

  test("regexp_split_to_table", () => {
    expect(evaluateSet("regexp_split_to_table", [text("the quick fox"), text("\\s+")])).toEqual([
      "the",
      "quick",
      "fox",
    ]);
    expect(() => evaluateSet("regexp_split_to_table", [text("a"), text("b"), text("g")])).toThrow(
      'regexp_split_to_table() does not support the "global" option',
    );
  });
});
