/** What is tested: the engine as a database of its own, or the whole `Database` over resources; both answer with rows as arrays. */
import { builtEngine } from "./built.js";
import type { GivenAnswer } from "./compare-rows.js";
import { modelTables, openModelDatabase } from "./model-database.js";

export type SubjectKind = "engine" | "model-sql engine" | "model-sql database";

export interface Subject {
  run(sql: string, params: readonly unknown[]): Promise<GivenAnswer>;
  close(): Promise<void>;
}

export interface OpenedSubject {
  readonly subject: Subject;
  /** Setup statements that failed, with the engine's words. */
  readonly failures: readonly string[];
}

export async function openSubject(kind: SubjectKind, setup: readonly string[]): Promise<OpenedSubject> {
  if (kind === "model-sql database") return { subject: await openModelDatabase(), failures: [] };
  const backend = await (await builtEngine()).MemoryBackend.create();
  const failures: string[] = [];
  for (const sql of setup) {
    try {
      await backend.exec(sql);
    } catch (error) {
      failures.push(`${messageOf(error)} :: ${sql.slice(0, 100)}`);
    }
  }
  if (kind === "model-sql engine") {
    for (const { name, columns, rows } of modelTables()) await backend.load(name, columns, rows);
  }
  const subject: Subject = {
    async run(sql, params) {
      const { fields, rows } = await backend.query(sql, [...params], { rowMode: "array" });
      return { columns: fields, rows: rows as unknown[][] };
    },
    close: () => backend.close(),
  };
  return { subject, failures };
}

export function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split("\n")[0].slice(0, 300);
}
