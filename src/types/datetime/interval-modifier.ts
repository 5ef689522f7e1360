/**
 * Modifiers of type interval: which fields are kept (`INTERVAL YEAR TO MONTH`) and how many decimals of seconds.
 * The encoding is PostgreSQL's (atttypmod): fields in the upper half as bits, precision in the lower.
 * Source: PostgreSQL 15, 8.5.4 "Interval Input".
 */
import type { Interval } from "../value.js";
import { normalize, roundToMultiple } from "./int64.js";
import { microsecondsPerHour, microsecondsPerMinute, scaleOfPrecision } from "./timestamp-value.js";

/** Bits of the fields in a modifier. */
export const intervalField = {
  month: 1 << 1,
  year: 1 << 2,
  day: 1 << 3,
  hour: 1 << 10,
  minute: 1 << 11,
  second: 1 << 12,
} as const;

const { year, month, day, hour, minute, second } = intervalField;
/** All fields: no restriction. */
export const fullRange = 0x7fff;
const fullPrecision = 0xffff;

/** The typmod of `INTERVAL <fields> (precision)`; either may be left out. */
export function intervalTypmod(range: number = fullRange, precision: number = fullPrecision): number {
  if (range === fullRange && precision === fullPrecision) return -1;
  return ((range & 0x7fff) << 16) | (precision & 0xffff);
}

/** The fields that a typmod keeps. */
export function rangeOfTypmod(typmod: number): number {
  return typmod < 0 ? fullRange : (typmod >> 16) & 0x7fff;
}

const names: ReadonlyMap<number, string> = new Map([
  [year, "year"],
  [month, "month"],
  [day, "day"],
  [hour, "hour"],
  [minute, "minute"],
  [second, "second"],
  [year | month, "year to month"],
  [day | hour, "day to hour"],
  [day | hour | minute, "day to minute"],
  [day | hour | minute | second, "day to second"],
  [hour | minute, "hour to minute"],
  [hour | minute | second, "hour to second"],
  [minute | second, "minute to second"],
]);

/** As format_type writes the modifier: `interval day to second(3)`. */
export function displayInterval(typmod: number): string {
  if (typmod < 0) return "interval";
  const range = names.get(rangeOfTypmod(typmod));
  const precision = typmod & 0xffff;
  return `interval${range === undefined ? "" : ` ${range}`}${precision === fullPrecision ? "" : `(${precision})`}`;
}

/** The interval cut to the fields of a typmod and rounded to its precision. */
export function applyIntervalModifier(interval: Interval, typmod: number): Interval {
  if (typmod < 0) return interval;
  let { months, days, microseconds } = interval;
  const keepTo = (unit: number): void => {
    microseconds =
      typeof microseconds === "number"
        ? microseconds - (microseconds % unit) + 0
        : normalize(microseconds - (microseconds % BigInt(unit)));
  };
  switch (rangeOfTypmod(typmod)) {
    case year:
      months = Math.trunc(months / 12) * 12 + 0;
      days = 0;
      microseconds = 0;
      break;
    case month:
    case year | month:
      days = 0;
      microseconds = 0;
      break;
    case day:
      microseconds = 0;
      break;
    case hour:
    case day | hour:
      keepTo(microsecondsPerHour);
      break;
    case minute:
    case hour | minute:
    case day | hour | minute:
      keepTo(microsecondsPerMinute);
      break;
    default:
      break;
  }
  const precision = typmod & 0xffff;
  if (precision < 6) microseconds = roundToMultiple(microseconds, scaleOfPrecision(precision));
  return { months, days, microseconds };
}
