/**
 * The tables that statements can name: what was registered, and the system relations. Lookup follows PostgreSQL's search
 * path (`pg_catalog` before `public`); a resource in the namespace of its service can be written with or without it.
 */
import type { SqlType } from "../types/type.js";
import type { CatalogReader, Table } from "./table.js";

/** The schema that unqualified names of tables are looked up in, after the system's. */
export const defaultSchema = "public";

const systemSchemas = ["information_schema", "pg_catalog", "scratchpad", "catalog"];

/** Holds tables by schema and name. One table has one name in one schema; registering it again replaces it. */
export class Catalog implements CatalogReader {
  private readonly schemas = new Map<string, Map<string, Table>>([[defaultSchema, new Map()]]);
  private readonly userTypes = new Map<string, SqlType>();
  private changes = 0;

  get version(): number {
    return this.changes;
  }

  /** Adds a table, or replaces the one of that name. */
  add(table: Table): void {
    let tables = this.schemas.get(table.schema);
    if (tables === undefined) {
      tables = new Map();
      this.schemas.set(table.schema, tables);
    }
    tables.set(table.name, table);
    this.changes += 1;
  }

  /** Takes a table away; false when there was none. */
  remove(name: string, schema: string = defaultSchema): boolean {
    const removed = this.schemas.get(schema)?.delete(name) ?? false;
    if (removed) this.changes += 1;
    return removed;
  }

  addType(type: SqlType): void {
    this.userTypes.set(type.name, type);
    this.changes += 1;
  }

  removeType(name: string): boolean {
    const removed = this.userTypes.delete(name);
    if (removed) this.changes += 1;
    return removed;
  }

  type(name: string): SqlType | undefined {
    return this.userTypes.get(name);
  }

  /**
   * A table by name. Without a schema: `pg_catalog`, then `public`. `github.pull_requests` finds
   * `public.github_pull_requests` when there is no schema `github`.
   */
  table(name: string, schema?: string): Table | undefined {
    if (schema === undefined) {
      return this.schemas.get("pg_catalog")?.get(name) ?? this.schemas.get(defaultSchema)?.get(name);
    }
    const tables = this.schemas.get(schema);
    if (tables !== undefined) return tables.get(name);
    return this.schemas.get(defaultSchema)?.get(`${schema}_${name}`);
  }

  hasSchema(schema: string): boolean {
    if (this.schemas.has(schema)) return true;
    for (const name of this.schemas.get(defaultSchema)?.keys() ?? []) if (name.startsWith(`${schema}_`)) return true;
    return false;
  }

  *tableNames(): Generator<string> {
    for (const [schema, tables] of this.schemas) {
      for (const name of tables.keys())
        yield schema === defaultSchema || schema === "pg_catalog" ? name : `${schema}.${name}`;
    }
  }

  /** Tables and views a user registered or created, without the system's own, in order of schema and name. */
  list(): Table[] {
    const found: Table[] = [];
    for (const [schema, tables] of this.schemas) {
      if (!systemSchemas.includes(schema)) found.push(...tables.values());
    }
    return found.sort((a, b) => compareText(a.schema, b.schema) || compareText(a.name, b.name));
  }

  /** A table by its name, `schema.name` or a name in `public`. */
  get(name: string): Table | undefined {
    const dot = name.indexOf(".");
    return this.table(name) ?? (dot > 0 ? this.table(name.slice(dot + 1), name.slice(0, dot)) : undefined);
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
