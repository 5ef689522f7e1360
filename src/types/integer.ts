/**
 * The integer types int2, int4, int8 and oid: text form and checked arithmetic. int8 values are numbers while safe and
 * bigints beyond ({@link canonicalInt8}); every function here keeps that form.
 */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import type { TypeOperations } from "./operations.js";
import { isDigit, isSpace } from "./scan.js";
import type { Value } from "./value.js";

/** A value of type int8. */
export type Int8 = number | bigint;

/** -2⁶³. */
export const int8Min = -(2n ** 63n);

/** 2⁶³ - 1. */
export const int8Max = 2n ** 63n - 1n;
const minSafe = BigInt(Number.MIN_SAFE_INTEGER);
const maxSafe = BigInt(Number.MAX_SAFE_INTEGER);

/** 22003 `integer out of range` and its like. */
export function outOfRange(type: string): SqlError {
  return new SqlError(sqlstate.numericValueOutOfRange, `${type} out of range`);
}

/** 22012, of every type of number. */
export function divisionByZero(): SqlError {
  return new SqlError(sqlstate.divisionByZero, "division by zero");
}

/** A bigint as an int8 value. @throws SqlError 22003 outside 64 bits */
export function canonicalInt8(n: bigint): Int8 {
  if (n >= minSafe && n <= maxSafe) return Number(n);
  if (n < int8Min || n > int8Max) throw outOfRange("bigint");
  return n;
}

/** The number itself. @throws SqlError 22003 outside smallint */
export function checkInt2(n: number): number {
  if (n < -32_768 || n > 32_767) throw outOfRange("smallint");
  return n;
}

/** The number itself. @throws SqlError 22003 outside integer */
export function checkInt4(n: number): number {
  if (n < -2_147_483_648 || n > 2_147_483_647) throw outOfRange("integer");
  return n;
}

/** Whole number written in `text`, or a reason why not; `limit` bounds its absolute value before the syntax is judged. */
function readInteger(text: string, type: string, min: bigint, max: bigint): bigint {
  let at = 0;
  const end = text.length;
  while (at < end && isSpace(text.charCodeAt(at))) at++;
  const sign = text[at];
  if (sign === "-" || sign === "+") at++;
  const from = at;
  while (at < end && isDigit(text.charCodeAt(at))) at++;
  if (at === from) throw invalidInteger(text, type);
  const digits = text.slice(from, at);
  const magnitude = digits.length <= 15 ? BigInt(Number(digits)) : BigInt(digits);
  const value = sign === "-" ? -magnitude : magnitude;
  // As in PostgreSQL, a number that is too long is reported as such even when something else follows it.
  if (value < min || value > max) {
    throw new SqlError(sqlstate.numericValueOutOfRange, `value "${text}" is out of range for type ${type}`);
  }
  while (at < end && isSpace(text.charCodeAt(at))) at++;
  if (at !== end) throw invalidInteger(text, type);
  return value;
}

function invalidInteger(text: string, type: string): SqlError {
  return new SqlError(sqlstate.invalidTextRepresentation, `invalid input syntax for type ${type}: "${text}"`);
}

/** Text form → smallint. @throws SqlError 22P02, 22003 */
function parseInt2(text: string): number {
  return Number(readInteger(text, "smallint", -32_768n, 32_767n));
}

/** Text form → integer. @throws SqlError 22P02, 22003 */
function parseInt4(text: string): number {
  return Number(readInteger(text, "integer", -2_147_483_648n, 2_147_483_647n));
}

/** Text form → bigint. @throws SqlError 22P02, 22003 */
function parseInt8(text: string): Int8 {
  return canonicalInt8(readInteger(text, "bigint", int8Min, int8Max));
}

/** An oid is unsigned; negative numbers are taken modulo 2^32, as PostgreSQL takes them. */
export function parseOid(text: string): number {
  return Number(readInteger(text, "oid", -2_147_483_648n, 4_294_967_295n)) >>> 0;
}

/** @throws SqlError 22003 outside smallint */
export function addInt2(a: number, b: number): number {
  return checkInt2(a + b);
}

/** @throws SqlError 22003 outside smallint */
export function subtractInt2(a: number, b: number): number {
  return checkInt2(a - b);
}

/** @throws SqlError 22003 outside smallint */
export function multiplyInt2(a: number, b: number): number {
  return checkInt2(a * b) + 0;
}

/** Truncates toward zero. @throws SqlError 22012, 22003 for -32768 / -1 */
export function divideInt2(a: number, b: number): number {
  if (b === 0) throw divisionByZero();
  return checkInt2(Math.trunc(a / b)) + 0;
}

