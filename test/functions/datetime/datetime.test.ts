/** Functions, operators and casts of dates and times on the recorded answers of PostgreSQL 15. */
import { describe, expect, test } from "vitest";
import { conversionFunctions } from "../../../src/functions/datetime/conversions.js";
import { extractFunctions } from "../../../src/functions/datetime/extract.js";
import { makeFunctions } from "../../../src/functions/datetime/make.js";
import { datetimeOperators } from "../../../src/functions/datetime/operators.js";
import { periodFunctions } from "../../../src/functions/datetime/periods.js";
import { truncateFunctions } from "../../../src/functions/datetime/truncate.js";
import { answer, type Case } from "../../types/datetime/cases.js";
import cases from "../data/datetime.json" with { type: "json" };

const functions = [
  ...extractFunctions,
  ...truncateFunctions,
  ...makeFunctions,
  ...conversionFunctions,
  ...periodFunctions,
];

function title({ function: name, operator, cast, args = [], zone = "UTC" }: Case): string {
  const shown = args.map(([type, text]) => `${type} '${text}'`).join(", ");
  return `${name ?? operator ?? `cast to ${cast}`}: ${shown} in ${zone}`;
}

describe("functions, operators and casts answer as a PostgreSQL 15 server", () => {
  test.each((cases as Case[]).map((item) => ({ item, name: title(item) })))("$name", ({ item }) => {
    const { result, error, message, hint } = item;
    const expected =
      error === undefined ? { result } : hint === undefined ? { error, message } : { error, message, hint };
    expect(answer(item, functions, datetimeOperators)).toEqual(expected);
  });
});
