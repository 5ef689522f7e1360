/**
 * Walking and rebuilding of plans and expressions, in one place, so that a rule names only the nodes it cares about.
 * The shallow functions are in `children.ts`, what is remembered of a node in `traits.ts`; both are offered here too.
 */
import { expressionsOf, inputsOf, mapExpressions, mapInputs, mapOperands, operandsOf } from "./children.js";
import type { Column, Expr, Subquery } from "./expr.js";
import type { LogicalPlan, SetOperation } from "./plan.js";
import { columnsOf, freeColumns, hasSubplans, holdsSubquery } from "./traits.js";

export { expressionsOf, inputsOf, mapExpressions, mapInputs, mapList, mapOperands, operandsOf } from "./children.js";
export {
  columnsOf,
  freeColumns,
  hasSubplans,
  holdsSubquery,
  idsOf,
  isVolatile,
  isVolatilePlan,
  isWrite,
  mentions,
} from "./traits.js";

/** Rebuilds an expression from the leaves up; `change` sees a node after its operands. Plans of subqueries are left alone. */
export function transformExpression(expr: Expr, change: (expr: Expr) => Expr): Expr {
  return change(mapOperands(expr, (operand) => transformExpression(operand, change)));
}

/** Visits an expression and everything in it, plans of subqueries included, until `visit` says true. */
export function someExpression(expr: Expr, visit: (expr: Expr) => boolean): boolean {
  if (visit(expr)) return true;
  if (expr.kind === "Subquery" && somePlan(expr.plan, () => false, visit)) return true;
  return operandsOf(expr).some((operand) => someExpression(operand, visit));
}

/** Visits a plan, its inputs and the plans inside its expressions, until a visitor says true. A loop: plans of thousands of UNIONs are deep. */
export function somePlan(
  plan: LogicalPlan,
  visitPlan: (plan: LogicalPlan) => boolean,
  visitExpr?: (expr: Expr) => boolean,
): boolean {
  const open: LogicalPlan[] = [plan];
  const visitInside = (expr: Expr): boolean => {
    if (expr.kind === "Subquery") open.push(expr.plan);
    return visitExpr?.(expr) === true || operandsOf(expr).some(visitInside);
  };
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (visitPlan(node)) return true;
    for (const expr of expressionsOf(node)) {
      if ((visitExpr !== undefined || holdsSubquery(expr)) && visitInside(expr)) return true;
    }
    const inputs = inputsOf(node);
    for (let i = inputs.length - 1; i >= 0; i--) open.push(inputs[i]);
  }
  return false;
}

/** Every plan node, inputs before their parents, those inside expressions too. */
export function plansWithin(plan: LogicalPlan): readonly LogicalPlan[] {
  const found: LogicalPlan[] = [];
  const open: LogicalPlan[] = [plan];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    found.push(node);
    for (const input of inputsOf(node)) open.push(input);
    for (const expr of expressionsOf(node)) eachSubquery(expr, (subquery) => open.push(subquery.plan));
  }
  return found.reverse();
}

/** The subqueries of an expression, not those inside their plans. */
export function eachSubquery(expr: Expr, visit: (subquery: Subquery) => void): void {
  if (!holdsSubquery(expr)) return;
  if (expr.kind === "Subquery") visit(expr);
  for (const operand of operandsOf(expr)) eachSubquery(operand, visit);
}

/**
 * The node with each input replaced, and for set operations each of the queries that stand in a chain of them: a chain of
 * thousands is no depth of recursion then. `after` is given every node that was rebuilt from its changed inputs, those
 * inside the chain too.
 */
export function mapBranches(
  plan: LogicalPlan,
  change: (input: LogicalPlan) => LogicalPlan,
  after: (node: LogicalPlan) => LogicalPlan = (node) => node,
): LogicalPlan {
  if (plan.kind !== "SetOperation") return after(mapInputs(plan, change));
  const chain: SetOperation[] = [];
  let node: LogicalPlan = plan;
  while (node.kind === "SetOperation") {
    chain.push(node);
    node = node.left;
  }
  let left = change(node);
  for (let next = chain.pop(); next !== undefined; next = chain.pop()) {
    const right = change(next.right);
    left = after(left === next.left && right === next.right ? next : { ...next, left, right });
  }
  return left;
}

/** The node with the plans of the subqueries in its expressions changed. */
export function mapSubplans(plan: LogicalPlan, change: (subplan: LogicalPlan) => LogicalPlan): LogicalPlan {
  return hasSubplans(plan) ? mapExpressions(plan, (expr) => inSubqueries(expr, change)) : plan;
}

/** The expression with the plan of every subquery in it changed. */
export function inSubqueries(expr: Expr, change: (plan: LogicalPlan) => LogicalPlan): Expr {
  if (!holdsSubquery(expr)) return expr;
  const inside = mapOperands(expr, (operand) => inSubqueries(operand, change));
  if (inside.kind !== "Subquery") return inside;
  const plan = change(inside.plan);
  return plan === inside.plan ? inside : { ...inside, plan };
}

/** The parts of a conjunction; a condition that is none gives itself. */
export function conjunctsOf(condition: Expr | undefined): readonly Expr[] {
  if (condition === undefined) return [];
  return condition.kind === "And" ? condition.args.flatMap(conjunctsOf) : [condition];
}

/** The conjunction of conditions; `undefined` for none. */
export function conjunctionOf(conditions: readonly Expr[]): Expr | undefined {
  if (conditions.length <= 1) return conditions[0];
  return { kind: "And", args: conditions, type: conditions[0].type };
}

/** Replaces columns by expressions, deeply, plans of subqueries included. */
export function substituteColumns(expr: Expr, replacement: ReadonlyMap<number, Expr>): Expr {
  if (expr.kind === "Column") return replacement.get(expr.column.id) ?? expr;
  if (!mentionsKeyOf(columnsOf(expr), replacement)) return expr;
  const inside = mapOperands(expr, (operand) => substituteColumns(operand, replacement));
  if (inside.kind !== "Subquery") return inside;
  const plan = substituteInPlan(inside.plan, replacement);
  return plan === inside.plan ? inside : { ...inside, plan };
}

/** Replaces columns by expressions in every node of a plan. */
export function substituteInPlan(plan: LogicalPlan, replacement: ReadonlyMap<number, Expr>): LogicalPlan {
  if (!mentionsKeyOf(freeColumns(plan), replacement)) return plan;
  const inputs = mapInputs(plan, (input) => substituteInPlan(input, replacement));
  return mapExpressions(inputs, (expr) => substituteColumns(expr, replacement));
}

function mentionsKeyOf(columns: ReadonlySet<number>, replacement: ReadonlyMap<number, Expr>): boolean {
  for (const id of columns) if (replacement.has(id)) return true;
  return false;
}

/** `col` for a column, as an expression. */
export function columnRef(column: Column, position?: number): Expr {
  return {
    kind: "Column",
    column,
    type: column.type,
    typmod: column.typmod,
    ...(position !== undefined && { position }),
  };
}
