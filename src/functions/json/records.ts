/**
 * json_populate_record, json_to_record and their relatives: rows out of JSON objects.
 *
 * The `…_to_record` functions have no columns of their own: the statement must give a column definition list, and the
 * binder passes it as the call's result type (a record type with those fields). They give an array of values a row.
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { type JsonText, type RecordField, RecordValue, type Value } from "../../types/value.js";
import type { AnyFunction, CallSite } from "../function.js";
import { populateFields } from "./populate.js";
import { type JsonSource, jsonbSource, jsonSource } from "./source.js";

type Reader = (value: Value) => JsonSource;
const readJson: Reader = (value) => jsonSource(value as JsonText);

/** The fields of the row to make: those of its type, or of the row that is given as a base. */
function fieldsOf(name: string, site: CallSite, base: RecordValue | null): readonly RecordField[] {
  const fields = site.resultType.fields ?? base?.fields;
  if (fields !== undefined) return fields;
  if (site.resultType.kind !== "record")
    throw new SqlError(sqlstate.datatypeMismatch, `first argument of ${name} must be a row type`);
  throw new SqlError(sqlstate.featureNotSupported, `could not determine row type for result of ${name}`, {
    hint: "Provide a non-null record argument, or call the function in the FROM clause using a column definition list.",
  });
}

/** The objects of an array. @throws SqlError 22023 */
function objectsOf(source: JsonSource, name: string): JsonSource[] {
  if (source.kind !== "array") {
    const json = !name.startsWith("jsonb");
    const what = json ? (source.kind === "object" ? "an object" : "a scalar") : "a non-array";
    throw new SqlError(sqlstate.invalidParameterValue, `cannot call ${name} on ${what}`);
  }
  const items = source.items();
  for (const item of items) {
    if (item.kind !== "object")
      throw new SqlError(sqlstate.invalidParameterValue, `argument of ${name} must be an array of objects`);
  }
  return items;
}

/** A row as set-returning functions give it: the value itself when there is one column only. */
function asRow(values: readonly Value[]): Value {
  return values.length === 1 ? values[0] : values;
}

const populateRecord = (name: string, read: Reader) => (site: CallSite) => (base: RecordValue | null, value: Value) => {
  if (value === null) return base;
  const fields = fieldsOf(name, site, base);
  return new RecordValue(populateFields(read(value), fields, base, site.session), fields);
};

const populateRecords = (name: string, read: Reader) => (site: CallSite) =>
  function* (baseValue: Value, value: Value): Generator<Value> {
    if (value === null) return;
    const base = baseValue as RecordValue | null;
    const fields = fieldsOf(name, site, base);
    for (const object of objectsOf(read(value), name))
      yield new RecordValue(populateFields(object, fields, base, site.session), fields);
  };

const toRecord = (name: string, read: Reader) => (site: CallSite) =>
  function* (value: Value): Generator<Value> {
    const fields = fieldsOf(name, site, null);
    yield asRow(value === null ? fields.map(() => null) : populateFields(read(value), fields, null, site.session));
  };

const toRecords = (name: string, read: Reader) => (site: CallSite) =>
  function* (value: Value): Generator<Value> {
    if (value === null) return;
    const fields = fieldsOf(name, site, null);
    for (const object of objectsOf(read(value), name)) yield asRow(populateFields(object, fields, null, site.session));
  };

const stable = { volatility: "stable", strict: false } as const;
/** Kept for old statements; it has no effect, as in PostgreSQL. */
const asText = {
  args: ["anyelement", "json", "bool"],
  argNames: ["base", "from_json", "use_json_as_text"],
  defaults: [false],
} as const;

export const jsonRecordFunctions: readonly AnyFunction[] = [
  {
    ...stable,
    ...asText,
    kind: "scalar",
    name: "json_populate_record",
    returns: "anyelement",
    specialize: populateRecord("json_populate_record", readJson),
  },
  {
    ...stable,
    kind: "scalar",
    name: "jsonb_populate_record",
    args: ["anyelement", "jsonb"],
    returns: "anyelement",
    specialize: populateRecord("jsonb_populate_record", jsonbSource),
  },
  {
    ...stable,
    ...asText,
    kind: "set",
    name: "json_populate_recordset",
    returns: "anyelement",
    specialize: populateRecords("json_populate_recordset", readJson),
  },
  {
    ...stable,
    kind: "set",
    name: "jsonb_populate_recordset",
    args: ["anyelement", "jsonb"],
    returns: "anyelement",
    specialize: populateRecords("jsonb_populate_recordset", jsonbSource),
  },
  {
    ...stable,
    kind: "set",
    name: "json_to_record",
    args: ["json"],
    returns: "record",
    specialize: toRecord("json_to_record", readJson),
  },
  {
    ...stable,
    kind: "set",
    name: "jsonb_to_record",
    args: ["jsonb"],
    returns: "record",
    specialize: toRecord("jsonb_to_record", jsonbSource),
  },
  {
    ...stable,
    kind: "set",
    name: "json_to_recordset",
    args: ["json"],
    returns: "record",
    specialize: toRecords("json_to_recordset", readJson),
  },
  {
    ...stable,
    kind: "set",
    name: "jsonb_to_recordset",
    args: ["jsonb"],
    returns: "record",
    specialize: toRecords("jsonb_to_recordset", jsonbSource),
  },
];
