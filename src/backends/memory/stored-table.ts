/**
 * A table whose rows are kept in memory, with its constraints. Rows are in an array that snapshots share: a table that a
 * snapshot has seen copies the array before it changes it. Loaded row objects are read as they are until they are written.
 */

import type { StoredTableInfo, TableColumn } from "../../catalog/table.js";
import type { Relation, RelationColumn } from "../../engine/environment.js";
import { propertyReader } from "../../engine/row-property.js";
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { quoteName } from "../../grammar/deparse.js";
import { operationsOf } from "../../types/families.js";
import type { TypeContext } from "../../types/operations.js";
import { displayType, type SqlType } from "../../types/type.js";
import { isPlainKey, type KeyOf, keyOf, placeOf, type StoredRow, sameColumns, type UniqueKey } from "./table-key.js";

/** CHECK: the expression as SQL text. */
export interface CheckRule {
  readonly name: string;
  readonly sql: string;
}

/** GENERATED ALWAYS AS (…) STORED. */
export interface GeneratedColumn {
  /** Index into the table's columns. */
  readonly column: number;
  readonly sql: string;
}

/**
 * A value that is kept behind those of a row's columns, because a unique index compares it, or asks it whether the row
 * counts. It is computed with every new row.
 */
export interface HiddenValue {
  readonly sql: string;
  /** How errors show it. */
  readonly name: string;
  readonly type: SqlType;
}

export type ReferentialAction = "no action" | "restrict" | "cascade" | "set null";

export interface ForeignKey {
  readonly name: string;
  readonly columns: readonly number[];
  readonly target: StoredTable;
  readonly targetColumns: readonly number[];
  readonly matchFull: boolean;
  readonly onDelete: ReferentialAction;
  readonly onUpdate: ReferentialAction;
}

/** What CREATE TABLE says of a table, resolved. */
export interface TableDefinition {
  readonly schema: string;
  readonly name: string;
  readonly columns: readonly TableColumn[];
  readonly keys: readonly UniqueKey[];
  readonly checks: readonly CheckRule[];
  readonly generated: readonly GeneratedColumn[];
  readonly hidden: readonly HiddenValue[];
  readonly foreignKeys: readonly ForeignKey[];
  /** Names of sequences that are dropped with the table. */
  readonly sequences: readonly string[];
}

/** A table that has columns and nothing else: no keys, rules or sequences. */
export function plainDefinition(schema: string, name: string, columns: readonly TableColumn[]): TableDefinition {
  const nothing = { keys: [], checks: [], generated: [], foreignKeys: [], hidden: [], sequences: [] };
  return { schema, name, columns, ...nothing };
}

/** Rows by the value of a unique key. */
export interface KeyIndex {
  readonly key: UniqueKey;
  readonly keyOf: KeyOf;
  readonly rows: Map<string | number | bigint | boolean, StoredRow>;
}

export class StoredTable {
  readonly kind = "stored";
  definition: TableDefinition;
  info: StoredTableInfo;
  /** Whether a snapshot holds the present array of rows. */
  shared = false;
  private stored: StoredRow[] = [];
  private objects: readonly object[] | undefined;
  private indexes: KeyIndex[] | undefined;

  constructor(definition: TableDefinition, loaded?: readonly object[]) {
    this.definition = definition;
    this.objects = loaded;
    // A plan that is kept must not hold on to loaded rows, so their number is copied.
    this.info =
      loaded === undefined ? withRowCount(this.makeInfo(), this) : { ...this.loadedInfo(), rowCount: loaded.length };
  }

  get rowCount(): number {
    return (this.objects ?? this.stored).length;
  }

  /** The rows as the engine reads them. The array is not changed while a statement runs. */
  relation(): Relation {
    const { objects } = this;
    if (objects === undefined) return { kind: "tuples", rows: this.stored };
    return { kind: "objects", rows: objects, columns: this.definition.columns.map((column) => relationColumn(column)) };
  }

  /** Turns loaded objects into rows of values, so that they can be written. @throws SqlError 22P02 */
  materialize(context: TypeContext): void {
    if (this.objects === undefined) return;
    const { columns } = this.definition;
    const operations = columns.map((column) => operationsOf(column.type));
    const properties = columns.map((column) => propertyReader(column.name));
    this.stored = this.objects.map((object, row) =>
      columns.map((column, i) => {
        const value = properties[i](object);
        if (value === null || value === undefined) return null;
        const converted = operations[i].fromHost(value, column.typmod, context);
        if (converted !== undefined) return converted;
        throw badValue(column, row);
      }),
    );
    this.objects = undefined;
    this.shared = false;
  }

  /** The rows as values; `materialize` has been called when rows were loaded. */
  get rows(): readonly StoredRow[] {
    return this.stored;
  }

  /** Puts rows in the places of others, by their number (`undefined` takes one away), and more behind the last. The indexes know already. */
  change(versions: ReadonlyMap<number, StoredRow | undefined>, added: readonly StoredRow[]): void {
    if (this.shared) {
      this.stored = [...this.stored];
      this.shared = false;
    }
    let removed = 0;
    for (const [rowId, row] of versions) {
      if (row === undefined) removed++;
      else this.stored[rowId] = row;
    }
    if (removed > 0) this.stored = this.stored.filter((_, rowId) => !versions.has(rowId) || versions.get(rowId));
    for (const row of added) this.stored.push(row);
  }

