/**
 * Roots, exponentials, logarithms and powers of exact decimals, computed with bigints to more digits than are shown and
 * rounded once. The number of digits shown follows PostgreSQL's rules, which estimate the size of the result first.
 */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import {
  coefficientOf,
  divideRounded,
  divideToScale,
  exponentOf,
  leadingGroup,
  maxDisplayScale,
  minSignificantDigits,
  Numeric,
  numericAbs,
  numericCompare,
  numericIsIntegral,
  numericOverflow,
  numericSignum,
  numericSubtract,
  numericText,
  numericToBigInt,
  numericTrimScale,
  powerOfTen,
} from "./numeric.js";
import { spendWork } from "./work.js";

const log10OfE = Math.LOG10E;
/** Digits computed beyond those shown. */
const guardDigits = 12;

/** 16 significant digits for a result of about 10^`weight`, and no fewer decimals than the operands show. */
function displayScale(weight: number, ...scales: number[]): number {
  return Math.min(Math.max(minSignificantDigits - weight, 0, ...scales), maxDisplayScale);
}

/** The integer part of a square root. */
export function integerSquareRoot(n: bigint): bigint {
  if (n < 2n) return n;
  const bits = BigInt(n.toString(16).length * 4);
  let guess = 1n << ((bits + 1n) / 2n);
  for (;;) {
    const next = (guess + n / guess) >> 1n;
    if (next >= guess) return guess;
    guess = next;
  }
}

/** @throws SqlError 2201F for negative values */
export function numericSqrt(n: Numeric): Numeric {
  if (numericSignum(n) < 0) {
    throw new SqlError(sqlstate.invalidArgumentForPowerFunction, "cannot take square root of a negative number");
  }
  if (n.special !== 0) return n;
  const weight = Math.trunc(((leadingGroup(n).weight + 1) * 4) / 2) - 1;
  const scale = displayScale(weight, n.scale);
  const scaled = coefficientOf(n) * powerOfTen(2 * scale - n.scale);
  const root = integerSquareRoot(scaled);
  return Numeric.of(scaled - root * root > root ? root + 1n : root, scale);
}

let ln10Digits = 0;
let ln10Value = 0n;

/** ln(10) × 10^`digits`. */
function ln10(digits: number): bigint {
  if (ln10Digits < digits) {
    // 10 = 1.25 × 2^3, and ln(2) = -2 atanh(-1/3).
    const work = digits + 20;
    const unit = powerOfTen(work);
    ln10Value = 2n * atanh(unit / 9n, unit) + 6n * atanh(unit / 3n, unit);
    ln10Digits = work;
  }
  return ln10Value / powerOfTen(ln10Digits - digits);
}

/** Area tangent of a fixed-point number, by its series. */
function atanh(x: bigint, unit: bigint): bigint {
  const square = (x * x) / unit;
  let power = x;
  let sum = x;
  for (let k = 3n; power !== 0n; k += 2n) {
    power = (power * square) / unit;
    sum += power / k;
  }
  return sum;
}

/** Natural logarithm of a positive value × 10^`scale`, rounded. */
function lnScaled(n: Numeric, scale: number): bigint {
  const work = Math.max(scale, 0) + guardDigits;
  const unit = powerOfTen(work);
  const exponent = exponentOf(n);
  const shift = work - n.scale - exponent;
  const coefficient = coefficientOf(n);
  let mantissa = shift >= 0 ? coefficient * powerOfTen(shift) : coefficient / powerOfTen(-shift);
  // Three square roots bring 1 … 10 down to 1 … 1.34, where the series converges quickly.
  for (let i = 0; i < 3; i++) mantissa = integerSquareRoot(mantissa * unit);
  const series = atanh(((mantissa - unit) * unit) / (mantissa + unit), unit);
  return divideRounded(16n * series + BigInt(exponent) * ln10(work), powerOfTen(work - scale));
}

/** About the decimal exponent of ln(n), as PostgreSQL estimates it. */
function lnWeight(n: Numeric): number {
  if (n.coefficient <= 0) return 0;
  const approximate = Number(numericText(n));
  if (approximate > 0.89 && approximate < 1.11 && isNearOne(n)) {
    const difference = numericSubtract(n, Numeric.one);
    if (difference.coefficient === 0) return 0;
    const { weight, digit } = leadingGroup(difference);
    return weight * 4 + Math.trunc(Math.log10(digit));
  }
  let { weight, digit } = leadingGroup(n);
  weight *= 4;
  const text = String(n.coefficient);
  const used = exponentOf(n) - weight + 1;
  const rest = text.slice(used);
  if ([...rest].some((c) => c !== "0")) {
    digit = digit * 10_000 + Number(rest.slice(0, 4).padEnd(4, "0"));
    weight -= 4;
  }
  const ln = Math.log(digit) + weight * Math.LN10;
  return Math.trunc(Math.log10(Math.abs(ln)));
}

