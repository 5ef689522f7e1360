/**
 * make_date, make_time, make_timestamp, make_timestamptz, make_interval, and to_timestamp of a number of seconds.
 * Source: PostgreSQL 15, 9.9 "Date/Time Functions and Operators", and the answers of a server.
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { dayNumber, daysInMonth, daysToPostgresEpoch } from "../../types/datetime/calendar.js";
import { fromLocal } from "../../types/datetime/convert.js";
import { unknownTimeZone } from "../../types/datetime/errors.js";
import { FieldReader } from "../../types/datetime/field-reader.js";
import { add, divideTruncated, fromDouble, type Int64, normalize, roundHalfEven } from "../../types/datetime/int64.js";
import { intervalOf } from "../../types/datetime/interval-arithmetic.js";
import {
  endOfDateDays,
  endOfTimestampDays,
  firstDay,
  joinTimestamp,
  microsecondsPerDay,
  moveTimestamp,
} from "../../types/datetime/timestamp-value.js";
import { fixedZone, type Zone, zoneOfArgument, zoneOfSession } from "../../types/datetime/zone.js";
import type { Interval } from "../../types/value.js";
import type { Callable, ScalarFunction } from "../function.js";

function overflow(message: string): SqlError {
  return new SqlError(sqlstate.datetimeFieldOverflow, message);
}

function padded(value: number): string {
  return value >= 0 && value < 10 ? `0${value}` : String(value);
}

/** Day number of a date given as numbers: a negative year is BC, and there is no year 0. @throws SqlError 22008 */
function dayOf(year: number, month: number, day: number): number {
  const astronomical = year < 0 ? year + 1 : year;
  const valid = year !== 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(astronomical, month);
  if (!valid) throw overflow(`date field value out of range: ${year}-${padded(month)}-${padded(day)}`);
  return dayNumber(astronomical, month, day);
}

function makeDate(year: number, month: number, day: number): number {
  const days = dayOf(year, month, day);
  if (days >= firstDay && days < endOfDateDays) return days;
  // The message shows the astronomical year, as PostgreSQL's does.
  throw overflow(`date out of range: ${year < 0 ? year + 1 : year}-${padded(month)}-${padded(day)}`);
}

/** Seconds as C's `%02g` writes them. */
function secondsText(seconds: number): string {
  if (!Number.isFinite(seconds)) return String(seconds);
  return String(Number(seconds.toPrecision(6))).padStart(2, "0");
}

/** 24:00:00 is allowed. @throws SqlError 22008 */
function makeTime(hour: number, minute: number, second: number): number {
  const ofMinute = roundHalfEven(second * 1_000_000);
  const fits = hour >= 0 && hour <= 24 && minute >= 0 && minute <= 59 && ofMinute >= 0 && ofMinute <= 60_000_000;
  const total = (hour * 60 + minute) * 60_000_000 + ofMinute;
  if (!fits || total > microsecondsPerDay)
    throw overflow(`time field value out of range: ${hour}:${padded(minute)}:${secondsText(second)}`);
  return total;
}

function makeTimestamp(year: number, month: number, day: number, hour: number, minute: number, second: number): Int64 {
  const days = dayOf(year, month, day);
  const time = makeTime(hour, minute, second);
  if (days >= firstDay && days * microsecondsPerDay + time < endOfTimestampDays * microsecondsPerDay)
    return joinTimestamp(days, time);
  const date = `${year}-${padded(month)}-${padded(day)}`;
  throw overflow(`timestamp out of range: ${date} ${hour}:${padded(minute)}:${secondsText(second)}`);
}

/** A zone's name, its abbreviation, or an offset with its sign. @throws SqlError 22023 */
function zoneOrOffset(name: string): Zone {
  const first = name.charCodeAt(0);
  if (first >= 48 && first <= 57)
    throw new SqlError(sqlstate.invalidParameterValue, `invalid input syntax for type numeric time zone: "${name}"`, {
      hint: 'Numeric time zones must have "-" or "+" as first character.',
    });
  if (first !== 43 && first !== 45) return zoneOfArgument(name);
  try {
    return fixedZone(name, new FieldReader(name, "time zone").readOffset(name));
  } catch (error) {
    if (error instanceof SqlError && error.code === sqlstate.invalidTimeZoneDisplacement)
      throw new SqlError(sqlstate.invalidParameterValue, `numeric time zone "${name}" out of range`);
    if (error instanceof SqlError) throw unknownTimeZone(name);
    throw error;
  }
}

