/**
 * Values on their way out and in: from the engine's memory form to what results show and verbs get, checked on the way,
 * and from what services give back to memory form.
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type { SessionContext } from "../../functions/function.js";
import { invalidLabel } from "../../planner/bind/errors.js";
import { isExactDocument, isWholeMilliseconds } from "../../planner/rules/quals.js";
import type { Row } from "../../resources/resource.js";
import type { RegisteredResource } from "../../resources/table-info.js";
import { operationsOf } from "../../types/families.js";
import { types } from "../../types/type.js";
import type { Value } from "../../types/value.js";
import { safeResult } from "../journal/safe-result.js";

/**
 * Values of some columns, as results show them.
 * @param sources indexes into `table.columns`, one for each of `values`
 * @param rowNumber of the row in the statement, from 1, for messages
 * @throws SqlError 23502 for a NULL where there can be none, 22P02 for a text that is no label, 22003 for a value that
 *   the verb can't get as it is
 */
export function hostValues(
  table: RegisteredResource,
  sources: readonly number[],
  values: readonly Value[],
  session: SessionContext,
  rowNumber: number,
): Row {
  const row: Row = {};
  sources.forEach((source, i) => {
    const column = table.columns[source];
    const value = values[i];
    if (value === null && (!column.nullable || table.primaryKey.includes(column.name))) {
      throw new SqlError(
        sqlstate.notNullViolation,
        `null value in column "${column.name}" of relation "${table.name}" violates not-null constraint`,
        { detail: `It is row ${rowNumber} of the statement.` },
      );
    }
    if (typeof value === "string" && column.enumLabels?.includes(value) === false)
      throw invalidLabel(value, column.name, column.enumLabels, undefined, false);
    if (value !== null) requireExact(table, source, value, session, rowNumber);
    setOwn(row, column.name, value === null ? null : ownCopy(operationsOf(column.type).toHost(value, session)));
  });
  return row;
}

/** A document of a row that was read belongs to whoever gave it; the one that is written is another. */
function ownCopy(value: unknown): unknown {
  return typeof value === "object" && value !== null ? structuredClone(value) : value;
}

/** A value that JavaScript has no exact form of would be written as another one. @throws SqlError 22003 */
function requireExact(
  table: RegisteredResource,
  source: number,
  value: Value,
  session: SessionContext,
  rowNumber: number,
): void {
  const { name, type, milliseconds } = table.columns[source];
  if (milliseconds === true && !isWholeMilliseconds(value)) {
    throw new SqlError(
      sqlstate.numericValueOutOfRange,
      `"${name}" can't be given a time that is no whole millisecond`,
      {
        detail: `Row ${rowNumber}: the tool takes it as a Date, which holds neither microseconds nor infinity.`,
        hint: "Write date_trunc('milliseconds', …).",
      },
    );
  }
  if ((type === types.jsonb || type === types.json) && !isExactDocument(value, type, session)) {
    throw new SqlError(
      sqlstate.numericValueOutOfRange,
      `"${name}" can't be given a document with a number that JSON of the tool does not hold exactly`,
      {
        detail: `It is row ${rowNumber} of the statement.`,
        hint: "Write the number as a text where the tool takes one.",
      },
    );
  }
}

/** Sets a property whatever its name is: `__proto__` is a name of a column like any other. */
function setOwn(row: Row, name: string, value: unknown): void {
  Object.defineProperty(row, name, { value, enumerable: true, configurable: true, writable: true });
}

/** The row as the verb gets it. @throws SqlError 22023 naming column and row when the schema refuses a value */
export function decodeRow(table: RegisteredResource, row: Row, rowNumber: number): Row {
  const decoded: Row = {};
  for (const [name, value] of Object.entries(row)) {
    const plain = isDate(table, name) && typeof value === "string" ? new Date(value) : value;
    try {
      setOwn(decoded, name, table.resource.decode === undefined ? plain : table.resource.decode(name, plain));
    } catch (error) {
      throw refusedValue(table, name, rowNumber, error instanceof Error ? error.message : String(error), error);
    }
  }
  return decoded;
}

