/**
 * Who runs: each takes the row objects in, runs a query and gives the answer as JSON, once a call. Loading is part of the
 * call, because an agent's rows come fresh from its tools.
 */
import { pathToFileURL } from "node:url";
import type { Data } from "../engine/rows.js";
import { columns, type Query, type TableName } from "./queries.js";

export interface Contestant {
  readonly name: string;
  /** The answer as JSON. @throws when it cannot run the query */
  run(query: Query, data: Data): Promise<string> | string;
}

/** The peers are installed in `bench/` only, so that their types are not at hand. */
async function peer<Module>(name: string): Promise<Module> {
  return (await import(name)) as Module;
}

interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): { run(values: unknown[]): unknown; all(): unknown[] };
  transaction(work: () => void): () => void;
  function(name: string, options: object, call: (...args: unknown[]) => unknown): unknown;
  close(): unknown;
}

interface AlasqlDatabase {
  exec(sql: string): unknown;
  readonly tables: Record<string, { data: unknown }>;
}

/** What a programmer would write instead of the statement. */
export const handWritten: Contestant = {
  name: "handwritten-js",
  run: (query, data) => JSON.stringify(query.byHand(data)),
};

/** @param dist the folder of the built package */
export async function builtIn(dist: string): Promise<Contestant> {
  const file = pathToFileURL(`${dist}/sql.js`).href;
  const { MemoryBackend } = (await import(file)) as typeof import("glove-scratchpad/sql");
  const backend = await MemoryBackend.create();
  return {
    name: "glove-scratchpad",
    async run(query, data) {
      for (const table of query.tables) await backend.load(table, definitionOf(table), data[table]);
      const { rows } = await backend.query(query.sql);
      for (const table of query.tables) await backend.drop(table);
      return JSON.stringify(rows);
    },
  };
}

/** The same over the whole `Database`: a resource whose resolver returns the rows. */
export async function wholeDatabase(dist: string): Promise<Contestant> {
  const file = pathToFileURL(`${dist}/index.js`).href;
  const { Database, defineResource } = (await import(file)) as typeof import("glove-scratchpad");
  const db = await Database.create();
  let current: Data | undefined;
  for (const name of Object.keys(columns) as TableName[]) {
    const select = async () => (current?.[name] ?? []) as unknown as Record<string, unknown>[];
    db.register(defineResource({ name, columns: definitionOf(name), volatility: "volatile", select }));
  }
  return {
    name: "(Database)",
    async run(query, data) {
      current = data;
      return JSON.stringify((await db.execute(query.sql, { limit: 1e9 })).rows);
    },
  };
}

export async function sqlite(): Promise<Contestant> {
  const { default: Sqlite } = await peer<{ default: new (file: string) => SqliteDatabase }>("better-sqlite3");
  return {
    name: "better-sqlite3",
    run(query, data) {
      const db = new Sqlite(":memory:");
      db.function("regexp", { deterministic: true }, (pattern: unknown, text: unknown) =>
        new RegExp(String(pattern)).test(String(text)) ? 1 : 0,
      );
      for (const table of query.tables) {
        const names = columns[table].map(([name]) => name);
        db.exec(`CREATE TABLE ${table} (${columns[table].map(([name, type]) => `${name} ${type}`).join(", ")})`);
        const insert = db.prepare(`INSERT INTO ${table} VALUES (${names.map(() => "?").join(", ")})`);
        db.transaction(() => {
          for (const row of data[table] as unknown as Record<string, unknown>[]) {
            insert.run(names.map((name) => plainValue(row[name])));
          }
        })();
      }
      const rows = db.prepare(query.sqlite ?? query.sql).all();
      db.close();
      return JSON.stringify(rows);
    },
  };
}

export async function gloveSql(): Promise<Contestant> {
  type Backend = { create(): Promise<InsertingDatabase> };
  const { MemoryBackend } = await peer<{ MemoryBackend: Backend }>("glove-sql");
  return withInserts("glove-sql", () => MemoryBackend.create());
}

export async function pglite(): Promise<Contestant> {
  const { PGlite } = await peer<{ PGlite: { create(): Promise<InsertingDatabase> } }>("@electric-sql/pglite");
  const shared = await PGlite.create();
  return withInserts("pglite", async () => {
    await shared.exec("DROP SCHEMA public CASCADE; CREATE SCHEMA public");
    return shared;
  });
}

export async function alasql(): Promise<Contestant> {
  const { default: engine } = await peer<{ default: { Database: new () => AlasqlDatabase } }>("alasql");
  return {
    name: "alasql",
    run(query, data) {
      const db = new engine.Database();
      for (const table of query.tables) {
        db.exec(`CREATE TABLE ${table}`);
        db.tables[table].data = data[table];
      }
      return JSON.stringify(db.exec(query.sql));
    },
  };
}

interface InsertingDatabase {
  exec(sql: string): Promise<unknown>;
  query(sql: string, params?: unknown[]): Promise<{ rows: unknown }>;
}

/** A database that takes rows as INSERTs with parameters. */
function withInserts(name: string, open: () => Promise<InsertingDatabase>): Contestant {
  return {
    name,
    async run(query, data) {
      const db = await open();
      for (const table of query.tables) {
        const names = columns[table].map(([column]) => column);
        await db.exec(
          `CREATE TABLE ${table} (${columns[table].map(([column, type]) => `${column} ${type}`).join(", ")})`,
        );
        const rows = data[table] as unknown as Record<string, unknown>[];
        for (let at = 0; at < rows.length; at += 200) await insertRows(db, table, names, rows.slice(at, at + 200));
      }
      return JSON.stringify((await db.query(query.sql)).rows);
    },
  };
}

async function insertRows(
  db: InsertingDatabase,
  table: string,
  names: readonly string[],
  rows: readonly Record<string, unknown>[],
): Promise<void> {
  const values: unknown[] = [];
  const tuples = rows.map((row) => `(${names.map((name) => `$${values.push(plainValue(row[name]))}`).join(", ")})`);
  await db.query(`INSERT INTO ${table} VALUES ${tuples.join(", ")}`, values);
}

function plainValue(value: unknown): unknown {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : value;
}

function definitionOf(table: TableName): { name: string; type: string }[] {
  return columns[table].map(([name, type]) => ({ name, type }));
}
