/**
 * UPDATE and DELETE without WHERE, on a table with a row filter: the filter is no condition of the statement, which means all
 * rows that the actor has.
 */
import { directScans } from "../../planner/direct-write.js";
import { optimize } from "../../planner/optimize.js";
import type { BoundQuery } from "../../planner/plan.js";
import { isRowFilter } from "../../planner/row-filter.js";
import { plansWithin } from "../../planner/visit.js";
import type { Policy } from "../types.js";

/**
 * @param bound under the row filters
 * @param unfiltered binds the statement without them
 * @throws SqlError 42501 for a write of all rows that the policy does not allow
 */
export function refuseUnboundedWrites(bound: BoundQuery, unfiltered: () => BoundQuery, policy: Policy): void {
  if (policy.unboundedWrites === true) return;
  const nodes = plansWithin(bound.plan);
  const writes = nodes.some((node) => node.kind === "Merge" || (node.kind === "Write" && node.op !== "insert"));
  if (writes && nodes.some(isRowFilter)) directScans(optimize(unfiltered().plan), policy);
}
