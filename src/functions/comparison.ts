/**
 * Comparison operators for every pairing of types that PostgreSQL's pg_operator has. They are generated from the order of
 * each type; where a value is a JavaScript primitive, the operators are `===` and `<` themselves. Also num_nulls.
 */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import {
  compareDateWithTimestamp,
  compareDateWithTimestamptz,
  compareTimestampWithTimestamptz,
} from "../types/datetime/convert.js";
import { isOrdered, operationsOf } from "../types/families.js";
import { compareFloats } from "../types/float.js";
import { numericCompare } from "../types/numeric.js";
import { compareText } from "../types/text.js";
import { type SqlType, type TypeName, types } from "../types/type.js";
import type { RecordValue, Value } from "../types/value.js";
import type { Callable, CallSite, Operator, ScalarFunction, Volatility } from "./function.js";

const symbols = ["=", "<>", "<", "<=", ">", ">="] as const;
type Symbol = (typeof symbols)[number];

const commutators: Readonly<Record<Symbol, Symbol>> = {
  "=": "=",
  "<>": "<>",
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
};
const negators: Readonly<Record<Symbol, Symbol>> = {
  "=": "<>",
  "<>": "=",
  "<": ">=",
  "<=": ">",
  ">": "<=",
  ">=": "<",
};

type Compare = (a: never, b: never) => number;

/** The six tests over an order. */
function testsOf(compare: Compare): Record<Symbol, Callable> {
  const order = compare as (a: Value, b: Value) => number;
  return {
    "=": (a: Value, b: Value) => order(a, b) === 0,
    "<>": (a: Value, b: Value) => order(a, b) !== 0,
    "<": (a: Value, b: Value) => order(a, b) < 0,
    "<=": (a: Value, b: Value) => order(a, b) <= 0,
    ">": (a: Value, b: Value) => order(a, b) > 0,
    ">=": (a: Value, b: Value) => order(a, b) >= 0,
  };
}

/** Numbers and bigints, which `<` compares by value, and booleans. Each value has one form, so `===` is equality. */
const scalarTests: Record<Symbol, Callable> = {
  "=": (a: number, b: number) => a === b,
  "<>": (a: number, b: number) => a !== b,
  "<": (a: number, b: number) => a < b,
  "<=": (a: number, b: number) => a <= b,
  ">": (a: number, b: number) => a > b,
  ">=": (a: number, b: number) => a >= b,
};

/** Strings whose equality is that of their characters. */
const textTests: Record<Symbol, Callable> = {
  ...testsOf(compareText),
  "=": (a: string, b: string) => a === b,
  "<>": (a: string, b: string) => a !== b,
};

/** NaN equals itself and is above everything. */
const floatTests: Record<Symbol, Callable> = {
  ...testsOf(compareFloats),
  "=": (a: number, b: number) => a === b || compareFloats(a, b) === 0,
  "<>": (a: number, b: number) => a !== b && compareFloats(a, b) !== 0,
};

type Implementation = Pick<Operator, "call" | "specialize">;

function family(
  left: TypeName,
  right: TypeName,
  implement: (symbol: Symbol) => Implementation,
  volatility: Volatility = "immutable",
): Operator[] {
  return symbols.map((symbol) => ({
    kind: "operator",
    name: symbol,
    left,
    right,
    returns: "bool",
    volatility,
    commutator: commutators[symbol],
    negator: negators[symbol],
    ...implement(symbol),
  }));
}

function direct(left: TypeName, right: TypeName, tests: Record<Symbol, Callable>): Operator[] {
  return family(left, right, (symbol) => ({ call: tests[symbol] }));
}

/** All pairs of a list of types that have operators with each other. */
function pairs(names: readonly TypeName[], tests: Record<Symbol, Callable>): Operator[] {
  return names.flatMap((left) => names.flatMap((right) => direct(left, right, tests)));
}

/** Types compared by their own operations, which are looked up when a call is made, not when this file is loaded. */
function own(name: TypeName): Operator[] {
  return family(name, name, (symbol) => ({ specialize: (site) => testOf(site.argTypes[0], symbol) }));
}

/** One test over the values of a type. @throws SqlError 42883 when it, or what it is made of, has no order */
function testOf(type: SqlType, symbol: Symbol): Callable {
  const { compare } = operationsOf(type);
  if (compare === undefined || !isOrdered(type)) throw noComparison(type, symbol);
  if (symbol === "=" || symbol === "<>") {
    const primitive = type.kind === "base" && operationsOf(type).key === undefined;
    if (primitive || type.kind === "enum") return textTests[symbol];
  }
  return testsOf(compare)[symbol];
}

