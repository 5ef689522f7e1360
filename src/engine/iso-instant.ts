/**
 * The form in which `JSON.stringify` writes a Date, `2026-05-16T09:30:00.000Z`, read without branches for each digit:
 * most timestamps of resources arrive in it, and reading them is the dearest part of many statements.
 */

const firstYear = 1900;
const lastYear = 2199;

/** Days since 1970 of the first of each month, from January of the first year; one entry more at the end. */
const monthStarts: Int32Array = Int32Array.from({ length: (lastYear - firstYear + 1) * 12 + 1 }, (_, m) =>
  Math.round(Date.UTC(firstYear + Math.floor(m / 12), m % 12, 1) / 86_400_000),
);

/** Microseconds since 1970, NaN for any other form (which the type itself may well be able to read). */
export function isoInstant(text: string): number {
  if (text.length !== 24) return Number.NaN;
  const y1 = text.charCodeAt(0) - 48;
  const y2 = text.charCodeAt(1) - 48;
  const y3 = text.charCodeAt(2) - 48;
  const y4 = text.charCodeAt(3) - 48;
  const o1 = text.charCodeAt(5) - 48;
  const o2 = text.charCodeAt(6) - 48;
  const d1 = text.charCodeAt(8) - 48;
  const d2 = text.charCodeAt(9) - 48;
  const h1 = text.charCodeAt(11) - 48;
  const h2 = text.charCodeAt(12) - 48;
  const m1 = text.charCodeAt(14) - 48;
  const m2 = text.charCodeAt(15) - 48;
  const s1 = text.charCodeAt(17) - 48;
  const s2 = text.charCodeAt(18) - 48;
  const f1 = text.charCodeAt(20) - 48;
  const f2 = text.charCodeAt(21) - 48;
  const f3 = text.charCodeAt(22) - 48;
  // Negative as soon as one of them is no digit: x is negative below 0, 9 - x above 9.
  const digits =
    y1 |
    y2 |
    y3 |
    y4 |
    o1 |
    o2 |
    d1 |
    d2 |
    h1 |
    h2 |
    m1 |
    m2 |
    s1 |
    s2 |
    f1 |
    f2 |
    f3 |
    ((9 - y1) | (9 - y2) | (9 - y3) | (9 - y4) | (9 - o1) | (9 - o2) | (9 - d1) | (9 - d2) | (9 - h1)) |
    ((9 - h2) | (9 - m1) | (9 - m2) | (9 - s1) | (9 - s2) | (9 - f1) | (9 - f2) | (9 - f3));
  // Zero when all the signs between them are right.
  const signs =
    (text.charCodeAt(4) ^ 45) |
    (text.charCodeAt(7) ^ 45) |
    (text.charCodeAt(10) ^ 84) |
    (text.charCodeAt(13) ^ 58) |
    (text.charCodeAt(16) ^ 58) |
    (text.charCodeAt(19) ^ 46) |
    (text.charCodeAt(23) ^ 90);
  if (digits < 0 || signs !== 0) return Number.NaN;
  const year = y1 * 1000 + y2 * 100 + y3 * 10 + y4;
  const month = o1 * 10 + o2;
  const day = d1 * 10 + d2;
  const hour = h1 * 10 + h2;
  const minute = m1 * 10 + m2;
  const second = s1 * 10 + s2;
  if (year < firstYear || year > lastYear || month < 1 || month > 12 || day < 1) return Number.NaN;
  if (hour > 23 || minute > 59 || second > 59) return Number.NaN;
  const at = (year - firstYear) * 12 + month - 1;
  const days = monthStarts[at] + day - 1;
  if (days >= monthStarts[at + 1]) return Number.NaN;
  return days * 86_400_000_000 + ((hour * 60 + minute) * 60 + second) * 1_000_000 + (f1 * 100 + f2 * 10 + f3) * 1000;
}
