/** Rows that stand in the plan itself: VALUES, rows at hand, and no rows. */

import type { Column } from "../../planner/expr.js";
import type { Values } from "../../planner/plan.js";
import type { Value } from "../../types/value.js";
import { type Batch, batchSize, emptyLayout, identity, type Layout, pause, type Slot } from "../batch.js";
import { type Builder, layoutOf } from "../builder.js";
import { compile } from "../compile/expression.js";
import type { Kernel } from "../compile/kernel.js";
import type { Execution } from "../execution.js";
import { type Operator, type Step, settle } from "../operator.js";
import { storeLoader } from "../readers.js";
import { ownIds } from "../row-store.js";

/** Batches over columns that are kept under a source: ids count through the rows. */
export function* columnBatches(
  execution: Execution,
  batch: Batch,
  source: number,
  count: number,
): Generator<Step, void, void> {
  for (let start = 0; start < count; start += batchSize) {
    if (start > 0 && execution.budget.due()) yield pause;
    const n = Math.min(batchSize, count - start);
    if (start === 0) batch.ids[source] = identity;
    else {
      if (batch.ids[source] === identity) batch.ids[source] = execution.takeIds();
      const ids = ownIds(execution, batch, source);
      for (let k = 0; k < n; k++) ids[k] = start + k;
    }
    batch.reset(n);
    yield batch;
  }
}

/** A layout in which each of these columns is a column of one source. */
export function storedLayout(builder: Builder, columns: readonly Column[], source: number): Layout {
  const slots = new Map<number, Slot>();
  columns.forEach((column, item) => {
    slots.set(column.id, builder.sourceSlot(column, source, item, storeLoader));
  });
  return layoutOf(slots, [source]);
}

export class ValuesOperator implements Operator {
  readonly layout: Layout;
  private readonly source: number;
  private readonly batchCell: number;
  private readonly rowCell: number;
  private readonly rows: readonly (readonly Kernel[])[];

  constructor(
    private readonly plan: Values,
    builder: Builder,
  ) {
    this.source = builder.source();
    this.batchCell = builder.cell();
    this.rowCell = builder.cell();
    this.layout = storedLayout(builder, plan.columns, this.source);
    const scope = { builder, layout: emptyLayout };
    this.rows = plan.rows.map((row) => row.map((expr) => compile(expr, scope)));
  }

  *open(execution: Execution): Generator<Step, void, void> {
    const columns: Value[][] = this.plan.columns.map(() => []);
    const one = execution.batch(this.rowCell);
    one.reset(1);
    for (const row of this.rows) {
      for (let c = 0; c < row.length; c++) {
        const kernel = row[c];
        if (kernel.constant !== undefined) columns[c].push(kernel.constant.value);
        else columns[c].push(yield* settle(execution, () => kernel.evaluate(execution, one, identity, 1)[0]));
      }
      one.serial++;
      if (execution.budget.step()) yield pause;
    }
    execution.stores[this.source] = columns;
    yield* columnBatches(execution, execution.batch(this.batchCell), this.source, this.rows.length);
  }
}

/** Rows of values in memory form. */
export class MaterializedOperator implements Operator {
  readonly layout: Layout;
  private readonly source: number;
  private readonly columns: Value[][];
  private readonly count: number;
  private readonly batchCell: number;

  constructor(columns: readonly Column[], rows: readonly (readonly Value[])[], builder: Builder) {
    this.source = builder.source();
    this.batchCell = builder.cell();
    this.layout = storedLayout(builder, columns, this.source);
    this.columns = columns.map((_, c) => rows.map((row) => row[c]));
    this.count = rows.length;
  }

  *open(execution: Execution): Generator<Step, void, void> {
    execution.stores[this.source] = this.columns;
    yield* columnBatches(execution, execution.batch(this.batchCell), this.source, this.count);
  }
}
