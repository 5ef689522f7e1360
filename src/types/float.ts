/**
 * The floating-point types: text forms as PostgreSQL prints them (fewest digits that read back as the same value, its
 * own exponent format), input, order and checked arithmetic. A float4 is kept as a double rounded to single precision.
 */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import { numericCompare, parseNumeric } from "./numeric.js";
import type { TypeOperations } from "./operations.js";
import { isDigit, trimSpace } from "./scan.js";
import type { Value } from "./value.js";

const specialWords: ReadonlyMap<string, number> = new Map([
  ["nan", Number.NaN],
  ["+nan", Number.NaN],
  ["-nan", Number.NaN],
  ["inf", Number.POSITIVE_INFINITY],
  ["+inf", Number.POSITIVE_INFINITY],
  ["infinity", Number.POSITIVE_INFINITY],
  ["+infinity", Number.POSITIVE_INFINITY],
  ["-inf", Number.NEGATIVE_INFINITY],
  ["-infinity", Number.NEGATIVE_INFINITY],
]);

/** Whether the text is a decimal with optional point and exponent, and whether any digit of it is not 0. */
function scanDecimal(text: string): "invalid" | "zero" | "nonzero" {
  let at = text[0] === "-" || text[0] === "+" ? 1 : 0;
  let digits = 0;
  let nonzero = false;
  for (let points = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isDigit(code)) {
      digits++;
      if (code !== 48) nonzero = true;
    } else if (code === 46 && points === 0) {
      points++;
    } else {
      break;
    }
  }
  if (digits === 0) return "invalid";
  if (at < text.length) {
    if (text[at] !== "e" && text[at] !== "E") return "invalid";
    at++;
    if (text[at] === "-" || text[at] === "+") at++;
    if (at === text.length) return "invalid";
    for (; at < text.length; at++) if (!isDigit(text.charCodeAt(at))) return "invalid";
  }
  return nonzero ? "nonzero" : "zero";
}

function parseFloatText(text: string, type: string, round: (decimal: string) => number): number {
  const trimmed = trimSpace(text);
  const kind = scanDecimal(trimmed);
  if (kind === "invalid") {
    const special = specialWords.get(trimmed.toLowerCase());
    if (special !== undefined) return special;
    throw new SqlError(sqlstate.invalidTextRepresentation, `invalid input syntax for type ${type}: "${text}"`);
  }
  const value = round(trimmed);
  if (!Number.isFinite(value) || (value === 0 && kind === "nonzero")) {
    throw new SqlError(sqlstate.numericValueOutOfRange, `"${trimmed}" is out of range for type ${type}`);
  }
  return value;
}

/** @throws SqlError 22P02, 22003 */
function parseFloat8(text: string): number {
  return parseFloatText(text, "double precision", Number);
}

/** @throws SqlError 22P02, 22003 */
export function parseFloat4(text: string): number {
  return parseFloatText(text, "real", decimalToSingle);
}

/** A decimal rounded to single precision once; rounding by way of the double could go the wrong way at a midpoint. */
function decimalToSingle(decimal: string): number {
  const double = Number(decimal);
  const single = Math.fround(double);
  if (single === double || !Number.isFinite(single) || Math.abs(double) < 1e-30) return single;
  const other = double > single ? nextSingle(single, 1) : nextSingle(single, -1);
  if (double !== (single + other) / 2) return single;
  const order = numericCompare(parseNumeric(decimal), parseNumeric(double.toPrecision(40)));
  if (order === 0) return single;
  return order > 0 === other > single ? other : single;
}

/** The nearest single-precision value of an int8. */
export function integerToSingle(n: number | bigint): number {
  return decimalToSingle(String(n));
}

const bits = new DataView(new ArrayBuffer(8));

/** The neighbour of a single-precision number, towards +Infinity (1) or -Infinity (-1). */
function nextSingle(n: number, direction: 1 | -1): number {
  if (n === 0) return direction * 2 ** -149;
  bits.setFloat32(0, n);
  bits.setInt32(0, bits.getInt32(0) + (n > 0 === direction > 0 ? 1 : -1));
  return bits.getFloat32(0);
}

/** The neighbour of a positive double. */
function nextDouble(n: number, step: 1n | -1n): number {
  bits.setFloat64(0, n);
  bits.setBigInt64(0, bits.getBigInt64(0) + step);
  return bits.getFloat64(0);
}

/** PostgreSQL's text of a double precision value. */
export function float8Text(n: number): string {
  if (!Number.isFinite(n)) return nonFiniteText(n);
  if (Number.isInteger(n) && Math.abs(n) < 1e15) return n === 0 && Object.is(n, -0) ? "-0" : String(n);
  return formatDigits(shortestDouble(n), 15);
}

function nonFiniteText(n: number): string {
  return Number.isNaN(n) ? "NaN" : n > 0 ? "Infinity" : "-Infinity";
}

/**
 * Fewest digits that read back as `n`. JavaScript accepts a decimal exactly half way to the neighbour when ties go to
 * `n`; PostgreSQL does not rely on that and prints more digits (1e23 is 9.999999999999999e+22). Only integers beyond
 * 2^53 have such short midpoints.
 */
function shortestDouble(n: number): string {
  const text = String(n);
  if (Math.abs(n) < 2 ** 53 || !isMidpoint(text, n)) return text;
  for (let precision = 1; precision <= 17; precision++) {
    const longer = n.toPrecision(precision);
    if (Number(longer) === n && !isMidpoint(longer, n)) return longer;
  }
  return n.toPrecision(17);
}

