/**
 * The Gregorian calendar, carried back before its introduction as PostgreSQL does: day numbers, leap years, ISO weeks.
 * Years are astronomical (0 is 1 BC); days count from 1970-01-01.
 */

/** Julian day number of 1970-01-01. */
export const julianOfEpoch = 2_440_588;
/** Days from 1970-01-01 to 2000-01-01, where PostgreSQL's own count begins. */
export const daysToPostgresEpoch = 10_957;

/** A day of the proleptic Gregorian calendar. */
export interface CivilDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
/** Days before each month, counted in a year that begins with March so that the leap day comes last. */
const daysBeforeMonth = [306, 337, 0, 31, 61, 92, 122, 153, 184, 214, 245, 275];
/** From 0000-03-01 to 1970-01-01. */
const epochFromMarchZero = 719_468;

/** By the Gregorian rule for all time, as PostgreSQL counts. */
export function isLeapYear(year: number): boolean {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
}

/** Number of days in a month, 1 to 12. */
export function daysInMonth(year: number, month: number): number {
  return month === 2 && isLeapYear(year) ? 29 : monthLengths[month - 1];
}

/** Days since 1970-01-01 of a date; the day may lie outside its month, the month must be 1 to 12. */
export function dayNumber(year: number, month: number, day: number): number {
  const y = month <= 2 ? year - 1 : year;
  return (
    y * 365 +
    Math.floor(y / 4) -
    Math.floor(y / 100) +
    Math.floor(y / 400) +
    daysBeforeMonth[month - 1] +
    day -
    1 -
    epochFromMarchZero
  );
}

/** Beyond these days the steps of {@link civilDate} would leave 32 bits. */
const maxSmallDays = 2_146_000_000;

/** The date of a day number. */
export function civilDate(days: number): CivilDate {
  if (!(days < maxSmallDays && days > -maxSmallDays)) return farDate(days);
  // Divisions of 32-bit integers by constants, which the runtime makes multiplications of.
  const shifted = (days + epochFromMarchZero) | 0;
  const era = ((shifted >= 0 ? shifted : shifted - 146_096) / 146_097) | 0;
  const ofEra = (shifted - era * 146_097) | 0;
  const yearOfEra = ((ofEra - ((ofEra / 1460) | 0) + ((ofEra / 36_524) | 0) - ((ofEra / 146_096) | 0)) / 365) | 0;
  const ofYear = (ofEra - (365 * yearOfEra + ((yearOfEra / 4) | 0) - ((yearOfEra / 100) | 0))) | 0;
  const marchMonth = ((5 * ofYear + 2) / 153) | 0;
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  const day = ofYear - (((153 * marchMonth + 2) / 5) | 0) + 1;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day };
}

/** Far away the calendar repeats every 400 years. */
function farDate(days: number): CivilDate {
  const cycles = Math.floor(days / 146_097);
  const { year, month, day } = civilDate(days - cycles * 146_097);
  return { year: year + cycles * 400, month, day };
}

/** 0 for Sunday to 6 for Saturday. */
export function dayOfWeek(days: number): number {
  return (((days + 4) % 7) + 7) % 7;
}

/** 1 for 1 January. */
export function dayOfYear(days: number): number {
  return days - dayNumber(civilDate(days).year, 1, 1) + 1;
}

/** The Monday on or before a day. */
export function mondayOf(days: number): number {
  return days - ((dayOfWeek(days) + 6) % 7);
}

/** Monday of the first ISO week of a year: the week that holds 4 January. */
export function isoYearStart(year: number): number {
  return mondayOf(dayNumber(year, 1, 4));
}

/** ISO 8601 week (1 to 53) and the year it belongs to. */
export function isoWeekOf(days: number): { year: number; week: number } {
  const thursday = mondayOf(days) + 3;
  const year = civilDate(thursday).year;
  return { year, week: Math.floor((thursday - dayNumber(year, 1, 1)) / 7) + 1 };
}

/** Year as people write it: there is no year 0, so 0 becomes -1 (1 BC). */
export function yearWithoutZero(year: number): number {
  return year > 0 ? year : year - 1;
}
