/**
 * ORDER BY … LIMIT n for small n: keeps the best n rows in order and looks at others only as long as it takes to see
 * that they come after the last of them. Ties keep the order of the input, as the full sort does.
 */
import type { SortKey } from "../../planner/expr.js";
import type { Limit } from "../../planner/plan.js";
import type { Value } from "../../types/value.js";
import { type Batch, batchSize, type Layout, pause, type Vector } from "../batch.js";
import type { Builder } from "../builder.js";
import type { Execution } from "../execution.js";
import { type Operator, type Step, settle } from "../operator.js";
import { RowStore, type StoreShape, storeShape } from "../row-store.js";
import { type CompiledSortKey, compileSortKeys, KeyColumns } from "../sort-keys.js";
import { RowCounts } from "./limit.js";

/** Above this many rows a full sort is as good. */
const mostRows = 1000;

export class TopNOperator implements Operator {
  readonly layout: Layout;
  private readonly counts: RowCounts;
  private readonly keys: readonly CompiledSortKey[];
  private readonly shape: StoreShape;
  private readonly pausable: boolean;
  private readonly batchCell: number;
  private readonly selCell: number;

  constructor(
    private readonly input: Operator,
    keys: readonly SortKey[],
    limit: Limit,
    kept: Layout,
    builder: Builder,
  ) {
    const before = builder.subplans;
    this.keys = compileSortKeys(keys, { builder, layout: input.layout });
    this.pausable = builder.subplans !== before;
    this.counts = new RowCounts(limit.fetch, limit.skip, builder);
    this.shape = storeShape(builder, kept);
    this.layout = this.shape.output;
    this.batchCell = builder.cell();
    this.selCell = builder.cell();
  }

  *open(execution: Execution): Generator<Step, void, void> {
    const { fetch, skip } = yield* this.counts.evaluate(execution);
    if (fetch === 0) return;
    const limit = fetch + skip;
    const store = new RowStore(execution, this.shape);
    const keys = new KeyColumns(this.keys);
    const best = limit <= mostRows ? new BestRows(limit, keys, store) : undefined;
    for (const step of this.input.open(execution)) {
      if (step === pause) {
        yield step;
        continue;
      }
      const vectors = this.pausable
        ? yield* settle(execution, () => keys.evaluate(execution, step))
        : keys.evaluate(execution, step);
      if (best !== undefined) best.take(execution, this.selCell, step, vectors);
      else {
        keys.append(vectors, step.sel, step.count);
        store.append(step, step.sel, step.count);
      }
    }
    const order = best?.order ?? (yield* keys.order(execution, store.count));
    const end = Math.min(best?.count ?? store.count, limit);
    const batch = execution.batch(this.batchCell);
    for (let start = skip; start < end; start += batchSize) {
      const n = Math.min(batchSize, end - start);
      store.gather(batch, order, start, n);
      batch.reset(n);
      yield batch;
    }
  }
}

/** The best rows so far. Rows live in places that are reused; `order` lists the places in order. */
class BestRows {
  count = 0;
  readonly order: Int32Array;
  private free: number;

  constructor(
    private readonly limit: number,
    private readonly keys: KeyColumns,
    private readonly store: RowStore,
  ) {
    this.order = new Int32Array(limit);
    this.free = limit; // one place more than rows, for the candidate
  }

  take(execution: Execution, selCell: number, batch: Batch, vectors: readonly Vector[]): void {
    let { sel, count } = batch;
    if (this.count === this.limit && count > 0) {
      const kept = execution.ids(selCell);
      count = this.screen(vectors[0], sel, count, kept);
      sel = kept;
    }
    for (let k = 0; k < count; k++) this.insert(batch, sel[k], vectors);
  }

  /** Leaves out what comes after the last row by the first key alone. */
  private screen(vector: Vector, sel: Int32Array, count: number, out: Int32Array): number {
    const first = this.keys.columns[0];
    const { descending, compare, nullsFirst } = first.key;
    const worst: Value = first.numbers === undefined ? this.worst : first.numbers[this.order[this.count - 1]];
    let m = 0;
    if (worst === null || Number.isNaN(worst) || worst === undefined) {
      for (let k = 0; k < count; k++) out[k] = sel[k];
      return count;
    }
    if (first.numbers !== undefined) {
      const bound = worst as number;
      for (let k = 0; k < count; k++) {
        const i = sel[k];
        const value = vector[i] as number | null;
        if (value === null ? nullsFirst : descending ? !(value < bound) : !(value > bound)) out[m++] = i;
      }
      return m;
    }
    for (let k = 0; k < count; k++) {
      const i = sel[k];
      const value = vector[i];
      const keep = value === null ? nullsFirst : descending ? compare(value, worst) >= 0 : compare(value, worst) <= 0;
      if (keep) out[m++] = i;
    }
    return m;
  }
  private worst: Value;

  private insert(batch: Batch, position: number, vectors: readonly Vector[]): void {
    const { order, limit, keys } = this;
    const place = this.count < limit ? this.count : this.free;
    keys.columns.forEach((column, c) => {
      column.set(place, vectors[c][position]);
    });
    if (this.count === limit && keys.compareRows(place, order[limit - 1]) >= 0) return;
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (keys.compareRows(place, order[middle]) < 0) high = middle;
      else low = middle + 1;
    }
    if (this.count === limit) this.free = order[limit - 1];
    else this.count++;
    order.copyWithin(low + 1, low, this.count - 1);
    order[low] = place;
    this.store.put(batch, position, place);
    this.worst = keys.columns[0].valueAt(order[this.count - 1]);
  }
}
