/**
 * Assignment to an element or a slice of an array, as `UPDATE … SET a[2] = …` means it: a new array, grown and filled with
 * NULLs where the place is outside of the old one. Source: PostgreSQL 15, 8.15.4 "Modifying Arrays".
 */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import {
  type ArrayValue,
  checkDimensionCount,
  dimensions,
  elements,
  lowerBounds,
  maxElements,
  type SliceBounds,
  shapeArray,
} from "./array-shape.js";
import type { SqlType } from "./type.js";
import type { Value } from "./value.js";

/** Most elements that an assignment may leave: far fewer than PostgreSQL's, since each NULL takes memory here. */
const maxAssigned = 10_000_000;

function subscriptError(message: string, detail?: string): SqlError {
  return new SqlError(sqlstate.arraySubscriptError, message, { detail });
}

/** @throws SqlError 54000 */
function checkSize(lengths: readonly number[]): void {
  const size = lengths.reduce((product, length) => product * length, 1);
  if (size <= maxAssigned) return;
  const message =
    size > maxElements
      ? `array size exceeds the maximum allowed (${maxElements})`
      : `an assignment that makes an array of ${size} elements exceeds the maximum allowed (${maxAssigned})`;
  throw new SqlError(sqlstate.programLimitExceeded, message);
}

/** @throws SqlError 22004 */
function checkNotNull(indexes: readonly (number | null | undefined)[]): void {
  if (indexes.includes(null)) {
    throw new SqlError(sqlstate.nullValueNotAllowed, "array subscript in assignment must not be null");
  }
}

/** `a[i][j] = item`; a NULL array counts as an empty one. @throws SqlError 2202E, 22004, 54000 */
export function assignArrayElement(
  array: ArrayValue | null,
  indexes: readonly (number | null)[],
  item: Value,
  element: SqlType,
): ArrayValue {
  checkNotNull(indexes);
  const place = indexes as readonly number[];
  if (array === null || array.length === 0) {
    checkDimensionCount(place.length);
    return shapeArray(
      [item],
      place.map(() => 1),
      place,
      element,
    );
  }
  const lengths = dimensions(array, element);
  if (lengths.length !== place.length) throw subscriptError("wrong number of array subscripts");
  const bounds = lowerBounds(array, element);
  if (lengths.length === 1) return assignRange(array, bounds[0], place[0], [item], element);
  for (const [i, index] of place.entries()) {
    if (index < bounds[i] || index >= bounds[i] + lengths[i]) throw subscriptError("array subscript out of range");
  }
  const items = [...elements(array, element)];
  items[offsetOf(place, lengths, bounds)] = item;
  return shapeArray(items, lengths, bounds, element);
}

/**
 * `a[l:u][…] = source`: the elements of the source in their order, whatever its shape; more than are needed are left over.
 * A NULL source changes nothing. @throws SqlError 2202E, 22004, 54000
 */
export function assignArraySlice(
  array: ArrayValue | null,
  slices: readonly SliceBounds[],
  source: ArrayValue | null,
  element: SqlType,
): ArrayValue {
  checkNotNull(slices.flatMap(({ lower, upper }) => [lower, upper]));
  if (source === null) return array ?? [];
  const items = elements(source, element);
  if (array === null || array.length === 0) return sliceOfNothing(slices, items, element);
  const lengths = dimensions(array, element);
  if (lengths.length < slices.length) throw subscriptError("wrong number of array subscripts");
  const bounds = lowerBounds(array, element);
  const from = lengths.map((_, i) => slices[i]?.lower ?? bounds[i]);
  const to = lengths.map((length, i) => slices[i]?.upper ?? bounds[i] + length - 1);
  for (const [i, length] of lengths.entries()) {
    if (from[i] > to[i]) throw subscriptError("upper bound cannot be less than lower bound");
    if (lengths.length > 1 && (from[i] < bounds[i] || to[i] >= bounds[i] + length)) {
      throw subscriptError("array subscript out of range");
    }
  }
  const spans = from.map((lower, i) => to[i] - lower + 1);
  checkSize(spans);
  const needed = spans.reduce((product, span) => product * span, 1);
  if (items.length < needed) throw subscriptError("source array too small");
  if (lengths.length === 1) return assignRange(array, bounds[0], from[0], items.slice(0, needed), element);
  const result = [...elements(array, element)];
  const place = [...from];
  for (let k = 0; k < needed; k++) {
    result[offsetOf(place, lengths, bounds)] = items[k];
    for (let i = place.length - 1; i >= 0 && ++place[i] > to[i]; i--) place[i] = from[i];
  }
  return shapeArray(result, lengths, bounds, element);
}

/** A slice of an empty array: its bounds become those of the new one. */
function sliceOfNothing(slices: readonly SliceBounds[], items: ArrayValue, element: SqlType): ArrayValue {
  const bounds: number[] = [];
  const lengths: number[] = [];
  for (const { lower, upper } of slices) {
    if (typeof lower !== "number" || typeof upper !== "number") {
      throw subscriptError(
        "array slice subscript must provide both boundaries",
        "When assigning to a slice of an empty array value, slice boundaries must be fully specified.",
      );
    }
    bounds.push(lower);
    lengths.push(Math.max(upper - lower + 1, 0));
  }
  checkSize(lengths);
  const size = lengths.reduce((product, length) => product * length, 1);
  if (items.length < size) throw subscriptError("source array too small");
  return shapeArray(items.slice(0, size), lengths, bounds, element);
}

/** Puts items into an array of one dimension from an index on, growing it at either end. */
function assignRange(array: ArrayValue, bound: number, from: number, items: ArrayValue, element: SqlType): ArrayValue {
  const first = Math.min(bound, from);
  const length = Math.max(bound + array.length, from + items.length) - first;
  checkSize([length]);
  const result: Value[] = new Array<Value>(length).fill(null);
  for (let i = 0; i < array.length; i++) result[bound - first + i] = array[i];
  for (let i = 0; i < items.length; i++) result[from - first + i] = items[i];
  return shapeArray(result, [length], [first], element);
}

function offsetOf(place: readonly number[], lengths: readonly number[], bounds: readonly number[]): number {
  return place.reduce((offset, index, i) => offset * lengths[i] + index - bounds[i], 0);
}
