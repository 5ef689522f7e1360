/** Decimals outside SQL expressions: keys, results for the host, host values, limits. */
import { describe, expect, test } from "vitest";
import {
  Numeric,
  numericAdd,
  numericCompare,
  numericDivide,
  numericFromFloat,
  numericFromNumber,
  numericKey,
  numericMultiply,
  numericText,
  numericToHost,
  parseNumeric,
} from "../../src/types/numeric.js";
import { numericPower } from "../../src/types/numeric-math.js";
import { numericOperations } from "../../src/types/numeric-operations.js";

const context = { timeZone: "UTC", nowMicroseconds: 0 };

test.each([
  { text: "1.50", host: 1.5 },
  { text: "9007199254740991", host: 9007199254740991 },
  { text: "9007199254740993", host: "9007199254740993" },
  { text: "9007199254740992", host: 9007199254740992 },
  { text: "0.1234567890123456789", host: "0.1234567890123456789" },
  { text: "1e25", host: 1e25 },
  { text: "NaN", host: "NaN" },
  { text: "-Infinity", host: "-Infinity" },
  { text: "-0.00", host: 0 },
])("$text is shown as $host", ({ text, host }) => {
  expect(numericToHost(parseNumeric(text))).toBe(host);
});

describe("keys", () => {
  test.each([
    ["1.0", "1.00"],
    ["0", "-0.000"],
    ["100", "1e2"],
    ["0.50", "0.5"],
    ["NaN", "nan"],
    ["12345678901234567890.0", "12345678901234567890"],
  ])("%s and %s have one key", (a, b) => {
    expect(numericKey(parseNumeric(a))).toBe(numericKey(parseNumeric(b)));
    expect(numericCompare(parseNumeric(a), parseNumeric(b))).toBe(0);
  });
  test("different values have different keys", () => {
    const texts = ["0", "1", "-1", "0.1", "0.01", "10", "NaN", "Infinity", "-Infinity", "9007199254740993"];
    expect(new Set(texts.map((text) => numericKey(parseNumeric(text)))).size).toBe(texts.length);
  });
  test("integers in the safe range have their number as key", () => {
    expect(numericKey(parseNumeric("42.00"))).toBe(42);
  });
});

test("the order is -Infinity, numbers, Infinity, NaN", () => {
  const texts = ["-Infinity", "-1e20", "-2.5", "-2.49", "0", "1e-10", "1", "1.01", "1e20", "Infinity", "NaN"];
  const sorted = [...texts].reverse().map(parseNumeric).sort(numericCompare);
  expect(sorted.map(numericText)).toEqual(texts.map((text) => numericText(parseNumeric(text))));
});

test.each([
  { value: 1.5, text: "1.5" },
  { value: 1e21, text: "1000000000000000000000" },
  { value: 12345678901234567890n, text: "12345678901234567890" },
  { value: "12.340", text: "12.340" },
  { value: "abc", text: undefined },
  { value: true, text: undefined },
  { value: null, text: undefined },
])("a host value $value is $text", ({ value, text }) => {
  const result = numericOperations.fromHost(value, -1, context);
  expect(result === undefined ? undefined : numericText(result as Numeric)).toBe(text);
});

test("a host value that does not fit the precision is none", () => {
  const typmod = ((4 << 16) | 2) + 4;
  expect(numericOperations.fromHost(123.4, typmod, context)).toBeUndefined();
  expect(numericText(numericOperations.fromHost(12.345, typmod, context) as Numeric)).toBe("12.35");
});

test("sums beyond the safe range stay exact", () => {
  let sum = Numeric.zero;
  for (let i = 0; i < 3; i++) sum = numericAdd(sum, numericFromNumber(Number.MAX_SAFE_INTEGER));
  expect(numericText(sum)).toBe("27021597764222973");
});

test("a floating-point value ties to the even digit", () => {
  expect(numericText(numericFromFloat(100000000000000.5))).toBe("100000000000000");
  expect(numericText(numericFromFloat(100000000000001.5))).toBe("100000000000002");
});

test("a product beyond 131072 digits overflows", () => {
  const large = parseNumeric("1e70000");
  expect(() => numericMultiply(large, large)).toThrow(
    expect.objectContaining({ code: "22003", message: "value overflows numeric format" }),
  );
});

test("division by zero", () => {
  expect(() => numericDivide(Numeric.one, parseNumeric("0.00"))).toThrow(
    expect.objectContaining({ code: "22012", message: "division by zero" }),
  );
});

test.each([
  { base: "10", exponent: "131071", digits: 131072 + 17 },
  { base: "2", exponent: "400000", digits: 120412 + 17 },
  { base: "10", exponent: "131072", digits: undefined },
  { base: "10", exponent: "200000", digits: undefined },
  { base: "1.5", exponent: "2000000000", digits: undefined },
])("$base ^ $exponent has all its digits or is out of range", ({ base, exponent, digits }) => {
  const power = () => numericText(numericPower(parseNumeric(base), parseNumeric(exponent))).length;
  if (digits === undefined) expect(power).toThrow("value overflows numeric format");
  else expect(power()).toBe(digits);
});
