/**
 * The built-in engine as a database of its own: tables in memory, PostgreSQL's statements, one session. Calls are carried
 * out one after the other, in the order in which they were made.
 */
import { resolveColumnType } from "../../catalog/type-name.js";
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { parseTypeName } from "../../grammar/parse.js";
import type { QueryOptions, QueryResult, ScratchpadBackend } from "../backend.js";
import { readDump, writeDump } from "./dump.js";
import { type MemoryLimits, Session } from "./session.js";
import { temporarySchema } from "./store.js";
import { plainDefinition, StoredTable, type TableDefinition } from "./stored-table.js";

/** Definitions of loaded relations that are remembered. */
const maxLoadedDefinitions = 200;

export type { MemoryLimits } from "./session.js";

export interface MemoryBackendOptions {
  /** What `dump` gave. */
  readonly load?: Uint8Array;
  readonly limits?: MemoryLimits;
  /** The clock; the system's when absent. */
  readonly now?: () => Date;
  /** Time zone of the session; UTC when absent. */
  readonly timeZone?: string;
}

export class MemoryBackend implements ScratchpadBackend {
  readonly capabilities = { dialect: "postgres", storedTables: true, cancel: true } as const;
  private queue: Promise<unknown> = Promise.resolve();
  private closed = false;
  private readonly loaded = new Map<string, TableDefinition>();

  private constructor(private readonly session: Session) {}

  /** A new database, empty or as it was dumped. @throws SqlError 22023 for bytes that are no dump of this version */
  static async create(options: MemoryBackendOptions = {}): Promise<MemoryBackend> {
    const session = new Session(options.limits ?? {}, options.now ?? (() => new Date()), options.timeZone ?? "UTC");
    if (options.load !== undefined) readDump(options.load, session.store, session.context);
    return new MemoryBackend(session);
  }

  query(sql: string, params: unknown[] = [], options: QueryOptions = {}): Promise<QueryResult> {
    const { rowMode, signal } = options;
    return this.inTurn(() =>
      this.session.run(sql, { params, form: rowMode === "array" ? "host" : "objects", ...(signal && { signal }) }),
    );
  }

  async exec(sql: string): Promise<void> {
    await this.inTurn(() => this.session.run(sql, { params: [], form: "host" }));
  }

  /**
   * Makes a temporary table of row objects, which are kept as they are, not copied: they are read when a statement reads
   * the table. A value that is not of its column's type is an error of the statement that reads it.
   */
  load(name: string, columns: { name: string; type: string }[], rows: readonly object[]): Promise<void> {
    return this.inTurn(async () => {
      const { store } = this.session;
      if (store.has(temporarySchema, name)) {
        throw new SqlError(sqlstate.duplicateTable, `relation "${name}" already exists`, {
          hint: "Drop it before you load it again.",
        });
      }
      const definition = this.loadedDefinition(name, columns);
      store.add(new StoredTable(definition, rows));
    });
  }

  /** The definition of a loaded relation; the same object for the same columns, so that plans made before still serve. */
  private loadedDefinition(name: string, columns: readonly { name: string; type: string }[]): TableDefinition {
    const { store } = this.session;
    let key = name;
    for (const column of columns) key += `\u0000${column.name}\u0000${column.type}`;
    const known = this.loaded.get(key);
    if (known !== undefined) return known;
    const resolved = columns.map((column) => ({
      name: column.name,
      ...resolveColumnType(parseTypeName(column.type), (type, schema) => store.type(type, schema)),
      nullable: true,
      pushable: false,
    }));
    const definition = plainDefinition(temporarySchema, name, resolved);
    // A user's type may be another one the next time.
    if (resolved.every((column) => column.type.kind !== "enum" && column.type.element?.kind !== "enum")) {
      if (this.loaded.size >= maxLoadedDefinitions) this.loaded.clear();
      this.loaded.set(key, definition);
    }
    return definition;
  }

  /** @throws SqlError 42P01 when there is no such table */
  drop(name: string): Promise<void> {
    return this.inTurn(async () => {
      const { store } = this.session;
      const table = store.find(name);
      if (table === undefined) throw new SqlError(sqlstate.undefinedTable, `table "${name}" does not exist`);
      store.remove(table);
    });
  }

  /** Schema and rows of everything that is not temporary. @throws SqlError 25001 inside a transaction */
  dump(): Promise<Uint8Array> {
    return this.inTurn(async () => {
      if (this.session.inTransaction) {
        throw new SqlError(sqlstate.activeTransaction, "a dump cannot be made inside a transaction block");
      }
      return writeDump(this.session.store, this.session.context);
    });
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.queue;
  }

  /** After everything that was asked for before. A failure is the caller's, the next call goes on. */
  private inTurn<T>(action: () => Promise<T>): Promise<T> {
    if (this.closed) {
      return Promise.reject(new SqlError(sqlstate.connectionDoesNotExist, "the database is closed"));
    }
    const turn = this.queue.then(action);
    this.queue = turn.catch(() => undefined);
    return turn;
  }
}
