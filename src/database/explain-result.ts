/** EXPLAIN as a statement: the plan as rows, with what its run took when it is EXPLAIN ANALYZE. */

import type * as ast from "../grammar/ast.js";
import type { ExplainFormat } from "../planner/explain-options.js";
import { executeQuery, type StatementContext } from "./execute.js";
import { type ExplainSettings, explainStatement, planToAnalyze } from "./explain.js";
import type { PreparedQuery } from "./prepare.js";
import type { ExecuteResult } from "./types.js";

/**
 * @param prepared the statement that is explained; `undefined` for one without a plan, such as COMMIT
 * @param context of the run that ANALYZE makes. It is whole: a partial run would show figures of something else
 */
export async function explainResult(
  { statement }: ast.ExplainStatement,
  prepared: PreparedQuery | undefined,
  settings: ExplainSettings & Required<Pick<ExplainSettings, "choices">>,
  context: StatementContext,
): Promise<ExecuteResult> {
  const queries = prepared === undefined ? [] : [prepared];
  let { text } = await explainStatement([statement], queries, settings);
  let touched: ExecuteResult["touched"] = [];
  if (settings.choices.analyze && prepared !== undefined) {
    const analyzed = planToAnalyze(prepared, settings);
    const started = performance.now();
    const result = await executeQuery(prepared, settings.params, Number.POSITIVE_INFINITY, context);
    touched = [...result.touched];
    text = analyzed({ resolved: result.resolved, durationMs: performance.now() - started });
  }
  return { ...explainRows(text, settings.choices.format), touched };
}

/** What EXPLAIN says, as rows. */
export function explainRows(text: string, format: ExplainFormat): ExecuteResult {
  const isJson = format === "json";
  // As every json value of a result: the document, not its text.
  const lines: unknown[] = isJson ? [JSON.parse(text)] : text.split("\n");
  return {
    rows: lines.map((line) => ({ "QUERY PLAN": line })),
    fields: [{ name: "QUERY PLAN", type: isJson ? "json" : "text" }],
    truncated: false,
    touched: [],
    rowCount: lines.length,
    command: "EXPLAIN",
  };
}
