/**
 * Assignment to a part of a jsonb value, as `UPDATE … SET j['a'][0] = …` means it: objects and arrays on the way are made
 * where they are missing, gaps of arrays are filled with JSON null. Source: PostgreSQL 15, 8.14.5 "jsonb Subscripting".
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import {
  copyObject,
  elementAt,
  fieldOf,
  fromTop,
  isObject,
  type JsonItem,
  newObject,
  setField,
  toTop,
} from "../../types/json/item.js";
import { checkDepth } from "../../types/json/parse.js";
import type { Value } from "../../types/value.js";
import { parseIndex, requireIndex } from "./access.js";

/** Most elements that an assignment may leave in an array. */
const maxElements = 10_000_000;

/**
 * `value[a][b] = part`; subscripts are values of type text or integer. A NULL value counts as an empty array where the first
 * subscript is an integer, otherwise as an empty object; a NULL part is JSON null. @throws SqlError 22023, 22P02, 22004, 54000
 */
export function assignJsonb(value: Value, subscripts: readonly (string | number | null)[], part: Value): Value {
  const path = subscripts.map((subscript) => {
    if (subscript === null) {
      throw new SqlError(sqlstate.nullValueNotAllowed, "jsonb subscript in assignment must not be null");
    }
    return String(subscript);
  });
  const item = part === null ? null : fromTop(part);
  if (value === null) return toTop(assignAt(typeof subscripts[0] === "number" ? [] : newObject(), path, 0, item));
  return toTop(assignAt(fromTop(value), path, 0, item));
}

function assignAt(container: JsonItem, path: readonly string[], level: number, item: JsonItem): JsonItem {
  if (level === path.length) return item;
  checkDepth(level);
  const step = path[level];
  if (Array.isArray(container)) return assignElement(container, step, path, level, item);
  if (isObject(container)) {
    const field = fieldOf(container, step);
    const result = copyObject(container);
    setField(result, step, field === undefined ? made(path, level + 1, item) : assignAt(field, path, level + 1, item));
    return result;
  }
  throw new SqlError(sqlstate.invalidParameterValue, "cannot replace existing key", {
    detail: "The path assumes key is a composite object, but it is a scalar value.",
  });
}

function assignElement(
  array: readonly unknown[],
  step: string,
  path: readonly string[],
  level: number,
  item: JsonItem,
): JsonItem {
  const given = requireIndex(step, level);
  if (-given > array.length) {
    throw new SqlError(
      sqlstate.invalidParameterValue,
      `path element at position ${level + 1} is out of range: ${given}`,
    );
  }
  const index = given < 0 ? array.length + given : given;
  const result = filled(array, index);
  result[index] =
    index < array.length ? assignAt(elementAt(array, index), path, level + 1, item) : made(path, level + 1, item);
  return result;
}

/** What has to be made for the rest of a path: an array where the step is a number, otherwise an object. */
function made(path: readonly string[], level: number, item: JsonItem): JsonItem {
  if (level === path.length) return item;
  checkDepth(level);
  const inner = made(path, level + 1, item);
  const index = parseIndex(path[level]);
  if (index === undefined) {
    const object = newObject();
    setField(object, path[level], inner);
    return object;
  }
  const at = Math.max(index, 0);
  const array = filled([], at);
  array[at] = inner;
  return array;
}

/** A copy of the array with JSON null up to an index. */
function filled(array: readonly unknown[], index: number): unknown[] {
  if (index >= maxElements) {
    throw new SqlError(
      sqlstate.programLimitExceeded,
      `number of jsonb array elements exceeds the maximum allowed (${maxElements})`,
    );
  }
  const result = [...array];
  while (result.length < index) result.push(null);
  return result;
}
