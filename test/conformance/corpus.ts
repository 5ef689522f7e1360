/**
 * The corpora of statements with PostgreSQL 15's answers, which live beside the project: where they are, and their cases
 * as groups, each of which is a database of its own.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import type { RowOrder, WantedAnswer } from "./compare-rows.js";

export const corpusSources = ["pg_regress", "pg_regress_dml", "slt", "tpch", "text2sql"] as const;
export type CorpusSource = (typeof corpusSources)[number];

export interface ErrorAnswer {
  readonly sqlstate: string;
  readonly message: string;
}

export interface Case {
  readonly id: string;
  readonly sql: string;
  readonly params?: readonly unknown[];
  readonly want: WantedAnswer | ErrorAnswer;
  readonly order: RowOrder;
  /** The values depend on the order of the input: only the columns and the number of rows are compared. */
  readonly shape?: boolean;
}

export interface Group {
  readonly id: string;
  readonly source: string;
  readonly feature: string;
  readonly setup: readonly string[];
  readonly cases: readonly Case[];
  /** The cases change the database: they run in this order, and none may be left out. */
  readonly ordered: boolean;
}

export function isErrorAnswer(want: Case["want"]): want is ErrorAnswer {
  return "sqlstate" in want;
}

const root = path.resolve(import.meta.dirname, "../..");

/** The folder of the corpora: what CORPORA names, or `../shared/corpora` beside the project. */
export function corporaFolder(): string {
  return path.resolve(root, process.env.CORPORA ?? "../shared/corpora");
}

/** Why the corpora cannot be read, as a sentence; `undefined` when they are there. */
export function missingCorpora(): string | undefined {
  const folder = corporaFolder();
  const parts = ["conformance", "model-sql"].filter((part) => !existsSync(path.join(folder, part)));
  if (parts.length === 0) return undefined;
  return `The corpora are not at ${folder} (${parts.join(" and ")} missing): set CORPORA to the folder that holds them.`;
}

interface FixtureLine {
  readonly kind: "fixture";
  readonly id: string;
  readonly setup: string[];
}

interface GroupLine {
  readonly kind: "group";
  readonly id: string;
  readonly feature: string;
  readonly fixtures: string[];
  readonly setup: string[];
  readonly ordered?: boolean;
}

interface CaseLine {
  readonly kind: "case";
  readonly id: string;
  readonly group: string;
  readonly sql: string;
  readonly cmp: "ordered" | "multiset";
  readonly ties?: [first: number, count: number][];
  readonly truth:
    | { readonly error: string; readonly message: string }
    | { readonly columns: string[]; readonly types: string[]; readonly rows: (string | null)[][] };
}

type Line = FixtureLine | GroupLine | CaseLine;

/** All groups of a source. @throws Error when the corpora are missing */
export function readCorpus(source: CorpusSource): Group[] {
  const missing = missingCorpora();
  if (missing !== undefined) throw new Error(missing);
  const folder = path.join(corporaFolder(), "conformance");
  const files = readdirSync(folder).filter((file) => file.startsWith(`${source}.`) && file.endsWith(".jsonl.gz"));
  if (files.length === 0) throw new Error(`There is no ${source}.jsonl.gz in ${folder}.`);
  const fixtures = new Map<string, readonly string[]>();
  const groups = new Map<string, { line: GroupLine; cases: Case[] }>();
  for (const file of files) {
    const text = gunzipSync(readFileSync(path.join(folder, file))).toString("utf8");
    for (const row of text.split("\n")) {
      if (row === "") continue;
      const line = JSON.parse(row) as Line;
      if (line.kind === "fixture") fixtures.set(line.id, line.setup);
      else if (line.kind === "group") groups.set(line.id, { line, cases: [] });
      else groups.get(line.group)?.cases.push(caseOf(line));
    }
  }
  return [...groups.values()].map(({ line, cases }) => ({
    id: line.id,
    source,
    feature: line.feature,
    setup: [...line.fixtures.flatMap((id) => fixtures.get(id) ?? []), ...line.setup],
    cases,
    ordered: line.ordered === true,
  }));
}

function caseOf({ id, sql, cmp, ties, truth }: CaseLine): Case {
  if ("error" in truth) {
    return { id, sql, want: { sqlstate: truth.error, message: truth.message }, order: "any" };
  }
  const columns = truth.columns.map((name, i) => ({ name, type: truth.types[i] }));
  const order = cmp === "multiset" ? "any" : { runs: runsOf(truth.rows.length, ties ?? []) };
  return { id, sql, want: { columns, rows: truth.rows }, order };
}

/** Sizes of the runs of rows whose order among themselves is free; a row of its own is a run of one. */
function runsOf(rows: number, ties: readonly [first: number, count: number][]): number[] {
  const runs: number[] = [];
  let at = 0;
  for (const [first, count] of ties) {
    for (; at < first; at++) runs.push(1);
    runs.push(count);
    at += count;
  }
  for (; at < rows; at++) runs.push(1);
  return runs;
}

/** Where in [0, 1) an id falls, always at the same place. */
export function hashFraction(id: string): number {
  return Number.parseInt(createHash("sha256").update(`${id}/sample`).digest("hex").slice(0, 8), 16) / 2 ** 32;
}

/** About so many cases, chosen by hash; groups whose cases build on each other stay whole. */
export function sampleGroups(groups: readonly Group[], limit: number): Group[] {
  const total = groups.reduce((sum, group) => sum + group.cases.length, 0);
  const share = limit / total;
  if (share >= 1) return [...groups];
  return keepCases(groups, (group, id) => hashFraction(group.ordered ? group.id : id) < share);
}

/** The groups with the wanted cases only; a group whose cases build on each other stays whole. */
export function keepCases(groups: readonly Group[], wanted: (group: Group, id: string) => boolean): Group[] {
  return groups
    .map((group) => {
      const kept = group.cases.filter((item) => wanted(group, item.id));
      return { ...group, cases: group.ordered && kept.length > 0 ? group.cases : kept };
    })
    .filter((group) => group.cases.length > 0);
}
