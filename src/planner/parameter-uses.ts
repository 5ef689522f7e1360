/**
 * What a statement's parameters are used for, as far as their types do not say it: whether NULL is a sensible value, and
 * the labels of the columns that they are written to. Types of functions that run a statement are written from it.
 */
import type { Expr } from "./expr.js";
import { type LogicalPlan, outputOf, type Write } from "./plan.js";
import { expressionsOf, operandsOf, plansWithin } from "./visit.js";

/** By number of the parameter, from 1. */
export interface ParameterUses {
  /** Parameters for which NULL means something: they are stored in a column that takes it, or the statement asks for it. */
  readonly nullable: ReadonlySet<number>;
  /** Parameters that are stored in a column of declared labels. */
  readonly labels: ReadonlyMap<number, readonly string[]>;
}

/**
 * A parameter that is only compared, or only stored where NULL is refused, is not nullable: the comparison would match no
 * row, which nobody asks for by passing NULL. `$1 IS NULL OR state = $1` asks for it.
 * @param plan as it was bound
 */
export function parameterUses(plan: LogicalPlan): ParameterUses {
  const nullable = new Set<number>();
  const labels = new Map<number, readonly string[]>();
  const stored = new Set<Expr>();
  const store = (expr: Expr, column: Write["table"]["columns"][number]) => {
    const parameter = parameterIn(expr);
    if (parameter === undefined) return;
    stored.add(parameter);
    if (column.nullable) nullable.add(parameter.index);
    if (column.enumLabels !== undefined) labels.set(parameter.index, column.enumLabels);
  };
  const plans = plansWithin(plan);
  for (const node of plans) if (node.kind === "Write") eachStored(node, store);
  const visit = (expr: Expr, isCompared: boolean): void => {
    if (expr.kind === "Parameter") {
      if (!isCompared && !stored.has(expr)) nullable.add(expr.index);
      return;
    }
    for (const operand of operandsOf(expr)) visit(operand, expr.kind === "Cast" ? isCompared : needsValues(expr));
  };
  // A condition, a number of rows: they are values or nothing.
  for (const node of plans) {
    const isOutput = node.kind === "Project" || node.kind === "Values" || node.kind === "Write";
    for (const expr of expressionsOf(node)) visit(expr, !isOutput);
  }
  return { nullable, labels };
}

/** Whether an expression of NULL is NULL, or is nothing that NULL is given to. */
function needsValues(expr: Expr): boolean {
  switch (expr.kind) {
    case "Call":
      return expr.strict;
    case "IsNull":
    case "IsDistinct":
    case "Coalesce":
    case "Case":
    case "MinMax":
    case "NullIf":
    case "Array":
    case "Row":
      return false;
    default:
      return true;
  }
}

function parameterIn(expr: Expr): (Expr & { readonly kind: "Parameter" }) | undefined {
  if (expr.kind === "Cast") return parameterIn(expr.input);
  return expr.kind === "Parameter" ? expr : undefined;
}

/** The expressions that a write stores, with their columns. */
function eachStored(node: Write, visit: (expr: Expr, column: Write["table"]["columns"][number]) => void): void {
  const { columns } = node.table;
  node.targets.forEach((target, i) => {
    const assigned = node.assignments?.[i];
    if (assigned !== undefined) visit(assigned, columns[target]);
    else for (const expr of sourcesOf(node.input, i)) visit(expr, columns[target]);
  });
}

/** What an output column of a plan is made of, seen through projections. */
function sourcesOf(plan: LogicalPlan, index: number): readonly Expr[] {
  if (plan.kind === "Values") return plan.rows.map((row) => row[index]);
  if (plan.kind !== "Project") return [];
  const { expr } = plan.items[index];
  let inner = expr;
  while (inner.kind === "Cast") inner = inner.input;
  if (inner.kind !== "Column") return [expr];
  const { id } = inner.column;
  const below = outputOf(plan.input).findIndex((column) => column.id === id);
  return below === -1 ? [] : sourcesOf(plan.input, below);
}
