/**
 * Conversions that are written as calls: `date(created_at)`, `timestamp(date, time)`, and moving between zones with
 * timezone(), which AT TIME ZONE stands for.
 * Source: PostgreSQL 15, 9.9.4 "AT TIME ZONE", and the catalogue's pg_proc.
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { castVolatility } from "../../types/casts/volatility.js";
import { addTimeToDate, addTimetzToDate } from "../../types/datetime/arithmetic.js";
import { datetimeCasts } from "../../types/datetime/casts.js";
import { fromLocal, timestampToTimestamptz } from "../../types/datetime/convert.js";
import { divideTruncated, type Int64 } from "../../types/datetime/int64.js";
import { toLocal } from "../../types/datetime/timestamp.js";
import { checkTimestamp, isInfinite, microsecondsPerDay } from "../../types/datetime/timestamp-value.js";
import { intervalText } from "../../types/datetime/write.js";
import { fixedZone, type Zone, zoneOfArgument } from "../../types/datetime/zone.js";
import { type TypeName, typeNamed } from "../../types/type.js";
import type { Interval, TimeWithZone } from "../../types/value.js";
import type { Callable, ScalarFunction } from "../function.js";

/** Each cast between two types is a function of the target's name too. */
const castFunctions: readonly ScalarFunction[] = datetimeCasts
  .filter(({ source, target }) => source !== target)
  .map(({ source, target, convert }) => ({
    kind: "scalar",
    name: target,
    args: [source],
    returns: target,
    volatility: castVolatility(typeNamed(source), typeNamed(target)),
    strict: true,
    specialize: ({ session }) => {
      const call: Callable = (value: never) => convert(value, -1, session);
      return call;
    },
  }));

/** A zone that is an interval east of Greenwich. @throws SqlError 22023 when it has months or days */
function zoneOfInterval(interval: Interval): Zone {
  if (interval.months !== 0 || interval.days !== 0)
    throw new SqlError(
      sqlstate.invalidParameterValue,
      `interval time zone "${intervalText(interval)}" must not include months or days`,
    );
  return fixedZone("", divideTruncated(interval.microseconds, 1_000_000).quotient);
}

function timetzAt(zone: Zone, time: TimeWithZone, nowMicroseconds: number): TimeWithZone {
  const offsetSeconds = zone.offsetAt(Math.floor(nowMicroseconds / 1_000_000));
  const moved = time.microseconds + (offsetSeconds - time.offsetSeconds) * 1_000_000;
  const wrapped = moved % microsecondsPerDay;
  return { microseconds: wrapped < 0 ? wrapped + microsecondsPerDay : wrapped, offsetSeconds };
}

/** The last name is remembered: the zone is nearly always a constant. */
function remembered(): (name: string) => Zone {
  let last: string | undefined;
  let zone: Zone | undefined;
  return (name) => {
    if (zone === undefined || name !== last) {
      zone = zoneOfArgument(name);
      last = name;
    }
    return zone;
  };
}

function timezone(zoneType: "text" | "interval", source: TypeName, returns: TypeName): ScalarFunction {
  return {
    kind: "scalar",
    name: "timezone",
    args: [zoneType, source],
    returns,
    // A named zone has the offset of today; an interval needs no clock.
    volatility: source === "timetz" && zoneType === "text" ? "stable" : "immutable",
    strict: true,
    specialize: ({ session }): Callable => {
      const zoneOf = (zoneType === "text" ? remembered() : zoneOfInterval) as (zone: unknown) => Zone;
      if (source === "timetz")
        return (zone: unknown, time: TimeWithZone) =>
          timetzAt(zoneOf(zone), time, zoneType === "text" ? session.nowMicroseconds : 0);
      if (source === "timestamp")
        return (zone: unknown, value: Int64) => (isInfinite(value) ? value : fromLocal(value, zoneOf(zone)));
      return (zone: unknown, value: Int64) =>
        isInfinite(value) ? value : checkTimestamp(toLocal(value, zoneOf(zone)));
    },
  };
}

export const conversionFunctions: readonly ScalarFunction[] = [
  ...castFunctions,
  {
    kind: "scalar",
    name: "timestamp",
    args: ["date", "time"],
    returns: "timestamp",
    volatility: "immutable",
    strict: true,
    call: addTimeToDate,
  },
  {
    kind: "scalar",
    name: "timestamptz",
    args: ["date", "time"],
    returns: "timestamptz",
    volatility: "stable",
    strict: true,
    specialize:
      ({ session }): Callable =>
      (days: number, time: number) =>
        timestampToTimestamptz(addTimeToDate(days, time), session.timeZone),
  },
  {
    kind: "scalar",
    name: "timestamptz",
    args: ["date", "timetz"],
    returns: "timestamptz",
    volatility: "immutable",
    strict: true,
    call: addTimetzToDate,
  },
  timezone("text", "timestamp", "timestamptz"),
  timezone("text", "timestamptz", "timestamp"),
  timezone("text", "timetz", "timetz"),
  timezone("interval", "timestamp", "timestamptz"),
  timezone("interval", "timestamptz", "timestamp"),
  timezone("interval", "timetz", "timetz"),
];