  /** Takes other rows in place of the present ones. */
  replaceRows(rows: StoredRow[]): void {
    this.objects = undefined;
    this.stored = rows;
    this.shared = false;
    this.indexes = undefined;
  }

  /** What a snapshot keeps. */
  save(): { rows: StoredRow[]; objects: readonly object[] | undefined; definition: TableDefinition } {
    this.shared = true;
    return { rows: this.stored, objects: this.objects, definition: this.definition };
  }

  restore(saved: ReturnType<StoredTable["save"]>): void {
    this.stored = saved.rows;
    this.objects = saved.objects;
    this.shared = true;
    this.indexes = undefined;
    if (saved.definition !== this.definition) this.redefine(saved.definition);
  }

  /** Another set of constraints; the table's info is a new object, so that plans over the old one are made again. */
  redefine(definition: TableDefinition): void {
    this.definition = definition;
    this.info = this.makeInfo();
    this.indexes = undefined;
  }

  /** Takes a unique key away, with the hidden values that only it needed. */
  removeKey(name: string): void {
    const { definition } = this;
    const width = definition.columns.length;
    const keys = definition.keys.filter((key) => key.name !== name);
    const used = new Set(keys.flatMap((key) => [...key.columns, key.where ?? 0]));
    const kept = definition.hidden.map((_, i) => width + i).filter((position) => used.has(position));
    const moved = (position: number) => (position < width ? position : width + kept.indexOf(position));
    if (kept.length < definition.hidden.length) {
      this.replaceRows(this.stored.map((row) => [...row.slice(0, width), ...kept.map((position) => row[position])]));
    }
    this.redefine({
      ...definition,
      hidden: kept.map((position) => definition.hidden[position - width]),
      keys: keys.map((key) => ({
        ...key,
        columns: key.columns.map(moved),
        ...(key.where !== undefined && { where: moved(key.where) }),
      })),
    });
  }

  /** The indexes of all unique keys, in the order in which PostgreSQL checks them. */
  keyIndexes(): readonly KeyIndex[] {
    this.indexes ??= this.definition.keys.map((key) => {
      const of = keyOf(key, this.definition);
      const rows = new Map<string | number | bigint | boolean, StoredRow>();
      for (const row of this.stored) {
        const value = of(row);
        if (value !== undefined) rows.set(value, row);
      }
      return { key, keyOf: of, rows };
    });
    return this.indexes;
  }

  /** The unique key over exactly these columns, for all rows. */
  keyOver(columns: readonly number[]): UniqueKey | undefined {
    const { keys } = this.definition;
    return keys.find((key) => key.where === undefined && sameColumns(key.columns, columns));
  }

  columnNames(columns: readonly number[]): string[] {
    return columns.map((column) => placeOf(this.definition, column).name);
  }

  /** The same definition is loaded again and again. */
  private loadedInfo(): StoredTableInfo {
    let info = loadedInfos.get(this.definition);
    if (info === undefined) {
      info = this.makeInfo();
      loadedInfos.set(this.definition, info);
    }
    return info;
  }

  private makeInfo(): StoredTableInfo {
    const { schema, name, columns, keys, hidden } = this.definition;
    const primary = keys.find((key) => key.primary);
    return {
      kind: "stored",
      schema,
      name,
      description: "",
      columns,
      verbs: ["select", "insert", "update", "delete"],
      volatility: "stable",
      primaryKey: primary === undefined ? [] : this.columnNames(primary.columns),
      constraints: keys
        .filter((key) => key.constraint)
        .map((key) => ({ name: key.name, columns: this.columnNames(key.columns) })),
      uniqueKeys: keys
        .filter((key) => !key.primary && isPlainKey(key, this.definition))
        .map((key) => this.columnNames(key.columns)),
      partialKeys: keys
        .filter((key) => !isPlainKey(key, this.definition))
        .map((key) => ({
          name: key.name,
          elements: key.columns.map((position, i) => ({
            expression:
              position < columns.length ? quoteName(columns[position].name) : hidden[position - columns.length].sql,
            ...key.modifiers?.[i],
          })),
          ...(key.where !== undefined && { where: hidden[key.where - columns.length].sql }),
        })),
    };
  }
}

const loadedInfos = new WeakMap<TableDefinition, StoredTableInfo>();

function withRowCount(info: StoredTableInfo, table: StoredTable): StoredTableInfo {
  return {
    ...info,
    get rowCount() {
      return table.rowCount;
    },
  };
}

function relationColumn(column: TableColumn): RelationColumn {
  const { name, type, typmod } = column;
  return { name, type, typmod, onBadValue: (row) => badValue(column, row) };
}

function badValue(column: TableColumn, row: number): SqlError {
  return new SqlError(
    sqlstate.invalidTextRepresentation,
    `row ${row + 1} has a value in column "${column.name}" that is not of type ${displayType(column.type, column.typmod)}`,
    { hint: "Load the column with the type of its values, or as jsonb." },
  );
}
