/**
 * The functions to_char for timestamps and intervals, to_date, to_timestamp of texts, and to_number.
 * Source: PostgreSQL 15, table 9.26 "Formatting Functions".
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { civilDate } from "../../types/datetime/calendar.js";
import { divideTruncated, type Int64 } from "../../types/datetime/int64.js";
import { toLocal } from "../../types/datetime/timestamp.js";
import {
  endOfDateDays,
  firstDay,
  isInfinite,
  joinTimestamp,
  roundTimestamp,
  secondsOf,
  secondsPerDay,
  splitTimestamp,
} from "../../types/datetime/timestamp-value.js";
import { type Zone, zoneOfSession } from "../../types/datetime/zone.js";
import { zoneAbbreviation } from "../../types/datetime/zone-abbreviation.js";
import type { Interval } from "../../types/value.js";
import type { Callable, ScalarFunction } from "../function.js";
import { assemble } from "./datetime-assemble.js";
import { readByPattern } from "./datetime-from-text.js";
import { type ClockFields, formatDateTime } from "./datetime-to-text.js";
import { readNumber } from "./number-from-text.js";

function fieldsOf(local: Int64, offset: number, zone: () => string): ClockFields {
  const { days, microseconds } = splitTimestamp(local);
  const fraction = microseconds % 1_000_000;
  const seconds = (microseconds - fraction) / 1_000_000;
  return {
    interval: false,
    ...civilDate(days),
    hour: Math.floor(seconds / 3600),
    minute: Math.floor(seconds / 60) % 60,
    second: seconds % 60,
    fraction,
    days,
    offset,
    zone,
  };
}

/** An infinite timestamp has no text, nor has an empty format. */
function timestampToChar(value: Int64, format: string): string | null {
  if (isInfinite(value) || format === "") return null;
  return formatDateTime(
    fieldsOf(value, 0, () => ""),
    format,
  );
}

function timestamptzToChar(value: Int64, format: string, zone: Zone): string | null {
  if (isInfinite(value) || format === "") return null;
  const utcSeconds = secondsOf(value);
  const fields = fieldsOf(toLocal(value, zone), zone.offsetAt(utcSeconds), () => zoneAbbreviation(zone, utcSeconds));
  return formatDateTime(fields, format);
}

function intervalToChar({ months, days, microseconds }: Interval, format: string): string | null {
  if (format === "") return null;
  const { quotient: minutes, remainder } = divideTruncated(microseconds, 60_000_000);
  const fields: ClockFields = {
    interval: true,
    year: Math.trunc(months / 12),
    month: months % 12,
    day: days,
    hour: Math.trunc(minutes / 60),
    minute: minutes % 60,
    second: Math.trunc(remainder / 1_000_000),
    fraction: remainder % 1_000_000,
    days: 0,
    offset: 0,
    zone: () => "",
  };
  return formatDateTime(fields, format);
}

function toDate(text: string, format: string): number {
  const { days } = assemble(readByPattern(text, format), text);
  if (days >= firstDay && days < endOfDateDays) return days;
  throw new SqlError(sqlstate.datetimeFieldOverflow, `date out of range: "${text}"`);
}

function toTimestamp(text: string, format: string, zone: Zone): Int64 {
  const { days, microseconds, offset, precision } = assemble(readByPattern(text, format), text);
  const local = days * secondsPerDay + Math.floor(microseconds / 1_000_000);
  const east = offset ?? zone.offsetOfLocal(local);
  const value = joinTimestamp(days, microseconds - east * 1_000_000);
  return precision === undefined ? value : roundTimestamp(value, precision);
}

const shared = { kind: "scalar", volatility: "stable", strict: true } as const;

export const formattingFunctions: readonly ScalarFunction[] = [
  { ...shared, name: "to_char", args: ["timestamp", "text"], returns: "text", call: timestampToChar },
  {
    ...shared,
    name: "to_char",
    args: ["timestamptz", "text"],
    returns: "text",
    specialize: ({ session }): Callable => {
      const zone = zoneOfSession(session.timeZone);
      return (value: Int64, format: string) => timestamptzToChar(value, format, zone);
    },
  },
  { ...shared, name: "to_char", args: ["interval", "text"], returns: "text", call: intervalToChar },
  { ...shared, name: "to_date", args: ["text", "text"], returns: "date", call: toDate },
  {
    ...shared,
    name: "to_timestamp",
    args: ["text", "text"],
    returns: "timestamptz",
    specialize: ({ session }): Callable => {
      const zone = zoneOfSession(session.timeZone);
      return (text: string, format: string) => toTimestamp(text, format, zone);
    },
  },
  { ...shared, name: "to_number", args: ["text", "text"], returns: "numeric", call: readNumber },
];
