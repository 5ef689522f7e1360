/**
 * Sorting row numbers by one column of doubles: a stable radix sort over the bits, 11 at a time, which beats comparing by
 * far on more than a few hundred rows. Passes in which all rows agree are skipped.
 */
import type { Pause } from "./batch.js";
import { pause } from "./batch.js";
import type { Execution } from "./execution.js";

const bucketBits = 11;
const buckets = 1 << bucketBits;
const passes = 6;

/** `order` sorted by `numbers[row]`; NaN stands for NULL. */
export function* radixOrder(
  execution: Execution,
  numbers: Float64Array,
  order: Int32Array,
  descending: boolean,
  nullsFirst: boolean,
): Generator<Pause, Int32Array, void> {
  const values: number[] = [];
  const nulls: number[] = [];
  for (const row of order) (!Number.isNaN(numbers[row]) ? values : nulls).push(row);
  const n = values.length;
  const low = new Uint32Array(n);
  const high = new Uint32Array(n);
  fillKeys(numbers, values, low, high, descending);
  let from: Int32Array = Int32Array.from({ length: n }, (_, i) => i);
  let to: Int32Array = new Int32Array(n);
  const counts = new Int32Array(buckets);
  for (let pass = 0; pass < passes; pass++) {
    if (execution.budget.step(n)) yield pause;
    if (radixPass(pass, low, high, from, to, counts)) [from, to] = [to, from];
  }
  const result = new Int32Array(order.length);
  let at = 0;
  if (nullsFirst) for (const row of nulls) result[at++] = row;
  for (let k = 0; k < n; k++) result[at++] = values[from[k]];
  if (!nullsFirst) for (const row of nulls) result[at++] = row;
  return result;
}

/** The doubles' bits, turned so that they order as unsigned integers. */
function fillKeys(
  numbers: Float64Array,
  rows: readonly number[],
  low: Uint32Array,
  high: Uint32Array,
  descending: boolean,
): void {
  const one = new Float64Array(1);
  const bits = new Uint32Array(one.buffer);
  const flip = descending ? 0xffffffff : 0;
  for (let k = 0; k < rows.length; k++) {
    one[0] = numbers[rows[k]] + 0; // -0 becomes 0
    const top = bits[1];
    const negative = top >>> 31 === 1;
    high[k] = (negative ? ~top : top | 0x80000000) ^ flip;
    low[k] = (negative ? ~bits[0] : bits[0]) ^ flip;
  }
}

/** One pass over 11 bits; false when all rows have the same ones and nothing was moved. */
function radixPass(
  pass: number,
  low: Uint32Array,
  high: Uint32Array,
  from: Int32Array,
  to: Int32Array,
  counts: Int32Array,
): boolean {
  const n = from.length;
  const shift = (pass % 3) * bucketBits;
  const words = pass < 3 ? low : high;
  const mask = buckets - 1;
  counts.fill(0);
  for (let k = 0; k < n; k++) counts[(words[k] >>> shift) & mask]++;
  if (n === 0 || counts[(words[0] >>> shift) & mask] === n) return false;
  let sum = 0;
  for (let b = 0; b < buckets; b++) {
    const count = counts[b];
    counts[b] = sum;
    sum += count;
  }
  for (let k = 0; k < n; k++) {
    const row = from[k];
    to[counts[(words[row] >>> shift) & mask]++] = row;
  }
  return true;
}
