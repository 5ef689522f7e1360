/**
 * age, OVERLAPS, justify_*, isfinite.
 * Source: PostgreSQL 15, 9.9 "Date/Time Functions and Operators".
 */
import {
  addIntervalToTime,
  addIntervalToTimestamp,
  addIntervalToTimestamptz,
  ageBetween,
} from "../../types/datetime/arithmetic.js";
import { dateToTimestamp } from "../../types/datetime/convert.js";
import type { Int64 } from "../../types/datetime/int64.js";
import { justifyDays, justifyHours, justifyInterval } from "../../types/datetime/interval-arithmetic.js";
import { localNow } from "../../types/datetime/read-datetime.js";
import { compareTimetz } from "../../types/datetime/time.js";
import { compareTimestamps, toLocal } from "../../types/datetime/timestamp.js";
import { isInfinite } from "../../types/datetime/timestamp-value.js";
import { zoneOfSession } from "../../types/datetime/zone.js";
import type { TypeName } from "../../types/type.js";
import type { Interval, TimeWithZone, Value } from "../../types/value.js";
import type { Callable, CallSite, ScalarFunction } from "../function.js";

const shared = { kind: "scalar", strict: true, volatility: "immutable" } as const;

/** Midnight today in the session's zone, as a local timestamp. */
function today({ session }: CallSite): Int64 {
  return dateToTimestamp(localNow(session).days);
}

const ages: readonly ScalarFunction[] = [
  { ...shared, name: "age", args: ["timestamp", "timestamp"], returns: "interval", call: ageBetween },
  {
    ...shared,
    name: "age",
    args: ["timestamptz", "timestamptz"],
    returns: "interval",
    specialize: ({ session }): Callable => {
      const zone = zoneOfSession(session.timeZone);
      return (a: Int64, b: Int64) => ageBetween(toLocal(a, zone), toLocal(b, zone));
    },
  },
  {
    ...shared,
    name: "age",
    args: ["timestamp"],
    returns: "interval",
    volatility: "stable",
    specialize:
      (site): Callable =>
      (value: Int64) =>
        ageBetween(today(site), value),
  },
  {
    ...shared,
    name: "age",
    args: ["timestamptz"],
    returns: "interval",
    volatility: "stable",
    specialize: (site): Callable => {
      const zone = zoneOfSession(site.session.timeZone);
      return (value: Int64) => ageBetween(today(site), toLocal(value, zone));
    },
  },
];

/** How the periods of one type are compared, and how an interval gives a period its end. */
interface PeriodType {
  readonly type: TypeName;
  readonly compare: (a: never, b: never) => number;
  readonly add?: (site: CallSite) => (value: never, interval: Interval) => Value;
}

const periodTypes: readonly PeriodType[] = [
  { type: "timestamp", compare: compareTimestamps, add: () => addIntervalToTimestamp },
  {
    type: "timestamptz",
    compare: compareTimestamps,
    add:
      ({ session }) =>
      (value: Int64, interval) =>
        addIntervalToTimestamptz(value, interval, session.timeZone),
  },
  {
    type: "time",
    compare: (a: number, b: number) => a - b,
    add: () => (value: number, i) => addIntervalToTime(value, i),
  },
  { type: "timetz", compare: (a: TimeWithZone, b: TimeWithZone) => compareTimetz(a, b) },
];

/**
 * Whether two half-open periods overlap. Each is given by its ends in either order; an end may be NULL, and the answer
 * is NULL only where it depends on it.
 */
function periodsOverlap(
  compare: (a: Value, b: Value) => number,
  from1: Value,
  to1: Value,
  from2: Value,
  to2: Value,
): boolean | null {
  const [start1, end1] = ordered(compare, from1, to1);
  const [start2, end2] = ordered(compare, from2, to2);
  if (start1 === null || start2 === null) return null;
  const order = compare(start1, start2);
  if (order === 0) return end1 === null || end2 === null ? null : true;
  const [laterStart, laterEnd, earlierEnd] = order > 0 ? [start1, end1, end2] : [start2, end2, end1];
  if (earlierEnd === null) return null;
  if (compare(laterStart, earlierEnd) < 0) return true;
  return laterEnd === null ? null : false;
}

function ordered(compare: (a: Value, b: Value) => number, a: Value, b: Value): [Value, Value] {
  if (a === null) return [b, null];
  if (b === null) return [a, null];
  return compare(a, b) > 0 ? [b, a] : [a, b];
}

function overlaps({ type, compare, add }: PeriodType): ScalarFunction[] {
  const forms: [boolean, boolean][] = [[false, false]];
  if (add !== undefined) forms.push([true, false], [false, true], [true, true]);
  return forms.map(([first, second]) => ({
    kind: "scalar",
    name: "overlaps",
    args: [type, first ? "interval" : type, type, second ? "interval" : type],
    returns: "bool",
    volatility: type === "timestamptz" && (first || second) ? "stable" : "immutable",
    strict: false,
    specialize: (site): Callable => {
      const order = compare as (a: Value, b: Value) => number;
      const plus = add?.(site) as ((value: Value, interval: Interval) => Value) | undefined;
      const end = (start: Value, value: Value, given: boolean): Value => {
        if (!given || plus === undefined) return value;
        return start === null || value === null ? null : plus(start, value as Interval);
      };
      return (a: Value, b: Value, c: Value, d: Value) =>
        periodsOverlap(order, a, end(a, b, first), c, end(c, d, second));
    },
  }));
}

export const periodFunctions: readonly ScalarFunction[] = [
  ...ages,
  ...periodTypes.flatMap(overlaps),
  { ...shared, name: "justify_hours", args: ["interval"], returns: "interval", call: justifyHours },
  { ...shared, name: "justify_days", args: ["interval"], returns: "interval", call: justifyDays },
  { ...shared, name: "justify_interval", args: ["interval"], returns: "interval", call: justifyInterval },
  ...(["date", "timestamp", "timestamptz"] as const).map(
    (type): ScalarFunction => ({
      ...shared,
      name: "isfinite",
      args: [type],
      returns: "bool",
      call: (value: Int64) => !isInfinite(value),
    }),
  ),
  { ...shared, name: "isfinite", args: ["interval"], returns: "bool", call: () => true },
];
