/** Containment of jsonb, `a @> b`: every part of b occurs in a at the same place, order and repetition aside. */

import { equalItems, itemKey } from "../../types/json/compare.js";
import {
  adopt,
  elementAt,
  fieldOf,
  fromTop,
  isObject,
  isScalar,
  type JsonItem,
  type JsonObject,
} from "../../types/json/item.js";
import { checkDepth } from "../../types/json/parse.js";
import type { Value } from "../../types/value.js";

/** `whole @> part`. An array contains a scalar that is among its elements, at top level only. */
export function containsJsonb(whole: Value, part: Value): boolean {
  const a = fromTop(whole);
  const b = fromTop(part);
  if (isScalar(b)) return isScalar(a) ? equalItems(a, b) : Array.isArray(a) && containsScalar(a, b);
  return containsItem(a, b, 0);
}

function containsItem(a: JsonItem, b: JsonItem, depth: number): boolean {
  checkDepth(depth);
  if (isScalar(b)) return isScalar(a) && equalItems(a, b);
  if (Array.isArray(b)) return Array.isArray(a) && containsArray(a, b, depth);
  return isObject(a) && isObject(b) && containsObject(a, b, depth);
}

function containsObject(a: JsonObject, b: JsonObject, depth: number): boolean {
  for (const key of Object.keys(b)) {
    const wanted = adopt(b[key]);
    if (wanted === undefined) continue;
    const found = fieldOf(a, key);
    if (found === undefined || !containsItem(found, wanted, depth + 1)) return false;
  }
  return true;
}

function containsArray(a: readonly unknown[], b: readonly unknown[], depth: number): boolean {
  let scalars: Set<string> | undefined;
  for (let i = 0; i < b.length; i++) {
    const wanted = elementAt(b, i);
    if (isScalar(wanted)) {
      if (b.length === 1) return containsScalar(a, wanted);
      scalars ??= scalarKeys(a);
      if (!scalars.has(itemKey(wanted))) return false;
    } else if (!a.some((_, j) => containsItem(elementAt(a, j), wanted, depth + 1))) return false;
  }
  return true;
}

function containsScalar(a: readonly unknown[], wanted: JsonItem): boolean {
  if (typeof wanted === "string" && a.includes(wanted)) return true;
  return a.some((_, i) => {
    const item = elementAt(a, i);
    return isScalar(item) && equalItems(item, wanted);
  });
}

function scalarKeys(array: readonly unknown[]): Set<string> {
  const keys = new Set<string>();
  for (let i = 0; i < array.length; i++) {
    const item = elementAt(array, i);
    if (isScalar(item)) keys.add(itemKey(item));
  }
  return keys;
}
