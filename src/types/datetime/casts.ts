/** Casts among the date and time types, as pg_cast of PostgreSQL 15 has them. */
import type { CastEntry } from "../casts/entry.js";
import type { TypeContext } from "../operations.js";
import type { Interval, TimeWithZone } from "../value.js";
import {
  dateToTimestamp,
  dateToTimestamptz,
  intervalToTime,
  timestampToDate,
  timestampToTime,
  timestampToTimestamptz,
  timestamptzToDate,
  timestamptzToTimestamp,
  timestamptzToTimetz,
  timeToTimetz,
} from "./convert.js";
import type { Int64 } from "./int64.js";
import { applyIntervalModifier } from "./interval-modifier.js";
import { roundTime, roundTimestamp } from "./timestamp-value.js";

export const datetimeCasts: readonly CastEntry[] = [
  { source: "date", target: "timestamp", context: "implicit", convert: (value: number) => dateToTimestamp(value) },
  {
    source: "date",
    target: "timestamptz",
    context: "implicit",
    convert: (value: number, _typmod, context: TypeContext) => dateToTimestamptz(value, context.timeZone),
  },
  {
    source: "time",
    target: "interval",
    context: "implicit",
    convert: (value: number): Interval => ({ months: 0, days: 0, microseconds: value }),
  },
  {
    source: "time",
    target: "timetz",
    context: "implicit",
    convert: (value: number, _typmod, context: TypeContext) => timeToTimetz(value, context),
  },
  { source: "timestamp", target: "date", context: "assignment", convert: (value: Int64) => timestampToDate(value) },
  { source: "timestamp", target: "time", context: "assignment", convert: (value: Int64) => timestampToTime(value) },
  {
    source: "timestamp",
    target: "timestamptz",
    context: "implicit",
    convert: (value: Int64, _typmod, context: TypeContext) => timestampToTimestamptz(value, context.timeZone),
  },
  {
    source: "timestamptz",
    target: "date",
    context: "assignment",
    convert: (value: Int64, _typmod, context: TypeContext) => timestamptzToDate(value, context.timeZone),
  },
  {
    source: "timestamptz",
    target: "time",
    context: "assignment",
    convert: (value: Int64, _typmod, context: TypeContext) =>
      timestamptzToTimetz(value, context.timeZone)?.microseconds ?? null,
  },
  {
    source: "timestamptz",
    target: "timestamp",
    context: "assignment",
    convert: (value: Int64, _typmod, context: TypeContext) => timestamptzToTimestamp(value, context.timeZone),
  },
  {
    source: "timestamptz",
    target: "timetz",
    context: "assignment",
    convert: (value: Int64, _typmod, context: TypeContext) => timestamptzToTimetz(value, context.timeZone),
  },
  { source: "interval", target: "time", context: "assignment", convert: (value: Interval) => intervalToTime(value) },
  { source: "timetz", target: "time", context: "assignment", convert: (value: TimeWithZone) => value.microseconds },
  // What a type modifier does to a value of the type itself.
  {
    source: "time",
    target: "time",
    context: "implicit",
    convert: (value: number, typmod: number) => roundTime(value, typmod),
  },
  {
    source: "timetz",
    target: "timetz",
    context: "implicit",
    convert: (value: TimeWithZone, typmod: number): TimeWithZone => ({
      microseconds: roundTime(value.microseconds, typmod),
      offsetSeconds: value.offsetSeconds,
    }),
  },
  {
    source: "timestamp",
    target: "timestamp",
    context: "implicit",
    convert: (value: Int64, typmod: number) => roundTimestamp(value, typmod),
  },
  {
    source: "timestamptz",
    target: "timestamptz",
    context: "implicit",
    convert: (value: Int64, typmod: number) => roundTimestamp(value, typmod),
  },
  {
    source: "interval",
    target: "interval",
    context: "implicit",
    convert: (value: Interval, typmod: number) => applyIntervalModifier(value, typmod),
  },
];
