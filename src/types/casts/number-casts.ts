/** Casts among numbers, booleans and oids. Source: PostgreSQL 15, catalogue pg_cast. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { parseRegclass } from "../catalog-types.js";
import { integerToSingle, parseFloat4, toSingle } from "../float.js";
import { canonicalInt8, checkInt2, checkInt4, type Int8, int8Max, int8Min, outOfRange } from "../integer.js";
import {
  type Numeric,
  numericFromFloat,
  numericFromNumber,
  numericIsFinite,
  numericIsNaN,
  numericText,
  numericToBigInt,
  numericToNumber,
} from "../numeric.js";
import type { TypeContext } from "../operations.js";
import type { TypeName } from "../type.js";
import type { CastContext, CastEntry } from "./entry.js";

/** The conversion between types that hold the value alike. */
export function sameValue<T>(value: T): T {
  return value;
}

/** Nearest integer, halves to the even one, as C's rint(). */
function roundHalfEven(n: number): number {
  const floor = Math.floor(n);
  const rest = n - floor;
  if (rest < 0.5) return floor + 0;
  if (rest > 0.5) return floor + 1 + 0;
  return (floor % 2 === 0 ? floor : floor + 1) + 0;
}

function floatToInt4(n: number): number {
  if (Number.isNaN(n)) throw outOfRange("integer");
  return checkInt4(roundHalfEven(n));
}

function floatToInt2(n: number): number {
  if (Number.isNaN(n)) throw outOfRange("smallint");
  return checkInt2(roundHalfEven(n));
}

function floatToInt8(n: number): Int8 {
  const rounded = roundHalfEven(n);
  if (Number.isSafeInteger(rounded)) return rounded;
  if (!(rounded >= -(2 ** 63) && rounded < 2 ** 63)) throw outOfRange("bigint");
  return canonicalInt8(BigInt(rounded));
}

function int8ToInt4(n: Int8): number {
  if (typeof n === "bigint") throw outOfRange("integer");
  return checkInt4(n);
}

function int8ToInt2(n: Int8): number {
  if (typeof n === "bigint") throw outOfRange("smallint");
  return checkInt2(n);
}

function int8ToOid(n: Int8): number {
  if (n < 0 || n > 4_294_967_295) throw outOfRange("OID");
  return Number(n);
}

function numericToInteger(n: Numeric, type: string, min: bigint, max: bigint): bigint {
  if (!numericIsFinite(n)) {
    const what = numericIsNaN(n) ? "NaN" : "infinity";
    throw new SqlError(sqlstate.featureNotSupported, `cannot convert ${what} to ${type}`);
  }
  const integer = numericToBigInt(n);
  if (integer < min || integer > max) throw outOfRange(type);
  return integer;
}

function numericToInt2(n: Numeric): number {
  return Number(numericToInteger(n, "smallint", -32_768n, 32_767n));
}

function numericToInt4(n: Numeric): number {
  return Number(numericToInteger(n, "integer", -2_147_483_648n, 2_147_483_647n));
}

function numericToInt8(n: Numeric): Int8 {
  return canonicalInt8(numericToInteger(n, "bigint", int8Min, int8Max));
}

/** @throws SqlError 22003 when it is beyond the range of double precision */
function numericToFloat8(n: Numeric): number {
  const value = numericToNumber(n);
  if (numericIsFinite(n) && !Number.isFinite(value)) {
    throw new SqlError(
      sqlstate.numericValueOutOfRange,
      `"${numericText(n)}" is out of range for type double precision`,
    );
  }
  return value;
}

function numericToFloat4(n: Numeric): number {
  return parseFloat4(numericText(n));
}

function integerToFloat4(n: Int8): number {
  return typeof n === "number" && Math.abs(n) <= 16_777_216 ? n : integerToSingle(n);
}

function booleanToText(value: boolean): string {
  return value ? "true" : "false";
}

/** An oid as the signed integer of the same bits. */
function oidToInt4(oid: number): number {
  return oid | 0;
}

function int4ToOid(n: number): number {
  return n >>> 0;
}

const regclassOfText = (text: string, _: number, context: TypeContext): number => parseRegclass(text, context);

type Row = [TypeName, TypeName, CastContext, (value: never, typmod: number, context: TypeContext) => unknown];

const rows: Row[] = [
  ["int2", "int4", "implicit", sameValue],
  ["int2", "int8", "implicit", sameValue],
  ["int2", "float4", "implicit", sameValue],
  ["int2", "float8", "implicit", sameValue],
  ["int2", "numeric", "implicit", numericFromNumber],
  ["int4", "int2", "assignment", checkInt2],
  ["int4", "int8", "implicit", sameValue],
  ["int4", "float4", "implicit", integerToFloat4],
  ["int4", "float8", "implicit", sameValue],
  ["int4", "numeric", "implicit", numericFromNumber],
  ["int8", "int2", "assignment", int8ToInt2],
  ["int8", "int4", "assignment", int8ToInt4],
  ["int8", "float4", "implicit", integerToFloat4],
  ["int8", "float8", "implicit", Number],
  ["int8", "numeric", "implicit", numericFromNumber],
  ["float4", "int2", "assignment", floatToInt2],
  ["float4", "int4", "assignment", floatToInt4],
  ["float4", "int8", "assignment", floatToInt8],
  ["float4", "float8", "implicit", sameValue],
  ["float4", "numeric", "assignment", (n: number) => numericFromFloat(n, 6)],
  ["float8", "int2", "assignment", floatToInt2],
  ["float8", "int4", "assignment", floatToInt4],
  ["float8", "int8", "assignment", floatToInt8],
  ["float8", "float4", "assignment", toSingle],
  ["float8", "numeric", "assignment", (n: number) => numericFromFloat(n, 15)],
  ["numeric", "int2", "assignment", numericToInt2],
  ["numeric", "int4", "assignment", numericToInt4],
  ["numeric", "int8", "assignment", numericToInt8],
  ["numeric", "float4", "implicit", numericToFloat4],
  ["numeric", "float8", "implicit", numericToFloat8],
  ["bool", "int4", "explicit", Number],
  ["int4", "bool", "explicit", (n: number) => n !== 0],
  ["bool", "text", "assignment", booleanToText],
  ["bool", "varchar", "assignment", booleanToText],
  ["bool", "bpchar", "assignment", booleanToText],
  ["oid", "int4", "assignment", oidToInt4],
  ["oid", "int8", "assignment", sameValue],
  ["text", "regclass", "implicit", regclassOfText],
  ["varchar", "regclass", "implicit", regclassOfText],
];

/** The oid types are interchangeable with each other's numbers. */
for (const target of ["oid", "regproc", "regclass", "regtype"] as const) {
  rows.push(["int2", target, "implicit", int4ToOid]);
  rows.push(["int4", target, "implicit", int4ToOid]);
  rows.push(["int8", target, "implicit", int8ToOid]);
  if (target === "oid") continue;
  rows.push(["oid", target, "implicit", sameValue]);
  rows.push([target, "oid", "implicit", sameValue]);
  rows.push([target, "int4", "assignment", oidToInt4]);
  rows.push([target, "int8", "assignment", sameValue]);
}

export const numberCasts: readonly CastEntry[] = rows.map(([source, target, context, convert]) => ({
  source,
  target,
  context,
  convert,
}));
