/**
 * Comparisons of values that JavaScript compares as PostgreSQL does, without a call for each row: numbers, dates, times
 * and timestamps; strings under the C collation. The loops for "column op constant" are written out for numbers and for
 * strings, so that each sees one kind of operand only. NaN is the greatest number and equals itself, as in PostgreSQL.
 */
import type { Callable } from "../../functions/function.js";
import type { Call } from "../../planner/expr.js";
import { compareText } from "../../types/text.js";
import type { SqlType } from "../../types/type.js";
import type { Value } from "../../types/value.js";
import type { Builder } from "../builder.js";
import type { Execution } from "../execution.js";
import type { Kernel, Predicate } from "./kernel.js";

export type Test = (a: Value, b: Value) => Value;
type ValueClass = "number" | "string" | "boolean";

const integers = new Set(["int2", "int4", "int8"]);
const floats = new Set(["float4", "float8"]);
const otherNumbers = new Set(["oid", "date", "time", "timestamp", "timestamptz"]);
const orderedStrings = new Set(["text", "varchar", "name"]);
/** Types whose values are primitives with `===` for equality. */
const equalStrings = new Set(["uuid", "enum"]);

/** How values of these two types compare in JavaScript, `undefined` when they don't. */
export function comparableAs(a: SqlType, b: SqlType): ValueClass | undefined {
  if (a.kind === "array" || b.kind === "array") return undefined;
  if ((integers.has(a.name) && integers.has(b.name)) || (floats.has(a.name) && floats.has(b.name))) return "number";
  if (orderedStrings.has(a.name) && orderedStrings.has(b.name)) return "string";
  if (a !== b) return undefined;
  if (otherNumbers.has(a.name)) return "number";
  if (a.kind === "enum" || equalStrings.has(a.name)) return "string";
  return a.name === "bool" ? "boolean" : undefined;
}

/** Whether equal values of the type are `===` (or both NaN), so that maps can hold them as they are. */
export function isPlainKey(type: SqlType): boolean {
  return comparableAs(type, type) !== undefined;
}

const numberTests: Record<string, Test> = {
  "=": (a, b) => a === b || (Number.isNaN(a) && Number.isNaN(b)),
  "<>": (a, b) => a !== b && (!Number.isNaN(a) || !Number.isNaN(b)),
  "<": (a, b) => (a as number) < (b as number) || (Number.isNaN(b) && !Number.isNaN(a)),
  "<=": (a, b) => (a as number) <= (b as number) || Number.isNaN(b),
  ">": (a, b) => (a as number) > (b as number) || (Number.isNaN(a) && !Number.isNaN(b)),
  ">=": (a, b) => (a as number) >= (b as number) || Number.isNaN(a),
};
const equalityTests: Record<string, Test> = { "=": (a, b) => a === b, "<>": (a, b) => a !== b };
const textTests: Record<string, Test> = {
  ...equalityTests,
  "<": (a, b) => compareText(a as string, b as string) < 0,
  "<=": (a, b) => compareText(a as string, b as string) <= 0,
  ">": (a, b) => compareText(a as string, b as string) > 0,
  ">=": (a, b) => compareText(a as string, b as string) >= 0,
};

/** The test behind a comparison call, when it needs no call of the library. */
export function plainTest(expr: Call): Test | undefined {
  if (expr.operator === undefined || expr.args.length !== 2) return undefined;
  const [a, b] = expr.args;
  switch (comparableAs(a.type, b.type)) {
    case "number":
      return numberTests[expr.operator];
    case "string":
      return (orderedStrings.has(a.type.name) ? textTests : equalityTests)[expr.operator];
    case "boolean":
      return equalityTests[expr.operator];
    default:
      return undefined;
  }
}

/** The comparison of two values that are not NULL, for an execution. */
export function equalityOf(expr: Call, builder: Builder): (execution: Execution) => Test {
  const test = plainTest(expr);
  if (test !== undefined) return () => test;
  const cell = builder.cell();
  return (execution) => execution.callable(cell, expr) as Callable as Test;
}

