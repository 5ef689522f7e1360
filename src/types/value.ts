/**
 * How a value of each SQL type is held in memory. Every value of a type has exactly one representation, so that `===`
 * is equality for all types marked "primitive", and a `Map` can group and join on them directly.
 *
 * | type | representation | primitive |
 * |---|---|---|
 * | any | SQL NULL is `null`, never `undefined` | |
 * | boolean | `boolean` | yes |
 * | int2, int4, oid | `number`, an integer | yes |
 * | int8 | `number` while it is a safe integer, otherwise `bigint` | yes |
 * | numeric | {@link Numeric} | no (`1.0` equals `1.00`) |
 * | float4, float8 | `number`; float4 is kept rounded to single precision; `-0` equals `0`, NaN equals itself | by key |
 * | text, varchar, name, enum types, uuid (lower case) | `string` | yes |
 * | bpchar | `string` padded to its length; trailing blanks are not significant in comparison | by key |
 * | citext | `string`; compared without case | by key |
 * | bytea | `Uint8Array` | by key |
 * | date | days since 1970-01-01, a `number`; `±Infinity` | yes |
 * | time | microseconds since midnight, a `number` (24:00 allowed) | yes |
 * | timetz | {@link TimeWithZone} | by key |
 * | timestamp, timestamptz | microseconds since 1970-01-01 00:00 (UTC): `number` while safe, otherwise `bigint`; `±Infinity` | yes |
 * | interval | {@link Interval} | by key (30 days equal a month) |
 * | json | {@link JsonText}: the text as written | no equality |
 * | jsonb | plain JavaScript JSON values, objects as they came from a resource; numbers that a double cannot hold exactly, or whose text has trailing zeros (`1.10`), are {@link Numeric}; a top-level JSON null is {@link jsonNull} | by key |
 * | jsonpath | `JsonPath` of `json/jsonpath/ast.ts` | no equality |
 * | arrays | JavaScript arrays, nested for several dimensions; other lower bounds than 1 are kept by {@link BoundedArray}, and so are the dimensions of a nested `jsonb[]`, whose elements can be arrays themselves | by key |
 * | record | {@link RecordValue} | by key |
 * | tid, regclass and other catalogue types | `string` or `number`, as their text or oid | yes |
 */
export type Value = unknown;

/** An interval: the three parts PostgreSQL keeps apart, since a month has no fixed number of days. `microseconds` is a safe integer or a bigint. */
export interface Interval {
  readonly months: number;
  readonly days: number;
  readonly microseconds: number | bigint;
}

/** A `time with time zone`: local microseconds since midnight, and the zone's offset in seconds east of Greenwich. */
export interface TimeWithZone {
  readonly microseconds: number;
  readonly offsetSeconds: number;
}

/** A value of type `json`, which keeps its text (white space, key order, duplicate keys). */
export class JsonText {
  constructor(readonly text: string) {}
}

/** The jsonb value `null` at top level, as against SQL NULL. Inside objects and arrays a plain `null` is used. */
export const jsonNull: unique symbol = Symbol("json null");

/** A row value: one value a field, with the fields' types (names are `f1`, `f2`, … for an anonymous ROW). */
export class RecordValue {
  constructor(
    readonly values: readonly Value[],
    readonly fields: readonly RecordField[],
  ) {}
}

/** One field of a record's type. */
export interface RecordField {
  readonly name: string;
  readonly type: import("./type.js").SqlType;
  /** PostgreSQL's atttypmod; absent when there is none. */
  readonly typmod?: number;
}

/** An array whose subscripts do not start at 1 in every dimension, such as `'[0:2]={1,2,3}'::int[]`. */
export class BoundedArray extends Array<Value> {
  lowerBounds: readonly number[] = [];
}
