/** Values of SQL as arguments of a tool: JSON, of the type the schema asks for. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { columnTypeOf } from "../../json-schema/column-type.js";
import { resolveSchema } from "../../json-schema/resolve.js";
import { schemaList, typeNames } from "../../json-schema/schema.js";
import type { Bindings, Row } from "../../resources/resource.js";
import type { ArgumentColumn } from "./tool-columns.js";

/** Where the values of one call come from. */
export interface ArgumentSource {
  bindings?: Bindings;
  row?: Row;
  set?: Row;
}

/**
 * The argument object of a call. Columns that the statement does not give stay out of it; a NULL is passed only to an
 * argument whose schema knows null, and otherwise means that nothing is given.
 */
export function argumentsOf(columns: readonly ArgumentColumn[], source: ArgumentSource): Record<string, unknown> {
  const args: Record<string, unknown> = {};
  for (const argument of columns) {
    const given = givenValue(argument.column.name, source);
    if (given === undefined) continue;
    if (given === null && !columnTypeOf(argument.schema, argument.root).nullable) continue;
    args[argument.field] = jsonValue(given, argument);
  }
  return args;
}

function givenValue(column: string, { row, set, bindings }: ArgumentSource): unknown {
  if (row !== undefined && Object.hasOwn(row, column)) return row[column];
  if (set !== undefined && Object.hasOwn(set, column)) return set[column];
  return bindings?.has(column) ? bindings.one(column) : undefined;
}

/** One value as JSON. A text where the schema wants structure is JSON text, and is read as such. */
function jsonValue(value: unknown, argument: ArgumentColumn): unknown {
  if (value instanceof Date) return value.toISOString();
  if (typeof value === "bigint") return exactNumber(value, argument);
  if (typeof value !== "string") return value;
  if (takes(argument, "string")) return value;
  if (takes(argument, "integer") || takes(argument, "number")) return numberOf(value, argument);
  const trimmed = value.trim();
  if (trimmed === "") return value;
  try {
    return JSON.parse(trimmed);
  } catch (error) {
    if (error instanceof SyntaxError) return value;
    throw error;
  }
}

/** Does the argument's schema name this type, itself or in an alternative? */
function takes(argument: ArgumentColumn, type: string): boolean {
  const schema = resolveSchema(argument.schema, argument.root);
  const parts = [
    schema,
    ...[...schemaList(schema.anyOf), ...schemaList(schema.oneOf), ...schemaList(schema.allOf)].map((part) =>
      resolveSchema(part, argument.root),
    ),
  ];
  return parts.some(
    (part) =>
      typeNames(part).includes(type) ||
      (type === "string" &&
        typeNames(part).length === 0 &&
        (part.enum ?? ("const" in part ? [part.const] : [])).some((value) => typeof value === "string")),
  );
}

/** bigint and numeric come as text when a double can't hold them; JSON has only the double. */
function numberOf(text: string, argument: ArgumentColumn): number {
  const number = Number(text);
  if (text.trim() !== "" && Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number))) {
    return number;
  }
  throw inexact(text, argument);
}

function exactNumber(value: bigint, argument: ArgumentColumn): number | string {
  if (value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(value);
  if (takes(argument, "string")) return value.toString();
  throw inexact(value.toString(), argument);
}

function inexact(text: string, { field }: ArgumentColumn): SqlError {
  return new SqlError(
    sqlstate.numericValueOutOfRange,
    `value "${text}" cannot be passed exactly as the number argument "${field}"`,
    { detail: "Arguments of tools are JSON, whose numbers are exact up to 9007199254740991." },
  );
}
