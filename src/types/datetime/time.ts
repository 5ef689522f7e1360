/**
 * Types time and timetz. A time is microseconds since midnight (24:00 allowed); a timetz adds its offset.
 * Source: PostgreSQL 15, 8.5.1.2 "Times".
 */
import type { TypeContext, TypeOperations } from "../operations.js";
import type { TimeWithZone } from "../value.js";
import { compareNumbers } from "./date.js";
import { tryRead } from "./host.js";
import { readTimeOfDay } from "./read-time.js";
import { roundTime, shiftSeconds, splitTimestamp } from "./timestamp-value.js";
import { offsetText, timeText } from "./write.js";
import { zoneOfSession } from "./zone.js";

/** A resource's value as a text to read as a time of day: `04:05:06`, or the time of a Date in the session's zone. */
function timeOfDate(value: Date, context: TypeContext): { microseconds: number; offset: number } | undefined {
  const milliseconds = value.getTime();
  if (Number.isNaN(milliseconds)) return undefined;
  const offset = zoneOfSession(context.timeZone).offsetAt(Math.floor(milliseconds / 1000));
  return { microseconds: splitTimestamp(shiftSeconds(milliseconds * 1000, offset)).microseconds, offset };
}

function isRelative(text: string): boolean {
  return text.toLowerCase().includes("now");
}

export const timeOperations: TypeOperations = {
  input: (text, typmod, context) => roundTime(readTimeOfDay(text, "time", context).microseconds, typmod),
  output: (value) => timeText(value as number),
  compare: (a, b) => (a as number) - (b as number),
  fromHost(value, typmod, context) {
    if (value instanceof Date) {
      const time = timeOfDate(value, context);
      return time === undefined ? undefined : roundTime(time.microseconds, typmod);
    }
    if (typeof value !== "string" || isRelative(value)) return undefined;
    return tryRead(() => roundTime(readTimeOfDay(value, "time", context).microseconds, typmod));
  },
  toHost: (value) => timeText(value as number),
};

/** Order by the moment in Greenwich, then the more westerly zone last. */
export function compareTimetz(a: TimeWithZone, b: TimeWithZone): number {
  const difference = a.microseconds - a.offsetSeconds * 1_000_000 - (b.microseconds - b.offsetSeconds * 1_000_000);
  if (difference !== 0) return compareNumbers(difference, 0);
  return compareNumbers(b.offsetSeconds, a.offsetSeconds);
}

function readTimetz(text: string, typmod: number, context: TypeContext): TimeWithZone {
  const { microseconds, offset } = readTimeOfDay(text, "time with time zone", context);
  return { microseconds: roundTime(microseconds, typmod), offsetSeconds: offset };
}

/** `04:05:06+02` */
function timetzText({ microseconds, offsetSeconds }: TimeWithZone): string {
  return timeText(microseconds) + offsetText(offsetSeconds);
}

export const timetzOperations: TypeOperations = {
  input: readTimetz,
  output: (value) => timetzText(value as TimeWithZone),
  compare: (a, b) => compareTimetz(a as TimeWithZone, b as TimeWithZone),
  key(value) {
    const { microseconds, offsetSeconds } = value as TimeWithZone;
    return `${microseconds}/${offsetSeconds}`;
  },
  fromHost(value, typmod, context) {
    if (value instanceof Date) {
      const time = timeOfDate(value, context);
      if (time === undefined) return undefined;
      return { microseconds: roundTime(time.microseconds, typmod), offsetSeconds: time.offset };
    }
    if (typeof value !== "string" || isRelative(value)) return undefined;
    return tryRead(() => readTimetz(value, typmod, context));
  },
  toHost: (value) => timetzText(value as TimeWithZone),
};
