/** `to_char` and its inverses on the recorded answers of PostgreSQL 15. */
import { describe, expect, test } from "vitest";
import { formattingFunctions } from "../../../src/functions/formatting/functions.js";
import { numberToChar } from "../../../src/functions/formatting/number-to-char.js";
import { answer, type Case } from "../../types/datetime/cases.js";
import cases from "../data/formatting.json" with { type: "json" };

const functions = [...formattingFunctions, ...numberToChar];

function title({ function: name, args = [], zone = "UTC" }: Case): string {
  return `${name}(${args.map(([type, text]) => `${type} '${text}'`).join(", ")}) in ${zone}`;
}

describe("to_char, to_number, to_date and to_timestamp answer as a PostgreSQL 15 server", () => {
  test.each((cases as Case[]).map((item) => ({ item, name: title(item) })))("$name", ({ item }) => {
    const { result, error, message, hint } = item;
    const expected =
      error === undefined ? { result } : hint === undefined ? { error, message } : { error, message, hint };
    expect(answer(item, functions, [])).toEqual(expected);
  });
});

describe("patterns that are refused for intervals, whose answers on a server have no meaning", () => {
  test.each(["IYYY", "IW", "IDDD", "J"])("%s", (pattern) => {
    const item: Case = {
      function: "to_char",
      args: [
        ["interval", "1 year 2 mons"],
        ["text", pattern],
      ],
    };
    expect(answer(item, functions, [])).toMatchObject({ error: "0A000" });
  });
});
