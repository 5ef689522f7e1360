/** The kinds of journals, each with a place of its own: what is opened there again is what another process would open. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Pool } from "pg";
import { fileJournal, postgresJournal } from "../../../src/database/journal/door.js";
import type { JournalEntry, JournalIntent, JournalOutcome } from "../../../src/database/journal/journal.js";
import { type Journal, memoryJournal } from "../../../src/index.js";

export interface JournalPlace {
  open(): Journal;
  remove(): Promise<void>;
}

export interface JournalKind {
  readonly name: string;
  /** Several databases may have it open at once. */
  readonly isShared: boolean;
  place(): Promise<JournalPlace>;
}

export const port = process.env.SCRATCHPAD_TEST_PG;
if (port === undefined) console.warn("Journals in PostgreSQL are left out: SCRATCHPAD_TEST_PG is not set.");

export const kinds: readonly JournalKind[] = [
  {
    name: "memory",
    isShared: false,
    place: async () => {
      const journal = memoryJournal();
      return { open: () => journal, remove: async () => undefined };
    },
  },
  { name: "one of the host's: append, open, close", isShared: false, place: async () => listPlace() },
  { name: "file", isShared: false, place: filePlace },
  ...(port === undefined ? [] : [{ name: "PostgreSQL", isShared: true, place: () => postgresPlace(Number(port)) }]),
];

/** The least that a journal is: a list. */
function listPlace(): JournalPlace {
  const lines: string[] = [];
  return {
    open: () => ({
      append: async (entry) => void lines.push(JSON.stringify(entry)),
      async *open() {
        for (const line of [...lines]) yield JSON.parse(line) as JournalEntry;
      },
      close: async () => undefined,
    }),
    remove: async () => undefined,
  };
}

async function filePlace(): Promise<JournalPlace> {
  const folder = await mkdtemp(path.join(tmpdir(), "glove-journal-"));
  return {
    open: () => fileJournal({ path: path.join(folder, "a", "journal.jsonl") }),
    remove: () => rm(folder, { recursive: true }),
  };
}

let tables = 0;

export async function postgresPlace(
  at: number,
  leaseMs?: number,
): Promise<JournalPlace & { pool: Pool; table: string }> {
  const pool = new Pool({ host: "127.0.0.1", port: at, user: "postgres", database: "postgres", max: 4 });
  const table = `Journal "${process.pid}" ${++tables}`;
  const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
  return {
    pool,
    table: quoted(table),
    open: () => postgresJournal({ client: pool, table, ...(leaseMs !== undefined && { leaseMs }) }),
    async remove() {
      await pool.query(`DROP TABLE IF EXISTS ${quoted(table)}, ${quoted(`${table}_writers`)}`);
      await pool.end();
    },
  };
}

/** An intent of a process that is gone. */
export function intent(key: string, more: Partial<JournalIntent> = {}): JournalIntent {
  return {
    kind: "intent",
    idempotencyKey: key,
    number: 0,
    attempt: 1,
    writer: "00000000-0000-0000-0000-00000000dead",
    at: "2026-01-02T03:04:05.678Z",
    schema: "public",
    resource: "mail",
    op: "insert",
    arguments: { rows: [{ id: 1, subject: key }] },
    ...more,
  };
}

export function outcome(key: string, more: Partial<JournalOutcome> = {}): JournalOutcome {
  const { writer, at } = intent(key);
  return { kind: "outcome", idempotencyKey: key, number: 1, attempt: 1, writer, at, status: "fired", ...more };
}

export async function entriesOf(journal: Journal): Promise<JournalEntry[]> {
  const entries: JournalEntry[] = [];
  for await (const entry of journal.open()) entries.push(entry);
  return entries;
}

/** Writes entries as another process would have, and leaves the place to whoever opens it next. */
export async function written(place: JournalPlace, entries: readonly JournalEntry[]): Promise<void> {
  const journal = place.open();
  for (const entry of entries) await journal.append(entry);
  await journal.close();
}
