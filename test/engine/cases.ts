/** Statements with the answers that a PostgreSQL 15 server gave. */
import { readdirSync, readFileSync } from "node:fs";

export interface Case {
  readonly sql: string;
  /** The order of the rows is part of the answer. */
  readonly ordered?: boolean;
  readonly oids?: readonly number[];
  readonly rows?: readonly (readonly (string | null)[])[];
  /** `SQLSTATE message`. */
  readonly error?: string;
}

const folder = new URL("./cases/", import.meta.url);

/** All files of cases by name. */
export function caseFiles(): { readonly name: string; readonly cases: readonly Case[] }[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .map((name) => ({ name, cases: JSON.parse(readFileSync(new URL(name, folder), "utf8")) as Case[] }));
}
