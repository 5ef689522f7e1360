/** Array functions and operators (PostgreSQL 15, 9.19), without those that turn arrays into text or rows. */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import { equalityOf } from "../types/array.js";
import {
  type ArrayValue,
  boundedArray,
  cardinality,
  checkDimensionCount,
  dimensionCount,
  dimensions,
  elements,
  lowerBounds,
  maxElements,
  shapeArray,
  sliceArray,
} from "../types/array-shape.js";
import { operationsOf } from "../types/families.js";
import type { SqlType } from "../types/type.js";
import type { Value } from "../types/value.js";
import { spendWork } from "../types/work.js";
import type { CallSite, Operator, ScalarFunction } from "./function.js";

/** Element type of the call's n-th argument. */
function elementOf(site: CallSite, argument = 0): SqlType {
  const type = site.argTypes[argument];
  return type.element ?? type;
}

function withBounds(items: ArrayValue, bounds: readonly number[]): ArrayValue {
  return items.length === 0 || bounds.every((bound) => bound === 1) ? items : boundedArray(items, bounds);
}

function dataException(message: string): SqlError {
  return new SqlError(sqlstate.dataException, message);
}

function subscriptError(message: string, detail?: string): SqlError {
  return new SqlError(sqlstate.arraySubscriptError, message, { detail });
}

/** One dimension, or none: the elements and the lower bound. @throws SqlError 22000 */
function flatArray(array: ArrayValue | null, element: SqlType): { items: ArrayValue; bound: number } {
  if (array === null || array.length === 0) return { items: [], bound: 1 };
  if (dimensionCount(array, element) > 1) throw dataException("argument must be empty or one-dimensional array");
  return { items: array, bound: lowerBounds(array, element)[0] };
}

function append(array: ArrayValue | null, item: Value, element: SqlType): ArrayValue {
  const { items, bound } = flatArray(array, element);
  spendWork(items.length >> 2);
  return withBounds(([] as Value[]).concat(items as Value[], [item]), [bound]);
}

function prepend(item: Value, array: ArrayValue | null, element: SqlType): ArrayValue {
  const { items, bound } = flatArray(array, element);
  spendWork(items.length >> 2);
  return withBounds([item].concat(items as Value[]), [bound]);
}

function concatenate(a: ArrayValue | null, b: ArrayValue | null, element: SqlType): ArrayValue | null {
  if (a === null || b === null) return a ?? b;
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  const left = { lengths: dimensions(a, element), bounds: lowerBounds(a, element) };
  const right = { lengths: dimensions(b, element), bounds: lowerBounds(b, element) };
  const difference = left.lengths.length - right.lengths.length;
  if (Math.abs(difference) > 1) {
    throw subscriptError(
      "cannot concatenate incompatible arrays",
      `Arrays of ${left.lengths.length} and ${right.lengths.length} dimensions are not compatible for concatenation.`,
    );
  }
  const outer = difference < 0 ? right : left;
  const inner = (side: typeof left) => ({
    lengths: side.lengths.slice(side.lengths.length === outer.lengths.length ? 1 : 0),
    bounds: side.bounds.slice(side.lengths.length === outer.lengths.length ? 1 : 0),
  });
  const x = inner(left);
  const y = inner(right);
  if (x.lengths.join() !== y.lengths.join() || x.bounds.join() !== y.bounds.join()) {
    const what = difference === 0 ? "differing element dimensions" : "differing dimensions";
    throw subscriptError(
      "cannot concatenate incompatible arrays",
      `Arrays with ${what} are not compatible for concatenation.`,
    );
  }
  const rows = (side: typeof left) => (side.lengths.length === outer.lengths.length ? side.lengths[0] : 1);
  const lengths = [rows(left) + rows(right), ...x.lengths];
  return shapeArray([...elements(a, element), ...elements(b, element)], lengths, outer.bounds, element);
}

/** Equality with NULL equal to NULL: `IS NOT DISTINCT FROM`. */
function sameness(element: SqlType): (a: Value, b: Value) => boolean {
  const equal = equalityOf(element);
  return (a, b) => (a === null || b === null ? a === b : equal(a, b));
}

