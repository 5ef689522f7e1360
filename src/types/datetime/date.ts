/** Type date: days since 1970-01-01, a number; ±Infinity. Source: PostgreSQL 15, 8.5 "Date/Time Types". */
import type { TypeContext, TypeOperations } from "../operations.js";
import { dayNumber } from "./calendar.js";
import { outOfRange } from "./errors.js";
import { hostText, isoDateText, tryRead } from "./host.js";
import { isoDate } from "./iso.js";
import { readDateTime } from "./read-datetime.js";
import { endOfDateDays, firstDay, secondsPerDay } from "./timestamp-value.js";
import { dateText } from "./write.js";
import { zoneOfSession } from "./zone.js";

/** The day itself, when it is within the range of dates. @throws SqlError 22008 */
export function checkDate(days: number, text?: string): number {
  if (days >= firstDay && days < endOfDateDays) return days;
  throw outOfRange("date", text);
}

function readDate(text: string, context: TypeContext): number {
  if (text.length === 10) {
    const days = isoDate(text);
    if (!Number.isNaN(days)) return days;
  }
  const read = readDateTime(text, "date", context);
  switch (read.kind) {
    case "infinity":
      return Number.POSITIVE_INFINITY;
    case "-infinity":
      return Number.NEGATIVE_INFINITY;
    case "epoch":
      return dayNumber(1970, 1, 1);
    case "point":
      return checkDate(read.days, text);
  }
}

export const dateOperations: TypeOperations = {
  input: (text, _typmod, context) => readDate(text, context),
  output: (value) => dateText(value as number),
  compare: (a, b) => compareNumbers(a as number, b as number),
  fromHost(value, _typmod, context) {
    if (typeof value === "string") {
      if (value.length === 10) {
        const days = isoDate(value);
        if (!Number.isNaN(days)) return days;
      }
      const text = hostText(value);
      return text === undefined ? undefined : tryRead(() => readDate(text, context));
    }
    if (!(value instanceof Date)) return undefined;
    const milliseconds = value.getTime();
    if (Number.isNaN(milliseconds)) return undefined;
    const offset = zoneOfSession(context.timeZone).offsetAt(Math.floor(milliseconds / 1000));
    return Math.floor((milliseconds / 1000 + offset) / secondsPerDay);
  },
  toHost: (value) => isoDateText(value as number),
};

/** Order of two numbers, infinities included. */
export function compareNumbers(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
