/**
 * Exact decimals: the values of type `numeric` and their arithmetic, with the scales PostgreSQL gives each result.
 * Roots, logarithms and powers are in `numeric-math.ts`, the type's entry for `operationsOf` in `numeric-operations.ts`.
 * Source: PostgreSQL 15, 8.1.2 "Arbitrary Precision Numbers", and the answers of a server.
 */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import { isDigit, isSpace } from "./scan.js";
import { numericScaleOf } from "./type.js";

/** Most digits before and after the decimal point. */
const maxIntegerDigits = 131_072;
const maxScale = 16_383;
/** Scales that functions choose by themselves stay below this. */
export const maxDisplayScale = 1000;
/** Quotients, roots and logarithms have at least so many significant digits. */
export const minSignificantDigits = 16;

/**
 * A decimal: `coefficient` × 10^-`scale`, or one of NaN, Infinity, -Infinity. Immutable. The coefficient is a number
 * while that is exact, since most decimals of real data are small, and a bigint beyond.
 */
export class Numeric {
  private constructor(
    /** @internal Use the functions of this file. */
    readonly coefficient: number | bigint,
    /** Digits after the decimal point that the text form shows. */
    readonly scale: number,
    /** 0 for a finite value, otherwise its place in the order: -1 -Infinity, 1 Infinity, 2 NaN. */
    readonly special: -1 | 0 | 1 | 2,
  ) {}

  static readonly nan: Numeric = new Numeric(0, 0, 2);
  static readonly infinity: Numeric = new Numeric(0, 0, 1);
  static readonly negativeInfinity: Numeric = new Numeric(0, 0, -1);
  static readonly zero: Numeric = new Numeric(0, 0, 0);
  static readonly one: Numeric = new Numeric(1, 0, 0);

  /** `coefficient` × 10^-`scale`. @throws SqlError 22003 when it is beyond the limits of the type */
  static of(coefficient: number | bigint, scale: number): Numeric {
    if (typeof coefficient === "number") {
      if (!Number.isSafeInteger(coefficient)) throw new RangeError("coefficient of a Numeric is not exact");
      if (scale <= maxScale) return new Numeric(coefficient + 0, scale, 0);
    } else if (scale <= maxScale) {
      if (coefficient >= minSafe && coefficient <= maxSafe) return new Numeric(Number(coefficient), scale, 0);
      if (fitsInteger(coefficient, scale)) return new Numeric(coefficient, scale, 0);
    }
    throw numericOverflow();
  }

  toString(): string {
    return numericText(this);
  }

  toJSON(): number | string {
    return numericToHost(this);
  }
}

const minSafe = BigInt(Number.MIN_SAFE_INTEGER);
const maxSafe = BigInt(Number.MAX_SAFE_INTEGER);
const smallPowers: bigint[] = [1n];

/** 10 to the power of a non-negative integer. */
export function powerOfTen(exponent: number): bigint {
  if (exponent > 512) return 10n ** BigInt(exponent);
  while (smallPowers.length <= exponent) smallPowers.push(smallPowers[smallPowers.length - 1] * 10n);
  return smallPowers[exponent];
}

let integerLimit: bigint | undefined;

function fitsInteger(coefficient: bigint, scale: number): boolean {
  // Cheap first: a bigint whose hexadecimal text is short cannot be near the limit.
  if (BigInt.asIntN(4096, coefficient) === coefficient) return true;
  integerLimit ??= powerOfTen(maxIntegerDigits);
  const magnitude = coefficient < 0n ? -coefficient : coefficient;
  return magnitude < integerLimit * powerOfTen(scale);
}

/** 22003 `value overflows numeric format`. */
export function numericOverflow(): SqlError {
  return new SqlError(sqlstate.numericValueOutOfRange, "value overflows numeric format");
}

function divisionByZero(): SqlError {
  return new SqlError(sqlstate.divisionByZero, "division by zero");
}

/** The coefficient of a finite value as a bigint. */
export function coefficientOf(n: Numeric): bigint {
  return typeof n.coefficient === "bigint" ? n.coefficient : BigInt(n.coefficient);
}

