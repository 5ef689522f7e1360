/**
 * Sort keys and sorting: key values are kept in one column a key, numbers as doubles; rows are sorted as an array of
 * their numbers. The sort is stable and can be interrupted.
 */
import type { SortKey } from "../planner/expr.js";
import type { Value } from "../types/value.js";
import type { Batch, Pause, Vector } from "./batch.js";
import { pause } from "./batch.js";
import type { Scope } from "./builder.js";
import { comparableAs } from "./compile/comparison.js";
import { comparatorOf } from "./compile/conditional.js";
import { compile } from "./compile/expression.js";
import type { Kernel } from "./compile/kernel.js";
import { countingUp } from "./counting-up.js";
import type { Execution } from "./execution.js";
import { radixOrder } from "./radix.js";
import { roomFor } from "./room.js";
import { ValueColumn } from "./value-column.js";

export interface CompiledSortKey {
  readonly kernel: Kernel;
  readonly numeric: boolean;
  readonly compare: (a: Value, b: Value) => number;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

export function compileSortKeys(keys: readonly SortKey[], scope: Scope): CompiledSortKey[] {
  return keys.map((key) => ({
    kernel: compile(key.expr, scope),
    numeric: comparableAs(key.expr.type, key.expr.type) === "number",
    compare: comparatorOf(key.expr.type),
    descending: key.descending,
    nullsFirst: key.nullsFirst,
  }));
}

/** The values of one sort key for all rows. As long as all are doubles other than NaN (which stands for NULL) they are kept as such. */
export class KeyColumn {
  numbers: Float64Array | undefined;
  private values = new ValueColumn();
  private count = 0;

  constructor(readonly key: CompiledSortKey) {
    if (key.numeric) this.numbers = new Float64Array(256);
  }

  append(vector: Vector, sel: Int32Array, n: number): void {
    for (let k = 0; k < n; k++) this.set(this.count + k, vector[sel[k]]);
    this.count += n;
  }

  set(row: number, value: Value): void {
    let { numbers } = this;
    if (numbers !== undefined) {
      if (row >= numbers.length) {
        const longer = new Float64Array(Math.max(row + 1, roomFor(numbers.length)));
        longer.set(numbers);
        numbers = longer;
        this.numbers = longer;
      }
      if (typeof value === "number" && !Number.isNaN(value)) {
        numbers[row] = value;
        return;
      }
      if (value === null) {
        numbers[row] = Number.NaN;
        return;
      }
      // All of them, not only those before `row`: places are reused by top-n.
      numbers.forEach((x, at) => {
        this.values.set(at, !Number.isNaN(x) ? x : null);
      });
      this.numbers = undefined;
    }
    this.values.set(row, value);
  }

  /** The key of a row as a value. */
  valueAt(row: number): Value {
    if (this.numbers === undefined) return this.values.at(row);
    const value = this.numbers[row];
    return !Number.isNaN(value) ? value : null;
  }

  /** How a row's key stands to a value that is not NULL, in the key's direction. */
  compareWith(row: number, value: Value): number {
    const own = this.valueAt(row);
    if (own === null) return this.key.nullsFirst ? -1 : 1;
    return this.key.compare(own, value) * (this.key.descending ? -1 : 1);
  }

  /** As `comparator`, for use while rows are still being added. */
  compareRows(a: number, b: number): number {
    const { numbers, values } = this;
    const { compare, descending, nullsFirst } = this.key;
    const sign = descending ? -1 : 1;
    const nullSign = nullsFirst ? -1 : 1;
    if (numbers !== undefined) {
      const x = numbers[a];
      const y = numbers[b];
      if (x < y) return -sign;
      if (x > y) return sign;
      if (x === y) return 0;
      if (Number.isNaN(x)) return Number.isNaN(y) ? 0 : nullSign;
      return -nullSign;
    }
    const x = values.at(a);
    const y = values.at(b);
    if (x === y) return 0;
    if (x === null) return nullSign;
    if (y === null) return -nullSign;
    return compare(x, y) * sign;
  }

  /** The order of two rows by this key. */
  comparator(): (a: number, b: number) => number {
    const { numbers, values } = this;
    const { compare, descending, nullsFirst } = this.key;
    const sign = descending ? -1 : 1;
    const nullSign = nullsFirst ? -1 : 1;
    if (numbers !== undefined) {
      return (a, b) => {
        const x = numbers[a];
        const y = numbers[b];
        if (x < y) return -sign;
        if (x > y) return sign;
        if (x === y) return 0;
        if (Number.isNaN(x)) return Number.isNaN(y) ? 0 : nullSign;
        return -nullSign;
      };
    }
    const { single } = values;
    return (a, b) => {
      const x = single === undefined ? values.at(a) : single[a];
      const y = single === undefined ? values.at(b) : single[b];
      if (x === y) return 0;
      if (x === null) return nullSign;
      if (y === null) return -nullSign;
      return compare(x, y) * sign;
    };
  }
}

/** All keys of a sort. */
export class KeyColumns {
  readonly columns: KeyColumn[];

