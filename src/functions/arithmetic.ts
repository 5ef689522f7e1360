/** Arithmetic and bit operators of the number types, one entry for each pairing that PostgreSQL's pg_operator has. */
import { floatOverflow, floatUnderflow } from "../types/float.js";
import {
  addInt2,
  addInt4,
  addInt8,
  canonicalInt8,
  checkInt2,
  checkInt4,
  divideInt2,
  divideInt4,
  divideInt8,
  divisionByZero,
  type Int8,
  moduloInt4,
  moduloInt8,
  multiplyInt2,
  multiplyInt4,
  multiplyInt8,
  negateInt8,
  subtractInt2,
  subtractInt4,
  subtractInt8,
} from "../types/integer.js";
import {
  numericAbs,
  numericAdd,
  numericDivide,
  numericModulo,
  numericMultiply,
  numericNegate,
  numericSubtract,
} from "../types/numeric.js";
import { numericPower } from "../types/numeric-math.js";
import type { TypeName } from "../types/type.js";
import { cubeRoot, floatPower, floatSquareRoot } from "./float-math.js";
import type { Callable, Operator } from "./function.js";

function addFloat8(a: number, b: number): number {
  const sum = a + b;
  if (!Number.isFinite(sum)) checkOverflow(sum, a, b);
  return sum;
}

function subtractFloat8(a: number, b: number): number {
  const difference = a - b;
  if (!Number.isFinite(difference)) checkOverflow(difference, a, b);
  return difference;
}

function multiplyFloat8(a: number, b: number): number {
  return checkProduct(a * b, a, b);
}

function divideFloat8(a: number, b: number): number {
  return checkQuotient(a / b, a, b);
}

/** An infinite result of finite operands is an error. */
function checkOverflow(result: number, a: number, b: number): void {
  if (!Number.isNaN(result) && Number.isFinite(a) && Number.isFinite(b)) throw floatOverflow();
}

function checkProduct(product: number, a: number, b: number): number {
  if (!Number.isFinite(product)) checkOverflow(product, a, b);
  else if (product === 0 && a !== 0 && b !== 0) throw floatUnderflow();
  return product;
}

function checkQuotient(quotient: number, a: number, b: number): number {
  if (b === 0 && !Number.isNaN(a)) throw divisionByZero();
  if (!Number.isFinite(quotient)) {
    if (!Number.isNaN(quotient) && Number.isFinite(a)) throw floatOverflow();
  } else if (quotient === 0 && a !== 0 && Number.isFinite(b)) {
    throw floatUnderflow();
  }
  return quotient;
}

/** The single-precision operators round once more; the checks are made on what is left. */
const single = {
  add(a: number, b: number): number {
    const sum = Math.fround(a + b);
    if (!Number.isFinite(sum)) checkOverflow(sum, a, b);
    return sum;
  },
  subtract(a: number, b: number): number {
    const difference = Math.fround(a - b);
    if (!Number.isFinite(difference)) checkOverflow(difference, a, b);
    return difference;
  },
  multiply: (a: number, b: number) => checkProduct(Math.fround(a * b), a, b),
  divide: (a: number, b: number) => checkQuotient(Math.fround(a / b), a, b),
};

/** Whether both fit the 32 bits that JavaScript's own bit operators work on. */
function areShort(a: Int8, b: Int8): boolean {
  return (Number(a) | 0) === a && (Number(b) | 0) === b;
}

const bits8 = {
  and: (a: Int8, b: Int8) => (areShort(a, b) ? Number(a) & Number(b) : canonicalInt8(BigInt(a) & BigInt(b))),
  or: (a: Int8, b: Int8) => (areShort(a, b) ? Number(a) | Number(b) : canonicalInt8(BigInt(a) | BigInt(b))),
  xor: (a: Int8, b: Int8) => (areShort(a, b) ? Number(a) ^ Number(b) : canonicalInt8(BigInt(a) ^ BigInt(b))),
  not: (a: Int8) => (typeof a === "number" ? -1 - a : canonicalInt8(~a)),
  // As on the processors that PostgreSQL runs on, only the low bits of the distance count.
  left: (a: Int8, n: number) => canonicalInt8(BigInt.asIntN(64, BigInt(a) << BigInt(n & 63))),
  right: (a: Int8, n: number) => canonicalInt8(BigInt(a) >> BigInt(n & 63)),
};

const bits4 = {
  and: (a: number, b: number) => a & b,
  or: (a: number, b: number) => a | b,
  xor: (a: number, b: number) => a ^ b,
  not: (a: number) => ~a,
  left: (a: number, n: number) => a << (n & 31),
  right: (a: number, n: number) => a >> (n & 31),
};

const bits2 = { ...bits4, left: (a: number, n: number) => ((a << (n & 31)) << 16) >> 16 };

