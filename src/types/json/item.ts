/**
 * JSON items: the form that jsonb values have inside objects and arrays, with a plain `null` for JSON null. Objects and
 * arrays that came from a resource are used as they are, so everything that reads one goes through the functions here:
 * they see what `JSON.stringify` would see (no `undefined` fields, dates as ISO text) and never a prototype's property.
 */
import { Numeric } from "../numeric.js";
import { jsonNull, type Value } from "../value.js";
import { jsonNumber } from "./number.js";

/** A number of a JSON item. */
export type JsonNumber = number | Numeric;

/** An object of a JSON item; its fields may still be host values, see {@link adopt}. */
export type JsonObject = { [key: string]: unknown };

/** A JSON item. */
export type JsonItem = null | string | boolean | JsonNumber | unknown[] | JsonObject;

/** What `jsonb_typeof` calls it. */
export type JsonKind = "null" | "string" | "number" | "boolean" | "array" | "object";

/** A field or element as a JSON item; `undefined` when JSON has nothing for it (a function, an unset field). */
export function adopt(raw: unknown): JsonItem | undefined {
  switch (typeof raw) {
    case "string":
    case "boolean":
      return raw;
    case "number":
      return Number.isFinite(raw) ? raw : null;
    case "bigint":
      return jsonNumber(raw.toString());
    case "object": {
      if (raw === null || Array.isArray(raw) || raw instanceof Numeric) return raw;
      const { toJSON } = raw as { toJSON?: unknown };
      if (typeof toJSON === "function") return adopt(toJSON.call(raw));
      return raw as JsonObject;
    }
    case "symbol":
      return raw === jsonNull ? null : undefined;
    default:
      return undefined;
  }
}

/** An item as a value of type jsonb: JSON null at top level is told apart from SQL NULL. */
export function toTop(item: JsonItem): Value {
  return item === null ? jsonNull : item;
}

/** A value of type jsonb as an item. */
export function fromTop(value: Value): JsonItem {
  return adopt(value) ?? null;
}

/** What the item is. */
export function kindOf(item: JsonItem): JsonKind {
  switch (typeof item) {
    case "string":
      return "string";
    case "boolean":
      return "boolean";
    case "number":
      return "number";
    default:
      if (item === null) return "null";
      if (Array.isArray(item)) return "array";
      return item instanceof Numeric ? "number" : "object";
  }
}

export function isObject(item: JsonItem): item is JsonObject {
  return typeof item === "object" && item !== null && !Array.isArray(item) && !(item instanceof Numeric);
}

/** Whether an item is neither an object nor an array. */
export function isScalar(item: JsonItem): boolean {
  return typeof item !== "object" || item === null || item instanceof Numeric;
}

/** Element of an array by its 0-based index; a hole is JSON null. */
export function elementAt(array: readonly unknown[], index: number): JsonItem {
  return adopt(array[index]) ?? null;
}

/** Field of an object; `undefined` when it has none of that name. */
export function fieldOf(object: JsonObject, key: string): JsonItem | undefined {
  return Object.hasOwn(object, key) ? adopt(object[key]) : undefined;
}

/** The names of an object's fields in jsonb's order: shorter ones first, then by bytes. */
export function keysOf(object: JsonObject): string[] {
  const keys = Object.keys(object);
  for (let i = 0; i < keys.length; i++) {
    if (adopt(object[keys[i]]) === undefined)
      return keys.filter((key) => adopt(object[key]) !== undefined).sort(compareKeys);
  }
  return keys.length > 1 ? keys.sort(compareKeys) : keys;
}

/** Number of fields that JSON sees. */
export function sizeOf(object: JsonObject): number {
  let size = 0;
  for (const key of Object.keys(object)) if (adopt(object[key]) !== undefined) size++;
  return size;
}

/** A new, empty object for {@link setField}. */
export function newObject(): JsonObject {
  return {};
}

/** Writes a field; `__proto__` becomes an ordinary field. */
export function setField(object: JsonObject, key: string, value: JsonItem): void {
  if (key === "__proto__")
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
}

/** A shallow copy, to be changed. */
export function copyObject(object: JsonObject): JsonObject {
  const copy = newObject();
  for (const key of Object.keys(object)) {
    const value = adopt(object[key]);
    if (value !== undefined) setField(copy, key, value);
  }
  return copy;
}

/** Order of keys within an object: by length in bytes, then by bytes. */
function compareKeys(a: string, b: string): number {
  const difference = byteLength(a) - byteLength(b);
  return difference !== 0 ? difference : compareBytes(a, b);
}

/** Order of two texts by their UTF-8 bytes, which is the order of their code points. */
export function compareBytes(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    let left = a.charCodeAt(i);
    let right = b.charCodeAt(i);
    if (left !== right) {
      // surrogates stand for code points above all other UTF-16 units
      if (left >= 0xd800 && right >= 0xd800) {
        left = left >= 0xe000 ? left - 0x800 : left + 0x2000;
        right = right >= 0xe000 ? right - 0x800 : right + 0x2000;
      }
      return left - right;
    }
  }
  return a.length - b.length;
}

/** Length in UTF-8 bytes. */
export function byteLength(text: string): number {
  let bytes = text.length;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < 0x80) continue;
    if (code < 0x800 || (code >= 0xd800 && code <= 0xdfff)) bytes += 1;
    else bytes += 2;
  }
  return bytes;
}
