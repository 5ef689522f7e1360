/** Operators by the names of their functions (`int4pl`), as PostgreSQL allows them to be called. */
import { expect, test } from "vitest";
import { operatorFunctionNames } from "../../src/functions/operator-functions.js";
import { functionsNamed } from "../../src/functions/registry.js";
import { evaluate } from "../support/call-function.js";

test("every name finds its operator", () => {
  const names = [...operatorFunctionNames()];
  expect(names.length).toBeGreaterThan(400);
  expect(names.filter((name) => functionsNamed(name).length === 0)).toEqual([]);
});

test.each([
  {
    name: "jsonb_object_field_text",
    args: [
      { type: "jsonb", text: '{"a": 1}' },
      { type: "text", text: "a" },
    ],
    text: "1",
  },
  {
    name: "json_array_element",
    args: [
      { type: "json", text: "[1, [2]]" },
      { type: "integer", text: "-1" },
    ],
    text: "[2]",
  },
  {
    name: "jsonb_exists",
    args: [
      { type: "jsonb", text: '["a"]' },
      { type: "text", text: "a" },
    ],
    text: "t",
  },
  {
    name: "arrayoverlap",
    args: [
      { type: "integer[]", text: "{1,2}" },
      { type: "integer[]", text: "{2}" },
    ],
    text: "t",
  },
  {
    name: "jsonb_path_match_opr",
    args: [
      { type: "jsonb", text: "5" },
      { type: "jsonpath", text: "$ > 4" },
    ],
    text: "t",
  },
])("$name", ({ name, args, text }) => {
  expect(evaluate(name, args).text).toBe(text);
});
