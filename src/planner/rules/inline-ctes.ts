/**
 * A CTE that is read once is put in the place where it is read, so that predicates reach its tables.
 *
 * As in PostgreSQL, not when it is recursive, MATERIALIZED, writes, or calls a volatile function. A CTE that nothing
 * reads is dropped unless it writes.
 */

import type { CteDefinition, CteScan, LogicalPlan, ProjectItem } from "../plan.js";
import { outputOf } from "../plan.js";
import type { Rule } from "../rule.js";
import { columnRef, isVolatilePlan, mapBranches, mapSubplans, somePlan } from "../visit.js";

export const inlineCtes: Rule = {
  name: "inline-ctes",
  rewrite(plan) {
    if (plan.kind !== "With") return undefined;
    for (const cte of plan.ctes) {
      const references = countReferences(plan, cte.id);
      if (references === 0 && !writes(cte.plan)) return without(plan, cte);
      if (references === 1 && canInline(cte)) return inline(plan, cte);
    }
    return undefined;
  },
};

function canInline(cte: CteDefinition): boolean {
  return cte.recursive === undefined && cte.materialized !== true && !writes(cte.plan) && !isVolatilePlan(cte.plan);
}

function writes(plan: LogicalPlan): boolean {
  return somePlan(plan, (node) => node.kind === "Write" || node.kind === "Merge");
}

function countReferences(plan: LogicalPlan, cte: number): number {
  let count = 0;
  eachPlan(plan, (node) => {
    if (node.kind === "CteScan" && node.cte === cte) count += 1;
  });
  return count;
}

function eachPlan(plan: LogicalPlan, visit: (plan: LogicalPlan) => void): void {
  somePlan(plan, (node) => {
    visit(node);
    return false;
  });
}

function without(plan: LogicalPlan & { kind: "With" }, cte: CteDefinition): LogicalPlan {
  const ctes = plan.ctes.filter((other) => other.id !== cte.id);
  return ctes.length === 0 ? plan.input : { ...plan, ctes };
}

function inline(plan: LogicalPlan & { kind: "With" }, cte: CteDefinition): LogicalPlan {
  return replaceScan(without(plan, cte), cte);
}

function replaceScan(plan: LogicalPlan, cte: CteDefinition): LogicalPlan {
  if (plan.kind === "CteScan" && plan.cte === cte.id) return renamed(cte.plan, plan);
  const inside = mapSubplans(plan, (inner) => replaceScan(inner, cte));
  return mapBranches(inside, (input) => replaceScan(input, cte));
}

/** The CTE's plan under the columns of the scan that read it. */
function renamed(plan: LogicalPlan, scan: CteScan): LogicalPlan {
  const items: ProjectItem[] = outputOf(plan).map((column, i) => ({
    column: scan.columns[i],
    expr: columnRef(column),
  }));
  return { kind: "Project", input: plan, items };
}
