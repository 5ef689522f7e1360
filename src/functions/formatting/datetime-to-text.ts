/**
 * to_char of timestamps and intervals: one field of a format after the other.
 * Source: PostgreSQL 15, 9.8 "Data Type Formatting Functions", and the answers of a server.
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { dayOfWeek, dayOfYear, isoWeekOf, isoYearStart, julianOfEpoch } from "../../types/datetime/calendar.js";
import { type FieldNode, parsePattern } from "./datetime-pattern.js";
import { dayNames, monthNames, romanMonths } from "./names.js";
import { ordinalEnding } from "./ordinal.js";

/** What is formatted, taken apart. Of an interval, any part may be negative, and there is no day. */
export interface ClockFields {
  readonly interval: boolean;
  /** Astronomical year, or the years of an interval. */
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
  /** Microseconds of the second. */
  readonly fraction: number;
  /** Days since 1970; of no meaning for an interval. */
  readonly days: number;
  /** Seconds east of Greenwich, 0 without a zone. */
  readonly offset: number;
  /** Abbreviation of the zone, empty without one. */
  readonly zone: () => string;
}

/** The value in the shape of a format. @throws SqlError 22007 */
export function formatDateTime(fields: ClockFields, format: string): string {
  let text = "";
  for (const node of parsePattern(format)) text += node.kind === "field" ? formatField(node, fields) : node.text;
  return text;
}

/** A number with leading zeros; a minus takes one more place, as in PostgreSQL. FM takes all padding away. */
function padded(node: FieldNode, value: number, width: number): string {
  const digits = String(Math.abs(value));
  const text = (value < 0 ? "-" : "") + (node.fill ? digits : digits.padStart(width, "0"));
  return withOrdinal(node, text);
}

function withOrdinal(node: FieldNode, text: string): string {
  return node.ordinal === undefined ? text : text + ordinalEnding(text, node.ordinal === "TH");
}

function cased(node: FieldNode, text: string): string {
  return node.letterCase === "upper" ? text.toUpperCase() : node.letterCase === "lower" ? text.toLowerCase() : text;
}

/** A name, blank-padded to the longest one unless FM or TM says otherwise. */
function name(node: FieldNode, text: string, width: number): string {
  return cased(node, node.fill || node.translated ? text : text.padEnd(width));
}

function notForIntervals(fields: ClockFields): void {
  if (!fields.interval) return;
  throw new SqlError(sqlstate.invalidDatetimeFormat, "invalid format specification for an interval value", {
    hint: "Intervals are not tied to specific calendar dates.",
  });
}

/** PostgreSQL makes up a day for these patterns from whatever parts an interval has; the answer has no meaning. */
function needsDay(node: FieldNode, fields: ClockFields): void {
  if (!fields.interval) return;
  throw new SqlError(sqlstate.featureNotSupported, `formatting field "${node.name}" is not supported for intervals`, {
    hint: "Intervals are not tied to specific calendar dates.",
  });
}

/** The year as it is written: without a year 0, except in intervals. */
function shownYear({ interval }: ClockFields, year: number): number {
  return interval || year > 0 ? year : 1 - year;
}

function formatField(node: FieldNode, fields: ClockFields): string {
  return formatClock(node, fields) ?? formatZone(node, fields) ?? formatYear(node, fields) ?? formatDay(node, fields);
}

function formatClock(node: FieldNode, fields: ClockFields): string | undefined {
  const { hour, minute, second, fraction } = fields;
  switch (node.id) {
    case "A.M.":
    case "P.M.":
      return cased(node, ((hour % 24) + 24) % 24 >= 12 && hour >= 0 ? "P.M." : "A.M.");
    case "AM":
    case "PM":
      return cased(node, ((hour % 24) + 24) % 24 >= 12 && hour >= 0 ? "PM" : "AM");
    case "HH":
    case "HH12":
      return padded(node, hour % 12 === 0 ? 12 : hour % 12, 2);
    case "HH24":
      return padded(node, hour, 2);
    case "MI":
      return padded(node, minute, 2);
    case "SS":
      return padded(node, second, 2);
    case "MS":
    case "FF3":
      return fractionDigits(node, fraction, 3);
    case "US":
    case "FF6":
      return fractionDigits(node, fraction, 6);
    case "FF1":
    case "FF2":
    case "FF4":
    case "FF5":
      return fractionDigits(node, fraction, Number(node.id[2]));
    case "SSSS":
    case "SSSSS":
      return withOrdinal(node, String(hour * 3600 + minute * 60 + second));
    default:
      return undefined;
  }
}

function fractionDigits(node: FieldNode, fraction: number, digits: number): string {
  const value = Math.trunc(fraction / 10 ** (6 - digits));
  const width = value < 0 ? digits - 1 : digits;
  return withOrdinal(node, (value < 0 ? "-" : "") + String(Math.abs(value)).padStart(width, "0"));
}

