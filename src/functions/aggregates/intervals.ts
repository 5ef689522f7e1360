/** sum, avg and percentile_cont of intervals. Source: PostgreSQL 15, 9.21. */
import {
  addIntervals,
  divideInterval,
  intervalOf,
  multiplyInterval,
  subtractIntervals,
} from "../../types/datetime/interval-arithmetic.js";
import type { Interval } from "../../types/value.js";
import type { Accumulator, AggregateFunction } from "../function.js";
import { continuous, percentileEntry } from "./ordered-set.js";
import { simpleAggregate } from "./simple.js";

interface IntervalSum {
  rows: number;
  total: Interval;
}

function overIntervals(final: (sum: IntervalSum) => Interval): Accumulator<IntervalSum> {
  return {
    init: () => ({ rows: 0, total: intervalOf(0, 0, 0) }),
    step(sum, value) {
      sum.rows++;
      sum.total = addIntervals(sum.total, value as Interval);
      return sum;
    },
    final: (sum) => (sum.rows === 0 ? null : final(sum)),
    unstep(sum, value) {
      sum.rows--;
      sum.total = subtractIntervals(sum.total, value as Interval);
      return sum;
    },
  };
}

const between = continuous((low, high, part) =>
  addIntervals(low as Interval, multiplyInterval(subtractIntervals(high as Interval, low as Interval), part)),
);

export const intervalAggregates: readonly AggregateFunction[] = [
  simpleAggregate(
    "sum",
    ["interval"],
    "interval",
    overIntervals((sum) => sum.total),
  ),
  simpleAggregate(
    "avg",
    ["interval"],
    "interval",
    overIntervals((sum) => divideInterval(sum.total, sum.rows)),
  ),
  percentileEntry("percentile_cont", "float8", "interval", "interval", between),
  percentileEntry("percentile_cont", "float8[]", "interval", "interval[]", between),
];
