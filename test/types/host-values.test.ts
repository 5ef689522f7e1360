/** Values of resources as integers, floats, booleans and enum labels, and the same types in results. */
import { describe, expect, test } from "vitest";
import { operationsOf } from "../../src/types/families.js";
import { enumType, type SqlType, types } from "../../src/types/type.js";

const context = { timeZone: "UTC", nowMicroseconds: 0 };
const mood = enumType("mood", ["sad", "ok", "happy"]);

test.each<{ type: SqlType; value: unknown; held: unknown }>([
  { type: types.int4, value: 5, held: 5 },
  { type: types.int4, value: -0, held: 0 },
  { type: types.int4, value: "12", held: 12 },
  { type: types.int4, value: 1.5, held: undefined },
  { type: types.int4, value: 2147483648, held: undefined },
  { type: types.int4, value: true, held: undefined },
  { type: types.int8, value: 9007199254740993n, held: 9007199254740993n },
  { type: types.int8, value: 5n, held: 5 },
  { type: types.int8, value: "9007199254740993", held: 9007199254740993n },
  { type: types.int8, value: 2 ** 60, held: undefined },
  { type: types.float8, value: 1.5, held: 1.5 },
  { type: types.float8, value: "1e3", held: 1000 },
  { type: types.float8, value: {}, held: undefined },
  { type: types.float8, value: 10n ** 20n, held: 1e20 },
  { type: types.float8, value: 10n ** 400n, held: undefined },
  { type: types.float4, value: 10n ** 40n, held: undefined },
  { type: types.float4, value: 0.1, held: Math.fround(0.1) },
  { type: types.float4, value: 1e300, held: undefined },
  { type: types.bool, value: true, held: true },
  { type: types.bool, value: "no", held: false },
  { type: types.bool, value: 1, held: undefined },
  { type: mood, value: "ok", held: "ok" },
  { type: mood, value: "OK", held: undefined },
])("$value as $type.name is held as $held", ({ type, value, held }) => {
  expect(operationsOf(type).fromHost(value, -1, context)).toBe(held);
});

test.each<{ type: SqlType; held: unknown; shown: unknown }>([
  { type: types.int8, held: 5, shown: 5 },
  { type: types.int8, held: 9007199254740993n, shown: "9007199254740993" },
  { type: types.float4, held: Math.fround(0.1), shown: 0.1 },
  { type: types.float8, held: Number.NaN, shown: "NaN" },
  { type: types.float8, held: Number.NEGATIVE_INFINITY, shown: "-Infinity" },
  { type: types.float8, held: -0, shown: 0 },
  { type: types.bool, held: true, shown: true },
  { type: types.regtype, held: 23, shown: "integer" },
])("$held of $type.name is shown as $shown", ({ type, held, shown }) => {
  expect(operationsOf(type).toHost(held, context)).toBe(shown);
});

describe("keys of floats", () => {
  const { key } = operationsOf(types.float8);
  test("zero has one key, NaN equals itself", () => {
    expect(Object.is(key?.(-0), 0)).toBe(true);
    expect(key?.(Number.NaN)).toBe(key?.(Number.NaN));
  });
});

describe("enums", () => {
  const operations = operationsOf(mood);
  test("labels are ordered as declared", () => {
    expect(["happy", "sad", "ok"].sort((a, b) => operations.compare?.(a, b) ?? 0)).toEqual(["sad", "ok", "happy"]);
  });
  test("another word is an error that names the labels", () => {
    expect(() => operations.input("HAPPY", -1, context)).toThrow(
      expect.objectContaining({
        code: "22P02",
        message: 'invalid input value for enum mood: "HAPPY"',
        hint: "The labels are 'sad', 'ok', 'happy'.",
      }),
    );
  });
});

test("the operations of a type are made once", () => {
  expect(operationsOf(mood)).toBe(operationsOf(mood));
});

test("pseudo-types have no values", () => {
  expect(() => operationsOf(types.anyelement)).toThrow(expect.objectContaining({ code: "0A000" }));
});
