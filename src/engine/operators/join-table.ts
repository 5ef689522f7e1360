/** The hash table of a join: kept rows, chained by the number of their key. */
import { type Batch, batchSize, type Vector } from "../batch.js";
import { type KeyFunction, KeyTable } from "../keys.js";
import { grown, type RowStore } from "../row-store.js";

/** The kept right side: rows, and for each key its first row and from each row the next one. */
export class JoinTable {
  readonly keys: KeyTable;
  heads: Int32Array = new Int32Array(64).fill(-1);
  private tails: Int32Array = new Int32Array(64);
  next: Int32Array = new Int32Array(0);
  hasNullKey = false;
  /** Rows taken in. */
  count = 0;
  private readonly codes = new Int32Array(batchSize);

  constructor(
    readonly store: RowStore,
    functions: readonly (KeyFunction | undefined)[],
    /** Only whether a key is there will be asked: no rows are kept. */
    private readonly keysOnly = false,
  ) {
    this.keys = new KeyTable(functions, false, batchSize);
  }

  add(batch: Batch, vectors: readonly Vector[]): void {
    const { sel, count } = batch;
    const { codes, store } = this;
    const before = this.keys.count;
    this.keys.encode(vectors, sel, count, codes, []);
    this.count += count;
    if (this.keysOnly) {
      store.charge(this.keys.count - before, 32 * (this.keys.count - before));
      if (!this.hasNullKey) for (let k = 0; k < count; k++) if (codes[sel[k]] < 0) this.hasNullKey = true;
      return;
    }
    const first = store.count;
    store.append(batch, sel, count);
    this.next = grown(this.next, store.count);
    const { next } = this;
    if (this.keys.count > this.heads.length) {
      const heads = new Int32Array(Math.max(this.keys.count, this.heads.length * 2)).fill(-1);
      heads.set(this.heads);
      this.heads = heads;
      this.tails = grown(this.tails, heads.length);
    }
    const { heads, tails } = this;
    for (let k = 0; k < count; k++) {
      const row = first + k;
      const code = codes[sel[k]];
      next[row] = -1;
      if (code < 0) {
        this.hasNullKey = true;
        continue;
      }
      if (heads[code] < 0) heads[code] = row;
      else next[tails[code]] = row;
      tails[code] = row;
    }
  }
}
