/**
 * Functions that make a changed jsonb from another: `||`, `-`, `#-`, jsonb_set, jsonb_insert, jsonb_strip_nulls. Nothing
 * is changed in place, since objects may belong to a resource; unchanged parts are shared.
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import {
  adopt,
  copyObject,
  elementAt,
  fieldOf,
  fromTop,
  isObject,
  isScalar,
  type JsonItem,
  type JsonObject,
  newObject,
  setField,
  sizeOf,
  toTop,
} from "../../types/json/item.js";
import { checkDepth } from "../../types/json/parse.js";
import type { Value } from "../../types/value.js";
import { requireIndex } from "./access.js";

function invalidParameter(message: string, hint?: string): SqlError {
  return new SqlError(sqlstate.invalidParameterValue, message, { hint });
}

/** `a || b`: objects are merged, everything else is put together as arrays. */
export function concatJsonb(a: Value, b: Value): Value {
  const left = fromTop(a);
  const right = fromTop(b);
  if (isObject(left) && isObject(right)) {
    const result = copyObject(left);
    for (const key of Object.keys(right)) {
      const field = adopt(right[key]);
      if (field !== undefined) setField(result, key, field);
    }
    return result;
  }
  return [...(Array.isArray(left) ? left : [left]), ...(Array.isArray(right) ? right : [right])];
}

/** `jsonb - text`: without that field, or without the elements that are that string. */
export function deleteKey(value: Value, key: string): Value {
  return deleteKeys(value, [key]);
}

/** `jsonb - text[]`. */
export function deleteKeys(value: Value, keys: readonly (string | null)[]): Value {
  const item = fromTop(value);
  if (isScalar(item)) throw invalidParameter("cannot delete from scalar");
  if (Array.isArray(item)) {
    return item.filter((_, i) => {
      const element = elementAt(item, i);
      return typeof element !== "string" || !keys.includes(element);
    });
  }
  const result = copyObject(item as JsonObject);
  for (const key of keys) if (key !== null) delete result[key];
  return result;
}

/** `jsonb - integer`: without that element; negative indexes count from the end. */
export function deleteIndex(value: Value, index: number): Value {
  const item = fromTop(value);
  if (isScalar(item)) throw invalidParameter("cannot delete from scalar");
  if (!Array.isArray(item)) {
    throw invalidParameter("cannot delete from object using integer index", "Name the field: value - 'field'.");
  }
  const at = index < 0 ? item.length + index : index;
  return at < 0 || at >= item.length ? item : [...item.slice(0, at), ...item.slice(at + 1)];
}

/** Nothing can be changed in an empty value: its path is not even looked at. */
function isEmpty(item: JsonItem): boolean {
  return Array.isArray(item) ? item.length === 0 : isObject(item) && sizeOf(item) === 0;
}

type Operation = "create" | "replace" | "delete" | "before" | "after";
type Path = readonly (string | null)[];

/** `jsonb #- path`. */
export function deletePath(value: Value, path: Path): Value {
  const item = fromTop(value);
  if (isScalar(item)) throw invalidParameter("cannot delete path in scalar");
  return path.length === 0 || isEmpty(item) ? value : toTop(changePath(item, path, 0, null, "delete"));
}

/** jsonb_set: puts a value at a path; the last step is added when it is missing and `create` is set. */
export function setPath(value: Value, path: Path, replacement: Value, create: boolean): Value {
  const item = fromTop(value);
  if (isScalar(item)) throw invalidParameter("cannot set path in scalar");
  if (path.length === 0 || (!create && isEmpty(item))) return value;
  return toTop(changePath(item, path, 0, fromTop(replacement), create ? "create" : "replace"));
}

/** jsonb_insert: puts a value before or after an element, or adds a field. */
export function insertPath(value: Value, path: Path, inserted: Value, after: boolean): Value {
  const item = fromTop(value);
  if (isScalar(item)) throw invalidParameter("cannot set path in scalar");
  if (path.length === 0) return value;
  return toTop(changePath(item, path, 0, fromTop(inserted), after ? "after" : "before"));
}

function changePath(item: JsonItem, path: Path, level: number, value: JsonItem, operation: Operation): JsonItem {
  const step = path[level];
  if (step === null) {
    throw new SqlError(sqlstate.nullValueNotAllowed, `path element at position ${level + 1} is null`);
  }
  checkDepth(level);
  if (Array.isArray(item)) return changeArray(item, step, path, level, value, operation);
  return isObject(item) ? changeObject(item, step, path, level, value, operation) : item;
}

function changeObject(
  object: JsonObject,
  key: string,
  path: Path,
  level: number,
  value: JsonItem,
  operation: Operation,
): JsonItem {
  const field = fieldOf(object, key);
  const last = level === path.length - 1;
  if (field === undefined && (!last || operation === "replace" || operation === "delete")) return object;
  if (field !== undefined && last && (operation === "before" || operation === "after")) {
    throw invalidParameter("cannot replace existing key", "Try using the function jsonb_set to replace key value.");
  }
  const result = copyObject(object);
  if (!last) setField(result, key, changePath(field as JsonItem, path, level + 1, value, operation));
  else if (operation === "delete") delete result[key];
  else setField(result, key, value);
  return result;
}

function changeArray(
  array: readonly unknown[],
  step: string,
  path: Path,
  level: number,
  value: JsonItem,
  operation: Operation,
): JsonItem {
  const given = requireIndex(step, level);
  const index = given < 0 ? array.length + given : given;
  const last = level === path.length - 1;
  const adds = operation !== "replace" && operation !== "delete";
  if (index < 0 || index >= array.length) {
    if (!last || !adds) return array as unknown[];
    return index < 0 ? [value, ...array] : [...array, value];
  }
  const before = array.slice(0, index);
  const after = array.slice(index + 1);
  const current = elementAt(array, index);
  if (!last) return [...before, changePath(current, path, level + 1, value, operation), ...after];
  switch (operation) {
    case "delete":
      return [...before, ...after];
    case "before":
      return [...before, value, current, ...after];
    case "after":
      return [...before, current, value, ...after];
    default:
      return [...before, value, ...after];
  }
}

/** jsonb_strip_nulls: without the fields that are null, at every depth; elements of arrays stay. */
export function stripNulls(item: JsonItem, depth = 0): JsonItem {
  checkDepth(depth);
  if (Array.isArray(item)) return item.map((_, i) => stripNulls(elementAt(item, i), depth + 1));
  if (!isObject(item)) return item;
  const result = newObject();
  for (const key of Object.keys(item)) {
    const field = adopt(item[key]);
    if (field !== undefined && field !== null) setField(result, key, stripNulls(field, depth + 1));
  }
  return result;
}
