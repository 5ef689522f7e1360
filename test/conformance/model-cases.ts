/** The statements that language models wrote, as groups: once for the engine alone, once for the whole `Database`. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { shortTypeName } from "./compare-rows.js";
import { type Case, corporaFolder, type Group, missingCorpora } from "./corpus.js";
import type { SubjectKind } from "./subject.js";

interface CaseLine {
  readonly id: string;
  readonly sql: string;
  readonly params?: readonly unknown[];
  readonly compare: "rows" | "multiset" | "shape" | "error" | "skip";
  readonly groups?: readonly number[];
  readonly truth: {
    readonly error?: { readonly sqlstate: string; readonly message: string };
    readonly columns: readonly { readonly name: string; readonly type: string }[];
    readonly text: (string | null)[][];
  };
}

export const modelSubjects: readonly SubjectKind[] = ["model-sql engine", "model-sql database"];

/** @throws Error when the corpora are missing */
export function readModelCases(subject: SubjectKind): Group {
  const missing = missingCorpora();
  if (missing !== undefined) throw new Error(missing);
  const text = readFileSync(path.join(corporaFolder(), "model-sql", "cases.jsonl"), "utf8");
  const lines = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as CaseLine);
  return {
    id: subject,
    source: subject,
    feature: "statements of models",
    setup: [],
    cases: lines.filter((line) => line.compare !== "skip").map(caseOf),
    ordered: false,
  };
}

function caseOf({ id, sql, params, compare, groups, truth }: CaseLine): Case {
  const common = { id, sql, ...(params && { params }) };
  if (truth.error !== undefined) return { ...common, want: truth.error, order: "any" };
  const columns = truth.columns.map(({ name, type }) => ({ name, type: shortTypeName(type) }));
  const want = { columns, rows: truth.text };
  // where values depend on the order of the rows, only their number and the columns count
  if (compare === "shape") return { ...common, want: { columns, rows: truth.text }, order: "any", shape: true };
  return { ...common, want, order: compare === "rows" ? { runs: groups ?? truth.text.map(() => 1) } : "any" };
}
