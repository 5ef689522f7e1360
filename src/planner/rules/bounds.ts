/**
 * What two bounds on one column say together: `id BETWEEN 2 AND 2` is an equality, and of `id BETWEEN 5 AND 3` no value
 * is true. Read from all the conditions that hold for a scan, since the two are conjuncts of their own.
 */
import { operationsOf } from "../../types/families.js";
import type { Constant, Expr } from "../expr.js";
import type { Scan } from "../plan.js";
import { conjunctsOf } from "../visit.js";
import { type Binding, equality } from "./equalities.js";

interface Bound {
  readonly column: Expr;
  readonly id: number;
  readonly lower: boolean;
  readonly inclusive: boolean;
  readonly value: Constant;
}

/** @param conditions all true of every useful row */
export function bindingsOfBounds(conditions: readonly Expr[], scan: Scan): readonly Binding[] {
  const bounds = conditions.flatMap((condition) => conjunctsOf(condition).flatMap((part) => boundIn(part, scan)));
  const uppers = bounds.filter((bound) => !bound.lower);
  return bounds
    .filter((bound) => bound.lower)
    .flatMap((lower) => uppers.flatMap((upper) => (upper.id === lower.id ? between(lower, upper, scan) : [])));
}

function between(lower: Bound, upper: Bound, scan: Scan): readonly Binding[] {
  const { compare } = operationsOf(lower.value.type);
  if (compare === undefined || lower.value.type !== upper.value.type) return [];
  const order = compare(lower.value.value, upper.value.value);
  const isBoth = lower.inclusive && upper.inclusive;
  if (order > 0 || (order === 0 && !isBoth)) return [{ kind: "never" }];
  return order === 0 ? equality(lower.column, lower.value, scan) : [];
}

const flipped: Readonly<Partial<Record<string, string>>> = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" };

/** A comparison of a column of the scan itself, without a cast, with a constant; either side first. */
function boundIn(condition: Expr, scan: Scan): Bound[] {
  if (condition.kind !== "Call" || condition.operator === undefined || condition.args.length !== 2) return [];
  if (!(condition.operator in flipped)) return [];
  const [left, right] = condition.args;
  const isFirst = left.kind === "Column";
  const [column, value] = isFirst ? [left, right] : [right, left];
  const operator = isFirst ? condition.operator : flipped[condition.operator];
  if (column.kind !== "Column" || value.kind !== "Constant" || value.value === null || operator === undefined)
    return [];
  const { id } = column.column;
  if (!scan.columns.some((item) => item.column.id === id)) return [];
  return [{ column, id, lower: operator.startsWith(">"), inclusive: operator.endsWith("="), value }];
}
