/**
 * Values by row number that grow without being copied: an array of a million values takes longer to move than the event
 * loop may wait. They are kept in pieces of 65,536; the first one is all there is of most columns.
 */
import type { Value } from "../types/value.js";
import type { Vector } from "./batch.js";

const pieceBits = 16;
const pieceSize = 1 << pieceBits;
const mask = pieceSize - 1;

export class ValueColumn {
  length = 0;
  private readonly pieces: Value[][] = [[]];

  /** All values in one array, as long as they are few enough. */
  get single(): readonly Value[] | undefined {
    return this.pieces.length === 1 ? this.pieces[0] : undefined;
  }

  /** The value of a row that was pushed or set. */
  at(row: number): Value {
    return this.pieces[row >>> pieceBits][row & mask];
  }

  push(value: Value): void {
    this.set(this.length, value);
  }

  /** Puts a value into a row: one that is there, or the next. */
  set(row: number, value: Value): void {
    const piece = row >>> pieceBits;
    while (piece >= this.pieces.length) this.pieces.push([]);
    this.pieces[piece][row & mask] = value;
    if (row >= this.length) this.length = row + 1;
  }

  /** Adds the values at positions `sel[0 … n)`. */
  append(vector: Vector, sel: ArrayLike<number>, n: number): void {
    for (let k = 0; k < n; ) {
      const piece = this.pieces[this.pieces.length - 1];
      const end = Math.min(n, k + pieceSize - piece.length);
      if (end === k) this.pieces.push([]);
      this.length += end - k;
      for (; k < end; k++) piece.push(vector[sel[k]]);
    }
  }

  /** Writes the values of rows `ids[sel[k]]` to positions `sel[k]`; NULL for row -1. */
  read(ids: Int32Array, sel: Int32Array, n: number, out: Vector): void {
    const { pieces } = this;
    if (pieces.length === 1) {
      const [piece] = pieces;
      for (let k = 0; k < n; k++) {
        const i = sel[k];
        const id = ids[i];
        out[i] = id < 0 ? null : piece[id];
      }
      return;
    }
    for (let k = 0; k < n; k++) {
      const i = sel[k];
      const id = ids[i];
      out[i] = id < 0 ? null : pieces[id >>> pieceBits][id & mask];
    }
  }
}
