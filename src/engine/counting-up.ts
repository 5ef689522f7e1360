/** 0, 1, 2, … as row numbers. */

/** The numbers below `count`, in order; by a loop, since `Int32Array.from` takes its time for millions of rows. */
export function countingUp(count: number): Int32Array<ArrayBuffer> {
  const numbers = new Int32Array(count);
  for (let i = 0; i < count; i++) numbers[i] = i;
  return numbers;
}
