/**
 * Takes out sorts whose order nobody sees: in EXISTS and IN, on the right of a semi or anti join, below an aggregate of one
 * row that gives the same in any order.
 */

import type { Expr } from "../expr.js";
import type { Aggregate, LogicalPlan } from "../plan.js";
import type { WholePlanRule } from "../rule.js";
import {
  expressionsOf,
  hasSubplans,
  holdsSubquery,
  isVolatile,
  mapBranches,
  mapExpressions,
  mapInputs,
  mapOperands,
} from "../visit.js";

export const removeSorts: WholePlanRule = {
  name: "remove-sorts",
  rewriteWhole: (plan) => remove(plan, false),
};

/** @param anyOrder whether whatever reads the plan takes its rows in any order */
function remove(plan: LogicalPlan, anyOrder: boolean): LogicalPlan {
  if (plan.kind === "Sort" && anyOrder && !expressionsOf(plan).some(isVolatile)) return remove(plan.input, true);
  const node = hasSubplans(plan) ? mapExpressions(plan, removeInside) : plan;
  switch (node.kind) {
    case "Filter":
    case "Project":
    case "ProjectSet": {
      const below = anyOrder && !expressionsOf(node).some(isVolatile);
      return mapInputs(node, (input) => remove(input, below));
    }
    case "Join": {
      const { type } = node;
      const left = remove(node.left, anyOrder);
      const right = remove(node.right, anyOrder || type === "semi" || type === "anti");
      return left === node.left && right === node.right ? node : { ...node, left, right };
    }
    case "Aggregate":
      return mapInputs(node, (input) => remove(input, (anyOrder || node.keys.length === 0) && isOrderFree(node)));
    case "SetOperation":
      return mapBranches(node, (input) => remove(input, anyOrder && node.operator === "union" && node.all));
    case "With":
      return mapInputs(node, (input) => remove(input, anyOrder && input === node.input));
    default:
      return mapInputs(node, (input) => remove(input, false));
  }
}

function removeInside(expr: Expr): Expr {
  if (!holdsSubquery(expr)) return expr;
  const inside = mapOperands(expr, removeInside);
  if (inside.kind !== "Subquery") return inside;
  const { subqueryKind } = inside;
  const plan = remove(inside.plan, subqueryKind === "exists" || subqueryKind === "any" || subqueryKind === "all");
  return plan === inside.plan ? inside : { ...inside, plan };
}

/** Types whose equal values are the same value, so that it does not matter which of them comes first. */
const plainTypes = new Set([
  "int2",
  "int4",
  "int8",
  "bool",
  "text",
  "varchar",
  "date",
  "timestamp",
  "timestamptz",
  "uuid",
]);
const orderFree = new Set(["count", "bool_and", "bool_or", "every"]);
const orderFreeOfPlain = new Set(["min", "max", "sum", "avg"]);

function isOrderFree(plan: Aggregate): boolean {
  return (
    plan.keys.every((key) => plainTypes.has(key.expr.type.name)) &&
    plan.aggregates.every(({ call }) => {
      const { name } = call.function;
      return (
        orderFree.has(name) || (orderFreeOfPlain.has(name) && call.argTypes.every((type) => plainTypes.has(type.name)))
      );
    })
  );
}
