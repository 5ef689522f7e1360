/**
 * Works out constants, and what follows for the plan: a filter that is always true goes, one that never is leaves no rows
 * behind, and a plan without rows is not read: its tables are not called.
 */
import type { Column, Expr, Subquery } from "../expr.js";
import type { Aggregate, Filter, Join, Limit, LogicalPlan, ProjectItem, SetOperation } from "../plan.js";
import { outputOf } from "../plan.js";
import type { WholePlanRule } from "../rule.js";
import { columnRef, conjunctsOf, mapBranches, mapExpressions, somePlan } from "../visit.js";
import { foldExpression, isNeverTrue, isSettled } from "./fold-expression.js";

export const foldConstants: WholePlanRule = {
  name: "fold-constants",
  rewriteWhole: fold,
};

function fold(plan: LogicalPlan): LogicalPlan {
  return mapBranches(plan, fold, (node) =>
    simplify(mapExpressions(node, (expr) => foldExpression(expr, { subquery: foldSubquery }))),
  );
}

/** A subquery over nothing is known. */
function foldSubquery(expr: Subquery): Expr {
  const plan = fold(expr.plan);
  if (plan.kind === "Empty") {
    const { type, typmod, position } = expr;
    switch (expr.subqueryKind) {
      case "exists":
      case "any":
        return { kind: "Constant", value: false, type, position };
      case "all":
        return { kind: "Constant", value: true, type, position };
      case "scalar":
        return { kind: "Constant", value: null, type, typmod, position };
    }
  }
  return plan === expr.plan ? expr : { ...expr, plan };
}

function simplify(plan: LogicalPlan): LogicalPlan {
  switch (plan.kind) {
    case "Filter":
      return simplifyFilter(plan);
    case "Join":
      return simplifyJoin(plan);
    case "Project":
    case "ProjectSet":
    case "Sort":
    case "Distinct":
    case "Window":
      return plan.input.kind === "Empty" ? nothing(plan) : plan;
    case "Limit":
      return (plan.input.kind === "Empty" || isZero(plan.fetch)) && isValidLimit(plan) ? nothing(plan) : plan;
    case "Aggregate":
      return plan.input.kind === "Empty" && givesRowPerGroup(plan) ? nothing(plan) : plan;
    case "With":
      return plan.input.kind === "Empty" ? nothing(plan) : plan;
    case "SetOperation":
      return simplifySetOperation(plan);
    default:
      return plan;
  }
}

/** The plan without rows, unless something in it has to happen all the same. */
function nothing(plan: LogicalPlan): LogicalPlan {
  const hasToStay = somePlan(plan, (node) => node.kind === "Write" || node.kind === "Merge");
  return hasToStay ? plan : { kind: "Empty", columns: outputOf(plan) };
}

function isZero(expr: Expr | undefined): boolean {
  return expr?.kind === "Constant" && (expr.value === 0 || expr.value === 0n);
}

/** Whether no bound is negative, which is an error also where there are no rows. */
function isValidLimit({ fetch, skip }: Limit): boolean {
  return [fetch, skip].every(
    (bound) => bound === undefined || (bound.kind === "Constant" && (bound.value === null || Number(bound.value) >= 0)),
  );
}

function givesRowPerGroup(plan: Aggregate): boolean {
  return plan.groupingSets.every((set) => set.length > 0);
}

function simplifyFilter(plan: Filter): LogicalPlan {
  if (plan.input.kind === "Empty") return plan.input;
  const { condition, input } = plan;
  if (condition.kind === "Constant" && condition.value === true) return input;
  return isContradiction(condition) ? nothing(plan) : plan;
}

/** A conjunct that is never true, with nothing before it whose error would come up first. */
function isContradiction(condition: Expr): boolean {
  const conjuncts = conjunctsOf(condition);
  const at = conjuncts.findIndex(isNeverTrue);
  return at >= 0 && conjuncts.slice(0, at).every(isSettled);
}

function simplifyJoin(plan: Join): LogicalPlan {
  const { type, left, right, condition } = plan;
  const never = condition !== undefined && plan.nullAware !== true && isContradiction(condition);
  const leftEmpty = left.kind === "Empty";
  const rightEmpty = right.kind === "Empty" || never;
  switch (type) {
    case "inner":
    case "semi":
      if (leftEmpty || rightEmpty) return nothing(plan);
      break;
    case "left":
      if (leftEmpty) return nothing(plan);
      if (rightEmpty) return nullExtended(plan, left, right);
      break;
    case "right":
      if (right.kind === "Empty") return nothing(plan);
      if (leftEmpty || never) return nullExtended(plan, right, left);
      break;
    case "anti":
      if (leftEmpty || rightEmpty) return nothing(right).kind === "Empty" ? left : plan;
      break;
  }
  if (condition?.kind !== "Constant" || condition.value !== true || plan.nullAware === true) return plan;
  const { condition: _, ...cross } = plan;
  return cross;
}

/** An outer join that finds no partners: the kept side with NULLs beside it. */
function nullExtended(plan: Join, kept: LogicalPlan, dropped: LogicalPlan): LogicalPlan {
  if (nothing(dropped).kind !== "Empty") return plan;
  const own = new Set(outputOf(kept));
  const items = outputOf(plan).map(
    (column): ProjectItem => ({
      column,
      expr: own.has(column)
        ? columnRef(column)
        : { kind: "Constant", value: null, type: column.type, typmod: column.typmod },
    }),
  );
  return { kind: "Project", input: kept, items };
}

function simplifySetOperation(plan: SetOperation): LogicalPlan {
  const { left, right, operator, all, columns } = plan;
  const leftEmpty = left.kind === "Empty";
  const rightEmpty = right.kind === "Empty";
  if (!leftEmpty && !rightEmpty) return plan;
  if (operator === "intersect" || (operator === "except" && leftEmpty) || (leftEmpty && rightEmpty))
    return nothing(plan);
  const kept = renamed(leftEmpty ? right : left, columns);
  return all ? kept : { kind: "Distinct", input: kept };
}

/** The plan under other columns. Of a long UNION whose queries are dropped one by one, no pile of projections is left. */
function renamed(plan: LogicalPlan, columns: readonly Column[]): LogicalPlan {
  if (plan.kind === "SetOperation") return { ...plan, columns };
  if (plan.kind === "Project")
    return { ...plan, items: plan.items.map(({ expr }, i): ProjectItem => ({ column: columns[i], expr })) };
  const items = outputOf(plan).map((column, i): ProjectItem => ({ column: columns[i], expr: columnRef(column) }));
  return { kind: "Project", input: plan, items };
}