function formatZone(node: FieldNode, fields: ClockFields): string | undefined {
  const magnitude = Math.abs(fields.offset);
  const sign = fields.offset < 0 ? "-" : "+";
  const hours = String(Math.floor(magnitude / 3600));
  const minutes = String(Math.floor((magnitude % 3600) / 60)).padStart(2, "0");
  switch (node.id) {
    case "TZ":
      notForIntervals(fields);
      return node.letterCase === "lower" ? fields.zone().toLowerCase() : fields.zone();
    case "TZH":
      notForIntervals(fields);
      return sign + hours.padStart(2, "0");
    case "TZM":
      notForIntervals(fields);
      return minutes;
    case "OF":
      notForIntervals(fields);
      return sign + (node.fill ? hours : hours.padStart(2, "0")) + (magnitude % 3600 === 0 ? "" : `:${minutes}`);
    default:
      return undefined;
  }
}

function formatYear(node: FieldNode, fields: ClockFields): string | undefined {
  switch (node.id) {
    case "A.D.":
    case "B.C.":
      notForIntervals(fields);
      return cased(node, fields.year <= 0 ? "B.C." : "A.D.");
    case "AD":
    case "BC":
      notForIntervals(fields);
      return cased(node, fields.year <= 0 ? "BC" : "AD");
    case "CC":
      return formatCentury(node, fields);
    case "Y,YYY": {
      const year = shownYear(fields, fields.year);
      const thousands = Math.trunc(year / 1000);
      const rest = year - thousands * 1000;
      const digits = String(Math.abs(rest)).padStart(rest < 0 ? 2 : 3, "0");
      return withOrdinal(node, `${thousands},${rest < 0 ? "-" : ""}${digits}`);
    }
    case "YYYY":
    case "YYY":
    case "YY":
    case "Y":
      return yearDigits(node, shownYear(fields, fields.year), node.id.length);
    case "IYYY":
    case "IYY":
    case "IY":
    case "I":
      needsDay(node, fields);
      return yearDigits(node, shownYear(fields, isoWeekOf(fields.days).year), node.id.length);
    default:
      return undefined;
  }
}

function yearDigits(node: FieldNode, year: number, digits: number): string {
  if (digits === 4) return padded(node, year, 4);
  const value = year % 10 ** digits;
  return digits === 1 ? withOrdinal(node, String(value)) : padded(node, value, digits);
}

function formatCentury(node: FieldNode, { interval, year }: ClockFields): string {
  const century = interval
    ? Math.trunc(year / 100)
    : year > 0
      ? Math.floor((year - 1) / 100) + 1
      : Math.trunc(year / 100) - 1;
  if (century <= 99 && century >= -99) return padded(node, century, 2);
  return withOrdinal(node, String(century));
}

function formatDay(node: FieldNode, fields: ClockFields): string {
  const { month, day, days, interval } = fields;
  const yearDay = interval ? (fields.year * 12 + month) * 30 + day : dayOfYear(days);
  switch (node.id) {
    case "MONTH":
      notForIntervals(fields);
      return name(node, monthNames[month - 1], 9);
    case "MON":
      notForIntervals(fields);
      return name(node, monthNames[month - 1].slice(0, 3), 3);
    case "MM":
      return padded(node, month, 2);
    case "DAY":
      notForIntervals(fields);
      return name(node, dayNames[dayOfWeek(days)], 9);
    case "DY":
      notForIntervals(fields);
      return name(node, dayNames[dayOfWeek(days)].slice(0, 3), 3);
    case "DDD":
      return padded(node, yearDay, yearDay < 0 ? 2 : 3);
    case "IDDD":
      needsDay(node, fields);
      return padded(node, days - isoYearStart(isoWeekOf(days).year) + 1, 3);
    case "DD":
      return padded(node, day, day < 0 ? 1 : 2);
    case "D":
      notForIntervals(fields);
      return withOrdinal(node, String(dayOfWeek(days) + 1));
    case "ID":
      notForIntervals(fields);
      return withOrdinal(node, String(dayOfWeek(days) || 7));
    case "WW":
      return padded(node, Math.trunc((yearDay - 1) / 7) + 1, 2);
    case "IW":
      needsDay(node, fields);
      return padded(node, isoWeekOf(days).week, 2);
    case "Q":
      return month === 0 ? "" : withOrdinal(node, String(Math.trunc((month - 1) / 3) + 1));
    case "RM":
      return formatRomanMonth(node, fields);
    case "W":
      return withOrdinal(node, String(Math.trunc((day - 1) / 7) + 1));
    case "J":
      needsDay(node, fields);
      return withOrdinal(node, String(days + julianOfEpoch));
    default:
      return ""; // FX only matters for input
  }
}

/** Twelve months of an interval are a year and no month; they still have a numeral. */
function formatRomanMonth(node: FieldNode, { month, year }: ClockFields): string {
  if (month === 0 && year === 0) return "";
  const index = month === 0 ? (year >= 0 ? 11 : 0) : month < 0 ? 12 + month : month - 1;
  const numeral = romanMonths[index];
  return cased(node, node.fill ? numeral : numeral.padEnd(4));
}
