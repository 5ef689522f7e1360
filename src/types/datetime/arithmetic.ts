/**
 * Arithmetic of dates, times and timestamps with intervals and with each other. An interval is added months first (the
 * day is cut to the month's end), then days, then time; for a timestamptz months and days are steps of the local clock.
 * Source: PostgreSQL 15, 9.9 "Date/Time Functions and Operators".
 */
import type { Interval, TimeWithZone } from "../value.js";
import { civilDate, dayNumber, daysInMonth } from "./calendar.js";
import { fromLocal } from "./convert.js";
import { checkDate } from "./date.js";
import { dateBeyondTimestamps, infiniteDifference, onlyTimestamps } from "./errors.js";
import { divideTruncated, type Int64, subtract } from "./int64.js";
import { intervalOf, justifyHours, negateInterval } from "./interval-arithmetic.js";
import { toLocal } from "./timestamp.js";
import {
  endOfTimestampDays,
  isInfinite,
  joinTimestamp,
  microsecondsPerDay,
  moveTimestamp,
  splitTimestamp,
} from "./timestamp-value.js";
import { type Zone, zoneOfSession } from "./zone.js";

/** The date moved by whole days. @throws SqlError 22008 */
export function shiftDate(days: number, by: number): number {
  return Number.isFinite(days) ? checkDate(days + by) : days;
}

/** Days from `b` to `a`. @throws SqlError 22008 for infinite dates */
export function subtractDates(a: number, b: number): number {
  if (!Number.isFinite(a) || !Number.isFinite(b)) throw infiniteDifference("dates");
  return a - b;
}

/** A day moved by months; 31 January and one month is the last of February. */
function shiftMonths(days: number, months: number): number {
  const { year, month, day } = civilDate(days);
  const total = year * 12 + month - 1 + months;
  const newYear = Math.floor(total / 12);
  const newMonth = total - newYear * 12 + 1;
  return dayNumber(newYear, newMonth, Math.min(day, daysInMonth(newYear, newMonth)));
}

/** timestamp + interval. @throws SqlError 22008 */
export function addIntervalToTimestamp(value: Int64, interval: Interval): Int64 {
  if (isInfinite(value)) return value;
  const { months, days, microseconds } = interval;
  if (months === 0 && days === 0) return moveTimestamp(value, microseconds);
  const parts = splitTimestamp(value);
  const day = (months === 0 ? parts.days : shiftMonths(parts.days, months)) + days;
  return moveTimestamp(joinTimestamp(day, parts.microseconds), microseconds);
}

/** timestamp - interval. @throws SqlError 22008 */
export function subtractIntervalFromTimestamp(value: Int64, interval: Interval): Int64 {
  return addIntervalToTimestamp(value, negateInterval(interval));
}

/** timestamptz + interval, months and days on the clock of a zone. @throws SqlError 22008 */
export function addIntervalToTimestamptz(value: Int64, interval: Interval, timeZone: string): Int64 {
  if (isInfinite(value)) return value;
  const { months, days, microseconds } = interval;
  let instant = value;
  if (months !== 0 || days !== 0) {
    const zone = zoneOfSession(timeZone);
    if (months !== 0) instant = onLocalClock(instant, zone, (day) => shiftMonths(day, months));
    if (days !== 0) instant = onLocalClock(instant, zone, (day) => day + days);
  }
  return moveTimestamp(instant, microseconds);
}

/** timestamptz - interval. @throws SqlError 22008 */
export function subtractIntervalFromTimestamptz(value: Int64, interval: Interval, timeZone: string): Int64 {
  return addIntervalToTimestamptz(value, negateInterval(interval), timeZone);
}

function onLocalClock(value: Int64, zone: Zone, move: (days: number) => number): Int64 {
  const { days, microseconds } = splitTimestamp(toLocal(value, zone));
  return fromLocal(joinTimestamp(move(days), microseconds), zone);
}

/** date ± interval is a timestamp. @throws SqlError 22008 */
export function addIntervalToDate(days: number, interval: Interval): Int64 {
  return addIntervalToTimestamp(midnight(days, 0), interval);
}

/** date + time. @throws SqlError 22008 */
export function addTimeToDate(days: number, microseconds: number): Int64 {
  return midnight(days, microseconds);
}

/** date + timetz: an instant. @throws SqlError 22008 */
export function addTimetzToDate(days: number, time: TimeWithZone): Int64 {
  return onlyTimestamps(() => midnight(days, time.microseconds - time.offsetSeconds * 1_000_000));
}

function midnight(days: number, microseconds: number): Int64 {
  if (!Number.isFinite(days)) return days;
  if (days >= endOfTimestampDays) throw dateBeyondTimestamps();
  return joinTimestamp(days, microseconds);
}

/** The interval from `b` to `a`, in days and time. @throws SqlError 22008 */
export function subtractTimestamps(a: Int64, b: Int64): Interval {
  if (isInfinite(a) || isInfinite(b)) throw infiniteDifference("timestamps");
  return justifyHours(intervalOf(0, 0, subtract(a, b)));
}

/** time ± interval: only the interval's time counts, and the clock wraps at midnight. */
export function addIntervalToTime(time: number, { microseconds }: Interval, sign: 1 | -1 = 1): number {
  const { remainder } = divideTruncated(microseconds, microsecondsPerDay);
  const sum = (time + sign * remainder) % microsecondsPerDay;
  return (sum < 0 ? sum + microsecondsPerDay : sum) + 0;
}

export function addIntervalToTimetz(time: TimeWithZone, interval: Interval, sign: 1 | -1 = 1): TimeWithZone {
  return { ...time, microseconds: addIntervalToTime(time.microseconds, interval, sign) };
}

/** time - time */
export function subtractTimes(a: number, b: number): Interval {
  return { months: 0, days: 0, microseconds: a - b };
}

interface Clock {
  year: number;
  month: number;
  day: number;
  microseconds: number;
}

function clockOf(value: Int64): Clock {
  const { days, microseconds } = splitTimestamp(value);
  return { ...civilDate(days), microseconds };
}

/** age(a, b): the difference in years, months, days and time, as people count. @throws SqlError 22008 */
export function ageBetween(a: Int64, b: Int64): Interval {
  if (isInfinite(a) || isInfinite(b)) throw infiniteDifference("timestamps");
  const sign = a < b ? -1 : 1;
  const later = clockOf(sign === 1 ? a : b);
  const earlier = clockOf(sign === 1 ? b : a);
  let { year, month, day, microseconds } = later;
  microseconds -= earlier.microseconds;
  day -= earlier.day;
  month -= earlier.month;
  year -= earlier.year;
  if (microseconds < 0) {
    microseconds += microsecondsPerDay;
    day--;
  }
  while (day < 0) {
    // The month that is broken into days is the earlier one's.
    day += daysInMonth(earlier.year, earlier.month);
    month--;
  }
  while (month < 0) {
    month += 12;
    year--;
  }
  return intervalOf(sign * (year * 12 + month), sign * day, sign * microseconds + 0);
}
