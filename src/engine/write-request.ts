/**
 * The seam between the engine and whoever keeps stored rows: the engine evaluates a write's input completely, then hands
 * over what to do; the keeper applies it and says which rows were written, for RETURNING and the command tag.
 */
import type { Value } from "../types/value.js";

/** What a Write or Merge node wants done. Rows of a table are addressed by their row id in the scan's relation. */
export type WriteRequest =
  | {
      readonly op: "insert";
      /** Complete rows in the order of `table.columns`: targets, then defaults, NULL elsewhere. */
      readonly rows: readonly (readonly Value[])[];
      readonly conflict?: ConflictHandler;
    }
  | { readonly op: "update"; readonly changes: readonly RowChange[] }
  | { readonly op: "delete"; readonly rowIds: readonly number[] }
  | { readonly op: "merge"; readonly steps: readonly MergeStep[] };

/** New values for some columns (indexes into `table.columns`) of one row. */
export interface RowChange {
  readonly rowId: number;
  readonly targets: readonly number[];
  readonly values: readonly Value[];
}

/** ON CONFLICT. `update` evaluates the action for one conflicting row; `undefined` when its WHERE leaves the row alone. */
export interface ConflictHandler {
  readonly action: "nothing" | "update";
  /** Column indexes of the arbiter. Without keys and indexes it is any unique key. */
  readonly keys?: readonly number[];
  /** Names of arbiters that are over expressions or over a part of the rows. */
  readonly indexes?: readonly string[];
  readonly targets: readonly number[];
  update(existing: readonly Value[], proposed: readonly Value[]): readonly Value[] | undefined;
}

/** One row of a MERGE's outcome, in input order; an insert's row is complete. */
export type MergeStep =
  | {
      readonly action: "insert";
      readonly row: readonly Value[];
      /** Indexes of the columns that the action gives values to. */
      readonly targets: readonly number[];
    }
  | ({ readonly action: "update" } & RowChange)
  | { readonly action: "delete"; readonly rowId: number };

export interface WriteOutcome {
  /** Rows written: the command tag's count. */
  readonly affected: number;
  /** The written rows (for delete: the removed ones) in the order of `table.columns`; needed when there is RETURNING. */
  readonly rows: readonly (readonly Value[])[];
  /**
   * update, delete: for each of `rows`, its index in the request, when some were skipped; absent means all in order.
   * RETURNING may mention columns of other relations of the statement, which are found through it.
   */
  readonly origins?: readonly number[];
}
