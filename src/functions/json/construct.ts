/** Functions that make json and jsonb from SQL values (PostgreSQL 15, table 9.47). */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { type ArrayValue, dimensions, elements } from "../../types/array-shape.js";
import { type JsonItem, newObject, setField, toTop } from "../../types/json/item.js";
import { quoteJson } from "../../types/json/write.js";
import { types } from "../../types/type.js";
import { JsonText, type Value } from "../../types/value.js";
import type { CallSite, ScalarFunction } from "../function.js";
import { toJsonb, toJsonKey, toJsonText } from "./build.js";

function buildArrayText(site: CallSite, values: readonly Value[]): JsonText {
  return new JsonText(`[${values.map((value, i) => toJsonText(value, site.argTypes[i], site.session)).join(", ")}]`);
}

function buildArrayItem(site: CallSite, values: readonly Value[]): Value {
  return values.map((value, i) => toJsonb(value, site.argTypes[i], site.session));
}

function checkPairs(values: readonly Value[], name: string): void {
  if (values.length % 2 === 0) return;
  throw new SqlError(sqlstate.invalidParameterValue, "argument list must have even number of elements", {
    hint: `The arguments of ${name}() must consist of alternating keys and values.`,
  });
}

function buildObjectText(site: CallSite, values: readonly Value[]): JsonText {
  checkPairs(values, "json_build_object");
  const parts: string[] = [];
  for (let i = 0; i < values.length; i += 2) {
    if (values[i] === null) {
      throw new SqlError(sqlstate.invalidParameterValue, `argument ${i + 1} cannot be null`, {
        hint: "Object keys should be text.",
      });
    }
    const key = quoteJson(toJsonKey(values[i], site.argTypes[i], site.session));
    parts.push(`${key} : ${toJsonText(values[i + 1], site.argTypes[i + 1], site.session)}`);
  }
  return new JsonText(`{${parts.join(", ")}}`);
}

function buildObjectItem(site: CallSite, values: readonly Value[]): Value {
  checkPairs(values, "jsonb_build_object");
  const object = newObject();
  for (let i = 0; i < values.length; i += 2) {
    if (values[i] === null) {
      throw new SqlError(sqlstate.invalidParameterValue, `argument ${i + 1}: key must not be null`, {
        hint: "Object keys should be text.",
      });
    }
    const key = toJsonKey(values[i], site.argTypes[i], site.session);
    setField(object, key, toJsonb(values[i + 1], site.argTypes[i + 1], site.session));
  }
  return object;
}

type Pair = readonly [key: string, value: string | null];

/** The pairs of `json_object(text[])`: alternating, or two columns. @throws SqlError 2202E, 22004 */
function pairsOf(array: ArrayValue): Pair[] {
  const lengths = dimensions(array, types.text);
  const flat = elements(array, types.text) as readonly (string | null)[];
  if (lengths.length > 2) throw wrongSubscripts();
  if (lengths.length === 1 && lengths[0] % 2 !== 0)
    throw new SqlError(sqlstate.arraySubscriptError, "array must have even number of elements");
  if (lengths.length === 2 && lengths[1] !== 2)
    throw new SqlError(sqlstate.arraySubscriptError, "array must have two columns");
  const pairs: Pair[] = [];
  for (let i = 0; i < flat.length; i += 2) pairs.push([notNullKey(flat[i]), flat[i + 1]]);
  return pairs;
}

/** The pairs of `json_object(keys, values)`. @throws SqlError 2202E, 22004 */
function zippedPairs(keys: ArrayValue, values: ArrayValue): Pair[] {
  const keyDimensions = dimensions(keys, types.text).length;
  if (keyDimensions > 1 || keyDimensions !== dimensions(values, types.text).length) throw wrongSubscripts();
  if (keys.length !== values.length) throw new SqlError(sqlstate.arraySubscriptError, "mismatched array dimensions");
  return Array.from(keys, (key, i): Pair => [notNullKey(key as string | null), values[i] as string | null]);
}

function wrongSubscripts(): SqlError {
  return new SqlError(sqlstate.arraySubscriptError, "wrong number of array subscripts");
}

