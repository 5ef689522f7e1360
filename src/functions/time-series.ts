/** generate_series over timestamps, by steps of an interval that are added one after the other. Source: PostgreSQL 15, 9.25. */
import { addIntervalToTimestamp, addIntervalToTimestamptz } from "../types/datetime/arithmetic.js";
import { operationsOf } from "../types/families.js";
import { types } from "../types/type.js";
import type { Interval, Value } from "../types/value.js";
import type { CallSite, SetReturningFunction } from "./function.js";
import { zeroStep } from "./sets.js";

type Instant = number | bigint;

function* series(
  start: Instant,
  stop: Instant,
  step: Interval,
  advance: (value: Instant, step: Interval) => Instant,
): Iterable<Value> {
  const compare = operationsOf(types.interval).compare as (a: Value, b: Value) => number;
  const direction = compare(step, { months: 0, days: 0, microseconds: 0 });
  if (direction === 0) throw zeroStep();
  for (let value = start; direction > 0 ? value <= stop : value >= stop; value = advance(value, step)) {
    yield value;
    if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) return; // it would not move on
  }
}

function entry(type: "timestamp" | "timestamptz"): SetReturningFunction {
  return {
    kind: "set",
    name: "generate_series",
    args: [type, type, "interval"],
    returns: type,
    volatility: type === "timestamp" ? "immutable" : "stable",
    strict: true,
    specialize({ session }: CallSite) {
      const advance =
        type === "timestamp"
          ? addIntervalToTimestamp
          : (value: Instant, step: Interval) => addIntervalToTimestamptz(value, step, session.timeZone);
      return (start, stop, step) => series(start as Instant, stop as Instant, step as Interval, advance);
    },
  };
}

export const timeSeries: readonly SetReturningFunction[] = [entry("timestamp"), entry("timestamptz")];
