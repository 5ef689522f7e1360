/** One table in two places: a resource that records its calls, and the same rows in PostgreSQL or the memory engine. */
import pg from "pg";
import { Database, type DatabaseOptions, SqlError } from "../../../src/index.js";
import { MemoryBackend } from "../../../src/sql.js";
import { Recorder, type RecordingOptions } from "../../support/recording.js";

export const startRows = () => [
  { id: 1, v: "one" },
  { id: 2, v: "two" },
];

/** What became of one text: its last command tag, or the SQLSTATE; the SQLSTATEs of warnings; the rows it gave. */
export interface Outcome {
  readonly answer: string;
  readonly warnings: readonly string[];
  readonly rows: readonly Record<string, unknown>[];
}

/** Somewhere that texts can be sent to, one after the other. */
export interface Place {
  send(sql: string): Promise<Outcome>;
  /** The table as everybody sees it: what is committed. */
  committed(): Promise<readonly Record<string, unknown>[]>;
  close(): Promise<void>;
}

export async function openWorld(
  options: DatabaseOptions = { policy: { writes: true } },
  table: Partial<RecordingOptions> = {},
): Promise<{ db: Database; recorder: Recorder; rows: Record<string, unknown>[] }> {
  const recorder = new Recorder();
  const rows: Record<string, unknown>[] = startRows();
  const db = await Database.create(options);
  db.register(
    recorder.resource({
      name: "t",
      columns: [
        { name: "id", type: "bigint" },
        { name: "v", type: "text" },
      ],
      rows,
      primaryKey: ["id"],
      volatility: "volatile",
      verbs: ["select", "insert", "update", "delete"],
      ...table,
    }),
  );
  return { db, recorder, rows };
}

/** The database under test. */
export async function ourPlace(): Promise<Place> {
  const { db, rows } = await openWorld();
  return {
    async send(sql) {
      try {
        const { command = "", notices = [], rows: answer } = await db.execute(sql);
        const warnings = notices.filter(({ severity }) => severity === "WARNING").map(({ code }) => code);
        return { answer: command, warnings, rows: answer };
      } catch (error) {
        return { answer: codeOf(error), warnings: [], rows: [] };
      }
    },
    committed: async () => byId(rows),
    close: () => db.close(),
  };
}

/** The engine's own stored tables, for runs without a PostgreSQL. */
export async function memoryPlace(): Promise<Place> {
  const engine = await MemoryBackend.create();
  await engine.query("CREATE TABLE t (id bigint PRIMARY KEY, v text)");
  await engine.query("INSERT INTO t VALUES (1, 'one'), (2, 'two')");
  const answerOf = async (sql: string): Promise<Outcome> => {
    try {
      const { command = "", rowCount, rows } = await engine.query(sql);
      return { answer: tagOf(command, rowCount ?? null), warnings: [], rows: rows as Record<string, unknown>[] };
    } catch (error) {
      return { answer: codeOf(error), warnings: [], rows: [] };
    }
  };
  return {
    send: answerOf,
    // It has one session only: what it has not committed is not there for others.
    committed: async () => {
      await answerOf("ROLLBACK");
      return byId((await answerOf("SELECT id, v FROM t")).rows);
    },
    close: () => engine.close(),
  };
}

/** @param port of a PostgreSQL 15 on 127.0.0.1 */
export async function postgresPlace(port: number): Promise<Place> {
  const settings = { host: "127.0.0.1", port, user: process.env.PGUSER ?? "postgres", database: "postgres" };
  const types = { getTypeParser: (oid: number) => (text: string) => (oid === 20 ? Number(text) : text) } as never;
  const [client, other] = [new pg.Client({ ...settings, types }), new pg.Client({ ...settings, types })];
  await Promise.all([client.connect(), other.connect()]);
  const schema = `transactions_${process.pid}_${Math.floor(Math.random() * 1e9)}`;
  await client.query(
    `CREATE SCHEMA ${schema}; SET search_path = ${schema}; CREATE TABLE t (id bigint PRIMARY KEY, v text)`,
  );
  await client.query("INSERT INTO t VALUES (1, 'one'), (2, 'two')");
  let warnings: string[] = [];
  client.on("notice", (notice) => {
    if (notice.severity === "WARNING") warnings.push(String(notice.code));
  });
  return {
    async send(sql) {
      warnings = [];
      try {
        const results = await client.query(sql);
        const list = Array.isArray(results) ? results : [results];
        const { command, rowCount } = list.at(-1) as pg.QueryResult;
        const rows = list.findLast((result: pg.QueryResult) => result.fields.length > 0)?.rows ?? [];
        return { answer: tagOf(command, rowCount), warnings, rows };
      } catch (error) {
        return { answer: codeOf(error), warnings, rows: [] };
      }
    },
    committed: async () => (await other.query(`SELECT id, v FROM ${schema}.t ORDER BY id`)).rows,
    async close() {
      await client.query("ROLLBACK");
      await client.query(`DROP SCHEMA ${schema} CASCADE`);
      await Promise.all([client.end(), other.end()]);
    },
  };
}

function tagOf(command: string, rowCount: number | null): string {
  if (command === "START") return "BEGIN"; // START TRANSACTION is the same statement under another tag
  if (command === "INSERT") return `INSERT 0 ${rowCount}`;
  return ["SELECT", "UPDATE", "DELETE"].includes(command) ? `${command} ${rowCount}` : command;
}

export function codeOf(error: unknown): string {
  if (error instanceof SqlError) return error.code;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (!/^[0-9A-Z]{5}$/.test(code)) throw error;
  return code;
}

function byId(rows: readonly Record<string, unknown>[]): readonly Record<string, unknown>[] {
  return [...rows].sort((a, b) => Number(a.id) - Number(b.id)).map(({ id, v }) => ({ id: Number(id), v }));
}

/** The port of the PostgreSQL to compare with, when there is one. */
export const postgresPort =
  process.env.SCRATCHPAD_TEST_PG === undefined ? undefined : Number(process.env.SCRATCHPAD_TEST_PG);
