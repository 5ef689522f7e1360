/** An `ExecuteResult` in the form that costs a model few tokens and hides nothing: empty parts are left out. */
import type { ExecuteResult, Notice, TouchedRelation } from "../database/types.js";

/** What `execute_sql` gives the model. */
export interface ModelResult {
  /** Says so when rows were cut: `rows 1–50 of more; …`. */
  cut?: string;
  rows: Record<string, unknown>[];
  command?: string;
  truncated: boolean;
  /** `github_pr(repo = "a") 1 call`: one entry a table reference. */
  touched: string[];
  staged?: string[];
  committed?: number;
  message?: string;
  notices?: string[];
}

/** The parts of a result that a model needs; empty ones are left out. */
export function modelResult(result: ExecuteResult): ModelResult {
  return {
    ...(result.truncated && {
      cut: `rows 1–${result.rows.length} of more; raise limit, or narrow with WHERE or an aggregate`,
    }),
    rows: result.rows,
    ...(result.command !== undefined && { command: result.command }),
    truncated: result.truncated,
    touched: result.touched.map(touchedText),
    ...(result.staged !== undefined && { staged: result.staged.map((write) => write.sql) }),
    ...(result.committed !== undefined && { committed: result.committed }),
    ...(result.message !== undefined && { message: result.message }),
    ...(result.notices !== undefined && { notices: result.notices.map(noticeText) }),
  };
}

function touchedText(relation: TouchedRelation): string {
  const schema = relation.schema === "public" ? "" : `${relation.schema}.`;
  const bindings = Object.entries(relation.bindings)
    .map(
      ([column, values]) =>
        `${column} = ${values.length > 5 ? `${values.length} values` : values.map((value) => JSON.stringify(value)).join(", ")}`,
    )
    .join("; ");
  const verb = relation.access === "write" ? `${relation.op ?? "write"} ` : "";
  const calls =
    relation.source === "stored" ? "" : ` ${relation.invocations} ${relation.invocations === 1 ? "call" : "calls"}`;
  return `${verb}${schema}${relation.name}${bindings === "" ? "" : `(${bindings})`}${calls}`;
}

function noticeText(notice: Notice): string {
  return `${notice.severity}: ${notice.message}${notice.hint === undefined ? "" : ` ${notice.hint}`}`;
}
