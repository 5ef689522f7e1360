/**
 * Keys as small integers: grouping, joins, DISTINCT and set operations number the distinct values of each column, then
 * fold the numbers of several columns pairwise. Small non-negative integers are numbered through an array, everything
 * else through a Map.
 */
import { operationsOf } from "../types/families.js";
import type { SqlType } from "../types/type.js";
import type { Value } from "../types/value.js";
import type { Vector } from "./batch.js";
import { isPlainKey } from "./compile/comparison.js";
import { ValueCodes } from "./value-codes.js";

export type KeyFunction = (value: Value) => Value;

/** What makes a value of the type into a key, `undefined` where the value is one itself. */
export function keyFunctionOf(type: SqlType): KeyFunction | undefined {
  return isPlainKey(type) ? undefined : operationsOf(type).key;
}

/** Numbers the distinct values of one column. */
class Dictionary {
  count = 0;
  private nullCode = -1;
  private readonly codes = new ValueCodes();
  /** Code + 1 by value, for small non-negative integers. */
  private dense = new Int32Array(0);

  /** Codes by position; new values get the next code, their positions are added to `fresh`. NULL is a value when `nulls`, else -1. */
  encode(values: Vector, sel: Int32Array, n: number, out: Int32Array, nulls: boolean, fresh: number[]): void {
    const { codes } = this;
    for (let k = 0; k < n; k++) {
      const i = sel[k];
      const value = values[i];
      if (typeof value === "number" && value >= 0 && (value | 0) === value) {
        if (value < this.dense.length || this.extend(value)) {
          const code = this.dense[value];
          if (code > 0) {
            out[i] = code - 1;
            continue;
          }
          if (codes.size === 0 || !codes.has(value)) {
            out[i] = this.count;
            this.dense[value] = ++this.count;
            fresh.push(i);
            continue;
          }
        }
      } else if (value === null) {
        if (!nulls) {
          out[i] = -1;
          continue;
        }
        if (this.nullCode < 0) {
          this.nullCode = this.count++;
          fresh.push(i);
        }
        out[i] = this.nullCode;
        continue;
      }
      let code = codes.get(value);
      if (code === undefined) {
        code = this.count++;
        codes.add(value, code);
        fresh.push(i);
      }
      out[i] = code;
    }
  }

  /** Codes by position, -1 for values that are not there. */
  find(values: Vector, sel: Int32Array, n: number, out: Int32Array): void {
    const { codes, dense, nullCode } = this;
    const mixed = codes.size > 0;
    for (let k = 0; k < n; k++) {
      const i = sel[k];
      const value = values[i];
      if (typeof value === "number" && value >= 0 && value < dense.length && (value | 0) === value) {
        const code = dense[value];
        if (code > 0 || !mixed) {
          out[i] = code - 1;
          continue;
        }
      } else if (value === null) {
        out[i] = nullCode;
        continue;
      }
      out[i] = mixed ? (codes.get(value) ?? -1) : -1;
    }
  }

  /** Makes the array long enough for a value that is not far beyond the number of values. */
  private extend(value: number): boolean {
    if (value > 16 * this.count + 4096) return false;
    const longer = new Int32Array(Math.max(128, 1 << (33 - Math.clz32(value))));
    longer.set(this.dense);
    this.dense = longer;
    return true;
  }
}

/** Numbers pairs of codes: a hash table with open addressing. */
class PairTable {
  count = 0;
  private slots = new Int32Array(128);
  private firsts = new Int32Array(64);
  private seconds = new Int32Array(64);

  encode(a: Int32Array, b: Int32Array, sel: Int32Array, n: number, out: Int32Array, fresh: number[]): void {
    for (let k = 0; k < n; k++) {
      const i = sel[k];
      const x = a[i];
      const y = b[i];
      if (x < 0 || y < 0) {
        out[i] = -1;
        continue;
      }
      if (this.count * 2 >= this.slots.length) this.rehash();
      const mask = this.slots.length - 1;
      let at = hashPair(x, y) & mask;
      let id = this.slots[at];
      while (id !== 0 && (this.firsts[id - 1] !== x || this.seconds[id - 1] !== y)) {
        at = (at + 1) & mask;
        id = this.slots[at];
      }
      if (id === 0) {
        this.firsts[this.count] = x;
        this.seconds[this.count] = y;
        id = ++this.count;
        this.slots[at] = id;
        fresh.push(i);
      }
      out[i] = id - 1;
    }
  }

