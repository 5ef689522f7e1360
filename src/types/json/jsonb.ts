/** Type jsonb: JSON kept as JavaScript values, objects of resources as they came. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { Numeric } from "../numeric.js";
import type { TypeOperations } from "../operations.js";
import type { Value } from "../value.js";
import { compareJsonb, itemKey } from "./compare.js";
import { adopt, elementAt, fromTop, isObject, type JsonItem, newObject, setField, toTop } from "./item.js";
import { hostNumber, jsonNumber } from "./number.js";
import { checkDepth, type JsonBuilder, parseJson } from "./parse.js";
import { itemText } from "./write.js";

const itemBuilder: JsonBuilder<JsonItem> = {
  decode: true,
  string: (value) => {
    checkStringLength(value);
    return value;
  },
  number: (text) => jsonNumber(text),
  literal: (value) => value,
  array: (items) => items,
  object: (keys, values) => {
    const object = newObject();
    for (let i = 0; i < keys.length; i++) {
      checkStringLength(keys[i]);
      setField(object, keys[i], values[i]);
    }
    return object;
  },
};

/** PostgreSQL keeps lengths inside jsonb in 28 bits. */
const maxStringBytes = 0x0fffffff;

function checkStringLength(text: string): void {
  if (text.length > maxStringBytes) {
    throw new SqlError(sqlstate.programLimitExceeded, "string too long to represent as jsonb string", {
      detail: `Due to an implementation restriction, jsonb strings cannot exceed ${maxStringBytes} bytes.`,
    });
  }
}

/** Reads JSON text as an item. @throws SqlError 22P02, 22P05 */
export function parseItem(text: string): JsonItem {
  return parseJson(text, itemBuilder);
}

/** Reads text that type json accepts: `\\u0000` and half surrogate pairs are let through. */
export function parseItemLeniently(text: string): JsonItem {
  return parseJson(text, { ...itemBuilder, decode: false });
}

/** Reads JSON text as a value of type jsonb. */
export function parseJsonb(text: string): Value {
  return toTop(parseItem(text));
}

/** The text form of a value of type jsonb. */
export function jsonbText(value: Value): string {
  return itemText(fromTop(value));
}

/** An item as plain JavaScript: numbers that are exact as numbers, others as text. Unchanged parts are not copied. */
export function hostItem(item: JsonItem, depth = 0): unknown {
  if (typeof item !== "object" || item === null) return item;
  checkDepth(depth);
  if (item instanceof Numeric) return hostNumber(item);
  if (Array.isArray(item)) {
    let copy: unknown[] | undefined;
    for (let i = 0; i < item.length; i++) {
      const shown = hostItem(elementAt(item, i), depth + 1);
      if (shown === item[i]) continue;
      copy ??= [...item];
      copy[i] = shown;
    }
    return copy ?? item;
  }
  if (!isObject(item)) return item;
  let changed = false;
  const copy = newObject();
  for (const key of Object.keys(item)) {
    const field = adopt(item[key]);
    const shown = field === undefined ? undefined : hostItem(field, depth + 1);
    if (shown !== item[key] || shown === undefined) changed = true;
    if (shown !== undefined) setField(copy, key, shown as JsonItem);
  }
  return changed ? copy : item;
}

export const jsonbOperations: TypeOperations = {
  input: (text) => parseJsonb(text),
  output: (value) => jsonbText(value),
  compare: compareJsonb,
  key: (value) => itemKey(fromTop(value)),
  fromHost(value) {
    if (typeof value === "number" && !Number.isFinite(value)) return undefined;
    const item = adopt(value);
    return item === undefined ? undefined : toTop(item);
  },
  toHost: (value) => hostItem(fromTop(value)),
};