const specialWords: ReadonlyMap<string, Numeric> = new Map([
  ["nan", Numeric.nan],
  ["infinity", Numeric.infinity],
  ["+infinity", Numeric.infinity],
  ["inf", Numeric.infinity],
  ["+inf", Numeric.infinity],
  ["-infinity", Numeric.negativeInfinity],
  ["-inf", Numeric.negativeInfinity],
]);

/**
 * A decimal as PostgreSQL reads it: white space around, sign, digits with an optional point, optional exponent, or NaN,
 * Infinity, inf in any case. The scale is the number of digits written after the point.
 * @throws SqlError 22P02, 22003
 */
export function parseNumeric(text: string): Numeric {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text.charCodeAt(start))) start++;
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  let at = start;
  const sign = text[at];
  if (sign === "-" || sign === "+") at++;
  const digitsFrom = at;
  while (at < end && isDigit(text.charCodeAt(at))) at++;
  let digits = text.slice(digitsFrom, at);
  let scale = 0;
  if (text[at] === "." && at < end) {
    const fractionFrom = ++at;
    while (at < end && isDigit(text.charCodeAt(at))) at++;
    digits += text.slice(fractionFrom, at);
    scale = at - fractionFrom;
  }
  if (digits === "") {
    const special = specialWords.get(text.slice(start, end).toLowerCase());
    if (special !== undefined) return special;
    throw invalidNumeric(text);
  }
  if (at < end && (text[at] === "e" || text[at] === "E")) {
    at++;
    while (at < end && isSpace(text.charCodeAt(at))) at++; // PostgreSQL reads the exponent with strtol, which skips blanks
    const negative = text[at] === "-";
    if (negative || text[at] === "+") at++;
    const exponentFrom = at;
    while (at < end && isDigit(text.charCodeAt(at))) at++;
    if (at === exponentFrom) throw invalidNumeric(text);
    const exponent = Number(text.slice(exponentFrom, at));
    if (exponent >= 1_073_741_823) throw numericOverflow();
    scale -= negative ? -exponent : exponent;
  }
  if (at !== end) throw invalidNumeric(text);
  const magnitude = digits.length <= 15 ? Number(digits) : BigInt(digits);
  const coefficient = sign === "-" ? -magnitude : magnitude;
  if (scale >= 0) return Numeric.of(coefficient, scale);
  if (!coefficient) return Numeric.zero;
  if (-scale > maxIntegerDigits) throw numericOverflow();
  return Numeric.of(BigInt(coefficient) * powerOfTen(-scale), 0);
}

function invalidNumeric(text: string): SqlError {
  return new SqlError(sqlstate.invalidTextRepresentation, `invalid input syntax for type numeric: "${text}"`);
}

/** An integer as a decimal of scale 0. The number must be a safe integer. */
export function numericFromNumber(n: number | bigint): Numeric {
  return Numeric.of(n, 0);
}

/**
 * A floating-point value as PostgreSQL casts it to numeric: rounded to `digits` significant digits (15 for double
 * precision, 6 for real), no trailing zeros.
 */
export function numericFromFloat(n: number, digits = 15): Numeric {
  if (Number.isNaN(n)) return Numeric.nan;
  if (n === Number.POSITIVE_INFINITY) return Numeric.infinity;
  if (n === Number.NEGATIVE_INFINITY) return Numeric.negativeInfinity;
  if (Number.isInteger(n) && Math.abs(n) < 10 ** digits) return Numeric.of(n, 0);
  return numericTrimScale(roundedDigits(n, digits));
}

