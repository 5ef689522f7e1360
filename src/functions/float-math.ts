/** Floating-point mathematics with PostgreSQL's domains, errors and special cases. */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import { floatOverflow, floatUnderflow } from "../types/float.js";

const radiansPerDegree = 0.017453292519943295;

function outOfRange(): SqlError {
  return new SqlError(sqlstate.numericValueOutOfRange, "input is out of range");
}

/** @throws SqlError 22003 for infinite results of finite operands, and results that vanish */
function checkFloat(result: number, overflowed: boolean, vanished: boolean): number {
  if (overflowed && (result === Number.POSITIVE_INFINITY || result === Number.NEGATIVE_INFINITY)) throw floatOverflow();
  if (vanished && result === 0) throw floatUnderflow();
  return result;
}

/** @throws SqlError 2201F */
export function floatSquareRoot(x: number): number {
  if (x < 0) {
    throw new SqlError(sqlstate.invalidArgumentForPowerFunction, "cannot take square root of a negative number");
  }
  return Math.sqrt(x);
}

export function cubeRoot(x: number): number {
  return Math.cbrt(x);
}

/** x to the power of y, by the rules of POSIX pow(). @throws SqlError 2201F, 22003 */
export function floatPower(x: number, y: number): number {
  if (Number.isNaN(x)) return y === 0 ? 1 : Number.NaN;
  if (Number.isNaN(y)) return x === 1 ? 1 : Number.NaN;
  if (x === 0 && y < 0) {
    throw new SqlError(sqlstate.invalidArgumentForPowerFunction, "zero raised to a negative power is undefined");
  }
  if (x < 0 && Math.floor(y) !== y) {
    throw new SqlError(
      sqlstate.invalidArgumentForPowerFunction,
      "a negative number raised to a non-integer power yields a complex result",
    );
  }
  if (!Number.isFinite(y) && Math.abs(x) === 1) return 1; // where JavaScript says NaN
  const finite = Number.isFinite(x) && Number.isFinite(y);
  return checkFloat(x ** y, finite, finite && x !== 0);
}

/** @throws SqlError 22003 */
export function floatExp(x: number): number {
  return checkFloat(Math.exp(x), Number.isFinite(x), Number.isFinite(x));
}

function checkLogarithm(x: number): void {
  if (x === 0) throw new SqlError(sqlstate.invalidArgumentForLogarithm, "cannot take logarithm of zero");
  if (x < 0) throw new SqlError(sqlstate.invalidArgumentForLogarithm, "cannot take logarithm of a negative number");
}

/** @throws SqlError 2201E */
export function floatLn(x: number): number {
  checkLogarithm(x);
  return Math.log(x);
}

/** @throws SqlError 2201E */
export function floatLog10(x: number): number {
  checkLogarithm(x);
  return Math.log10(x);
}

/** Nearest integer, halves to the even one; keeps the sign of zero. */
export function floatRound(x: number): number {
  if (!Number.isFinite(x) || Math.abs(x) >= 2 ** 52) return x;
  const shifted = 2 ** 52 * (x < 0 || Object.is(x, -0) ? -1 : 1);
  const rounded = x + shifted - shifted; // the addition rounds to an integer, ties to even
  return rounded === 0 && shifted < 0 ? -0 : rounded;
}

export function floatSign(x: number): number {
  return x > 0 ? 1 : x < 0 ? -1 : 0;
}

export function degrees(radians: number): number {
  const result = radians / radiansPerDegree;
  return checkFloat(result, Number.isFinite(radians), radians !== 0);
}

export function radians(degrees: number): number {
  const result = degrees * radiansPerDegree;
  return checkFloat(result, Number.isFinite(degrees), degrees !== 0);
}

/** A trigonometric function, which has no value at the infinities. */
export function periodic(f: (x: number) => number): (x: number) => number {
  return (x) => {
    if (x === Number.POSITIVE_INFINITY || x === Number.NEGATIVE_INFINITY) throw outOfRange();
    return f(x);
  };
}

/** A function defined from `min` to `max`; NaN stays NaN. */
export function within(min: number, max: number, f: (x: number) => number): (x: number) => number {
  return (x) => {
    if (x < min || x > max) throw outOfRange();
    return f(x);
  };
}

// The functions over degrees are scaled so that the values at 0, 30, 45, 60 and 90 degrees come out exactly.
const sin30 = Math.sin(30 * radiansPerDegree);
const oneMinusCos60 = 1 - Math.cos(60 * radiansPerDegree);
const asinHalf = Math.asin(0.5);
const acosHalf = Math.acos(0.5);
const atanOne = Math.atan(1);

function sineTo30(x: number): number {
  return Math.sin(x * radiansPerDegree) / sin30 / 2;
}

function cosineTo60(x: number): number {
  return 1 - (1 - Math.cos(x * radiansPerDegree)) / oneMinusCos60 / 2;
}

function sineTo90(x: number): number {
  return x <= 30 ? sineTo30(x) : cosineTo60(90 - x);
}

function cosineTo90(x: number): number {
  return x <= 60 ? cosineTo60(x) : sineTo30(90 - x);
}

const tan45 = sineTo90(45) / cosineTo90(45);
const cot45 = cosineTo90(45) / sineTo90(45);

/** An angle brought to the first quadrant, with the signs that sine, cosine and tangent have in the quadrant it was in. */
function firstQuadrant(x: number): { angle: number; sine: number; cosine: number; tangent: number } {
  let angle = x % 360;
  let sine = 1;
  let cosine = 1;
  if (angle < 0) {
    angle = -angle;
    sine = -1;
  }
  if (angle > 180) {
    angle = 360 - angle;
    sine = -sine;
  }
  if (angle > 90) {
    angle = 180 - angle;
    cosine = -1;
  }
  return { angle, sine, cosine, tangent: sine * cosine };
}

export function sineOfDegrees(x: number): number {
  const { angle, sine } = firstQuadrant(x);
  return sine * sineTo90(angle);
}

export function cosineOfDegrees(x: number): number {
  const { angle, cosine } = firstQuadrant(x);
  return cosine * cosineTo90(angle);
}

export function tangentOfDegrees(x: number): number {
  const { angle, tangent } = firstQuadrant(x);
  return tangent * (sineTo90(angle) / cosineTo90(angle) / tan45) + 0;
}

export function cotangentOfDegrees(x: number): number {
  const { angle, tangent } = firstQuadrant(x);
  return tangent * (cosineTo90(angle) / sineTo90(angle) / cot45) + 0;
}

function arcSineTo1(x: number): number {
  return x <= 0.5 ? (Math.asin(x) / asinHalf) * 30 : 90 - (Math.acos(x) / acosHalf) * 60;
}

function arcCosineTo1(x: number): number {
  return x <= 0.5 ? 90 - (Math.asin(x) / asinHalf) * 30 : (Math.acos(x) / acosHalf) * 60;
}

export function arcSineInDegrees(x: number): number {
  return x >= 0 ? arcSineTo1(x) : -arcSineTo1(-x);
}

export function arcCosineInDegrees(x: number): number {
  return x >= 0 ? arcCosineTo1(x) : 90 + arcSineTo1(-x);
}

export function arcTangentInDegrees(x: number): number {
  return (Math.atan(x) / atanOne) * 45;
}

export function arcTangent2InDegrees(y: number, x: number): number {
  return (Math.atan2(y, x) / atanOne) * 45;
}
