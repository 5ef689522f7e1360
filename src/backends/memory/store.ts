/**
 * Everything a memory database holds: tables, views, indexes (with their tables), types, sequences and schemas, by name.
 * The binder reads it as a catalog; transactions take snapshots of it and go back to them.
 */
import { Catalog, defaultSchema } from "../../catalog/catalog.js";
import type { CatalogReader, Table, ViewInfo } from "../../catalog/table.js";
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../../grammar/ast.js";
import type { SqlType } from "../../types/type.js";
import type { Sequence } from "./sequence.js";
import { StoredTable } from "./stored-table.js";

/** The schema of temporary tables, looked up before all others. */
export const temporarySchema = "pg_temp";

export interface StoredView {
  readonly kind: "view";
  readonly info: ViewInfo;
}

export type StoreObject = StoredTable | StoredView;

/** What a savepoint goes back to. */
export interface Snapshot {
  readonly objects: ReadonlyMap<string, StoreObject>;
  readonly tables: ReadonlyMap<StoredTable, ReturnType<StoredTable["save"]>>;
  readonly userTypes: ReadonlyMap<string, SqlType>;
  readonly sequences: ReadonlyMap<string, Sequence>;
  readonly schemas: ReadonlySet<string>;
  readonly plainIndexes: ReadonlyMap<string, StoredTable>;
}

export class Store implements CatalogReader {
  /** The catalog behind information_schema; temporary tables are in it under their own schema. */
  readonly catalog = new Catalog();
  private objects = new Map<string, StoreObject>();
  private userTypes = new Map<string, SqlType>();
  private sequences = new Map<string, Sequence>();
  private schemas = new Set<string>();
  /** Indexes that are not unique, with their tables: they change no answer, but their names are taken. */
  private plainIndexes = new Map<string, StoredTable>();

  get version(): number {
    return this.catalog.version;
  }

  // ------------------------------------------------------------------------------------------- the binder's view

  table(name: string, schema?: string): Table | undefined {
    if (schema === undefined) return this.catalog.table(name, temporarySchema) ?? this.catalog.table(name);
    const found = this.catalog.table(name, schema);
    // The catalog also finds `github.pulls` as `github_pulls`, which is for resources only.
    return found?.schema === schema ? found : undefined;
  }

  hasSchema(schema: string): boolean {
    return ["public", "pg_catalog", "information_schema", temporarySchema].includes(schema) || this.schemas.has(schema);
  }

  hasOther(name: string, schema?: string): boolean {
    const isPublic = schema === undefined || schema === defaultSchema;
    return this.has(schema ?? defaultSchema, name) || (isPublic && this.sequence(name) !== undefined);
  }

  tableNames(): Iterable<string> {
    return this.catalog.tableNames();
  }

  type(name: string, schema?: string): SqlType | undefined {
    return schema === undefined || schema === defaultSchema ? this.userTypes.get(name) : undefined;
  }

  // ------------------------------------------------------------------------------------------------------ objects

  /** A table or view of the user by the name a statement gives. */
  find(name: string, schema?: string): StoreObject | undefined {
    const table = this.table(name, schema);
    return table === undefined ? undefined : this.objects.get(keyFor(table.schema, table.name));
  }

  /** The stored table that a plan's table stands for; `undefined` for system relations. */
  storedTable(table: Table): StoredTable | undefined {
    const found = this.objects.get(keyFor(table.schema, table.name));
    return found instanceof StoredTable ? found : undefined;
  }

  has(schema: string, name: string): boolean {
    const key = keyFor(schema, name);
    return this.objects.has(key) || this.plainIndexes.has(key) || this.indexOwner(schema, name) !== undefined;
  }

  *tables(): Generator<StoredTable> {
    for (const object of this.objects.values()) if (object instanceof StoredTable) yield object;
  }

  *views(): Generator<StoredView> {
    for (const object of this.objects.values()) if (object.kind === "view") yield object;
  }

  add(object: StoreObject): void {
    const { schema, name } = object.info;
    this.objects.set(keyFor(schema, name), object);
    this.catalog.add(object.info);
  }

  remove(object: StoreObject): void {
    const { schema, name } = object.info;
    this.objects.delete(keyFor(schema, name));
    this.catalog.remove(name, schema);
    for (const [key, table] of this.plainIndexes) if (table === object) this.plainIndexes.delete(key);
  }

