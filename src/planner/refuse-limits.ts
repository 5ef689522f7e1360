/**
 * Finds a negative LIMIT or OFFSET of the statement itself before anything is called for it. PostgreSQL looks at both
 * before it reads the first row, so that the error does not depend on rows. Those of subqueries are left to the engine:
 * whether they are reached at all may depend on rows.
 */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import type { Value } from "../types/value.js";
import type { ConstantCheck } from "./constant-errors.js";
import type { Expr } from "./expr.js";
import type { Limit, LogicalPlan } from "./plan.js";

/**
 * @returns what is to be done with the parameters' values when the statement starts; `undefined` for nothing
 * @throws SqlError 2201W, 2201X for constants that are negative
 */
export function refuseNegativeLimits(plan: LogicalPlan): ConstantCheck | undefined {
  const limit = ownLimit(plan);
  if (limit === undefined) return undefined;
  check(limit, []);
  const isOpen = [limit.fetch, limit.skip].some((expr) => expr?.kind === "Parameter");
  return isOpen ? ({ parameters }) => check(limit, parameters) : undefined;
}

function ownLimit(plan: LogicalPlan): Limit | undefined {
  if (plan.kind === "Limit") return plan;
  return plan.kind === "With" || plan.kind === "Project" ? ownLimit(plan.input) : undefined;
}

/** OFFSET first, as PostgreSQL does. */
function check({ fetch, skip }: Limit, parameters: readonly Value[]): void {
  if (isNegative(skip, parameters)) throw new SqlError(sqlstate.invalidRowCountInOffset, "OFFSET must not be negative");
  if (isNegative(fetch, parameters)) throw new SqlError(sqlstate.invalidRowCountInLimit, "LIMIT must not be negative");
}

function isNegative(expr: Expr | undefined, parameters: readonly Value[]): boolean {
  const value =
    expr?.kind === "Constant" ? expr.value : expr?.kind === "Parameter" ? parameters[expr.index - 1] : undefined;
  return (typeof value === "number" || typeof value === "bigint") && value < 0;
}
