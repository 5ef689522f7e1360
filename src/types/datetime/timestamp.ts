/**
 * Types timestamp and timestamptz: microseconds since 1970, a number while safe, otherwise a bigint; ±Infinity.
 * A timestamptz is an instant (UTC); its text is in the session's zone.
 * Source: PostgreSQL 15, 8.5.1.3 "Time Stamps".
 */
import type { TypeContext, TypeOperations } from "../operations.js";
import { hostText, isoTimestampText, tryRead } from "./host.js";
import type { Int64 } from "./int64.js";
import { isoOffset, isoTimestamp, offsetStart } from "./iso.js";
import { type ReadDateTime, readDateTime } from "./read-datetime.js";
import { joinTimestamp, roundTimestamp, secondsOf, shiftSeconds, splitTimestamp } from "./timestamp-value.js";
import { timestampText } from "./write.js";
import { type Zone, zoneOfSession } from "./zone.js";

const letterZ = 90;

/** Order of two timestamps: numbers, bigints and infinities compare with each other. */
export function compareTimestamps(a: Int64, b: Int64): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function momentOf(read: Exclude<ReadDateTime, { kind: "point" }>): number {
  if (read.kind === "epoch") return 0;
  return read.kind === "infinity" ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
}

/** A timestamp without zone: what zone the text gives is read and ignored. */
function readTimestamp(text: string, typmod: number, context: TypeContext): Int64 {
  const fast = fastLocal(text);
  if (!Number.isNaN(fast)) return roundTimestamp(fast, typmod);
  const read = readDateTime(text, "timestamp", context);
  if (read.kind !== "point") return momentOf(read);
  return roundTimestamp(joinTimestamp(read.days, read.microseconds, text), typmod);
}

function fastLocal(text: string): number {
  const { length } = text;
  if (text.charCodeAt(length - 1) === letterZ) return isoTimestamp(text, length - 1);
  const at = offsetStart(text);
  if (at === -1) return isoTimestamp(text, length);
  const offset = isoOffset(text, at);
  return Number.isNaN(offset) ? offset : isoTimestamp(text, at);
}

/** A timestamp with zone: an instant. Without a zone in the text the session's is meant. */
function readTimestamptz(text: string, typmod: number, context: TypeContext): Int64 {
  const fast = fastInstant(text, context);
  if (!Number.isNaN(fast)) return typmod >= 0 && typmod < 6 ? roundTimestamp(fast, typmod) : fast;
  const read = readDateTime(text, "timestamp with time zone", context);
  if (read.kind !== "point") return momentOf(read);
  const utc = joinTimestamp(read.days, read.microseconds - read.offset * 1_000_000, text);
  return roundTimestamp(utc, typmod);
}

function fastInstant(text: string, context: TypeContext): number {
  const { length } = text;
  if (text.charCodeAt(length - 1) === letterZ) return isoTimestamp(text, length - 1);
  const at = offsetStart(text);
  if (at !== -1) return isoTimestamp(text, at) - isoOffset(text, at) * 1_000_000;
  const local = isoTimestamp(text, length);
  if (Number.isNaN(local)) return local;
  return local - zoneOfSession(context.timeZone).offsetOfLocal(Math.floor(local / 1_000_000)) * 1_000_000;
}

function specialText(value: Int64): string | undefined {
  if (value === Number.POSITIVE_INFINITY) return "infinity";
  return value === Number.NEGATIVE_INFINITY ? "-infinity" : undefined;
}

/** The local time, as a timestamp, of an instant in a zone. */
export function toLocal(value: Int64, zone: Zone): Int64 {
  if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) return value;
  return shiftSeconds(value, zone.offsetAt(secondsOf(value)));
}

export const timestampOperations: TypeOperations = {
  input: readTimestamp,
  output(value) {
    const special = specialText(value as Int64);
    if (special !== undefined) return special;
    const { days, microseconds } = splitTimestamp(value as Int64);
    return timestampText(days, microseconds);
  },
  compare: (a, b) => compareTimestamps(a as Int64, b as Int64),
  fromHost(value, typmod, context) {
    if (typeof value === "string") {
      const fast = fastLocal(value);
      if (!Number.isNaN(fast)) return typmod >= 0 && typmod < 6 ? roundTimestamp(fast, typmod) : fast;
      const text = hostText(value);
      return text === undefined ? undefined : tryRead(() => readTimestamp(text, typmod, context));
    }
    if (!(value instanceof Date)) return undefined;
    const milliseconds = value.getTime();
    if (Number.isNaN(milliseconds)) return undefined;
    return roundTimestamp(toLocal(microsecondsOf(milliseconds), zoneOfSession(context.timeZone)), typmod);
  },
  toHost: (value) => isoTimestampText(value as Int64, ""),
};

export const timestamptzOperations: TypeOperations = {
  input: readTimestamptz,
  output(value, context) {
    const special = specialText(value as Int64);
    if (special !== undefined) return special;
    const offset = zoneOfSession(context.timeZone).offsetAt(secondsOf(value as Int64));
    const { days, microseconds } = splitTimestamp(shiftSeconds(value as Int64, offset));
    return timestampText(days, microseconds, offset);
  },
  compare: (a, b) => compareTimestamps(a as Int64, b as Int64),
  fromHost(value, typmod, context) {
    if (typeof value === "string") {
      const fast = fastInstant(value, context);
      if (!Number.isNaN(fast)) return typmod >= 0 && typmod < 6 ? roundTimestamp(fast, typmod) : fast;
      const text = hostText(value);
      return text === undefined ? undefined : tryRead(() => readTimestamptz(text, typmod, context));
    }
    if (!(value instanceof Date)) return undefined;
    const milliseconds = value.getTime();
    return Number.isNaN(milliseconds) ? undefined : roundTimestamp(microsecondsOf(milliseconds), typmod);
  },
  toHost: (value) => isoTimestampText(value as Int64, "Z"),
};

function microsecondsOf(milliseconds: number): Int64 {
  const microseconds = milliseconds * 1000;
  return Number.isSafeInteger(microseconds) ? microseconds : BigInt(milliseconds) * 1000n;
}