const pointNine = Numeric.of(9, 1);
const onePointOne = Numeric.of(11, 1);

function isNearOne(n: Numeric): boolean {
  return numericCompare(n, pointNine) >= 0 && numericCompare(n, onePointOne) <= 0;
}

function checkLogarithmArgument(n: Numeric): void {
  const sign = n.special === 2 ? 1 : numericSignum(n);
  if (sign < 0) {
    throw new SqlError(sqlstate.invalidArgumentForLogarithm, "cannot take logarithm of a negative number");
  }
  if (sign === 0) throw new SqlError(sqlstate.invalidArgumentForLogarithm, "cannot take logarithm of zero");
}

/** @throws SqlError 2201E */
export function numericLn(n: Numeric): Numeric {
  checkLogarithmArgument(n);
  if (n.special !== 0) return n;
  const scale = displayScale(lnWeight(n), n.scale);
  return Numeric.of(lnScaled(n, scale), scale);
}

/** @throws SqlError 2201E, 22012 for base 1 */
export function numericLog(base: Numeric, n: Numeric): Numeric {
  if (base.special === 2 || n.special === 2) return Numeric.nan;
  if (base.special !== 0 || n.special !== 0) {
    // With an infinity in play PostgreSQL looks for negative arguments before it looks for zeros.
    if (numericSignum(n) < 0) checkLogarithmArgument(n);
  }
  checkLogarithmArgument(base);
  checkLogarithmArgument(n);
  if (base.special !== 0) return n.special !== 0 ? Numeric.nan : Numeric.zero;
  if (n.special !== 0) return n;
  const baseWeight = lnWeight(base);
  const weight = lnWeight(n);
  const resultWeight = weight - baseWeight;
  const scale = displayScale(resultWeight, base.scale, n.scale);
  const baseScale = Math.max(scale + resultWeight - baseWeight + 8, 0);
  const numberScale = Math.max(scale + resultWeight - weight + 8, 0);
  const denominator = lnScaled(base, baseScale);
  if (denominator === 0n) throw new SqlError(sqlstate.divisionByZero, "division by zero");
  const numerator = lnScaled(n, numberScale);
  return Numeric.of(
    divideRounded(numerator * powerOfTen(scale + baseScale), denominator * powerOfTen(numberScale)),
    scale,
  );
}

export function numericLog10(n: Numeric): Numeric {
  return numericLog(Numeric.of(10, 0), n);
}

/** e to the power of `x` / 10^`xScale`, times 10^`scale`, rounded. */
function expScaled(x: bigint, xScale: number, scale: number): bigint {
  const approximate = Number(x) / 10 ** Math.min(xScale, 300) || 0;
  const value = xScale > 300 ? Number(numericText(Numeric.of(x / powerOfTen(xScale - 300), 300))) : approximate;
  const tens = Math.round(value * log10OfE);
  const work = Math.max(scale + tens, 0) + guardDigits + 8;
  const unit = powerOfTen(work);
  const fixed = work >= xScale ? x * powerOfTen(work - xScale) : x / powerOfTen(xScale - work);
  let rest = fixed - BigInt(tens) * ln10(work);
  const halvings = 8n;
  rest >>= halvings;
  let term = unit;
  let sum = unit;
  for (let k = 1n; term !== 0n; k++) {
    term = (term * rest) / (unit * k);
    sum += term;
  }
  for (let i = 0n; i < halvings; i++) sum = (sum * sum) / unit;
  const shift = work - scale - tens;
  return shift >= 0 ? divideRounded(sum, powerOfTen(shift)) : sum * powerOfTen(-shift);
}

/** @throws SqlError 22003 */
export function numericExp(n: Numeric): Numeric {
  if (n.special !== 0) return n.special === -1 ? Numeric.zero : n;
  const value = Number(numericText(n));
  const weight = Math.trunc(Math.max(-2000, Math.min(2000, value * log10OfE)));
  return expToScale(n, displayScale(weight, n.scale), value);
}

function expToScale(n: Numeric, scale: number, value: number): Numeric {
  if (Math.abs(value) >= 6000) {
    if (value > 0) throw numericOverflow();
    return Numeric.of(0, scale);
  }
  return Numeric.of(expScaled(coefficientOf(n), n.scale, scale), scale);
}

