/**
 * Variance and standard deviation: exact over integers and numeric, by running sums of squares over floats (the method
 * of Youngs and Cramer, which PostgreSQL uses, so that the last digits agree); avg over floats, which shares it.
 */
import { floatOverflow } from "../../types/float.js";
import {
  coefficientOf,
  Numeric,
  numericAdd,
  numericDivide,
  numericFromNumber,
  numericMultiply,
  numericSignum,
  numericSubtract,
  powerOfTen,
} from "../../types/numeric.js";
import { integerSquareRoot } from "../../types/numeric-math.js";
import type { TypeName } from "../../types/type.js";
import type { Accumulator, AggregateFunction } from "../function.js";
import { simpleAggregate } from "./simple.js";

type Measure = "var_pop" | "var_samp" | "stddev_pop" | "stddev_samp";

/** Running state over floats: count, sum, sum of squared distances from the mean. */
interface FloatMoments {
  n: number;
  sum: number;
  squares: number;
}

const isInfinite = (value: number): boolean => value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY;

function floatMoments(final: (state: FloatMoments) => number | null): Accumulator<FloatMoments> {
  return {
    init: () => ({ n: 0, sum: 0, squares: 0 }),
    step(state, argument) {
      const value = argument as number;
      const before = state.n;
      const sumBefore = state.sum;
      state.n = before + 1;
      state.sum += value;
      if (before > 0) {
        const distance = value * state.n - state.sum;
        state.squares += (distance * distance) / (state.n * before);
        if (isInfinite(state.sum) || isInfinite(state.squares)) {
          if (!isInfinite(sumBefore) && !isInfinite(value)) throw floatOverflow();
          state.squares = Number.NaN;
        }
      } else if (!Number.isFinite(value)) state.squares = Number.NaN; // no distance from an infinite mean
      return state;
    },
    final,
  };
}

const floatAverage = floatMoments((state) => (state.n === 0 ? null : state.sum / state.n));

function floatMeasure(measure: Measure): Accumulator<FloatMoments> {
  const sample = measure.endsWith("samp");
  const root = measure.startsWith("stddev");
  return floatMoments((state) => {
    const divisor = sample ? state.n - 1 : state.n;
    if (divisor <= 0) return null;
    const variance = state.squares / divisor;
    return root ? Math.sqrt(variance) : variance;
  });
}

/** Exact state: count, sum, sum of squares; values that are not finite are only counted. */
interface ExactMoments {
  n: number;
  sum: Numeric;
  squares: Numeric;
  special: number;
  scale: number;
  withScale: number;
}

function exactMeasure(measure: Measure, toNumeric: (value: unknown) => Numeric): Accumulator<ExactMoments> {
  const sample = measure.endsWith("samp");
  const root = measure.startsWith("stddev");
  return {
    init: () => ({ n: 0, sum: Numeric.zero, squares: Numeric.zero, special: 0, scale: 0, withScale: 0 }),
    step(state, argument) {
      const value = toNumeric(argument);
      state.n++;
      if (value.special !== 0) {
        state.special++;
        return state;
      }
      state.sum = numericAdd(state.sum, value);
      state.squares = numericAdd(state.squares, numericMultiply(value, value));
      if (value.scale > state.scale) {
        state.scale = value.scale;
        state.withScale = 1;
      } else if (value.scale === state.scale) state.withScale++;
      return state;
    },
    final(state) {
      if (state.n === 0 || (sample && state.n === 1)) return null;
      return state.special > 0 ? Numeric.nan : exactResult(state, sample, root);
    },
    unstep(state, argument) {
      const value = toNumeric(argument);
      if (value.special === 0) {
        // the scale that remains would not be known
        if (value.scale === state.scale && state.scale > 0 && --state.withScale === 0) return undefined;
        state.sum = numericSubtract(state.sum, value);
        state.squares = numericSubtract(state.squares, numericMultiply(value, value));
      } else state.special--;
      state.n--;
      return state;
    },
  };
}

/** (n·Σx² - (Σx)²) / (n·(n - 1)), or n² for a whole population. */
function exactResult(state: ExactMoments, sample: boolean, root: boolean): Numeric {
  const n = numericFromNumber(state.n);
  const numerator = numericSubtract(numericMultiply(n, state.squares), numericMultiply(state.sum, state.sum));
  if (numericSignum(numerator) <= 0) return Numeric.zero;
  const divisor = numericMultiply(n, numericFromNumber(sample ? state.n - 1 : state.n));
  const variance = numericDivide(numerator, divisor);
  return root ? rootAtSameScale(variance) : variance;
}

/** The root is shown with as many decimals as the variance, unlike that of sqrt(). */
function rootAtSameScale(value: Numeric): Numeric {
  const scaled = coefficientOf(value) * powerOfTen(value.scale);
  const root = integerSquareRoot(scaled);
  return Numeric.of(scaled - root * root > root ? root + 1n : root, value.scale);
}

const fromInteger = (value: unknown): Numeric => numericFromNumber(value as number | bigint);
const fromNumeric = (value: unknown): Numeric => value as Numeric;

/** SQL names of the measures; `variance` and `stddev` are the sample's. */
const names: readonly [string, Measure][] = [
  ["var_pop", "var_pop"],
  ["var_samp", "var_samp"],
  ["variance", "var_samp"],
  ["stddev_pop", "stddev_pop"],
  ["stddev_samp", "stddev_samp"],
  ["stddev", "stddev_samp"],
];
const integers: readonly TypeName[] = ["int2", "int4", "int8"];
const floats: readonly TypeName[] = ["float4", "float8"];

export const statisticsAggregates: readonly AggregateFunction[] = [
  simpleAggregate("avg", ["float4"], "float8", floatAverage),
  simpleAggregate("avg", ["float8"], "float8", floatAverage),
  ...names.flatMap(([name, measure]) => [
    ...integers.map((type) => simpleAggregate(name, [type], "numeric", exactMeasure(measure, fromInteger))),
    simpleAggregate(name, ["numeric"], "numeric", exactMeasure(measure, fromNumeric)),
    ...floats.map((type) => simpleAggregate(name, [type], "float8", floatMeasure(measure))),
  ]),
];
