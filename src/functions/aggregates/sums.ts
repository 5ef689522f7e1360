/**
 * sum and avg, with PostgreSQL's result types: sums of integers are one size larger and exact, averages of integers and
 * of numeric are numeric, float sums are added in the order the rows come. Source: PostgreSQL 15, 9.21.
 */
import { floatOverflow } from "../../types/float.js";
import { Numeric, numericAdd, numericDivide, numericFromNumber, numericSubtract } from "../../types/numeric.js";
import type { Accumulator, AggregateFunction } from "../function.js";
import { narrow } from "./counting.js";
import { simpleAggregate } from "./simple.js";

/** An exact sum of integers: in `small` while that is safe, the rest in `large`. */
export interface IntegerSum {
  rows: number;
  small: number;
  large: bigint;
}

/** Adds (or takes out, when negated) an integer of any size. */
function addInteger(sum: IntegerSum, value: number | bigint): void {
  if (typeof value === "number") {
    const next = sum.small + value;
    if (Number.isSafeInteger(next)) {
      sum.small = next;
      return;
    }
  }
  sum.large += BigInt(sum.small) + BigInt(value);
  sum.small = 0;
}

function integerTotal(sum: IntegerSum): number | bigint {
  return sum.large === 0n ? sum.small : narrow(sum.large + BigInt(sum.small));
}

function integerAccumulator(final: (sum: IntegerSum) => unknown): Accumulator<IntegerSum> {
  return {
    init: () => ({ rows: 0, small: 0, large: 0n }),
    step(sum, value) {
      sum.rows++;
      addInteger(sum, value as number | bigint);
      return sum;
    },
    final: (sum) => (sum.rows === 0 ? null : final(sum)),
    unstep(sum, value) {
      sum.rows--;
      addInteger(sum, -(value as number));
      return sum;
    },
  };
}

const integerSum = integerAccumulator(integerTotal);
const integerSumAsNumeric = integerAccumulator((sum) => numericFromNumber(integerTotal(sum)));
const integerAverage = integerAccumulator((sum) =>
  numericDivide(numericFromNumber(integerTotal(sum)), numericFromNumber(sum.rows)),
);

/** A sum of decimals. NaN and the infinities are counted apart, so that they can leave a window frame again. */
export interface NumericSum {
  rows: number;
  /** Of the finite values. */
  total: Numeric;
  nan: number;
  infinite: number;
  negativeInfinite: number;
  /** Largest scale among the finite values, and how many have it: the sum shows that scale. */
  scale: number;
  withScale: number;
}

function addNumeric(sum: NumericSum, value: Numeric): NumericSum {
  sum.rows++;
  if (value.special === 0) {
    sum.total = numericAdd(sum.total, value);
    if (value.scale > sum.scale) {
      sum.scale = value.scale;
      sum.withScale = 1;
    } else if (value.scale === sum.scale) sum.withScale++;
  } else if (value.special === 2) sum.nan++;
  else if (value.special === 1) sum.infinite++;
  else sum.negativeInfinite++;
  return sum;
}

/** `undefined` when the last value of the largest scale leaves: what scale remains is not known then. */
function removeNumeric(sum: NumericSum, value: Numeric): NumericSum | undefined {
  if (value.special === 0) {
    if (value.scale === sum.scale && sum.scale > 0 && --sum.withScale === 0) return undefined;
    sum.total = numericSubtract(sum.total, value);
  } else if (value.special === 2) sum.nan--;
  else if (value.special === 1) sum.infinite--;
  else sum.negativeInfinite--;
  sum.rows--;
  return sum;
}

function numericTotal(sum: NumericSum): Numeric {
  if (sum.nan > 0 || (sum.infinite > 0 && sum.negativeInfinite > 0)) return Numeric.nan;
  if (sum.infinite > 0) return Numeric.infinity;
  if (sum.negativeInfinite > 0) return Numeric.negativeInfinity;
  return sum.total;
}

function numericAccumulator(final: (sum: NumericSum) => Numeric): Accumulator<NumericSum> {
  return {
    init: () => ({
      rows: 0,
      total: Numeric.zero,
      nan: 0,
      infinite: 0,
      negativeInfinite: 0,
      scale: 0,
      withScale: 0,
    }),
    step: (sum, value) => addNumeric(sum, value as Numeric),
    final: (sum) => (sum.rows === 0 ? null : final(sum)),
    unstep: (sum, value) => removeNumeric(sum, value as Numeric),
  };
}

const numericSum = numericAccumulator(numericTotal);
const numericAverage = numericAccumulator((sum) => numericDivide(numericTotal(sum), numericFromNumber(sum.rows)));

/** Sums of float4 are rounded to single precision at every step. */
function floatSum(round: (value: number) => number): Accumulator<number | null> {
  return {
    init: () => null,
    step(sum, value) {
      const added = value as number;
      if (sum === null) return added;
      const next = round(sum + added);
      if (Math.abs(next) === Number.POSITIVE_INFINITY && Number.isFinite(sum) && Number.isFinite(added))
        throw floatOverflow();
      return next;
    },
    final: (sum) => sum,
  };
}

export const sumAggregates: readonly AggregateFunction[] = [
  simpleAggregate("sum", ["int2"], "int8", integerSum),
  simpleAggregate("sum", ["int4"], "int8", integerSum),
  simpleAggregate("sum", ["int8"], "numeric", integerSumAsNumeric),
  simpleAggregate("sum", ["numeric"], "numeric", numericSum),
  simpleAggregate("sum", ["float4"], "float4", floatSum(Math.fround)),
  simpleAggregate(
    "sum",
    ["float8"],
    "float8",
    floatSum((value) => value),
  ),
  simpleAggregate("avg", ["int2"], "numeric", integerAverage),
  simpleAggregate("avg", ["int4"], "numeric", integerAverage),
  simpleAggregate("avg", ["int8"], "numeric", integerAverage),
  simpleAggregate("avg", ["numeric"], "numeric", numericAverage),
];
