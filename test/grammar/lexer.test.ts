/** Text as tokens, and text that cannot be read. */
import { describe, expect, test } from "vitest";
import { tokenize } from "../../src/grammar/lexer.js";

const shown = (sql: string) => tokenize(sql).map((token) => `${token.tokenType.name}:${token.value}`);

describe("tokens", () => {
  test.each([
    { name: "keywords in any case", sql: "SeLeCt", tokens: ["SELECT:select"] },
    { name: "names are folded, letters beyond ASCII are not", sql: "ÄbC", tokens: ["Identifier:Äbc"] },
    { name: "quoted names are kept", sql: '"Ab""C"', tokens: ['Identifier:Ab"C'] },
    { name: "names are cut to 63 bytes", sql: "a".repeat(70), tokens: [`Identifier:${"a".repeat(63)}`] },
    { name: "never within a character", sql: "é".repeat(40), tokens: [`Identifier:${"é".repeat(31)}`] },
    { name: "comments nest", sql: "1 /* a /* b */ c */ 2 -- 3", tokens: ["Integer:1", "Integer:2"] },
    { name: "doubled quotes", sql: "'it''s'", tokens: ["String:it's"] },
    { name: "backslashes are plain", sql: "'a\\n'", tokens: ["String:a\\n"] },
    { name: "pieces of a string over lines", sql: "'a'\n  'b' -- x\n 'c'", tokens: ["String:abc"] },
    { name: "no pieces on one line", sql: "'a' 'b'", tokens: ["String:a", "String:b"] },
    { name: "escapes", sql: "E'a\\n\\x41\\101\\u00e9\\'\\q'", tokens: ["String:a\nAAé'q"] },
    { name: "bytes make characters", sql: "e'\\xc3\\xa9'", tokens: ["String:é"] },
    { name: "surrogate pairs", sql: "E'\\ud83d\\ude00'", tokens: ["String:😀"] },
    { name: "Unicode strings", sql: "U&'d\\0061t\\+000061'", tokens: ["String:data"] },
    { name: "with their own escape", sql: "U&'d!0061' UESCAPE '!'", tokens: ["String:da"] },
    { name: "Unicode names", sql: 'U&"d\\0061"', tokens: ["Identifier:da"] },
    { name: "dollar quotes", sql: "$$a'b$$ $x$c$$d$x$", tokens: ["String:a'b", "String:c$$d"] },
    { name: "national strings", sql: "N'a'", tokens: ["NCHAR:nchar", "String:a"] },
    { name: "bit strings", sql: "B'01' x'1F'", tokens: ["BitString:b01", "BitString:x1F"] },
    {
      name: "numbers",
      sql: "1 1.5 .5 1. 1e10 1.5E-3",
      tokens: ["Integer:1", "Decimal:1.5", "Decimal:.5", "Decimal:1.", "Decimal:1e10", "Decimal:1.5E-3"],
    },
    { name: "two dots end a number", sql: "1..2", tokens: ["Integer:1", "Illegal:..", "Integer:2"] },
    { name: "parameters", sql: "$12", tokens: ["Parameter:12"] },
    { name: "longest operator", sql: "a->>'b'", tokens: ["Identifier:a", "Operator:->>", "String:b"] },
    {
      name: "a trailing sign is not part of it",
      sql: "a=-1",
      tokens: ["Identifier:a", "Equal:=", "Minus:-", "Integer:1"],
    },
    { name: "unless it holds a special character", sql: "a@-1", tokens: ["Identifier:a", "Operator:@-", "Integer:1"] },
    { name: "an operator ends at a comment", sql: "a+--x\n1", tokens: ["Identifier:a", "Plus:+", "Integer:1"] },
    { name: "!= is <>", sql: "a!=b", tokens: ["Identifier:a", "NotEqual:<>", "Identifier:b"] },
    {
      name: "special forms need their parenthesis",
      sql: "coalesce(coalesce)",
      tokens: ["COALESCE:coalesce", "LeftParen:(", "Identifier:coalesce", "RightParen:)"],
    },
  ])("$name: $sql", ({ sql, tokens }) => expect(shown(sql)).toEqual(tokens));

  test("an opening parenthesis knows its closing one", () => {
    const tokens = tokenize("((a)) (");
    expect(tokens.filter((token) => token.image === "(").map((token) => token.close)).toEqual([4, 3, 6]);
  });
});

describe("text that cannot be read becomes a broken token", () => {
  test.each([
    { sql: "'abc", code: "42601", message: 'unterminated quoted string at or near "\'abc"', position: 1 },
    { sql: 'x "abc', code: "42601", message: 'unterminated quoted identifier at or near ""abc"', position: 3 },
    { sql: "$$abc", code: "42601", message: 'unterminated dollar-quoted string at or near "$$abc"', position: 1 },
    { sql: "1 /* abc", code: "42601", message: 'unterminated /* comment at or near "/* abc"', position: 3 },
    { sql: "b'01", code: "42601", message: 'unterminated bit string literal at or near "b\'01"', position: 1 },
    { sql: '""', code: "42601", message: 'zero-length delimited identifier at or near """"', position: 1 },
    { sql: "123abc", code: "42601", message: 'trailing junk after numeric literal at or near "123a"', position: 1 },
    { sql: "1e+", code: "42601", message: 'trailing junk after numeric literal at or near "1e+"', position: 1 },
    { sql: "$1a", code: "42601", message: 'trailing junk after parameter at or near "$1a"', position: 1 },
    { sql: "E'\\u12'", code: "22025", message: "invalid Unicode escape", position: 3 },
    { sql: "E'\\xff'", code: "22021", message: 'invalid byte sequence for encoding "UTF8": 0xff', position: 3 },
    { sql: "U&'\\12'", code: "42601", message: "invalid Unicode escape", position: 4 },
    { sql: "a\0b", code: "22021", message: 'invalid byte sequence for encoding "UTF8": 0x00', position: 2 },
  ])("$sql", ({ sql, code, message, position }) => {
    expect(tokenize(sql).at(-1)?.error).toMatchObject({ code, message, position });
  });
});
