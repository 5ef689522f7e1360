/** PostgreSQL over the same tables: what it answers to a statement that writes, and what is in the tables afterwards. */
import pg from "pg";
import { hostReaders } from "../../../src/backends/pglite/values.js";
import { rowText, type TestTable, tables } from "./data.js";
import type { WriteStatement } from "./statements/statement.js";

export type Answer =
  | {
      /** Rows of RETURNING as JSON, sorted. */
      readonly rows: readonly string[];
      readonly tag: string;
      /** The tables that the statement changed, with all their rows as JSON, sorted. */
      readonly changed: Readonly<Record<string, readonly string[]>>;
    }
  | { readonly code: string };

const readers = hostReaders({ timeZone: "UTC", nowMicroseconds: 0 });

export class Oracle {
  private constructor(
    private readonly client: pg.Client,
    private readonly schema: string,
    private readonly before: Readonly<Record<string, readonly string[]>>,
  ) {}

  /** @param port of a PostgreSQL 15 on 127.0.0.1 (user PGUSER or postgres) */
  static async open(port: number): Promise<Oracle> {
    const client = new pg.Client({
      ...{ host: "127.0.0.1", port, user: process.env.PGUSER ?? "postgres", database: "postgres" },
      types: { getTypeParser: () => (text: string) => text } as never,
    });
    await client.connect();
    const schema = `effects_writes_${process.pid}`;
    await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE; CREATE SCHEMA ${schema}`);
    await client.query(`SET search_path = ${schema}; SET TimeZone = 'UTC'; SET extra_float_digits = 1`);
    for (const table of tables) await create(client, table);
    const oracle = new Oracle(client, schema, {});
    return new Oracle(client, schema, await oracle.state());
  }

  /** Runs the statement in a transaction that is rolled back. */
  async answer({ sql, params }: WriteStatement): Promise<Answer> {
    await this.client.query("BEGIN");
    try {
      const result = await this.client.query<(string | null)[]>({ text: sql, values: params ?? [], rowMode: "array" });
      const after = await this.state();
      const changed = Object.entries(after).filter(([table, rows]) => rows.join() !== this.before[table].join());
      const tag = result.command === "INSERT" ? `INSERT 0 ${result.rowCount}` : `${result.command} ${result.rowCount}`;
      return { rows: rowsOf(result), tag, changed: Object.fromEntries(changed) };
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "";
      if (!/^[0-9A-Z]{5}$/.test(code)) throw error;
      return { code };
    } finally {
      await this.client.query("ROLLBACK");
      await this.client.query(`ALTER TABLE ticket ALTER id RESTART WITH 100`);
    }
  }

  async close(): Promise<void> {
    await this.client.query(`DROP SCHEMA ${this.schema} CASCADE`);
    await this.client.end();
  }

  private async state(): Promise<Record<string, readonly string[]>> {
    const state: Record<string, readonly string[]> = {};
    for (const { name } of tables) {
      const result = await this.client.query<(string | null)[]>({ text: `SELECT * FROM "${name}"`, rowMode: "array" });
      state[name] = rowsOf(result);
    }
    return state;
  }
}

async function create(client: pg.Client, { name, ddl, columns, rows }: TestTable): Promise<void> {
  await client.query(`CREATE TABLE "${name}" (${ddl})`);
  for (const row of rows) {
    const values = columns.map((column) => {
      const value = row[column.name];
      return column.type === "jsonb" && value !== null ? JSON.stringify(value) : value;
    });
    const places = columns.map((column, i) => `$${i + 1}::${column.type}`);
    await client.query(`INSERT INTO "${name}" VALUES (${places.join(", ")})`, values);
  }
}

function rowsOf(result: pg.QueryArrayResult<(string | null)[]>): string[] {
  return result.rows.map((row) => rowText(row.map((text, i) => hostValue(text, result.fields[i].dataTypeID)))).sort();
}

function hostValue(text: string | null, oid: number): unknown {
  if (text === null) return null;
  const reader = readers[oid];
  return reader === undefined ? text : reader(text);
}
