/**
 * Drops columns that nothing above reads, so that scans read and ask resources for only what the statement uses.
 *
 * What a node must put out is known from above, so the plan is walked once with the set of wanted columns. The columns of
 * the whole plan, of DISTINCT, of set operations that compare rows and of shared CTEs are all kept, since each of them counts.
 */
import type { Expr } from "../expr.js";
import type { LogicalPlan, ProjectItem, SetOperation, Values } from "../plan.js";
import { outputOf } from "../plan.js";
import type { WholePlanRule } from "../rule.js";
import {
  columnRef,
  columnsOf,
  expressionsOf,
  freeColumns,
  hasSubplans,
  holdsSubquery,
  idsOf,
  inputsOf,
  isVolatile,
  mapBranches,
  mapExpressions,
  mapInputs,
  mapOperands,
} from "../visit.js";

export const pruneProjections: WholePlanRule = {
  name: "prune-projections",
  rewriteWhole: (plan) => prune(plan, idsOf(plan)),
};

function prune(plan: LogicalPlan, wanted: ReadonlySet<number>): LogicalPlan {
  const inside = hasSubplans(plan) ? mapExpressions(plan, pruneInside) : plan;
  switch (inside.kind) {
    case "Scan": {
      const columns = inside.columns.filter((item) => wanted.has(item.column.id));
      return columns.length === inside.columns.length ? inside : { ...inside, columns };
    }
    case "Values":
      return pruneRow(inside, wanted);
    case "Project": {
      const items = inside.items.filter((item) => wanted.has(item.column.id));
      const kept = items.length === inside.items.length ? inside.items : items;
      const needed = withExpressions(
        new Set(),
        kept.map((item) => item.expr),
      );
      const input = prune(inside.input, needed);
      return kept === inside.items && input === inside.input ? inside : { ...inside, items: kept, input };
    }
    case "Aggregate": {
      const aggregates = inside.aggregates.filter((item) => wanted.has(item.column.id));
      const node = aggregates.length === inside.aggregates.length ? inside : { ...inside, aggregates };
      return mapInputs(node, (input) => prune(input, withExpressions(new Set(), expressionsOf(node))));
    }
    case "Window": {
      const calls = inside.calls.filter((item) => wanted.has(item.column.id));
      if (calls.length === 0) return prune(inside.input, wanted);
      const node = calls.length === inside.calls.length ? inside : { ...inside, calls };
      return mapInputs(node, (input) => prune(input, withExpressions(new Set(wanted), expressionsOf(node))));
    }
    case "Join": {
      const needed = withExpressions(new Set(wanted), expressionsOf(inside));
      if (inside.lateral === true) for (const id of freeColumns(inside.right)) needed.add(id);
      return mapInputs(inside, (input) => prune(input, needed));
    }
    case "Filter":
    case "Sort":
    case "Limit":
    case "ProjectSet": {
      const needed = withExpressions(new Set(wanted), expressionsOf(inside));
      return mapInputs(inside, (input) => prune(input, needed));
    }
    case "SetOperation":
      return inside.operator === "union" && inside.all
        ? pruneUnion(inside, wanted)
        : mapBranches(inside, (input) => prune(input, idsOf(input)));
    case "With": {
      // A CTE is matched by position, so all its columns stay.
      const ctes = new Set(inputsOf(inside).slice(0, -1));
      return mapInputs(inside, (input) => prune(input, ctes.has(input) ? idsOf(input) : wanted));
    }
    default:
      // Every column of the input counts: DISTINCT, set operations, writes.
      return mapInputs(inside, (input) => prune(input, idsOf(input)));
  }
}

/** One row of VALUES is a select list: what nobody reads of it is never worked out. Several rows are worked out whole. */
function pruneRow(plan: Values, wanted: ReadonlySet<number>): LogicalPlan {
  const { columns, rows } = plan;
  if (rows.length !== 1 || rows[0].some(isVolatile)) return plan;
  const kept = columns.flatMap((column, i) => (wanted.has(column.id) ? [i] : []));
  if (kept.length === columns.length) return plan;
  return { ...plan, columns: kept.map((i) => columns[i]), rows: [kept.map((i) => rows[0][i])] };
}

/** Of a subquery all columns count, except that EXISTS reads none. */
function pruneInside(expr: Expr): Expr {
  if (!holdsSubquery(expr)) return expr;
  const inside = mapOperands(expr, pruneInside);
  if (inside.kind !== "Subquery") return inside;
  const plan = prune(inside.plan, inside.subqueryKind === "exists" ? new Set() : idsOf(inside.plan));
  return plan === inside.plan ? inside : { ...inside, plan };
}

/** The queries of UNION ALL, each with the columns that are wanted of the whole. */
function pruneUnion(plan: SetOperation, wanted: ReadonlySet<number>): LogicalPlan {
  const kept = plan.columns.flatMap((column, i) => (wanted.has(column.id) ? [i] : []));
  if (kept.length === plan.columns.length) return mapBranches(plan, (input) => prune(input, idsOf(input)));
  const chain: SetOperation[] = [];
  let node: LogicalPlan = plan;
  while (node.kind === "SetOperation" && node.operator === "union" && node.all) {
    chain.push(node);
    node = node.left;
  }
  let left = pick(node, kept);
  for (let next = chain.pop(); next !== undefined; next = chain.pop()) {
    const { columns } = next;
    left = { ...next, left, right: pick(next.right, kept), columns: kept.map((i) => columns[i]) };
  }
  return left;
}

function pick(plan: LogicalPlan, positions: readonly number[]): LogicalPlan {
  const output = outputOf(plan);
  const items = positions.map((i): ProjectItem => ({ column: output[i], expr: columnRef(output[i]) }));
  return prune({ kind: "Project", input: plan, items }, new Set(items.map((item) => item.column.id)));
}

function withExpressions(into: Set<number>, expressions: readonly Expr[]): Set<number> {
  for (const expr of expressions) columnsOf(expr, into);
  return into;
}
