/** Set-returning functions of the library that are not json's. */
import { describe, expect, test } from "vitest";
import { evaluateSet } from "../support/call-function.js";

const int4 = (text: string | null) => ({ type: "int4", text });

test.each([
  { name: "up", args: [int4("1"), int4("4")], rows: ["1", "2", "3", "4"] },
  { name: "down by two", args: [int4("5"), int4("1"), int4("-2")], rows: ["5", "3", "1"] },
  { name: "nothing to give", args: [int4("2"), int4("1")], rows: [] },
  { name: "NULL gives nothing", args: [int4("1"), int4(null)], rows: [] },
  {
    name: "up to the end of the type",
    args: [int4("2147483646"), int4("2147483647")],
    rows: ["2147483646", "2147483647"],
  },
  {
    name: "bigint beyond what a double holds",
    args: ["9223372036854775805", "9223372036854775807", "2"].map((text) => ({ type: "int8", text })),
    rows: ["9223372036854775805", "9223372036854775807"],
  },
  {
    name: "numeric keeps the scales",
    args: ["1", "2", "0.5"].map((text) => ({ type: "numeric", text })),
    rows: ["1", "1.5", "2.0"],
  },
  {
    name: "months are added one after the other",
    args: [
      { type: "timestamp", text: "2020-01-31" },
      { type: "timestamp", text: "2020-05-01" },
      { type: "interval", text: "1 month" },
    ],
    rows: ["2020-01-31 00:00:00", "2020-02-29 00:00:00", "2020-03-29 00:00:00", "2020-04-29 00:00:00"],
  },
  {
    name: "backwards in time",
    args: [
      { type: "timestamptz", text: "2020-01-02 00:00+00" },
      { type: "timestamptz", text: "2020-01-01 00:00+00" },
      { type: "interval", text: "-12 hours" },
    ],
    rows: ["2020-01-02 00:00:00+00", "2020-01-01 12:00:00+00", "2020-01-01 00:00:00+00"],
  },
])("generate_series: $name", ({ args, rows }) => {
  expect(evaluateSet("generate_series", args)).toEqual(rows);
});

test.each([
  { name: "step zero", args: [int4("1"), int4("2"), int4("0")], message: "step size cannot equal zero" },
  {
    name: "NaN",
    args: ["1", "NaN"].map((text) => ({ type: "numeric", text })),
    message: "stop value cannot be NaN",
  },
  {
    name: "infinite step",
    args: ["1", "2", "Infinity"].map((text) => ({ type: "numeric", text })),
    message: "step size cannot be infinity",
  },
  {
    name: "no interval",
    args: [
      { type: "timestamp", text: "2020-01-31" },
      { type: "timestamp", text: "2020-05-01" },
      { type: "interval", text: "0 months" },
    ],
    message: "step size cannot equal zero",
  },
])("generate_series refuses $name", ({ args, message }) => {
  expect(() => evaluateSet("generate_series", args)).toThrow(expect.objectContaining({ code: "22023", message }));
});

describe("arrays as rows", () => {
  const array = (text: string) => ({ type: "int4[]", text });

  test.each([
    { name: "one dimension", text: "{1,NULL,3}", rows: ["1", null, "3"] },
    { name: "two dimensions", text: "{{1,2},{3,4}}", rows: ["1", "2", "3", "4"] },
    { name: "empty", text: "{}", rows: [] },
  ])("unnest: $name", ({ text, rows }) => {
    expect(evaluateSet("unnest", [array(text)])).toEqual(rows);
  });

  test.each([
    { text: "{7,8,9}", dimension: "1", rows: ["1", "2", "3"] },
    { text: "[0:2]={7,8,9}", dimension: "1", rows: ["0", "1", "2"] },
    { text: "{{1,2},{3,4}}", dimension: "2", rows: ["1", "2"] },
    { text: "{7}", dimension: "2", rows: [] },
  ])("generate_subscripts($text, $dimension)", ({ text, dimension, rows }) => {
    expect(evaluateSet("generate_subscripts", [array(text), int4(dimension)])).toEqual(rows);
    const reversed = evaluateSet("generate_subscripts", [array(text), int4(dimension), { type: "bool", text: "t" }]);
    expect(reversed).toEqual([...rows].reverse());
  });
});

test.each([
  { text: "a,b,,c", delimiter: ",", nulls: "", rows: ["a", "b", null, "c"] },
  { text: "abc", delimiter: null, nulls: "b", rows: ["a", null, "c"] },
  { text: "", delimiter: ",", nulls: null, rows: [] },
  { text: null, delimiter: ",", nulls: null, rows: [] },
])("string_to_table($text, $delimiter, $nulls)", ({ text, delimiter, nulls, rows }) => {
  const args = [text, delimiter, nulls].map((value) => ({ type: "text", text: value }));
  expect(evaluateSet("string_to_table", args)).toEqual(rows);
});