function checkSearchable(array: ArrayValue, element: SqlType): void {
  if (dimensionCount(array, element) <= 1) return;
  throw new SqlError(
    sqlstate.featureNotSupported,
    "searching for elements in multidimensional arrays is not supported",
  );
}

function* positions(array: ArrayValue, item: Value, element: SqlType): Generator<number> {
  checkSearchable(array, element);
  const same = sameness(element);
  const bound = lowerBounds(array, element)[0] ?? 1;
  for (let i = 0; i < array.length; i++) if (same(array[i], item)) yield bound + i;
}

function position(
  array: ArrayValue | null,
  item: Value,
  element: SqlType,
  start: number | null = Number.NEGATIVE_INFINITY,
): Value {
  if (array === null) return null;
  checkSearchable(array, element);
  if (array.length === 0 || (item === null && !array.includes(null))) return null;
  if (start === null) throw new SqlError(sqlstate.nullValueNotAllowed, "initial position must not be null");
  for (const found of positions(array, item, element)) if (found >= start) return found;
  return null;
}

function remove(array: ArrayValue | null, item: Value, element: SqlType): ArrayValue | null {
  if (array === null) return null;
  if (dimensionCount(array, element) > 1) {
    throw new SqlError(sqlstate.featureNotSupported, "removing elements from multidimensional arrays is not supported");
  }
  const same = sameness(element);
  const kept = Array.from(array).filter((value) => !same(value, item));
  return kept.length === array.length ? array : withBounds(kept, lowerBounds(array, element));
}

function replace(array: ArrayValue | null, from: Value, to: Value, element: SqlType): ArrayValue | null {
  if (array === null || array.length === 0) return array;
  const same = sameness(element);
  const items = Array.from(elements(array, element), (value) => (same(value, from) ? to : value));
  return shapeArray(items, dimensions(array, element), lowerBounds(array, element), element);
}

function fill(item: Value, lengths: ArrayValue | null, bounds: ArrayValue | null, site: CallSite): ArrayValue {
  if (lengths === null || bounds === null) {
    throw new SqlError(sqlstate.nullValueNotAllowed, "dimension array or low bound array cannot be null");
  }
  const sizes = dimensionValues(lengths);
  checkDimensionCount(sizes.length);
  const starts = dimensionValues(bounds);
  if (starts.length !== sizes.length) {
    throw subscriptError(
      "wrong number of array subscripts",
      "Low bound array has different size than dimensions array.",
    );
  }
  let total = sizes.length === 0 ? 0 : 1;
  for (const size of sizes) {
    total *= size;
    if (size < 0 || total > maxElements) {
      throw new SqlError(sqlstate.programLimitExceeded, `array size exceeds the maximum allowed (${maxElements})`);
    }
  }
  for (let i = 0; i < starts.length; i++) {
    if (starts[i] + sizes[i] > 2_147_483_647) {
      throw new SqlError(sqlstate.programLimitExceeded, `array lower bound is too large: ${starts[i]}`);
    }
  }
  site.session.reserveBytes(total * 8);
  return shapeArray(new Array<Value>(total).fill(item), sizes, starts, site.argTypes[0]);
}

function dimensionValues(array: ArrayValue): number[] {
  if (array.some(Array.isArray))
    throw subscriptError("wrong number of array subscripts", "Dimension array must be one dimensional.");
  if (array.includes(null)) throw new SqlError(sqlstate.nullValueNotAllowed, "dimension values cannot be null");
  return Array.from(array, Number);
}

function trim(array: ArrayValue, count: number, element: SqlType): ArrayValue | null {
  const length = array.length;
  if (count < 0 || count > length) throw subscriptError(`number of elements to trim must be between 0 and ${length}`);
  if (length === 0) return array;
  const bound = lowerBounds(array, element)[0];
  return sliceArray(array, [{ lower: bound, upper: bound + length - count - 1 }], element);
}

