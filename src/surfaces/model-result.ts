/** An `ExecuteResult` in the form that costs a model few tokens and hides nothing: empty parts are left out. */
import type { ExecuteResult, MissingPart, Notice, TouchedRelation } from "../database/types.js";
import { countOf } from "../errors/words.js";
import { shownArgument } from "../resources/argument-text.js";
import type { SqlScalar } from "../resources/resource.js";

/** What `execute_sql` gives the model. */
export interface ModelResult {
  /** Says so when rows were cut: `rows 1–50 of more; …`. */
  cut?: string;
  rows: Record<string, unknown>[];
  command?: string;
  truncated: boolean;
  /** `github_pr(repo = 'a') 1 call`: one entry a table reference. */
  touched: string[];
  staged?: string[];
  committed?: number;
  message?: string;
  notices?: string[];
  /** What a partial answer is without, one entry a part: `issue(repo = 'a'): region eu-west-1 (timed out)`. */
  missing?: string[];
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
    ...(result.missing !== undefined && { missing: result.missing.map(missingText) }),
  };
}

function missingText({ resource, bindings, part, reason }: MissingPart): string {
  const given = bindingsText(bindings);
  const which = part === undefined ? reason : `${part} (${reason})`;
  return `${resource}${given === "" ? "" : `(${given})`}: ${which}`;
}

function bindingsText(bindings: Record<string, SqlScalar[]>): string {
  return Object.entries(bindings)
    .map(
      ([column, values]) =>
        `${column} = ${values.length > 5 ? `${values.length} values` : values.map(shownArgument).join(", ")}`,
    )
    .join("; ");
}

function touchedText(relation: TouchedRelation): string {
  const schema = relation.schema === "public" ? "" : `${relation.schema}.`;
  const bindings = bindingsText(relation.bindings);
  const verb = relation.access === "write" ? `${relation.op ?? "write"} ` : "";
  const calls = relation.source === "stored" ? "" : ` ${countOf(relation.invocations, "call")}`;
  return `${verb}${schema}${relation.name}${bindings === "" ? "" : `(${bindings})`}${calls}`;
}

function noticeText(notice: Notice): string {
  return `${notice.severity}: ${notice.message}${notice.hint === undefined ? "" : ` ${notice.hint}`}`;
}
