/**
 * Batches: what operators hand to each other. A batch names rows, it does not hold them: one vector of row ids for each
 * source (a scan, a sort's buffer, a hash table's groups) that takes part, and a selection of the positions still alive.
 * Columns are read from their source when an expression asks for them, and only for the selected positions.
 *
 * Slots number the columns of a whole plan, sources the places rows come from; both are given out by the builder, so a
 * filter or a projection passes the same batch on. A batch is valid until its operator is asked for the next one.
 */
import type { SqlType } from "../types/type.js";
import type { Value } from "../types/value.js";
import type { Execution } from "./execution.js";

/** Rows in a full batch. */
export const batchSize = 1024;

/** Values by position in the batch; only selected positions mean something. NULL is `null`. */
export type Vector = Value[];

/** 0, 1, 2, … : the selection of everything, and the ids of a relation's first batch. Never written to. */
export const identity: Int32Array = Int32Array.from({ length: batchSize }, (_, i) => i);

/** What an operator yields when it wants the event loop to have a turn. */
export const pause: unique symbol = Symbol("pause");
export type Pause = typeof pause;

/** Reads a slot's values at the selected positions into `out`. */
export type SlotLoader = (
  execution: Execution,
  slot: Slot,
  ids: Int32Array,
  sel: Int32Array,
  n: number,
  out: Vector,
) => void;

/** A column of the plan at run time. */
export interface Slot {
  readonly index: number;
  /** Absent: a vector made by an operator for each batch. Otherwise read from `source` through the batch's row ids. */
  readonly load?: SlotLoader;
  readonly source: number;
  /** Which column of the source. */
  readonly item: number;
  readonly type: SqlType;
  readonly typmod: number;
  /** Which copy of the hot loops reads this slot, so that each keeps its own inline cache. */
  readonly copy: number;
}

/** The columns that an operator puts out: where each is found. */
export interface Layout {
  /** By column id. */
  readonly slots: ReadonlyMap<number, Slot>;
  /** Sources whose row ids the batches carry. */
  readonly sources: readonly number[];
  /** Slots without a source: vectors that an operator which makes new batches has to copy. */
  readonly computed: readonly Slot[];
}

export const emptyLayout: Layout = { slots: new Map(), sources: [], computed: [] };

export class Batch {
  sel: Int32Array = identity;
  count = 0;
  /** Tells contents of the same batch object apart. */
  serial = 0;
  /** By source. */
  readonly ids: Int32Array[];
  /** By slot. */
  readonly vectors: Vector[];
  /** By slot: whether the vector holds all positions of the selection. */
  readonly loaded: boolean[];

  constructor(sources: number, slots: number) {
    this.ids = new Array(sources);
    this.vectors = new Array(slots);
    this.loaded = new Array(slots).fill(false);
  }

  /** New content: the first `count` positions, nothing read yet. */
  reset(count: number): void {
    this.sel = identity;
    this.count = count;
    this.serial++;
    this.loaded.fill(false);
  }
}

/** The values of a slot at the given positions, read at most once a batch. */
export function readSlot(execution: Execution, slot: Slot, batch: Batch, sel: Int32Array, n: number): Vector {
  const { index, load } = slot;
  if (load === undefined || batch.loaded[index]) return batch.vectors[index];
  let out = batch.vectors[index];
  if (out === undefined) {
    out = execution.takeVector();
    batch.vectors[index] = out;
  }
  load(execution, slot, batch.ids[slot.source], sel, n, out);
  if (n === batch.count && sel === batch.sel) batch.loaded[index] = true;
  return out;
}
