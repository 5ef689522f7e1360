/**
 * to_char of numbers: what each type's values look like before they are filled into the format.
 * Source: PostgreSQL 15, 9.8 "Data Type Formatting Functions", and the answers of a server.
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import {
  coefficientOf,
  divideToScale,
  exponentOf,
  Numeric,
  numericFromNumber,
  numericIsFinite,
  numericMultiply,
  numericRound,
  numericSignum,
  numericText,
  numericToBigInt,
  parseNumeric,
  powerOfTen,
} from "../../types/numeric.js";
import type { ScalarFunction } from "../function.js";
import { type NumberPattern, parseNumberPattern } from "./number-pattern.js";
import { fillPattern, prepare } from "./number-to-text.js";
import { romanNumeral } from "./roman.js";

/** A format applied to a numeral: no sign, no digits, only RN and FM count. */
function fillRoman(pattern: NumberPattern, value: number): string {
  const bare: NumberPattern = {
    ...pattern,
    pre: 0,
    post: 0,
    signPlace: undefined,
    digitsBeforeSign: 0,
    decimal: false,
    zero: false,
    sign: false,
    bracket: false,
    minus: false,
    plus: false,
  };
  return fillPattern(bare, { digits: romanNumeral(value), emptyPlaces: 0, negative: false });
}

/** What stands for NaN and the infinities under EEEE. */
function unshowable({ pre, post }: NumberPattern): string {
  const marks = "#".repeat(pre + post + 6).split("");
  marks[0] = " ";
  marks[pre + 1] = ".";
  return marks.join("");
}

/** ` 1.23e+05`, `-1.23e+05`: sign, the digits with their point, and an exponent of at least two digits. */
function withExponent(mantissa: string, exponent: number): string {
  const power = String(Math.abs(exponent)).padStart(2, "0");
  return `${mantissa.startsWith("-") ? "" : " "}${mantissa}e${exponent < 0 ? "-" : "+"}${power}`;
}

/** An exact number with an exponent; a carry is left in the mantissa (` 10.0e-01`), as PostgreSQL 15 leaves it. */
function scientific(value: Numeric, digits: number): string {
  if (numericSignum(value) === 0) return withExponent(fixed(0, digits), 0);
  const exponent = exponentOf(value);
  return withExponent(numericText(divideToScale(shifted(value, exponent), Numeric.one, digits)), exponent);
}

/** value / 10^exponent, exactly. */
function shifted(value: Numeric, exponent: number): Numeric {
  const coefficient = coefficientOf(value);
  const scale = value.scale + exponent;
  return scale >= 0 ? Numeric.of(coefficient, scale) : Numeric.of(coefficient * powerOfTen(-scale), 0);
}

function numericToChar(value: Numeric, format: string): string {
  if (format === "") return "";
  const pattern = parseNumberPattern(format);
  if (pattern.roman) return fillRoman(pattern, toInt4(numericRound(value, 0)));
  if (pattern.exponent) return numericIsFinite(value) ? scientific(value, pattern.post) : unshowable(pattern);
  let scaled = value;
  if (pattern.multiply) {
    if (numericIsFinite(value)) scaled = numericMultiply(value, Numeric.of(powerOfTen(pattern.multi), 0));
    pattern.pre += pattern.multi;
  }
  return fillPattern(pattern, prepare(pattern, numericText(numericRound(scaled, pattern.post))));
}

function toInt4(value: Numeric): number {
  if (!numericIsFinite(value)) {
    const what = numericText(value) === "NaN" ? "NaN" : "infinity";
    throw new SqlError(sqlstate.featureNotSupported, `cannot convert ${what} to integer`);
  }
  const exact = numericToBigInt(value);
  if (exact > 2_147_483_647n || exact < -2_147_483_648n)
    throw new SqlError(sqlstate.numericValueOutOfRange, "integer out of range");
  return Number(exact);
}

