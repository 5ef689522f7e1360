/**
 * Makes one Project of two that stand on each other, and drops one that changes nothing. What the inner one computes moves
 * up only when it is read once, so that nothing is computed twice.
 */
import type { Expr } from "../expr.js";
import type { Project } from "../plan.js";
import { outputOf } from "../plan.js";
import type { Rule } from "../rule.js";
import { columnsOf, holdsSubquery, isVolatile, mapOperands, substituteColumns } from "../visit.js";

export const mergeProjections: Rule = {
  name: "merge-projections",
  rewrite(plan) {
    if (plan.kind !== "Project") return undefined;
    if (isIdentity(plan)) return plan.input;
    const { input } = plan;
    if (input.kind !== "Project") return undefined;
    const inner = new Map(input.items.map((item) => [item.column.id, item.expr]));
    const reads = new Map<number, number>();
    for (const item of plan.items) countReads(item.expr, reads);
    for (const item of input.items) {
      if (isVolatile(item.expr) || holdsSubquery(item.expr)) return undefined;
      const isPlain = item.expr.kind === "Column" || item.expr.kind === "Constant";
      if (!isPlain && (reads.get(item.column.id) ?? 0) > 1) return undefined;
    }
    const items = plan.items.map((item) => ({ ...item, expr: substituteColumns(item.expr, inner) }));
    return { kind: "Project", input: input.input, items };
  },
};

function isIdentity(plan: Project): boolean {
  const output = outputOf(plan.input);
  return (
    output.length === plan.items.length &&
    plan.items.every(
      ({ column, expr }, i) => expr.kind === "Column" && expr.column.id === column.id && output[i].id === column.id,
    )
  );
}

function countReads(expr: Expr, reads: Map<number, number>): void {
  const add = (id: number, times: number) => reads.set(id, (reads.get(id) ?? 0) + times);
  if (expr.kind === "Column") add(expr.column.id, 1);
  else if (expr.kind === "Subquery")
    for (const id of columnsOf(expr)) add(id, 2); // once for each row it looks at
  else
    mapOperands(expr, (operand) => {
      countReads(operand, reads);
      return operand;
    });
}
