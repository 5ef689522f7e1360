/**
 * The present moment: now() and its relatives. All but clock_timestamp() and timeofday() are fixed for a statement or
 * transaction. The words CURRENT_DATE, LOCALTIME(p) … are casts of now() and made where SQL is bound.
 * Source: PostgreSQL 15, 9.9.5 "Current Date/Time".
 */
import { civilDate, dayOfWeek } from "../../types/datetime/calendar.js";
import { secondsOf, shiftSeconds, splitTimestamp } from "../../types/datetime/timestamp-value.js";
import { timeText, twoDigits } from "../../types/datetime/write.js";
import { zoneOfSession } from "../../types/datetime/zone.js";
import { zoneAbbreviation } from "../../types/datetime/zone-abbreviation.js";
import type { TypeName } from "../../types/type.js";
import type { Value } from "../../types/value.js";
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
];
