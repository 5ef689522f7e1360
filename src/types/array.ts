/** Arrays of any element type; their shape is told in `array-shape.ts`, their text form in `array-text.ts`. */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import { type ArrayValue, dimensionCount, dimensions, elements, lowerBounds, shapeArray } from "./array-shape.js";
import { arrayText, parseArrayLiteral } from "./array-text.js";
import { operationsOf } from "./families.js";
import { keyText } from "./key-text.js";
import type { TypeContext, TypeOperations } from "./operations.js";
import { type SqlType, types } from "./type.js";
import type { Value } from "./value.js";
import { spendWork } from "./work.js";

/** What can be done with arrays of this element type. */
export function arrayOperations(element: SqlType): TypeOperations {
  const operations = operationsOf(element);
  const { compare } = operations;
  return {
    input(text, typmod, context) {
      const { items, lengths, bounds } = parseArrayLiteral(text);
      const values = items.map((item) =>
        !item.quoted && item.text.toLowerCase() === "null" ? null : operations.input(item.text, typmod, context),
      );
      return shapeArray(values, lengths, bounds, element);
    },
    output: (value, context) => arrayText(value as ArrayValue, element, (item) => operations.output(item, context)),
    compare:
      compare === undefined ? undefined : (a, b) => compareArrays(a as ArrayValue, b as ArrayValue, element, compare),
    key: compare === undefined ? undefined : (value) => arrayKey(value as ArrayValue, element, operations),
    fromHost: (value, typmod, context) => arrayFromHost(value, element, operations, typmod, context),
    toHost: (value, context) =>
      arrayToHost(value as ArrayValue, dimensionCount(value as ArrayValue, element), operations, context),
  };
}

/** The order of array_cmp: element by element (NULL last and equal to NULL), then size, dimensions, lower bounds. */
function compareArrays(
  a: ArrayValue,
  b: ArrayValue,
  element: SqlType,
  compare: (a: Value, b: Value) => number,
): number {
  const left = elements(a, element);
  const right = elements(b, element);
  const count = Math.min(left.length, right.length);
  if (count > 64) spendWork(count);
  for (let i = 0; i < count; i++) {
    const x = left[i];
    const y = right[i];
    if (x === null || y === null) {
      if (x === y) continue;
      return x === null ? 1 : -1;
    }
    const order = compare(x, y);
    if (order !== 0) return order;
  }
  return (
    left.length - right.length ||
    dimensionCount(a, element) - dimensionCount(b, element) ||
    firstDifference(dimensions(a, element), dimensions(b, element)) ||
    firstDifference(lowerBounds(a, element), lowerBounds(b, element))
  );
}

function firstDifference(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return a[i] - b[i];
  return 0;
}

function arrayKey(array: ArrayValue, element: SqlType, operations: TypeOperations): string {
  const shape = dimensionCount(array, element) > 1 ? dimensions(array, element).join() : "";
  const bounds = lowerBounds(array, element);
  let key = `${shape};${bounds.some((bound) => bound !== 1) ? bounds.join() : ""};`;
  for (const item of elements(array, element)) key += keyText(item, operations);
  return key;
}

function arrayFromHost(
  value: unknown,
  element: SqlType,
  operations: TypeOperations,
  typmod: number,
  context: TypeContext,
): Value | undefined {
  if (typeof value === "string") {
    const parsed = parseHostText(value);
    if (parsed !== undefined) return arrayFromHost(parsed, element, operations, typmod, context);
    try {
      return arrayOperations(element).input(value, typmod, context);
    } catch (error) {
      if (error instanceof SqlError) return undefined; // the caller names the column and the value
      throw error;
    }
  }
  if (!Array.isArray(value)) return undefined;
  if (element !== types.jsonb && element !== types.json && value.some(Array.isArray))
    return nestedFromHost(value, element, operations, typmod, context);
  let copy: Value[] | undefined;
  for (let i = 0; i < value.length; i++) {
    const raw: unknown = value[i];
    const item = raw === null || raw === undefined ? null : operations.fromHost(raw, typmod, context);
    if (item === undefined) return undefined;
    if (copy === undefined) {
      if (item === raw) continue;
      copy = value.slice(0, i);
    }
    copy.push(item);
  }
  return copy ?? value;
}

/** Several dimensions; `undefined` when the inner arrays differ in shape. */
function nestedFromHost(
  value: readonly unknown[],
  element: SqlType,
  operations: TypeOperations,
  typmod: number,
  context: TypeContext,
): Value | undefined {
  const rows: ArrayValue[] = [];
  let shape: string | undefined;
  for (const inner of value) {
    if (!Array.isArray(inner)) return undefined;
    const row = arrayFromHost(inner, element, operations, typmod, context);
    if (row === undefined) return undefined;
    const rowShape = dimensions(row as ArrayValue, element).join();
    shape ??= rowShape;
    if (shape !== rowShape) return undefined;
    rows.push(row as ArrayValue);
  }
  return shape === "" ? [] : rows;
}

function parseHostText(text: string): unknown[] | undefined {
  if (!text.trimStart().startsWith("[")) return undefined;
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? parsed : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined; // not JSON: it may still be a literal such as [0:1]={1,2}
    throw error;
  }
}

function arrayToHost(array: ArrayValue, depth: number, operations: TypeOperations, context: TypeContext): unknown[] {
  return Array.from(array, (item) => {
    if (depth > 1) return arrayToHost(item as ArrayValue, depth - 1, operations, context);
    return item === null ? null : operations.toHost(item, context);
  });
}

/** 42883: an operation needs the equality of a type that has none (json). */
function noEquality(type: SqlType): SqlError {
  return new SqlError(sqlstate.undefinedFunction, `could not identify an equality operator for type ${type.display}`, {
    hint: type === types.json ? "Cast to jsonb, which can be compared: value::jsonb." : undefined,
  });
}

/** Equality of the element type; NULL is the caller's affair. @throws SqlError 42883 */
export function equalityOf(type: SqlType): (a: Value, b: Value) => boolean {
  const { compare } = operationsOf(type);
  if (compare === undefined) throw noEquality(type);
  return (a, b) => compare(a, b) === 0;
}