function dimensionsText(array: ArrayValue, element: SqlType): string | null {
  const lengths = dimensions(array, element);
  if (lengths.length === 0) return null;
  const bounds = lowerBounds(array, element);
  return lengths.map((length, i) => `[${bounds[i]}:${bounds[i] + length - 1}]`).join("");
}

/** The keys of an array's elements: primitives that are equal for equal elements. NULLs are left out. */
function keysOfElements(array: ArrayValue, element: SqlType): Value[] {
  const { key } = operationsOf(element);
  const keys: Value[] = [];
  for (const item of elements(array, element)) if (item !== null) keys.push(key === undefined ? item : key(item));
  return keys;
}

function contains(whole: ArrayValue, part: ArrayValue, element: SqlType): boolean {
  equalityOf(element);
  if (part.length === 0) return true;
  const wanted = keysOfElements(part, element);
  if (wanted.length < cardinality(part, element)) return false; // a NULL is in no array
  const present = new Set(keysOfElements(whole, element));
  return wanted.every((key) => present.has(key));
}

function overlaps(a: ArrayValue, b: ArrayValue, element: SqlType): boolean {
  equalityOf(element);
  const present = new Set(keysOfElements(a, element));
  return keysOfElements(b, element).some((key) => present.has(key));
}

const common = { kind: "scalar", volatility: "immutable" } as const;

export const arrayFunctions: readonly ScalarFunction[] = [
  {
    ...common,
    name: "array_append",
    args: ["anycompatiblearray", "anycompatible"],
    returns: "anycompatiblearray",
    strict: false,
    specialize: (site) => (array: ArrayValue | null, item: Value) => append(array, item, elementOf(site)),
  },
  {
    ...common,
    name: "array_prepend",
    args: ["anycompatible", "anycompatiblearray"],
    returns: "anycompatiblearray",
    strict: false,
    specialize: (site) => (item: Value, array: ArrayValue | null) => prepend(item, array, elementOf(site, 1)),
  },
  {
    ...common,
    name: "array_cat",
    args: ["anycompatiblearray", "anycompatiblearray"],
    returns: "anycompatiblearray",
    strict: false,
    specialize: (site) => (a: ArrayValue | null, b: ArrayValue | null) => concatenate(a, b, elementOf(site)),
  },
  {
    ...common,
    name: "array_dims",
    args: ["anyarray"],
    returns: "text",
    strict: true,
    specialize: (site) => (array: ArrayValue) => dimensionsText(array, elementOf(site)),
  },
  {
    ...common,
    name: "array_ndims",
    args: ["anyarray"],
    returns: "int4",
    strict: true,
    specialize: (site) => (array: ArrayValue) => dimensionCount(array, elementOf(site)) || null,
  },
  {
    ...common,
    name: "array_length",
    args: ["anyarray", "int4"],
    returns: "int4",
    strict: true,
    specialize: (site) => (array: ArrayValue, n: number) => dimensions(array, elementOf(site))[n - 1] ?? null,
  },
  {
    ...common,
    name: "array_lower",
    args: ["anyarray", "int4"],
    returns: "int4",
    strict: true,
    specialize: (site) => (array: ArrayValue, n: number) => lowerBounds(array, elementOf(site))[n - 1] ?? null,
  },
  {
    ...common,
    name: "array_upper",
    args: ["anyarray", "int4"],
    returns: "int4",
    strict: true,
    specialize: (site) => (array: ArrayValue, n: number) => {
      const lengths = dimensions(array, elementOf(site));
      return n < 1 || n > lengths.length ? null : lowerBounds(array, elementOf(site))[n - 1] + lengths[n - 1] - 1;
    },
  },
  {
    ...common,
    name: "cardinality",
    args: ["anyarray"],
    returns: "int4",
    strict: true,
    specialize: (site) => (array: ArrayValue) => cardinality(array, elementOf(site)),
  },
  {
    ...common,
    name: "array_position",
    args: ["anycompatiblearray", "anycompatible"],
    returns: "int4",
    strict: false,
    specialize: (site) => (array: ArrayValue | null, item: Value) => position(array, item, elementOf(site)),
  },
  {
    ...common,
    name: "array_position",
    args: ["anycompatiblearray", "anycompatible", "int4"],
    returns: "int4",
    strict: false,
    specialize: (site) => (array: ArrayValue | null, item: Value, start: number | null) =>
      position(array, item, elementOf(site), start),
  },
  {
    ...common,
    name: "array_positions",
    args: ["anycompatiblearray", "anycompatible"],
    returns: "int4[]",
    strict: false,
    specialize: (site) => (array: ArrayValue | null, item: Value) =>
      array === null ? null : [...positions(array, item, elementOf(site))],
  },
  {
    ...common,
    name: "array_remove",
    args: ["anycompatiblearray", "anycompatible"],
    returns: "anycompatiblearray",
    strict: false,
    specialize: (site) => (array: ArrayValue | null, item: Value) => remove(array, item, elementOf(site)),
  },
  {
    ...common,
    name: "array_replace",
    args: ["anycompatiblearray", "anycompatible", "anycompatible"],
    returns: "anycompatiblearray",
    strict: false,
    specialize: (site) => (array: ArrayValue | null, from: Value, to: Value) =>
      replace(array, from, to, elementOf(site)),
  },
  {
    ...common,
    name: "array_fill",
    args: ["anyelement", "int4[]"],
    returns: "anyarray",
    strict: false,
    specialize: (site) => (item: Value, lengths: ArrayValue | null) =>
      fill(item, lengths, lengths === null ? null : lengths.map(() => 1), site),
  },
  {
    ...common,
    name: "array_fill",
    args: ["anyelement", "int4[]", "int4[]"],
    returns: "anyarray",
    strict: false,
    specialize: (site) => (item: Value, lengths: ArrayValue | null, bounds: ArrayValue | null) =>
      fill(item, lengths, bounds, site),
  },
  {
    ...common,
    name: "trim_array",
    args: ["anyarray", "int4"],
    returns: "anyarray",
    strict: true,
    specialize: (site) => (array: ArrayValue, count: number) => trim(array, count, elementOf(site)),
  },
];

