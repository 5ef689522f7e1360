/**
 * Chooses the order of inner joins: FROM a, b, c WHERE a.x = c.x AND c.y = b.y joins c before b, since a and b have
 * nothing in common. Among tables that are connected to those joined so far the one with the fewest rows comes next, as
 * far as row counts are known; the written order decides where they say nothing. Outer, semi and lateral joins stay as they are, what
 * is inside them is ordered on its own.
 */
import { estimateRows } from "../estimate.js";
import type { Expr } from "../expr.js";
import type { Join, LogicalPlan, ProjectItem } from "../plan.js";
import { outputOf } from "../plan.js";
import type { WholePlanRule } from "../rule.js";
import {
  columnRef,
  columnsOf,
  conjunctionOf,
  conjunctsOf,
  idsOf,
  isVolatile,
  mapBranches,
  mapSubplans,
} from "../visit.js";
import { dependsOn } from "./pull-up-conditions.js";

export const orderJoins: WholePlanRule = {
  name: "order-joins",
  rewriteWhole: (plan) => order(plan, true),
};

/** @param byPosition whether somebody above counts the plan's columns, so that their order has to stay */
function order(plan: LogicalPlan, byPosition: boolean): LogicalPlan {
  const node = mapSubplans(plan, (inner) => order(inner, true));
  if (isInner(node)) return orderGroup(node, byPosition);
  const below = inputCountsPositions(node, byPosition);
  return mapBranches(node, (input) => order(input, below));
}

function inputCountsPositions(plan: LogicalPlan, byPosition: boolean): boolean {
  switch (plan.kind) {
    case "Project":
    case "Aggregate":
      return false;
    case "Filter":
    case "Sort":
    case "Limit":
    case "Window":
    case "ProjectSet":
    case "Join":
      return byPosition;
    default:
      return true;
  }
}

function isInner(plan: LogicalPlan): plan is Join {
  return plan.kind === "Join" && plan.type === "inner" && plan.lateral !== true;
}

interface Part {
  readonly plan: LogicalPlan;
  readonly rows: number | undefined;
}

interface Condition {
  readonly expr: Expr;
  readonly columns: ReadonlySet<number>;
}

function orderGroup(join: Join, byPosition: boolean): LogicalPlan {
  const parts: Part[] = [];
  const conditions: Condition[] = [];
  const own = idsOf(join);
  const isFree = flatten(join, byPosition, parts, conditions) && !parts.some((part) => dependsOn(part.plan, own)); // laterally
  if (!isFree || parts.length > maxParts) return mapBranches(join, (input) => order(input, byPosition));
  const sequence = chooseSequence(parts, conditions);
  const inOrder = sequence.every((part, i) => part === parts[i]);
  if (inOrder && isLeftDeep(join)) return rebuiltInPlace(join, parts);
  const joined = joinAll(sequence, conditions);
  if (!byPosition) return joined;
  const items = outputOf(join).map((column): ProjectItem => ({ column, expr: columnRef(column) }));
  return { kind: "Project", input: joined, items };
}

/** More tables than this are joined as they are written. */
const maxParts = 64;

/** The relations that inner joins put together, and all their conditions; false when a condition must stay in its place. */
function flatten(plan: LogicalPlan, byPosition: boolean, parts: Part[], conditions: Condition[]): boolean {
  if (!isInner(plan)) {
    parts.push({ plan: order(plan, byPosition), rows: estimateRows(plan) });
    return true;
  }
  for (const expr of conjunctsOf(plan.condition)) {
    if (isVolatile(expr)) return false;
    conditions.push({ expr, columns: columnsOf(expr) });
  }
  return flatten(plan.left, byPosition, parts, conditions) && flatten(plan.right, byPosition, parts, conditions);
}

function isLeftDeep(join: Join): boolean {
  for (let node: LogicalPlan = join; isInner(node); node = node.left) if (isInner(node.right)) return false;
  return true;
}

/** The same joins with their relations as they are now. */
function rebuiltInPlace(join: Join, parts: readonly Part[]): LogicalPlan {
  const right = parts[parts.length - 1].plan;
  const left = isInner(join.left) ? rebuiltInPlace(join.left, parts.slice(0, -1)) : parts[0].plan;
  return left === join.left && right === join.right ? join : { ...join, left, right };
}

function chooseSequence(parts: readonly Part[], conditions: readonly Condition[]): readonly Part[] {
  const links = parts.map((part) => conditions.filter((condition) => touches(condition, part)));
  // A relation that nothing connects comes last: it multiplies whatever is there.
  const first = parts.findIndex((_, i) =>
    links[i].some((condition) => parts.some((other, j) => j !== i && touches(condition, other))),
  );
  if (first < 0) return parts;
  const sequence = [parts[first]];
  const rest = parts.filter((_, i) => i !== first);
  const there = new Set(idsOf(parts[first].plan));
  while (rest.length > 0) {
    const next = pickNext(rest, there, conditions);
    sequence.push(next);
    rest.splice(rest.indexOf(next), 1);
    for (const id of idsOf(next.plan)) there.add(id);
  }
  return sequence;
}

function pickNext(rest: readonly Part[], there: ReadonlySet<number>, conditions: readonly Condition[]): Part {
  const connected = rest.filter((part) => connects(part, there, conditions));
  if (connected.length === 0) {
    // Rather one that has something in common with others than one that has nothing.
    const all = new Set(there);
    for (const part of rest) for (const id of idsOf(part.plan)) all.add(id);
    return rest.find((part) => connects(part, without(all, idsOf(part.plan)), conditions)) ?? rest[0];
  }
  let best = connected[0];
  for (const part of connected)
    if (part.rows !== undefined && best.rows !== undefined && part.rows < best.rows) best = part;
  return best;
}

function without(ids: ReadonlySet<number>, removed: ReadonlySet<number>): ReadonlySet<number> {
  return new Set([...ids].filter((id) => !removed.has(id)));
}

function touches({ columns }: Condition, { plan }: Part): boolean {
  const ids = idsOf(plan);
  for (const id of columns) if (ids.has(id)) return true;
  return false;
}

/** An equality between the relation and what is there already. */
function connects(part: Part, there: ReadonlySet<number>, conditions: readonly Condition[]): boolean {
  const ids = idsOf(part.plan);
  return conditions.some(({ expr, columns }) => {
    if (expr.kind !== "Call" || expr.operator !== "=") return false;
    let own = false;
    let others = false;
    for (const id of columns) {
      if (ids.has(id)) own = true;
      else if (there.has(id)) others = true;
    }
    return own && others;
  });
}

/** Left-deep joins in this order; each condition at the first join that has all its columns. */
function joinAll(sequence: readonly Part[], conditions: readonly Condition[]): LogicalPlan {
  const made = new Set<number>();
  for (const part of sequence) for (const id of idsOf(part.plan)) made.add(id);
  const there = new Set(idsOf(sequence[0].plan));
  let plan = sequence[0].plan;
  let open = conditions;
  for (const part of sequence.slice(1)) {
    for (const id of idsOf(part.plan)) there.add(id);
    const isReady = ({ columns }: Condition) => [...columns].every((id) => there.has(id) || !made.has(id));
    const condition = conjunctionOf(open.filter(isReady).map(({ expr }) => expr));
    open = open.filter((item) => !isReady(item));
    plan = { kind: "Join", type: "inner", left: plan, right: part.plan, ...(condition !== undefined && { condition }) };
  }
  return plan;
}
