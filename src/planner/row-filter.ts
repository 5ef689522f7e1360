/**
 * Conditions that a host lays over a table: every scan of it has one, and no statement wrote it. They stand in the plan as
 * filters above their scans, so that they are pushed down like any other condition; what asks for the conditions of the
 * statement itself leaves them out.
 */
import type { Table } from "../catalog/table.js";
import type { Column, Expr } from "./expr.js";
import type { Filter, LogicalPlan } from "./plan.js";
import { columnRef, substituteColumns } from "./visit.js";

/** A table as statements see it. */
export interface SeenTable {
  /** In place of the table itself: columns that are masked take no arguments and may be NULL. */
  readonly table: Table;
  /** True of every row that a scan gives. */
  readonly rowFilter?: {
    readonly condition: Expr;
    /** The columns of the condition, one for each of the table's. */
    readonly columns: readonly Column[];
  };
}

const rowFilters = new WeakSet<LogicalPlan>();

/** Whether a node of a bound plan is a host's condition; rules make new nodes, which are not known any more. */
export function isRowFilter(plan: LogicalPlan): boolean {
  return rowFilters.has(plan);
}

/** A scan under the condition of its table. @param columns of the scan, one for each of the table's */
export function underRowFilter(
  scan: LogicalPlan,
  columns: readonly Column[],
  rowFilter: NonNullable<SeenTable["rowFilter"]>,
): Filter {
  const own = new Map(rowFilter.columns.map((column, i) => [column.id, columnRef(columns[i])] as const));
  const filter: Filter = { kind: "Filter", input: scan, condition: substituteColumns(rowFilter.condition, own) };
  rowFilters.add(filter);
  return filter;
}
