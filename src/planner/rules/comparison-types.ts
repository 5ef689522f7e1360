/**
 * When a comparison of a column with a value may be handed to a resource as a comparison in the column's own type.
 *
 * The engine may compare in another type: `int4_column > 2.5` compares numerics, `date_column < now()` instants. A resource
 * is asked in the column's type, so the two must say the same of every value that the column can have. They do where the
 * conversion of the column keeps all its values apart and in order.
 * Source: PostgreSQL 15, 10.2 "Operators", and the cross-type operators of pg_amop.
 */
import { SqlError } from "../../errors/sql-error.js";
import { makeCast } from "../../types/casts.js";
import { operationsOf } from "../../types/families.js";
import { type SqlType, types } from "../../types/type.js";
import type { Constant } from "../expr.js";
import { foldSession } from "./fold-expression.js";

const integers = [types.int2, types.int4, types.int8];

interface Comparable {
  readonly compared: readonly SqlType[];
  readonly value: readonly SqlType[];
}

const smallInteger: Comparable = {
  compared: [...integers, types.numeric, types.float8],
  value: [...integers, types.numeric, types.float4, types.float8],
};
const string: Comparable = { compared: [types.text, types.varchar], value: [types.text, types.varchar] };

/** Column type → the types that it can be compared in, and those that the value can have, without losing a distinction. */
const ordered: ReadonlyMap<SqlType, Comparable> = new Map<SqlType, Comparable>([
  [types.int2, smallInteger],
  [types.int4, smallInteger],
  // A bigint beyond 2^53 is rounded on its way to double precision.
  [types.int8, { compared: [...integers, types.numeric], value: [...integers, types.numeric] }],
  [types.numeric, { compared: [types.numeric], value: [...integers, types.numeric] }],
  [types.float4, { compared: [types.float4, types.float8], value: [types.float4, types.float8] }],
  [types.float8, { compared: [types.float8], value: [types.float4, types.float8] }],
  [types.text, string],
  [types.varchar, string],
  // An instant depends on the zone, and two local times can be one instant where clocks change: never for these two.
  [types.date, { compared: [types.date, types.timestamp], value: [types.date, types.timestamp] }],
  [types.timestamp, { compared: [types.timestamp], value: [types.date, types.timestamp] }],
  [types.timestamptz, { compared: [types.timestamptz], value: [types.date, types.timestamp, types.timestamptz] }],
]);

/**
 * Whether `column < value` and its like mean the same in the column's type, for a value that converts to it exactly.
 * @param compared type in which the column stands in the condition: its own, or that of an implicit cast
 */
export function comparesInOrder(column: SqlType, compared: SqlType, value: SqlType): boolean {
  if (column === compared && column === value) return true;
  const known = ordered.get(column);
  return known?.compared.includes(compared) === true && known.value.includes(value);
}

/** Pairs in which several values of the first type may equal one of the second: asking for one of them would miss the others. */
const lossy = new Set([
  "int4 float4",
  "int8 float4", // a bigint and a double are told apart when the value is known: below 2^53 they are one for one
  "numeric float4",
  "numeric float8",
  "date timestamptz",
  "timestamp timestamptz",
]);

/** Whether at most one value of the column is equal to a value of the other type, so that an equality can be asked for by value. */
export function equalsOneValue(column: SqlType, compared: SqlType): boolean {
  return !lossy.has(`${column.name} ${compared.name}`);
}

const widening = new Set([
  "int2 int4",
  "int2 int8",
  "int2 numeric",
  "int2 float4",
  "int2 float8",
  "int4 int8",
  "int4 numeric",
  "int4 float8",
  "int8 numeric",
  "float4 float8",
  "varchar text",
  "text varchar",
  "date timestamp",
]);

/** Whether every value of a type is one of the column's type as well, so that it is sure to reach the call. */
export function alwaysConverts(value: SqlType, column: SqlType): boolean {
  return value === column || widening.has(`${value.name} ${column.name}`);
}

/**
 * Whether a constant number is one of the column's type as well; `undefined` for what is only known at run time.
 * @param column a type of numbers too
 */
export function convertsNumber(value: Constant, column: SqlType): boolean | undefined {
  if (value.type === column || value.value === null || value.type.category !== "N") return undefined;
  const { compare } = operationsOf(value.type);
  if (compare === undefined) return undefined;
  try {
    const converted = makeCast(value.type, column, -1, true, foldSession)(value.value);
    return compare(makeCast(column, value.type, -1, true, foldSession)(converted), value.value) === 0;
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    return false; // out of the column's range
  }
}
