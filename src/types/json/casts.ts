/** Casts from and to json and jsonb, with the contexts of PostgreSQL 15's pg_cast. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type { CastEntry } from "../casts/entry.js";
import { numericRound, numericSignum, numericToNumber } from "../numeric.js";
import { JsonText, type Value } from "../value.js";
import { fromTop, type JsonNumber, kindOf } from "./item.js";
import { jsonbText, parseJsonb } from "./jsonb.js";
import { asNumeric, numberText } from "./number.js";

/** 22023, in PostgreSQL's words for what a jsonb value is. */
function cannotCast(value: Value, target: string): SqlError {
  const kind = kindOf(fromTop(value));
  const words = {
    array: "array",
    object: "object",
    null: "null",
    string: "string",
    number: "numeric",
    boolean: "boolean",
  };
  return new SqlError(sqlstate.invalidParameterValue, `cannot cast jsonb ${words[kind]} to type ${target}`, {
    hint:
      kind === "null"
        ? "A field that may be JSON null is read as text, where that is NULL: (value ->> 'field')::type."
        : kind === "string"
          ? "Take the text out first: (value ->> 'field')::type, or (value #>> '{}')::type for the whole value."
          : undefined,
  });
}

function numberIn(value: Value, target: string): JsonNumber {
  const item = fromTop(value);
  if (kindOf(item) !== "number") throw cannotCast(value, target);
  return item as JsonNumber;
}

function toInteger(value: Value, target: string, bits: number): number | bigint {
  const number = numberIn(value, target);
  const whole =
    typeof number === "number" && Number.isSafeInteger(number)
      ? BigInt(number)
      : BigInt(numberText(numericRound(asNumeric(number))));
  const limit = 1n << BigInt(bits - 1);
  if (whole < -limit || whole >= limit) throw new SqlError(sqlstate.numericValueOutOfRange, `${target} out of range`);
  const small = Number(whole);
  return Number.isSafeInteger(small) ? small : whole;
}

function toFloat(value: Value, target: string, single: boolean): number {
  const exact = asNumeric(numberIn(value, target));
  const double = numericToNumber(exact);
  const result = single ? Math.fround(double) : double;
  if (!Number.isFinite(result) || (result === 0 && numericSignum(exact) !== 0)) {
    const text = numberText(exact);
    throw new SqlError(sqlstate.numericValueOutOfRange, `"${text}" is out of range for type ${target}`);
  }
  return result;
}

export const jsonCasts: readonly CastEntry[] = [
  { source: "json", target: "jsonb", context: "assignment", convert: (value: JsonText) => parseJsonb(value.text) },
  { source: "jsonb", target: "json", context: "assignment", convert: (value: Value) => new JsonText(jsonbText(value)) },
  {
    source: "jsonb",
    target: "bool",
    context: "explicit",
    convert: (value: Value) => {
      if (typeof value !== "boolean") throw cannotCast(value, "boolean");
      return value;
    },
  },
  {
    source: "jsonb",
    target: "numeric",
    context: "explicit",
    convert: (value: Value) => asNumeric(numberIn(value, "numeric")),
  },
  { source: "jsonb", target: "int2", context: "explicit", convert: (value: Value) => toInteger(value, "smallint", 16) },
  { source: "jsonb", target: "int4", context: "explicit", convert: (value: Value) => toInteger(value, "integer", 32) },
  { source: "jsonb", target: "int8", context: "explicit", convert: (value: Value) => toInteger(value, "bigint", 64) },
  { source: "jsonb", target: "float4", context: "explicit", convert: (value: Value) => toFloat(value, "real", true) },
  {
    source: "jsonb",
    target: "float8",
    context: "explicit",
    convert: (value: Value) => toFloat(value, "double precision", false),
  },
];
