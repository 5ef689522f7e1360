/**
 * Several calls of one scan, made with different values of a key, must not bring a row twice. A service that matches
 * loosely (`Widget` finds `widget` too, a search finds more than it was asked for) gives one row to two of them: it is
 * taken from the call that asked for its value only. Rows that no call asked for fail the condition later anyway.
 */
import { propertyReader } from "../engine/row-property.js";
import type { SessionContext } from "../functions/function.js";
import { operationsOf } from "../types/families.js";
import type { ResourceCall } from "./call.js";
import type { Row } from "./resource.js";
import type { RegisteredResource } from "./table-info.js";
import { valueIdentity } from "./value-identity.js";

/** @returns the rows of an answer that belong to its call, among all calls of the scan */
export function ownRows(
  calls: readonly ResourceCall[],
  session: SessionContext,
): (call: ResourceCall, rows: readonly Row[]) => readonly Row[] {
  const columns = calls.length < 2 ? [] : tellingColumns(calls);
  if (columns.length === 0) return (_, rows) => rows;
  const properties = columns.map(propertyReader);
  const readers = columns.map((name) => keyReader(calls[0].table, name, session));
  return (call, rows) => {
    const wanted = columns.map((name, i) => new Set((call.values.get(name) ?? []).map(readers[i])));
    return rows.filter((row) =>
      columns.every((_, i) => {
        const key = keyIn(row, properties[i], readers[i]);
        return key === undefined || wanted[i].has(key);
      }),
    );
  };
}

/** `undefined` for what can't be read: the engine reads it again, and says what is wrong with it. */
function keyIn(row: Row, property: (row: Row) => unknown, read: (value: unknown) => unknown): unknown {
  try {
    return read(property(row));
  } catch {
    return undefined;
  }
}

/** Columns whose values are not the same in all calls; a document is compared as a whole by nobody. */
function tellingColumns(calls: readonly ResourceCall[]): string[] {
  const [first, ...others] = calls;
  const isScalar = (name: string) => {
    const { type } = columnOf(first.table, name);
    return type.kind !== "array" && type.name !== "json" && type.name !== "jsonb";
  };
  const sameAs = (values: string, other: ResourceCall, name: string) => values === identitiesOf(other, name);
  return [...first.values.keys()].filter((name) => {
    const values = identitiesOf(first, name);
    return isScalar(name) && !others.every((other) => sameAs(values, other, name));
  });
}

function identitiesOf(call: ResourceCall, name: string): string {
  return JSON.stringify((call.values.get(name) ?? []).map(valueIdentity));
}

function columnOf(table: RegisteredResource, name: string): RegisteredResource["columns"][number] {
  return table.columns.find((column) => column.name === name) as RegisteredResource["columns"][number];
}

/** Equal values of the column's type have one key; `undefined` for NULL and for what is no value of the type. */
function keyReader(table: RegisteredResource, name: string, session: SessionContext): (value: unknown) => unknown {
  const { type, typmod } = columnOf(table, name);
  const { fromHost, key } = operationsOf(type);
  return (value) => {
    if (value === null || value === undefined) return undefined;
    const read = fromHost(value, typmod, session);
    return read === undefined || read === null ? undefined : key === undefined ? read : key(read);
  };
}
