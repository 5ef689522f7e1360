/**
 * What rules and engine ask of plans and expressions again and again: the columns they mention, whether they are volatile,
 * whether they hold a subquery. Plans and expressions never change, so each answer is found once and kept beside its node.
 */
import { expressionsOf, inputsOf, operandsOf } from "./children.js";
import type { Expr } from "./expr.js";
import { type LogicalPlan, outputOf } from "./plan.js";

/** What is often asked of an expression; expressions never change, so it is found out once. */
interface Traits {
  readonly columns: ReadonlySet<number>;
  readonly volatile: boolean;
  readonly subquery: boolean;
}

const noColumns: ReadonlySet<number> = new Set();
const plain: Traits = { columns: noColumns, volatile: false, subquery: false };
const traits = new WeakMap<Expr, Traits>();

function traitsOf(expr: Expr): Traits {
  if (expr.kind === "Constant" || expr.kind === "Parameter" || expr.kind === "Grouping") return plain;
  let known = traits.get(expr);
  if (known === undefined) {
    known = findTraits(expr);
    traits.set(expr, known);
  }
  return known;
}

function findTraits(expr: Expr): Traits {
  if (expr.kind === "Column") return { ...plain, columns: new Set([expr.column.id]) };
  let volatile = (expr.kind === "Call" || expr.kind === "Cast") && expr.volatility === "volatile";
  let subquery = false;
  const parts: ReadonlySet<number>[] = [];
  for (const operand of operandsOf(expr)) {
    const inner = traitsOf(operand);
    volatile ||= inner.volatile;
    subquery ||= inner.subquery;
    if (inner.columns.size > 0) parts.push(inner.columns);
  }
  if (expr.kind === "Subquery") {
    const inner = planTraitsOf(expr.plan);
    const own = idsOf(expr.plan);
    const outer = new Set(inner.columns);
    for (const part of parts) for (const id of part) if (!own.has(id)) outer.add(id);
    return { columns: outer, volatile: volatile || inner.volatile, subquery: true };
  }
  let columns =
    parts.length === 0 ? noColumns : parts.length === 1 ? parts[0] : new Set(parts.flatMap((part) => [...part]));
  if (expr.kind === "Case" && expr.operandColumn !== undefined && columns.has(expr.operandColumn.id)) {
    const { id } = expr.operandColumn;
    columns = new Set([...columns].filter((column) => column !== id));
  }
  return { columns, volatile, subquery };
}

/** Of a plan: the columns that it takes from outside, and whether it calls a volatile function. */
const planTraits = new WeakMap<LogicalPlan, Traits>();

function planTraitsOf(plan: LogicalPlan): Traits {
  const known = planTraits.get(plan);
  if (known !== undefined) return known;
  // The inputs down a chain of set operations first, so that its length is no depth of recursion.
  const chain: LogicalPlan[] = [];
  let node = plan;
  while (node.kind === "SetOperation" && !planTraits.has(node.left)) {
    chain.push(node);
    node = node.left;
  }
  let found = findPlanTraits(node);
  planTraits.set(node, found);
  for (let next = chain.pop(); next !== undefined; next = chain.pop()) {
    found = findPlanTraits(next);
    planTraits.set(next, found);
  }
  return found;
}

function findPlanTraits(plan: LogicalPlan): Traits {
  const used = new Set<number>();
  let volatile = false;
  for (const expr of expressionsOf(plan)) {
    const inner = traitsOf(expr);
    volatile ||= inner.volatile;
    for (const id of inner.columns) used.add(id);
  }
  const inputs = inputsOf(plan);
  for (const input of inputs) {
    const inner = planTraitsOf(input);
    volatile ||= inner.volatile;
    for (const id of inner.columns) used.add(id);
  }
  if (used.size > 0) {
    for (const input of inputs) for (const column of outputOf(input)) used.delete(column.id);
    for (const column of outputOf(plan)) used.delete(column.id);
    if (plan.kind === "Write") {
      for (const column of plan.rowColumns) used.delete(column.id);
      for (const column of plan.onConflict?.excludedColumns ?? []) used.delete(column.id);
    }
  }
  return { columns: used, volatile, subquery: false };
}

/** Ids of the columns that an expression mentions; for a subquery, those it takes from outside. */
export function columnsOf(expr: Expr): ReadonlySet<number>;
export function columnsOf(expr: Expr, into: Set<number>): Set<number>;
export function columnsOf(expr: Expr, into?: Set<number>): ReadonlySet<number> {
  const { columns } = traitsOf(expr);
  if (into === undefined) return columns;
  for (const id of columns) into.add(id);
  return into;
}

/** Whether an expression calls a volatile function, subqueries included. */
export function isVolatile(expr: Expr): boolean {
  return traitsOf(expr).volatile;
}

/** Whether a query stands anywhere in the expression. */
export function holdsSubquery(expr: Expr): boolean {
  return traitsOf(expr).subquery;
}

const subplanNodes = new WeakMap<LogicalPlan, boolean>();

/** Whether a subquery stands in a node's own expressions. */
export function hasSubplans(plan: LogicalPlan): boolean {
  let known = subplanNodes.get(plan);
  if (known === undefined) {
    known = expressionsOf(plan).some(holdsSubquery);
    subplanNodes.set(plan, known);
  }
  return known;
}

/** Whether an expression mentions one of the columns. */
export function mentions(expr: Expr, ids: ReadonlySet<number>): boolean {
  for (const id of traitsOf(expr).columns) if (ids.has(id)) return true;
  return false;
}

/** Ids of the columns that a plan mentions and none of its own nodes makes: its correlated references. */
export function freeColumns(plan: LogicalPlan): ReadonlySet<number> {
  return planTraitsOf(plan).columns;
}

/** Whether a plan calls a volatile function anywhere. */
export function isVolatilePlan(plan: LogicalPlan): boolean {
  return planTraitsOf(plan).volatile;
}

/** Whether the node itself writes to a table. */
export function isWrite(plan: LogicalPlan): boolean {
  return plan.kind === "Write" || plan.kind === "Merge";
}

const outputIds = new WeakMap<LogicalPlan, ReadonlySet<number>>();

/** Ids of the columns that a plan puts out. */
export function idsOf(plan: LogicalPlan): ReadonlySet<number> {
  let known = outputIds.get(plan);
  if (known === undefined) {
    known = new Set(outputOf(plan).map((column) => column.id));
    outputIds.set(plan, known);
  }
  return known;
}
