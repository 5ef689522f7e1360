/** The journals that processes are killed over. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Pool } from "pg";
import { fileJournal, postgresJournal } from "../../../src/database/journal/door.js";
import type { CrashJournal } from "./crash-run.js";

export interface Place {
  readonly journal: CrashJournal;
  remove(): Promise<void>;
}

export async function filePlace(): Promise<Place> {
  const folder = await mkdtemp(path.join(tmpdir(), "glove-journal-"));
  const file = path.join(folder, "journal.jsonl");
  return {
    journal: {
      name: "file",
      processes: 1,
      work: { file },
      leaseMs: 0,
      open: () => fileJournal({ path: file, onTorn: () => undefined }),
    },
    remove: () => rm(folder, { recursive: true }),
  };
}

/** @param port of a PostgreSQL on loopback whose user `postgres` needs no password */
export async function postgresPlace(port: number): Promise<Place> {
  const connection = { host: "127.0.0.1", port, user: "postgres", database: "postgres" };
  const pool = new Pool({ ...connection, max: 2 });
  const table = `crash_journal_${process.pid}_${Date.now()}`;
  const leaseMs = 1_000;
  return {
    journal: {
      name: "PostgreSQL",
      processes: 2,
      work: { postgres: { connection, table, leaseMs } },
      leaseMs,
      open: () => postgresJournal({ client: pool, table, leaseMs }),
    },
    async remove() {
      await pool.query(`DROP TABLE IF EXISTS ${table}, ${table}_writers`);
      await pool.end();
    },
  };
}