/** `%.<digits>g` of C: ties go to the even digit, where `toPrecision` goes away from zero. */
function roundedDigits(n: number, digits: number): Numeric {
  const exact = Math.abs(n).toPrecision(100);
  const rounded = parseNumeric(n.toPrecision(digits));
  const value = parseNumeric(exact);
  const at = exponentOf(value) - digits + 1;
  const unit = powerOfTen(Math.abs(at));
  // Twice the value in units of the last digit: odd and exact means a tie.
  const numerator = 2n * coefficientOf(value) * (at < 0 ? unit : 1n);
  const denominator = powerOfTen(value.scale) * (at >= 0 ? unit : 1n);
  if (numerator % denominator !== 0n) return rounded;
  const halves = numerator / denominator;
  if (halves % 4n !== 1n) return rounded;
  const even = (halves - 1n) / 2n;
  const signed = n < 0 ? -even : even;
  return at >= 0 ? Numeric.of(signed * unit, 0) : Numeric.of(signed, -at);
}

/** Exponent of the leading digit of a non-zero value: 0 for 1 to 9.99, -1 for 0.1. */
export function exponentOf(n: Numeric): number {
  return digitCount(n) - 1 - n.scale;
}

/** Digits of the coefficient. Numbers are counted without making a text of them: quotients need this once a row. */
function digitCount(n: Numeric): number {
  if (typeof n.coefficient === "number") {
    const magnitude = Math.abs(n.coefficient);
    let count = 1;
    for (let power = 10; power <= magnitude; power *= 10) count++;
    return count;
  }
  const text = String(n.coefficient);
  return text.length - (text.charCodeAt(0) === 45 ? 1 : 0);
}

