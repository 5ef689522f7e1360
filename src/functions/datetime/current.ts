/**
 * The present moment: now() and its relatives, and what the words CURRENT_DATE, CURRENT_TIMESTAMP(p), LOCALTIME … stand
 * for. All but clock_timestamp() and timeofday() are fixed for a statement or transaction.
 * Source: PostgreSQL 15, 9.9.5 "Current Date/Time".
 */
import { civilDate, dayOfWeek } from "../../types/datetime/calendar.js";
import { timestamptzToTimetz } from "../../types/datetime/convert.js";
import type { Int64 } from "../../types/datetime/int64.js";
import { localNow } from "../../types/datetime/read-datetime.js";
import { toLocal } from "../../types/datetime/timestamp.js";
import {
  roundTime,
  roundTimestamp,
  secondsOf,
  shiftSeconds,
  splitTimestamp,
} from "../../types/datetime/timestamp-value.js";
import { timeText, twoDigits } from "../../types/datetime/write.js";
import { zoneOfSession } from "../../types/datetime/zone.js";
import { zoneAbbreviation } from "../../types/datetime/zone-abbreviation.js";
import type { TypeName } from "../../types/type.js";
import type { TimeWithZone, Value } from "../../types/value.js";
import type { Callable, ScalarFunction, SessionContext, Volatility } from "../function.js";

function moment(
  name: string,
  returns: TypeName,
  volatility: Volatility,
  read: (session: SessionContext) => Value,
): ScalarFunction {
  return {
    kind: "scalar",
    name,
    args: [],
    returns,
    volatility,
    strict: true,
    specialize:
      ({ session }): Callable =>
      () =>
        read(session),
  };
}

/** The two forms of CURRENT_TIMESTAMP and its like: without and with a precision. */
function withPrecision(
  name: string,
  returns: TypeName,
  read: (session: SessionContext, precision: number) => Value,
): readonly ScalarFunction[] {
  return [
    moment(name, returns, "stable", (session) => read(session, -1)),
    {
      kind: "scalar",
      name,
      args: ["int4"],
      returns,
      volatility: "stable",
      strict: true,
      specialize:
        ({ session }): Callable =>
        (precision: number) =>
          read(session, Math.min(precision, 6)),
    },
  ];
}

function currentTime(session: SessionContext, precision: number): TimeWithZone {
  const time = timestamptzToTimetz(session.nowMicroseconds, session.timeZone) as TimeWithZone;
  return { ...time, microseconds: roundTime(time.microseconds, precision) };
}

function localTimestamp(session: SessionContext, precision: number): Int64 {
  return roundTimestamp(toLocal(session.nowMicroseconds, zoneOfSession(session.timeZone)), precision);
}

/** `Tue Dec 01 09:06:34.123456 2026 UTC`: the moment of the call as text. */
function timeOfDay(session: SessionContext): string {
  const zone = zoneOfSession(session.timeZone);
  const now = session.clockMicroseconds();
  const utcSeconds = secondsOf(now);
  const { days, microseconds } = splitTimestamp(shiftSeconds(now, zone.offsetAt(utcSeconds)));
  const { year, month, day } = civilDate(days);
  const clock = `${timeText(microseconds - (microseconds % 1_000_000))}.${String(microseconds % 1_000_000).padStart(6, "0")}`;
  const date = `${weekdays[dayOfWeek(days)]} ${months[month - 1]} ${twoDigits(day)}`;
  return `${date} ${clock} ${year} ${zoneAbbreviation(zone, utcSeconds)}`;
}

const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

export const currentFunctions: readonly ScalarFunction[] = [
  moment("now", "timestamptz", "stable", (session) => session.nowMicroseconds),
  moment("transaction_timestamp", "timestamptz", "stable", (session) => session.nowMicroseconds),
  moment("statement_timestamp", "timestamptz", "stable", (session) => session.statementMicroseconds),
  moment("clock_timestamp", "timestamptz", "volatile", (session) => session.clockMicroseconds()),
  moment("timeofday", "text", "volatile", timeOfDay),
  moment("current_date", "date", "stable", (session) => localNow(session).days),
  ...withPrecision("current_timestamp", "timestamptz", (session, precision) =>
    roundTimestamp(session.nowMicroseconds, precision),
  ),
  ...withPrecision("current_time", "timetz", currentTime),
  ...withPrecision("localtimestamp", "timestamp", localTimestamp),
  ...withPrecision("localtime", "time", (session, precision) => roundTime(localNow(session).microseconds, precision)),
];