  constructor(readonly keys: readonly CompiledSortKey[]) {
    this.columns = keys.map((key) => new KeyColumn(key));
  }

  evaluate(execution: Execution, batch: Batch): Vector[] {
    return this.keys.map((key) => key.kernel.evaluate(execution, batch, batch.sel, batch.count));
  }

  append(vectors: readonly Vector[], sel: Int32Array, n: number): void {
    this.columns.forEach((column, c) => {
      column.append(vectors[c], sel, n);
    });
  }

  compareRows(a: number, b: number): number {
    for (const column of this.columns) {
      const result = column.compareRows(a, b);
      if (result !== 0) return result;
    }
    return 0;
  }

  comparator(): (a: number, b: number) => number {
    return combineComparators(this.columns.map((column) => column.comparator()));
  }

  /** The first `limit` of the rows in order, by insertion. */
  first(rows: Int32Array, limit: number): Int32Array {
    const best = new Int32Array(Math.min(limit, rows.length));
    if (best.length === 0) return best;
    const compare = this.comparator();
    const last = best.length - 1;
    for (let r = 0; r < rows.length; r++) {
      const row = rows[r];
      if (r > last && compare(row, best[last]) >= 0) continue;
      insertRow(best, Math.min(r, best.length), row, compare);
    }
    return best;
  }

  /** The rows 0 … count-1 (or those listed) in order. */
  *order(execution: Execution, count: number, rows?: Int32Array): Generator<Pause, Int32Array, void> {
    const order = rows ?? countingUp(count);
    if (order.length > 512 && this.columns.length === 1 && this.columns[0].numbers !== undefined) {
      const { descending, nullsFirst } = this.columns[0].key;
      return yield* radixOrder(execution, this.columns[0].numbers, order, descending, nullsFirst);
    }
    return yield* mergeSort(execution, order, this.comparator());
  }
}

function insertRow(best: Int32Array, count: number, row: number, compare: (a: number, b: number) => number): void {
  let at = count;
  while (at > 0 && compare(row, best[at - 1]) < 0) {
    if (at < best.length) best[at] = best[at - 1];
    at--;
  }
  if (at < best.length) best[at] = row;
}

function combineComparators(list: readonly ((a: number, b: number) => number)[]): (a: number, b: number) => number {
  if (list.length === 0) return () => 0;
  if (list.length === 1) return list[0];
  if (list.length === 2) {
    const [first, second] = list;
    return (a, b) => first(a, b) || second(a, b);
  }
  return (a, b) => {
    for (const compare of list) {
      const result = compare(a, b);
      if (result !== 0) return result;
    }
    return 0;
  };
}

const runLength = 24;

/** Sorts in place (bottom up, stable), with pauses between merges. */
export function* mergeSort(
  execution: Execution,
  order: Int32Array,
  compare: (a: number, b: number) => number,
): Generator<Pause, Int32Array, void> {
  const n = order.length;
  for (let start = 0; start < n; start += runLength) {
    insertionSort(order, start, Math.min(start + runLength, n), compare);
    if (execution.budget.step(runLength * 4)) yield pause;
  }
  let from = order;
  let to = n > runLength ? new Int32Array(n) : order;
  for (let width = runLength; width < n; width *= 2) {
    for (let start = 0; start < n; start += 2 * width) {
      const middle = Math.min(start + width, n);
      const end = Math.min(start + 2 * width, n);
      let cursor = { left: start, right: middle, at: start };
      while (cursor.at < end) {
        cursor = mergePart(from, to, cursor, middle, end, compare);
        if (execution.budget.step(Math.min(end - start, mergeChunk))) yield pause;
      }
    }
    [from, to] = [to, from];
  }
  return from;
}

interface MergeCursor {
  left: number;
  right: number;
  at: number;
}
const mergeChunk = 8192;

/** Merges up to a chunk of two neighbouring runs. */
function mergePart(
  from: Int32Array,
  to: Int32Array,
  cursor: MergeCursor,
  middle: number,
  end: number,
  compare: (a: number, b: number) => number,
): MergeCursor {
  let { left, right, at } = cursor;
  const stop = Math.min(end, at + mergeChunk);
  while (at < stop) {
    if (left < middle && (right >= end || compare(from[left], from[right]) <= 0)) to[at++] = from[left++];
    else to[at++] = from[right++];
  }
  return { left, right, at };
}

function insertionSort(order: Int32Array, start: number, end: number, compare: (a: number, b: number) => number): void {
  for (let i = start + 1; i < end; i++) {
    const row = order[i];
    let j = i - 1;
    while (j >= start && compare(order[j], row) > 0) {
      order[j + 1] = order[j];
      j--;
    }
    order[j + 1] = row;
  }
}
