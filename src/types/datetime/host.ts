/**
 * Dates and times between resources and the engine: which JavaScript values are taken, and ISO 8601 for result rows.
 * Years outside 0001 to 9999, which ISO 8601 has no common form for, are written as PostgreSQL does (`0044-03-15 BC`);
 * the expanded form of `Date.prototype.toISOString` (`-000043-03-15`) is read.
 */
import { SqlError } from "../../errors/sql-error.js";
import { civilDate } from "./calendar.js";
import type { Int64 } from "./int64.js";
import { splitTimestamp } from "./timestamp-value.js";
import { dateText, timestampText, twoDigits } from "./write.js";

/** Words whose meaning changes from day to day: fine in a statement, never a value that a resource delivers. */
const relativeWords = ["now", "today", "tomorrow", "yesterday"];

/** The text of a value as PostgreSQL reads it, `undefined` when it must not be read. */
export function hostText(value: string): string | undefined {
  const first = value.charCodeAt(0);
  if ((first === 43 || first === 45) && isExpandedYear(value)) return fromExpandedYear(value);
  const lower = value.toLowerCase();
  return relativeWords.some((word) => lower.includes(word)) ? undefined : value;
}

/** Reads a text, where a text that is no such value is `undefined` instead of an error. */
export function tryRead<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    // The caller reports the value with its resource, row and column, which says more than this message.
    if (error instanceof SqlError) return undefined;
    throw error;
  }
}

function isExpandedYear(text: string): boolean {
  let at = 1;
  while (text.charCodeAt(at) >= 48 && text.charCodeAt(at) <= 57) at++;
  return at >= 7 && text[at] === "-";
}

/** `-000043-03-15T…` is 44 BC. */
function fromExpandedYear(text: string): string {
  const end = text.indexOf("-", 1);
  const digits = Number(text.slice(1, end));
  const bc = text.startsWith("-") || digits === 0;
  const year = String(bc ? digits + 1 : digits).padStart(4, "0");
  return `${year}${text.slice(end)}${bc ? " BC" : ""}`;
}

/** `2026-05-16` */
export function isoDateText(days: number): string {
  if (days === Number.POSITIVE_INFINITY) return "infinity";
  if (days === Number.NEGATIVE_INFINITY) return "-infinity";
  const { year, month, day } = civilDate(days);
  if (!isCommonYear(year)) return dateText(days);
  return `${String(year).padStart(4, "0")}-${twoDigits(month)}-${twoDigits(day)}`;
}

function isCommonYear(year: number): boolean {
  return year >= 1 && year <= 9999;
}

/** `2026-05-16T00:00:00.000` with `zone` at its end; six digits after the point where three are not exact. */
export function isoTimestampText(value: Int64, zone: "Z" | ""): string {
  if (value === Number.POSITIVE_INFINITY) return "infinity";
  if (value === Number.NEGATIVE_INFINITY) return "-infinity";
  const { days, microseconds } = splitTimestamp(value);
  if (!isCommonYear(civilDate(days).year)) return timestampText(days, microseconds, zone === "Z" ? 0 : undefined);
  const fraction = microseconds % 1_000_000;
  const seconds = (microseconds - fraction) / 1_000_000;
  const second = seconds % 60;
  const minutes = (seconds - second) / 60;
  const minute = minutes % 60;
  const clock = `${twoDigits((minutes - minute) / 60)}:${twoDigits(minute)}:${twoDigits(second)}`;
  const digits = fraction % 1000 === 0 ? String(fraction / 1000).padStart(3, "0") : String(fraction).padStart(6, "0");
  return `${isoDateText(days)}T${clock}.${digits}${zone}`;
}
