/**
 * Timestamps as days and microseconds of the day. Both parts are small whole numbers, so that arithmetic is exact
 * without bigint, although a timestamp far from 1970 is one.
 */
import { daysToPostgresEpoch, julianOfEpoch } from "./calendar.js";
import { outOfRange } from "./errors.js";
import { type Int64, normalize } from "./int64.js";

export const microsecondsPerSecond = 1_000_000;
export const microsecondsPerMinute = 60_000_000;
export const microsecondsPerHour = 3_600_000_000;
export const microsecondsPerDay = 86_400_000_000;
export const secondsPerDay = 86_400;

/** First day of dates and timestamps: Julian day 0, 24 November 4714 BC. */
export const firstDay = -julianOfEpoch;
/** The day after the last one of timestamps, 294277-01-01. */
export const endOfTimestampDays = 109_203_528 - julianOfEpoch;
/** The day after the last one of dates, 5874898-01-01. */
export const endOfDateDays = 2_147_483_494 - julianOfEpoch;

/** Below this many days the product with {@link microsecondsPerDay} is a safe integer. */
const safeDays = 104_000;

/** Days since 1970-01-01, and microseconds since that day's midnight (0 to 24 hours, 24 excluded). */
export interface DayAndTime {
  readonly days: number;
  readonly microseconds: number;
}

/** Whether the value is `infinity` or `-infinity`. */
export function isInfinite(value: Int64): boolean {
  return value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY;
}

/** The parts of a finite timestamp. */
export function splitTimestamp(value: Int64): DayAndTime {
  if (typeof value === "number") {
    let days = Math.floor(value / microsecondsPerDay);
    let microseconds = value - days * microsecondsPerDay;
    if (microseconds < 0) {
      days--;
      microseconds += microsecondsPerDay;
    } else if (microseconds >= microsecondsPerDay) {
      days++;
      microseconds -= microsecondsPerDay;
    }
    return { days, microseconds };
  }
  const unit = BigInt(microsecondsPerDay);
  let days = value / unit;
  let rest = value % unit;
  if (rest < 0n) {
    days--;
    rest += unit;
  }
  return { days: Number(days), microseconds: Number(rest) };
}

/** The timestamp of its parts; the microseconds may lie outside the day. @throws SqlError 22008 */
export function joinTimestamp(days: number, microseconds: number, text?: string): Int64 {
  let day = days;
  let rest = microseconds;
  if (rest < 0 || rest >= microsecondsPerDay) {
    const carry = Math.floor(rest / microsecondsPerDay);
    day += carry;
    rest -= carry * microsecondsPerDay;
  }
  if (!(day >= firstDay && day < endOfTimestampDays)) throw outOfRange("timestamp", text);
  if (day < safeDays && day > -safeDays) return day * microsecondsPerDay + rest;
  return BigInt(day) * BigInt(microsecondsPerDay) + BigInt(rest);
}

/** The same instant when it is within the range of timestamps. @throws SqlError 22008 */
export function checkTimestamp(value: Int64): Int64 {
  if (typeof value === "number") return value;
  const { days } = splitTimestamp(value);
  if (!(days >= firstDay && days < endOfTimestampDays)) throw outOfRange("timestamp");
  return value;
}

/** A finite timestamp moved by microseconds. @throws SqlError 22008 */
export function moveTimestamp(value: Int64, microseconds: Int64): Int64 {
  if (typeof value === "number" && typeof microseconds === "number") {
    const moved = value + microseconds;
    if (Number.isSafeInteger(moved)) return moved;
  }
  // Not checked against int64: PostgreSQL counts from 2000, so that its last timestamps are beyond int64 from 1970.
  return checkTimestamp(normalize(BigInt(value) + BigInt(microseconds)));
}

/** Whole seconds since 1970 of a finite timestamp, rounded down. */
export function secondsOf(value: Int64): number {
  if (typeof value === "number") return Math.floor(value / microsecondsPerSecond);
  const { days, microseconds } = splitTimestamp(value);
  return days * secondsPerDay + Math.floor(microseconds / microsecondsPerSecond);
}

/** A finite timestamp moved by some seconds, without a check of the range. */
export function shiftSeconds(value: Int64, seconds: number): Int64 {
  if (typeof value === "number") {
    const moved = value + seconds * microsecondsPerSecond;
    if (Number.isSafeInteger(moved)) return moved;
  }
  const moved = BigInt(value) + BigInt(seconds) * 1_000_000n;
  const number = Number(moved);
  return Number.isSafeInteger(number) ? number : moved;
}

const scales = [1_000_000, 100_000, 10_000, 1_000, 100, 10, 1];

/** Microseconds in one unit of a precision of 0 to 6 digits. */
export function scaleOfPrecision(precision: number): number {
  return scales[precision];
}

/** A timestamp rounded to a precision; ties go away from 2000-01-01, as in PostgreSQL. */
export function roundTimestamp(value: Int64, precision: number): Int64 {
  if (precision < 0 || precision >= 6 || isInfinite(value)) return value;
  const { days, microseconds } = splitTimestamp(value);
  const scale = scales[precision];
  const rest = microseconds % scale;
  if (rest === 0) return value;
  const up = days >= daysToPostgresEpoch ? rest * 2 >= scale : rest * 2 > scale;
  return joinTimestamp(days, microseconds - rest + (up ? scale : 0));
}

/** Microseconds of a day rounded to a precision, ties up; 24:00 may come out. */
export function roundTime(microseconds: number, precision: number): number {
  if (precision < 0 || precision >= 6) return microseconds;
  const scale = scales[precision];
  const moved = microseconds + scale / 2;
  return moved - (moved % scale);
}
