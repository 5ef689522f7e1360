/**
 * Rows that an aggregate must see in order, or without duplicates: ORDER BY and DISTINCT inside the call, WITHIN GROUP.
 * They are kept until the input ends, then stepped group by group.
 */
import type { AggregateCall } from "../planner/expr.js";
import type { Value } from "../types/value.js";
import { batchSize, identity, type Pause, pause, type Vector } from "./batch.js";
import type { Execution } from "./execution.js";
import type { GroupedState } from "./grouped.js";
import { KeyTable, keyFunctionOf } from "./keys.js";
import { grown } from "./row-store.js";
import { type CompiledSortKey, KeyColumns, mergeSort } from "./sort-keys.js";
import { ValueColumn } from "./value-column.js";

export class OrderedRows {
  /** By row kept. */
  private groups: Int32Array = new Int32Array(0);
  private count = 0;
  private readonly args: ValueColumn[];
  private readonly keys: KeyColumns;
  private readonly seen: KeyTable | undefined;
  private bytes = 0;

  /** `sortKeys`: the keys of ORDER BY; for DISTINCT without one, the arguments themselves, as PostgreSQL sorts them. */
  constructor(
    private readonly call: AggregateCall,
    sortKeys: readonly CompiledSortKey[],
    private readonly execution: Execution,
  ) {
    this.args = call.args.map(() => new ValueColumn());
    this.keys = new KeyColumns(sortKeys);
    if (call.distinct) {
      this.seen = new KeyTable([undefined, ...call.args.map((arg) => keyFunctionOf(arg.type))], true, batchSize);
    }
  }

  take(
    vectors: readonly Vector[],
    keyVectors: readonly Vector[],
    sel: Int32Array,
    n: number,
    groups: Int32Array,
  ): void {
    let positions: Int32Array = sel;
    let count = n;
    if (this.seen !== undefined) {
      const groupVector: Vector = [];
      for (let k = 0; k < n; k++) groupVector[sel[k]] = groups[sel[k]];
      const fresh: number[] = [];
      this.seen.encode([groupVector, ...vectors], sel, n, new Int32Array(batchSize), fresh);
      positions = Int32Array.from(fresh);
      count = fresh.length;
    }
    this.groups = grown(this.groups, this.count + count);
    for (let k = 0; k < count; k++) this.groups[this.count + k] = groups[positions[k]];
    this.count += count;
    for (let a = 0; a < vectors.length; a++) this.args[a].append(vectors[a], positions, count);
    this.keys.append(keyVectors, positions, count);
    const bytes = count * 16 * (1 + vectors.length + keyVectors.length);
    this.bytes += bytes;
    this.execution.budget.retain(count, bytes);
  }

  /** Steps all rows into the states. `direct` gives a group's direct arguments, for hypothetical-set aggregates. */
  *finish(
    state: GroupedState,
    groupCount: number,
    direct: (group: number) => readonly Value[],
  ): Generator<Pause, void, void> {
    const { execution, count } = this;
    const groups = this.groups.subarray(0, count);
    // Rows by group first (a counting sort), then each group by its keys.
    const starts = new Int32Array(groupCount + 1);
    for (let row = 0; row < count; row++) {
      starts[groups[row] + 1]++;
      if (execution.budget.step()) yield pause;
    }
    for (let g = 0; g < groupCount; g++) starts[g + 1] += starts[g];
    const places = starts.slice();
    const order = new Int32Array(count);
    for (let row = 0; row < count; row++) {
      order[places[groups[row]]++] = row;
      if (execution.budget.step()) yield pause;
    }
    const compare = this.keys.comparator();
    const hypothetical = this.call.function.aggregateKind === "hypothetical-set";
    for (let g = 0; g < groupCount; g++) {
      const slice = order.subarray(starts[g], starts[g + 1]);
      const rows = slice.length < 2 ? slice : yield* mergeSort(execution, slice, compare);
      if (hypothetical) this.stepHypothetical(state, rows, g, direct(g));
      else if (rows !== slice) slice.set(rows);
    }
    if (!hypothetical) {
      const vectors: Vector[] = this.args.map(() => []);
      const groupVector = new Int32Array(batchSize);
      for (let start = 0; start < count; start += batchSize) {
        const rows = order.subarray(start, start + batchSize);
        for (let a = 0; a < vectors.length; a++) this.args[a].read(rows, identity, rows.length, vectors[a]);
        for (let k = 0; k < rows.length; k++) groupVector[k] = groups[rows[k]];
        state.update(vectors, identity, rows.length, groupVector);
        if (execution.budget.step(rows.length)) yield pause;
      }
    }
    execution.budget.release(count, this.bytes);
  }

  /** Tells the aggregate for each row how it stands to the hypothetical one. */
  private stepHypothetical(state: GroupedState, rows: Int32Array, group: number, direct: readonly Value[]): void {
    const place = this.count;
    this.keys.columns.forEach((column, c) => {
      column.set(place, direct[c] ?? null);
    });
    const groupVector = new Int32Array(1).fill(group);
    for (let k = 0; k < rows.length; k++) {
      const relation = this.keys.compareRows(rows[k], place);
      const starts = k === 0 || this.keys.compareRows(rows[k - 1], rows[k]) !== 0;
      state.update([[relation], [starts]], identity, 1, groupVector);
    }
  }
}
