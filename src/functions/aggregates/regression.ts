/** corr, covar_pop, covar_samp and the regr_ functions: aggregates of pairs (y, x). Source: PostgreSQL 15, 9.21. */
import { floatOverflow } from "../../types/float.js";
import type { Accumulator, AggregateFunction } from "../function.js";
import { simpleAggregate } from "./simple.js";

/** Count, sums, and sums of squared distances from the means, updated value by value (Youngs and Cramer). */
interface Pairs {
  n: number;
  sumX: number;
  sumXX: number;
  sumY: number;
  sumYY: number;
  sumXY: number;
}

const isInfinite = (value: number): boolean => value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY;

function addPair(state: Pairs, y: number, x: number): Pairs {
  const before = state.n;
  const { sumX: sumXBefore, sumY: sumYBefore } = state;
  state.n = before + 1;
  state.sumX += x;
  state.sumY += y;
  if (before === 0) {
    if (!Number.isFinite(x)) state.sumXX = state.sumXY = Number.NaN;
    if (!Number.isFinite(y)) state.sumYY = state.sumXY = Number.NaN;
    return state;
  }
  const distanceX = x * state.n - state.sumX;
  const distanceY = y * state.n - state.sumY;
  const scale = 1 / (state.n * before);
  state.sumXX += distanceX * distanceX * scale;
  state.sumYY += distanceY * distanceY * scale;
  state.sumXY += distanceX * distanceY * scale;
  const { sumX, sumXX, sumY, sumYY, sumXY } = state;
  if ([sumX, sumXX, sumY, sumYY, sumXY].some(isInfinite)) {
    const finiteX = !isInfinite(sumXBefore) && !isInfinite(x);
    const finiteY = !isInfinite(sumYBefore) && !isInfinite(y);
    if (
      ((isInfinite(sumX) || isInfinite(sumXX)) && finiteX) ||
      ((isInfinite(sumY) || isInfinite(sumYY)) && finiteY) ||
      (isInfinite(sumXY) && finiteX && finiteY)
    )
      throw floatOverflow();
    if (isInfinite(sumXX)) state.sumXX = Number.NaN;
    if (isInfinite(sumYY)) state.sumYY = Number.NaN;
    if (isInfinite(sumXY)) state.sumXY = Number.NaN;
  }
  return state;
}

/** NULL for fewer than `least` pairs. */
function overPairs(name: string, least: number, final: (pairs: Pairs) => number | null): AggregateFunction {
  const accumulator: Accumulator<Pairs> = {
    init: () => ({ n: 0, sumX: 0, sumXX: 0, sumY: 0, sumYY: 0, sumXY: 0 }),
    step: (state, y, x) => addPair(state, y as number, x as number),
    final: (state) => (state.n < least ? null : final(state)),
  };
  return simpleAggregate(name, ["float8", "float8"], "float8", accumulator);
}

const countPairs: Accumulator<number> = {
  init: () => 0,
  step: (count) => count + 1,
  final: (count) => count,
  unstep: (count) => count - 1,
};

export const regressionAggregates: readonly AggregateFunction[] = [
  overPairs("covar_pop", 1, (pairs) => pairs.sumXY / pairs.n),
  overPairs("covar_samp", 2, (pairs) => pairs.sumXY / (pairs.n - 1)),
  overPairs("corr", 1, ({ sumXX, sumYY, sumXY }) =>
    sumXX === 0 || sumYY === 0 ? null : sumXY / Math.sqrt(sumXX * sumYY),
  ),
  simpleAggregate("regr_count", ["float8", "float8"], "int8", countPairs),
  overPairs("regr_sxx", 1, (pairs) => pairs.sumXX),
  overPairs("regr_syy", 1, (pairs) => pairs.sumYY),
  overPairs("regr_sxy", 1, (pairs) => pairs.sumXY),
  overPairs("regr_avgx", 1, (pairs) => pairs.sumX / pairs.n),
  overPairs("regr_avgy", 1, (pairs) => pairs.sumY / pairs.n),
  overPairs("regr_r2", 1, ({ sumXX, sumYY, sumXY }) =>
    sumXX === 0 ? null : sumYY === 0 ? 1 : (sumXY * sumXY) / (sumXX * sumYY),
  ),
  overPairs("regr_slope", 1, ({ sumXX, sumXY }) => (sumXX === 0 ? null : sumXY / sumXX)),
  overPairs("regr_intercept", 1, ({ n, sumX, sumY, sumXX, sumXY }) =>
    sumXX === 0 ? null : (sumY - (sumX * sumXY) / sumXX) / n,
  ),
];