function infix(
  name: string,
  left: TypeName,
  right: TypeName,
  returns: TypeName,
  call: Callable,
  commutator?: string,
): Operator {
  return { kind: "operator", name, left, right, returns, volatility: "immutable", call, commutator };
}

function prefix(name: string, right: TypeName, call: Callable): Operator {
  return { kind: "operator", name, right, returns: right, volatility: "immutable", call };
}

interface Arithmetic {
  readonly add: Callable;
  readonly subtract: Callable;
  readonly multiply: Callable;
  readonly divide: Callable;
}

const int2: Arithmetic = { add: addInt2, subtract: subtractInt2, multiply: multiplyInt2, divide: divideInt2 };
const int4: Arithmetic = { add: addInt4, subtract: subtractInt4, multiply: multiplyInt4, divide: divideInt4 };
const int8: Arithmetic = { add: addInt8, subtract: subtractInt8, multiply: multiplyInt8, divide: divideInt8 };
const float8: Arithmetic = {
  add: addFloat8,
  subtract: subtractFloat8,
  multiply: multiplyFloat8,
  divide: divideFloat8,
};
const numeric: Arithmetic = {
  add: numericAdd,
  subtract: numericSubtract,
  multiply: numericMultiply,
  divide: numericDivide,
};

function fourOperators(left: TypeName, right: TypeName, returns: TypeName, by: Arithmetic): Operator[] {
  return [
    infix("+", left, right, returns, by.add, "+"),
    infix("-", left, right, returns, by.subtract),
    infix("*", left, right, returns, by.multiply, "*"),
    infix("/", left, right, returns, by.divide),
  ];
}

interface BitOperators {
  readonly and: Callable;
  readonly or: Callable;
  readonly xor: Callable;
  readonly not: Callable;
  readonly left: Callable;
  readonly right: Callable;
}

function bitOperators(type: TypeName, by: BitOperators): Operator[] {
  return [
    infix("&", type, type, type, by.and, "&"),
    infix("|", type, type, type, by.or, "|"),
    infix("#", type, type, type, by.xor, "#"),
    prefix("~", type, by.not),
    infix("<<", type, "int4", type, by.left),
    infix(">>", type, "int4", type, by.right),
  ];
}

function signOperators(type: TypeName, negate: Callable, absolute: Callable): Operator[] {
  return [prefix("+", type, (value) => value), prefix("-", type, negate), prefix("@", type, absolute)];
}

/** @throws SqlError 22003 for -32768 */
export function absInt2(n: number): number {
  return n < 0 ? checkInt2(-n) : n;
}

/** @throws SqlError 22003 for -2147483648 */
export function absInt4(n: number): number {
  return n < 0 ? checkInt4(-n) : n;
}

/** @throws SqlError 22003 for -2⁶³ */
export function absInt8(n: Int8): Int8 {
  return n < 0 ? negateInt8(n) : n;
}

export const arithmeticOperators: readonly Operator[] = [
  ...fourOperators("int2", "int2", "int2", int2),
  ...fourOperators("int2", "int4", "int4", int4),
  ...fourOperators("int4", "int2", "int4", int4),
  ...fourOperators("int4", "int4", "int4", int4),
  ...fourOperators("int2", "int8", "int8", int8),
  ...fourOperators("int8", "int2", "int8", int8),
  ...fourOperators("int4", "int8", "int8", int8),
  ...fourOperators("int8", "int4", "int8", int8),
  ...fourOperators("int8", "int8", "int8", int8),
  ...fourOperators("float4", "float4", "float4", single),
  ...fourOperators("float4", "float8", "float8", float8),
  ...fourOperators("float8", "float4", "float8", float8),
  ...fourOperators("float8", "float8", "float8", float8),
  ...fourOperators("numeric", "numeric", "numeric", numeric),
  infix("%", "int2", "int2", "int2", moduloInt4),
  infix("%", "int4", "int4", "int4", moduloInt4),
  infix("%", "int8", "int8", "int8", moduloInt8),
  infix("%", "numeric", "numeric", "numeric", numericModulo),
  infix("^", "float8", "float8", "float8", floatPower),
  infix("^", "numeric", "numeric", "numeric", numericPower),
  prefix("|/", "float8", floatSquareRoot),
  prefix("||/", "float8", cubeRoot),
  ...signOperators("int2", (n: number) => checkInt2(0 - n), absInt2),
  ...signOperators("int4", (n: number) => checkInt4(0 - n), absInt4),
  ...signOperators("int8", negateInt8, absInt8),
  ...signOperators("float4", (n: number) => -n, Math.abs),
  ...signOperators("float8", (n: number) => -n, Math.abs),
  ...signOperators("numeric", numericNegate, numericAbs),
  ...bitOperators("int2", bits2),
  ...bitOperators("int4", bits4),
  ...bitOperators("int8", bits8),
];
