/**
 * Aggregates that give nothing of a single row away when the group is large enough, and the arguments with which they do
 * not: `sum(CASE WHEN id = 7 THEN salary END)` has a large group and shows one salary.
 */
import type { AggregateCall, Expr } from "../expr.js";
import { operandsOf } from "../visit.js";

const statistics = new Set([
  "count",
  "sum",
  "avg",
  "stddev",
  "stddev_pop",
  "stddev_samp",
  "variance",
  "var_pop",
  "var_samp",
]);

/** Whether the call's value says something of the group only: a statistic of one column, with a constant added or multiplied at most. */
export function isStatistic(call: AggregateCall): boolean {
  if (!statistics.has(call.function.name) || call.directArgs !== undefined) return false;
  return call.args.every(isLinear);
}

/** A column, or a sum or a multiple of one by constants. */
export function isLinear(expr: Expr): boolean {
  switch (expr.kind) {
    case "Column":
    case "Constant":
    case "Parameter":
      return true;
    case "Cast":
      return isLinear(expr.input);
    case "Call":
      if (expr.operator === "+" || expr.operator === "-") {
        return expr.args.every(isLinear) && expr.args.filter(holdsColumn).length <= 1;
      }
      return expr.operator === "*" && expr.args.every(isLinear) && expr.args.filter(holdsColumn).length <= 1;
    default:
      return false;
  }
}

function holdsColumn(expr: Expr): boolean {
  return expr.kind === "Column" || operandsOf(expr).some(holdsColumn);
}
