/**
 * A memory database as bytes and back: JSON with a version. Types are written by name and modifier, values in
 * PostgreSQL's text form, expressions and views as SQL. Temporary tables are left out.
 */

import type { TableColumn, ViewInfo } from "../../catalog/table.js";
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../../grammar/ast.js";
import { deparse } from "../../grammar/deparse.js";
import { parse } from "../../grammar/parse.js";
import { operationsOf } from "../../types/families.js";
import type { TypeContext } from "../../types/operations.js";
import { arrayOf, enumType, type SqlType, types } from "../../types/type.js";
import { Sequence, type SequenceState } from "./sequence.js";
import { type Store, temporarySchema } from "./store.js";
import { type ForeignKey, type HiddenValue, StoredTable, type TableDefinition } from "./stored-table.js";

const format = "glove-scratchpad memory database";
const version = 1;

interface DumpedType {
  /** Name of the type, or of the array's element type. */
  readonly type: string;
  readonly array?: true;
}

type DumpedColumn = Omit<TableColumn, "type"> & DumpedType;
type DumpedValue = Omit<HiddenValue, "type"> & DumpedType;

interface DumpedTable extends Omit<TableDefinition, "columns" | "hidden" | "foreignKeys"> {
  readonly columns: readonly DumpedColumn[];
  readonly hidden: readonly DumpedValue[];
  readonly foreignKeys: readonly (Omit<ForeignKey, "target"> & { readonly target: { schema: string; name: string } })[];
  readonly rows: readonly (readonly (string | null)[])[];
}

interface Dump {
  readonly format: string;
  readonly version: number;
  readonly schemas: readonly string[];
  readonly enums: readonly { readonly name: string; readonly labels: readonly string[] }[];
  readonly sequences: readonly SequenceState[];
  readonly tables: readonly DumpedTable[];
  readonly views: readonly (Omit<ViewInfo, "query" | "columns"> & { columns: readonly DumpedColumn[]; sql: string })[];
}

export function writeDump(store: Store, context: TypeContext): Uint8Array {
  const kept = [...store.tables()].filter((table) => table.info.schema !== temporarySchema);
  const views = [...store.views()].filter((view) => view.info.schema !== temporarySchema);
  const dump: Dump = {
    format,
    version,
    schemas: [...store.allSchemas()],
    enums: [...store.types()].map((type) => ({ name: type.name, labels: type.labels ?? [] })),
    sequences: [...store.allSequences()].map((sequence) => sequence.save()),
    tables: kept.map((table) => dumpTable(table, context)),
    views: views.map(({ info: { query, columns, ...rest } }) => ({
      ...rest,
      columns: columns.map(dumpTyped),
      sql: deparse(query),
    })),
  };
  return new TextEncoder().encode(JSON.stringify(dump));
}

function dumpTable(table: StoredTable, context: TypeContext): DumpedTable {
  table.materialize(context);
  const { columns, hidden, foreignKeys, ...rest } = table.definition;
  const operations = [...columns, ...hidden].map((column) => operationsOf(column.type));
  return {
    ...rest,
    columns: columns.map(dumpTyped),
    hidden: hidden.map(dumpTyped),
    foreignKeys: foreignKeys.map(({ target, ...key }) => ({
      ...key,
      target: { schema: target.info.schema, name: target.info.name },
    })),
    rows: table.rows.map((row) =>
      row.map((value, i) => (value === null ? null : operations[i].output(value, context))),
    ),
  };
}

function dumpTyped<T extends { readonly type: SqlType }>({ type, ...rest }: T): Omit<T, "type"> & DumpedType {
  if (type.element === undefined) return { ...rest, type: type.name };
  return { ...rest, type: type.element.name, array: true };
}

/** Fills an empty store. @throws SqlError 22023 */
export function readDump(bytes: Uint8Array, store: Store, context: TypeContext): void {
  const dump = parseDump(bytes);
  for (const schema of dump.schemas) store.addSchema(schema);
  for (const { name, labels } of dump.enums) store.addType(enumType(name, labels));
  for (const state of dump.sequences) store.addSequence(new Sequence(state));
  const tables = dump.tables.map((dumped) => readTable(dumped, store, context));
  dump.tables.forEach(({ foreignKeys }, i) => {
    if (foreignKeys.length === 0) return;
    const resolved = foreignKeys.map((key) => ({ ...key, target: tableAt(key.target, store) }));
    tables[i].redefine({ ...tables[i].definition, foreignKeys: resolved });
    store.refresh(tables[i]);
  });
  for (const { sql, columns, ...rest } of dump.views) {
    const [query] = parse(sql);
    const info = { ...rest, columns: columns.map((column) => readTyped(column, store)) };
    store.add({ kind: "view", info: { ...info, query: query as ast.SelectStatement } });
  }
}

function parseDump(bytes: Uint8Array): Dump {
  let dump: Partial<Dump>;
  try {
    dump = JSON.parse(new TextDecoder().decode(bytes)) as Partial<Dump>;
  } catch (cause) {
    throw new SqlError(sqlstate.invalidParameterValue, "the bytes are not a dump of a memory database", { cause });
  }
  if (dump.format === format && dump.version === version) return dump as Dump;
  throw new SqlError(sqlstate.invalidParameterValue, "the bytes are not a dump of this version", {
    detail: `Wanted is "${format}", version ${version}; found is "${String(dump.format)}", version ${String(dump.version)}.`,
  });
}

function readTable(dumped: DumpedTable, store: Store, context: TypeContext): StoredTable {
  const { rows, columns: dumpedColumns, hidden: dumpedHidden, foreignKeys: _, ...rest } = dumped;
  const columns = dumpedColumns.map((column) => readTyped(column, store));
  const hidden = dumpedHidden.map((value) => readTyped(value, store));
  const table = new StoredTable({ ...rest, columns, hidden, foreignKeys: [] });
  const operations = [...columns, ...hidden].map((column) => operationsOf(column.type));
  const values = rows.map((row) =>
    row.map((text, i) => (text === null ? null : operations[i].input(text, columns[i]?.typmod ?? -1, context))),
  );
  table.replaceRows(values);
  store.add(table);
  return table;
}

function readTyped<T extends DumpedType>(
  { type, array, ...rest }: T,
  store: Store,
): Omit<T, "type" | "array"> & { readonly type: SqlType } {
  const found: SqlType | undefined =
    store.type(type) ?? (Object.hasOwn(types, type) ? types[type as keyof typeof types] : undefined);
  if (found === undefined) throw new SqlError(sqlstate.undefinedObject, `type "${type}" does not exist`);
  return { ...rest, type: array === true ? arrayOf(found) : found };
}

function tableAt({ schema, name }: { schema: string; name: string }, store: Store): StoredTable {
  const found = store.find(name, schema);
  if (found instanceof StoredTable) return found;
  throw new SqlError(sqlstate.undefinedTable, `relation "${schema}.${name}" does not exist`);
}
