/** What executes final queries: the contract that the built-in engine, PGlite and a host's own service fulfil. */
import type { SqlError } from "../errors/sql-error.js";

export type { SqlError };

/** Rows of a query. With `rowMode: "array"` each row is an array in the order of `fields`, and nothing is renamed. */
export interface QueryResult {
  rows: Record<string, unknown>[] | unknown[][];
  /** PostgreSQL's short or long type names, as the backend knows them. */
  fields: { name: string; type: string }[];
  /** Rows returned, or rows written. */
  rowCount: number;
  /** `SELECT`, `INSERT`, … */
  command: string;
}

/**
 * How a query is answered. `rowMode: "array"` gives rows as arrays, in which columns of one name do not collide; an
 * aborted `signal` ends the query with 57014.
 */
export interface QueryOptions {
  rowMode?: "array";
  signal?: AbortSignal;
}

/** A database session that relations can be loaded into. Errors are `SqlError`s with PostgreSQL's codes. */
export interface ScratchpadBackend {
  readonly capabilities: {
    readonly dialect: "postgres" | "sqlite";
    /** Whether `exec` can create tables that stay. */
    readonly storedTables: boolean;
    /** Whether `signal` stops a running query. */
    readonly cancel: boolean;
  };
  /** Answers one statement. `params` are the values of `$1`, `$2`, …: host values, as rows give them. */
  query(sql: string, params?: unknown[], options?: QueryOptions): Promise<QueryResult>;
  /** Runs statements for their effect; several may be given, divided by `;`. */
  exec(sql: string): Promise<void>;
  /** Makes a temporary relation of this session out of row objects; columns that a row lacks are NULL. */
  load(name: string, columns: { name: string; type: string }[], rows: readonly object[]): Promise<void>;
  /** Takes a loaded relation away. */
  drop(name: string): Promise<void>;
  /** The whole database as bytes that the backend's `create({ load })` takes. */
  dump?(): Promise<Uint8Array>;
  /** Ends the session; nothing may be asked of it afterwards. */
  close(): Promise<void>;
}
