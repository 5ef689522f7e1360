/**
 * The tables that statements can name: what was registered, and the system relations. Lookup follows PostgreSQL's search
 * path (`pg_catalog` before `public`); a resource in the namespace of its service can be written with or without it.
 */
import type { AnyFunction } from "../functions/function.js";
import type { SqlType } from "../types/type.js";
import { searchFunction } from "./search.js";
import type { CatalogReader, Table } from "./table.js";

/** The schema that unqualified names of tables are looked up in, after the system's. */
export const defaultSchema = "public";

const systemSchemas = ["information_schema", "pg_catalog", "scratchpad", "catalog"];

/** Holds tables by schema and name. One table has one name in one schema; registering it again replaces it. */
export class Catalog implements CatalogReader {
  private readonly schemas = new Map<string, Map<string, Table>>([[defaultSchema, new Map()]]);
  private readonly userTypes = new Map<string, SqlType>();
  private readonly ownFunctions: AnyFunction[] = [searchFunction(() => this.list())];
  private readonly states = new CatalogStates();
  private current: number | undefined;

  /**
   * A number for what the catalog holds now: it is the same again when the catalog is, so that plans made before a
   * relation was loaded anew, with the same columns, still serve.
   */
  get version(): number {
    this.current ??= this.states.numberOf(this.describe());
    return this.current;
  }

  /** Makes plans anew, for a change that tables and types do not show. */
  touch(): void {
    this.states.forget();
    this.current = undefined;
  }

  /** Adds a table, or replaces the one of that name. */
  add(table: Table): void {
    let tables = this.schemas.get(table.schema);
    if (tables === undefined) {
      tables = new Map();
      this.schemas.set(table.schema, tables);
    }
    tables.set(table.name, table);
    this.current = undefined;
  }

  /** Takes a table away; false when there was none. */
  remove(name: string, schema: string = defaultSchema): boolean {
    const removed = this.schemas.get(schema)?.delete(name) ?? false;
    if (removed) this.current = undefined;
    return removed;
  }

  /** Adds a type of a user, or replaces the one of that name. */
  addType(type: SqlType): void {
    this.userTypes.set(type.name, type);
    this.current = undefined;
  }

  /** Takes a type away; false when there was none. */
  removeType(name: string): boolean {
    const removed = this.userTypes.delete(name);
    if (removed) this.current = undefined;
    return removed;
  }

  /** A type of a user by its name. */
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

  /** Functions of a schema, beside those that SQL has. */
  functions(name: string, schema: string): readonly AnyFunction[] {
    return this.ownFunctions.filter((entry) => entry.schema === schema && entry.name === name);
  }

  /** Adds functions of the host; statements in `public` need not write the schema. */
  addFunctions(functions: readonly AnyFunction[]): void {
    this.ownFunctions.push(...functions);
    this.touch();
  }

  /** Whether a schema holds anything, or a namespace in `public` that is written like one. */
  hasSchema(schema: string): boolean {
    if (systemSchemas.includes(schema)) return true;
    if (this.schemas.has(schema)) return true;
    for (const name of this.schemas.get(defaultSchema)?.keys() ?? []) if (name.startsWith(`${schema}_`)) return true;
    return false;
  }

  /** Names as a reader would write them, for "did you mean". */
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

  /** Whether {@link get} finds a table. */
  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  private describe(): string {
    const parts: string[] = [];
    for (const [schema, tables] of this.schemas) {
      for (const [name, table] of tables) parts.push(`${schema}.${name}=${markOf(table)}`);
    }
    for (const [name, type] of this.userTypes) parts.push(`${name}=${identityOf(type)}`);
    return parts.join("\n");
  }
}

/** States of a catalog and their numbers; a state that was not seen lately gets a new one. */
class CatalogStates {
  private readonly numbers = new Map<string, number>();
  private next = 1;

  numberOf(state: string): number {
    const known = this.numbers.get(state);
    if (known !== undefined) return known;
    if (this.numbers.size >= maxStates) {
      const [oldest] = this.numbers.keys();
      this.numbers.delete(oldest);
    }
    this.numbers.set(state, this.next);
    return this.next++;
  }

  forget(): void {
    this.numbers.clear();
  }
}

const maxStates = 64;

/** Tables with the same mark are bound and planned the same way: plain loaded rows by their columns and magnitude, all others by themselves. */
function markOf(table: Table): string {
  const plain =
    table.kind === "stored" &&
    table.primaryKey.length === 0 &&
    (table.uniqueKeys ?? []).length === 0 &&
    (table.partialKeys ?? []).length === 0 &&
    (table.constraints ?? []).length === 0;
  return plain
    ? `c${identityOf(table.columns)}/${Math.ceil(Math.log10((table.rowCount ?? 0) + 1))}`
    : `t${identityOf(table)}`;
}

const identities = new WeakMap<object, number>();
let nextIdentity = 1;

function identityOf(object: object): number {
  let identity = identities.get(object);
  if (identity === undefined) {
    identity = nextIdentity++;
    identities.set(object, identity);
  }
  return identity;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
