/**
 * The short way for the form in which nearly all timestamps arrive, `YYYY-MM-DDTHH:MM:SS[.ffffff][Z|±hh:mm]`, read by
 * character codes without cutting the text up. Everything else gives NaN and takes the long way of `read-datetime.ts`.
 */
import { dayNumber, daysInMonth } from "./calendar.js";
import { microsecondsPerDay } from "./timestamp-value.js";

const dash = 45;
const colon = 58;
const zero = 48;

/** Two digits at a place, or a number of 1000 or more when they are none. */
function two(text: string, at: number): number {
  const high = text.charCodeAt(at) - zero;
  const low = text.charCodeAt(at + 1) - zero;
  return high >= 0 && high <= 9 && low >= 0 && low <= 9 ? high * 10 + low : 1000;
}

/** Days since 1970 of the `YYYY-MM-DD` at the start of a text, NaN when there is none. */
export function isoDate(text: string): number {
  if (text.charCodeAt(4) !== dash || text.charCodeAt(7) !== dash) return Number.NaN;
  const year = two(text, 0) * 100 + two(text, 2);
  const month = two(text, 5);
  const day = two(text, 8);
  if (year > 9999 || year === 0 || month === 0 || month > 12 || day === 0) return Number.NaN;
  if (day > 28 && day > daysInMonth(year, month)) return Number.NaN;
  return dayNumber(year, month, day);
}

/** Microseconds since 1970 of a local timestamp that fills `text` up to `length`; NaN when it is not canonical, or not exact as a number. */
export function isoTimestamp(text: string, length: number): number {
  const separator = text.charCodeAt(10);
  if (length < 19 || (separator !== 84 && separator !== 32)) return Number.NaN;
  if (text.charCodeAt(13) !== colon || text.charCodeAt(16) !== colon) return Number.NaN;
  const hour = two(text, 11);
  const minute = two(text, 14);
  const second = two(text, 17);
  if (hour > 23 || minute > 59 || second > 59) return Number.NaN;
  let fraction = 0;
  if (length > 19) {
    if (text.charCodeAt(19) !== 46 || length > 26 || length === 20) return Number.NaN;
    let unit = 100_000;
    for (let i = 20; i < length; i++) {
      const digit = text.charCodeAt(i) - zero;
      if (!(digit >= 0 && digit <= 9)) return Number.NaN;
      fraction += digit * unit;
      unit /= 10;
    }
  }
  const days = isoDate(text);
  if (!(days > -104_000 && days < 104_000)) return Number.NaN;
  return days * microsecondsPerDay + ((hour * 60 + minute) * 60 + second) * 1_000_000 + fraction;
}

/** Where the offset `±hh:mm` or `±hh` at the end of a canonical timestamp begins, -1 when there is none. */
export function offsetStart(text: string): number {
  const { length } = text;
  if (length < 22) return -1;
  if (text.charCodeAt(length - 3) === colon && isSign(text.charCodeAt(length - 6))) return length - 6;
  return isSign(text.charCodeAt(length - 3)) ? length - 3 : -1;
}

function isSign(code: number): boolean {
  return code === 43 || code === dash;
}

/** Seconds east of Greenwich of the offset at a place, NaN when it is none. */
export function isoOffset(text: string, at: number): number {
  const hour = two(text, at + 1);
  const minute = at + 3 === text.length ? 0 : two(text, at + 4);
  if (hour > 15 || minute > 59) return Number.NaN;
  const seconds = (hour * 60 + minute) * 60;
  return text.charCodeAt(at) === dash ? 0 - seconds : seconds;
}
