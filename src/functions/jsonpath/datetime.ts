/**
 * Dates and times inside paths: what `.datetime()` reads (ISO 8601), how two of them compare, and how they are written
 * back as JSON. A time stamp keeps the offset that it was written with.
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { dayNumber, daysInMonth } from "../../types/datetime/calendar.js";
import {
  compareDateWithTimestamp,
  compareDateWithTimestamptz,
  compareTimestampWithTimestamptz,
  timeToTimetz,
} from "../../types/datetime/convert.js";
import type { Int64 } from "../../types/datetime/int64.js";
import { compareTimetz } from "../../types/datetime/time.js";
import { compareTimestamps } from "../../types/datetime/timestamp.js";
import {
  joinTimestamp,
  microsecondsPerSecond,
  shiftSeconds,
  splitTimestamp,
} from "../../types/datetime/timestamp-value.js";
import { dateText, timestampText, timeText } from "../../types/datetime/write.js";
import type { TypeContext } from "../../types/operations.js";
import type { TimeWithZone } from "../../types/value.js";

export type DatetimeType = "date" | "time" | "timetz" | "timestamp" | "timestamptz";

/** A date or time among the items of a path. */
export class PathDatetime {
  constructor(
    readonly type: DatetimeType,
    readonly value: Int64 | TimeWithZone,
    /** Of a timestamptz: seconds east of Greenwich that its text was written with. */
    readonly offsetSeconds: number = 0,
  ) {}
}

const digitGroups =
  /^\s*(?:(-?\d{1,9})-(\d{1,2})-(\d{1,2}))?(\s+|T)?(?:(\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.(\d{1,6}))?(?:\s*([+-])(\d{1,2})(?::(\d{1,2}))?)?)?\s*$/;

/** Reads an ISO 8601 date, time or both; `undefined` when the text is none. */
export function readIsoDatetime(text: string): PathDatetime | undefined {
  const match = digitGroups.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, separator, hour, minute, second, fraction, sign, zoneHour, zoneMinute] = match;
  if (year === undefined && hour === undefined) return undefined;
  let days = 0;
  if (year !== undefined) {
    // the year before 1 is 1 BC, which a minus sign counts from 1
    const civil = year.startsWith("-") ? Number(year) + 1 : Number(year);
    if (Number(month) < 1 || Number(month) > 12 || Number(day) < 1) return undefined;
    if (Number(day) > daysInMonth(civil, Number(month))) return undefined;
    days = dayNumber(civil, Number(month), Number(day));
    if (hour === undefined) return separator === "T" ? undefined : new PathDatetime("date", days);
    if (separator === undefined) return undefined;
  } else if (separator === "T") return undefined;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const seconds = Number(hour) * 3600 + Number(minute) * 60 + Number(second);
  const microseconds = seconds * microsecondsPerSecond + Number((fraction ?? "").padEnd(6, "0"));
  let offset: number | undefined;
  if (sign !== undefined) {
    if (Number(zoneHour) > 15 || Number(zoneMinute ?? 0) > 59) return undefined;
    offset = (sign === "-" ? -1 : 1) * (Number(zoneHour) * 3600 + Number(zoneMinute ?? 0) * 60);
  }
  if (year === undefined) {
    return offset === undefined
      ? new PathDatetime("time", microseconds)
      : new PathDatetime("timetz", { microseconds, offsetSeconds: offset });
  }
  const local = joinTimestamp(days, microseconds);
  return offset === undefined
    ? new PathDatetime("timestamp", local)
    : new PathDatetime("timestamptz", shiftSeconds(local, -offset), offset);
}

/** As JSON: ISO 8601, the offset always with minutes. */
export function datetimeText(datetime: PathDatetime): string {
  switch (datetime.type) {
    case "date":
      return dateText(datetime.value as number);
    case "time":
      return timeText(datetime.value as number);
    case "timetz": {
      const { microseconds, offsetSeconds } = datetime.value as TimeWithZone;
      return timeText(microseconds) + isoOffset(offsetSeconds);
    }
    case "timestamp": {
      const { days, microseconds } = splitTimestamp(datetime.value as Int64);
      return timestampText(days, microseconds).replace(" ", "T");
    }
    case "timestamptz": {
      const { days, microseconds } = splitTimestamp(shiftSeconds(datetime.value as Int64, datetime.offsetSeconds));
      const [date, time, era] = timestampText(days, microseconds).split(" ");
      return `${date}T${time}${isoOffset(datetime.offsetSeconds)}${era === undefined ? "" : ` ${era}`}`;
    }
  }
}

function isoOffset(seconds: number): string {
  const minutes = Math.floor(Math.abs(seconds) / 60);
  const two = (n: number): string => String(n).padStart(2, "0");
  return `${seconds < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}

/** What `.type()` says. */
export function datetimeTypeName(datetime: PathDatetime): string {
  switch (datetime.type) {
    case "date":
      return "date";
    case "timetz":
      return "time with time zone";
    case "timestamptz":
      return "timestamp with time zone";
    default:
      return `${datetime.type} without time zone`;
  }
}

const compareInt64 = (a: Int64, b: Int64): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * The order of two; `undefined` when they do not compare (a date and a time).
 * @throws SqlError 0A000 when the session's time zone would be needed and `useZone` is not set
 */
export function compareDatetimes(
  a: PathDatetime,
  b: PathDatetime,
  useZone: boolean,
  context: TypeContext,
): number | undefined {
  if (a.type === b.type) {
    if (a.type === "timetz") return compareTimetz(a.value as TimeWithZone, b.value as TimeWithZone);
    if (a.type === "date" || a.type === "time") return compareInt64(a.value as Int64, b.value as Int64);
    return compareTimestamps(a.value as Int64, b.value as Int64);
  }
  switch (`${a.type} ${b.type}`) {
    case "date timestamp":
      return compareDateWithTimestamp(a.value as number, b.value as Int64);
    case "date timestamptz":
      checkZone(a, b, useZone);
      return compareDateWithTimestamptz(a.value as number, b.value as Int64, context.timeZone);
    case "timestamp timestamptz":
      checkZone(a, b, useZone);
      return compareTimestampWithTimestamptz(a.value as Int64, b.value as Int64, context.timeZone);
    case "time timetz":
      checkZone(a, b, useZone);
      return compareTimetz(timeToTimetz(a.value as number, context), b.value as TimeWithZone);
    case "timestamp date":
    case "timestamptz date":
    case "timestamptz timestamp":
    case "timetz time": {
      const reversed = compareDatetimes(b, a, useZone, context);
      return reversed === undefined ? undefined : 0 - reversed;
    }
    default:
      return undefined;
  }
}

function checkZone(from: PathDatetime, to: PathDatetime, useZone: boolean): void {
  if (useZone) return;
  throw new SqlError(
    sqlstate.featureNotSupported,
    `cannot convert value from ${from.type} to ${to.type} without time zone usage`,
    { hint: "Use *_tz() function for time zone support." },
  );
}