/** @throws SqlError 2201F, 22003, 22012 */
export function numericPower(base: Numeric, exponent: Numeric): Numeric {
  const special = specialPower(base, exponent);
  if (special !== undefined) return special;
  checkPower(base, exponent);
  if (numericIsIntegral(exponent)) {
    const integer = numericToBigInt(exponent);
    if (BigInt.asIntN(32, integer) === integer) return integerPower(base, Number(integer));
  }
  if (base.coefficient === 0) return Numeric.of(0, minSignificantDigits);
  const negative = base.coefficient < 0 && numericToBigInt(exponent) % 2n !== 0n;
  const magnitude = numericAbs(base);
  const weight = lnWeight(magnitude);
  const exponentDigits = coefficientOf(exponent);
  const roughScale = Math.max(8 - weight, 0);
  const rough = divideRounded(lnScaled(magnitude, roughScale) * exponentDigits, powerOfTen(exponent.scale));
  const value = fixedToNumber(rough, roughScale);
  if (Math.abs(value) > 2000 * 3.01) {
    if (value > 0) throw numericOverflow();
    return Numeric.of(0, maxDisplayScale);
  }
  const resultWeight = Math.trunc(value * log10OfE);
  const scale = displayScale(resultWeight, magnitude.scale, exponent.scale);
  const workScale = Math.max(Math.max(scale + resultWeight, 0) - weight + 8, 0);
  const product = divideRounded(lnScaled(magnitude, workScale) * exponentDigits, powerOfTen(exponent.scale));
  if (Math.abs(fixedToNumber(product, workScale)) >= 6000) {
    if (value > 0) throw numericOverflow();
    return Numeric.of(0, scale);
  }
  const result = expScaled(product, workScale, scale);
  return Numeric.of(negative ? -result : result, scale);
}

function fixedToNumber(fixed: bigint, scale: number): number {
  return Number(`${fixed}e-${scale}`);
}

function checkPower(base: Numeric, exponent: Numeric): void {
  if (numericSignum(base) === 0 && numericSignum(exponent) < 0) {
    throw new SqlError(sqlstate.invalidArgumentForPowerFunction, "zero raised to a negative power is undefined");
  }
  if (numericSignum(base) < 0 && exponent.special === 0 && !numericIsIntegral(exponent)) {
    throw new SqlError(
      sqlstate.invalidArgumentForPowerFunction,
      "a negative number raised to a non-integer power yields a complex result",
    );
  }
}

/** Powers with NaN or an infinity in them, by the rules of POSIX pow(); undefined for finite operands. */
function specialPower(base: Numeric, exponent: Numeric): Numeric | undefined {
  if (base.special === 0 && exponent.special === 0) return undefined;
  const isOne = base.special === 0 && numericCompare(base, Numeric.one) === 0;
  const isZeroth = exponent.special === 0 && exponent.coefficient === 0;
  if (base.special === 2 || exponent.special === 2) return isOne || isZeroth ? Numeric.one : Numeric.nan;
  checkPower(base, exponent);
  if (isOne || isZeroth) return Numeric.one;
  const up = numericSignum(exponent) > 0;
  if (numericSignum(base) === 0) return Numeric.zero;
  if (exponent.special !== 0) {
    if (base.special === 0 && numericCompare(base, Numeric.of(-1, 0)) === 0) return Numeric.one;
    const large = base.special !== 0 || numericCompare(numericAbs(base), Numeric.one) > 0;
    return large === up ? Numeric.infinity : Numeric.zero;
  }
  if (!up) return Numeric.zero;
  if (base.special === 1) return Numeric.infinity;
  return numericToBigInt(exponent) % 2n !== 0n ? Numeric.negativeInfinity : Numeric.infinity;
}

/** A decimal without the limits of the type, for intermediate results. */
interface Raw {
  readonly coefficient: bigint;
  readonly scale: number;
}

function rawWeight(n: Raw): number {
  if (n.coefficient === 0n) return 0;
  const text = String(n.coefficient);
  return Math.floor((text.length - (n.coefficient < 0n ? 1 : 0) - 1 - n.scale) / 4);
}

function rawMultiply(a: Raw, b: Raw, scale: number): Raw {
  const product = a.coefficient * b.coefficient;
  const surplus = a.scale + b.scale - scale;
  if (surplus <= 0) return { coefficient: product * powerOfTen(-surplus), scale };
  return { coefficient: divideRounded(product, powerOfTen(surplus)), scale };
}

/** Power with an integer exponent: at least 16 decimals, as PostgreSQL 15 has it, and rounded where it rounds. */
/** Digits that a numeric may have before its point. */
const maxIntegerDigits = 131_072;

