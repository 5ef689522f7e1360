/** Reads a relation: puts out row ids only; columns are read when an expression asks for them. */
import type { Scan } from "../../planner/plan.js";
import { types } from "../../types/type.js";
import { identity, type Layout, pause, type Slot } from "../batch.js";
import { type Builder, layoutOf } from "../builder.js";
import type { Execution } from "../execution.js";
import type { Operator, Step } from "../operator.js";
import { loopCopies, scanLoader } from "../readers.js";
import { ownIds } from "../row-store.js";
import { loadRowIds, rowIdColumn } from "./row-id.js";

export class ScanOperator implements Operator {
  readonly layout: Layout;
  readonly source: number;
  private readonly batchCell: number;

  constructor(
    readonly scan: Scan,
    needed: ReadonlySet<number>,
    builder: Builder,
  ) {
    this.source = builder.source();
    this.batchCell = builder.cell();
    const salt = hashName(scan.table.name);
    const slots = new Map<number, Slot>();
    for (const { column, source } of scan.columns) {
      if (!needed.has(column.id)) continue;
      const load = scanLoader(column.type, column.typmod, scan.table.name);
      slots.set(column.id, builder.sourceSlot(column, this.source, source, load, salt));
    }
    const rowId = rowIdColumn(scan.id);
    if (needed.has(rowId))
      slots.set(rowId, builder.sourceSlot({ type: types.int8, typmod: -1 }, this.source, -1, loadRowIds));
    this.layout = layoutOf(slots, [this.source]);
  }

  *open(execution: Execution): Generator<Step, void, void> {
    const { source } = this;
    let relation = execution.relations[source];
    if (relation === undefined) {
      relation = execution.environment.relation(this.scan);
      execution.relations[source] = relation;
    }
    const total = relation.rows.length;
    const { budget } = execution;
    const batch = execution.batch(this.batchCell);
    for (let start = 0; start < total; ) {
      if (start > 0 && budget.due()) yield pause;
      const n = Math.min(budget.batchRows, total - start);
      if (start === 0) batch.ids[source] = identity;
      else {
        if (batch.ids[source] === identity) batch.ids[source] = execution.takeIds();
        const ids = ownIds(execution, batch, source);
        for (let k = 0; k < n; k++) ids[k] = start + k;
      }
      batch.reset(n);
      start += n;
      yield batch;
    }
  }
}

/** Spreads the columns of different tables over the copies of the reading loop. */
function hashName(name: string): number {
  let hash = 0;
  for (let i = 0; i < name.length; i++) hash = (hash * 31 + name.charCodeAt(i)) % (loopCopies * 1021);
  return hash;
}
