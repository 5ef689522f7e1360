/** Operators of json and jsonb (PostgreSQL 15, tables 9.45 and 9.46), and the functions that stand behind some of them. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { maxDimensions } from "../../types/array-shape.js";
import { elementAt, fieldOf, fromTop, isObject, type JsonItem } from "../../types/json/item.js";
import { type JsonNode, jsonTree } from "../../types/json/json.js";
import type { JsonText, Value } from "../../types/value.js";
import type { Operator, ScalarFunction } from "../function.js";
import {
  jsonbAsText,
  jsonbElement,
  jsonbField,
  jsonbPath,
  nodeAsText,
  nodeAtPath,
  nodeElement,
  nodeField,
  nodeJson,
} from "./access.js";
import { containsJsonb } from "./contain.js";
import { concatJsonb, deleteIndex, deleteKey, deleteKeys, deletePath } from "./modify.js";

type Path = readonly (string | null)[];

const asJson = (json: JsonText, node: JsonNode | undefined): Value =>
  node === undefined ? null : nodeJson(json, node);
const asText = (json: JsonText, node: JsonNode | undefined): Value =>
  node === undefined ? null : nodeAsText(json, node);

/** A path must be a plain list. @throws SqlError 2202E */
export function checkPath(path: readonly Value[]): Path {
  if (path.some(Array.isArray)) throw new SqlError(sqlstate.arraySubscriptError, "wrong number of array subscripts");
  return path as Path;
}

/** Whether a text is a field of an object, or a string of an array or alone: `jsonb ? text`. */
function existsKey(item: JsonItem, key: string): boolean {
  if (isObject(item)) return fieldOf(item, key) !== undefined;
  if (!Array.isArray(item)) return item === key;
  return item.includes(key) || item.some((_, i) => elementAt(item, i) === key);
}

const immutable = { kind: "operator", volatility: "immutable" } as const;
const fieldOperator = { ...immutable, name: "->", right: "text" } as const;
const fieldTextOperator = { ...immutable, name: "->>", right: "text", returns: "text" } as const;

export const jsonOperators: readonly Operator[] = [
  {
    ...fieldOperator,
    left: "json",
    returns: "json",
    call: (json: JsonText, key: string) => asJson(json, nodeField(jsonTree(json), key)),
  },
  {
    ...fieldOperator,
    left: "json",
    right: "int4",
    returns: "json",
    call: (json: JsonText, index: number) => asJson(json, nodeElement(jsonTree(json), index)),
  },
  { ...fieldOperator, left: "jsonb", returns: "jsonb", call: jsonbField },
  { ...fieldOperator, left: "jsonb", right: "int4", returns: "jsonb", call: jsonbElement },
  {
    ...fieldTextOperator,
    left: "json",
    call: (json: JsonText, key: string) => asText(json, nodeField(jsonTree(json), key)),
  },
  {
    ...fieldTextOperator,
    left: "json",
    right: "int4",
    call: (json: JsonText, index: number) => asText(json, nodeElement(jsonTree(json), index)),
  },
  { ...fieldTextOperator, left: "jsonb", call: (value: Value, key: string) => jsonbAsText(jsonbField(value, key)) },
  {
    ...fieldTextOperator,
    left: "jsonb",
    right: "int4",
    call: (value: Value, index: number) => jsonbAsText(jsonbElement(value, index)),
  },
  {
    ...immutable,
    name: "#>",
    left: "json",
    right: "text[]",
    returns: "json",
    call: (json: JsonText, path: Path) => asJson(json, nodeAtPath(json, path)),
  },
  { ...immutable, name: "#>", left: "jsonb", right: "text[]", returns: "jsonb", call: jsonbPath },
  {
    ...immutable,
    name: "#>>",
    left: "json",
    right: "text[]",
    returns: "text",
    call: (json: JsonText, path: Path) => asText(json, nodeAtPath(json, path)),
  },
  {
    ...immutable,
    name: "#>>",
    left: "jsonb",
    right: "text[]",
    returns: "text",
    call: (value: Value, path: Path) => jsonbAsText(jsonbPath(value, path)),
  },
  {
    ...immutable,
    name: "@>",
    left: "jsonb",
    right: "jsonb",
    returns: "bool",
    commutator: "<@",
    call: (a: Value, b: Value) => containsJsonb(a, b),
  },
  {
    ...immutable,
    name: "<@",
    left: "jsonb",
    right: "jsonb",
    returns: "bool",
    commutator: "@>",
    call: (a: Value, b: Value) => containsJsonb(b, a),
  },
  {
    ...immutable,
    name: "?",
    left: "jsonb",
    right: "text",
    returns: "bool",
    call: (value: Value, key: string) => existsKey(fromTop(value), key),
  },
  {
    ...immutable,
    name: "?|",
    left: "jsonb",
    right: "text[]",
    returns: "bool",
    call: (value: Value, keys: Path) =>
      keys.flat(maxDimensions).some((key) => key !== null && existsKey(fromTop(value), key)),
  },
  {
    ...immutable,
    name: "?&",
    left: "jsonb",
    right: "text[]",
    returns: "bool",
    call: (value: Value, keys: Path) =>
      keys.flat(maxDimensions).every((key) => key === null || existsKey(fromTop(value), key)),
  },
  { ...immutable, name: "||", left: "jsonb", right: "jsonb", returns: "jsonb", call: concatJsonb },
  { ...immutable, name: "-", left: "jsonb", right: "text", returns: "jsonb", call: deleteKey },
  { ...immutable, name: "-", left: "jsonb", right: "int4", returns: "jsonb", call: deleteIndex },
  {
    ...immutable,
    name: "-",
    left: "jsonb",
    right: "text[]",
    returns: "jsonb",
    call: (value: Value, keys: Value[]) => deleteKeys(value, checkPath(keys)),
  },
  {
    ...immutable,
    name: "#-",
    left: "jsonb",
    right: "text[]",
    returns: "jsonb",
    call: (value: Value, path: Value[]) => deletePath(value, checkPath(path)),
  },
];

/** The path as separate arguments; a NULL among them leads nowhere. */
const extract = { kind: "scalar", volatility: "immutable", strict: true, variadic: true } as const;

export const jsonExtractFunctions: readonly ScalarFunction[] = [
  {
    ...extract,
    name: "json_extract_path",
    args: ["json", "text"],
    returns: "json",
    call: (json: JsonText, ...path: string[]) => asJson(json, nodeAtPath(json, path)),
  },
  {
    ...extract,
    name: "json_extract_path_text",
    args: ["json", "text"],
    returns: "text",
    call: (json: JsonText, ...path: string[]) => asText(json, nodeAtPath(json, path)),
  },
  {
    ...extract,
    name: "jsonb_extract_path",
    args: ["jsonb", "text"],
    returns: "jsonb",
    call: (value: Value, ...path: string[]) => jsonbPath(value, path),
  },
  {
    ...extract,
    name: "jsonb_extract_path_text",
    args: ["jsonb", "text"],
    returns: "text",
    call: (value: Value, ...path: string[]) => jsonbAsText(jsonbPath(value, path)),
  },
];
