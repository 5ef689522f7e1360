/** Arrays and rows as values: constructors, subscripts and slices (of jsonb too), field selection. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type { ArrayConstructor, FieldSelect, RowConstructor, Subscript } from "../../planner/expr.js";
import { type ArrayValue, nestArrays, sliceArray, subscriptArray } from "../../types/array-shape.js";
import { elementAt, fieldOf, fromTop, isObject, toTop } from "../../types/json/item.js";
import { RecordValue, type Value } from "../../types/value.js";
import type { Scope } from "../builder.js";
import { compile } from "./expression.js";
import { type Kernel, located, scalarKernel } from "./kernel.js";
import { mapKernel } from "./logic.js";

/** A kernel that makes one value of the values of several kernels at a position. */
function combine(parts: readonly Kernel[], scope: Scope, make: (values: Value[]) => Value): Kernel {
  if (parts.every((part) => part.scalar !== undefined)) {
    return scalarKernel(scope.builder, (execution) => make(parts.map((part) => part.scalar?.(execution) ?? null)));
  }
  const cell = scope.builder.cell();
  return {
    evaluate: (execution, batch, sel, n) => {
      const vectors = parts.map((part) => part.evaluate(execution, batch, sel, n));
      const out = execution.vector(cell);
      for (let k = 0; k < n; k++) {
        const i = sel[k];
        out[i] = make(vectors.map((vector) => vector[i]));
      }
      return out;
    },
  };
}

export function compileArray(expr: ArrayConstructor, scope: Scope): Kernel {
  const items = expr.items.map((item) => compile(item, scope));
  const element = expr.type.element ?? expr.type;
  const make = expr.nested ? (values: Value[]) => nestArrays(values as (ArrayValue | null)[], element) : identityOf;
  return located(combine(items, scope, make), expr.position);
}

function identityOf(values: Value[]): Value {
  return values;
}

export function compileRow(expr: RowConstructor, scope: Scope): Kernel {
  const items = expr.items.map((item) => compile(item, scope));
  const fields = expr.type.fields ?? expr.items.map((item, i) => ({ name: `f${i + 1}`, type: item.type }));
  return combine(items, scope, (values) => new RecordValue(values, fields));
}

export function compileField(expr: FieldSelect, scope: Scope): Kernel {
  const { index } = expr;
  return mapKernel(scope, compile(expr.input, scope), (value) =>
    value === null ? null : ((value as RecordValue).values[index] ?? null),
  );
}

export function compileSubscript(expr: Subscript, scope: Scope): Kernel {
  const input = compile(expr.input, scope);
  if (expr.input.type.name === "jsonb") return located(jsonSubscript(expr, input, scope), expr.position);
  const element = expr.input.type.element;
  if (element === undefined) {
    throw new SqlError(sqlstate.datatypeMismatch, `cannot subscript type ${expr.input.type.display}`, {
      position: expr.position,
    });
  }
  const absent = scalarKernel(scope.builder, () => undefined);
  const bounds = expr.subscripts.flatMap((subscript) => [
    subscript.lower === undefined ? absent : compile(subscript.lower, scope),
    subscript.upper === undefined ? absent : compile(subscript.upper, scope),
  ]);
  const anySlice = expr.subscripts.some((subscript) => subscript.slice);
  const make = (values: Value[]): Value => {
    const array = values[0] as ArrayValue | null;
    if (array === null) return null;
    if (!anySlice) {
      const indexes = expr.subscripts.map((_, s) => values[2 + 2 * s] as number | null);
      return subscriptArray(array, indexes, element);
    }
    // a bound that is left out is not the same as one that is NULL
    const slices = expr.subscripts.map(({ lower, upper }, s) => ({
      lower: lower === undefined ? undefined : (values[1 + 2 * s] as number | null),
      upper: upper === undefined ? undefined : (values[2 + 2 * s] as number | null),
    }));
    return sliceArray(array, slices, element);
  };
  return located(combine([input, ...bounds], scope, make), expr.position);
}

function jsonSubscript(expr: Subscript, input: Kernel, scope: Scope): Kernel {
  if (expr.subscripts.some((subscript) => subscript.slice)) {
    throw new SqlError(sqlstate.datatypeMismatch, "jsonb subscript does not support slices", {
      position: expr.position,
    });
  }
  const keys = expr.subscripts.map((subscript) => {
    if (subscript.upper === undefined) throw new SqlError(sqlstate.internalError, "jsonb subscript without a key");
    return compile(subscript.upper, scope);
  });
  return combine([input, ...keys], scope, (values) => {
    if (values.includes(null)) return null;
    let item: unknown = fromTop(values[0]);
    for (let k = 1; k < values.length; k++) item = step(item as never, values[k]);
    return item === undefined ? null : toTop(item as never);
  });
}

/** One step into a JSON value: a key of an object, an index of an array (negative from the end). */
function step(item: Parameters<typeof isObject>[0] | undefined, key: Value): unknown {
  if (item === undefined || item === null) return undefined;
  if (Array.isArray(item)) {
    const index = typeof key === "number" ? key : /^-?\d+$/.test(String(key)) ? Number(key) : Number.NaN;
    const at = index < 0 ? item.length + index : index;
    return at >= 0 && at < item.length ? elementAt(item, at) : undefined;
  }
  return isObject(item) ? fieldOf(item, String(key)) : undefined;
}