/** `limit` is the type's bound for the product that V asks for. */
function integerToChar(
  limit: bigint,
  typeName: "integer" | "bigint",
): (value: number | bigint, format: string) => string {
  return (value, format) => {
    if (format === "") return "";
    const pattern = parseNumberPattern(format);
    if (pattern.roman) return fillRoman(pattern, toInt4(numericFromNumber(value)));
    if (pattern.exponent)
      return typeName === "integer"
        ? exponential(Number(value), pattern.post)
        : scientific(numericFromNumber(value), pattern.post);
    let exact = BigInt(value);
    if (pattern.multiply) {
      exact *= powerOfTen(pattern.multi);
      if (exact >= limit || exact < -limit)
        throw new SqlError(sqlstate.numericValueOutOfRange, `${typeName} out of range`);
      pattern.pre += pattern.multi;
    }
    const text = String(exact);
    return fillPattern(pattern, prepare(pattern, pattern.post > 0 ? `${text}.${"0".repeat(pattern.post)}` : text));
  };
}

/** The exact value of a double, so that rounding sees what the machine holds. */
function exactDecimal(value: number): Numeric {
  return parseNumeric(value.toPrecision(100));
}

/** Rounded to so many decimals, a tie to the even digit as C does it. */
function roundToEven(exact: Numeric, digits: number): Numeric {
  const rounded = numericRound(exact, digits);
  if (exact.scale <= digits) return rounded;
  const unit = powerOfTen(exact.scale - digits);
  const twice = coefficientOf(exact) * 2n;
  const isTie = twice % unit === 0n && (twice / unit) % 2n !== 0n;
  const coefficient = coefficientOf(rounded);
  if (!isTie || coefficient % 2n === 0n) return rounded;
  return Numeric.of(coefficient > 0n ? coefficient - 1n : coefficient + 1n, digits);
}

/** C's `%.*f`. */
function fixed(value: number, digits: number): string {
  return Number.isFinite(value) ? numericText(roundToEven(exactDecimal(value), digits)) : String(value);
}

/** C's `%.*e`, with a blank for a plus. */
function exponential(value: number, digits: number): string {
  if (value === 0) return withExponent((Object.is(value, -0) ? "-" : "") + fixed(0, digits), 0);
  const exact = exactDecimal(value);
  let exponent = exponentOf(exact);
  let mantissa = roundToEven(shifted(exact, exponent), digits);
  if (exponentOf(mantissa) > 0) {
    exponent++;
    mantissa = roundToEven(shifted(exact, exponent), digits);
  }
  return withExponent(numericText(mantissa), exponent);
}

/** `significant` digits are all that the type holds; decimals beyond them are not shown. */
function floatToChar(significant: number): (value: number, format: string) => string {
  return (value, format) => {
    if (format === "") return "";
    const pattern = parseNumberPattern(format);
    if (pattern.roman) return fillRoman(pattern, Number.isFinite(value) ? roundedInteger(value) : 0);
    if (pattern.exponent) return Number.isFinite(value) ? exponential(value, pattern.post) : unshowable(pattern);
    let scaled = value;
    if (pattern.multiply) {
      scaled = value * 10 ** pattern.multi;
      pattern.pre += pattern.multi;
    }
    const whole = fixed(Math.abs(scaled), 0).length;
    if (whole >= significant) pattern.post = 0;
    else if (whole + pattern.post > significant) pattern.post = significant - whole;
    const text = fixed(scaled, pattern.post);
    const signed = (scaled < 0 || Object.is(scaled, -0)) && !text.startsWith("-") ? `-${text}` : text;
    return fillPattern(pattern, prepare(pattern, signed));
  };
}

function roundedInteger(value: number): number {
  return Number(fixed(value, 0));
}

const shared = { kind: "scalar", name: "to_char", returns: "text", volatility: "stable", strict: true } as const;

export const numberToChar: readonly ScalarFunction[] = [
  { ...shared, args: ["int4", "text"], call: integerToChar(2n ** 31n, "integer") },
  { ...shared, args: ["int8", "text"], call: integerToChar(2n ** 63n, "bigint") },
  { ...shared, args: ["numeric", "text"], call: numericToChar },
  { ...shared, args: ["float4", "text"], call: floatToChar(6) },
  { ...shared, args: ["float8", "text"], call: floatToChar(15) },
];
