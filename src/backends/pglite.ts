/**
 * PGlite (PostgreSQL in WebAssembly) as a backend: real PostgreSQL behind the contract of the built-in engine. Values come
 * out in the same form: each is read from PostgreSQL's text as the engine would read it, then shown as the engine shows it.
 * The package is an optional peer and only loaded when a backend is created.
 */
import type { PGlite } from "@electric-sql/pglite";
import { resolveColumnType } from "../catalog/type-name.js";
import { propertyReader } from "../engine/row-property.js";
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import { quoteName } from "../grammar/deparse.js";
import { parseTypeName } from "../grammar/parse.js";
import { typeWithOid } from "../types/catalog-types.js";
import { operationsOf } from "../types/families.js";
import type { TypeContext } from "../types/operations.js";
import { displayType, type SqlType } from "../types/type.js";
import type { QueryOptions, QueryResult, ScratchpadBackend } from "./backend.js";
import { toSqlError } from "./pglite/errors.js";
import { hostReaders, hostWriters } from "./pglite/values.js";

/** Which PGlite is used, and what it starts with. */
export interface PgliteBackendOptions {
  /** A database that is open already; it is not closed with the backend. */
  readonly db?: PGlite;
  /** Where PGlite keeps its files; in memory when absent. */
  readonly dataDir?: string;
  /** What `dump` gave. */
  readonly load?: Uint8Array;
}

const context: TypeContext = { timeZone: "UTC", nowMicroseconds: 0 };

/** Rows loaded with one statement. */
const batchRows = 2000;

/**
 * PostgreSQL in this process as a backend. A query that runs cannot be cancelled; a signal that is aborted before is
 * seen.
 */
export class PgliteBackend implements ScratchpadBackend {
  readonly capabilities = { dialect: "postgres", storedTables: true, cancel: false } as const;
  private readonly typeNames = new Map<number, string>();

  private constructor(
    /** PGlite itself, for what the contract does not cover. */
    readonly db: PGlite,
    private readonly ownsDb: boolean,
  ) {}

  /** Opens a database; its time zone is UTC. @throws SqlError 08001 when the package is not installed */
  static async create(options: PgliteBackendOptions = {}): Promise<PgliteBackend> {
    const db = options.db ?? (await openDatabase(options));
    const backend = new PgliteBackend(db, options.db === undefined);
    await backend.exec("SET TimeZone = 'UTC'");
    return backend;
  }

  async query(sql: string, params: unknown[] = [], options: QueryOptions = {}): Promise<QueryResult> {
    if (options.signal?.aborted === true) {
      throw new SqlError(sqlstate.queryCanceled, "canceling statement due to user request", {
        cause: options.signal.reason,
      });
    }
    const { rows, fields, rowCount, command } = await this.send(sql, params);
    const types = await this.namesOfTypes(fields.map((field) => field.dataTypeID));
    if (options.rowMode === "array") {
      return { rows, fields: fields.map(({ name }, i) => ({ name, type: types[i] })), rowCount, command };
    }
    const names = uniqueNames(fields.map((field) => field.name));
    return {
      rows: rows.map((row) => Object.fromEntries(names.map((name, i) => [name, row[i]]))),
      fields: names.map((name, i) => ({ name, type: types[i] })),
      rowCount,
      command,
    };
  }

  async exec(sql: string): Promise<void> {
    await this.guarded(() => this.db.exec(sql), sql);
  }

  /** Makes a temporary table. @throws SqlError 22P02 naming column and row for a value that is not of its type */
  async load(name: string, columns: { name: string; type: string }[], rows: readonly object[]): Promise<void> {
    const resolved = columns.map((column) => ({ name: column.name, ...resolveColumnType(parseTypeName(column.type)) }));
    const definitions = resolved.map(
      ({ name: column, type, typmod }) => `${quoteName(column)} ${displayType(type, typmod)}`,
    );
    await this.exec(`CREATE TEMP TABLE ${quoteName(name)} (${definitions.join(", ")})`);
    if (resolved.length === 0 && rows.length > 0) {
      await this.exec(`INSERT INTO ${quoteName(name)} SELECT FROM generate_series(1, ${rows.length})`);
      return;
    }
    // One array of texts a column, converted by PostgreSQL: few parameters, however many rows.
    const arrays = resolved.map((_, i) => `$${i + 1}::text[]`).join(", ");
    const values = resolved.map(({ type }, i) => `u.c${i + 1}::${displayType(type)}`).join(", ");
    const names = resolved.map((_, i) => `c${i + 1}`).join(", ");
    const insert = `INSERT INTO ${quoteName(name)} SELECT ${values} FROM unnest(${arrays}) AS u (${names})`;
    for (let start = 0; start < rows.length; start += batchRows) {
      const batch = rows.slice(start, start + batchRows);
      const texts = resolved.map((column) => {
        const read = propertyReader(column.name);
        return batch.map((row, i) => textOf(read(row), column, start + i));
      });
      await this.guarded(() => this.db.query(insert, texts), insert);
    }
  }

