/**
 * Whether an expression gives a value for every row. A subquery that is turned into a join is worked out for all rows of
 * its tables, also those that no outer row asks for: an error in one of these must not come up.
 */
import type { AggregateCall, Expr } from "../expr.js";
import type { LogicalPlan } from "../plan.js";
import { expressionsOf, mapOperands, somePlan } from "../visit.js";

const comparisons = new Set(["=", "<>", "<", "<=", ">", ">="]);
const safeOperators: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["numeric", new Set(["+", "-", "*"])],
  ["text", new Set(["||"])],
]);
const safeFunctions = new Set(["lower", "upper", "length", "char_length", "btrim", "ltrim", "rtrim", "concat"]);
const safeAggregates = new Set([
  "count",
  "min",
  "max",
  "sum",
  "avg",
  "bool_and",
  "bool_or",
  "every",
  "array_agg",
  "string_agg",
  "json_agg",
  "jsonb_agg",
]);

export function cannotFail(expr: Expr): boolean {
  switch (expr.kind) {
    case "Subquery":
    case "Subscript":
    case "Field":
    case "RowCompare":
    case "ArrayComparison":
      return false;
    case "Call":
      if (!isSafeCall(expr)) return false;
      break;
    case "Cast":
      if (expr.context !== "implicit" && expr.type.name !== "text") return false;
      break;
  }
  let safe = true;
  mapOperands(expr, (operand) => {
    safe &&= cannotFail(operand);
    return operand;
  });
  return safe;
}

function isSafeCall({ operator, name, type, volatility }: Expr & { kind: "Call" }): boolean {
  if (volatility === "volatile") return false;
  if (operator === undefined) return safeFunctions.has(name);
  return comparisons.has(operator) || safeOperators.get(type.name)?.has(operator) === true;
}

export function cannotAggregateFail(call: AggregateCall): boolean {
  const { name } = call.function;
  if (!safeAggregates.has(name) || call.directArgs !== undefined) return false;
  if (name === "array_agg" && call.argTypes[0].kind === "array") return false;
  const parts = [
    ...call.args,
    ...call.orderBy.map((key) => key.expr),
    ...(call.filter === undefined ? [] : [call.filter]),
  ];
  return parts.every(cannotFail);
}

/** Whether all rows of a plan can be worked out without an error. */
export function cannotPlanFail(plan: LogicalPlan): boolean {
  return !somePlan(plan, (node) => {
    switch (node.kind) {
      case "Limit":
      case "Window":
      case "ProjectSet":
      case "FunctionScan":
      case "Write":
      case "Merge":
        return true;
      case "Aggregate":
        return !(
          node.keys.every((key) => cannotFail(key.expr)) &&
          node.aggregates.every(({ call }) => cannotAggregateFail(call))
        );
      default:
        return !expressionsOf(node).every(cannotFail);
    }
  });
}
