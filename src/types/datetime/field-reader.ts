/**
 * What the readers of timestamps and of times of day share: the fields found so far, and how one field of text (a
 * number, a date, a time, a zone) adds to them. The order of ambiguous dates is month, day, year (DateStyle ISO, MDY).
 */
import { civilDate, dayNumber, daysInMonth, julianOfEpoch } from "./calendar.js";
import { fieldOutOfRange, invalidDateTime, monthDayOutOfRange, zoneDisplacementOutOfRange } from "./errors.js";
import { roundHalfEven } from "./int64.js";
import { dateWord } from "./keywords.js";
import { isDigit, isLetter } from "./text-fields.js";
import { microsecondsPerDay } from "./timestamp-value.js";

/** What has been read, as bits; a field that would be read twice is an error. */
export const seen = {
  year: 1 << 0,
  month: 1 << 1,
  day: 1 << 2,
  yearDay: 1 << 3,
  hour: 1 << 4,
  minute: 1 << 5,
  second: 1 << 6,
  fraction: 1 << 7,
  zone: 1 << 8,
  daylightZone: 1 << 9,
  daylightModifier: 1 << 10,
  meridiem: 1 << 11,
  era: 1 << 12,
  weekday: 1 << 13,
  moment: 1 << 14,
} as const;

/** The fields of a date. */
export const dateSeen = seen.year | seen.month | seen.day;
const secondsSeen = seen.second | seen.fraction;

/** The fields of a time of day. */
export const timeSeen = seen.hour | seen.minute | secondsSeen;

/** A whole number at the start of a text, and where it ends. */
export function leadingInteger(text: string, from: number): { value: number; end: number } {
  let at = from;
  let sign = 1;
  if (text[at] === "-" || text[at] === "+") {
    if (text[at] === "-") sign = -1;
    at++;
  }
  const start = at;
  let value = 0;
  while (isDigit(text.charCodeAt(at))) value = value * 10 + text.charCodeAt(at++) - 48;
  return at === start ? { value: 0, end: from } : { value: sign * value + 0, end: at };
}

const maxInt32 = 2_147_483_647;

/** The fields found so far; those not found keep the values that they have here. */
export class FieldReader {
  year = 0;
  month = 0;
  day = 0;
  yearDay = 0;
  hour = 0;
  minute = 0;
  second = 0;
  /** Microseconds beyond the seconds. */
  fraction = 0;
  mask = 0;
  /** The year was written with one or two digits. */
  shortYear = false;
  textMonth = false;
  julian = false;
  bc = false;
  meridiem: "am" | "pm" | undefined;

  constructor(
    /** The whole text, for messages. */
    readonly text: string,
    /** As PostgreSQL's message names the type. */
    readonly typeName: string,
  ) {}

  badFormat() {
    return invalidDateTime(this.typeName, this.text);
  }

  overflow() {
    return fieldOutOfRange(this.text);
  }

  /** Notes what a field gave. */
  add(bits: number): void {
    if ((this.mask & bits) !== 0) throw this.badFormat();
    this.mask |= bits;
  }

  integer(text: string, from: number): { value: number; end: number } {
    const read = leadingInteger(text, from);
    if (Math.abs(read.value) > maxInt32) throw this.overflow();
    return read;
  }

  /** `.123456` up to the end of the text, in microseconds. */
  readFraction(text: string, from: number): number {
    for (let i = from + 1; i < text.length; i++) if (!isDigit(text.charCodeAt(i))) throw this.badFormat();
    if (from + 1 === text.length) return 0;
    return roundHalfEven(Number(`0${text.slice(from)}`) * 1_000_000);
  }

  setJulian(julianDay: number): void {
    ({ year: this.year, month: this.month, day: this.day } = civilDate(julianDay - julianOfEpoch));
    this.julian = true;
  }

  setTimeOfDay(microseconds: number): void {
    this.fraction = microseconds % 1_000_000;
    let rest = (microseconds - this.fraction) / 1_000_000;
    this.second = rest % 60;
    rest = (rest - this.second) / 60;
    this.minute = rest % 60;
    this.hour = (rest - this.minute) / 60;
  }

