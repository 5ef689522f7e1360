/**
 * Whole numbers of PostgreSQL's int64, held as a `number` while it is safe and as a `bigint` beyond. Microsecond counts
 * of timestamps and intervals are such numbers.
 */

export type Int64 = number | bigint;

const minInt64 = -(2n ** 63n);
const maxInt64 = 2n ** 63n - 1n;
const minSafe = BigInt(Number.MIN_SAFE_INTEGER);
const maxSafe = BigInt(Number.MAX_SAFE_INTEGER);

/** The one representation of a whole number. */
export function normalize(value: bigint): Int64 {
  return value >= minSafe && value <= maxSafe ? Number(value) : value;
}

/** Whether the value fits into eight bytes. */
export function isInt64(value: bigint): boolean {
  return value >= minInt64 && value <= maxInt64;
}

/** a + b, `undefined` outside int64. */
export function add(a: Int64, b: Int64): Int64 | undefined {
  if (typeof a === "number" && typeof b === "number") {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return checked(BigInt(a) + BigInt(b));
}

/** a - b, `undefined` outside int64. */
export function subtract(a: Int64, b: Int64): Int64 | undefined {
  if (typeof a === "number" && typeof b === "number") {
    const difference = a - b;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return checked(BigInt(a) - BigInt(b));
}

/** -a, `undefined` for the smallest int64. */
export function negate(a: Int64): Int64 | undefined {
  return typeof a === "number" ? 0 - a : checked(-a);
}

/** `undefined` outside int64. */
function checked(value: bigint): Int64 | undefined {
  return isInt64(value) ? normalize(value) : undefined;
}

/** Quotient rounded towards zero, and what remains with the sign of `a`. */
export function divideTruncated(a: Int64, b: number): { quotient: number; remainder: number } {
  if (typeof a === "number") {
    const remainder = a % b;
    return { quotient: Math.round((a - remainder) / b) + 0, remainder: remainder + 0 };
  }
  const divisor = BigInt(b);
  return { quotient: Number(a / divisor), remainder: Number(a % divisor) };
}

/** Nearest whole number of a double; `undefined` outside int64. Ties go to the even neighbour. */
export function fromDouble(value: number): Int64 | undefined {
  if (!Number.isFinite(value)) return undefined;
  const rounded = roundHalfEven(value);
  return Number.isSafeInteger(rounded) ? rounded : checked(BigInt(rounded));
}

/** C's rint: ties to even. */
export function roundHalfEven(value: number): number {
  const floor = Math.floor(value);
  const fraction = value - floor;
  if (fraction < 0.5) return floor + 0;
  if (fraction > 0.5) return floor + 1 + 0;
  return (floor % 2 === 0 ? floor : floor + 1) + 0;
}

/** Multiple of `scale` nearest to the value, ties away from zero: how PostgreSQL rounds microseconds to a precision. */
export function roundToMultiple(value: Int64, scale: number): Int64 {
  const half = scale / 2;
  if (typeof value === "number") {
    const magnitude = Math.abs(value) + half;
    const rounded = magnitude - (magnitude % scale);
    if (Number.isSafeInteger(rounded)) return (value < 0 ? -rounded : rounded) + 0;
  }
  const exact = BigInt(value);
  const unit = BigInt(scale);
  const magnitude = (exact < 0n ? -exact : exact) + BigInt(half);
  const rounded = magnitude - (magnitude % unit);
  return normalize(exact < 0n ? -rounded : rounded);
}
