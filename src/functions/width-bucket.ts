/** `width_bucket`: the number of the histogram bucket that a value falls into. */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import { dimensionCount } from "../types/array-shape.js";
import { operationsOf } from "../types/families.js";
import { checkInt4 } from "../types/integer.js";
import {
  Numeric,
  numericAdd,
  numericCompare,
  numericDivide,
  numericFloor,
  numericFromNumber,
  numericIsFinite,
  numericIsNaN,
  numericMultiply,
  numericSubtract,
  numericToNumber,
} from "../types/numeric.js";
import type { SqlType } from "../types/type.js";
import type { Value } from "../types/value.js";
import type { Callable, CallSite, ScalarFunction } from "./function.js";

function invalid(message: string): SqlError {
  return new SqlError(sqlstate.invalidArgumentForWidthBucket, message);
}

function checkArguments(count: number, hasNaN: boolean, infiniteBounds: boolean, equalBounds: boolean): void {
  if (count <= 0) throw invalid("count must be greater than zero");
  if (hasNaN) throw invalid("operand, lower bound, and upper bound cannot be NaN");
  if (infiniteBounds) throw invalid("lower and upper bounds must be finite");
  if (equalBounds) throw invalid("lower bound cannot equal upper bound");
}

function floatBucket(operand: number, low: number, high: number, count: number): number {
  checkArguments(
    count,
    Number.isNaN(operand) || Number.isNaN(low) || Number.isNaN(high),
    !Number.isFinite(low) || !Number.isFinite(high),
    low === high,
  );
  const before = low < high ? operand < low : operand > low;
  const behind = low < high ? operand >= high : operand <= high;
  if (before) return 0;
  if (behind) return checkInt4(count + 1);
  // Halved where the distance of the bounds is too large for a double.
  const scale = Number.isFinite(high - low) ? 1 : 0.5;
  const part = (operand * scale - low * scale) / (high * scale - low * scale);
  return Math.min(Math.trunc(count * part), count - 1) + 1;
}

function numericBucket(operand: Numeric, low: Numeric, high: Numeric, count: number): number {
  const order = numericCompare(low, high);
  checkArguments(
    count,
    [operand, low, high].some(numericIsNaN),
    !numericIsFinite(low) || !numericIsFinite(high),
    order === 0,
  );
  const fromLow = numericCompare(operand, low);
  const fromHigh = numericCompare(operand, high);
  if (order < 0 ? fromLow < 0 : fromLow > 0) return 0;
  if (order < 0 ? fromHigh >= 0 : fromHigh <= 0) return checkInt4(count + 1);
  const buckets = numericFromNumber(count);
  const quotient = numericDivide(numericMultiply(numericSubtract(operand, low), buckets), numericSubtract(high, low));
  // Where the quotient is rounded up to the whole count, the value counts as behind the last bucket, as in PostgreSQL 15.
  return numericToNumber(numericFloor(numericAdd(quotient, Numeric.one)));
}

/** How many thresholds of a sorted array are not above the operand. */
function thresholdBucket(site: CallSite): Callable {
  const element = site.argTypes[1].element as SqlType;
  const { compare } = operationsOf(element);
  if (compare === undefined) {
    throw new SqlError(
      sqlstate.undefinedFunction,
      `could not identify a comparison function for type ${element.display}`,
    );
  }
  return (operand: Value, thresholds: readonly Value[]) => {
    if (dimensionCount(thresholds, element) > 1) {
      throw new SqlError(sqlstate.arraySubscriptError, "thresholds must be one-dimensional array");
    }
    if (thresholds.includes(null)) {
      throw new SqlError(sqlstate.nullValueNotAllowed, "thresholds array must not contain NULLs");
    }
    let low = 0;
    let high = thresholds.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compare(operand, thresholds[middle]) < 0) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}

const common = {
  kind: "scalar",
  name: "width_bucket",
  returns: "int4",
  volatility: "immutable",
  strict: true,
} as const;

export const widthBucketFunctions: readonly ScalarFunction[] = [
  { ...common, args: ["float8", "float8", "float8", "int4"], call: floatBucket },
  { ...common, args: ["numeric", "numeric", "numeric", "int4"], call: numericBucket },
  { ...common, args: ["anycompatible", "anycompatiblearray"], specialize: thresholdBucket },
];
