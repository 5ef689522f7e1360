/**
 * Order and equality of jsonb as its btree operators have them: Object > Array > Boolean > Number > String > Null,
 * containers by their number of elements first. At top level PostgreSQL holds a scalar as an array of one element, which
 * shows in one place: an empty array is less than every scalar.
 */

import type { Value } from "../value.js";
import { adopt, compareBytes, elementAt, fromTop, isObject, isScalar, type JsonItem, keysOf, kindOf } from "./item.js";
import { compareNumbers, numberKey } from "./number.js";
import { checkDepth } from "./parse.js";
import { quoteJson } from "./write.js";

const rank = { null: 0, string: 1, number: 2, boolean: 3, array: 4, object: 5 } as const;

/** Order of two jsonb values. */
export function compareJsonb(a: Value, b: Value): number {
  const left = fromTop(a);
  const right = fromTop(b);
  if (isScalar(left) && Array.isArray(right)) return right.length === 0 ? 1 : -1;
  if (isScalar(right) && Array.isArray(left)) return left.length === 0 ? -1 : 1;
  return compareItems(left, right, 0);
}

function compareItems(a: JsonItem, b: JsonItem, depth: number): number {
  const kind = kindOf(a);
  const difference = rank[kind] - rank[kindOf(b)];
  if (difference !== 0) return difference;
  checkDepth(depth);
  switch (kind) {
    case "null":
      return 0;
    case "string":
      return compareBytes(a as string, b as string);
    case "number":
      return compareNumbers(a as number, b as number);
    case "boolean":
      return Number(a) - Number(b);
    case "array":
      return compareArrays(a as unknown[], b as unknown[], depth);
    case "object":
      return compareObjects(a as { [key: string]: unknown }, b as { [key: string]: unknown }, depth);
  }
}

function compareArrays(a: readonly unknown[], b: readonly unknown[], depth: number): number {
  if (a.length !== b.length) return a.length - b.length;
  for (let i = 0; i < a.length; i++) {
    const order = compareItems(elementAt(a, i), elementAt(b, i), depth + 1);
    if (order !== 0) return order;
  }
  return 0;
}

function compareObjects(a: { [key: string]: unknown }, b: { [key: string]: unknown }, depth: number): number {
  const left = keysOf(a);
  const right = keysOf(b);
  if (left.length !== right.length) return left.length - right.length;
  for (let i = 0; i < left.length; i++) {
    const order =
      compareBytes(left[i], right[i]) || compareItems(adopt(a[left[i]]) ?? null, adopt(b[right[i]]) ?? null, depth + 1);
    if (order !== 0) return order;
  }
  return 0;
}

/** Whether two items are equal. */
export function equalItems(a: JsonItem, b: JsonItem): boolean {
  return compareItems(a, b, 0) === 0;
}

/** A text that is the same exactly for equal items. */
export function itemKey(item: JsonItem, depth = 0): string {
  if (typeof item === "string") return quoteJson(item);
  if (typeof item === "boolean") return item ? "t" : "f";
  if (item === null) return "n";
  checkDepth(depth);
  if (Array.isArray(item)) return `[${item.map((_, i) => itemKey(elementAt(item, i), depth + 1)).join()}]`;
  if (!isObject(item)) return numberKey(item);
  return `{${keysOf(item)
    .map((key) => `${quoteJson(key)}${itemKey(adopt(item[key]) ?? null, depth + 1)}`)
    .join()}}`;
}
