/**
 * One field of a date, time, timestamp or interval, as extract and date_part give it.
 * Source: PostgreSQL 15, 9.9.1 "EXTRACT, date_part".
 */
import {
  civilDate,
  dayOfWeek,
  dayOfYear,
  isoWeekOf,
  julianOfEpoch,
  yearWithoutZero,
} from "../../types/datetime/calendar.js";
import { type Int64, normalize } from "../../types/datetime/int64.js";
import type { Unit } from "../../types/datetime/keywords.js";
import { microsecondsPerDay, splitTimestamp } from "../../types/datetime/timestamp-value.js";
import { Numeric, numericAdd, numericDivide } from "../../types/numeric.js";
import type { Interval, TimeWithZone } from "../../types/value.js";

/** A field's value: `coefficient` / 10^`scale` exactly, or the Julian day, which is a quotient. */
export type Part =
  | { readonly kind: "decimal"; readonly coefficient: Int64; readonly scale: number; readonly float?: number }
  | { readonly kind: "julian"; readonly day: number; readonly microseconds: number };

function whole(value: Int64): Part {
  return { kind: "decimal", coefficient: typeof value === "number" ? value + 0 : value, scale: 0 };
}

/** The part as `extract` gives it. */
export function partToNumeric(part: Part): Numeric {
  if (part.kind === "decimal") return Numeric.of(part.coefficient, part.scale);
  const fraction = numericDivide(Numeric.of(part.microseconds, 0), Numeric.of(microsecondsPerDay, 0));
  return numericAdd(Numeric.of(part.day, 0), fraction);
}

/** The part as `date_part` gives it. */
export function partToFloat(part: Part): number {
  if (part.kind === "decimal") return part.float ?? Number(part.coefficient) / 10 ** part.scale;
  return part.day + part.microseconds / 1_000_000 / 86_400;
}

/** Fields of the time of day; `undefined` for others. */
function clockPart(unit: Unit | "moment", microseconds: number): Part | undefined {
  const ofMinute = microseconds % 60_000_000;
  switch (unit) {
    case "microsecond":
      return whole(ofMinute);
    case "millisecond":
      return { kind: "decimal", coefficient: ofMinute, scale: 3 };
    case "second":
      return { kind: "decimal", coefficient: ofMinute, scale: 6 };
    case "minute":
      return whole(Math.floor(microseconds / 60_000_000) % 60);
    case "hour":
      return whole(Math.floor(microseconds / 3_600_000_000));
    default:
      return undefined;
  }
}

/** Rounds towards the past, with no year 0: 1 BC belongs to the first century BC. */
function spanOfYears(year: number, length: number): number {
  return year > 0 ? Math.floor((year + length - 1) / length) : -Math.floor((length - 1 - (year - 1)) / length);
}

/** Fields of the date; `undefined` for others. */
function calendarPart(unit: Unit | "moment", days: number): Part | undefined {
  switch (unit) {
    case "day":
      return whole(civilDate(days).day);
    case "month":
      return whole(civilDate(days).month);
    case "quarter":
      return whole(Math.floor((civilDate(days).month - 1) / 3) + 1);
    case "week":
      return whole(isoWeekOf(days).week);
    case "year":
      return whole(yearWithoutZero(civilDate(days).year));
    case "decade":
      return whole(Math.floor(civilDate(days).year / 10));
    case "century":
      return whole(spanOfYears(civilDate(days).year, 100));
    case "millennium":
      return whole(spanOfYears(civilDate(days).year, 1000));
    case "isoyear":
      return whole(yearWithoutZero(isoWeekOf(days).year));
    case "dow":
      return whole(dayOfWeek(days));
    case "isodow":
      return whole(dayOfWeek(days) || 7);
    case "doy":
      return whole(dayOfYear(days));
    default:
      return undefined;
  }
}