  find(a: Int32Array, b: Int32Array, sel: Int32Array, n: number, out: Int32Array): void {
    const { slots, firsts, seconds } = this;
    const mask = slots.length - 1;
    for (let k = 0; k < n; k++) {
      const i = sel[k];
      const x = a[i];
      const y = b[i];
      if (x < 0 || y < 0) {
        out[i] = -1;
        continue;
      }
      let at = hashPair(x, y) & mask;
      let id = slots[at];
      while (id !== 0 && (firsts[id - 1] !== x || seconds[id - 1] !== y)) {
        at = (at + 1) & mask;
        id = slots[at];
      }
      out[i] = id - 1;
    }
  }

  private rehash(): void {
    const slots = new Int32Array(this.slots.length * 2);
    const mask = slots.length - 1;
    const firsts = new Int32Array(slots.length / 2);
    const seconds = new Int32Array(slots.length / 2);
    firsts.set(this.firsts);
    seconds.set(this.seconds);
    for (let id = 1; id <= this.count; id++) {
      let at = hashPair(firsts[id - 1], seconds[id - 1]) & mask;
      while (slots[at] !== 0) at = (at + 1) & mask;
      slots[at] = id;
    }
    this.slots = slots;
    this.firsts = firsts;
    this.seconds = seconds;
  }
}

function hashPair(a: number, b: number): number {
  let hash = Math.imul(a, 0x9e3779b1) ^ Math.imul(b + 0x7f4a7c15, 0x85ebca6b);
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x2c1b3c6d) >>> 1;
}

/** Numbers the distinct tuples of some columns, from 0 in order of appearance. */
export class KeyTable {
  private readonly dictionaries: Dictionary[];
  private readonly pairs: PairTable[];
  private readonly codes: [Int32Array, Int32Array];
  private readonly ignored: number[] = [];
  private readonly mapped: Vector[] = [];
  /** Without columns there is one tuple, seen for the first time once. */
  private touched = false;

  /**
   * @param functions one for each column
   * @param nulls whether NULL equals NULL (grouping) or a tuple with NULL has no number (joins)
   */
  constructor(
    private readonly functions: readonly (KeyFunction | undefined)[],
    private readonly nulls: boolean,
    size: number,
  ) {
    this.dictionaries = functions.map(() => new Dictionary());
    this.pairs = functions.slice(1).map(() => new PairTable());
    this.codes = functions.length > 1 ? [new Int32Array(size), new Int32Array(size)] : [empty, empty];
  }

  get count(): number {
    if (this.functions.length === 0) return 1;
    return this.functions.length === 1 ? this.dictionaries[0].count : this.pairs[this.pairs.length - 1].count;
  }

  /** Numbers by position. Positions of tuples seen for the first time are appended to `fresh`, in order of their numbers. */
  encode(vectors: readonly Vector[], sel: Int32Array, n: number, out: Int32Array, fresh: number[]): void {
    const last = vectors.length - 1;
    if (last < 0) {
      for (let k = 0; k < n; k++) out[sel[k]] = 0;
      if (!this.touched && n > 0) fresh.push(sel[0]);
      this.touched = true;
      return;
    }
    const { ignored } = this;
    this.dictionaries[0].encode(
      this.keyed(vectors[0], 0, sel, n),
      sel,
      n,
      out,
      this.nulls,
      last === 0 ? fresh : ignored,
    );
    for (let c = 1; c <= last; c++) {
      const [left, right] = this.codes;
      left.set(out);
      this.dictionaries[c].encode(this.keyed(vectors[c], c, sel, n), sel, n, right, this.nulls, ignored);
      this.pairs[c - 1].encode(left, right, sel, n, out, c === last ? fresh : ignored);
    }
    ignored.length = 0;
  }

  /** Numbers by position, -1 for tuples that were never encoded. */
  find(vectors: readonly Vector[], sel: Int32Array, n: number, out: Int32Array): void {
    if (vectors.length === 0) {
      for (let k = 0; k < n; k++) out[sel[k]] = 0;
      return;
    }
    this.dictionaries[0].find(this.keyed(vectors[0], 0, sel, n), sel, n, out);
    for (let c = 1; c < vectors.length; c++) {
      const [left, right] = this.codes;
      left.set(out);
      this.dictionaries[c].find(this.keyed(vectors[c], c, sel, n), sel, n, right);
      this.pairs[c - 1].find(left, right, sel, n, out);
    }
  }

  private keyed(values: Vector, column: number, sel: Int32Array, n: number): Vector {
    const key = this.functions[column];
    if (key === undefined) return values;
    this.mapped[column] ??= [];
    const out = this.mapped[column];
    for (let k = 0; k < n; k++) {
      const i = sel[k];
      const value = values[i];
      out[i] = value === null ? null : key(value);
    }
    return out;
  }
}

const empty = new Int32Array(0);
