/** Mathematical functions (PostgreSQL 15, 9.3). Operators are in `arithmetic.ts`. */
import { canonicalInt8, checkInt4, type Int8, moduloInt4, moduloInt8 } from "../types/integer.js";
import {
  type Numeric,
  numericAbs,
  numericCeil,
  numericDivideTruncate,
  numericFloor,
  numericIsFinite,
  numericMinScale,
  numericModulo,
  numericRound,
  numericSign,
  numericTrimScale,
  numericTruncate,
} from "../types/numeric.js";
import {
  bigintGcd,
  numericExp,
  numericFactorial,
  numericGcd,
  numericLcm,
  numericLn,
  numericLog,
  numericLog10,
  numericPower,
  numericSqrt,
} from "../types/numeric-math.js";
import type { TypeName } from "../types/type.js";
import { absInt2, absInt4, absInt8 } from "./arithmetic.js";
import {
  arcCosineInDegrees,
  arcSineInDegrees,
  arcTangent2InDegrees,
  arcTangentInDegrees,
  cosineOfDegrees,
  cotangentOfDegrees,
  cubeRoot,
  degrees,
  floatExp,
  floatLn,
  floatLog10,
  floatPower,
  floatRound,
  floatSign,
  floatSquareRoot,
  periodic,
  radians,
  sineOfDegrees,
  tangentOfDegrees,
  within,
} from "./float-math.js";
import type { Callable, ScalarFunction } from "./function.js";
import { randomFunctions } from "./random.js";
import { widthBucketFunctions } from "./width-bucket.js";

function entry(name: string, args: readonly TypeName[], returns: TypeName, call: Callable): ScalarFunction {
  return { kind: "scalar", name, args, returns, volatility: "immutable", strict: true, call };
}

/** A function of one double. */
function float(name: string, call: (x: number) => number): ScalarFunction {
  return entry(name, ["float8"], "float8", call);
}

/** A function of one decimal. */
function decimal(name: string, call: (n: Numeric) => Numeric): ScalarFunction {
  return entry(name, ["numeric"], "numeric", call);
}

function gcdInt4(a: number, b: number): number {
  return checkInt4(gcdOf(a, b));
}

function gcdOf(a: number, b: number): number {
  let x = Math.abs(a);
  let y = Math.abs(b);
  while (y !== 0) [x, y] = [y, x % y];
  return x;
}

function gcdInt8(a: Int8, b: Int8): Int8 {
  if (typeof a === "number" && typeof b === "number") return gcdOf(a, b);
  return canonicalInt8(bigintGcd(BigInt(a), BigInt(b)));
}

function lcmInt4(a: number, b: number): number {
  return a === 0 || b === 0 ? 0 : checkInt4(Math.abs((a / gcdOf(a, b)) * b));
}

function lcmInt8(a: Int8, b: Int8): Int8 {
  if (a === 0 || b === 0) return 0;
  const product = (BigInt(a) / bigintGcd(BigInt(a), BigInt(b))) * BigInt(b);
  return canonicalInt8(product < 0n ? -product : product);
}

/** Scale of a decimal, NULL for NaN and the infinities. */
function scaleOf(n: Numeric): number | null {
  return numericIsFinite(n) ? n.scale : null;
}

const unbounded = Number.POSITIVE_INFINITY;