  async drop(name: string): Promise<void> {
    await this.exec(`DROP TABLE ${quoteName(name)}`);
  }

  async dump(): Promise<Uint8Array> {
    const file = await this.db.dumpDataDir("none");
    return new Uint8Array(await file.arrayBuffer());
  }

  async close(): Promise<void> {
    if (this.ownsDb && !this.db.closed) await this.db.close();
  }

  /** Without parameters several statements are possible; the last one's result counts. */
  private async send(sql: string, params: readonly unknown[]) {
    const options = { rowMode: "array", parsers: hostReaders(context), serializers: hostWriters(context) } as const;
    const results = await this.guarded(
      async () =>
        params.length > 0 ? [await this.db.query(sql, [...params], options)] : await this.db.exec(sql, options),
      sql,
    );
    const last = results.at(-1);
    return {
      rows: (last?.rows ?? []) as unknown[][],
      fields: last?.fields ?? [],
      rowCount: last?.rowCount ?? 0,
      command: last?.command ?? "",
    };
  }

  /** pg_type.typname of each oid. */
  private async namesOfTypes(oids: readonly number[]): Promise<string[]> {
    const missing = oids.filter((oid) => !this.typeNames.has(oid));
    for (const oid of missing) {
      const known = typeWithOid(oid)?.name;
      if (known !== undefined) this.typeNames.set(oid, known);
    }
    const unknown = missing.filter((oid) => !this.typeNames.has(oid));
    if (unknown.length > 0) {
      const found = await this.db.query<{ oid: number; typname: string }>(
        `SELECT oid, typname FROM pg_type WHERE oid IN (${unknown.join(", ")})`,
      );
      for (const { oid, typname } of found.rows) this.typeNames.set(Number(oid), typname);
    }
    return oids.map((oid) => this.typeNames.get(oid) ?? String(oid));
  }

  private async guarded<T>(action: () => Promise<T>, sql: string): Promise<T> {
    try {
      return await action();
    } catch (error) {
      throw toSqlError(error, sql);
    }
  }
}

async function openDatabase({ dataDir, load }: PgliteBackendOptions): Promise<PGlite> {
  const { PGlite: Database } = await importPglite();
  return Database.create({
    ...(dataDir !== undefined && { dataDir }),
    ...(load !== undefined && { loadDataDir: new Blob([new Uint8Array(load)]) }),
  });
}

async function importPglite() {
  try {
    return await import("@electric-sql/pglite");
  } catch (cause) {
    throw new SqlError(sqlstate.cannotEstablishConnection, 'the package "@electric-sql/pglite" cannot be loaded', {
      hint: "Install it beside glove-scratchpad: npm install @electric-sql/pglite",
      cause,
    });
  }
}

function textOf(value: unknown, column: { name: string; type: SqlType; typmod: number }, index: number): string | null {
  if (value === null || value === undefined) return null;
  const operations = operationsOf(column.type);
  const converted = operations.fromHost(value, column.typmod, context);
  if (converted !== undefined) return operations.output(converted, context);
  throw new SqlError(
    sqlstate.invalidTextRepresentation,
    `row ${index + 1} has a value in column "${column.name}" that is not of type ${displayType(column.type, column.typmod)}`,
    { hint: "Load the column with the type of its values, or as jsonb." },
  );
}

/** The second `id` is `id_1`. */
function uniqueNames(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let unique = name;
    for (let n = 1; taken.has(unique); n++) unique = `${name}_${n}`;
    taken.add(unique);
    return unique;
  });
}
