/**
 * Type interval: months, days and microseconds kept apart. For comparison a month has 30 days and a day 24 hours.
 * Source: PostgreSQL 15, 8.5.4 "Interval Input", 8.5.5 "Interval Output".
 */
import type { TypeContext, TypeOperations } from "../operations.js";
import type { Interval } from "../value.js";
import { tryRead } from "./host.js";
import { normalize } from "./int64.js";
import { applyIntervalModifier, rangeOfTypmod } from "./interval-modifier.js";
import { readInterval } from "./read-interval.js";
import { microsecondsPerDay } from "./timestamp-value.js";
import { intervalText } from "./write.js";

/** Days in which the product with microseconds a day is a safe integer, with room for the time. */
const safeSpanDays = 50_000;

/** An interval as one count of microseconds, months as 30 days; equal intervals have equal spans. */
function intervalSpan({ months, days, microseconds }: Interval): number | bigint {
  const total = months * 30 + days;
  if (typeof microseconds === "number" && total < safeSpanDays && total > -safeSpanDays) {
    const span = total * microsecondsPerDay + microseconds;
    if (Number.isSafeInteger(span)) return span;
  }
  return normalize(BigInt(total) * BigInt(microsecondsPerDay) + BigInt(microseconds));
}

/** By length, a month as 30 days and a day as 24 hours, as PostgreSQL compares. */
function compareIntervals(a: Interval, b: Interval): number {
  const first = intervalSpan(a);
  const second = intervalSpan(b);
  return first < second ? -1 : first > second ? 1 : 0;
}

function read(text: string, typmod: number): Interval {
  return applyIntervalModifier(readInterval(text, rangeOfTypmod(typmod)), typmod);
}

export const intervalOperations: TypeOperations = {
  input: (text: string, typmod: number, _context: TypeContext) => read(text, typmod),
  output: (value) => intervalText(value as Interval),
  compare: (a, b) => compareIntervals(a as Interval, b as Interval),
  key: (value) => intervalSpan(value as Interval),
  fromHost: (value, typmod) => (typeof value === "string" ? tryRead(() => read(value, typmod)) : undefined),
  toHost: (value) => intervalText(value as Interval),
};
