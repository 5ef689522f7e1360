/**
 * SQL values as JSON: what `to_json`, `to_jsonb` and the aggregates make of a value of any type. Numbers that JSON has
 * stay numbers, dates and times are written as ISO 8601, rows become objects, arrays arrays; all else is its text.
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { type ArrayValue, dimensionCount } from "../../types/array-shape.js";
import { operationsOf } from "../../types/families.js";
import { fromTop, type JsonItem, newObject, setField } from "../../types/json/item.js";
import { parseItem } from "../../types/json/jsonb.js";
import { compact, jsonNumber } from "../../types/json/number.js";
import { checkDepth } from "../../types/json/parse.js";
import { itemText, quoteJson } from "../../types/json/write.js";
import { type Numeric, numericIsFinite } from "../../types/numeric.js";
import type { TypeContext } from "../../types/operations.js";
import type { SqlType } from "../../types/type.js";
import type { JsonText, RecordValue, Value } from "../../types/value.js";

/**
 * A value as a JSON item, the form that stands inside jsonb objects and arrays: SQL NULL and JSON null are both `null`.
 * Where it is a jsonb value of its own, `toTop` (types/json/item.ts) makes it one.
 */
export function toJsonb(value: Value, type: SqlType, context: TypeContext): JsonItem {
  if (value === null) return null;
  switch (type.name) {
    case "bool":
      return value as boolean;
    case "int2":
    case "int4":
      return value as number;
    case "int8":
      return typeof value === "bigint" ? jsonNumber(value.toString()) : (value as number);
    case "numeric":
      return numericIsFinite(value as Numeric) ? compact(value as Numeric) : textOf(value, type, context);
    case "float4":
    case "float8":
      return Number.isFinite(value) ? jsonNumber(textOf(value, type, context)) : textOf(value, type, context);
    case "json":
      return parseItem((value as JsonText).text);
    case "jsonb":
      return fromTop(value);
    default:
      if (type.kind === "record") return recordItem(value as RecordValue, context);
      if (type.kind === "array" && type.element !== undefined) {
        const depth = dimensionCount(value as ArrayValue, type.element);
        return arrayItem(value as ArrayValue, type.element, depth, context);
      }
      return textOf(value, type, context);
  }
}

function recordItem(record: RecordValue, context: TypeContext): JsonItem {
  const object = newObject();
  for (let i = 0; i < record.fields.length; i++) {
    setField(object, record.fields[i].name, toJsonb(record.values[i], record.fields[i].type, context));
  }
  return object;
}

function arrayItem(array: ArrayValue, element: SqlType, depth: number, context: TypeContext): JsonItem {
  return Array.from(array, (item) =>
    depth > 1 ? arrayItem(item as ArrayValue, element, depth - 1, context) : toJsonb(item, element, context),
  );
}

/**
 * A value as json text: `null` for NULL, rows and arrays without white space, json as it is written.
 * `lineFeeds` breaks the line after each field or element of the outermost row or array (`row_to_json(row, true)`).
 */
export function toJsonText(value: Value, type: SqlType, context: TypeContext, lineFeeds = false, depth = 0): string {
  if (value === null) return "null";
  switch (type.name) {
    case "bool":
      return value ? "true" : "false";
    case "int2":
    case "int4":
    case "int8":
      return String(value);
    case "numeric":
      return numericIsFinite(value as Numeric) ? textOf(value, type, context) : `"${textOf(value, type, context)}"`;
    case "float4":
    case "float8":
      return Number.isFinite(value) ? textOf(value, type, context) : `"${textOf(value, type, context)}"`;
    case "json":
      return (value as JsonText).text;
    case "jsonb":
      return itemText(fromTop(value));
    default:
      checkDepth(depth);
      if (type.kind === "record") return recordText(value as RecordValue, context, lineFeeds, depth);
      if (type.kind === "array" && type.element !== undefined) {
        const dimensions = dimensionCount(value as ArrayValue, type.element);
        return arrayText(value as ArrayValue, type.element, dimensions, context, lineFeeds, depth);
      }
      return quoteJson(textOf(value, type, context));
  }
}

function recordText(record: RecordValue, context: TypeContext, lineFeeds: boolean, depth: number): string {
  const parts = record.fields.map(
    (field, i) => `${quoteJson(field.name)}:${toJsonText(record.values[i], field.type, context, false, depth + 1)}`,
  );
  return `{${parts.join(lineFeeds ? ",\n " : ",")}}`;
}

function arrayText(
  array: ArrayValue,
  element: SqlType,
  dimensions: number,
  context: TypeContext,
  lineFeeds: boolean,
  depth: number,
): string {
  const parts = Array.from(array, (item) =>
    dimensions > 1
      ? arrayText(item as ArrayValue, element, dimensions - 1, context, false, depth + 1)
      : toJsonText(item, element, context, false, depth + 1),
  );
  return `[${parts.join(lineFeeds ? ",\n " : ",")}]`;
}

/** Whether json_agg starts a new line before its second and later elements of this type. */
function isJsonContainerType(type: SqlType): boolean {
  return type.kind === "array" || type.kind === "record";
}

/**
 * A value as the name of an object's field, not quoted.
 * @throws SqlError 22023 for arrays, rows and json; NULL is the caller's to refuse, PostgreSQL's words differ
 */
export function toJsonKey(value: Value, type: SqlType, context: TypeContext): string {
  if (isJsonContainerType(type) || type.name === "json" || type.name === "jsonb") {
    throw new SqlError(sqlstate.invalidParameterValue, "key value must be scalar, not array, composite, or json", {
      hint: "Cast the key to text: (key)::text.",
    });
  }
  return type.name === "bool" ? (value ? "true" : "false") : textOf(value, type, context);
}

/** The type's text, with dates and times in the form of ISO 8601 (`T` between date and time, minutes in the offset). */
function textOf(value: Value, type: SqlType, context: TypeContext): string {
  const text = operationsOf(type).output(value, context);
  if (type.name === "timestamp") return text.replace(" ", "T");
  if (type.name !== "timestamptz" || !text.includes(":")) return text;
  const [date, time, era] = text.split(" ");
  const sign = Math.max(time.indexOf("+"), time.indexOf("-"));
  const offset = time.indexOf(":", sign) < 0 ? ":00" : "";
  return `${date}T${time}${offset}${era === undefined ? "" : ` ${era}`}`;
}
