/**
 * The shape of array values: dimensions, lower bounds, elements, subscripts and slices, with PostgreSQL's rules.
 *
 * In memory an array is a JavaScript array, nested for several dimensions; an empty one has no dimension. Elements of
 * type jsonb can be JavaScript arrays themselves, so a `jsonb[]` is nested only when it is a {@link BoundedArray}: that
 * names its dimensions by its lower bounds. Every function here therefore asks for the element type.
 */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import { type SqlType, types } from "./type.js";
import { BoundedArray, type Value } from "./value.js";

export type ArrayValue = readonly Value[];

/** PostgreSQL's MAXDIM. */
export const maxDimensions = 6;
/** Most elements of one array (PostgreSQL's MaxArraySize). */
export const maxElements = 134_217_727;

/** Number of dimensions, 0 for an empty array. */
export function dimensionCount(array: ArrayValue, element: SqlType): number {
  if (array.length === 0) return 0;
  if (array instanceof BoundedArray && array.lowerBounds.length > 0) return array.lowerBounds.length;
  if (element === types.jsonb) return 1;
  let count = 1;
  for (let inner = array[0]; Array.isArray(inner); inner = inner[0]) count++;
  return count;
}

/** Length of each dimension, an empty list for an empty array. */
export function dimensions(array: ArrayValue, element: SqlType): number[] {
  const lengths: number[] = [];
  let level: ArrayValue = array;
  for (let count = dimensionCount(array, element); count > 0; count--) {
    lengths.push(level.length);
    level = level[0] as ArrayValue;
  }
  return lengths;
}

/** Lower bound of each dimension. */
export function lowerBounds(array: ArrayValue, element: SqlType): readonly number[] {
  if (array instanceof BoundedArray && array.lowerBounds.length > 0) return array.lowerBounds;
  return new Array<number>(dimensionCount(array, element)).fill(1);
}

/** The elements in order, whatever the dimensions; an array of one dimension is given as it is. */
export function elements(array: ArrayValue, element: SqlType): ArrayValue {
  const depth = dimensionCount(array, element);
  return depth <= 1 ? array : flatten(array, depth);
}

function flatten(array: ArrayValue, depth: number): Value[] {
  let level: ArrayValue = array;
  for (let i = 1; i < depth; i++) {
    const next: Value[] = [];
    for (const inner of level) for (const item of inner as ArrayValue) next.push(item);
    level = next;
  }
  return level as Value[];
}

/** Number of elements. */
export function cardinality(array: ArrayValue, element: SqlType): number {
  return dimensions(array, element).reduce((product, length) => product * length, array.length === 0 ? 0 : 1);
}

/** An array of these elements (in order) and this shape; a product of lengths of 0 gives the empty array. */
export function shapeArray(
  items: ArrayValue,
  lengths: readonly number[],
  bounds: readonly number[],
  element: SqlType,
): ArrayValue {
  if (items.length === 0) return [];
  let level: ArrayValue = items;
  for (let i = lengths.length - 1; i > 0; i--) {
    const next: Value[] = [];
    for (let at = 0; at < level.length; at += lengths[i]) next.push(level.slice(at, at + lengths[i]));
    level = next;
  }
  const plain = bounds.every((bound) => bound === 1) && (lengths.length === 1 || element !== types.jsonb);
  return plain ? level : boundedArray(level, bounds);
}

/** The same elements with lower bounds of their own. */
export function boundedArray(items: ArrayValue, bounds: readonly number[]): BoundedArray {
  const result = new BoundedArray();
  for (const item of items) result.push(item);
  result.lowerBounds = [...bounds];
  return result;
}

/** `ARRAY[a, b, …]` over arrays: they become the rows of one more dimension. @throws SqlError 2202E when their dimensions differ */
export function nestArrays(items: readonly (ArrayValue | null)[], element: SqlType): ArrayValue {
  if (items.every((item) => item === null || item.length === 0)) return [];
  const shapes = items.map((item) => (item === null ? [] : dimensions(item, element)));
  const first = shapes[0];
  for (const shape of shapes) {
    if (shape.length !== first.length || shape.some((length, i) => length !== first[i])) {
      throw new SqlError(
        sqlstate.arraySubscriptError,
        "multidimensional arrays must have array expressions with matching dimensions",
      );
    }
  }
  checkDimensionCount(first.length + 1);
  const flat: Value[] = [];
  for (const item of items) for (const value of elements(item as ArrayValue, element)) flat.push(value);
  return shapeArray(flat, [items.length, ...first], new Array<number>(first.length + 1).fill(1), element);
}

/** @throws SqlError 54000 */
export function checkDimensionCount(count: number): void {
  if (count > maxDimensions) {
    throw new SqlError(
      sqlstate.programLimitExceeded,
      `number of array dimensions (${count}) exceeds the maximum allowed (${maxDimensions})`,
    );
  }
}

/** `a[i][j]`: NULL when there is no such element, or when the number of subscripts is not that of the dimensions. */
export function subscriptArray(array: ArrayValue, indexes: readonly (number | null)[], element: SqlType): Value {
  if (indexes.length !== dimensionCount(array, element)) return null;
  const bounds = lowerBounds(array, element);
  let level: Value = array;
  for (let i = 0; i < indexes.length; i++) {
    const index = indexes[i];
    if (index === null) return null;
    const item: Value = (level as ArrayValue)[index - bounds[i]];
    if (item === undefined) return null;
    level = item;
  }
  return level;
}

/** One subscript of a slice; a bound that is left out (`[:2]`) is `undefined`. A plain subscript `[3]` in a slice means `[1:3]`. */
export interface SliceBounds {
  readonly lower?: number | null;
  readonly upper?: number | null;
}

/** `a[l:u][…]`: the part within the bounds, renumbered from 1; NULL when a bound is NULL; empty when nothing is within. */
export function sliceArray(array: ArrayValue, slices: readonly SliceBounds[], element: SqlType): ArrayValue | null {
  if (slices.some(({ lower, upper }) => lower === null || upper === null)) return null;
  const lengths = dimensions(array, element);
  if (lengths.length < slices.length || lengths.length === 0) return [];
  const bounds = lowerBounds(array, element);
  const from: number[] = [];
  const to: number[] = [];
  for (let i = 0; i < lengths.length; i++) {
    const last = bounds[i] + lengths[i] - 1;
    const lower = Math.max(slices[i]?.lower ?? bounds[i], bounds[i]);
    const upper = Math.min(slices[i]?.upper ?? last, last);
    if (lower > upper) return [];
    from.push(lower - bounds[i]);
    to.push(upper - bounds[i] + 1);
  }
  const cut = (level: ArrayValue, depth: number): ArrayValue => {
    const part = Array.from(level.slice(from[depth], to[depth]));
    return depth + 1 < lengths.length ? part.map((inner) => cut(inner as ArrayValue, depth + 1)) : part;
  };
  const result = cut(array, 0);
  return element === types.jsonb && lengths.length > 1
    ? boundedArray(result, new Array<number>(lengths.length).fill(1))
    : result;
}
