/**
 * Parameters that a statement compares with columns of declared labels. A constant that is no label is found when the
 * statement is bound; the value of a parameter is known when it starts, and is checked then, before the first call.
 */
import type { Value } from "../types/value.js";
import { invalidLabel } from "./bind/errors.js";
import { labelledColumn } from "./bind/labels.js";
import type { Expr } from "./expr.js";
import type { LogicalPlan } from "./plan.js";
import { somePlan } from "./visit.js";

/** One comparison of a parameter with a labelled column. */
export interface LabelledParameter {
  /** From 1. */
  readonly index: number;
  readonly column: string;
  readonly labels: readonly string[];
  /** Of the parameter in the text. */
  readonly position?: number;
}

/** @param plan as it was bound */
export function labelledParameters(plan: LogicalPlan): readonly LabelledParameter[] {
  const found: LabelledParameter[] = [];
  const add = (column: Expr, others: readonly Expr[]) => {
    const labelled = labelledColumn(column);
    if (labelled === undefined) return;
    for (const other of others) {
      const parameter = parameterIn(other);
      if (parameter === undefined) continue;
      const { index, position } = parameter;
      found.push({
        index,
        column: labelled.name,
        labels: labelled.labels,
        ...(position !== undefined && { position }),
      });
    }
  };
  somePlan(
    plan,
    () => false,
    (expr) => {
      if (expr.kind === "Call" && (expr.operator === "=" || expr.operator === "<>")) {
        add(expr.args[0], [expr.args[1]]);
        add(expr.args[1], [expr.args[0]]);
      } else if (expr.kind === "InList") add(expr.input, expr.items);
      else if (expr.kind === "ArrayComparison") add(expr.input, [expr.array]);
      return false;
    },
  );
  return found;
}

function parameterIn(expr: Expr): (Expr & { readonly kind: "Parameter" }) | undefined {
  if (expr.kind === "Cast" && expr.context === "implicit") return parameterIn(expr.input);
  return expr.kind === "Parameter" ? expr : undefined;
}

/** @throws SqlError 22P02 for a value that is none of its column's labels */
export function checkParameterLabels(parameters: readonly LabelledParameter[], values: readonly Value[]): void {
  for (const { index, column, labels, position } of parameters) {
    const value = values[index - 1];
    for (const label of Array.isArray(value) ? value.flat(6) : [value]) {
      if (typeof label === "string" && !labels.includes(label))
        throw invalidLabel(label, column, labels, position, true);
    }
  }
}
