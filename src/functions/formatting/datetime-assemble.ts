/**
 * Makes a date and time of the fields that to_date and to_timestamp read, with PostgreSQL's rules of which field wins.
 * Source: PostgreSQL 15, 9.8 "Data Type Formatting Functions", and the answers of a server.
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { civilDate, dayNumber, daysInMonth, isoYearStart, julianOfEpoch } from "../../types/datetime/calendar.js";
import { fieldOutOfRange, zoneDisplacementOutOfRange } from "../../types/datetime/errors.js";
import type { ReadFields } from "./datetime-from-text.js";

export interface Assembled {
  readonly days: number;
  readonly microseconds: number;
  /** Seconds east, when the text gave a zone. */
  readonly offset?: number;
  readonly precision?: number;
}

/** @throws SqlError 22007, 22008 */
export function assemble(fields: ReadFields, text: string): Assembled {
  const time = timeOf(fields);
  const days = dateOf(fields, text);
  checkTime(time, text);
  return { days, microseconds: time.total, offset: offsetOf(fields, text), precision: fields.precision };
}

interface Time {
  hour: number;
  minute: number;
  second: number;
  fraction: number;
  total: number;
}

function timeOf(fields: ReadFields): Time {
  let hour = 0;
  let minute = 0;
  let second = 0;
  if (fields.secondOfDay !== 0) {
    hour = Math.trunc(fields.secondOfDay / 3600);
    minute = Math.trunc((fields.secondOfDay % 3600) / 60);
    second = fields.secondOfDay % 60;
  }
  if (fields.second !== 0) second = fields.second;
  if (fields.minute !== 0) minute = fields.minute;
  if (fields.hour !== 0) hour = fields.hour;
  if (fields.twelveHours) {
    if (hour < 1 || hour > 12)
      throw new SqlError(sqlstate.invalidDatetimeFormat, `hour "${hour}" is invalid for the 12-hour clock`, {
        hint: "Use the 24-hour clock, or give an hour between 1 and 12.",
      });
    if (fields.pm === true && hour < 12) hour += 12;
    else if (fields.pm !== true && hour === 12) hour = 0;
  }
  const fraction = fields.millisecond * 1000 + fields.microsecond;
  return { hour, minute, second, fraction, total: ((hour * 60 + minute) * 60 + second) * 1_000_000 + fraction };
}

function checkTime({ hour, minute, second, fraction }: Time, text: string): void {
  const valid =
    hour >= 0 &&
    hour < 24 &&
    minute >= 0 &&
    minute < 60 &&
    second >= 0 &&
    second < 60 &&
    fraction >= 0 &&
    fraction < 1_000_000;
  if (!valid) throw fieldOutOfRange(text);
}

function offsetOf({ zoneSign, zoneHours, zoneMinutes }: ReadFields, text: string): number | undefined {
  if (zoneSign === 0) return undefined;
  if (zoneHours < 0 || zoneHours > 15 || zoneMinutes < 0 || zoneMinutes > 59) throw zoneDisplacementOutOfRange(text);
  return zoneSign * (zoneHours * 3600 + zoneMinutes * 60) + 0;
}

interface DateParts {
  year: number;
  month: number;
  day: number;
  /** Which of them were given and are to be checked. */
  given: { year: boolean; month: boolean; day: boolean };
}

function setDate(date: DateParts, days: number): void {
  Object.assign(date, civilDate(days));
  date.given = { year: true, month: true, day: true };
}

/** Without any field the date is 1 January of the year 0, that is 1 BC. */
function dateOf(fields: ReadFields, text: string): number {
  const date: DateParts = { year: 0, month: 1, day: 1, given: { year: false, month: false, day: false } };
  const year = yearOf(fields);
  if (year !== undefined) {
    date.year = year;
    date.given.year = true;
  }
  if (fields.julian !== 0) setDate(date, fields.julian - julianOfEpoch);
  let { yearDay, day } = fields;
  if (fields.week !== 0) {
    if (fields.convention === "iso") setDate(date, isoWeekDay(date.year, fields.week, fields.weekday));
    else yearDay = (fields.week - 1) * 7 + 1;
  }
  if (fields.weekOfMonth !== 0) day = (fields.weekOfMonth - 1) * 7 + 1;
  if (day !== 0) {
    date.day = day;
    date.given.day = true;
  }
  if (fields.month !== 0) {
    date.month = fields.month;
    date.given.month = true;
  }
  if (yearDay !== 0 && (date.month <= 1 || date.day <= 1)) useYearDay(date, yearDay, fields);
  const { given } = date;
  const monthWrong = given.month && (date.month < 1 || date.month > 12);
  const dayWrong = given.day && (date.day < 1 || date.day > 31);
  if (monthWrong || dayWrong) throw fieldOutOfRange(text);
  if (given.year && given.month && given.day && date.day > daysInMonth(date.year, date.month))
    throw fieldOutOfRange(text);
  return dayNumber(date.year, date.month, date.day);
}

/** Monday of an ISO week, or another day of it; weekdays count from Sunday as 1. */
function isoWeekDay(year: number, week: number, weekday: number): number {
  const monday = isoYearStart(year) + (week - 1) * 7;
  if (weekday === 0) return monday;
  return weekday > 1 ? monday + weekday - 2 : monday + 6;
}

function yearOf(fields: ReadFields): number | undefined {
  const { year, bc } = fields;
  const century = bc === true ? -fields.century : fields.century;
  if (year !== 0) {
    if (century !== 0 && fields.yearDigits <= 2) {
      // The 21st century is 2001 to 2100, the 6th BC 600 to 501.
      const ofCentury = year % 100;
      if (ofCentury !== 0) return century < 0 ? (century + 1) * 100 - ofCentury + 1 : (century - 1) * 100 + ofCentury;
      return century * 100 + (century >= 0 ? 0 : 1);
    }
    const signed = bc === true ? -year : year;
    return signed < 0 ? signed + 1 : signed;
  }
  if (century === 0) return undefined;
  return century > 0 ? (century - 1) * 100 + 1 : century * 100 + 1;
}

function useYearDay(date: DateParts, yearDay: number, fields: ReadFields): void {
  if (date.year === 0 && fields.bc !== true)
    throw new SqlError(sqlstate.invalidDatetimeFormat, "cannot calculate day of year without year information");
  if (fields.convention === "iso") {
    setDate(date, isoYearStart(date.year) + yearDay - 1);
    return;
  }
  let month = 1;
  let before = 0;
  while (month <= 12) {
    const length = daysInMonth(date.year, month);
    if (yearDay <= before + length) break;
    before += length;
    month++;
  }
  if (date.month <= 1) date.month = month;
  if (date.day <= 1) date.day = yearDay - before;
  date.given.month = true;
  date.given.day = true;
}
