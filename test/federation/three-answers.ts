/** One statement's rows over resources that narrow, over resources that take nothing, and from PostgreSQL where there is one. */
import pg from "pg";
import { SqlError } from "../../src/errors/sql-error.js";
import type { Database } from "../../src/index.js";
import { type Handed, pushdownWorlds, tableStatements, type Worlds } from "./narrowing.js";

export interface ThreeAnswers {
  /** Sorted texts of the rows, or the SQLSTATE. */
  readonly narrow: readonly string[];
  readonly plain: readonly string[];
  /** `undefined` without a server. */
  readonly oracle?: readonly string[];
  readonly calls: readonly Handed[];
}

/** Runs statements three ways; with a port, PostgreSQL 15 on 127.0.0.1 is the third. */
export class Comparison {
  private constructor(
    private readonly worlds: Worlds,
    private readonly client: pg.Client | undefined,
  ) {}

  static async open(port: number | undefined): Promise<Comparison> {
    return new Comparison(await pushdownWorlds(), port === undefined ? undefined : await connect(port));
  }

  async answers(sql: string, params: readonly unknown[] = []): Promise<ThreeAnswers> {
    this.worlds.take();
    const narrow = await rowsOf(this.worlds.narrow, sql, params);
    const calls = this.worlds.take();
    const plain = await rowsOf(this.worlds.plain, sql, params);
    if (this.client === undefined) return { narrow, plain, calls };
    return { narrow, plain, calls, oracle: await this.oracleRows(this.client, sql, params) };
  }

  async close(): Promise<void> {
    await this.client?.end();
  }

  private async oracleRows(client: pg.Client, sql: string, params: readonly unknown[]): Promise<string[]> {
    try {
      const result = await client.query<(string | null)[]>({
        text: asText(sql),
        values: [...params],
        rowMode: "array",
      });
      return result.rows.map(([row]) => String(row)).sort();
    } catch (error) {
      const code = error instanceof Error && "code" in error ? String(error.code) : "";
      if (!/^[0-9A-Z]{5}$/.test(code)) throw error;
      return [code];
    }
  }
}

/** Each row as one text, as PostgreSQL writes a record: the same form from both sides. */
function asText(sql: string): string {
  return `SELECT q::text AS row_text FROM (${sql}) q`;
}

async function rowsOf(db: Database, sql: string, params: readonly unknown[]): Promise<string[]> {
  try {
    const { rows } = await db.execute(asText(sql), { params: [...params], limit: 500_000 });
    return rows.map((row) => String(row.row_text)).sort();
  } catch (error) {
    if (error instanceof SqlError) return [error.code];
    throw error;
  }
}

async function connect(port: number): Promise<pg.Client> {
  const client = new pg.Client({
    host: "127.0.0.1",
    port,
    user: process.env.PGUSER ?? "postgres",
    database: "postgres",
  });
  await client.connect();
  await client.query("SET TimeZone = 'UTC'");
  for (const sql of tableStatements()) await client.query(sql.replace("CREATE TABLE", "CREATE TEMP TABLE"));
  return client;
}