/** The part without an order is what PostgreSQL names: the element of an array, the field of a row. */
function noComparison(type: SqlType, symbol: Symbol): SqlError {
  const kind = symbol === "=" || symbol === "<>" ? "an equality operator" : "a comparison function";
  return new SqlError(sqlstate.undefinedFunction, `could not identify ${kind} for type ${unorderedPart(type).display}`);
}

function unorderedPart(type: SqlType): SqlType {
  if (type.kind === "array") return unorderedPart(type.element as SqlType);
  const field = type.kind === "record" ? type.fields?.find(({ type: part }) => !isOrdered(part)) : undefined;
  return field === undefined ? type : unorderedPart(field.type);
}

/** Rows are compared field by field; their number and types must agree, which is known only from the values. */
function rowTest(site: CallSite, symbol: Symbol): Callable {
  for (const type of site.argTypes) if (!isOrdered(type)) throw noComparison(type, symbol);
  const test = testsOf(operationsOf(types.record).compare as Compare)[symbol] as (a: Value, b: Value) => boolean;
  return (a: RecordValue, b: RecordValue) => test(a, b);
}

type ZoneCompare = (a: never, b: never, timeZone: string) => number;

/** Date and timestamps with each other, both ways round; where an instant is involved, the session's zone decides. */
function mixed(left: TypeName, right: TypeName, compare: ZoneCompare): Operator[] {
  const volatility = right === "timestamptz" ? "stable" : "immutable";
  const order = compare as (a: Value, b: Value, timeZone: string) => number;
  const forward = (symbol: Symbol): Implementation => ({
    specialize: ({ session }) => testsOf((a: Value, b: Value) => order(a, b, session.timeZone))[symbol],
  });
  const backward = (symbol: Symbol): Implementation => ({
    specialize: ({ session }) => testsOf((a: Value, b: Value) => -order(b, a, session.timeZone))[symbol],
  });
  return [...family(left, right, forward, volatility), ...family(right, left, backward, volatility)];
}

/** Operators that order by bytes whatever the collation; here every order of strings does. */
function byteOrder(name: TypeName): Operator[] {
  return (["<", "<=", ">", ">="] as const).map((symbol) => ({
    kind: "operator",
    name: `~${symbol}~`,
    left: name,
    right: name,
    returns: "bool",
    volatility: "immutable",
    commutator: `~${commutators[symbol]}~`,
    negator: `~${negators[symbol]}~`,
    specialize: (site) => testOf(site.argTypes[0], symbol),
  }));
}

export const comparisonOperators: readonly Operator[] = [
  ...pairs(["int2", "int4", "int8"], scalarTests),
  ...pairs(["float4", "float8"], floatTests),
  ...direct("numeric", "numeric", testsOf(numericCompare)),
  ...direct("oid", "oid", scalarTests),
  ...direct("bool", "bool", scalarTests),
  ...direct("text", "text", textTests),
  ...direct("name", "name", textTests),
  ...direct("name", "text", textTests),
  ...direct("text", "name", textTests),
  ...direct("date", "date", scalarTests),
  ...direct("time", "time", scalarTests),
  ...direct("timestamp", "timestamp", scalarTests),
  ...direct("timestamptz", "timestamptz", scalarTests),
  ...mixed("date", "timestamp", compareDateWithTimestamp),
  ...mixed("date", "timestamptz", compareDateWithTimestamptz),
  ...mixed("timestamp", "timestamptz", compareTimestampWithTimestamptz),
  ...own("timetz"),
  ...own("interval"),
  ...own("bpchar"),
  ...own("char"),
  ...own("citext"),
  ...own("bytea"),
  ...own("uuid"),
  ...byteOrder("text"),
  ...byteOrder("bpchar"),
  ...own("jsonb"),
  ...own("anyarray"),
  ...own("anyenum"),
  ...family("record", "record", (symbol) => ({ specialize: (site) => rowTest(site, symbol) })),
];

function countOf(name: string, counts: (value: Value) => boolean): ScalarFunction {
  return {
    kind: "scalar",
    name,
    args: ["any"],
    variadic: true,
    returns: "int4",
    volatility: "immutable",
    strict: false,
    call: (...values: Value[]) => values.filter(counts).length,
  };
}

export const comparisonFunctions: readonly ScalarFunction[] = [
  countOf("num_nulls", (value) => value === null),
  countOf("num_nonnulls", (value) => value !== null),
];
