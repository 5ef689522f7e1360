/** Short ways to write table entries of string functions: strict and immutable, as nearly all of them are. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { operationsOf } from "../../types/families.js";
import type { SqlType, TypeName } from "../../types/type.js";
import type { Callable, CallSite, Operator, ScalarFunction, SessionContext } from "../function.js";

/** Largest string or byte string PostgreSQL makes (MaxAllocSize). */
export const maxAllocation = 0x3fffffff;

/** A strict, immutable function. */
export function pure(
  name: string,
  args: readonly TypeName[],
  returns: TypeName,
  call: Callable,
  description?: string,
): ScalarFunction {
  return { kind: "scalar", name, args, returns, volatility: "immutable", strict: true, call, description };
}

/** The same for what PostgreSQL takes to be stable: conversions between encodings, which a database may redefine. */
export function stable(...entry: Parameters<typeof pure>): ScalarFunction {
  return { ...pure(...entry), volatility: "stable" };
}

/** A strict, immutable function that needs its session (memory limits). */
export function pureInSession(
  name: string,
  args: readonly TypeName[],
  returns: TypeName,
  specialize: (site: CallSite) => Callable,
): ScalarFunction {
  return { kind: "scalar", name, args, returns, volatility: "immutable", strict: true, specialize };
}

/** A strict, immutable operator. */
export function pureOperator(
  left: TypeName,
  name: string,
  right: TypeName,
  returns: TypeName,
  call: Callable,
  negator?: string,
): Operator {
  return { kind: "operator", name, left, right, returns, volatility: "immutable", call, negator };
}

/** A value's text form as the type's output function gives it; for strings this is the value itself. */
export function outputFunction(type: SqlType, session: SessionContext): (value: unknown) => string {
  if (type.name === "unknown" || (type.kind === "base" && type.category === "S")) return (value) => value as string;
  const operations = operationsOf(type);
  return (value) => operations.output(value, session);
}

/** A value's text form as a cast to text gives it: booleans are spelled out, blank padding is dropped. */
export function castToText(type: SqlType, session: SessionContext): (value: unknown) => string {
  if (type.name === "bool") return (value) => (value ? "true" : "false");
  return outputFunction(type, session);
}

/** The error for a result that would be larger than any value may be. */
export function lengthTooLarge(): SqlError {
  return new SqlError(sqlstate.programLimitExceeded, "requested length too large");
}
