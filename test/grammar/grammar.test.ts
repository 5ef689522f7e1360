/** The grammar as a whole: Chevrotain's validation, the keywords, how deep it reads. */
import { describe, expect, test } from "vitest";
import { parse } from "../../src/grammar/parse.js";
import { SqlParser } from "../../src/grammar/parser/statements.js";
import { isBareLabel, keywordClasses } from "../../src/grammar/tokens.js";

test("the grammar passes Chevrotain's full validation", () => {
  expect(() => new SqlParser({ validate: true })).not.toThrow();
});

test("keywords are PostgreSQL 15's", () => {
  const count = (kind: string) => [...keywordClasses.values()].filter((found) => found === kind).length;
  expect(keywordClasses.size).toBe(460);
  expect(count("reserved")).toBe(77);
  expect(count("column name")).toBe(51);
  expect(count("type or function name")).toBe(23);
  expect([...keywordClasses.keys()].filter((word) => !isBareLabel(word)).length).toBe(39);
});

describe("nesting", () => {
  const nested = (depth: number, open: string, close: string) => `select ${open.repeat(depth)}1${close.repeat(depth)}`;
  const forms = [
    { name: "parentheses", open: "(", close: ")" },
    { name: "subqueries", open: "(select ", close: ")" },
    { name: "CASE", open: "case when true then ", close: " end" },
    { name: "calls", open: "f(", close: ")" },
    { name: "NOT", open: "not ", close: "" },
    { name: "signs", open: "- ", close: "" },
    { name: "arrays", open: "array[", close: "]" },
    { name: "casts", open: "cast(", close: " as int)" },
  ];

  test.each(forms)("$name: 100 levels are read", ({ open, close }) => {
    expect(parse(nested(100, open, close))).toHaveLength(1);
  });

  test.each(forms)("$name: 10,000 levels are refused", ({ open, close }) => {
    expect(() => parse(nested(10_000, open, close))).toThrow(expect.objectContaining({ code: "54001" }));
  });

  test("the limit can be set", () => {
    expect(() => parse(nested(30, "(", ")"), { maxDepth: 20 })).toThrow(
      expect.objectContaining({ code: "54001", message: "stack depth limit exceeded" }),
    );
  });

  test.each(["and", "or", "+", "||", "union select", "= 1 and", "intersect select"])(
    "20,000 times %s is no nesting",
    (word) => {
      expect(parse(`select ${new Array(20_000).fill("1").join(` ${word} `)}`)).toHaveLength(1);
    },
  );

  test("a failure leaves nothing behind", () => {
    expect(() => parse(nested(10_000, "(", ")"))).toThrow();
    expect(() => parse("select ((((1 2")).toThrow();
    expect(parse(nested(100, "(", ")"))).toHaveLength(1);
  });
});
