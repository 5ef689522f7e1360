/** Reading parts of json and jsonb: fields, elements, paths, and what an item is as text. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { elementAt, fieldOf, fromTop, isObject, isScalar, type JsonItem, toTop } from "../../types/json/item.js";
import { type JsonNode, jsonTree } from "../../types/json/json.js";
import { itemText } from "../../types/json/write.js";
import { JsonText, type Value } from "../../types/value.js";

/** Field of a jsonb value, NULL when it is no object or has no such field: `jsonb -> text`. */
export function jsonbField(value: Value, key: string): Value {
  const item = fromTop(value);
  if (!isObject(item)) return null;
  const field = fieldOf(item, key);
  return field === undefined ? null : toTop(field);
}

/** Element of a jsonb array, negative indexes from the end: `jsonb -> integer`. A scalar counts as an array of itself. */
export function jsonbElement(value: Value, index: number): Value {
  const item = fromTop(value);
  if (isScalar(item)) return index === 0 || index === -1 ? value : null;
  if (!Array.isArray(item)) return null;
  const at = index < 0 ? item.length + index : index;
  return at >= 0 && at < item.length ? toTop(elementAt(item, at)) : null;
}

/** A jsonb value as text: strings without quotes, JSON null as NULL. */
export function jsonbAsText(value: Value): string | null {
  if (typeof value === "string") return value;
  if (value === null) return null;
  const item = fromTop(value);
  return item === null ? null : itemText(item);
}

/** The item at a path, `undefined` when there is none. An array takes the text of an integer. */
function itemAtPath(start: JsonItem, path: readonly (string | null)[]): JsonItem | undefined {
  let item: JsonItem | undefined = start;
  for (const step of path) {
    if (step === null || item === undefined) return undefined;
    if (Array.isArray(item)) {
      const index: number | undefined = parseIndex(step);
      if (index === undefined) return undefined;
      const at: number = index < 0 ? item.length + index : index;
      item = at >= 0 && at < item.length ? elementAt(item, at) : undefined;
    } else item = isObject(item) ? fieldOf(item, step) : undefined;
  }
  return item;
}

/** `jsonb #> path`; NULL steps lead nowhere. */
export function jsonbPath(value: Value, path: readonly (string | null)[]): Value {
  const item = itemAtPath(fromTop(value), path);
  return item === undefined ? null : toTop(item);
}

/**
 * `value[a][b]` on jsonb: fields by text, elements by integer; NULL where there is nothing, or a subscript is NULL.
 * Subscripts are values of type text or integer.
 */
export function subscriptJsonb(value: Value, subscripts: readonly (string | number | null)[]): Value {
  return jsonbPath(
    value,
    subscripts.map((subscript) => (typeof subscript === "number" ? String(subscript) : subscript)),
  );
}

/** The text of a 32-bit integer, as C's strtol reads it; `undefined` for any other text. */
export function parseIndex(text: string): number | undefined {
  let at = 0;
  while (at < text.length && " \t\n\r\v\f".includes(text[at])) at++;
  const start = at;
  if (text[at] === "-" || text[at] === "+") at++;
  if (at === text.length) return undefined;
  for (let i = at; i < text.length; i++) if (text[i] < "0" || text[i] > "9") return undefined;
  const number = Number(text.slice(start));
  return number >= -2147483648 && number <= 2147483647 ? number + 0 : undefined;
}

/** A step of a path that leads into an array. @param level its place in the path, from 0 @throws SqlError 22P02 */
export function requireIndex(step: string, level: number): number {
  const index = parseIndex(step);
  if (index !== undefined) return index;
  throw new SqlError(
    sqlstate.invalidTextRepresentation,
    `path element at position ${level + 1} is not an integer: "${step}"`,
  );
}

/** A piece of a json text as a value of type json. */
export function nodeJson(json: JsonText, node: JsonNode): JsonText {
  return new JsonText(json.text.slice(node.start, node.end));
}

/** A piece of a json text as text: strings without quotes and escapes, JSON null as NULL. */
export function nodeAsText(json: JsonText, node: JsonNode): string | null {
  if (node.kind === "string") return node.value;
  return node.kind === "null" ? null : json.text.slice(node.start, node.end);
}

/** Field of a json object; the last one counts when its name occurs several times. */
export function nodeField(node: JsonNode, key: string): JsonNode | undefined {
  if (node.kind !== "object") return undefined;
  const index = node.keys.lastIndexOf(key);
  return index < 0 ? undefined : node.values[index];
}

/** Element of a json array, negative indexes from the end. */
export function nodeElement(node: JsonNode, index: number): JsonNode | undefined {
  if (node.kind !== "array") return undefined;
  return node.items[index < 0 ? node.items.length + index : index];
}

/** The node at a path; `undefined` when there is none. */
export function nodeAtPath(json: JsonText, path: readonly (string | null)[]): JsonNode | undefined {
  let node: JsonNode | undefined = jsonTree(json);
  for (const step of path) {
    if (step === null || node === undefined) return undefined;
    if (node.kind === "array") {
      const index = parseIndex(step);
      node = index === undefined ? undefined : nodeElement(node, index);
    } else node = nodeField(node, step);
  }
  return node;
}
