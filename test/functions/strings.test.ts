/** String, byte string and LIKE functions against recorded answers of a PostgreSQL 15 server. */
import { describe, expect, test } from "vitest";
import { compileLike } from "../../src/functions/like.js";
import { evaluate, testSession } from "../support/call-function.js";
import { differences } from "../support/compare-answers.js";

test.each(["strings", "binary", "like", "citext"])("%s", (file) => {
  expect(differences(`functions/data/${file}.json`)).toEqual([]);
});

describe("compileLike", () => {
  test.each([
    { pattern: "abc", escape: undefined, ignoreCase: false, yes: ["abc"], no: ["ABC", "abcd", ""] },
    { pattern: "abc%", escape: undefined, ignoreCase: true, yes: ["ABCd", "abc"], no: ["xabc"] },
    { pattern: "a!%b", escape: "!", ignoreCase: false, yes: ["a%b"], no: ["axb"] },
    { pattern: "a\\%b", escape: "", ignoreCase: false, yes: ["a\\xb"], no: ["a%b"] },
    { pattern: "%ab_c%", escape: undefined, ignoreCase: false, yes: ["xxab😀cyy", "abxabyc"], no: ["abc"] },
  ])("$pattern escape $escape", ({ pattern, escape: escapeCharacter, ignoreCase, yes, no }) => {
    const matches = compileLike(pattern, escapeCharacter, ignoreCase);
    expect(yes.map(matches)).toEqual(yes.map(() => true));
    expect(no.map(matches)).toEqual(no.map(() => false));
  });

  test("many wildcards in a long text come to an answer, which trying all ways would not", () => {
    const matches = compileLike(`${"%a".repeat(50)}%b`, undefined, false);
    expect(matches("a".repeat(200_000))).toBe(false);
  });
});

test("repeat, lpad and replace report what they need before they make it", () => {
  const asked: number[] = [];
  const session = { ...testSession, reserveBytes: (bytes: number) => void asked.push(bytes) };
  evaluate(
    "repeat",
    [
      { type: "text", text: "ab" },
      { type: "int4", text: "1000" },
    ],
    session,
  );
  evaluate(
    "lpad",
    [
      { type: "text", text: "ab" },
      { type: "int4", text: "100" },
    ],
    session,
  );
  evaluate(
    "replace",
    ["aaa", "a", "bb"].map((text) => ({ type: "text", text })),
    session,
  );
  expect(asked).toEqual([4000, 196, 12]);
});
