/** EXPLAIN: the plan as text or JSON; with ANALYZE the statement runs as well. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../../grammar/ast.js";
import { type ExplainNode, explainPlan, explainText } from "../../planner/explain.js";
import { type Answer, type AnswerForm, runPrepared, type StatementEnvironment } from "./run-query.js";
import type { StatementCache } from "./statement-cache.js";
import { textAnswer } from "./text-answer.js";

const known = new Set(["analyze", "verbose", "costs", "settings", "buffers", "wal", "timing", "summary", "format"]);

export async function explain(
  statement: ast.ExplainStatement,
  cache: StatementCache,
  environment: StatementEnvironment,
  form: AnswerForm,
): Promise<Answer> {
  for (const option of statement.options) {
    if (!known.has(option.name)) {
      throw new SqlError(sqlstate.syntaxError, `unrecognized EXPLAIN option "${option.name}"`, {
        position: option.range.start + 1,
      });
    }
  }
  const inner = statement.statement;
  const query = inner.kind === "CreateTableAsStatement" ? inner.query : inner;
  const prepared = cache.prepare(query, environment.store);
  const lines: string[] = [];
  if (isOn(statement, "analyze")) {
    if (query !== inner) {
      throw new SqlError(sqlstate.featureNotSupported, "EXPLAIN ANALYZE CREATE TABLE AS is not supported", {
        position: inner.range.start + 1,
      });
    }
    const started = performance.now();
    await runPrepared(prepared, environment, "arrays");
    lines.push(`Execution Time: ${(performance.now() - started).toFixed(3)} ms`);
  }
  const node = explainPlan(prepared.plan);
  const format = statement.options.find((option) => option.name === "format")?.value ?? "text";
  if (format === "json") {
    const plan = JSON.stringify([{ Plan: jsonOf(node) }], null, 2);
    const answer = textAnswer("EXPLAIN", ["QUERY PLAN"], [[plan]], form);
    return { ...answer, fields: [{ name: "QUERY PLAN", type: "json" }] };
  }
  if (format !== "text") {
    throw new SqlError(sqlstate.featureNotSupported, `EXPLAIN (FORMAT ${format.toUpperCase()}) is not supported`, {
      hint: "Use FORMAT TEXT or FORMAT JSON.",
    });
  }
  const rows = [...explainText(node).split("\n"), ...lines].map((line) => [line]);
  return textAnswer("EXPLAIN", ["QUERY PLAN"], rows, form);
}

function isOn(statement: ast.ExplainStatement, name: string): boolean {
  const option = statement.options.find((item) => item.name === name);
  return option !== undefined && !["off", "false", "0"].includes(option.value ?? "on");
}

function jsonOf(node: ExplainNode): Record<string, unknown> {
  return {
    "Node Type": node.node,
    ...(node.details.length > 0 && { Details: node.details }),
    ...(node.inputs.length > 0 && { Plans: node.inputs.map(jsonOf) }),
  };
}
