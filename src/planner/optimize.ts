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
import { decorrelateSubqueries } from "./rules/decorrelate-subqueries.js";
import { flattenLaterals } from "./rules/flatten-laterals.js";
import { foldConstants } from "./rules/fold-constants.js";
import { inferEqualities } from "./rules/infer-equalities.js";
import { inlineCtes } from "./rules/inline-ctes.js";
import { mergeProjections } from "./rules/merge-projections.js";
import { orderJoins } from "./rules/order-joins.js";
import { pruneProjections } from "./rules/prune-projections.js";
import { pushDownLimit } from "./rules/push-down-limit.js";
import { pushDownPredicates } from "./rules/push-down-predicates.js";
import { refuseFullJoins } from "./rules/refuse-full-joins.js";
import { removeSorts } from "./rules/remove-sorts.js";
import { simplifyOuterJoins } from "./rules/simplify-outer-joins.js";
import { splitAlternatives } from "./rules/split-alternatives.js";
import { expressionsOf, inputsOf, mapBranches, mapSubplans, operandsOf, plansWithin } from "./visit.js";
import { withinStack } from "./within-stack.js";

/** The rules in the order they run. */
export const rules: readonly (Rule | WholePlanRule)[] = [
  foldConstants,
  inlineCtes, // predicates should reach what a CTE reads
  flattenLaterals, // what only computes leaves LATERAL: conditions alone are left to be freed of the left side
  decorrelateSubqueries, // before pushing down: EXISTS and IN become joins that predicates can move through
  simplifyOuterJoins, // an inner join lets more conditions through
  inferEqualities, // a.x = b.y AND a.x = 5 gives b.y = 5: one more argument
  pushDownPredicates,
  foldConstants, // again: a condition has met the constants of a UNION's queries, and some of them give nothing
  refuseFullJoins, // what the rules before left of them
  removeSorts,
  pruneProjections,
  mergeProjections, // after pruning: what is read once can move
  orderJoins, // after pushing down: conditions stand at their tables
  splitAlternatives, // conditions stand at their tables; what it makes of a table are tables of their own
  bindArguments, // reads the filters and joins as the others left them
  pushDownLimit, // last: a limit may not pass what is still checked after a call
];

/** One step of {@link optimize}, for whoever looks for the rule that went wrong. */
export interface RuleStep {
  readonly rule: string;
  readonly plan: LogicalPlan;
}

/**
 * @param onStep is told the plan after each rule that changed it
 * @param applied the rules, for tests that leave one out
 * @throws SqlError 54001 when the plan is nested too deeply for rules that recurse
 */
export function optimize(
  plan: LogicalPlan,
  onStep?: (step: RuleStep) => void,
  applied: readonly (Rule | WholePlanRule)[] = rules,
): LogicalPlan {
  refuseDeepExpressions(plan);
  const context = ruleContext(plan);
  let current = plan;
  for (const rule of applied) {
    const before = current;
    const next = withinStack(() =>
      "rewriteWhole" in rule ? rule.rewriteWhole(before, context) : applyRule(before, rule, context),
    );
    if (next === current) continue;
    checkOutput(rule.name, current, next);
    current = next;
    onStep?.({ rule: rule.name, plan: current });
  }
  return current;
}

/** Operators in a row (`a + b + c …`) that rules and kernels, which recurse, have the stack for. PostgreSQL takes a few thousand. */
const maxExpressionDepth = 1_500;

/** @throws SqlError 54001 for a chain of operators that would overflow the stack */
function refuseDeepExpressions(plan: LogicalPlan): void {
  // In a loop: whatever recurses into expressions may overflow before it has seen how deep they are.
  const open: LogicalPlan[] = [plan];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    for (const expr of expressionsOf(node)) {
      if (depthOf(expr) > maxExpressionDepth) {
        throw new SqlError(sqlstate.statementTooComplex, "stack depth limit exceeded", {
          position: expr.position,
          hint: "Divide the expression: use string_agg, sum or unnest over a list instead of a long chain of operators.",
        });
      }
    }
    open.push(...inputsOf(node));
  }
}

/** Levels of an expression. Chains lean to the left and are followed in a loop; all other nesting is bounded by the parser. */
function depthOf(expr: Expr): number {
  let levels = 0;
  let deepest = 0;
  for (let current: Expr | undefined = expr; current !== undefined; levels++) {
    const [first, ...others]: readonly Expr[] = operandsOf(current);
    for (const other of others) deepest = Math.max(deepest, levels + 1 + depthOf(other));
    current = first;
  }
  return Math.max(levels, deepest);
}

/** How often a rule may rewrite one node, beyond the number of nodes below it, before it counts as running in circles. */
const maxRewrites = 1_000;

/** Applies one rule everywhere, from the top down, in subqueries too. Of a chain of set operations it sees the first and the queries. */
export function applyRule(plan: LogicalPlan, rule: Rule, context: RuleContext): LogicalPlan {
  let current = plan;
  let most = maxRewrites;
  for (let round = 0; ; round++) {
    const next = rule.rewrite(current, context);
    if (next === undefined || next === current) break;
    // A chain of a thousand projections melts into its first one node by node.
    if (round === maxRewrites) most += plansWithin(plan).length;
    if (round === most) throw new SqlError(sqlstate.internalError, `rule ${rule.name} does not come to an end`);
    current = next;
  }
  const inside = mapSubplans(current, (inner) => applyRule(inner, rule, context));
  return mapBranches(inside, (input) => applyRule(input, rule, context));
}

function ruleContext(plan: LogicalPlan): RuleContext {
  let next: number | undefined;
  return {
    newColumnId: () => {
      // Ids of columns that no node puts out (the operand of a simple CASE) stay clear of ours.
      next = (next ?? largestId(plan) + 1_000_000) + 1;
      return next;
    },
  };
}

function largestId(plan: LogicalPlan): number {
  let last = 0;
  for (const node of plansWithin(plan)) {
    for (const column of outputOf(node)) if (column.id > last) last = column.id;
    if (node.kind === "Write") {
      for (const column of [...node.rowColumns, ...(node.onConflict?.excludedColumns ?? [])])
        if (column.id > last) last = column.id;
    }
  }
  return last;
}

function checkOutput(rule: string, before: LogicalPlan, after: LogicalPlan): void {
  const wanted = outputOf(before);
  const got = outputOf(after);
  const same = wanted.length === got.length && wanted.every((column, i) => column.id === got[i].id);
  if (!same) throw new SqlError(sqlstate.internalError, `rule ${rule} changed the columns of the plan`);
}