function isMidpoint(text: string, n: number): boolean {
  const decimal = BigInt(numericInteger(text));
  const magnitude = Math.abs(n);
  const value = BigInt(magnitude);
  const up = nextDouble(magnitude, 1n);
  const above = Number.isFinite(up) ? BigInt(up) : 2n ** 1024n;
  const below = BigInt(nextDouble(magnitude, -1n));
  return 2n * decimal === value + above || 2n * decimal === value + below;
}

/** The integer that a decimal with exponent stands for, without sign. */
function numericInteger(text: string): string {
  return String(parseNumeric(text)).split(".")[0].replace("-", "");
}

/** PostgreSQL's text of a real value. */
function float4Text(n: number): string {
  if (!Number.isFinite(n)) return nonFiniteText(n);
  if (Number.isInteger(n) && Math.abs(n) < 1e6) return n === 0 && Object.is(n, -0) ? "-0" : String(n);
  return formatDigits(shortestSingle(n), 6);
}

function shortestSingle(n: number): string {
  const above = nextSingle(n, 1);
  const below = nextSingle(n, -1);
  for (let precision = 1; precision < 9; precision++) {
    const text = n.toPrecision(precision);
    const value = Number(text);
    if (Math.fround(value) === n && 2 * value !== n + above && 2 * value !== n + below) return text;
  }
  return n.toPrecision(9);
}

/** Writes a JavaScript decimal as PostgreSQL does: plain from 10^-4 up to 10^`limit`, else with an exponent of two digits or more. */
function formatDigits(text: string, limit: number): string {
  const negative = text.startsWith("-");
  const [mantissa, exponentText] = (negative ? text.slice(1) : text).split("e");
  const point = mantissa.indexOf(".");
  let digits = mantissa.replace(".", "");
  let exponent = (point < 0 ? mantissa.length : point) - 1 + Number(exponentText ?? 0);
  let zeros = 0;
  while (digits.charCodeAt(zeros) === 48 && zeros < digits.length - 1) zeros++;
  digits = digits.slice(zeros);
  exponent -= zeros;
  let end = digits.length;
  while (end > 1 && digits.charCodeAt(end - 1) === 48) end--;
  digits = digits.slice(0, end);
  const sign = negative ? "-" : "";
  if (exponent < -4 || exponent >= limit) {
    const fraction = digits.length > 1 ? `.${digits.slice(1)}` : "";
    const size = String(Math.abs(exponent)).padStart(2, "0");
    return `${sign}${digits[0]}${fraction}e${exponent < 0 ? "-" : "+"}${size}`;
  }
  if (exponent < 0) return `${sign}0.${"0".repeat(-exponent - 1)}${digits}`;
  if (digits.length <= exponent + 1) return sign + digits.padEnd(exponent + 1, "0");
  return `${sign}${digits.slice(0, exponent + 1)}.${digits.slice(exponent + 1)}`;
}

/** NaN equals itself and is greater than everything else. */
export function compareFloats(a: number, b: number): number {
  if (a < b) return -1;
  if (a > b) return 1;
  if (a === b) return 0;
  const aIsNaN = Number.isNaN(a);
  return aIsNaN === Number.isNaN(b) ? 0 : aIsNaN ? 1 : -1;
}

/** 22003: finite operands gave an infinite result. */
export function floatOverflow(): SqlError {
  return new SqlError(sqlstate.numericValueOutOfRange, "value out of range: overflow");
}

/** 22003: operands other than zero gave zero. */
export function floatUnderflow(): SqlError {
  return new SqlError(sqlstate.numericValueOutOfRange, "value out of range: underflow");
}

/** A double as a real. @throws SqlError 22003 when it does not fit */
export function toSingle(n: number): number {
  const single = Math.fround(n);
  if (!Number.isFinite(single) && Number.isFinite(n)) throw floatOverflow();
  if (single === 0 && n !== 0) throw floatUnderflow();
  return single;
}

function floatOperations(
  parse: (text: string) => number,
  print: (n: number) => string,
  round: (n: number) => number,
): TypeOperations {
  return {
    input: (text) => parse(text),
    output: (value) => print(value as number),
    compare: (a, b) => compareFloats(a as number, b as number),
    key: (value) => (Number.isNaN(value) ? "NaN" : (value as number) + 0),
    fromHost(value): Value | undefined {
      if (typeof value === "number") return fits(value, round) ? round(value) : undefined;
      if (typeof value === "bigint") {
        const rounded = round(Number(value));
        return Number.isFinite(rounded) ? rounded : undefined; // a whole number is never infinite
      }
      if (typeof value !== "string") return undefined;
      try {
        return parse(value);
      } catch (error) {
        if (error instanceof SqlError) return undefined; // the caller says which value it was
        throw error;
      }
    },
    toHost(value) {
      const n = value as number;
      if (!Number.isFinite(n)) return nonFiniteText(n);
      return n === 0 ? 0 : Number(print(n));
    },
  };
}

function fits(n: number, round: (n: number) => number): boolean {
  return Number.isFinite(round(n)) || !Number.isFinite(n);
}

export const float4Operations: TypeOperations = floatOperations(parseFloat4, float4Text, Math.fround);
export const float8Operations: TypeOperations = floatOperations(parseFloat8, float8Text, (n) => n);
