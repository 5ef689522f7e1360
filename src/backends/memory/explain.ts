/** EXPLAIN: the plan as text, JSON or a diagram; with ANALYZE the statement runs as well. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../../grammar/ast.js";
import { explainPlan } from "../../planner/explain.js";
import { explainJson } from "../../planner/explain-json.js";
import { explainMermaid } from "../../planner/explain-mermaid.js";
import { explainText } from "../../planner/explain-node.js";
import { explainChoices } from "../../planner/explain-options.js";
import { readParameters } from "../parameters.js";
import { type Answer, type AnswerForm, runPrepared, type StatementEnvironment } from "./run-query.js";
import type { StatementCache } from "./statement-cache.js";
import { textAnswer } from "./text-answer.js";

export async function explain(
  statement: ast.ExplainStatement,
  cache: StatementCache,
  environment: StatementEnvironment,
  form: AnswerForm,
): Promise<Answer> {
  const choices = explainChoices(statement.options);
  const inner = statement.statement;
  const query = inner.kind === "CreateTableAsStatement" ? inner.query : inner;
  const prepared = cache.prepare(query, environment.store);
  const { session, params } = environment;
  // EXPLAIN plans, so it raises what planning raises; of parameters only when their values are given.
  if (prepared.checkConstants !== undefined && params.length >= prepared.query.parameters.length) {
    prepared.checkConstants({ session, parameters: readParameters(prepared.query, params, session) });
  }
  const times: Record<string, number> = {};
  if (choices.analyze) {
    if (query !== inner) {
      throw new SqlError(sqlstate.featureNotSupported, "EXPLAIN ANALYZE CREATE TABLE AS is not supported", {
        position: inner.range.start + 1,
      });
    }
    const started = performance.now();
    await runPrepared(prepared, environment, "arrays");
    if (choices.summary) times["Execution Time"] = Math.round((performance.now() - started) * 1000) / 1000;
  }
  const node = explainPlan(prepared.plan, { costs: choices.costs });
  if (choices.format === "json") {
    const plan = JSON.stringify([{ Plan: explainJson(node), ...times }], null, 2);
    const answer = textAnswer("EXPLAIN", ["QUERY PLAN"], [[plan]], form);
    return { ...answer, fields: [{ name: "QUERY PLAN", type: "json" }] };
  }
  if (choices.format === "mermaid") {
    const lines = explainMermaid(node).split("\n");
    return textAnswer(
      "EXPLAIN",
      ["QUERY PLAN"],
      lines.map((line) => [line]),
      form,
    );
  }
  const lines = Object.entries(times).map(([name, ms]) => `${name}: ${ms.toFixed(3)} ms`);
  const rows = [...explainText(node).split("\n"), ...lines].map((line) => [line]);
  return textAnswer("EXPLAIN", ["QUERY PLAN"], rows, form);
}
