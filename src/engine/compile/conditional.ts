/**
 * CASE, COALESCE, NULLIF, GREATEST and LEAST. Branches are evaluated only at the positions that take them, so that a
 * branch not taken cannot fail: `CASE WHEN x <> 0 THEN y / x END`.
 */
import type { Case, Coalesce, MinMax, NullIf } from "../../planner/expr.js";
import { operationsOf } from "../../types/families.js";
import type { Value } from "../../types/value.js";
import type { Scope } from "../builder.js";
import { layoutOf } from "../builder.js";
import { isPlainKey } from "./comparison.js";
import { compile, compilePredicate } from "./expression.js";
import { type Kernel, scalarKernel } from "./kernel.js";

export function compileCase(expr: Case, scope: Scope): Kernel {
  const { builder } = scope;
  let inner = scope;
  let operand: { kernel: Kernel; slot: number } | undefined;
  if (expr.operand !== undefined && expr.operandColumn !== undefined) {
    const slot = builder.computedSlot(expr.operandColumn);
    operand = { kernel: compile(expr.operand, scope), slot: slot.index };
    inner = { builder, layout: layoutOf(new Map([...scope.layout.slots, [expr.operandColumn.id, slot]])) };
  }
  const branches = expr.branches.map((branch) => ({
    when: compilePredicate(branch.when, inner),
    result: compile(branch.then, inner),
  }));
  const otherwise = compile(expr.otherwise, inner);
  const outCell = builder.cell();
  const openCell = builder.cell();
  const hitCells = branches.map(() => builder.cell());
  return {
    evaluate: (execution, batch, sel, n) => {
      const out = execution.vector(outCell);
      const open = execution.ids(openCell);
      if (operand !== undefined) {
        batch.vectors[operand.slot] = operand.kernel.evaluate(execution, batch, sel, n);
      }
      let positions = sel;
      let count = n;
      for (let b = 0; b < branches.length && count > 0; b++) {
        const { when, result } = branches[b];
        const hits = execution.ids(hitCells[b]);
        const m = when(execution, batch, positions, count, hits);
        if (m === 0) continue;
        const values = result.evaluate(execution, batch, hits, m);
        let rest = 0;
        let h = 0;
        for (let k = 0; k < count; k++) {
          const i = positions[k];
          if (h < m && hits[h] === i) {
            out[i] = values[i];
            h++;
          } else open[rest++] = i;
        }
        positions = open;
        count = rest;
      }
      if (count > 0) {
        const values = otherwise.evaluate(execution, batch, positions, count);
        for (let k = 0; k < count; k++) out[positions[k]] = values[positions[k]];
      }
      return out;
    },
  };
}

export function compileCoalesce(expr: Coalesce, scope: Scope): Kernel {
  const args = expr.args.map((arg) => compile(arg, scope));
  if (args.every((arg) => arg.scalar !== undefined)) {
    return scalarKernel(scope.builder, (execution) => {
      for (const arg of args) {
        const value = arg.scalar?.(execution) ?? null;
        if (value !== null) return value;
      }
      return null;
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
      for (const arg of args) {
        if (count === 0) break;
        const values = arg.evaluate(execution, batch, positions, count);
        let rest = 0;
        for (let k = 0; k < count; k++) {
          const i = positions[k];
          const value = values[i];
          out[i] = value;
          if (value === null) open[rest++] = i;
        }
        positions = open;
        count = rest;
      }
      return out;
    },
  };
}

/** The order of a type's values, for expressions that compare without a bound call. */
export function comparatorOf(type: import("../../types/type.js").SqlType): (a: Value, b: Value) => number {
  const { compare } = operationsOf(type);
  if (compare !== undefined) return compare;
  if (!isPlainKey(type)) throw new TypeError(`no order for type ${type.name}`);
  return (a, b) => ((a as number) < (b as number) ? -1 : a === b ? 0 : 1);
}

export function compileMinMax(expr: MinMax, scope: Scope): Kernel {
  const args = expr.args.map((arg) => compile(arg, scope));
  const compare = comparatorOf(expr.type);
  const sign = expr.which === "greatest" ? 1 : -1;
  const better = (best: Value, value: Value): Value => {
    if (value === null) return best;
    return best === null || compare(value, best) * sign > 0 ? value : best;
  };
  if (args.every((arg) => arg.scalar !== undefined)) {
    return scalarKernel(scope.builder, (execution) =>
      args.reduce<Value>((best, arg) => better(best, arg.scalar?.(execution) ?? null), null),
    );
  }
  const cell = scope.builder.cell();
  return {
    evaluate: (execution, batch, sel, n) => {
      const vectors = args.map((arg) => arg.evaluate(execution, batch, sel, n));
      const out = execution.vector(cell);
      for (let k = 0; k < n; k++) {
        const i = sel[k];
        let best: Value = null;
        for (const vector of vectors) best = better(best, vector[i]);
        out[i] = best;
      }
      return out;
    },
  };
}

export function compileNullIf(expr: NullIf, scope: Scope): Kernel {
  const input = compile(expr.input, scope);
  const equals = compile(expr.equals, scope);
  const cell = scope.builder.cell();
  return {
    evaluate: (execution, batch, sel, n) => {
      const values = input.evaluate(execution, batch, sel, n);
      const same = equals.evaluate(execution, batch, sel, n);
      const out = execution.vector(cell);
      for (let k = 0; k < n; k++) {
        const i = sel[k];
        out[i] = same[i] === true ? null : values[i];
      }
      return out;
    },
  };
}