function refusedValue(table: RegisteredResource, name: string, rowNumber: number, why: string, cause?: unknown) {
  return new SqlError(
    sqlstate.invalidParameterValue,
    `column "${name}" of table "${table.name}" does not take this value`,
    { detail: `Row ${rowNumber}: ${why}`, ...(cause !== undefined && { cause }) },
  );
}

function isDate(table: RegisteredResource, name: string): boolean {
  return table.resource.columns.find((column) => column.name === name)?.asDate === true;
}

/**
 * Which row a verb is to change: the key columns of a row as it was read, as results show them and as the verb gets them.
 * @throws SqlError 23502 for a row without a value for one of them
 */
export function matchOf(
  table: RegisteredResource,
  row: Row,
  keys: readonly string[],
): { match: Row; decodedMatch: Row } {
  const match: Row = {};
  const decodedMatch: Row = {};
  for (const key of keys) {
    const value = Object.hasOwn(row, key) ? row[key] : undefined;
    if (value === null || value === undefined) {
      throw new SqlError(sqlstate.notNullViolation, `a row of "${table.name}" has no value for its key "${key}"`, {
        detail: "Without it the tool cannot be told which row is meant.",
      });
    }
    setOwn(match, key, value instanceof Date ? value.toISOString() : value);
    setOwn(decodedMatch, key, asBound(table, key, value));
  }
  return { match, decodedMatch };
}

/** A value of a key as bindings have it, in the service's own spelling but for dates and integers that a number does not hold. */
export function asBound(table: RegisteredResource, key: string, value: unknown): unknown {
  if (isDate(table, key)) return value instanceof Date ? value : new Date(value as string);
  const isInteger = table.columns.find((column) => column.name === key)?.type === types.int8;
  if (!isInteger || typeof value !== "string" || Number.isSafeInteger(Number(value))) return value;
  return BigInt(value);
}

/**
 * A row as a resource gave it, in memory form and the order of `table.columns`.
 * @param only indexes of the columns that are wanted; the others are NULL
 * @throws SqlError HV000 for a value of no such type
 */
export function memoryRow(
  table: RegisteredResource,
  row: Row,
  session: SessionContext,
  only?: readonly number[],
): readonly Value[] {
  return table.columns.map((column, source) => {
    if (only?.includes(source) === false) return null;
    const value = Object.hasOwn(row, column.name) ? row[column.name] : undefined;
    if (value === null || value === undefined) return null;
    const converted = operationsOf(column.type).fromHost(value, column.typmod, session);
    if (converted === undefined) throw badValue(table, column.name, column.type.display, value);
    return converted;
  });
}

/** Where columns stand in `table.columns`. @param names of columns that the table has */
export function sourcesOf(table: RegisteredResource, names: readonly string[]): number[] {
  return names.map((name) => table.columns.findIndex((column) => column.name === name));
}

/** A row with new values in some places. */
export function withValues(row: readonly Value[], targets: readonly number[], values: readonly Value[]): Value[] {
  const next = [...row];
  targets.forEach((target, i) => {
    next[target] = values[i];
  });
  return next;
}

/** A resource gave a value that is none of its column's type. */
export function badValue(
  table: RegisteredResource,
  column: string,
  type: string,
  value: unknown,
  row?: number,
): SqlError {
  const isLabelled = (table.columns.find(({ name }) => name === column)?.flowLabels ?? []).length > 0;
  const text = typeof value === "function" ? "a function" : JSON.stringify(safeResult(value).value);
  const shown = isLabelled ? "The value is labelled, and not shown." : text;
  return new SqlError(
    sqlstate.fdwError,
    `resource "${table.name}" gave a value for column "${column}" that is not a ${type}`,
    {
      detail: `${row === undefined ? "" : `Row ${row + 1}: `}${shown.length > 200 ? `${shown.slice(0, 200)}…` : shown}`,
      hint: "Declare the column with the type that the service sends.",
    },
  );
}
