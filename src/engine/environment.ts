/**
 * What an execution is given from outside: the rows of each scan, the session, limits, and how to write.
 */
import type { SqlError } from "../errors/sql-error.js";
import type { SessionContext } from "../functions/function.js";
import type { Merge, Scan, Write } from "../planner/plan.js";
import type { SqlType } from "../types/type.js";
import type { Value } from "../types/value.js";
import type { EngineLimits } from "./budget.js";
import type { WriteOutcome, WriteRequest } from "./write-request.js";

export interface Environment {
  readonly session: SessionContext;
  /** Values of `$1`, `$2`, … in memory form. */
  readonly parameters: readonly Value[];
  readonly limits: EngineLimits;
  readonly signal?: AbortSignal;
  /** Rows of each scan; called once a scan and execution, at the latest when the scan starts. */
  relation(scan: Scan): Relation;
  /** Executes a data-modifying node; without it such plans fail with 0A000. */
  write?(node: Write | Merge, request: WriteRequest): WriteOutcome | Promise<WriteOutcome>;
  /**
   * Called once, when the plan has run to its end and every data-modifying node has handed over what it wants: carries
   * out what `write` only took note of. Outcomes that became others by it (a service answered with the rows as it keeps
   * them) are given back by node; what reads them is then computed again, the writes themselves are not.
   */
  settle?(): Promise<ReadonlyMap<Write | Merge, WriteOutcome>>;
}

/**
 * Rows of a relation, addressed by the scan's `source` indexes (those of `table.columns`): plain objects as a resource
 * delivered them, whose host values are converted on reading, or tuples of values already in memory form.
 */
export type Relation = ObjectRelation | TupleRelation;

export interface ObjectRelation {
  readonly kind: "objects";
  readonly rows: readonly object[];
  /** In the order of `table.columns`; `name` is the property that holds the value. */
  readonly columns: readonly RelationColumn[];
}

export interface RelationColumn {
  readonly name: string;
  readonly type: SqlType;
  readonly typmod: number;
  /** The error for a value that cannot be one of the column's type. */
  readonly onBadValue?: (row: number, value: unknown) => SqlError;
}

export interface TupleRelation {
  readonly kind: "tuples";
  readonly rows: readonly (readonly Value[])[];
}
