/**
 * A CTE that is read once is put in the place where it is read, so that predicates reach its tables.
 *
 * As in PostgreSQL, not when it is recursive, MATERIALIZED, writes, or calls a volatile function. A CTE that nothing
 * reads is dropped unless it writes. All CTEs of a WITH are gone through at once: of a chain of thousands, in which each
 * reads the one before, every plan is walked a fixed number of times.
 */

import type { CteDefinition, CteScan, LogicalPlan, ProjectItem, With } from "../plan.js";
import { outputOf } from "../plan.js";
import type { Rule } from "../rule.js";
import { columnRef, isVolatilePlan, isWrite, mapBranches, mapSubplans, somePlan } from "../visit.js";

export const inlineCtes: Rule = {
  name: "inline-ctes",
  rewrite(plan) {
    if (plan.kind !== "With") return undefined;
    const kept = withoutUnread(plan);
    const inlined = new Map<number, LogicalPlan>();
    const ctes: CteDefinition[] = [];
    // In order: a CTE reads those before it, which have their final plans by then.
    for (const cte of kept.ctes) {
      const changed = replaceInCte(cte, inlined);
      if (kept.references.get(cte.id) === 1 && canInline(cte)) inlined.set(cte.id, changed.plan);
      else ctes.push(changed);
    }
    if (inlined.size === 0 && ctes.length === plan.ctes.length) return undefined;
    const input = replaceScans(plan.input, inlined);
    return ctes.length === 0 ? input : { ...plan, ctes, input };
  },
};

function canInline(cte: CteDefinition): boolean {
  return cte.recursive === undefined && cte.materialized !== true && !writes(cte.plan) && !isVolatilePlan(cte.plan);
}

function writes(plan: LogicalPlan): boolean {
  return somePlan(plan, isWrite);
}

interface Kept {
  readonly ctes: readonly CteDefinition[];
  /** How often each CTE is read by what is kept. */
  readonly references: ReadonlyMap<number, number>;
}

/** The CTEs that the statement or another kept CTE reads, and those that write. */
function withoutUnread(plan: With): Kept {
  const references = new Map<number, number>();
  const count = (from: LogicalPlan, own?: number): void => {
    somePlan(from, (node) => {
      if (node.kind === "CteScan" && node.cte !== own) references.set(node.cte, (references.get(node.cte) ?? 0) + 1);
      return false;
    });
  };
  count(plan.input);
  const kept: CteDefinition[] = [];
  // From the last on: whoever reads a CTE comes after it.
  for (const cte of [...plan.ctes].reverse()) {
    if (!references.has(cte.id) && !writes(cte.plan)) continue;
    kept.push(cte);
    count(cte.plan, cte.id);
    if (cte.recursive !== undefined) count(cte.recursive.term, cte.id);
  }
  return { ctes: kept.reverse(), references };
}

function replaceInCte(cte: CteDefinition, inlined: ReadonlyMap<number, LogicalPlan>): CteDefinition {
  const plan = replaceScans(cte.plan, inlined);
  if (cte.recursive === undefined) return plan === cte.plan ? cte : { ...cte, plan };
  return { ...cte, plan, recursive: { ...cte.recursive, term: replaceScans(cte.recursive.term, inlined) } };
}

/** The plan with the CTEs' plans, which have no such scans in them any more, in the places where they are read. */
function replaceScans(plan: LogicalPlan, inlined: ReadonlyMap<number, LogicalPlan>): LogicalPlan {
  if (inlined.size === 0) return plan;
  if (plan.kind === "CteScan") {
    const cte = inlined.get(plan.cte);
    return cte === undefined ? plan : renamed(cte, plan);
  }
  const inside = mapSubplans(plan, (inner) => replaceScans(inner, inlined));
  return mapBranches(inside, (input) => replaceScans(input, inlined));
}

/** The CTE's plan under the columns of the scan that read it. */
function renamed(plan: LogicalPlan, scan: CteScan): LogicalPlan {
  const items: ProjectItem[] = outputOf(plan).map((column, i) => ({
    column: scan.columns[i],
    expr: columnRef(column),
  }));
  return { kind: "Project", input: plan, items };
}