  /** After a table got other constraints. */
  refresh(table: StoredTable): void {
    this.catalog.add(table.info);
  }

  /** The table that has a unique key (an index) of that name. */
  indexOwner(schema: string, name: string): StoredTable | undefined {
    for (const table of this.tables()) {
      if (table.info.schema === schema && table.definition.keys.some((key) => key.name === name)) return table;
    }
    return undefined;
  }

  addPlainIndex(table: StoredTable, name: string): void {
    this.plainIndexes.set(keyFor(table.info.schema, name), table);
  }

  /** False when there is none of that name. */
  removePlainIndex(schema: string, name: string): boolean {
    return this.plainIndexes.delete(keyFor(schema, name));
  }

  // ---------------------------------------------------------------------------------- types, sequences and schemas

  addType(type: SqlType): void {
    this.userTypes.set(type.name, type);
    this.catalog.addType(type);
  }

  removeType(name: string): void {
    this.userTypes.delete(name);
    this.catalog.removeType(name);
  }

  types(): Iterable<SqlType> {
    return this.userTypes.values();
  }

  addSequence(sequence: Sequence): void {
    this.sequences.set(sequence.name, sequence);
  }

  removeSequence(name: string): void {
    this.sequences.delete(name);
  }

  sequence(name: string): Sequence | undefined {
    return this.sequences.get(name);
  }

  allSequences(): Iterable<Sequence> {
    return this.sequences.values();
  }

  addSchema(name: string): void {
    this.schemas.add(name);
    this.catalog.touch();
  }

  removeSchema(name: string): void {
    this.schemas.delete(name);
    this.catalog.touch();
  }

  allSchemas(): Iterable<string> {
    return this.schemas;
  }

  // ---------------------------------------------------------------------------------------------------- snapshots

  snapshot(): Snapshot {
    return {
      objects: new Map(this.objects),
      tables: new Map([...this.tables()].map((table) => [table, table.save()] as const)),
      userTypes: new Map(this.userTypes),
      sequences: new Map(this.sequences),
      schemas: new Set(this.schemas),
      plainIndexes: new Map(this.plainIndexes),
    };
  }

  restore(snapshot: Snapshot): void {
    for (const [table, saved] of snapshot.tables) table.restore(saved);
    for (const [key, object] of this.objects) {
      if (snapshot.objects.get(key) !== object) this.catalog.remove(object.info.name, object.info.schema);
    }
    for (const object of snapshot.objects.values()) {
      const { schema, name } = object.info;
      if (this.catalog.table(name, schema) !== object.info) this.catalog.add(object.info);
    }
    for (const name of this.userTypes.keys()) if (!snapshot.userTypes.has(name)) this.catalog.removeType(name);
    for (const type of snapshot.userTypes.values()) {
      if (this.catalog.type(type.name) !== type) this.catalog.addType(type);
    }
    this.objects = new Map(snapshot.objects);
    this.userTypes = new Map(snapshot.userTypes);
    this.sequences = new Map(snapshot.sequences);
    this.schemas = new Set(snapshot.schemas);
    this.plainIndexes = new Map(snapshot.plainIndexes);
    this.catalog.touch();
  }
}

function keyFor(schema: string, name: string): string {
  return `${schema.length}:${schema}.${name}`;
}

/** Where CREATE puts an object: the schema that is written, `pg_temp` for temporary ones, or `public`. @throws SqlError 3F000 */
export function targetSchema(store: Store, name: ast.QualifiedName, temporary: boolean): string {
  const { schema } = name;
  if (temporary) {
    if (schema === undefined || schema === temporarySchema) return temporarySchema;
    throw new SqlError(sqlstate.invalidTableDefinition, "cannot create temporary relation in non-temporary schema", {
      position: name.range.start + 1,
    });
  }
  if (schema === undefined) return defaultSchema;
  if (!store.hasSchema(schema)) {
    throw new SqlError(sqlstate.invalidSchemaName, `schema "${schema}" does not exist`, {
      position: name.range.start + 1,
    });
  }
  if (schema === "pg_catalog" || schema === "information_schema") {
    throw new SqlError(sqlstate.insufficientPrivilege, `permission denied to create "${schema}.${name.name}"`, {
      detail: "System catalog modifications are currently disallowed.",
    });
  }
  return schema;
}
