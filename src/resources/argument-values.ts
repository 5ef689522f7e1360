/** Values on their way to a call: computed, converted to the type of their column, handed over as JavaScript has them. */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import type { SessionContext } from "../functions/function.js";
import type { Expr } from "../planner/expr.js";
import type { LogicalPlan } from "../planner/plan.js";
import { isExactDocument } from "../planner/rules/quals.js";
import { makeCast } from "../types/casts.js";
import { operationsOf } from "../types/families.js";
import { type SqlType, types } from "../types/type.js";
import type { Value } from "../types/value.js";
import type { RegisteredResource } from "./table-info.js";

/** VALUES of expressions that need no relation. */
export function valuesPlan(rows: readonly (readonly Expr[])[]): LogicalPlan {
  const columns = rows[0].map((expr, i) => ({
    id: i + 1,
    name: `column${i + 1}`,
    type: expr.type,
    typmod: -1,
    nullable: true,
  }));
  return { kind: "Values", columns, rows };
}

/**
 * Converts an argument to its column's type; `undefined` when no value of the column can be equal to it: `2.5` for a
 * bigint column, a timestamp with hours for a date.
 * @throws SqlError 22003 for a double precision value that several bigints are equal to
 */
export function exactConversion(
  type: SqlType,
  table: RegisteredResource,
  source: number,
  session: SessionContext,
): (value: Value) => Value | undefined {
  const column = table.columns[source];
  if (type === column.type) return (value) => value;
  const there = makeCast(type, column.type, -1, true, session);
  const back = makeCast(column.type, type, -1, true, session);
  const { compare } = operationsOf(type);
  return (value) => {
    if (type === types.float8 && column.type === types.int8) refuseRounded(value as number, column.name);
    try {
      const converted = there(value);
      if (converted === null) return undefined;
      return compare !== undefined && compare(back(converted), value) !== 0 ? undefined : converted;
    } catch (error) {
      if (!(error instanceof SqlError)) throw error;
      return undefined; // out of the column's range: equal to none of its values
    }
  };
}

/** From 2^53 on, several bigints are rounded to one double: asking for one of them would miss the others. */
function refuseRounded(value: number, column: string): void {
  if (!Number.isFinite(value) || Math.abs(value) < 2 ** 53) return;
  throw new SqlError(
    sqlstate.numericValueOutOfRange,
    `"${column}" can't be asked for the double precision value ${value}`,
    {
      detail: "Several bigint values are equal to it.",
      hint: "Cast the value to bigint or numeric.",
    },
  );
}

function refuseDocument(column: string): SqlError {
  return new SqlError(sqlstate.numericValueOutOfRange, `"${column}" can't be asked for a document with such a number`, {
    detail: "The document holds a number that JavaScript can't hold exactly.",
    hint: "Write the number as a text where the tool takes one.",
  });
}

/**
 * A value as a resolver gets it: a Date where the column was declared with `z.date()`, a bigint where an integer is beyond
 * what a number holds exactly; documents are its own copy.
 */
export function toArgument(value: Value, table: RegisteredResource, source: number, session: SessionContext): unknown {
  const column = table.columns[source];
  const host = operationsOf(column.type).toHost(value, session);
  const isObject = typeof host === "object" && host !== null;
  if (isObject || column.type === types.jsonb) {
    if (!isExactDocument(value, column.type, session)) throw refuseDocument(column.name);
    return isObject ? structuredClone(host) : host;
  }
  if (typeof host !== "string") return host;
  if (table.columns[source].type === types.int8) return BigInt(host);
  return table.resource.columns[source].asDate === true ? new Date(host) : host;
}
