/** Values of `$1`, `$2`, … as a caller gives them, turned into values of the types that the binder inferred. */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import type { BoundQuery } from "../planner/plan.js";
import { operationsOf } from "../types/families.js";
import type { TypeContext } from "../types/operations.js";
import type { SqlType } from "../types/type.js";
import type { Value } from "../types/value.js";

/**
 * As PostgreSQL's drivers do it: text is read by the type's input function (so `'5'` is good for a bigint and `'{"a":1}'`
 * for a jsonb), everything else must be a value of the type.
 * @throws SqlError 42P02 when there are none, 08P01 when there are too few or too many values, 22P02 and its like for a value that is none of the type
 */
export function readParameters(query: BoundQuery, values: readonly unknown[], context: TypeContext): Value[] {
  const { parameters } = query;
  if (values.length === 0 && parameters.length > 0) {
    throw new SqlError(sqlstate.undefinedParameter, "there is no parameter $1", {
      hint: "Pass one value for each of $1, $2, ….",
    });
  }
  if (values.length !== parameters.length) {
    throw new SqlError(
      sqlstate.protocolViolation,
      `bind message supplies ${values.length} parameters, but the statement requires ${parameters.length}`,
      { hint: "Pass one value for each of $1, $2, …." },
    );
  }
  return parameters.map(({ type, typmod }, i) => readValue(values[i], type, typmod, i + 1, context));
}

function readValue(value: unknown, type: SqlType, typmod: number, number: number, context: TypeContext): Value {
  if (value === null || value === undefined) return null;
  const operations = operationsOf(type);
  if (typeof value === "string") return operations.input(value, typmod, context);
  const converted = operations.fromHost(value, typmod, context);
  if (converted !== undefined) return converted;
  const isPlain = typeof value === "number" || typeof value === "bigint" || typeof value === "boolean";
  if (type.category === "S" && isPlain) return operations.input(String(value), typmod, context);
  throw new SqlError(
    sqlstate.invalidTextRepresentation,
    `parameter $${number} is not a value of type ${type.display}`,
    { detail: `It is ${described(value)}.`, hint: `Pass a ${type.display}, or its text.` },
  );
}

function described(value: unknown): string {
  if (Array.isArray(value)) return "an array";
  if (value instanceof Date) return "a Date";
  return typeof value === "object" ? "an object" : `the ${typeof value} ${String(value)}`;
}
