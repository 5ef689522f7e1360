/**
 * Works out constants, and what follows for the plan: a filter that is always true goes, one that never is leaves no rows
 * behind, and a plan without rows is not read: its tables are not called.
 *
 * The scan whose rows a statement writes stays, whatever the condition: the write looks at it.
 */
import type { Column, Expr, Subquery } from "../expr.js";
import type { Aggregate, Filter, Join, LogicalPlan, ProjectItem, SetOperation } from "../plan.js";
import { outputOf } from "../plan.js";
import type { WholePlanRule } from "../rule.js";
import { columnRef, conjunctsOf, mapBranches, mapExpressions, somePlan } from "../visit.js";
import { foldExpression, isNeverTrue, isSettled } from "./fold-expression.js";

export const foldConstants: WholePlanRule = {
  name: "fold-constants",
  rewriteWhole: (plan) => fold(plan, targetsOf(plan)),
};

/** Ids of scans that stand for the rows to be written. */
type Targets = ReadonlySet<number>;

function targetsOf(plan: LogicalPlan): Targets {
  const targets = new Set<number>();
  somePlan(plan, (node) => {
    if ((node.kind === "Write" || node.kind === "Merge") && node.targetScan !== undefined) targets.add(node.targetScan);
    return false;
  });
  return targets;
}

function fold(plan: LogicalPlan, targets: Targets): LogicalPlan {
  return mapBranches(
    plan,
    (input) => fold(input, targets),
    (node) =>
      simplify(
        mapExpressions(node, (expr) => foldExpression(expr, (subquery) => foldSubquery(subquery, targets))),
        targets,
      ),
  );
}

/** A subquery over nothing is known. */
function foldSubquery(expr: Subquery, targets: Targets): Expr {
  const plan = fold(expr.plan, targets);
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

function simplify(plan: LogicalPlan, targets: Targets): LogicalPlan {
  switch (plan.kind) {
    case "Filter":
      return simplifyFilter(plan, targets);
    case "Join":
      return simplifyJoin(plan, targets);
    case "Project":
    case "ProjectSet":
    case "Sort":
    case "Distinct":
    case "Window":
      return plan.input.kind === "Empty" ? nothing(plan, targets) : plan;
    case "Limit":
      return plan.input.kind === "Empty" || isZero(plan.fetch) ? nothing(plan, targets) : plan;
    case "Aggregate":
      return plan.input.kind === "Empty" && givesRowPerGroup(plan) ? nothing(plan, targets) : plan;
    case "With":
      return plan.input.kind === "Empty" ? nothing(plan, targets) : plan;
    case "SetOperation":
      return simplifySetOperation(plan, targets);
    default:
      return plan;
  }
}

/** The plan without rows, unless something in it has to happen all the same. */
function nothing(plan: LogicalPlan, targets: Targets): LogicalPlan {
  const hasToStay = somePlan(
    plan,
    (node) => node.kind === "Write" || node.kind === "Merge" || (node.kind === "Scan" && targets.has(node.id)),
  );
  return hasToStay ? plan : { kind: "Empty", columns: outputOf(plan) };
}

function isZero(expr: Expr | undefined): boolean {
  return expr?.kind === "Constant" && (expr.value === 0 || expr.value === 0n);
}

function givesRowPerGroup(plan: Aggregate): boolean {
  return plan.groupingSets.every((set) => set.length > 0);
}

function simplifyFilter(plan: Filter, targets: Targets): LogicalPlan {
  if (plan.input.kind === "Empty") return plan.input;
  const { condition, input } = plan;
  // WHERE true over the rows to be written stays: it says that all rows are meant.
  if (condition.kind === "Constant" && condition.value === true && !(input.kind === "Scan" && targets.has(input.id)))
    return input;
  return isContradiction(condition) ? nothing(plan, targets) : plan;
}

/** A conjunct that is never true, with nothing before it whose error would come up first. */
function isContradiction(condition: Expr): boolean {
  const conjuncts = conjunctsOf(condition);
  const at = conjuncts.findIndex(isNeverTrue);
  return at >= 0 && conjuncts.slice(0, at).every(isSettled);
}

function simplifyJoin(plan: Join, targets: Targets): LogicalPlan {
  const { type, left, right, condition } = plan;
  const never = condition !== undefined && plan.nullAware !== true && isContradiction(condition);
  const leftEmpty = left.kind === "Empty";
  const rightEmpty = right.kind === "Empty" || never;
  switch (type) {
    case "inner":
    case "semi":
      if (leftEmpty || rightEmpty) return nothing(plan, targets);
      break;
    case "left":
      if (leftEmpty) return nothing(plan, targets);
      if (rightEmpty) return nullExtended(plan, left, right, targets);
      break;
    case "right":
      if (right.kind === "Empty") return nothing(plan, targets);
      if (leftEmpty || never) return nullExtended(plan, right, left, targets);
      break;
    case "anti":
      if (leftEmpty || rightEmpty) return nothing(right, targets).kind === "Empty" ? left : plan;
      break;
  }
  if (condition?.kind !== "Constant" || condition.value !== true || plan.nullAware === true) return plan;
  const { condition: _, ...cross } = plan;
  return cross;
}

/** An outer join that finds no partners: the kept side with NULLs beside it. */
function nullExtended(plan: Join, kept: LogicalPlan, dropped: LogicalPlan, targets: Targets): LogicalPlan {
  if (nothing(dropped, targets).kind !== "Empty") return plan;
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

function simplifySetOperation(plan: SetOperation, targets: Targets): LogicalPlan {
  const { left, right, operator, all, columns } = plan;
  const leftEmpty = left.kind === "Empty";
  const rightEmpty = right.kind === "Empty";
  if (!leftEmpty && !rightEmpty) return plan;
  if (operator === "intersect" || (operator === "except" && leftEmpty) || (leftEmpty && rightEmpty))
    return nothing(plan, targets);
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
