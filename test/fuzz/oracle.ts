/** PostgreSQL 15 as the judge: a database of its own on a private server, or on one that is running. */
import pg from "pg";
import { type PostgresServer, startPostgres } from "./postgres-server.js";

const version = 15;

export interface SqlFailure {
  readonly code: string;
  readonly message: string;
}

export interface OracleAnswer {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  readonly rows: readonly (readonly (string | null)[])[];
}

/** One of the two is there. */
export interface OracleReply {
  readonly answer?: OracleAnswer;
  readonly error?: SqlFailure;
}

const settings = [
  "SET TimeZone = 'UTC'",
  "SET DateStyle = 'ISO, MDY'",
  "SET IntervalStyle = 'postgres'",
  "SET extra_float_digits = 1",
  "SET statement_timeout = '5s'",
  "SET client_min_messages = 'error'",
].join("; ");

export class Oracle {
  private readonly typeNames = new Map<number, string>();

  private constructor(
    private readonly server: PostgresServer,
    private readonly admin: pg.Client,
    private readonly database: string,
    private connection: pg.Client,
    readonly serverVersion: string,
  ) {}

  /** @param port of a running server on 127.0.0.1 (user PGUSER or postgres); without it one is started */
  static async open({ port }: { readonly port?: number } = {}): Promise<Oracle> {
    const server = port === undefined ? await startPostgres() : { port, stop: async () => undefined };
    const admin = clientOf(server.port, "postgres");
    await admin.connect();
    const shown = await admin.query<string[]>({ text: "SHOW server_version", rowMode: "array" });
    const serverVersion = shown.rows[0][0];
    if (Number.parseInt(serverVersion, 10) !== version) {
      await admin.end();
      await server.stop();
      throw new Error(`The judge must be PostgreSQL ${version}; the server is ${serverVersion}.`);
    }
    const database = `scratchpad_test_${process.pid}`;
    await admin.query(`DROP DATABASE IF EXISTS ${database}`);
    await admin.query(
      `CREATE DATABASE ${database} TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE 'C' LC_CTYPE 'C.UTF-8'`,
    );
    return new Oracle(server, admin, database, await connected(server.port, database), serverVersion);
  }

  /** Empties the database and runs the statements. */
  async load(statements: readonly string[]): Promise<void> {
    await this.connection.query("ROLLBACK; DROP SCHEMA public CASCADE; CREATE SCHEMA public");
    this.typeNames.clear();
    for (const sql of statements) await this.connection.query(sql);
  }

  /** One statement through the extended protocol, which types a result as a client library would. */
  async query(sql: string, params: readonly unknown[] = []): Promise<OracleReply> {
    const extended = { queryMode: "extended" };
    try {
      const result = await this.connection.query<(string | null)[]>({
        text: sql,
        rowMode: "array",
        values: [...params],
        ...extended,
      });
      const columns: { name: string; type: string }[] = [];
      for (const { name, dataTypeID } of result.fields) columns.push({ name, type: await this.typeName(dataTypeID) });
      return { answer: { columns, rows: result.rows } };
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const code = "code" in error ? String(error.code) : "";
      if (!/^[0-9A-Z]{5}$/.test(code)) await this.reconnect();
      return { error: { code: code === "" ? "XX000" : code, message: error.message } };
    }
  }

  async close(): Promise<void> {
    await this.connection.end();
    await this.admin.query(`DROP DATABASE IF EXISTS ${this.database}`);
    await this.admin.end();
    await this.server.stop();
  }

  private async reconnect(): Promise<void> {
    await this.connection.end();
    this.connection = await connected(this.server.port, this.database);
  }

  private async typeName(oid: number): Promise<string> {
    const known = this.typeNames.get(oid);
    if (known !== undefined) return known;
    const found = await this.admin.query<string[]>({
      text: "SELECT typname FROM pg_type WHERE oid = $1",
      values: [oid],
      rowMode: "array",
    });
    const name = found.rows.length > 0 ? found.rows[0][0] : await this.ownTypeName(oid);
    this.typeNames.set(oid, name);
    return name;
  }

  /** A type that was made in the test's database. */
  private async ownTypeName(oid: number): Promise<string> {
    const found = await this.connection.query<string[]>({
      text: "SELECT typname FROM pg_type WHERE oid = $1",
      values: [oid],
      rowMode: "array",
    });
    return found.rows[0][0];
  }
}

function clientOf(port: number, database: string): pg.Client {
  const asText = { getTypeParser: () => (value: unknown) => value };
  return new pg.Client({
    host: "127.0.0.1",
    port,
    user: process.env.PGUSER ?? "postgres",
    database,
    types: asText as unknown as pg.CustomTypesConfig,
  });
}

async function connected(port: number, database: string): Promise<pg.Client> {
  const client = clientOf(port, database);
  client.on("error", () => undefined); // a lost connection shows in the query
  await client.connect();
  await client.query(settings);
  return client;
}
