/**
 * AND, OR, NOT and the tests for NULL, TRUE and DISTINCT. AND and OR evaluate an operand only at the positions where the
 * operands before it left the answer open, as PostgreSQL does a row at a time: `a <> 0 AND b / a > 1` never divides by 0.
 */
import type { And, BooleanTest, Distinct, Expr, IsNull, Not, Or } from "../../planner/expr.js";
import { RecordValue, type Value } from "../../types/value.js";
import type { Scope } from "../builder.js";
import { equalityOf } from "./comparison.js";
import { compile, compilePredicate } from "./expression.js";
import { type Kernel, type Predicate, scalarKernel } from "./kernel.js";

/** AND and OR as values: three-valued. */
export function compileConnective(expr: And | Or, scope: Scope): Kernel {
  const kernels = expr.args.map((arg) => compile(arg, scope));
  /** The value that decides: false for AND, true for OR. */
  const decisive = expr.kind === "Or";
  if (kernels.every((kernel) => kernel.scalar !== undefined)) {
    return scalarKernel(scope.builder, (execution) => {
      let result: Value = !decisive;
      for (const kernel of kernels) {
        const value = kernel.scalar?.(execution) ?? null;
        if (value === decisive) return decisive;
        if (value === null) result = null;
      }
      return result;
    });
  }
  const outCell = scope.builder.cell();
  const openCell = scope.builder.cell();
  return {
    evaluate: (execution, batch, sel, n) => {
      const out = execution.vector(outCell);
      const open = execution.ids(openCell);
      let positions = sel;
      let count = n;
      for (let k = 0; k < n; k++) out[sel[k]] = !decisive;
      for (const kernel of kernels) {
        if (count === 0) break;
        const values = kernel.evaluate(execution, batch, positions, count);
        let m = 0;
        for (let k = 0; k < count; k++) {
          const i = positions[k];
          const value = values[i];
          if (value === decisive) {
            out[i] = decisive;
            continue;
          }
          if (value === null) out[i] = null;
          open[m++] = i;
        }
        positions = open;
        count = m;
      }
      return out;
    },
  };
}

/** The conjuncts of a condition, nested ANDs opened up. */
export function conjunctsOf(expr: Expr | undefined): readonly Expr[] {
  if (expr === undefined) return [];
  return expr.kind === "And" ? expr.args.flatMap(conjunctsOf) : [expr];
}

export function predicateOfAnd(expr: And, scope: Scope): Predicate {
  const predicates = conjunctsOf(expr).map((arg) => compilePredicate(arg, scope));
  const cell = scope.builder.cell();
  return (execution, batch, sel, n, out) => {
    // Not narrowed in place: when an operand is interrupted for a subquery, `sel` must still be whole.
    const kept = execution.ids(cell);
    let positions = sel;
    let count = n;
    for (const predicate of predicates) {
      if (count === 0) return 0;
      count = predicate(execution, batch, positions, count, kept);
      positions = kept;
    }
    for (let k = 0; k < count; k++) out[k] = kept[k];
    return count;
  };
}

export function predicateOfOr(expr: Or, scope: Scope): Predicate {
  const predicates = expr.args.map((arg) => compilePredicate(arg, scope));
  const flagCell = scope.builder.cell();
  const openCell = scope.builder.cell();
  const hitCell = scope.builder.cell();
  return (execution, batch, sel, n, out) => {
    const flags = execution.ids(flagCell);
    const open = execution.ids(openCell);
    const hits = execution.ids(hitCell);
    for (let k = 0; k < n; k++) {
      flags[sel[k]] = 0;
      open[k] = sel[k];
    }
    let count = n;
    for (const predicate of predicates) {
      if (count === 0) break;
      const m = predicate(execution, batch, open, count, hits);
      if (m === 0) continue;
      for (let k = 0; k < m; k++) flags[hits[k]] = 1;
      let rest = 0;
      for (let k = 0; k < count; k++) if (flags[open[k]] === 0) open[rest++] = open[k];
      count = rest;
    }
    let m = 0;
    for (let k = 0; k < n; k++) if (flags[sel[k]] === 1) out[m++] = sel[k];
    return m;
  };
}

/** A kernel that maps each value of its operand, NULLs included. */
export function mapKernel(scope: Scope, input: Kernel, map: (value: Value) => Value): Kernel {
  const { scalar } = input;
  if (scalar !== undefined) return scalarKernel(scope.builder, (execution) => map(scalar(execution)));
  const cell = scope.builder.cell();
  return {
    evaluate: (execution, batch, sel, n) => {
      const values = input.evaluate(execution, batch, sel, n);
      const out = execution.vector(cell);
      for (let k = 0; k < n; k++) {
        const i = sel[k];
        out[i] = map(values[i]);
      }
      return out;
    },
  };
}

export function compileNot(expr: Not, scope: Scope): Kernel {
  return mapKernel(scope, compile(expr.input, scope), (value) => (value === null ? null : value !== true));
}

function isNull(value: Value): boolean {
  return value === null;
}

/** A row value is NULL when all of its fields are, NOT NULL when none is: neither may hold. */
function isNullRow(value: Value): boolean {
  return value === null || (value instanceof RecordValue && value.values.every(isNull));
}
function isNotNullRow(value: Value): boolean {
  return value !== null && !(value instanceof RecordValue && value.values.some(isNull));
}

export function compileIsNull(expr: IsNull, scope: Scope): Kernel {
  const input = compile(expr.input, scope);
  if (expr.rowwise) return mapKernel(scope, input, expr.negated ? isNotNullRow : isNullRow);
  return mapKernel(scope, input, expr.negated ? (value) => value !== null : isNull);
}

export function predicateOfIsNull(expr: IsNull, scope: Scope): Predicate {
  const input = compile(expr.input, scope);
  const wanted = !expr.negated;
  const test = expr.rowwise ? (expr.negated ? isNotNullRow : isNullRow) : undefined;
  return (execution, batch, sel, n, out) => {
    const values = input.evaluate(execution, batch, sel, n);
    let m = 0;
    if (test !== undefined) {
      for (let k = 0; k < n; k++) if (test(values[sel[k]])) out[m++] = sel[k];
      return m;
    }
    for (let k = 0; k < n; k++) {
      const i = sel[k];
      if ((values[i] === null) === wanted) out[m++] = i;
    }
    return m;
  };
}

export function compileBooleanTest(expr: BooleanTest, scope: Scope): Kernel {
  const wanted = expr.test === "unknown" ? null : expr.test === "true";
  return mapKernel(scope, compile(expr.input, scope), (value) => (value === wanted) !== expr.negated);
}

/** `IS NOT DISTINCT FROM` is equality that takes NULL for a value. */
export function compileIsDistinct(expr: Distinct, scope: Scope): Kernel {
  const left = compile(expr.left, scope);
  const right = compile(expr.right, scope);
  const equality = equalityOf(expr.equals, scope.builder);
  const cell = scope.builder.cell();
  return {
    evaluate: (execution, batch, sel, n) => {
      const a = left.evaluate(execution, batch, sel, n);
      const b = right.evaluate(execution, batch, sel, n);
      const equals = equality(execution);
      const out = execution.vector(cell);
      for (let k = 0; k < n; k++) {
        const i = sel[k];
        const x = a[i];
        const y = b[i];
        const same = x === null || y === null ? x === y : equals(x, y) === true;
        out[i] = same === expr.negated;
      }
      return out;
    },
  };
}
