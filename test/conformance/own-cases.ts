/**
 * The project's own cases for what the corpora lack (enum columns, and whatever a failure leaves behind): a script for
 * psql-like reading, `data/own.sql`, and PostgreSQL 15's answers to it, `data/own.json`, which `record-own.ts` writes.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import type { Case, Group } from "./corpus.js";

export const ownFolder = path.join(import.meta.dirname, "data");

export interface OwnGroup {
  readonly feature: string;
  readonly setup: readonly string[];
  readonly statements: readonly string[];
}

/** Reads `own.sql`: `-- group NAME` begins a group, `-- cases` ends its setup; statements are divided by empty lines. */
export function readOwnScript(): OwnGroup[] {
  const text = readFileSync(path.join(ownFolder, "own.sql"), "utf8");
  const parts = text.split(/^-- group /m).slice(1);
  return parts.map((part) => {
    const end = part.indexOf("\n");
    const [setup, cases] = part.slice(end).split(/^-- cases$/m);
    return { feature: part.slice(0, end).trim(), setup: statementsOf(setup), statements: statementsOf(cases) };
  });
}

function statementsOf(text: string): string[] {
  return text
    .split(/\n\s*\n/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
}

export type OwnAnswers = Readonly<Record<string, readonly Case["want"][]>>;

/** The groups with the recorded answers. @throws Error when the recording does not fit the script */
export function ownGroups(): Group[] {
  const answers = JSON.parse(readFileSync(path.join(ownFolder, "own.json"), "utf8")) as OwnAnswers;
  return readOwnScript().map(({ feature, setup, statements }) => {
    const recorded = answers[feature] ?? [];
    if (recorded.length !== statements.length) {
      throw new Error(`"${feature}" is not recorded as it stands: run npx tsx test/conformance/record-own.ts.`);
    }
    const cases = statements.map((sql, i): Case => {
      const want = recorded[i];
      const inOrder = "rows" in want && /\bORDER BY\b/i.test(sql);
      return { id: `own/${feature}/${i + 1}`, sql, want, order: inOrder ? { runs: want.rows.map(() => 1) } : "any" };
    });
    return { id: `own/${feature}`, source: "own", feature, setup, cases, ordered: true };
  });
}
