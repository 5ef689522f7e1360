/**
 * Arithmetic of intervals: sums, products, and moving days into months or hours into days.
 * Source: PostgreSQL 15, 9.9 "Date/Time Functions and Operators", and the answers of a server.
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type { Interval } from "../value.js";
import { outOfRange } from "./errors.js";
import { add, divideTruncated, fromDouble, type Int64, negate, roundHalfEven, subtract } from "./int64.js";
import { microsecondsPerDay, secondsPerDay } from "./timestamp-value.js";

const maxInt32 = 2_147_483_647;
const minInt32 = -2_147_483_648;

/** An interval of its parts. @throws SqlError 22008 when one is out of range */
export function intervalOf(months: number, days: number, microseconds: Int64 | undefined): Interval {
  const fits = months <= maxInt32 && months >= minInt32 && days <= maxInt32 && days >= minInt32;
  if (!fits || microseconds === undefined) throw outOfRange("interval");
  return { months: months + 0, days: days + 0, microseconds };
}

/** Field by field. @throws SqlError 22008 when a field overflows */
export function addIntervals(a: Interval, b: Interval): Interval {
  return intervalOf(a.months + b.months, a.days + b.days, add(a.microseconds, b.microseconds));
}

/** Field by field. @throws SqlError 22008 when a field overflows */
export function subtractIntervals(a: Interval, b: Interval): Interval {
  return intervalOf(a.months - b.months, a.days - b.days, subtract(a.microseconds, b.microseconds));
}

/** Field by field. @throws SqlError 22008 when a field overflows */
export function negateInterval({ months, days, microseconds }: Interval): Interval {
  return intervalOf(0 - months, 0 - days, negate(microseconds));
}

/** Rounded to microseconds of the unit, as PostgreSQL does between steps so that 0.1 does not become 0.0999…. */
function roundToMicro(value: number): number {
  return roundHalfEven(value * 1_000_000) / 1_000_000;
}

/** The part of months and days that is no whole number flows down into days and time. */
function scaleInterval(interval: Interval, scale: (part: number) => number): Interval {
  const exactMonths = scale(interval.months);
  const exactDays = scale(interval.days);
  // Written so that NaN and infinity are refused as well.
  if (!(exactMonths <= maxInt32 && exactMonths >= minInt32 && exactDays <= maxInt32 && exactDays >= minInt32))
    throw outOfRange("interval");
  const months = Math.trunc(exactMonths);
  let days = Math.trunc(exactDays);
  const monthRemainder = roundToMicro((exactMonths - months) * 30);
  let seconds = roundToMicro((exactDays - days + monthRemainder - Math.trunc(monthRemainder)) * secondsPerDay);
  if (Math.abs(seconds) >= secondsPerDay) {
    const whole = Math.trunc(seconds / secondsPerDay);
    days += whole;
    seconds -= whole * secondsPerDay;
  }
  days += Math.trunc(monthRemainder);
  return intervalOf(months, days, fromDouble(scale(Number(interval.microseconds)) + seconds * 1_000_000));
}

/** @throws SqlError 22008 when a field overflows, or the factor is NaN or infinite */
export function multiplyInterval(interval: Interval, factor: number): Interval {
  return scaleInterval(interval, (part) => part * factor);
}

/** @throws SqlError 22012, 22008 */
export function divideInterval(interval: Interval, divisor: number): Interval {
  if (divisor === 0) throw new SqlError(sqlstate.divisionByZero, "division by zero");
  return scaleInterval(interval, (part) => part / divisor);
}

/** Whole days out of the time part; both get the same sign. */
export function justifyHours({ months, days, microseconds }: Interval): Interval {
  const { quotient, remainder } = divideTruncated(microseconds, microsecondsPerDay);
  const [day, rest] = sameSign(days + quotient, remainder, microsecondsPerDay);
  return intervalOf(months, day, rest);
}

/** Whole months (30 days) out of the days; both get the same sign. */
export function justifyDays({ months, days, microseconds }: Interval): Interval {
  const whole = Math.trunc(days / 30);
  const [month, day] = sameSign(months + whole, days - whole * 30, 30);
  return intervalOf(month, day, microseconds);
}

/** Both of the above, all parts with one sign. */
export function justifyInterval(interval: Interval): Interval {
  const { quotient, remainder } = divideTruncated(interval.microseconds, microsecondsPerDay);
  let days = interval.days + quotient;
  const whole = Math.trunc(days / 30);
  let months = interval.months + whole;
  days -= whole * 30;
  if (months > 0 && (days < 0 || (days === 0 && remainder < 0))) {
    days += 30;
    months--;
  } else if (months < 0 && (days > 0 || (days === 0 && remainder > 0))) {
    days -= 30;
    months++;
  }
  const [day, rest] = sameSign(days, remainder, microsecondsPerDay);
  return intervalOf(months, day, rest);
}

/** Moves one unit of the larger part into the smaller when their signs differ. */
function sameSign(large: number, small: number, unit: number): [number, number] {
  if (large > 0 && small < 0) return [large - 1, small + unit];
  if (large < 0 && small > 0) return [large + 1, small - unit];
  return [large, small];
}
