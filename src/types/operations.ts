/**
 * What the program needs of every type, whatever the family: text form, order, keys for hashing, and the way from and
 * to the JavaScript values of resources and results. `operationsOf` finds a type's entry; the entries are written in
 * the files of their families (`numeric.ts`, `timestamp.ts`, `jsonb.ts`, …).
 */
import type { SqlType } from "./type.js";
import type { Value } from "./value.js";

/** What a search for a relation finds. */
export type RelationLookup = "found" | "no relation" | "no schema";

/** Settings that some conversions depend on; a session has them. */
export interface TypeContext {
  /** IANA zone, or an offset as PostgreSQL writes it; the default is UTC. */
  readonly timeZone: string;
  /** Microseconds since 1970 of the statement's (transaction's) start: what `now`, `today`, `CURRENT_DATE` mean. */
  readonly nowMicroseconds: number;
  /** Finds an enum of the database by its name; absent where there are none. */
  userType?(name: string, schema?: string): SqlType | undefined;
  /** Whether there is a table, view, index or sequence of that name; absent where that is not known. */
  relation?(name: string, schema?: string): RelationLookup;
}

/** None of these is called with SQL NULL. */
export interface TypeOperations {
  /** Reads PostgreSQL's text form, as a quoted literal or a cast from text does. @throws SqlError 22P02, 22007, 22008, 22003 … */
  input(text: string, typmod: number, context: TypeContext): Value;
  /** PostgreSQL's text form (DateStyle ISO, IntervalStyle postgres, extra_float_digits 1). */
  output(value: Value, context: TypeContext): string;
  /** The order of the type's btree operators: negative, 0, positive. Absent for types without one (json). */
  compare?(a: Value, b: Value): number;
  /**
   * A primitive that is `===` (in a Map) exactly for values that are equal. Absent when the value itself is one
   * ("primitive" in `value.ts`), so that callers can skip the call; undefined too for types without equality.
   */
  key?(value: Value): string | number | bigint | boolean;
  /**
   * A value as a resource delivers it (JSON values, Date, bigint, Uint8Array) as a value of this type.
   * Returns `undefined` when it cannot be one: the caller names resource, column, row and value.
   */
  fromHost(value: unknown, typmod: number, context: TypeContext): Value | undefined;
  /**
   * A value as result rows show it, JSON-ready: int8 and numeric as a number when that is exact, otherwise as a string;
   * timestamps ISO 8601; bytea `\x…`; arrays as arrays; records as objects; jsonb as itself.
   */
  toHost(value: Value, context: TypeContext): unknown;
}
