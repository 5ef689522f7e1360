/**
 * The short way for the form in which nearly all timestamps arrive, `YYYY-MM-DDTHH:MM:SS[.ffffff][Z|±hh:mm]`, read by
 * character codes without cutting the text up. Everything else gives NaN and takes the long way of `read-datetime.ts`.
 */
import { daysInMonth } from "./calendar.js";
import { microsecondsPerDay } from "./timestamp-value.js";

const dash = 45;
const colon = 58;
const zero = 48;

/** Days before each month, counted in a year that begins with March. */
const daysBeforeMonth = [306, 337, 0, 31, 61, 92, 122, 153, 184, 214, 245, 275];
/** From 0000-03-01 to 1970-01-01. */
const epochFromMarchZero = 719_468;

/**
 * Days since 1970 of the `YYYY-MM-DD` at the start of a text, NaN when there is none.
 *
 * A character code with the bits of "0" turned over is its value for a digit and ten or more for all else; six more
 * carries that into the fifth bit, so that one test covers all digits.
 */
export function isoDate(text: string): number {
  const y1 = text.charCodeAt(0) ^ zero;
  const y2 = text.charCodeAt(1) ^ zero;
  const y3 = text.charCodeAt(2) ^ zero;
  const y4 = text.charCodeAt(3) ^ zero;
  const m1 = text.charCodeAt(5) ^ zero;
  const m2 = text.charCodeAt(6) ^ zero;
  const d1 = text.charCodeAt(8) ^ zero;
  const d2 = text.charCodeAt(9) ^ zero;
  const yearBits = (y1 + 6) | (y2 + 6) | (y3 + 6) | (y4 + 6);
  const dayBits = (m1 + 6) | (m2 + 6) | (d1 + 6) | (d2 + 6);
  if (((yearBits | dayBits) & ~15) !== 0) return Number.NaN;
  if (text.charCodeAt(4) !== dash || text.charCodeAt(7) !== dash) return Number.NaN;
  const year = y1 * 1000 + y2 * 100 + y3 * 10 + y4;
  const month = m1 * 10 + m2;
  const day = d1 * 10 + d2;
  if (year === 0 || month === 0 || month > 12 || day === 0) return Number.NaN;
  if (day > 28 && day > daysInMonth(year, month)) return Number.NaN;
  const y = (month <= 2 ? year - 1 : year) | 0;
  const leapDays = (y >> 2) - ((y / 100) | 0) + ((y / 400) | 0);
  return y * 365 + leapDays + daysBeforeMonth[month - 1] + day - 1 - epochFromMarchZero;
}

/** What one digit is worth, by how many digits a fraction has: 3 digits are milliseconds. */
const worthOfFraction = [0, 100_000, 10_000, 1000, 100, 10, 1];

/** Microseconds since 1970 of a local timestamp that fills `text` up to `length`; NaN when it is not canonical, or not exact as a number. */
export function isoTimestamp(text: string, length: number): number {
  const separator = text.charCodeAt(10);
  if (length < 19 || (separator !== 84 && separator !== 32)) return Number.NaN;
  const h1 = text.charCodeAt(11) ^ zero;
  const h2 = text.charCodeAt(12) ^ zero;
  const m1 = text.charCodeAt(14) ^ zero;
  const m2 = text.charCodeAt(15) ^ zero;
  const s1 = text.charCodeAt(17) ^ zero;
  const s2 = text.charCodeAt(18) ^ zero;
  const bits = (h1 + 6) | (h2 + 6) | (m1 + 6) | (m2 + 6) | (s1 + 6) | (s2 + 6);
  if ((bits & ~15) !== 0 || text.charCodeAt(13) !== colon || text.charCodeAt(16) !== colon) return Number.NaN;
  const hour = h1 * 10 + h2;
  const minute = m1 * 10 + m2;
  const second = s1 * 10 + s2;
  if (hour > 23 || minute > 59 || second > 59) return Number.NaN;
  let fraction = 0;
  if (length > 19) {
    if (text.charCodeAt(19) !== 46 || length > 26 || length === 20) return Number.NaN;
    let digits = 0;
    for (let i = 20; i < length; i++) {
      const digit = text.charCodeAt(i) ^ zero;
      digits |= digit + 6;
      fraction = fraction * 10 + digit;
    }
    if ((digits & ~15) !== 0) return Number.NaN;
    fraction *= worthOfFraction[length - 20];
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

/** Two digits at a place, or a number of 1000 or more when they are none. */
function two(text: string, at: number): number {
  const high = text.charCodeAt(at) - zero;
  const low = text.charCodeAt(at + 1) - zero;
  return high >= 0 && high <= 9 && low >= 0 && low <= 9 ? high * 10 + low : 1000;
}

/** Seconds east of Greenwich of the offset at a place, NaN when it is none. */
export function isoOffset(text: string, at: number): number {
  const hour = two(text, at + 1);
  const minute = at + 3 === text.length ? 0 : two(text, at + 4);
  if (hour > 15 || minute > 59) return Number.NaN;
  const seconds = (hour * 60 + minute) * 60;
  return text.charCodeAt(at) === dash ? 0 - seconds : seconds;
}
