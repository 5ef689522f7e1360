/**
 * Applies the rules to a bound plan, in order. Every rule keeps the columns that the plan puts out; this is checked after
 * each, since a rule that loses one would give a wrong answer.
 */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import type { Expr } from "./expr.js";
import { type LogicalPlan, outputOf } from "./plan.js";
import type { Rule, RuleContext, WholePlanRule } from "./rule.js";
import { bindArguments } from "./rules/bind-arguments.js";
import { inlineCtes } from "./rules/inline-ctes.js";
import { pruneProjections } from "./rules/prune-projections.js";
import { pushDownPredicates } from "./rules/push-down-predicates.js";
import { mapExpressions, mapInputs, mapOperands, plansWithin } from "./visit.js";

/** The rules in the order they run. */
export const rules: readonly (Rule | WholePlanRule)[] = [
  inlineCtes, // first: predicates should reach what a CTE reads
  pushDownPredicates,
  pruneProjections,
  bindArguments, // last: reads the filters and joins as the others left them
];

/** One step of {@link optimize}, for EXPLAIN VERBOSE and for tests. */
export interface RuleStep {
  readonly rule: string;
  readonly plan: LogicalPlan;
}

/**
 * @param onStep is told the plan after each rule that changed it
 */
export function optimize(plan: LogicalPlan, onStep?: (step: RuleStep) => void): LogicalPlan {
  const context = ruleContext(plan);
  let current = plan;
  for (const rule of rules) {
    const next = "rewriteWhole" in rule ? rule.rewriteWhole(current, context) : applyRule(current, rule, context);
    if (next === current) continue;
    checkOutput(rule.name, current, next);
    current = next;
    onStep?.({ rule: rule.name, plan: current });
  }
  return current;
}

/** How often a rule may rewrite one node before it counts as running in circles. */
const maxRewrites = 1_000;

/** Applies one rule everywhere, from the top down, in subqueries too. */
export function applyRule(plan: LogicalPlan, rule: Rule, context: RuleContext): LogicalPlan {
  let current = plan;
  for (let round = 0; ; round++) {
    const next = rule.rewrite(current, context);
    if (next === undefined || next === current) break;
    if (round === maxRewrites) throw new SqlError(sqlstate.internalError, `rule ${rule.name} does not come to an end`);
    current = next;
  }
  const inside = mapExpressions(current, (expr) => inSubqueries(expr, (inner) => applyRule(inner, rule, context)));
  return mapInputs(inside, (input) => applyRule(input, rule, context));
}

/** The expression with the plan of every subquery in it changed. */
export function inSubqueries(expr: Expr, change: (plan: LogicalPlan) => LogicalPlan): Expr {
  const inside = mapOperands(expr, (operand) => inSubqueries(operand, change));
  if (inside.kind !== "Subquery") return inside;
  const plan = change(inside.plan);
  return plan === inside.plan ? inside : { ...inside, plan };
}

function ruleContext(plan: LogicalPlan): RuleContext {
  let last = 0;
  for (const node of plansWithin(plan)) {
    for (const column of outputOf(node)) if (column.id > last) last = column.id;
    if (node.kind === "Write") {
      for (const column of [...node.rowColumns, ...(node.onConflict?.excludedColumns ?? [])])
        if (column.id > last) last = column.id;
    }
  }
  // Ids of columns that no node puts out (the operand of a simple CASE) stay clear of ours.
  let next = last + 1_000_000;
  return { newColumnId: () => next++ };
}

function checkOutput(rule: string, before: LogicalPlan, after: LogicalPlan): void {
  const wanted = outputOf(before);
  const got = outputOf(after);
  const same = wanted.length === got.length && wanted.every((column, i) => column.id === got[i].id);
  if (!same) throw new SqlError(sqlstate.internalError, `rule ${rule} changed the columns of the plan`);
}
