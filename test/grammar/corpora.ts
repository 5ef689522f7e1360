/** The statements of the conformance corpora, where they are at hand (`CORPORA`, or ../shared/corpora beside the project). */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";

/** A statement and the SQLSTATE it must fail with, if it must. */
export interface CorpusStatement {
  readonly id: string;
  readonly sql: string;
  readonly error?: string;
  readonly message?: string;
}

const folder = resolve(process.env["CORPORA"] ?? "../shared/corpora");

/** Whether the corpora are there. */
export const haveCorpora = existsSync(join(folder, "conformance"));

interface Line {
  readonly id: string;
  readonly kind?: string;
  readonly sql?: string;
  readonly setup?: readonly string[];
  readonly truth?: {
    readonly error?: string | { readonly sqlstate: string; readonly message: string };
    readonly message?: string;
  };
}

/** All statements: cases, the fixtures behind them, and what language models wrote. */
export function corpusStatements(): CorpusStatement[] {
  const found: CorpusStatement[] = [];
  const conformance = join(folder, "conformance");
  for (const name of readdirSync(conformance).filter((file) => file.endsWith(".jsonl.gz"))) {
    addLines(gunzipSync(readFileSync(join(conformance, name))).toString("utf8"), found);
  }
  const written = join(folder, "model-sql", "cases.jsonl");
  if (existsSync(written)) addLines(readFileSync(written, "utf8"), found);
  return found;
}

function addLines(text: string, into: CorpusStatement[]): void {
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const { id, sql, setup, truth } = JSON.parse(line) as Line;
    for (const statement of setup ?? []) into.push({ id: `${id} setup`, sql: statement });
    if (sql === undefined) continue;
    const error = typeof truth?.error === "object" ? truth.error.sqlstate : truth?.error;
    const message = typeof truth?.error === "object" ? truth.error.message : truth?.message;
    into.push({ id, sql, error, message });
  }
}
