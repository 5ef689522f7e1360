/** Sorts all rows of its input, stably: row ids and keys are kept, then put out in order. */
import type { SortKey } from "../../planner/expr.js";
import { batchSize, type Layout, pause } from "../batch.js";
import type { Builder } from "../builder.js";
import type { Execution } from "../execution.js";
import { type Operator, type Step, settle } from "../operator.js";
import { RowStore, type StoreShape, storeShape } from "../row-store.js";
import { type CompiledSortKey, compileSortKeys, KeyColumns } from "../sort-keys.js";

export class SortOperator implements Operator {
  readonly layout: Layout;
  private readonly keys: readonly CompiledSortKey[];
  private readonly shape: StoreShape;
  private readonly pausable: boolean;
  private readonly batchCell: number;

  /** `kept`: the part of the input's layout that is needed above; keys are read from the input itself. */
  constructor(
    private readonly input: Operator,
    keys: readonly SortKey[],
    kept: Layout,
    builder: Builder,
  ) {
    const before = builder.subplans;
    this.keys = compileSortKeys(keys, { builder, layout: input.layout });
    this.pausable = builder.subplans !== before;
    this.shape = storeShape(builder, kept);
    this.layout = this.shape.output;
    this.batchCell = builder.cell();
  }

  *open(execution: Execution): Generator<Step, void, void> {
    const store = new RowStore(execution, this.shape);
    const keys = new KeyColumns(this.keys);
    for (const step of this.input.open(execution)) {
      if (step === pause) {
        yield step;
        continue;
      }
      const vectors = this.pausable
        ? yield* settle(execution, () => keys.evaluate(execution, step))
        : keys.evaluate(execution, step);
      keys.append(vectors, step.sel, step.count);
      store.append(step, step.sel, step.count);
      execution.budget.retain(0, 8 * step.count * this.keys.length);
    }
    const count = store.count;
    const order = yield* keys.order(execution, count);
    const batch = execution.batch(this.batchCell);
    execution.budget.release(0, 8 * count * this.keys.length);
    for (let start = 0; start < count; start += batchSize) {
      if (start > 0 && execution.budget.due()) yield pause;
      const n = Math.min(batchSize, count - start);
      store.gather(batch, order, start, n);
      batch.reset(n);
      yield batch;
    }
  }
}