/** `column op scalar` for numbers. */
export const numberLoops: Record<string, (input: Kernel, bound: Kernel) => Predicate> = {
  "=": (input, bound) => (execution, batch, sel, n, out) => {
    const values = input.evaluate(execution, batch, sel, n);
    const limit = bound.scalar?.(execution) ?? null;
    let m = 0;
    if (limit === null) return 0;
    if (Number.isNaN(limit)) {
      for (let k = 0; k < n; k++) if (Number.isNaN(values[sel[k]])) out[m++] = sel[k];
      return m;
    }
    for (let k = 0; k < n; k++) {
      const i = sel[k];
      if (values[i] === limit) out[m++] = i;
    }
    return m;
  },
  "<>": (input, bound) => (execution, batch, sel, n, out) => {
    const values = input.evaluate(execution, batch, sel, n);
    const limit = bound.scalar?.(execution) ?? null;
    let m = 0;
    if (limit === null) return 0;
    for (let k = 0; k < n; k++) {
      const i = sel[k];
      const value = values[i];
      if (value !== null && value !== limit && (!Number.isNaN(limit) || !Number.isNaN(value))) out[m++] = i;
    }
    return m;
  },
  "<": (input, bound) => (execution, batch, sel, n, out) => {
    const values = input.evaluate(execution, batch, sel, n) as (number | null)[];
    const limit = (bound.scalar?.(execution) ?? null) as number | null;
    let m = 0;
    if (limit === null) return 0;
    for (let k = 0; k < n; k++) {
      const i = sel[k];
      const value = values[i];
      if (value !== null && (value < limit || (Number.isNaN(limit) && !Number.isNaN(value)))) out[m++] = i;
    }
    return m;
  },
  "<=": (input, bound) => (execution, batch, sel, n, out) => {
    const values = input.evaluate(execution, batch, sel, n) as (number | null)[];
    const limit = (bound.scalar?.(execution) ?? null) as number | null;
    let m = 0;
    if (limit === null) return 0;
    for (let k = 0; k < n; k++) {
      const i = sel[k];
      const value = values[i];
      if (value !== null && (value <= limit || Number.isNaN(limit))) out[m++] = i;
    }
    return m;
  },
  ">": (input, bound) => (execution, batch, sel, n, out) => {
    const values = input.evaluate(execution, batch, sel, n) as (number | null)[];
    const limit = (bound.scalar?.(execution) ?? null) as number | null;
    let m = 0;
    if (limit === null) return 0;
    for (let k = 0; k < n; k++) {
      const i = sel[k];
      const value = values[i];
      if (value !== null && (value > limit || (Number.isNaN(value) && !Number.isNaN(limit)))) out[m++] = i;
    }
    return m;
  },
  ">=": (input, bound) => (execution, batch, sel, n, out) => {
    const values = input.evaluate(execution, batch, sel, n) as (number | null)[];
    const limit = (bound.scalar?.(execution) ?? null) as number | null;
    let m = 0;
    if (limit === null) return 0;
    for (let k = 0; k < n; k++) {
      const i = sel[k];
      const value = values[i];
      if (value !== null && (value >= limit || Number.isNaN(value))) out[m++] = i;
    }
    return m;
  },
};

/** `column op scalar` for strings, `=` and `<>` also for other primitives. */
export const stringLoops: Record<string, (input: Kernel, bound: Kernel) => Predicate> = {
  "=": (input, bound) => (execution, batch, sel, n, out) => {
    const values = input.evaluate(execution, batch, sel, n);
    const wanted = bound.scalar?.(execution) ?? null;
    let m = 0;
    if (wanted === null) return 0;
    for (let k = 0; k < n; k++) {
      const i = sel[k];
      if (values[i] === wanted) out[m++] = i;
    }
    return m;
  },
  "<>": (input, bound) => (execution, batch, sel, n, out) => {
    const values = input.evaluate(execution, batch, sel, n);
    const unwanted = bound.scalar?.(execution) ?? null;
    let m = 0;
    if (unwanted === null) return 0;
    for (let k = 0; k < n; k++) {
      const i = sel[k];
      const value = values[i];
      if (value !== unwanted && value !== null) out[m++] = i;
    }
    return m;
  },
};

/** Any comparison of two kernels through its test. */
export function testPredicate(left: Kernel, right: Kernel, test: Test): Predicate {
  return (execution, batch, sel, n, out) => {
    const a = left.evaluate(execution, batch, sel, n);
    let m = 0;
    if (right.scalar !== undefined) {
      const y = right.scalar(execution);
      if (y === null) return 0;
      for (let k = 0; k < n; k++) {
        const i = sel[k];
        const x = a[i];
        if (x !== null && test(x, y) === true) out[m++] = i;
      }
      return m;
    }
    const b = right.evaluate(execution, batch, sel, n);
    for (let k = 0; k < n; k++) {
      const i = sel[k];
      const x = a[i];
      const y = b[i];
      if (x !== null && y !== null && test(x, y) === true) out[m++] = i;
    }
    return m;
  };
}

/** The operator with its sides exchanged. */
export const commuted: Record<string, string> = { "=": "=", "<>": "<>", "<": ">", "<=": ">=", ">": "<", ">=": "<=" };
