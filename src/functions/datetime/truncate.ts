/**
 * date_trunc and date_bin.
 * Source: PostgreSQL 15, 9.9.2 "date_trunc", 9.9.3 "date_bin".
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { civilDate, dayNumber, mondayOf } from "../../types/datetime/calendar.js";
import { fromLocal } from "../../types/datetime/convert.js";
import { type Int64, normalize } from "../../types/datetime/int64.js";
import type { Unit } from "../../types/datetime/keywords.js";
import { toLocal } from "../../types/datetime/timestamp.js";
import {
  checkTimestamp,
  isInfinite,
  joinTimestamp,
  secondsOf,
  shiftSeconds,
  splitTimestamp,
} from "../../types/datetime/timestamp-value.js";
import { type Zone, zoneOfArgument, zoneOfSession } from "../../types/datetime/zone.js";
import { typeNamed } from "../../types/type.js";
import type { Interval } from "../../types/value.js";
import type { Callable, ScalarFunction } from "../function.js";
import { fieldNotSupported, unitToCutTo } from "./fields.js";

/** Microseconds of the units below a day. */
const clockUnits: Partial<Record<Unit | "moment", number>> = {
  microsecond: 1,
  millisecond: 1000,
  second: 1_000_000,
  minute: 60_000_000,
  hour: 3_600_000_000,
};

/** First day of the unit that holds a day; `undefined` for units that no date is cut to. */
function startOf(unit: Unit | "moment", days: number): number | undefined {
  const { year, month } = civilDate(days);
  switch (unit) {
    case "day":
      return days;
    case "week":
      return mondayOf(days);
    case "month":
      return dayNumber(year, month, 1);
    case "quarter":
      return dayNumber(year, Math.floor((month - 1) / 3) * 3 + 1, 1);
    case "year":
      return dayNumber(year, 1, 1);
    case "decade":
      return dayNumber(Math.floor(year / 10) * 10, 1, 1);
    case "century":
      return dayNumber(Math.floor((year - 1) / 100) * 100 + 1, 1, 1);
    case "millennium":
      return dayNumber(Math.floor((year - 1) / 1000) * 1000 + 1, 1, 1);
    default:
      return undefined;
  }
}

function truncateLocal(field: string, value: Int64, typeName: string): { value: Int64; dateCut: boolean } {
  const unit = unitToCutTo(field, typeName);
  const { days, microseconds } = splitTimestamp(value);
  const scale = clockUnits[unit];
  if (scale !== undefined) return { value: joinTimestamp(days, microseconds - (microseconds % scale)), dateCut: false };
  const start = startOf(unit, days);
  if (start === undefined) throw fieldNotSupported(field, typeName);
  return { value: joinTimestamp(start, 0), dateCut: true };
}

const timestampName = typeNamed("timestamp").display;
const timestamptzName = typeNamed("timestamptz").display;
const intervalName = typeNamed("interval").display;

/** date_trunc of a timestamp. @throws SqlError 22023, 0A000 */
function truncateTimestamp(field: string, value: Int64): Int64 {
  return isInfinite(value) ? value : truncateLocal(field, value, timestampName).value;
}

/** date_trunc of an instant on the clock of a zone. */
function truncateTimestamptz(field: string, value: Int64, zone: Zone): Int64 {
  if (isInfinite(value)) return value;
  const cut = truncateLocal(field, toLocal(value, zone), timestamptzName);
  // Within a day the offset stays; a new day may have another one.
  if (cut.dateCut) return fromLocal(cut.value, zone);
  return checkTimestamp(shiftSeconds(cut.value, 0 - zone.offsetAt(secondsOf(value))));
}

function truncateInterval(field: string, interval: Interval): Interval {
  const unit = unitToCutTo(field, intervalName);
  const cutMonths = (size: number): Interval => ({
    months: interval.months - (interval.months % size) + 0,
    days: 0,
    microseconds: 0,
  });
  const scale = clockUnits[unit];
  if (scale !== undefined) {
    const exact = BigInt(interval.microseconds);
    return { ...interval, microseconds: normalize(exact - (exact % BigInt(scale))) };
  }
  switch (unit) {
    case "day":
      return { ...interval, microseconds: 0 };
    case "month":
      return cutMonths(1);
    case "quarter":
      return cutMonths(3);
    case "year":
      return cutMonths(12);
    case "decade":
      return cutMonths(120);
    case "century":
      return cutMonths(1200);
    case "millennium":
      return cutMonths(12_000);
    case "week":
      throw fieldNotSupported(field, intervalName, "Months usually have fractional weeks.");
    default:
      throw fieldNotSupported(field, intervalName);
  }
}

/** The start of the stride, counted from `origin`, that holds an instant. @throws SqlError 0A000, 22008 */
function binTimestamp(stride: Interval, value: Int64, origin: Int64): Int64 {
  if (isInfinite(value)) return value;
  if (isInfinite(origin)) throw new SqlError(sqlstate.datetimeFieldOverflow, "origin out of range");
  if (stride.months !== 0)
    throw new SqlError(
      sqlstate.featureNotSupported,
      "timestamps cannot be binned into intervals containing months or years",
    );
  const step = BigInt(stride.days) * 86_400_000_000n + BigInt(stride.microseconds);
  if (step <= 0n) throw new SqlError(sqlstate.datetimeFieldOverflow, "stride must be greater than zero");
  if (step > 0x7fffffffffffffffn) throw new SqlError(sqlstate.datetimeFieldOverflow, "interval out of range");
  const difference = BigInt(value) - BigInt(origin);
  let remainder = difference % step;
  if (remainder < 0n) remainder += step;
  return checkTimestamp(normalize(BigInt(value) - remainder));
}

const shared = { kind: "scalar", strict: true } as const;

export const truncateFunctions: readonly ScalarFunction[] = [
  {
    ...shared,
    name: "date_trunc",
    args: ["text", "timestamp"],
    returns: "timestamp",
    volatility: "immutable",
    call: truncateTimestamp,
  },
  {
    ...shared,
    name: "date_trunc",
    args: ["text", "timestamptz"],
    returns: "timestamptz",
    volatility: "stable",
    specialize: ({ session }): Callable => {
      const zone = zoneOfSession(session.timeZone);
      return (field: string, value: Int64) => truncateTimestamptz(field, value, zone);
    },
  },
  {
    ...shared,
    name: "date_trunc",
    args: ["text", "timestamptz", "text"],
    returns: "timestamptz",
    volatility: "stable",
    call: (field: string, value: Int64, zone: string) =>
      isInfinite(value) ? value : truncateTimestamptz(field, value, zoneOfArgument(zone)),
  },
  {
    ...shared,
    name: "date_trunc",
    args: ["text", "interval"],
    returns: "interval",
    volatility: "immutable",
    call: truncateInterval,
  },
  {
    ...shared,
    name: "date_bin",
    args: ["interval", "timestamp", "timestamp"],
    returns: "timestamp",
    volatility: "immutable",
    call: binTimestamp,
  },
  {
    ...shared,
    name: "date_bin",
    args: ["interval", "timestamptz", "timestamptz"],
    returns: "timestamptz",
    volatility: "immutable",
    call: binTimestamp,
  },
];
