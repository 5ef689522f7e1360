/** Functions that turn a json or jsonb value into rows: fields, keys, elements. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import {
  elementAt,
  fieldOf,
  fromTop,
  isObject,
  isScalar,
  type JsonObject,
  keysOf,
  toTop,
} from "../../types/json/item.js";
import { jsonTree } from "../../types/json/json.js";
import type { JsonText, Value } from "../../types/value.js";
import type { SetReturningFunction } from "../function.js";
import { jsonbAsText, nodeAsText, nodeJson } from "./access.js";

function invalidParameter(message: string): SqlError {
  return new SqlError(sqlstate.invalidParameterValue, message);
}

function objectOf(value: Value, message: (item: unknown) => string): JsonObject {
  const item = fromTop(value);
  if (!isObject(item)) throw invalidParameter(message(item));
  return item;
}

function* jsonFields(json: JsonText, asText: boolean): Generator<Value[]> {
  const node = jsonTree(json);
  if (node.kind !== "object") {
    throw invalidParameter(
      node.kind === "array" ? "cannot deconstruct an array as an object" : "cannot deconstruct a scalar",
    );
  }
  for (let i = 0; i < node.keys.length; i++) {
    const value = node.values[i];
    yield [node.keys[i], asText ? nodeAsText(json, value) : nodeJson(json, value)];
  }
}

function* jsonbFields(value: Value, asText: boolean, name: string): Generator<Value[]> {
  const object = objectOf(value, () => `cannot call ${name} on a non-object`);
  for (const key of keysOf(object)) {
    const field = toTop(fieldOf(object, key) ?? null);
    yield [key, asText ? jsonbAsText(field) : field];
  }
}

function* jsonKeys(json: JsonText): Generator<string> {
  const node = jsonTree(json);
  if (node.kind !== "object")
    throw invalidParameter(`cannot call json_object_keys on ${node.kind === "array" ? "an array" : "a scalar"}`);
  yield* node.keys;
}

function jsonbKeys(value: Value): string[] {
  return keysOf(
    objectOf(value, (item) => `cannot call jsonb_object_keys on ${Array.isArray(item) ? "an array" : "a scalar"}`),
  );
}

function* jsonElements(json: JsonText, asText: boolean, name: string): Generator<Value> {
  const node = jsonTree(json);
  if (node.kind !== "array")
    throw invalidParameter(`cannot call ${name} on ${node.kind === "object" ? "a non-array" : "a scalar"}`);
  for (const item of node.items) yield asText ? nodeAsText(json, item) : nodeJson(json, item);
}

function* jsonbElements(value: Value, asText: boolean): Generator<Value> {
  const item = fromTop(value);
  if (!Array.isArray(item))
    throw invalidParameter(`cannot extract elements from ${isScalar(item) ? "a scalar" : "an object"}`);
  for (let i = 0; i < item.length; i++) {
    const element = toTop(elementAt(item, i));
    yield asText ? jsonbAsText(element) : element;
  }
}

const set = { kind: "set", volatility: "immutable", strict: true } as const;

export const jsonExpanders: readonly SetReturningFunction[] = [
  {
    ...set,
    name: "json_each",
    args: ["json"],
    returns: "record",
    columns: [
      { name: "key", type: "text" },
      { name: "value", type: "json" },
    ],
    specialize: () => (json) => jsonFields(json as JsonText, false),
  },
  {
    ...set,
    name: "json_each_text",
    args: ["json"],
    returns: "record",
    columns: [
      { name: "key", type: "text" },
      { name: "value", type: "text" },
    ],
    specialize: () => (json) => jsonFields(json as JsonText, true),
  },
  {
    ...set,
    name: "jsonb_each",
    args: ["jsonb"],
    returns: "record",
    columns: [
      { name: "key", type: "text" },
      { name: "value", type: "jsonb" },
    ],
    specialize: () => (value) => jsonbFields(value, false, "jsonb_each"),
  },
  {
    ...set,
    name: "jsonb_each_text",
    args: ["jsonb"],
    returns: "record",
    columns: [
      { name: "key", type: "text" },
      { name: "value", type: "text" },
    ],
    specialize: () => (value) => jsonbFields(value, true, "jsonb_each_text"),
  },
  {
    ...set,
    name: "json_object_keys",
    args: ["json"],
    returns: "text",
    specialize: () => (json) => jsonKeys(json as JsonText),
  },
  {
    ...set,
    name: "jsonb_object_keys",
    args: ["jsonb"],
    returns: "text",
    specialize: () => (value) => jsonbKeys(value),
  },
  {
    ...set,
    name: "json_array_elements",
    args: ["json"],
    returns: "json",
    columns: [{ name: "value", type: "json" }],
    specialize: () => (json) => jsonElements(json as JsonText, false, "json_array_elements"),
  },
  {
    ...set,
    name: "json_array_elements_text",
    args: ["json"],
    returns: "text",
    columns: [{ name: "value", type: "text" }],
    specialize: () => (json) => jsonElements(json as JsonText, true, "json_array_elements_text"),
  },
  {
    ...set,
    name: "jsonb_array_elements",
    args: ["jsonb"],
    returns: "jsonb",
    columns: [{ name: "value", type: "jsonb" }],
    specialize: () => (value) => jsonbElements(value, false),
  },
  {
    ...set,
    name: "jsonb_array_elements_text",
    args: ["jsonb"],
    returns: "text",
    columns: [{ name: "value", type: "text" }],
    specialize: () => (value) => jsonbElements(value, true),
  },
];
