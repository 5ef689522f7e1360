/**
 * Drops columns that nothing above reads, so that scans read and ask resources for only what the statement uses.
 *
 * What a node must put out is known from above, so the plan is walked once with the set of wanted columns. The columns of
 * the whole plan, of DISTINCT, of set operations and of shared CTEs are all kept, since each of them counts.
 */
import type { Expr } from "../expr.js";
import { inSubqueries } from "../optimize.js";
import type { LogicalPlan } from "../plan.js";
import { outputOf } from "../plan.js";
import type { WholePlanRule } from "../rule.js";
import { columnsOf, expressionsOf, freeColumns, inputsOf, mapExpressions, mapInputs } from "../visit.js";

export const pruneProjections: WholePlanRule = {
  name: "prune-projections",
  rewriteWhole: (plan) => prune(plan, idsOf(plan)),
};

function prune(plan: LogicalPlan, wanted: ReadonlySet<number>): LogicalPlan {
  const inside = mapExpressions(plan, (expr) => inSubqueries(expr, (inner) => prune(inner, idsOf(inner))));
  switch (inside.kind) {
    case "Scan": {
      const columns = inside.columns.filter((item) => wanted.has(item.column.id));
      return columns.length === inside.columns.length ? inside : { ...inside, columns };
    }
    case "Project": {
      const items = inside.items.filter((item) => wanted.has(item.column.id));
      const kept = items.length === inside.items.length ? inside.items : items;
      return {
        ...inside,
        items: kept,
        input: prune(
          inside.input,
          withExpressions(
            new Set(),
            kept.map((item) => item.expr),
          ),
        ),
      };
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

function idsOf(plan: LogicalPlan): Set<number> {
  return new Set(outputOf(plan).map((column) => column.id));
}

function withExpressions(into: Set<number>, expressions: readonly Expr[]): Set<number> {
  for (const expr of expressions) columnsOf(expr, into);
  return into;
}
