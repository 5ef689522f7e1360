/** What one data-modifying node wants, as checked effects that have not been sent yet. */
import type { SessionContext } from "../../functions/function.js";
import type { Merge, Write } from "../../planner/plan.js";
import type { Row } from "../../resources/resource.js";
import type { RegisteredResource } from "../../resources/table-info.js";
import type { Value } from "../../types/value.js";
import type { Effect } from "../effect.js";
import type { RowKeys } from "./row-keys.js";
import type { TouchedRows } from "./touched-rows.js";

/** A row that a node writes, as far as the statement itself says what is in it. */
export interface WrittenRow {
  /** In the order of `table.columns`. */
  readonly values: readonly Value[];
  /** Which effect of the node writes it, and as which of its rows; an answer of the verb says more of the row. */
  readonly effect: number;
  readonly at: number;
  /** Columns (indexes) that the statement leaves to the service: NULL stands for them. */
  readonly unsaid: readonly number[];
}

/** The effects of one node in order, and what RETURNING gives. */
export interface MadeWrite {
  readonly node: Write | Merge;
  readonly table: RegisteredResource;
  readonly effects: readonly Effect[];
  readonly rows: readonly WrittenRow[];
  /** update, delete: for each of `rows`, its index in the request, when some were skipped. */
  readonly origins?: readonly number[];
  /** Positions of the RETURNING list that somebody reads; absent: all. */
  readonly returned?: ReadonlySet<number>;
}

/** What making effects needs to know. */
export interface MakeContext {
  readonly session: SessionContext;
  /** Of the table that is written, over the whole statement. */
  readonly keys: RowKeys;
  /** The same table's rows that the parts of the statement write. */
  readonly touched: TouchedRows;
  /** Rows that a target's scan was given. */
  readonly rowsOf: (scan: number) => readonly Row[];
  /** The scan's rows are the statement's own key values; nothing was read. */
  readonly isDirect: (scan: number) => boolean;
  /** Reads the rows that have these primary keys, in memory form and the order of `table.columns`, one for each read row. */
  readonly existing: (
    table: RegisteredResource,
    keys: readonly (readonly Value[])[],
  ) => Promise<readonly (readonly Value[])[]>;
}
