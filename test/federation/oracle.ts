/** PostgreSQL over the same rows: what it answers to the steps of a statement, as result rows show it. */
import pg from "pg";
import { hostReaders } from "../../src/backends/pglite/values.js";
import { worldSql } from "./data.js";
import type { Step } from "./statements/statement.js";

/** Rows, or the SQLSTATE of a failure; `null` where PostgreSQL is not asked. */
export type Answer = { readonly rows: readonly (readonly unknown[])[] } | { readonly code: string } | null;

const readers = hostReaders({ timeZone: "UTC", nowMicroseconds: 0 });

export class Oracle {
  private constructor(
    private readonly client: pg.Client,
    private readonly schema: string,
  ) {}

  /** @param port of a PostgreSQL 15 on 127.0.0.1 (user PGUSER or postgres) */
  static async open(port: number): Promise<Oracle> {
    const client = new pg.Client({
      ...{ host: "127.0.0.1", port, user: process.env.PGUSER ?? "postgres", database: "postgres" },
      types: { getTypeParser: () => (text: string) => text } as never,
    });
    await client.connect();
    const schema = `federation_${process.pid}`;
    await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE; CREATE SCHEMA ${schema}`);
    await client.query(`SET search_path = ${schema}; SET TimeZone = 'UTC'; SET extra_float_digits = 1`);
    for (const sql of worldSql()) await client.query(sql);
    return new Oracle(client, schema);
  }

  /** Runs the steps in a transaction that is rolled back. */
  async answers(steps: readonly Step[]): Promise<Answer[]> {
    const answers: Answer[] = [];
    await this.client.query("BEGIN");
    for (const step of steps) answers.push(await this.answer(step));
    await this.client.query("ROLLBACK");
    return answers;
  }

  async close(): Promise<void> {
    await this.client.query(`DROP SCHEMA ${this.schema} CASCADE`);
    await this.client.end();
  }

  private async answer({ sql, oracle, params }: Step): Promise<Answer> {
    if (oracle === null) return null;
    await this.client.query("SAVEPOINT step");
    try {
      const values = oracle === undefined ? (params ?? []) : [];
      const result = await this.client.query<(string | null)[]>({
        text: inSchema(oracle ?? sql, this.schema),
        values,
        rowMode: "array",
      });
      return {
        rows: result.rows.map((row) => row.map((text, i) => hostValue(text, result.fields[i].dataTypeID))),
      };
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "";
      if (!/^[0-9A-Z]{5}$/.test(code)) throw error;
      await this.client.query("ROLLBACK TO SAVEPOINT step");
      return { code };
    }
  }
}

/** The catalog of the tests' schema stands for that of `public`. */
function inSchema(sql: string, schema: string): string {
  return sql.replace("table_schema = 'public'", `table_schema = '${schema}'`);
}

function hostValue(text: string | null, oid: number): unknown {
  if (text === null) return null;
  const reader = readers[oid];
  return reader === undefined ? text : reader(text);
}