export const mathFunctions: readonly ScalarFunction[] = [
  entry("abs", ["int2"], "int2", absInt2),
  entry("abs", ["int4"], "int4", absInt4),
  entry("abs", ["int8"], "int8", absInt8),
  entry("abs", ["float4"], "float4", Math.abs),
  float("abs", Math.abs),
  decimal("abs", numericAbs),
  float("cbrt", cubeRoot),
  float("ceil", Math.ceil),
  decimal("ceil", numericCeil),
  float("ceiling", Math.ceil),
  decimal("ceiling", numericCeil),
  float("degrees", degrees),
  entry("div", ["numeric", "numeric"], "numeric", numericDivideTruncate),
  float("exp", floatExp),
  decimal("exp", numericExp),
  float("dexp", floatExp),
  entry("factorial", ["int8"], "numeric", numericFactorial),
  float("floor", Math.floor),
  decimal("floor", numericFloor),
  entry("gcd", ["int4", "int4"], "int4", gcdInt4),
  entry("gcd", ["int8", "int8"], "int8", gcdInt8),
  entry("gcd", ["numeric", "numeric"], "numeric", numericGcd),
  entry("lcm", ["int4", "int4"], "int4", lcmInt4),
  entry("lcm", ["int8", "int8"], "int8", lcmInt8),
  entry("lcm", ["numeric", "numeric"], "numeric", numericLcm),
  float("ln", floatLn),
  decimal("ln", numericLn),
  float("log", floatLog10),
  decimal("log", numericLog10),
  float("log10", floatLog10),
  decimal("log10", numericLog10),
  entry("log", ["numeric", "numeric"], "numeric", numericLog),
  entry("min_scale", ["numeric"], "int4", (n: Numeric) => (numericIsFinite(n) ? numericMinScale(n) : null)),
  entry("mod", ["int2", "int2"], "int2", moduloInt4),
  entry("mod", ["int4", "int4"], "int4", moduloInt4),
  entry("mod", ["int8", "int8"], "int8", moduloInt8),
  entry("mod", ["numeric", "numeric"], "numeric", numericModulo),
  entry("pi", [], "float8", () => Math.PI),
  entry("power", ["float8", "float8"], "float8", floatPower),
  entry("power", ["numeric", "numeric"], "numeric", numericPower),
  entry("pow", ["float8", "float8"], "float8", floatPower),
  entry("pow", ["numeric", "numeric"], "numeric", numericPower),
  entry("dpow", ["float8", "float8"], "float8", floatPower),
  float("radians", radians),
  float("round", floatRound),
  decimal("round", (n) => numericRound(n)),
  entry("round", ["numeric", "int4"], "numeric", numericRound),
  entry("scale", ["numeric"], "int4", scaleOf),
  float("sign", floatSign),
  decimal("sign", numericSign),
  float("sqrt", floatSquareRoot),
  float("dsqrt", floatSquareRoot),
  decimal("sqrt", numericSqrt),
  decimal("trim_scale", numericTrimScale),
  float("trunc", Math.trunc),
  decimal("trunc", (n) => numericTruncate(n)),
  entry("trunc", ["numeric", "int4"], "numeric", numericTruncate),
  float("acos", within(-1, 1, Math.acos)),
  float("acosd", within(-1, 1, arcCosineInDegrees)),
  float("asin", within(-1, 1, Math.asin)),
  float("asind", within(-1, 1, arcSineInDegrees)),
  float("atan", Math.atan),
  float("atand", arcTangentInDegrees),
  entry("atan2", ["float8", "float8"], "float8", Math.atan2),
  entry("atan2d", ["float8", "float8"], "float8", arcTangent2InDegrees),
  float("cos", periodic(Math.cos)),
  float("cosd", periodic(cosineOfDegrees)),
  float(
    "cot",
    periodic((x) => 1 / Math.tan(x)),
  ),
  float("cotd", periodic(cotangentOfDegrees)),
  float("sin", periodic(Math.sin)),
  float("sind", periodic(sineOfDegrees)),
  float("tan", periodic(Math.tan)),
  float("tand", periodic(tangentOfDegrees)),
  float("sinh", Math.sinh),
  float("cosh", Math.cosh),
  float("tanh", Math.tanh),
  float("asinh", Math.asinh),
  float("acosh", within(1, unbounded, Math.acosh)),
  float("atanh", within(-1, 1, Math.atanh)),
  ...randomFunctions,
  ...widthBucketFunctions,
];