  /** Several parts with separators: `1999-01-08`, `jan-8-1999`, `08.jan.99`. Gives the bits it read. */
  readDate(text: string): number {
    const parts = this.dateParts(text);
    let bits = 0;
    let textMonth = false;
    const numbers: string[] = [];
    for (const part of parts) {
      if (!isLetter(part.charCodeAt(0))) {
        numbers.push(part);
        continue;
      }
      const word = dateWord(part);
      if (word?.kind === "ignored") continue;
      if (word?.kind !== "month" || ((this.mask | bits) & seen.month) !== 0) throw this.badFormat();
      this.month = word.month;
      textMonth = true;
      bits |= seen.month;
    }
    for (const part of numbers) {
      const given = this.readNumber(part, textMonth, this.mask | bits);
      if (((this.mask | bits) & given) !== 0) throw this.badFormat();
      bits |= given;
    }
    if (((this.mask | bits) & ~(seen.yearDay | seen.zone)) !== dateSeen) throw this.badFormat();
    return bits;
  }

  private dateParts(text: string): string[] {
    const parts: string[] = [];
    let at = 0;
    while (at < text.length) {
      while (at < text.length && !isDigit(text.charCodeAt(at)) && !isLetter(text.charCodeAt(at))) at++;
      if (at >= text.length) throw this.badFormat();
      const start = at;
      const test = isDigit(text.charCodeAt(at)) ? isDigit : isLetter;
      while (at < text.length && test(text.charCodeAt(at))) at++;
      parts.push(text.slice(start, at));
      // One character after a part is a separator whatever it is.
      if (at < text.length) at++;
    }
    return parts;
  }

  /** A single number, whose meaning depends on what was read before. Gives the bits it read. */
  readNumber(text: string, textMonth: boolean, mask: number): number {
    const { value, end } = this.integer(text, 0);
    if (end === 0) throw this.badFormat();
    if (end < text.length) {
      if (text[end] !== ".") throw this.badFormat();
      if (end > 2) return this.readDigits(text, mask | dateSeen);
      this.fraction = this.readFraction(text, end);
    }
    const length = text.length;
    const dateMask = mask & dateSeen;
    if (length === 3 && dateMask === seen.year && value >= 1 && value <= 366) {
      this.yearDay = value;
      return seen.yearDay | seen.month | seen.day;
    }
    const bit = this.placeOf(length, textMonth, dateMask);
    switch (bit) {
      case seen.year:
        this.year = value;
        this.shortYear = length <= 2;
        return bit;
      case seen.month:
        this.month = value;
        return bit;
      case seen.day:
        this.day = value;
        return bit;
      case shiftedYear:
        // The first number was the day: DD-MON-YYYY.
        this.day = this.year;
        this.year = value;
        this.shortYear = false;
        return seen.day;
      default:
        return this.readDigits(text, mask);
    }
  }

  /** Which part of a date the next number is; 0 when the date is complete. */
  private placeOf(length: number, textMonth: boolean, dateMask: number): number {
    switch (dateMask) {
      case 0:
        return length >= 3 ? seen.year : seen.month;
      case seen.year:
        return seen.month;
      case seen.month:
        return textMonth && length >= 3 ? seen.year : seen.day;
      case seen.year | seen.month:
        return textMonth && length >= 3 && this.shortYear ? shiftedYear : seen.day;
      case seen.day:
        return seen.month;
      case seen.month | seen.day:
        return seen.year;
      case dateSeen:
        return 0;
      default:
        throw this.badFormat();
    }
  }

  /** Digits run together: a date `yyyymmdd` or `yymmdd`, else a time `hhmmss` or `hhmm`. Gives the bits it read. */
  readDigits(text: string, mask: number): number {
    let digits = text;
    const point = text.indexOf(".");
    if (point !== -1) {
      this.fraction = this.readFraction(text, point);
      digits = text.slice(0, point);
    } else if ((mask & dateSeen) !== dateSeen && digits.length >= 6) {
      const { length } = digits;
      this.day = leadingInteger(digits, length - 2).value;
      this.month = leadingInteger(digits.slice(0, length - 2), length - 4).value;
      this.year = this.integer(digits.slice(0, length - 4), 0).value;
      if (length === 6) this.shortYear = true;
      return dateSeen;
    }
    if ((mask & timeSeen) !== timeSeen && (digits.length === 6 || digits.length === 4)) {
      this.hour = leadingInteger(digits.slice(0, 2), 0).value;
      this.minute = leadingInteger(digits.slice(2, 4), 0).value;
      this.second = digits.length === 6 ? leadingInteger(digits, 4).value : 0;
      return timeSeen;
    }
    throw this.badFormat();
  }

