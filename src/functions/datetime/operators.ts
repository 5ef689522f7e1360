/**
 * The operators + - * / of dates, times, timestamps and intervals, both ways round where PostgreSQL has both.
 * Comparisons are made elsewhere, from each type's order.
 * Source: PostgreSQL 15, table 9.32 "Date/Time Operators", and the catalogue's pg_operator.
 */
import {
  addIntervalToDate,
  addIntervalToTime,
  addIntervalToTimestamp,
  addIntervalToTimestamptz,
  addIntervalToTimetz,
  addTimeToDate,
  addTimetzToDate,
  shiftDate,
  subtractDates,
  subtractIntervalFromTimestamp,
  subtractIntervalFromTimestamptz,
  subtractTimes,
  subtractTimestamps,
} from "../../types/datetime/arithmetic.js";
import type { Int64 } from "../../types/datetime/int64.js";
import {
  addIntervals,
  divideInterval,
  multiplyInterval,
  negateInterval,
  subtractIntervals,
} from "../../types/datetime/interval-arithmetic.js";
import type { TypeName } from "../../types/type.js";
import type { Interval, TimeWithZone } from "../../types/value.js";
import type { Callable, CallSite, Operator } from "../function.js";

interface Body {
  readonly call?: Callable;
  readonly specialize?: (site: CallSite) => Callable;
}

function infix(
  left: TypeName,
  name: string,
  right: TypeName,
  returns: TypeName,
  body: Body | Callable,
  commutator?: string,
): Operator {
  const how: Body = typeof body === "function" ? { call: body } : body;
  const stable = how.specialize !== undefined;
  return {
    kind: "operator",
    name,
    left,
    right,
    returns,
    volatility: stable ? "stable" : "immutable",
    commutator,
    ...how,
  };
}

/** A sum whose sides may be exchanged: `date + integer` and `integer + date`. */
function sum(left: TypeName, right: TypeName, returns: TypeName, body: Callable): Operator[] {
  return [
    infix(left, "+", right, returns, body, "+"),
    infix(right, "+", left, returns, (a: never, b: never) => body(b, a), "+"),
  ];
}

const addOnZone: Body = {
  specialize:
    ({ session }) =>
    (value: Int64, interval: Interval) =>
      addIntervalToTimestamptz(value, interval, session.timeZone),
};
const addOnZoneCommuted: Body = {
  specialize:
    ({ session }) =>
    (interval: Interval, value: Int64) =>
      addIntervalToTimestamptz(value, interval, session.timeZone),
};
const subtractOnZone: Body = {
  specialize:
    ({ session }) =>
    (value: Int64, interval: Interval) =>
      subtractIntervalFromTimestamptz(value, interval, session.timeZone),
};

export const datetimeOperators: readonly Operator[] = [
  ...sum("date", "int4", "date", shiftDate),
  ...sum("date", "interval", "timestamp", addIntervalToDate),
  ...sum("date", "time", "timestamp", addTimeToDate),
  ...sum("date", "timetz", "timestamptz", addTimetzToDate),
  ...sum("timestamp", "interval", "timestamp", addIntervalToTimestamp),
  infix("timestamptz", "+", "interval", "timestamptz", addOnZone, "+"),
  infix("interval", "+", "timestamptz", "timestamptz", addOnZoneCommuted, "+"),
  ...sum("time", "interval", "time", (time: number, interval: Interval) => addIntervalToTime(time, interval)),
  ...sum("timetz", "interval", "timetz", (time: TimeWithZone, interval: Interval) =>
    addIntervalToTimetz(time, interval),
  ),
  infix("interval", "+", "interval", "interval", addIntervals, "+"),
  infix("date", "-", "date", "int4", subtractDates),
  infix("date", "-", "int4", "date", (days: number, by: number) => shiftDate(days, -by)),
  infix("date", "-", "interval", "timestamp", (days: number, interval: Interval) =>
    addIntervalToDate(days, negateInterval(interval)),
  ),
  infix("timestamp", "-", "timestamp", "interval", subtractTimestamps),
  infix("timestamptz", "-", "timestamptz", "interval", subtractTimestamps),
  infix("timestamp", "-", "interval", "timestamp", subtractIntervalFromTimestamp),
  infix("timestamptz", "-", "interval", "timestamptz", subtractOnZone),
  infix("time", "-", "time", "interval", subtractTimes),
  infix("time", "-", "interval", "time", (time: number, interval: Interval) => addIntervalToTime(time, interval, -1)),
  infix("timetz", "-", "interval", "timetz", (time: TimeWithZone, interval: Interval) =>
    addIntervalToTimetz(time, interval, -1),
  ),
  infix("interval", "-", "interval", "interval", subtractIntervals),
  infix("interval", "*", "float8", "interval", multiplyInterval, "*"),
  infix(
    "float8",
    "*",
    "interval",
    "interval",
    (factor: number, interval: Interval) => multiplyInterval(interval, factor),
    "*",
  ),
  infix("interval", "/", "float8", "interval", divideInterval),
  {
    kind: "operator",
    name: "-",
    right: "interval",
    returns: "interval",
    volatility: "immutable",
    call: negateInterval,
  },
];
