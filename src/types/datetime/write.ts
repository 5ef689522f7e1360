/** PostgreSQL's text form of dates, times, timestamps and intervals (DateStyle ISO, IntervalStyle postgres). */
import type { Interval } from "../value.js";
import { civilDate } from "./calendar.js";
import { divideTruncated } from "./int64.js";
import { microsecondsPerHour } from "./timestamp-value.js";

const pairs: readonly string[] = Array.from({ length: 100 }, (_, i) => (i < 10 ? `0${i}` : String(i)));

/** A whole number that is not negative, with at least two digits. */
export function twoDigits(value: number): string {
  return value < 100 ? pairs[value] : String(value);
}

/** `1999-01-08`, without the era. */
function plainDate(days: number): { text: string; bc: boolean } {
  const { year, month, day } = civilDate(days);
  const bc = year <= 0;
  const shown = bc ? 1 - year : year;
  const digits = shown >= 1000 ? String(shown) : String(shown).padStart(4, "0");
  return { text: `${digits}-${twoDigits(month)}-${twoDigits(day)}`, bc };
}

/** `1999-01-08`, `0044-03-15 BC`, `infinity`. */
export function dateText(days: number): string {
  if (days === Number.POSITIVE_INFINITY) return "infinity";
  if (days === Number.NEGATIVE_INFINITY) return "-infinity";
  const { text, bc } = plainDate(days);
  return bc ? `${text} BC` : text;
}

/** `.123`, without trailing zeros; empty for whole seconds. */
function fractionText(microseconds: number): string {
  if (microseconds === 0) return "";
  let text = String(microseconds).padStart(6, "0");
  while (text.endsWith("0")) text = text.slice(0, -1);
  return `.${text}`;
}

/** `04:05:06.789` */
export function timeText(microseconds: number): string {
  const fraction = microseconds % 1_000_000;
  const seconds = (microseconds - fraction) / 1_000_000;
  const second = seconds % 60;
  const minutes = (seconds - second) / 60;
  const minute = minutes % 60;
  return `${twoDigits((minutes - minute) / 60)}:${twoDigits(minute)}:${twoDigits(second)}${fractionText(fraction)}`;
}

/** `+00`, `-03:30`, `+05:53:28` */
export function offsetText(offset: number): string {
  const magnitude = Math.abs(offset);
  const second = magnitude % 60;
  const minute = ((magnitude - second) / 60) % 60;
  const hour = twoDigits(Math.floor(magnitude / 3600));
  const sign = offset < 0 ? "-" : "+";
  if (second !== 0) return `${sign}${hour}:${twoDigits(minute)}:${twoDigits(second)}`;
  return minute !== 0 ? `${sign}${hour}:${twoDigits(minute)}` : `${sign}${hour}`;
}

/** `1999-01-08 04:05:06`, with an offset when there is one, `BC` last. */
export function timestampText(days: number, microseconds: number, offset?: number): string {
  const { text, bc } = plainDate(days);
  const zone = offset === undefined ? "" : offsetText(offset);
  return `${text} ${timeText(microseconds)}${zone}${bc ? " BC" : ""}`;
}

/** `1 year 2 mons 3 days 04:05:06`; after a negative part, positive ones have a sign. */
export function intervalText(interval: Interval): string {
  const years = Math.trunc(interval.months / 12);
  const months = interval.months % 12;
  let text = "";
  let afterNegative = false;
  const add = (value: number, unit: string): void => {
    if (value === 0) return;
    if (text !== "") text += " ";
    text += `${afterNegative && value > 0 ? "+" : ""}${value} ${unit}${value === 1 ? "" : "s"}`;
    afterNegative = value < 0;
  };
  add(years, "year");
  add(months, "mon");
  add(interval.days, "day");
  const { microseconds } = interval;
  if (text !== "" && Number(microseconds) === 0) return text;
  const { quotient: hours, remainder } = divideTruncated(microseconds, microsecondsPerHour);
  const sign = microseconds < 0 ? "-" : afterNegative ? "+" : "";
  const rest = Math.abs(remainder);
  const fraction = rest % 1_000_000;
  const seconds = (rest - fraction) / 1_000_000;
  const clock = `${twoDigits(Math.abs(hours))}:${twoDigits(Math.floor(seconds / 60))}:${twoDigits(seconds % 60)}`;
  return `${text}${text === "" ? "" : " "}${sign}${clock}${fractionText(fraction)}`;
}
