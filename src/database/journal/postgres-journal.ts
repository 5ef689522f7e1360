/**
 * A journal in a table of PostgreSQL, for several processes at once. An entry's key and number are the primary key, so that
 * of two that write the same entry one is refused.
 *
 * A writer is alive as long as its lease runs: each intent renews it, and so does a timer while the process runs. Others take
 * what it had under way for in doubt when the lease is over: a process that was killed leaves it so; one that was held up
 * (a blocked event loop, no connection) for longer than the lease may be taken for dead while a call is under way. Then
 * another process lists that call as in doubt and sends it again only where the verb is idempotent. An intent that took
 * longer to write than the lease is not acted on.
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { quoteName } from "../../grammar/deparse.js";
import { type Journal, JournalConflict, type JournalEntry } from "./journal.js";

/** The shape of `pg`'s Pool and Client. A Pool is better: it replaces connections that broke. */
export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
}

/** Options of {@link postgresJournal}. */
export interface PostgresJournalOptions {
  /** The host's own; it is not closed. */
  readonly client: PostgresClient;
  /** Made when it is not there, with `<table>_writers`. Default `scratchpad_journal`. */
  readonly table?: string;
  /** Schema of the tables; it has to be there. Default: what the connection's search path says. */
  readonly schema?: string;
  /** Milliseconds after which a writer that gives no sign of life is taken for dead. Default 30,000, at least 100. */
  readonly leaseMs?: number;
}

/** Rows that `open()` reads at a time. */
const pageRows = 1_000;

/** @throws RangeError for a lease that is none */
export function postgresJournal({
  client,
  table = "scratchpad_journal",
  schema,
  leaseMs = 30_000,
}: PostgresJournalOptions): Journal {
  if (!(leaseMs >= 100)) throw new RangeError(`leaseMs must be 100 or more, not ${leaseMs}`);
  const named = (name: string) => (schema === undefined ? quoteName(name) : `${quoteName(schema)}.${quoteName(name)}`);
  return new PostgresJournal(client, { entries: named(table), writers: named(`${table}_writers`) }, leaseMs);
}

class PostgresJournal implements Journal {
  private ready: Promise<void> | undefined;
  /** Who wrote through this object: their leases are renewed. */
  private readonly own = new Set<string>();
  private timer: ReturnType<typeof setInterval> | undefined;

  constructor(
    private readonly client: PostgresClient,
    private readonly tables: { readonly entries: string; readonly writers: string },
    private readonly leaseMs: number,
  ) {}

  async append(entry: JournalEntry): Promise<void> {
    await this.prepared();
    const started = performance.now();
    const values = [entry.idempotencyKey, entry.number, JSON.stringify(entry)];
    const isIntent = entry.kind === "intent";
    const rows = isIntent
      ? await this.rowsOf(this.intentSql, [...values, entry.writer, this.leaseMs])
      : await this.rowsOf(this.outcomeSql, values);
    if (rows.length === 0) throw new JournalConflict(entry.idempotencyKey);
    if (!isIntent) return;
    this.keepAlive(entry.writer);
    if (performance.now() - started >= this.leaseMs) {
      throw new SqlError(sqlstate.ioError, `the journal took longer than its lease of ${this.leaseMs} ms`, {
        hint: "Raise leaseMs of the journal.",
      });
    }
  }

  async *open(): AsyncIterable<JournalEntry> {
    await this.prepared();
    for (let last = "0"; ; ) {
      const rows = await this.rowsOf(
        `SELECT id::text AS place, entry::text AS entry FROM ${this.tables.entries} WHERE id > $1 ORDER BY id LIMIT ${pageRows}`,
        [last],
      );
      for (const row of rows) yield entryOf(row);
      if (rows.length < pageRows) return;
      last = (rows[rows.length - 1] as { place: string }).place;
    }
  }

  async find(idempotencyKey: string): Promise<readonly JournalEntry[]> {
    await this.prepared();
    const rows = await this.rowsOf(
      `SELECT entry::text AS entry FROM ${this.tables.entries} WHERE idempotency_key = $1 ORDER BY number`,
      [idempotencyKey],
    );
    return rows.map(entryOf);
  }