const immutable = { kind: "operator", volatility: "immutable" } as const;

export const arrayOperators: readonly Operator[] = [
  {
    ...immutable,
    name: "||",
    left: "anycompatiblearray",
    right: "anycompatible",
    returns: "anycompatiblearray",
    strict: false,
    specialize: (site) => (array: ArrayValue | null, item: Value) => append(array, item, elementOf(site)),
  },
  {
    ...immutable,
    name: "||",
    left: "anycompatible",
    right: "anycompatiblearray",
    returns: "anycompatiblearray",
    strict: false,
    specialize: (site) => (item: Value, array: ArrayValue | null) => prepend(item, array, elementOf(site, 1)),
  },
  {
    ...immutable,
    name: "||",
    left: "anycompatiblearray",
    right: "anycompatiblearray",
    returns: "anycompatiblearray",
    strict: false,
    specialize: (site) => (a: ArrayValue | null, b: ArrayValue | null) => concatenate(a, b, elementOf(site)),
  },
  {
    ...immutable,
    name: "@>",
    left: "anyarray",
    right: "anyarray",
    returns: "bool",
    commutator: "<@",
    specialize: (site) => (whole: ArrayValue, part: ArrayValue) => contains(whole, part, elementOf(site)),
  },
  {
    ...immutable,
    name: "<@",
    left: "anyarray",
    right: "anyarray",
    returns: "bool",
    commutator: "@>",
    specialize: (site) => (part: ArrayValue, whole: ArrayValue) => contains(whole, part, elementOf(site)),
  },
  {
    ...immutable,
    name: "&&",
    left: "anyarray",
    right: "anyarray",
    returns: "bool",
    commutator: "&&",
    specialize: (site) => (a: ArrayValue, b: ArrayValue) => overlaps(a, b, elementOf(site)),
  },
];