function makeInterval(
  years: number,
  months: number,
  weeks: number,
  days: number,
  hours: number,
  minutes: number,
  seconds: number,
): Interval {
  const clock = normalize(BigInt(hours) * 3_600_000_000n + BigInt(minutes) * 60_000_000n);
  const micros = fromDouble(seconds * 1_000_000);
  return intervalOf(years * 12 + months, weeks * 7 + days, micros === undefined ? undefined : add(clock, micros));
}

/** Microseconds from 1970 to 2000, where PostgreSQL counts from; the order of rounding is PostgreSQL's. */
const secondsTo2000 = 946_684_800;

function fromEpoch(seconds: number): Int64 {
  if (Number.isNaN(seconds)) throw overflow("timestamp cannot be NaN");
  if (!Number.isFinite(seconds)) return seconds;
  const sum = fromDouble((seconds - secondsTo2000) * 1_000_000);
  const { quotient, remainder } = divideTruncated(sum ?? 0, microsecondsPerDay);
  const day = quotient + daysToPostgresEpoch - (remainder < 0 ? 1 : 0);
  if (sum === undefined || day < firstDay || day >= endOfTimestampDays)
    throw overflow(`timestamp out of range: "${generalFormat(seconds)}"`);
  return moveTimestamp(secondsTo2000 * 1_000_000, sum);
}

/** C's `%g`: six significant digits, an exponent of two digits from 10^6 on. */
function generalFormat(value: number): string {
  const [digits, exponent] = value.toExponential(5).split("e");
  const power = Number(exponent);
  if (power >= -4 && power < 6) return String(Number(value.toPrecision(6)));
  const sign = power < 0 ? "-" : "+";
  return `${String(Number(digits))}e${sign}${String(Math.abs(power)).padStart(2, "0")}`;
}

const shared = { kind: "scalar", strict: true } as const;
const timestampArgs = ["int4", "int4", "int4", "int4", "int4", "float8"] as const;
const timestampNames = ["year", "month", "mday", "hour", "min", "sec"] as const;

export const makeFunctions: readonly ScalarFunction[] = [
  {
    ...shared,
    name: "make_date",
    args: ["int4", "int4", "int4"],
    argNames: ["year", "month", "day"],
    returns: "date",
    volatility: "immutable",
    call: makeDate,
  },
  {
    ...shared,
    name: "make_time",
    args: ["int4", "int4", "float8"],
    argNames: ["hour", "min", "sec"],
    returns: "time",
    volatility: "immutable",
    call: makeTime,
  },
  {
    ...shared,
    name: "make_timestamp",
    args: timestampArgs,
    argNames: timestampNames,
    returns: "timestamp",
    volatility: "immutable",
    call: makeTimestamp,
  },
  {
    ...shared,
    name: "make_timestamptz",
    args: timestampArgs,
    argNames: timestampNames,
    returns: "timestamptz",
    volatility: "stable",
    specialize: ({ session }): Callable => {
      const zone = zoneOfSession(session.timeZone);
      return (...parts: Parameters<typeof makeTimestamp>) => fromLocal(makeTimestamp(...parts), zone);
    },
  },
  {
    ...shared,
    name: "make_timestamptz",
    args: [...timestampArgs, "text"],
    argNames: [...timestampNames, "timezone"],
    returns: "timestamptz",
    volatility: "stable",
    call: (year: number, month: number, day: number, hour: number, minute: number, second: number, zone: string) =>
      fromLocal(makeTimestamp(year, month, day, hour, minute, second), zoneOrOffset(zone)),
  },
  {
    ...shared,
    name: "make_interval",
    args: ["int4", "int4", "int4", "int4", "int4", "int4", "float8"],
    argNames: ["years", "months", "weeks", "days", "hours", "mins", "secs"],
    defaults: [0, 0, 0, 0, 0, 0, 0],
    returns: "interval",
    volatility: "immutable",
    call: makeInterval,
  },
  {
    ...shared,
    name: "to_timestamp",
    args: ["float8"],
    returns: "timestamptz",
    volatility: "immutable",
    call: fromEpoch,
  },
];