/** @throws SqlError 22003 outside integer */
export function addInt4(a: number, b: number): number {
  return checkInt4(a + b);
}

/** @throws SqlError 22003 outside integer */
export function subtractInt4(a: number, b: number): number {
  return checkInt4(a - b);
}

/** @throws SqlError 22003 outside integer */
export function multiplyInt4(a: number, b: number): number {
  return checkInt4(a * b) + 0; // + 0: never -0
}

/** Truncates toward zero. @throws SqlError 22012, 22003 for -2147483648 / -1 */
export function divideInt4(a: number, b: number): number {
  if (b === 0) throw divisionByZero();
  return checkInt4(Math.trunc(a / b)) + 0;
}

/** @throws SqlError 22003 outside bigint */
export function addInt8(a: Int8, b: Int8): Int8 {
  if (typeof a === "number" && typeof b === "number") {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return canonicalInt8(BigInt(a) + BigInt(b));
}

/** @throws SqlError 22003 outside bigint */
export function subtractInt8(a: Int8, b: Int8): Int8 {
  if (typeof a === "number" && typeof b === "number") {
    const difference = a - b;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return canonicalInt8(BigInt(a) - BigInt(b));
}

/** @throws SqlError 22003 outside bigint */
export function multiplyInt8(a: Int8, b: Int8): Int8 {
  if (typeof a === "number" && typeof b === "number") {
    const product = a * b;
    if (Number.isSafeInteger(product)) return product + 0;
  }
  return canonicalInt8(BigInt(a) * BigInt(b));
}

/** Truncates toward zero. @throws SqlError 22012, 22003 for -2⁶³ / -1 */
export function divideInt8(a: Int8, b: Int8): Int8 {
  if (b === 0) throw divisionByZero();
  // The quotient of doubles can round up to the next integer, so it is taken from the exact remainder.
  if (typeof a === "number" && typeof b === "number") return (a - (a % b)) / b + 0;
  return canonicalInt8(BigInt(a) / BigInt(b));
}

/** @throws SqlError 22003 for -2⁶³ */
export function negateInt8(a: Int8): Int8 {
  return typeof a === "number" ? 0 - a : canonicalInt8(-a);
}

/** Remainder for all integer types; the sign is the dividend's. */
export function moduloInt8(a: Int8, b: Int8): Int8 {
  if (b === 0) throw divisionByZero();
  if (typeof a === "number" && typeof b === "number") return (a % b) + 0;
  return canonicalInt8(BigInt(a) % BigInt(b));
}

/** Has the sign of the dividend. @throws SqlError 22012 */
export function moduloInt4(a: number, b: number): number {
  if (b === 0) throw divisionByZero();
  return (a % b) + 0;
}

/** Order of numbers and bigints, of which JavaScript's `<` knows. */
export function compareIntegers(a: Int8, b: Int8): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** An integer from a resource: a number, a bigint, or the text of one. */
function integerFromHost(value: unknown, parse: (text: string) => Int8): Value | undefined {
  switch (typeof value) {
    case "number":
      return Number.isSafeInteger(value) ? tryParse(String(value + 0), parse) : undefined;
    case "bigint":
      return tryParse(String(value), parse);
    case "string":
      return tryParse(value, parse);
    default:
      return undefined;
  }
}

function tryParse(text: string, parse: (text: string) => Int8): Value | undefined {
  try {
    return parse(text);
  } catch (error) {
    if (error instanceof SqlError) return undefined; // the caller says which value it was
    throw error;
  }
}

function integerOperations(parse: (text: string) => Int8, min: number, max: number): TypeOperations {
  return {
    input: (text) => parse(text),
    output: (value) => String(value),
    compare: (a, b) => compareIntegers(a as Int8, b as Int8),
    fromHost(value) {
      if (typeof value === "number" && Number.isSafeInteger(value) && value >= min && value <= max) return value + 0;
      return integerFromHost(value, parse);
    },
    toHost: (value) => (typeof value === "bigint" ? String(value) : value),
  };
}

export const int2Operations: TypeOperations = integerOperations(parseInt2, -32_768, 32_767);
export const int4Operations: TypeOperations = integerOperations(parseInt4, -2_147_483_648, 2_147_483_647);
export const int8Operations: TypeOperations = integerOperations(
  parseInt8,
  Number.MIN_SAFE_INTEGER,
  Number.MAX_SAFE_INTEGER,
);
export const oidOperations: TypeOperations = integerOperations(parseOid, 0, 4_294_967_295);