  /** `hh:mm`, `hh:mm:ss.fff`, and `mm:ss.fff`. */
  readTime(text: string): void {
    const first = this.integer(text, 0);
    if (text[first.end] !== ":") throw this.badFormat();
    const second = this.integer(text, first.end + 1);
    let end = second.end;
    this.hour = first.value;
    this.minute = second.value;
    this.second = 0;
    this.fraction = 0;
    if (text[end] === ".") {
      this.hour = 0;
      this.minute = first.value;
      this.second = second.value;
      this.fraction = this.readFraction(text, end);
    } else if (text[end] === ":") {
      const third = this.integer(text, end + 1);
      end = third.end;
      this.second = third.value;
      if (text[end] === ".") this.fraction = this.readFraction(text, end);
      else if (end < text.length) throw this.badFormat();
    } else if (end < text.length) throw this.badFormat();
    if (this.minute > 59 || this.second > 60) throw this.overflow();
  }

  /** Whether the time lies after 24:00:00. A second 60 is allowed, as clocks show leap seconds so. */
  timeOverflows(): boolean {
    if (this.hour > 24 || this.minute > 59 || this.second > 60) return true;
    return this.timeOfDay() > microsecondsPerDay;
  }

  timeOfDay(): number {
    return ((this.hour * 60 + this.minute) * 60 + this.second) * 1_000_000 + this.fraction;
  }

  /** `+5`, `-03:30`, `+0530`, `-08:00:01` from a place in a text to its end: seconds east of Greenwich. */
  readOffset(text: string, from = 0): number {
    const sign = text[from];
    if (sign !== "+" && sign !== "-") throw this.badFormat();
    const hours = leadingInteger(text, from + 1);
    if (Math.abs(hours.value) > maxInt32) throw zoneDisplacementOutOfRange(this.text);
    let [hour, minute, second, end] = [hours.value, 0, 0, hours.end];
    if (text[end] === ":") {
      ({ value: minute, end } = leadingInteger(text, end + 1));
      if (text[end] === ":") ({ value: second, end } = leadingInteger(text, end + 1));
    } else if (end === text.length && text.length - from > 3) {
      minute = hour % 100;
      hour = Math.floor(hour / 100);
    }
    if (hour > 15 || hour < 0 || minute > 59 || minute < 0 || second > 59 || second < 0)
      throw zoneDisplacementOutOfRange(this.text);
    if (end < text.length) throw this.badFormat();
    const offset = (hour * 60 + minute) * 60 + second;
    return sign === "-" ? 0 - offset : offset;
  }

  /** Checks the date as a whole, once all fields are read, and makes its year astronomical. */
  validateDate(): void {
    if ((this.mask & seen.year) !== 0 && !this.julian) {
      if (this.bc) {
        if (this.year <= 0) throw this.overflow();
        this.year = 1 - this.year;
      } else if (this.shortYear) {
        if (this.year < 70) this.year += 2000;
        else if (this.year < 100) this.year += 1900;
      } else if (this.year <= 0) throw this.overflow();
    }
    if ((this.mask & seen.yearDay) !== 0) {
      const date = civilDate(dayNumber(this.year, 1, 1) + this.yearDay - 1);
      ({ year: this.year, month: this.month, day: this.day } = date);
    }
    if ((this.mask & seen.month) !== 0 && (this.month < 1 || this.month > 12)) throw monthDayOutOfRange(this.text);
    if ((this.mask & seen.day) !== 0 && (this.day < 1 || this.day > 31)) throw monthDayOutOfRange(this.text);
    if ((this.mask & dateSeen) === dateSeen && this.day > daysInMonth(this.year, this.month)) throw this.overflow();
  }

  applyMeridiem(): void {
    if (this.meridiem === undefined) return;
    if (this.hour > 12) throw this.overflow();
    if (this.meridiem === "am" && this.hour === 12) this.hour = 0;
    else if (this.meridiem === "pm" && this.hour !== 12) this.hour += 12;
  }
}

/** Stands for "this is the year, and what was taken for the year is the day". */
const shiftedYear = -1;
