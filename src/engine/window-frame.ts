/**
 * One partition of a window, in window order: peers, the frame of each row, and what window functions may ask of them.
 * For every mode the bounds of a frame move forward only, row by row; EXCLUDE takes rows out of the middle.
 */
import type { WindowFrameView } from "../functions/function.js";
import type { WindowFrame } from "../planner/expr.js";
import type { Value } from "../types/value.js";
import { type Pause, pause } from "./batch.js";
import type { Execution } from "./execution.js";
import type { KeyColumn } from "./sort-keys.js";
import type { ValueColumn } from "./value-column.js";

/** A frame's offsets as values; RANGE bounds as a function of the sort key. */
export interface FrameOffsets {
  readonly start: number;
  readonly end: number;
  readonly rangeStart?: (key: Value) => Value;
  readonly rangeEnd?: (key: Value) => Value;
}

/** Peers of a partition, shared by all calls of a window. */
export class Partition {
  readonly rowCount: number;
  /** Start of each peer group, and the end of the last. */
  readonly groupStarts: number[] = [];
  readonly groupOf: Int32Array;

  /** `rows`: row numbers in window order. */
  constructor(readonly rows: Int32Array) {
    this.rowCount = rows.length;
    this.groupOf = new Int32Array(rows.length);
  }

  /** Before anything is asked about peers. `samePeers` compares row numbers. */
  *findPeers(execution: Execution, samePeers: (a: number, b: number) => boolean): Generator<Pause, void, void> {
    const { rows } = this;
    for (let at = 0; at < rows.length; at++) {
      if (at === 0 || !samePeers(rows[at - 1], rows[at])) this.groupStarts.push(at);
      this.groupOf[at] = this.groupStarts.length - 1;
      if (execution.budget.step()) yield pause;
    }
    this.groupStarts.push(rows.length);
  }

  peersStart(at: number): number {
    return this.groupStarts[this.groupOf[at]];
  }

  peersEnd(at: number): number {
    return this.groupStarts[this.groupOf[at] + 1];
  }
}

/** Start and end (exclusive) of the frame of each row, before EXCLUDE. */
export function* frameBounds(
  execution: Execution,
  partition: Partition,
  frame: WindowFrame,
  offsets: FrameOffsets,
  key: KeyColumn | undefined,
): Generator<Pause, { starts: Int32Array; ends: Int32Array }, void> {
  const n = partition.rowCount;
  const starts = new Int32Array(n);
  const ends = new Int32Array(n);
  for (let at = 0; at < n; at++) {
    const start = boundAt(partition, frame, "start", at, offsets, key);
    const end = boundAt(partition, frame, "end", at, offsets, key);
    starts[at] = Math.max(0, Math.min(start, n));
    ends[at] = Math.max(starts[at], Math.min(end, n));
    if (execution.budget.step()) yield pause;
  }
  return { starts, ends };
}

function boundAt(
  partition: Partition,
  frame: WindowFrame,
  side: "start" | "end",
  at: number,
  offsets: FrameOffsets,
  key: KeyColumn | undefined,
): number {
  const bound = frame[side];
  const isEnd = side === "end";
  const n = partition.rowCount;
  if (bound.kind === "unbounded preceding") return 0;
  if (bound.kind === "unbounded following") return n;
  if (bound.kind === "current row") {
    if (frame.mode === "rows") return isEnd ? at + 1 : at;
    return isEnd ? partition.peersEnd(at) : partition.peersStart(at);
  }
  const distance = bound.kind === "preceding" ? -offsets[side] : offsets[side];
  if (frame.mode === "rows") return isEnd ? at + distance + 1 : at + distance;
  if (frame.mode === "groups") {
    const group = partition.groupOf[at] + distance + (isEnd ? 1 : 0);
    const groups = partition.groupStarts.length - 1;
    return group <= 0 ? 0 : group >= groups ? n : partition.groupStarts[group];
  }
  return rangeBound(
    partition,
    at,
    isEnd,
    (isEnd ? offsets.rangeEnd : offsets.rangeStart) as (key: Value) => Value,
    key,
  );
}

/** RANGE with an offset: the first row at or beyond the bound (start), or the first one beyond it (end). */
function rangeBound(
  partition: Partition,
  at: number,
  isEnd: boolean,
  shift: (key: Value) => Value,
  key: KeyColumn | undefined,
): number {
  if (key === undefined) throw new TypeError("RANGE with an offset needs one sort key");
  const own = key.valueAt(partition.rows[at]);
  // A row whose key is NULL has the other such rows for its frame.
  if (own === null) return isEnd ? partition.peersEnd(at) : partition.peersStart(at);
  const bound = shift(own);
  let low = 0;
  let high = partition.rowCount;
  while (low < high) {
    const middle = (low + high) >> 1;
    const order = key.compareWith(partition.rows[middle], bound);
    if (order < 0 || (isEnd && order === 0)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What a window function sees: the partition, its arguments, and the frame of each row with EXCLUDE taken into account. */
export class PartitionView implements WindowFrameView {
  readonly rowCount: number;

  constructor(
    private readonly partition: Partition,
    private readonly args: readonly ValueColumn[],
    private readonly starts: Int32Array,
    private readonly ends: Int32Array,
    private readonly exclude: WindowFrame["exclude"],
  ) {
    this.rowCount = partition.rowCount;
  }

  argument(i: number, row: number): Value {
    return this.args[i].at(this.partition.rows[row]);
  }

  peersStart(row: number): number {
    return this.partition.peersStart(row);
  }

  peersEnd(row: number): number {
    return this.partition.peersEnd(row);
  }

  peerGroupIndex(row: number): number {
    return this.partition.groupOf[row];
  }

  frameRow(row: number, n: number): number {
    const pieces = framePieces(this.partition, row, this.starts[row], this.ends[row], this.exclude);
    const list = n < 0 ? [...pieces].reverse() : pieces;
    let left = n < 0 ? -n - 1 : n;
    for (const [from, to] of list) {
      const size = to - from;
      if (left < size) return n < 0 ? to - 1 - left : from + left;
      left -= size;
    }
    return -1;
  }
}

/** The pieces of a frame that EXCLUDE leaves, as [start, end) pairs in order. */
export function framePieces(
  partition: Partition,
  at: number,
  start: number,
  end: number,
  exclude: WindowFrame["exclude"],
): readonly (readonly [number, number])[] {
  if (exclude === "none") return start < end ? [[start, end]] : [];
  const peersStart = partition.peersStart(at);
  const peersEnd = partition.peersEnd(at);
  const cuts: (readonly [number, number])[] =
    exclude === "current row"
      ? [[at, at + 1]]
      : exclude === "group"
        ? [[peersStart, peersEnd]]
        : [
            [peersStart, at],
            [at + 1, peersEnd],
          ];
  const pieces: (readonly [number, number])[] = [];
  let from = start;
  for (const [cutStart, cutEnd] of cuts) {
    const stop = Math.min(cutStart, end);
    if (from < stop) pieces.push([from, stop]);
    from = Math.max(from, cutEnd);
  }
  if (from < end) pieces.push([from, end]);
  return pieces;
}
