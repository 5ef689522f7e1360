/**
 * Moves the conditions of a filter, and the one-sided conditions of a join, as near to the scans as the answer allows.
 *
 * A condition stays where it is when it calls a volatile function, and where moving it would change what is NULL-extended
 * or counted: below the null-supplying side of an outer join, below LIMIT, DISTINCT ON, windows (unless it is on the
 * partition's columns) and aggregates (unless it is on the grouping columns).
 */
import type { Expr } from "../expr.js";
import type {
  Aggregate,
  Distinct,
  Filter,
  Join,
  LogicalPlan,
  Project,
  ProjectSet,
  SetOperation,
  Window,
} from "../plan.js";
import { outputOf } from "../plan.js";
import type { Rule } from "../rule.js";
import {
  columnRef,
  columnsOf,
  conjunctionOf,
  conjunctsOf,
  holdsSubquery,
  idsOf,
  isVolatile,
  mapBranches,
  mentions,
  substituteColumns,
} from "../visit.js";
import { cannotFail } from "./cannot-fail.js";
import { filterOf } from "./pull-up-conditions.js";

export const pushDownPredicates: Rule = {
  name: "push-down-predicates",
  rewrite(plan) {
    if (plan.kind === "Join") return splitJoinCondition(plan);
    if (plan.kind !== "Filter") return undefined;
    return pushFilter(plan);
  },
};

function pushFilter(plan: Filter): LogicalPlan | undefined {
  const { input } = plan;
  switch (input.kind) {
    case "Filter":
      return mergeFilters(plan, input);
    case "Sort":
    case "With":
      return { ...input, input: { ...plan, input: input.input } };
    case "Distinct":
      return input.on === undefined ? pushBelow(plan, input, () => true) : undefined;
    case "Project":
      return pushThroughProject(plan, input);
    case "ProjectSet": {
      const made = idsIn(input.calls.flatMap((call) => call.columns));
      return pushBelow(plan, input, (condition) => !mentions(condition, made));
    }
    case "Aggregate":
      return pushThroughAggregate(plan, input);
    case "Window":
      return pushThroughWindow(plan, input);
    case "SetOperation":
      return pushIntoBranches(plan, input);
    case "Join":
      return pushIntoJoin(plan, input);
    default:
      return undefined;
  }
}

/** The inner condition first: it is the one nearer to the rows. */
function mergeFilters(outer: Filter, inner: Filter): LogicalPlan {
  const conditions = [...conjunctsOf(inner.condition), ...conjunctsOf(outer.condition)];
  return { ...inner, condition: conjunctionOf(conditions) as Expr };
}

/** Below a node that passes on its input's columns; `replacement` has those that it makes of expressions. */
function pushBelow(
  plan: Filter,
  node: Distinct | Project | ProjectSet | Aggregate | Window,
  mayMove: (condition: Expr) => boolean,
  replacement?: ReadonlyMap<number, Expr>,
): LogicalPlan | undefined {
  const below = (condition: Expr) =>
    replacement === undefined ? condition : substituteColumns(condition, replacement);
  return movable(plan, mayMove, (conditions) => ({ ...node, input: filterOf(node.input, conditions.map(below)) }));
}

function pushThroughProject(plan: Filter, project: Project): LogicalPlan | undefined {
  const replacement = new Map(project.items.map((item) => [item.column.id, item.expr]));
  const unsettled = idsIn(project.items.filter((item) => !isSettled(item.expr)).map((item) => item.column));
  return pushBelow(plan, project, (condition) => !mentions(condition, unsettled), replacement);
}

/** Conditions on the grouping columns alone; without any, or with several sets, a group may be there without a row. */
function pushThroughAggregate(plan: Filter, aggregate: Aggregate): LogicalPlan | undefined {
  const { keys, groupingSets } = aggregate;
  if (keys.length === 0 || groupingSets.length !== 1 || groupingSets[0].length !== keys.length) return undefined;
  const replacement = new Map(keys.map((key) => [key.column.id, key.expr]));
  const others = idsIn([...aggregate.aggregates, ...aggregate.groupings].map((item) => item.column));
  const mayMove = (condition: Expr) => !mentions(condition, others) && columnsOf(condition).size > 0;
  return pushBelow(plan, aggregate, mayMove, replacement);
}

/** Conditions on the columns of the partition: they drop whole partitions. */
function pushThroughWindow(plan: Filter, window: Window): LogicalPlan | undefined {
  const partition = new Set(window.partitionBy.flatMap((expr) => (expr.kind === "Column" ? [expr.column.id] : [])));
  const own = idsOf(window);
  return pushBelow(plan, window, (condition) => {
    const used = [...columnsOf(condition)].filter((id) => own.has(id));
    return used.length > 0 && used.every((id) => partition.has(id));
  });
}

