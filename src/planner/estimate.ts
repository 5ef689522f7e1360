/**
 * Rough numbers of rows: what stored tables hold, what earlier calls of a resource gave, and a guess of what conditions
 * leave. Good for choosing between plans and for EXPLAIN; no answer depends on them.
 */
import type { ResourceTableInfo } from "../catalog/table.js";
import { callCount } from "./call-count.js";
import type { LogicalPlan, Scan } from "./plan.js";
import { conjunctsOf } from "./visit.js";

/** A number of rows that a plan may put out; `undefined` where nothing is known. */
export function estimateRows(plan: LogicalPlan): number | undefined {
  switch (plan.kind) {
    case "Scan":
      return scanRows(plan);
    case "Filter":
      return filteredRows(estimateRows(plan.input), plan.condition);
    case "Values":
      return plan.rows.length;
    case "Empty":
      return 0;
    case "Materialized":
      return plan.rows.length;
    case "Project":
    case "Sort":
    case "Window":
    case "With":
      return estimateRows(plan.input);
    case "Limit": {
      const rows = estimateRows(plan.input);
      const fetch = plan.fetch?.kind === "Constant" ? Number(plan.fetch.value) : Number.NaN;
      return Number.isNaN(fetch) ? rows : Math.min(rows ?? fetch, fetch);
    }
    case "Distinct":
    case "Aggregate": {
      if (plan.kind === "Aggregate" && plan.keys.length === 0) return 1;
      const rows = estimateRows(plan.input);
      return rows === undefined ? undefined : rows / 3;
    }
    case "Join":
      return plan.type === "semi" || plan.type === "anti" || plan.type === "left" ? estimateRows(plan.left) : undefined;
    default:
      return undefined;
  }
}

function filteredRows(rows: number | undefined, condition: Parameters<typeof conjunctsOf>[0]): number | undefined {
  if (rows === undefined) return undefined;
  return conjunctsOf(condition).reduce(
    (left, part) => left * (part.kind === "Call" && part.operator === "=" ? 0.1 : 0.4),
    rows,
  );
}

function scanRows(scan: Scan): number | undefined {
  if (scan.table.kind === "stored") return scan.table.rowCount;
  if (scan.table.kind !== "resource") return undefined;
  if (scan.pushed?.never === true) return 0;
  const rows = resourceRows(scan as Scan & { readonly table: ResourceTableInfo });
  return rows !== undefined && scan.fetch !== undefined ? Math.min(rows, scan.fetch) : rows;
}

/** With arguments: the rows of a call, as often as it is made; without: those of a whole read, where there was one. */
function resourceRows(scan: Scan & { readonly table: ResourceTableInfo }): number | undefined {
  const estimate = scan.table.estimate?.();
  if (estimate === undefined) return undefined;
  const { pushed } = scan;
  const isWhole = pushed === undefined || (pushed.arguments.length === 0 && pushed.quals.length === 0);
  if (isWhole) return estimate.whole?.rows ?? estimate.rowsPerCall;
  const { calls, about } = callCount(scan, estimateRows);
  const times = calls ?? about;
  return times === undefined ? undefined : times * estimate.rowsPerCall;
}