function integerPower(base: Numeric, exponent: number): Numeric {
  const scale = displayScale(0, base.scale);
  const start: Raw = { coefficient: coefficientOf(base), scale: base.scale };
  switch (exponent) {
    case 0:
      return finish({ coefficient: 1n, scale: 0 }, scale);
    case 1:
      return finish(start, scale);
    case -1:
      if (base.coefficient === 0) break;
      return divideToScale(Numeric.one, base, scale);
    case 2:
      return finish(rawMultiply(start, start, scale), scale);
  }
  if (base.coefficient === 0) {
    if (exponent < 0) throw new SqlError(sqlstate.divisionByZero, "division by zero");
    return Numeric.of(0, scale);
  }
  const trimmed = numericTrimScale(numericAbs(base));
  const digits = String(trimmed.coefficient);
  const head = Number(digits.slice(0, 16));
  const resultWeight = exponent * (Math.log10(head) + (digits.length - Math.min(16, digits.length)) - trimmed.scale);
  // Certain to overflow, by more than the estimate can be wrong: no need to multiply for seconds first.
  if (resultWeight > maxIntegerDigits + 8) throw numericOverflow();
  if (resultWeight + 1 < -scale || resultWeight + 1 < -maxDisplayScale) return Numeric.of(0, scale);
  const significant = 1 + scale + Math.trunc(resultWeight) + Math.trunc(Math.log(Math.abs(exponent))) + 8;
  let product = start;
  let mask = Math.abs(exponent);
  let result: Raw = mask % 2 === 1 ? start : { coefficient: 1n, scale: 0 };
  for (mask = Math.floor(mask / 2); mask > 0; mask = Math.floor(mask / 2)) {
    const square = Math.max(Math.min(significant - 8 * rawWeight(product), 2 * product.scale), 0);
    product = rawMultiply(product, product, square);
    if (mask % 2 === 1) {
      const wanted = significant - 4 * (rawWeight(product) + rawWeight(result));
      result = rawMultiply(product, result, Math.max(Math.min(wanted, product.scale + result.scale), 0));
    }
    if (rawWeight(product) > 32_767 || rawWeight(result) > 32_767) {
      if (exponent > 0) throw numericOverflow();
      return Numeric.of(0, scale);
    }
  }
  if (exponent > 0) return finish(result, scale);
  return Numeric.of(divideRounded(powerOfTen(scale + result.scale), result.coefficient), scale);
}

function finish(n: Raw, scale: number): Numeric {
  const shift = scale - n.scale;
  return Numeric.of(
    shift >= 0 ? n.coefficient * powerOfTen(shift) : divideRounded(n.coefficient, powerOfTen(-shift)),
    scale,
  );
}

/** n! @throws SqlError 22003 */
export function numericFactorial(n: number | bigint): Numeric {
  if (n < 0) throw new SqlError(sqlstate.numericValueOutOfRange, "factorial of a negative number is undefined");
  if (n > 32_177) throw numericOverflow();
  return Numeric.of(productOf(2n, BigInt(n)), 0);
}

/** Product of a range by halves, which keeps the factors of one size. */
function productOf(from: bigint, to: bigint): bigint {
  if (to - from < 16n) {
    let product = 1n;
    for (let i = from; i <= to; i++) product *= i;
    spendWork(256);
    return product;
  }
  const middle = (from + to) / 2n;
  return productOf(from, middle) * productOf(middle + 1n, to);
}

/** Greatest common divisor of bigints, never negative. */
export function bigintGcd(a: bigint, b: bigint): bigint {
  let x = a < 0n ? -a : a;
  let y = b < 0n ? -b : b;
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}

export function numericGcd(a: Numeric, b: Numeric): Numeric {
  if (a.special !== 0 || b.special !== 0) return Numeric.nan;
  const scale = Math.max(a.scale, b.scale);
  return Numeric.of(bigintGcd(atScale(a, scale), atScale(b, scale)), scale);
}

export function numericLcm(a: Numeric, b: Numeric): Numeric {
  if (a.special !== 0 || b.special !== 0) return Numeric.nan;
  const scale = Math.max(a.scale, b.scale);
  const x = atScale(a, scale);
  const y = atScale(b, scale);
  if (x === 0n || y === 0n) return Numeric.of(0, scale);
  const product = (x / bigintGcd(x, y)) * y;
  return Numeric.of(product < 0n ? -product : product, scale);
}

function atScale(n: Numeric, scale: number): bigint {
  return coefficientOf(n) * powerOfTen(scale - n.scale);
}