  async isAlive(writer: string): Promise<boolean> {
    await this.prepared();
    const rows = await this.rowsOf(
      `SELECT 1 FROM ${this.tables.writers} WHERE writer = $1 AND expires_at > clock_timestamp()`,
      [writer],
    );
    return rows.length > 0;
  }

  /** Ends the leases: what was under way is in doubt at once. The client stays open, it is the host's. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    const writers = [...this.own];
    this.own.clear();
    if (writers.length > 0)
      await this.rowsOf(`DELETE FROM ${this.tables.writers} WHERE writer = ANY ($1::text[])`, [writers]);
  }

  /** The entry and the lease in one statement. It is durable even where the server would answer before it is. */
  private get intentSql(): string {
    return `WITH durable AS (${durable}), lease AS (
  INSERT INTO ${this.tables.writers} (writer, expires_at) VALUES ($4, clock_timestamp() + $5 * interval '1 millisecond')
  ON CONFLICT (writer) DO UPDATE SET expires_at = excluded.expires_at)
INSERT INTO ${this.tables.entries} (idempotency_key, number, entry) SELECT $1, $2, $3 FROM durable
ON CONFLICT DO NOTHING RETURNING id`;
  }

  private get outcomeSql(): string {
    return `WITH durable AS (${durable})
INSERT INTO ${this.tables.entries} (idempotency_key, number, entry) SELECT $1, $2, $3 FROM durable
ON CONFLICT DO NOTHING RETURNING id`;
  }

  /** Renews the leases three times before they are over. One that fails is tried again by the next, and by each intent. */
  private keepAlive(writer: string): void {
    this.own.add(writer);
    if (this.timer !== undefined) return;
    this.timer = setInterval(() => {
      const sql = `UPDATE ${this.tables.writers} SET expires_at = clock_timestamp() + $2 * interval '1 millisecond' WHERE writer = ANY ($1::text[])`;
      this.rowsOf(sql, [[...this.own], this.leaseMs]).catch(() => undefined);
    }, this.leaseMs / 4);
    // A journal keeps no process from ending.
    if (typeof this.timer === "object") this.timer.unref();
  }

  private prepared(): Promise<void> {
    if (this.ready === undefined) {
      const ready = this.makeTables();
      ready.catch(() => {
        if (this.ready === ready) this.ready = undefined;
      });
      this.ready = ready;
    }
    return this.ready;
  }

  private async makeTables(): Promise<void> {
    for (let tries = 1; !(await this.hasTables()); tries++) {
      try {
        await this.createTables();
      } catch (error) {
        // Two processes that make them at the same moment: IF NOT EXISTS does not keep one of them from failing.
        if (tries === 5 || !isDuplicate(error)) throw error;
      }
    }
  }

  private async createTables(): Promise<void> {
    await this.client.query(`CREATE TABLE IF NOT EXISTS ${this.tables.entries} (
  id bigint GENERATED ALWAYS AS IDENTITY, idempotency_key text NOT NULL, number integer NOT NULL, entry json NOT NULL,
  PRIMARY KEY (idempotency_key, number))`);
    await this.client.query(
      `CREATE TABLE IF NOT EXISTS ${this.tables.writers} (writer text PRIMARY KEY, expires_at timestamptz NOT NULL)`,
    );
  }

  private async hasTables(): Promise<boolean> {
    const rows = await this.rowsOf("SELECT to_regclass($1) IS NOT NULL AND to_regclass($2) IS NOT NULL AS made", [
      this.tables.entries,
      this.tables.writers,
    ]);
    return (rows[0] as { made: boolean }).made;
  }

  private async rowsOf(sql: string, values: unknown[]): Promise<readonly unknown[]> {
    return (await this.client.query(sql, values)).rows;
  }
}

/** Lets the server wait for its disk where it is set not to, for this statement alone. */
const durable = `SELECT CASE WHEN current_setting('synchronous_commit') = 'off' THEN set_config('synchronous_commit', 'on', true) END`;

function isDuplicate(error: unknown): boolean {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === sqlstate.uniqueViolation || code === sqlstate.duplicateTable || code === sqlstate.duplicateObject;
}

function entryOf(row: unknown): JournalEntry {
  return JSON.parse((row as { entry: string }).entry) as JournalEntry;
}