/** PostgreSQL's text form: never an exponent, as many decimals as the scale says. */
export function numericText(n: Numeric): string {
  if (n.special !== 0) return n.special === 2 ? "NaN" : n.special === 1 ? "Infinity" : "-Infinity";
  const text = String(n.coefficient);
  if (n.scale === 0) return text;
  const negative = text.charCodeAt(0) === 45;
  const digits = (negative ? text.slice(1) : text).padStart(n.scale + 1, "0");
  const point = digits.length - n.scale;
  return `${negative ? "-" : ""}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** The order of the type: -Infinity, finite values, Infinity, NaN; `1.0` equals `1.00`. */
export function numericCompare(a: Numeric, b: Numeric): number {
  if (a.special !== 0 || b.special !== 0) {
    return a.special === b.special ? 0 : a.special < b.special ? -1 : 1;
  }
  let x = a.coefficient;
  let y = b.coefficient;
  if (a.scale !== b.scale) {
    if (typeof x === "number" && typeof y === "number" && Math.sign(x) !== Math.sign(y)) return x < y ? -1 : 1;
    if (a.scale < b.scale) x = scaleUp(x, b.scale - a.scale);
    else y = scaleUp(y, a.scale - b.scale);
  }
  return x < y ? -1 : x > y ? 1 : 0;
}

/** `coefficient` × 10^`by`, as a number while that is exact. */
function scaleUp(coefficient: number | bigint, by: number): number | bigint {
  if (typeof coefficient === "number" && by <= 15) {
    const product = coefficient * 10 ** by;
    if (Number.isSafeInteger(product)) return product;
  }
  return BigInt(coefficient) * powerOfTen(by);
}

/** A primitive that is the same exactly for equal values; for integers in the safe range it is the number. */
export function numericKey(n: Numeric): number | string {
  if (n.special !== 0) return numericText(n);
  if (n.scale === 0 && typeof n.coefficient === "number") return n.coefficient;
  const trimmed = numericTrimScale(n);
  if (trimmed.scale === 0 && typeof trimmed.coefficient === "number") return trimmed.coefficient;
  return numericText(trimmed);
}

/** -1, 0 or 1; NaN counts as positive. */
export function numericSignum(n: Numeric): -1 | 0 | 1 {
  if (n.special !== 0) return n.special === -1 ? -1 : 1;
  return n.coefficient < 0 ? -1 : n.coefficient > 0 ? 1 : 0;
}

/** NaN is a value of numeric: equal to itself and greater than all others. */
export function numericIsNaN(n: Numeric): boolean {
  return n.special === 2;
}

/** Neither NaN nor infinite. */
export function numericIsFinite(n: Numeric): boolean {
  return n.special === 0;
}

/** Exact; the scale is the greater one. ∞ + -∞ is NaN. */
export function numericAdd(a: Numeric, b: Numeric): Numeric {
  if (a.special !== 0 || b.special !== 0) {
    if (a.special === 2 || b.special === 2 || a.special * b.special === -1) return Numeric.nan;
    return a.special !== 0 ? a : b;
  }
  let x = a.coefficient;
  let y = b.coefficient;
  let scale = a.scale;
  if (a.scale < b.scale) {
    x = scaleUp(x, b.scale - a.scale);
    scale = b.scale;
  } else if (b.scale < a.scale) {
    y = scaleUp(y, a.scale - b.scale);
  }
  if (typeof x === "number" && typeof y === "number") {
    const sum = x + y;
    if (Number.isSafeInteger(sum)) return Numeric.of(sum, scale);
  }
  return Numeric.of(BigInt(x) + BigInt(y), scale);
}

/** Exact; the scale is the greater one. ∞ - ∞ is NaN. */
export function numericSubtract(a: Numeric, b: Numeric): Numeric {
  return numericAdd(a, numericNegate(b));
}

/** Scales add up. */
export function numericMultiply(a: Numeric, b: Numeric): Numeric {
  if (a.special !== 0 || b.special !== 0) {
    if (a.special === 2 || b.special === 2) return Numeric.nan;
    return signedInfinity(numericSignum(a) * numericSignum(b));
  }
  const scale = a.scale + b.scale;
  if (typeof a.coefficient === "number" && typeof b.coefficient === "number" && scale <= maxScale) {
    const product = a.coefficient * b.coefficient;
    if (Number.isSafeInteger(product)) return Numeric.of(product, scale);
  }
  const product = coefficientOf(a) * coefficientOf(b);
  if (scale <= maxScale) return Numeric.of(product, scale);
  return Numeric.of(divideRounded(product, powerOfTen(scale - maxScale)), maxScale);
}

/** 0 gives NaN: Infinity times zero. */
function signedInfinity(sign: number): Numeric {
  return sign === 0 ? Numeric.nan : sign > 0 ? Numeric.infinity : Numeric.negativeInfinity;
}

/** Quotient of bigints, rounded half away from zero. */
export function divideRounded(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const remainder = numerator % denominator;
  const twice = 2n * (remainder < 0n ? -remainder : remainder);
  if (twice < (denominator < 0n ? -denominator : denominator)) return quotient;
  return numerator < 0n === denominator < 0n ? quotient + 1n : quotient - 1n;
}

/**
 * Weight and value of the leading digit to the base 10000, which PostgreSQL computes in and so chooses scales by.
 * Zero has weight 0 and digit 0.
 */
export function leadingGroup(n: Numeric): { weight: number; digit: number } {
  if (n.coefficient === 0) return { weight: 0, digit: 0 };
  const count = digitCount(n);
  const exponent = count - 1 - n.scale;
  const weight = Math.floor(exponent / 4);
  const length = exponent - 4 * weight + 1;
  if (typeof n.coefficient === "number") {
    const magnitude = Math.abs(n.coefficient);
    if (length >= count) return { weight, digit: magnitude * 10 ** (length - count) };
    const unit = 10 ** (count - length);
    return { weight, digit: (magnitude - (magnitude % unit)) / unit };
  }
  const text = String(n.coefficient);
  const from = text.charCodeAt(0) === 45 ? 1 : 0;
  return { weight, digit: Number(text.slice(from, from + length).padEnd(length, "0")) };
}

/** Scale of a quotient: 16 significant digits or more, not less than either operand shows. */
function quotientScale(a: Numeric, b: Numeric): number {
  const first = leadingGroup(a);
  const second = leadingGroup(b);
  let weight = first.weight - second.weight;
  if (first.digit <= second.digit) weight--;
  return Math.min(Math.max(minSignificantDigits - weight * 4, a.scale, b.scale, 0), maxDisplayScale);
}

/** a / b at a given scale, rounded half away from zero. Both finite, b not zero. */
export function divideToScale(a: Numeric, b: Numeric, scale: number): Numeric {
  const shift = scale + b.scale - a.scale;
  const numerator = shift >= 0 ? coefficientOf(a) * powerOfTen(shift) : coefficientOf(a);
  const denominator = shift >= 0 ? coefficientOf(b) : coefficientOf(b) * powerOfTen(-shift);
  return Numeric.of(divideRounded(numerator, denominator), scale);
}

/** @throws SqlError 22012 */
export function numericDivide(a: Numeric, b: Numeric): Numeric {
  const special = specialQuotient(a, b);
  if (special !== undefined) return special;
  return divideToScale(a, b, quotientScale(a, b));
}

function specialQuotient(a: Numeric, b: Numeric): Numeric | undefined {
  if (a.special === 2 || b.special === 2) return Numeric.nan;
  if (a.special !== 0) {
    if (b.special !== 0) return Numeric.nan;
    if (b.coefficient === 0) throw divisionByZero();
    return signedInfinity(a.special * numericSignum(b));
  }
  if (b.special !== 0) return Numeric.zero;
  if (b.coefficient === 0) throw divisionByZero();
  return undefined;
}

/** The integer quotient, truncated: `div(a, b)`. @throws SqlError 22012 */
export function numericDivideTruncate(a: Numeric, b: Numeric): Numeric {
  const special = specialQuotient(a, b);
  if (special !== undefined) return special;
  const scale = Math.max(a.scale, b.scale);
  const numerator = coefficientOf(a) * powerOfTen(scale - a.scale);
  return Numeric.of(numerator / (coefficientOf(b) * powerOfTen(scale - b.scale)), 0);
}

/** The remainder, with the sign of the dividend. @throws SqlError 22012 */
export function numericModulo(a: Numeric, b: Numeric): Numeric {
  if (a.special === 2 || b.special === 2) return Numeric.nan;
  if (b.special === 0 && b.coefficient === 0) throw divisionByZero();
  if (a.special !== 0) return Numeric.nan;
  if (b.special !== 0) return a;
  const scale = Math.max(a.scale, b.scale);
  const x = scaleUp(a.coefficient, scale - a.scale);
  const y = scaleUp(b.coefficient, scale - b.scale);
  if (typeof x === "number" && typeof y === "number") return Numeric.of(x % y, scale);
  return Numeric.of(BigInt(x) % BigInt(y), scale);
}

/** Keeps the scale; NaN stays NaN. */
export function numericNegate(n: Numeric): Numeric {
  if (n.special !== 0) {
    return n.special === 2 ? n : n.special === 1 ? Numeric.negativeInfinity : Numeric.infinity;
  }
  return Numeric.of(-n.coefficient, n.scale);
}

/** Keeps the scale; NaN stays NaN. */
export function numericAbs(n: Numeric): Numeric {
  return n.special === 2 || numericSignum(n) >= 0 ? n : numericNegate(n);
}

/** -1, 0, 1 as a decimal; NaN for NaN. */
export function numericSign(n: Numeric): Numeric {
  return n.special === 2 ? n : Numeric.of(numericSignum(n), 0);
}

function clampedScale(scale: number): number {
  return Math.max(-maxIntegerDigits - 1, Math.min(maxScale, scale));
}

/** Rounded half away from zero to `scale` decimals (negative: tens, hundreds, …), showing that many. */
export function numericRound(n: Numeric, scale = 0): Numeric {
  if (n.special !== 0) return n;
  return rescale(n, clampedScale(scale), divideRounded);
}

/** Cut off after `scale` decimals, showing that many. */
export function numericTruncate(n: Numeric, scale = 0): Numeric {
  if (n.special !== 0) return n;
  return rescale(n, clampedScale(scale), (a, b) => a / b);
}

function rescale(n: Numeric, scale: number, divide: (a: bigint, b: bigint) => bigint): Numeric {
  if (scale === n.scale) return n;
  if (scale > n.scale) return Numeric.of(scaleUp(n.coefficient, scale - n.scale), scale);
  const quotient = divide(coefficientOf(n), powerOfTen(n.scale - scale));
  return scale >= 0 ? Numeric.of(quotient, scale) : Numeric.of(quotient * powerOfTen(-scale), 0);
}

/** The next whole number upward, of scale 0. */
export function numericCeil(n: Numeric): Numeric {
  const truncated = numericTruncate(n);
  return numericSignum(n) > 0 && numericCompare(truncated, n) !== 0 ? numericAdd(truncated, Numeric.one) : truncated;
}

/** The next whole number downward, of scale 0. */
export function numericFloor(n: Numeric): Numeric {
  const truncated = numericTruncate(n);
  return numericSignum(n) < 0 && numericCompare(truncated, n) !== 0
    ? numericSubtract(truncated, Numeric.one)
    : truncated;
}

/** The fewest decimals that show the value exactly. */
export function numericMinScale(n: Numeric): number {
  return numericTrimScale(n).scale;
}

/** The same value without trailing zeros after the point. */
export function numericTrimScale(n: Numeric): Numeric {
  if (n.special !== 0 || n.scale === 0) return n;
  if (n.coefficient === 0) return Numeric.zero;
  if (typeof n.coefficient === "number") {
    let { coefficient, scale } = n as { coefficient: number; scale: number };
    for (; scale > 0 && coefficient % 10 === 0; scale--) coefficient /= 10;
    return scale === n.scale ? n : Numeric.of(coefficient, scale);
  }
  const text = String(n.coefficient);
  let zeros = 0;
  while (zeros < n.scale && text.charCodeAt(text.length - 1 - zeros) === 48) zeros++;
  return zeros === 0 ? n : Numeric.of(BigInt(text.slice(0, text.length - zeros)), n.scale - zeros);
}

/** Whether the value is an integer, whatever its scale. */
export function numericIsIntegral(n: Numeric): boolean {
  return n.special === 0 && (n.scale === 0 || numericTrimScale(n).scale === 0);
}

/** The integer nearest to a finite value, halves away from zero, as casts to integer types want it. */
export function numericToBigInt(n: Numeric): bigint {
  return coefficientOf(rescale(n, 0, divideRounded));
}

/** The nearest double; infinite when the value is beyond the range of doubles. */
export function numericToNumber(n: Numeric): number {
  if (n.special !== 0) return n.special === 2 ? Number.NaN : n.special * Number.POSITIVE_INFINITY;
  if (n.scale === 0 && typeof n.coefficient === "number") return n.coefficient;
  return Number(numericText(n));
}

/** A number when its shortest text has the same value (`1.50` gives 1.5), otherwise the text; NaN and Infinity as text. */
export function numericToHost(n: Numeric): number | string {
  const text = numericText(n);
  if (n.special !== 0) return text;
  if (n.scale === 0 && typeof n.coefficient === "number") return n.coefficient;
  const number = Number(text);
  if (!Number.isFinite(number)) return text;
  return numericCompare(parseNumeric(String(number)), n) === 0 ? number : text;
}

/**
 * The value as a column `numeric(p, s)` stores it: rounded to s decimals.
 * @throws SqlError 22003 when it does not fit the precision
 */
export function applyNumericModifier(n: Numeric, typmod: number): Numeric {
  if (typmod < 4 || n.special === 2) return n;
  const precision = ((typmod - 4) >> 16) & 0xffff;
  const scale = numericScaleOf(typmod);
  if (n.special !== 0) {
    throw fieldOverflow(precision, scale, "cannot hold an infinite value.");
  }
  const rounded = rescale(n, scale, divideRounded);
  const digits = precision - scale;
  if (rounded.coefficient !== 0 && exponentOf(rounded) >= digits) {
    throw fieldOverflow(
      precision,
      scale,
      `must round to an absolute value less than ${digits ? `10^${digits}` : "1"}.`,
    );
  }
  return rounded;
}

function fieldOverflow(precision: number, scale: number, rest: string): SqlError {
  return new SqlError(sqlstate.numericValueOutOfRange, "numeric field overflow", {
    detail: `A field with precision ${precision}, scale ${scale} ${rest}`,
  });
}