function notNullKey(key: string | null): string {
  if (key === null) throw new SqlError(sqlstate.nullValueNotAllowed, "null value not allowed for object key");
  return key;
}

function pairsText(pairs: readonly Pair[]): JsonText {
  const parts = pairs.map(([key, value]) => `${quoteJson(key)} : ${value === null ? "null" : quoteJson(value)}`);
  return new JsonText(`{${parts.join(", ")}}`);
}

function pairsItem(pairs: readonly Pair[]): JsonItem {
  const object = newObject();
  for (const [key, value] of pairs) setField(object, key, value);
  return object;
}

/** A `row_to_json` or `array_to_json` with its line feeds on or off. */
const compact = (site: CallSite) => (value: Value) => new JsonText(toJsonText(value, site.argTypes[0], site.session));
const broken = (site: CallSite) => (value: Value, lineFeeds: boolean) =>
  new JsonText(toJsonText(value, site.argTypes[0], site.session, lineFeeds));

const scalar = { kind: "scalar", volatility: "stable", strict: true } as const;
const immutable = { ...scalar, volatility: "immutable" } as const;
const builder = { ...scalar, strict: false } as const;

export const jsonConstructors: readonly ScalarFunction[] = [
  { ...scalar, name: "to_json", args: ["anyelement"], returns: "json", specialize: compact },
  {
    ...scalar,
    name: "to_jsonb",
    args: ["anyelement"],
    returns: "jsonb",
    specialize: (site) => (value: Value) => toTop(toJsonb(value, site.argTypes[0], site.session)),
  },
  { ...scalar, name: "array_to_json", args: ["anyarray"], returns: "json", specialize: compact },
  { ...scalar, name: "array_to_json", args: ["anyarray", "bool"], returns: "json", specialize: broken },
  { ...scalar, name: "row_to_json", args: ["record"], returns: "json", specialize: compact },
  { ...scalar, name: "row_to_json", args: ["record", "bool"], returns: "json", specialize: broken },
  { ...builder, name: "json_build_array", args: [], returns: "json", call: () => new JsonText("[]") },
  {
    ...builder,
    name: "json_build_array",
    args: ["any"],
    variadic: true,
    returns: "json",
    specialize:
      (site) =>
      (...values: Value[]) =>
        buildArrayText(site, values),
  },
  { ...builder, name: "jsonb_build_array", args: [], returns: "jsonb", call: () => [] },
  {
    ...builder,
    name: "jsonb_build_array",
    args: ["any"],
    variadic: true,
    returns: "jsonb",
    specialize:
      (site) =>
      (...values: Value[]) =>
        buildArrayItem(site, values),
  },
  { ...builder, name: "json_build_object", args: [], returns: "json", call: () => new JsonText("{}") },
  {
    ...builder,
    name: "json_build_object",
    args: ["any"],
    variadic: true,
    returns: "json",
    specialize:
      (site) =>
      (...values: Value[]) =>
        buildObjectText(site, values),
  },
  { ...builder, name: "jsonb_build_object", args: [], returns: "jsonb", call: () => newObject() },
  {
    ...builder,
    name: "jsonb_build_object",
    args: ["any"],
    variadic: true,
    returns: "jsonb",
    specialize:
      (site) =>
      (...values: Value[]) =>
        buildObjectItem(site, values),
  },
  {
    ...immutable,
    name: "json_object",
    args: ["text[]"],
    returns: "json",
    call: (array: ArrayValue) => pairsText(pairsOf(array)),
  },
  {
    ...immutable,
    name: "json_object",
    args: ["text[]", "text[]"],
    returns: "json",
    call: (keys: ArrayValue, values: ArrayValue) => pairsText(zippedPairs(keys, values)),
  },
  {
    ...immutable,
    name: "jsonb_object",
    args: ["text[]"],
    returns: "jsonb",
    call: (array: ArrayValue) => pairsItem(pairsOf(array)),
  },
  {
    ...immutable,
    name: "jsonb_object",
    args: ["text[]", "text[]"],
    returns: "jsonb",
    call: (keys: ArrayValue, values: ArrayValue) => pairsItem(zippedPairs(keys, values)),
  },
];
