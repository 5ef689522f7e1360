/**
 * Conversions between the date and time types: what casts do, and what comparisons of different types are made with.
 * Those that need a zone take its name, as sessions hold it.
 */
import type { TypeContext } from "../operations.js";
import type { Interval, TimeWithZone } from "../value.js";
import { dateBeyondTimestamps, onlyTimestamps } from "./errors.js";
import { divideTruncated, type Int64 } from "./int64.js";
import { localNow } from "./read-datetime.js";
import { toLocal } from "./timestamp.js";
import {
  checkTimestamp,
  endOfTimestampDays,
  isInfinite,
  joinTimestamp,
  microsecondsPerDay,
  secondsOf,
  secondsPerDay,
  shiftSeconds,
  splitTimestamp,
} from "./timestamp-value.js";
import { type Zone, zoneOfSession } from "./zone.js";

/** Midnight of a date. @throws SqlError 22008 beyond the range of timestamps */
export function dateToTimestamp(days: number): Int64 {
  if (!Number.isFinite(days)) return days;
  if (days >= endOfTimestampDays) throw dateBeyondTimestamps();
  return joinTimestamp(days, 0);
}

/** Midnight of a date in a zone. @throws SqlError 22008 */
export function dateToTimestamptz(days: number, timeZone: string): Int64 {
  return onlyTimestamps(() => timestampToTimestamptz(dateToTimestamp(days), timeZone));
}

/** The instant of a local time in a zone. @throws SqlError 22008 */
export function timestampToTimestamptz(value: Int64, timeZone: string): Int64 {
  return fromLocal(value, zoneOfSession(timeZone));
}

/** As {@link timestampToTimestamptz}, with the zone itself. */
export function fromLocal(value: Int64, zone: Zone): Int64 {
  if (isInfinite(value)) return value;
  return checkTimestamp(shiftSeconds(value, 0 - zone.offsetOfLocal(secondsOf(value))));
}

/** The local time of an instant in a zone. @throws SqlError 22008 */
export function timestamptzToTimestamp(value: Int64, timeZone: string): Int64 {
  return checkTimestamp(toLocal(value, zoneOfSession(timeZone)));
}

/** The day of a timestamp; infinite ones stay so. */
export function timestampToDate(value: Int64): number {
  return isInfinite(value) ? Number(value) : splitTimestamp(value).days;
}

/** The day of an instant in a zone. */
export function timestamptzToDate(value: Int64, timeZone: string): number {
  return timestampToDate(toLocal(value, zoneOfSession(timeZone)));
}

/** The time of day; an infinite timestamp has none. */
export function timestampToTime(value: Int64): number | null {
  return isInfinite(value) ? null : splitTimestamp(value).microseconds;
}

/** The local time of day of an instant with its offset. */
export function timestamptzToTimetz(value: Int64, timeZone: string): TimeWithZone | null {
  if (isInfinite(value)) return null;
  const offsetSeconds = zoneOfSession(timeZone).offsetAt(secondsOf(value));
  return { microseconds: splitTimestamp(shiftSeconds(value, offsetSeconds)).microseconds, offsetSeconds };
}

/** A time of day with the offset that it has today in the session's zone. */
export function timeToTimetz(microseconds: number, context: TypeContext): TimeWithZone {
  const local = localNow(context).days * secondsPerDay + Math.floor(microseconds / 1_000_000);
  return { microseconds, offsetSeconds: zoneOfSession(context.timeZone).offsetOfLocal(local) };
}

/** The time part of an interval as a time of day: whole days are left out, negative times count from midnight back. */
export function intervalToTime({ microseconds }: Interval): number {
  const { remainder } = divideTruncated(microseconds, microsecondsPerDay);
  return remainder < 0 ? remainder + microsecondsPerDay : remainder;
}

/**
 * Order of a date against a timestamp: dates reach further than timestamps, and such a date is later than any finite
 * timestamp instead of an error.
 */
export function compareDateWithTimestamp(days: number, value: Int64): number {
  if (days >= endOfTimestampDays) {
    if (value !== Number.POSITIVE_INFINITY) return 1;
    return days === Number.POSITIVE_INFINITY ? 0 : -1;
  }
  return order(dateToTimestamp(days), value);
}

/** Order of a date, as midnight in a zone, against an instant. */
export function compareDateWithTimestamptz(days: number, value: Int64, timeZone: string): number {
  if (days >= endOfTimestampDays || !Number.isFinite(days)) return compareDateWithTimestamp(days, value);
  return order(localToInstant(dateToTimestamp(days), timeZone), value);
}

/** Order of a local time in a zone against an instant. */
export function compareTimestampWithTimestamptz(local: Int64, value: Int64, timeZone: string): number {
  return order(localToInstant(local, timeZone), value);
}

/** Without a check of the range: a comparison has an answer for every pair. */
function localToInstant(local: Int64, timeZone: string): Int64 {
  if (isInfinite(local)) return local;
  return shiftSeconds(local, 0 - zoneOfSession(timeZone).offsetOfLocal(secondsOf(local)));
}

function order(a: Int64, b: Int64): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
