/**
 * Rows that an operator keeps: sort buffers, build sides of joins, CTEs. What is kept is row ids, a few bytes a row; only
 * vectors that were computed are copied, and become columns of a source of their own. What is kept lives as long as the execution,
 * or until the operator is opened again: operators above hold row ids into it and read late.
 */
import { type Batch, batchSize, type Layout, type Slot } from "./batch.js";
import { type Builder, layoutOf } from "./builder.js";
import type { Execution } from "./execution.js";
import { storeLoader } from "./readers.js";
import { roomFor } from "./room.js";
import { ValueColumn } from "./value-column.js";

/** How batches of a layout are kept, and where their columns are found afterwards. */
export interface StoreShape {
  readonly input: Layout;
  readonly output: Layout;
  /** The source of what was computed; its row ids are the rows' numbers in the store. */
  readonly source: number;
}

export function storeShape(builder: Builder, input: Layout): StoreShape {
  const source = builder.source();
  const stored = new Map<Slot, Slot>();
  input.computed.forEach((slot, item) => {
    stored.set(slot, builder.sourceSlot(slot, source, item, storeLoader));
  });
  const slots = new Map<number, Slot>();
  for (const [id, slot] of input.slots) slots.set(id, stored.get(slot) ?? slot);
  return { input, output: layoutOf(slots, [...input.sources, source]), source };
}

/** A longer copy of an integer vector. */
export function grown(ids: Int32Array, length: number): Int32Array {
  if (ids.length >= length) return ids;
  const longer = new Int32Array(Math.max(length, roomFor(ids.length), 64));
  longer.set(ids);
  return longer;
}

export class RowStore {
  count = 0;
  /** By source, for those of the input layout. */
  readonly ids: Int32Array[] = [];
  readonly columns: ValueColumn[];

  constructor(
    private readonly execution: Execution,
    readonly shape: StoreShape,
  ) {
    for (const source of shape.input.sources) this.ids[source] = new Int32Array(0);
    this.columns = shape.input.computed.map(() => new ValueColumn());
    execution.renew(shape.source);
    execution.stores[shape.source] = this.columns;
  }

  /** Takes in the given positions of a batch. @throws SqlError 53400, 54000 over the limits */
  append(batch: Batch, sel: Int32Array, n: number): void {
    const { count, columns } = this;
    const { sources, computed } = this.shape.input;
    let bytes = n * (4 * sources.length + 16 * computed.length);
    for (const source of sources) {
      const to = grown(this.ids[source], count + n);
      this.ids[source] = to;
      const from = batch.ids[source];
      for (let k = 0; k < n; k++) to[count + k] = from[sel[k]];
    }
    for (let c = 0; c < computed.length; c++) {
      const column = columns[c];
      const vector = batch.vectors[computed[c].index];
      for (let k = 0; k < n; k++) {
        const value = vector[sel[k]];
        if (typeof value === "string") bytes += value.length;
      }
      column.append(vector, sel, n);
    }
    this.count = count + n;
    this.charge(n, bytes);
  }

  /** Counts rows (or keys) and bytes that are kept with this store. */
  charge(rows: number, bytes: number): void {
    this.execution.hold(this.shape.source, rows, bytes);
  }

  /** Puts one row of a batch into place `row`, for buffers that reuse their places. */
  put(batch: Batch, position: number, row: number): void {
    for (const source of this.shape.input.sources) {
      const to = grown(this.ids[source], row + 1);
      this.ids[source] = to;
      to[row] = batch.ids[source][position];
    }
    const { computed } = this.shape.input;
    for (let c = 0; c < computed.length; c++) this.columns[c].set(row, batch.vectors[computed[c].index][position]);
    if (row >= this.count) this.count = row + 1;
  }

  /** Fills a batch with the given rows of the store; -1 stands for a row of NULLs. */
  gather(batch: Batch, rows: Int32Array, from: number, n: number): void {
    for (const source of this.shape.input.sources) {
      const ids = this.ids[source];
      const to = ownIds(this.execution, batch, source);
      for (let k = 0; k < n; k++) {
        const row = rows[from + k];
        to[k] = row < 0 ? -1 : ids[row];
      }
    }
    const own = ownIds(this.execution, batch, this.shape.source);
    for (let k = 0; k < n; k++) own[k] = rows[from + k];
  }
}

/** The row ids that this batch may write for a source. */
export function ownIds(execution: Execution, batch: Batch, source: number): Int32Array {
  let ids = batch.ids[source];
  if (ids === undefined) {
    ids = execution.takeIds();
    batch.ids[source] = ids;
  }
  return ids;
}

/** Batches of all rows of a store in order. */
export function* storeBatches(execution: Execution, batch: Batch, store: RowStore): Generator<Batch, void, void> {
  const rows = new Int32Array(batchSize);
  for (let start = 0; start < store.count; start += batchSize) {
    const n = Math.min(batchSize, store.count - start);
    for (let k = 0; k < n; k++) rows[k] = start + k;
    store.gather(batch, rows, 0, n);
    execution.stores[store.shape.source] = store.columns;
    batch.reset(n);
    yield batch;
  }
}