/** Fields of a finite timestamp; with `offset` (seconds east) also those of its zone, and `value` is then local. */
export function timestampPart(unit: Unit | "moment", value: Int64, offset?: number): Part | undefined {
  const { days, microseconds } = splitTimestamp(value);
  switch (unit) {
    case "julian":
      return { kind: "julian", day: days + julianOfEpoch, microseconds };
    case "epoch": {
      const shift = (offset ?? 0) * 1_000_000;
      const instant = typeof value === "number" ? value - shift : normalize(value - BigInt(shift));
      return { kind: "decimal", coefficient: instant, scale: 6 };
    }
    default: {
      const zone = offset === undefined ? undefined : zonePart(unit, offset);
      return zone ?? clockPart(unit, microseconds) ?? calendarPart(unit, days);
    }
  }
}

function zonePart(unit: Unit | "moment", offset: number): Part | undefined {
  switch (unit) {
    case "timezone":
      return whole(offset);
    case "timezone_hour":
      return whole(Math.trunc(offset / 3600));
    case "timezone_minute":
      return whole(Math.trunc(offset / 60) % 60);
    default:
      return undefined;
  }
}

/** Fields of a date, which has no time. */
export function datePart(unit: Unit | "moment", days: number): Part | undefined {
  if (unit === "julian") return whole(days + julianOfEpoch);
  if (unit === "epoch") return whole(days * 86_400);
  return calendarPart(unit, days);
}

/** A field of a time; `undefined` for one that it has not. */
export function timePart(unit: Unit | "moment", microseconds: number): Part | undefined {
  if (unit === "epoch") return { kind: "decimal", coefficient: microseconds, scale: 6 };
  return clockPart(unit, microseconds);
}

/** A field of a time with zone; `undefined` for one that it has not. */
export function timetzPart(unit: Unit | "moment", { microseconds, offsetSeconds }: TimeWithZone): Part | undefined {
  if (unit === "epoch") return { kind: "decimal", coefficient: microseconds - offsetSeconds * 1_000_000, scale: 6 };
  return zonePart(unit, offsetSeconds) ?? clockPart(unit, microseconds);
}

/** A field of an interval; `undefined` for one that it has not. */
export function intervalPart(unit: Unit | "moment", interval: Interval): Part | undefined {
  const years = Math.trunc(interval.months / 12);
  const month = interval.months % 12;
  const time = BigInt(interval.microseconds);
  const ofMinute = Number(time % 60_000_000n);
  switch (unit) {
    case "microsecond":
      return whole(ofMinute);
    case "millisecond":
      return { kind: "decimal", coefficient: ofMinute + 0, scale: 3 };
    case "second":
      return { kind: "decimal", coefficient: ofMinute + 0, scale: 6 };
    case "minute":
      return whole(Number((time / 60_000_000n) % 60n));
    case "hour":
      return whole(normalize(time / 3_600_000_000n));
    case "day":
      return whole(interval.days);
    case "month":
      return whole(month);
    case "quarter":
      return whole(Math.trunc(month / 3) + 1);
    case "year":
      return whole(years);
    case "decade":
      return whole(Math.trunc(years / 10));
    case "century":
      return whole(Math.trunc(years / 100));
    case "millennium":
      return whole(Math.trunc(years / 1000));
    case "epoch": {
      // A year has 365.25 days here, a month 30.
      const seconds = (1461n * BigInt(years) + 120n * BigInt(month) + 4n * BigInt(interval.days)) * 21_600n;
      const float =
        Number(interval.microseconds) / 1_000_000 + 31_557_600 * years + 2_592_000 * month + 86_400 * interval.days;
      return { kind: "decimal", coefficient: normalize(seconds * 1_000_000n + time), scale: 6, float };
    }
    default:
      return undefined;
  }
}

/** What an infinite timestamp has for a field: infinity where the field grows for ever, NULL where it comes round again. */
export function isMonotonic(unit: Unit | "moment"): boolean {
  return (
    unit === "year" ||
    unit === "decade" ||
    unit === "century" ||
    unit === "millennium" ||
    unit === "julian" ||
    unit === "isoyear" ||
    unit === "epoch"
  );
}
