/** Modifiers of intervals (`interval day to second(3)`) as numbers and as text. */
import { expect, test } from "vitest";
import { intervalField, intervalTypmod } from "../../../src/types/datetime/interval-modifier.js";
import { displayType, types } from "../../../src/types/type.js";

const { year, month, day, hour, minute, second } = intervalField;

// As format_type of a PostgreSQL 15 server writes the modifiers; the numbers are its atttypmod.
test.each([
  [intervalTypmod(), -1, "interval"],
  [intervalTypmod(undefined, 3), 2_147_418_115, "interval(3)"],
  [intervalTypmod(year), 327_679, "interval year"],
  [intervalTypmod(year | month), 458_751, "interval year to month"],
  [intervalTypmod(day | hour | minute), 201_916_415, "interval day to minute"],
  [intervalTypmod(day | hour | minute | second, 2), 470_286_338, "interval day to second(2)"],
  [intervalTypmod(minute | second), 402_718_719, "interval minute to second"],
])("%i is %i: %s", (typmod, expected, text) => {
  expect(typmod).toBe(expected);
  expect(displayType(types.interval, typmod)).toBe(text);
});
