/**
 * min and max over every type with an order. Of equal values the later one is kept, as PostgreSQL does (`1.0`, `1.00`);
 * only for character(n) it is the earlier one.
 */
import { operationsOf } from "../../types/families.js";
import { type SqlType, type TypeName, types } from "../../types/type.js";
import type { Value } from "../../types/value.js";
import type { Accumulator, AggregateFunction, CallSite } from "../function.js";

const orderedTypes: readonly TypeName[] = [
  "int2",
  "int4",
  "int8",
  "oid",
  "float4",
  "float8",
  "numeric",
  "text",
  "bpchar",
  "citext",
  "date",
  "time",
  "timetz",
  "timestamp",
  "timestamptz",
  "interval",
  "anyarray",
  "anyenum",
];

/** Types whose values JavaScript orders as PostgreSQL does: numbers (and bigints) without NaN. */
const nativelyOrdered = new Set(["int2", "int4", "int8", "oid", "date", "time", "timestamp", "timestamptz"]);

/** `undefined` stands for "no value yet". */
function nativeExtreme(greatest: boolean): Accumulator<Value | undefined> {
  return {
    init: () => undefined,
    step: greatest
      ? (best, value) => (best !== undefined && (best as number) > (value as number) ? best : value)
      : (best, value) => (best !== undefined && (best as number) < (value as number) ? best : value),
    final: (best) => best ?? null,
  };
}

function comparedExtreme(type: SqlType, greatest: boolean): Accumulator<Value | undefined> {
  const { compare } = operationsOf(type);
  if (compare === undefined) throw new TypeError(`type ${type.name} has no order`);
  const tie = type === types.bpchar ? -1 : 0; // a difference above this keeps the value that there was
  return {
    init: () => undefined,
    step: greatest
      ? (best, value) => (best !== undefined && compare(best, value) > tie ? best : value)
      : (best, value) => (best !== undefined && compare(best, value) < -tie ? best : value),
    final: (best) => best ?? null,
  };
}

function extreme(name: "min" | "max", type: TypeName): AggregateFunction {
  const greatest = name === "max";
  return {
    kind: "aggregate",
    aggregateKind: "normal",
    name,
    args: [type],
    returns: type,
    volatility: "immutable",
    strict: true,
    create({ argTypes }: CallSite) {
      const actual = argTypes[0];
      return nativelyOrdered.has(actual.name) ? nativeExtreme(greatest) : comparedExtreme(actual, greatest);
    },
  };
}

export const extremeAggregates: readonly AggregateFunction[] = orderedTypes.flatMap((type) => [
  extreme("min", type),
  extreme("max", type),
]);
