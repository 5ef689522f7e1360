/**
 * Row comparison. `=` is true when all fields are equal, false when one pair surely differs, NULL otherwise; `<>` is its
 * opposite. `<` and its kin look at the first pair that is not equal; a NULL met before that makes the answer NULL.
 */
import type { RowCompare } from "../../planner/expr.js";
import type { Value } from "../../types/value.js";
import type { Scope } from "../builder.js";
import { equalityOf, type Test } from "./comparison.js";
import { compile } from "./expression.js";
import { type Kernel, located } from "./kernel.js";

export function compileRowCompare(expr: RowCompare, scope: Scope): Kernel {
  const left = expr.left.map((item) => compile(item, scope));
  const right = expr.right.map((item) => compile(item, scope));
  const equals = expr.equals.map((call) => equalityOf(call, scope.builder));
  const compares = expr.compare.map((call) => equalityOf(call, scope.builder));
  const cell = scope.builder.cell();
  const whole = expr.operator === "=" || expr.operator === "<>";
  const kernel: Kernel = {
    evaluate: (execution, batch, sel, n) => {
      const a = left.map((item) => item.evaluate(execution, batch, sel, n));
      const b = right.map((item) => item.evaluate(execution, batch, sel, n));
      const same = equals.map((test) => test(execution));
      const orders = compares.map((test) => test(execution));
      const out = execution.vector(cell);
      for (let k = 0; k < n; k++) {
        const i = sel[k];
        const x = a.map((vector) => vector[i]);
        const y = b.map((vector) => vector[i]);
        out[i] = whole
          ? compareWhole(x, y, same, expr.operator === "<>")
          : compareInOrder(x, y, same, orders, expr.operator);
      }
      return out;
    },
  };
  return located(kernel, expr.position);
}

function compareWhole(a: readonly Value[], b: readonly Value[], same: readonly Test[], negated: boolean): Value {
  let unknown = false;
  for (let f = 0; f < a.length; f++) {
    const answer = a[f] === null || b[f] === null ? null : same[f](a[f], b[f]);
    if (answer === false) return negated;
    if (answer === null) unknown = true;
  }
  return unknown ? null : !negated;
}

/** `orders[f]` is the operator itself on the field's type: on the first unequal pair `<=` and `<` agree. */
function compareInOrder(
  a: readonly Value[],
  b: readonly Value[],
  same: readonly Test[],
  orders: readonly Test[],
  operator: string,
): Value {
  for (let f = 0; f < a.length; f++) {
    if (a[f] === null || b[f] === null) return null;
    if (same[f](a[f], b[f]) !== true) return orders[f](a[f], b[f]);
  }
  return operator === "<=" || operator === ">=";
}
