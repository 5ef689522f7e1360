/** Functions that give rows: generate_series over numbers, unnest, generate_subscripts, string_to_table. Source: PostgreSQL 15, 9.25. */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import { type ArrayValue, dimensions, elements, lowerBounds } from "../types/array-shape.js";
import { Numeric, numericAdd, numericCompare, numericSignum } from "../types/numeric.js";
import type { TypeName } from "../types/type.js";
import type { Value } from "../types/value.js";
import { narrow } from "./aggregates/counting.js";
import type { CallSite, SetReturningFunction } from "./function.js";
import { splitString } from "./strings/concatenation.js";

/** The error of every generate_series whose step would never arrive. */
export function zeroStep(): SqlError {
  return new SqlError(sqlstate.invalidParameterValue, "step size cannot equal zero", {
    hint: "Give a step other than zero, negative to count down.",
  });
}

function* integerSeries(start: number, stop: number, step: number): Iterable<number> {
  if (step === 0) throw zeroStep();
  if (step > 0) for (let value = start; value <= stop; value += step) yield value;
  else for (let value = start; value >= stop; value += step) yield value;
}

/** int8: in numbers where neither the bounds nor one step beyond them leave the safe range, otherwise in bigints. */
function wideSeries(start: number | bigint, stop: number | bigint, step: number | bigint): Iterable<Value> {
  const plain = [start, stop, step].every((value) => typeof value === "number" && Math.abs(value) < 2 ** 52);
  if (plain) return integerSeries(start as number, stop as number, step as number);
  return bigintSeries(BigInt(start), BigInt(stop), BigInt(step));
}

function* bigintSeries(start: bigint, stop: bigint, step: bigint): Iterable<number | bigint> {
  if (step === 0n) throw zeroStep();
  if (step > 0n) for (let value = start; value <= stop; value += step) yield narrow(value);
  else for (let value = start; value >= stop; value += step) yield narrow(value);
}

function* numericSeries(start: Numeric, stop: Numeric, step: Numeric): Iterable<Numeric> {
  checkFinite(start, "start value");
  checkFinite(stop, "stop value");
  checkFinite(step, "step size");
  const sign = numericSignum(step);
  if (sign === 0) throw zeroStep();
  for (let value = start; numericCompare(value, stop) * sign <= 0; value = numericAdd(value, step)) yield value;
}

function checkFinite(value: Numeric, what: string): void {
  if (value.special !== 0)
    throw new SqlError(sqlstate.invalidParameterValue, `${what} cannot be ${value.special === 2 ? "NaN" : "infinity"}`);
}

function series(type: TypeName, generate: (start: never, stop: never, step: never) => Iterable<Value>, one: Value) {
  const entry = (args: readonly TypeName[]): SetReturningFunction => ({
    kind: "set",
    name: "generate_series",
    args,
    returns: type,
    volatility: "immutable",
    strict: true,
    specialize:
      () =>
      (start, stop, step = one) =>
        generate(start as never, stop as never, step as never),
  });
  return [entry([type, type]), entry([type, type, type])];
}

/** Elements in storage order, whatever the dimensions. */
function unnest({ argTypes }: CallSite): (array: Value) => Iterable<Value> {
  const element = argTypes[0].element ?? argTypes[0];
  return (array) => elements(array as ArrayValue, element);
}

function subscripts({ argTypes }: CallSite): (array: Value, dimension: Value, reverse?: Value) => Iterable<Value> {
  const element = argTypes[0].element ?? argTypes[0];
  return (value, dimension, reverse = false) => {
    const array = value as ArrayValue;
    const index = (dimension as number) - 1;
    const length = dimensions(array, element)[index];
    if (length === undefined) return [];
    const lower = lowerBounds(array, element)[index];
    const upper = lower + length - 1;
    return reverse === true ? integerSeries(upper, lower, -1) : integerSeries(lower, upper, 1);
  };
}

function splitRows(text: Value, delimiter: Value, nullText: Value = null): Iterable<Value> {
  return text === null ? [] : splitString(text as string, delimiter as string | null, nullText as string | null);
}

export const setFunctions: readonly SetReturningFunction[] = [
  ...series("int4", integerSeries, 1),
  ...series("int8", wideSeries, 1),
  ...series("numeric", numericSeries, Numeric.one),
  {
    kind: "set",
    name: "unnest",
    args: ["anyarray"],
    returns: "anyelement",
    volatility: "immutable",
    strict: true,
    description: "The elements of an array as rows",
    specialize: unnest,
  },
  {
    kind: "set",
    name: "generate_subscripts",
    args: ["anyarray", "int4"],
    returns: "int4",
    volatility: "immutable",
    strict: true,
    specialize: subscripts,
  },
  {
    kind: "set",
    name: "generate_subscripts",
    args: ["anyarray", "int4", "bool"],
    returns: "int4",
    volatility: "immutable",
    strict: true,
    specialize: subscripts,
  },
  {
    kind: "set",
    name: "string_to_table",
    args: ["text", "text"],
    returns: "text",
    volatility: "immutable",
    strict: false,
    specialize: () => splitRows,
  },
  {
    kind: "set",
    name: "string_to_table",
    args: ["text", "text", "text"],
    returns: "text",
    volatility: "immutable",
    strict: false,
    specialize: () => splitRows,
  },
];
