/** The functions that PostgreSQL has behind operators of json, jsonb and arrays, which can be called by name as well. */
import { arrayOperators } from "./arrays.js";
import type { Operator, ScalarFunction } from "./function.js";
import { jsonOperators } from "./json/operators.js";
import { jsonPathOperators } from "./jsonpath/functions.js";

const operators: readonly Operator[] = [...jsonOperators, ...jsonPathOperators, ...arrayOperators];

/** Name of the function, the operator's symbol and its right and left types. Source: PostgreSQL 15, pg_operator.oprcode. */
const names: readonly (readonly [name: string, symbol: string, left: string, right: string])[] = [
  ["json_object_field", "->", "json", "text"],
  ["json_object_field_text", "->>", "json", "text"],
  ["json_array_element", "->", "json", "int4"],
  ["json_array_element_text", "->>", "json", "int4"],
  ["jsonb_object_field", "->", "jsonb", "text"],
  ["jsonb_object_field_text", "->>", "jsonb", "text"],
  ["jsonb_array_element", "->", "jsonb", "int4"],
  ["jsonb_array_element_text", "->>", "jsonb", "int4"],
  ["jsonb_contains", "@>", "jsonb", "jsonb"],
  ["jsonb_contained", "<@", "jsonb", "jsonb"],
  ["jsonb_exists", "?", "jsonb", "text"],
  ["jsonb_exists_any", "?|", "jsonb", "text[]"],
  ["jsonb_exists_all", "?&", "jsonb", "text[]"],
  ["jsonb_concat", "||", "jsonb", "jsonb"],
  ["jsonb_path_exists_opr", "@?", "jsonb", "jsonpath"],
  ["jsonb_path_match_opr", "@@", "jsonb", "jsonpath"],
  ["arraycontains", "@>", "anyarray", "anyarray"],
  ["arraycontained", "<@", "anyarray", "anyarray"],
  ["arrayoverlap", "&&", "anyarray", "anyarray"],
];

export const operatorFunctions: readonly ScalarFunction[] = names.flatMap(([name, symbol, left, right]) => {
  const operator = operators.find((entry) => entry.name === symbol && entry.left === left && entry.right === right);
  if (operator?.left === undefined) return [];
  const { returns, volatility, call, specialize } = operator;
  return [
    {
      kind: "scalar",
      name,
      args: [operator.left, operator.right],
      returns,
      volatility,
      strict: true,
      call,
      specialize,
    },
  ];
});
