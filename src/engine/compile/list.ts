/**
 * IN lists and `op ANY / ALL (array)`. A list of constants becomes a set once, when the plan is built; other lists are
 * compared item by item, each only where the items before it left the answer open. NULL items turn "no" into NULL.
 */
import type { ArrayComparison, InList } from "../../planner/expr.js";
import { elements } from "../../types/array-shape.js";
import { operationsOf } from "../../types/families.js";
import type { SqlType } from "../../types/type.js";
import type { Value } from "../../types/value.js";
import type { Scope } from "../builder.js";
import { comparableAs, equalityOf, isPlainKey } from "./comparison.js";
import { compile } from "./expression.js";
import { type Kernel, located, type Predicate } from "./kernel.js";

interface ConstantSet {
  readonly values: ReadonlySet<Value>;
  readonly hasNull: boolean;
  readonly key: ((value: Value) => Value) | undefined;
}

/** The list as a set, when all items are constants of a type with keys. */
function constantSet(expr: InList): ConstantSet | undefined {
  const type = expr.input.type;
  const plain = isPlainKey(type);
  const key = plain ? undefined : operationsOf(type).key;
  if (!plain && key === undefined) return undefined;
  const values = new Set<Value>();
  let hasNull = false;
  for (const item of expr.items) {
    if (item.kind !== "Constant") return undefined;
    if (plain ? comparableAs(type, item.type) === undefined : item.type !== type) return undefined;
    if (item.value === null) hasNull = true;
    else values.add(key === undefined ? item.value : key(item.value));
  }
  return { values, hasNull, key };
}

export function compileInList(expr: InList, scope: Scope): Kernel {
  const input = compile(expr.input, scope);
  const cell = scope.builder.cell();
  const set = constantSet(expr);
  if (set !== undefined) {
    const { values, key } = set;
    const miss = set.hasNull ? null : expr.negated;
    const hit = !expr.negated;
    return {
      evaluate: (execution, batch, sel, n) => {
        const vector = input.evaluate(execution, batch, sel, n);
        const out = execution.vector(cell);
        for (let k = 0; k < n; k++) {
          const i = sel[k];
          const value = vector[i];
          if (value === null) out[i] = null;
          else out[i] = values.has(key === undefined ? value : key(value)) ? hit : miss;
        }
        return out;
      },
    };
  }
  const items = expr.items.map((item) => compile(item, scope));
  const equality = equalityOf(expr.equals, scope.builder);
  const openCell = scope.builder.cell();
  const kernel: Kernel = {
    evaluate: (execution, batch, sel, n) => {
      const vector = input.evaluate(execution, batch, sel, n);
      const equals = equality(execution);
      const out = execution.vector(cell);
      const open = execution.ids(openCell);
      let count = 0;
      for (let k = 0; k < n; k++) {
        const i = sel[k];
        if (vector[i] === null) out[i] = null;
        else {
          out[i] = expr.negated;
          open[count++] = i;
        }
      }
      for (const item of items) {
        if (count === 0) break;
        const others = item.evaluate(execution, batch, open, count);
        let rest = 0;
        for (let k = 0; k < count; k++) {
          const i = open[k];
          const other = others[i];
          const same = other === null ? null : equals(vector[i], other);
          if (same === true) {
            out[i] = !expr.negated;
            continue;
          }
          if (same === null) out[i] = null;
          open[rest++] = i;
        }
        count = rest;
      }
      return out;
    },
  };
  return located(kernel, expr.position);
}

/** The fused form of IN with constants. */
export function predicateOfInList(expr: InList, scope: Scope): Predicate | undefined {
  const set = constantSet(expr);
  if (set === undefined || set.key !== undefined) return undefined;
  const { values, hasNull } = set;
  const input = compile(expr.input, scope);
  if (expr.negated) {
    return (execution, batch, sel, n, out) => {
      const vector = input.evaluate(execution, batch, sel, n);
      if (hasNull) return 0;
      let m = 0;
      for (let k = 0; k < n; k++) {
        const i = sel[k];
        const value = vector[i];
        if (value !== null && !values.has(value)) out[m++] = i;
      }
      return m;
    };
  }
  return (execution, batch, sel, n, out) => {
    const vector = input.evaluate(execution, batch, sel, n);
    let m = 0;
    for (let k = 0; k < n; k++) {
      const i = sel[k];
      if (values.has(vector[i])) out[m++] = i;
    }
    return m;
  };
}

/** The set of an array's elements, remembered while the array stays the same object. */
interface ArraySet {
  array: Value;
  values: Set<Value>;
  hasNull: boolean;
}

export function compileArrayComparison(expr: ArrayComparison, scope: Scope): Kernel {
  const input = compile(expr.input, scope);
  const array = compile(expr.array, scope);
  const elementType: SqlType = expr.array.type.element ?? expr.array.type;
  const equality = equalityOf(expr.compare, scope.builder);
  const decisive = expr.quantifier === "any";
  const cell = scope.builder.cell();
  const setCell = scope.builder.cell();
  const hashed =
    expr.compare.operator === "=" && decisive && comparableAs(expr.input.type, elementType) !== undefined
      ? (value: Value, kept: ArraySet): Value => (kept.values.has(value) ? true : kept.hasNull ? null : false)
      : undefined;
  const kernel: Kernel = {
    evaluate: (execution, batch, sel, n) => {
      const vector = input.evaluate(execution, batch, sel, n);
      const arrays = array.evaluate(execution, batch, sel, n);
      const compare = equality(execution);
      const out = execution.vector(cell);
      for (let k = 0; k < n; k++) {
        const i = sel[k];
        const value = vector[i];
        const items = arrays[i];
        if (items === null) {
          out[i] = null;
          continue;
        }
        const list = elements(items as Value[], elementType);
        if (list.length === 0) out[i] = !decisive;
        else if (value === null) out[i] = null;
        else if (hashed !== undefined && list.length > 4 && array.scalar !== undefined) {
          let kept = execution.cells[setCell] as ArraySet | undefined;
          if (kept === undefined || kept.array !== items) {
            kept = { array: items, values: new Set(list), hasNull: list.includes(null) };
            execution.cells[setCell] = kept;
          }
          out[i] = hashed(value, kept);
        } else {
          let result: Value = !decisive;
          for (const item of list) {
            const answer = item === null ? null : compare(value, item);
            if (answer === decisive) {
              result = decisive;
              break;
            }
            if (answer === null) result = null;
          }
          out[i] = result;
        }
      }
      return out;
    },
  };
  return located(kernel, expr.position);
}