function pushIntoBranches(plan: Filter, operation: SetOperation): LogicalPlan | undefined {
  return movable(
    plan,
    () => true,
    (conditions) =>
      mapBranches(operation, (branch) => {
        const output = outputOf(branch);
        const columns = new Map(operation.columns.map((column, i) => [column.id, columnRef(output[i])] as const));
        return filterOf(
          branch,
          conditions.map((condition) => substituteColumns(condition, columns)),
        );
      }),
  );
}

/** Moves the conditions that may go and keeps the filter for the others; `undefined` when none may go. */
function movable(
  plan: Filter,
  mayMove: (condition: Expr) => boolean,
  rebuild: (conditions: readonly Expr[]) => LogicalPlan,
): LogicalPlan | undefined {
  const down: Expr[] = [];
  const stay: Expr[] = [];
  for (const condition of conjunctsOf(plan.condition)) {
    (isMovable(condition) && mayMove(condition) ? down : stay).push(condition);
  }
  return down.length === 0 ? undefined : filterOf(rebuild(down), stay);
}

/**
 * Whether a condition over one side of a join stays above it: that side is a single row of constants, which PostgreSQL
 * does away with, so that the condition is tried for each row of the other side. It may fail where there is none:
 * `x / 0 = 1` over `(SELECT 1 AS x)`.
 */
function staysAbove(condition: Expr, side: LogicalPlan): boolean {
  return isSingleRow(side) && !cannotFail(condition);
}

function isSingleRow(plan: LogicalPlan): boolean {
  if (plan.kind === "Project") return isSingleRow(plan.input);
  return plan.kind === "Values" && plan.rows.length === 1;
}

/** A filter over a join: conditions on one side go to that side where rows of it are only dropped, never NULL-extended. */
function pushIntoJoin(plan: Filter, join: Join): LogicalPlan | undefined {
  const leftIds = idsOf(join.left);
  const rightIds = idsOf(join.right);
  const toLeft: Expr[] = [];
  const toRight: Expr[] = [];
  const toJoin: Expr[] = [];
  const stay: Expr[] = [];
  const leftKept = join.type !== "right" && join.type !== "full";
  const rightKept = join.type === "inner" || join.type === "right";
  for (const condition of conjunctsOf(plan.condition)) {
    const usesLeft = mentions(condition, leftIds);
    const usesRight = mentions(condition, rightIds);
    const side = usesLeft === usesRight ? undefined : usesLeft ? join.left : join.right;
    if (!isMovable(condition) || (side !== undefined && staysAbove(condition, side))) stay.push(condition);
    else if (usesLeft && !usesRight && leftKept) toLeft.push(condition);
    else if (usesRight && !usesLeft && rightKept) toRight.push(condition);
    else if (join.type === "inner" && usesLeft && usesRight && !holdsSubquery(condition)) toJoin.push(condition);
    else stay.push(condition);
  }
  if (toLeft.length === 0 && toRight.length === 0 && toJoin.length === 0) return undefined;
  const condition = conjunctionOf([...conjunctsOf(join.condition), ...toJoin]);
  return filterOf(
    { ...join, left: filterOf(join.left, toLeft), right: filterOf(join.right, toRight), condition },
    stay,
  );
}

/** ON conditions of one side go to that side where a row that fails them can't be in the answer of that side anyway. */
function splitJoinCondition(join: Join): LogicalPlan | undefined {
  if (join.condition === undefined || join.nullAware === true) return undefined;
  const leftIds = idsOf(join.left);
  const rightIds = idsOf(join.right);
  const leftDrops = join.type === "inner" || join.type === "right" || join.type === "semi";
  const rightDrops = join.type === "inner" || join.type === "left" || join.type === "semi" || join.type === "anti";
  const toLeft: Expr[] = [];
  const toRight: Expr[] = [];
  const stay: Expr[] = [];
  for (const condition of conjunctsOf(join.condition)) {
    const usesLeft = mentions(condition, leftIds);
    const usesRight = mentions(condition, rightIds);
    if (!isMovable(condition)) stay.push(condition);
    else if (usesLeft && !usesRight && leftDrops) toLeft.push(condition);
    else if (usesRight && !usesLeft && rightDrops) toRight.push(condition);
    else stay.push(condition);
  }
  if (toLeft.length === 0 && toRight.length === 0) return undefined;
  return {
    ...join,
    left: filterOf(join.left, toLeft),
    right: filterOf(join.right, toRight),
    condition: conjunctionOf(stay),
  };
}

function idsIn(columns: readonly { readonly id: number }[]): Set<number> {
  return new Set(columns.map((column) => column.id));
}

function isMovable(condition: Expr): boolean {
  return !isVolatile(condition);
}

/** Whether an expression may be evaluated again in another place: not volatile, and no subquery to run twice. */
function isSettled(expr: Expr): boolean {
  return isMovable(expr) && !holdsSubquery(expr);
}
