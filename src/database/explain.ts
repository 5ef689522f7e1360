/** EXPLAIN: what a statement would do, told from its plan. Nothing is called. */

import { readParameters } from "../backends/parameters.js";
import { prepare as preparePlan } from "../engine/run.js";
import type { SessionContext } from "../functions/function.js";
import type * as ast from "../grammar/ast.js";
import { type ExplainNode, explainPlan, explainText } from "../planner/explain.js";
import type { Expr } from "../planner/expr.js";
import { type LogicalPlan, outputOf, type Scan } from "../planner/plan.js";
import { columnsOf, plansWithin, someExpression } from "../planner/visit.js";
import type { SqlScalar } from "../resources/resource.js";
import { operationsOf } from "../types/families.js";
import type { Value } from "../types/value.js";
import { ownParameters, type StatementResult } from "./execute.js";
import { firstWrite, statementKind } from "./gate.js";
import type { PreparedQuery } from "./prepare.js";
import type { ExplainResult, Limits, PlanNode, StagedWriteView, TouchedRelation } from "./types.js";

export interface ExplainSettings {
  readonly params: readonly unknown[];
  readonly session: SessionContext;
  readonly limits: Required<Limits>;
  readonly staged?: StagedWriteView[];
  /** Options of an EXPLAIN statement. */
  readonly options?: readonly ast.ExplainOption[];
}

export async function explainStatement(
  statements: readonly ast.Statement[],
  queries: readonly PreparedQuery[],
  settings: ExplainSettings,
): Promise<ExplainResult> {
  const last = statements[statements.length - 1];
  const relations: TouchedRelation[] = [];
  const trees: ExplainNode[] = [];
  for (const query of queries) {
    trees.push(explainPlan(query.plan));
    relations.push(...(await relationsOf(query, settings)));
  }
  const root: ExplainNode =
    trees.length === 1 ? trees[0] : { node: statements.map(statementKind).join("; "), details: [], inputs: trees };
  const readOnly = statements.every((statement) => firstWrite(statement) === undefined && !endsTransaction(statement));
  return {
    statementKind: statementKind(last),
    readOnly,
    relations,
    ...(settings.staged !== undefined && { staged: settings.staged }),
    plan: planNode(root),
    text: explainText(root),
  };
}

/** COMMIT fires what is staged. */
function endsTransaction(statement: ast.Statement): boolean {
  return statement.kind === "CommitStatement";
}

function planNode(node: ExplainNode): PlanNode {
  return {
    node: node.node,
    ...(node.details.length > 0 && { details: [...node.details] }),
    ...(node.inputs.length > 0 && { inputs: node.inputs.map(planNode) }),
  };
}

async function relationsOf(query: PreparedQuery, settings: ExplainSettings): Promise<TouchedRelation[]> {
  const reads: TouchedRelation[] = [];
  for (const scan of query.scans) {
    if (query.direct.has(scan.id)) continue;
    reads.push({
      name: scan.table.name,
      schema: scan.table.schema,
      source: scan.table.kind === "resource" ? "virtual" : "stored",
      access: "read",
      op: "select",
      volatility: scan.table.volatility,
      bindings: await constantBindings(scan, query, settings),
      invocations: 0,
    });
  }
  return [...reads, ...writtenRelations(query)];
}

function writtenRelations(query: PreparedQuery): TouchedRelation[] {
  return plansWithin(query.plan)
    .filter((plan) => plan.kind === "Write")
    .map((plan) => ({
      name: plan.table.name,
      schema: plan.table.schema,
      source: plan.table.kind === "resource" ? "virtual" : "stored",
      access: "write",
      op: plan.op,
      volatility: plan.table.volatility,
      bindings: {},
      invocations: 0,
    }));
}

/** The arguments that are known without a call: constants and parameters. */
async function constantBindings(
  scan: Scan,
  query: PreparedQuery,
  settings: ExplainSettings,
): Promise<Record<string, SqlScalar[]>> {
  const bindings: Record<string, SqlScalar[]> = {};
  if (settings.params.length < query.query.parameters.length && usesParameters(scan)) return bindings;
  const parameters =
    settings.params.length < query.query.parameters.length
      ? []
      : readParameters(query.query, ownParameters(query.query, settings.params), settings.session);
  for (const set of scan.pushed?.arguments ?? []) {
    if (set.values.kind !== "list") continue;
    const tuples = await evaluateRows(set.values.tuples, parameters, settings);
    const types = set.values.tuples[0].map((expr) => expr.type);
    set.sources.forEach((source, i) => {
      const values = tuples.map((tuple) =>
        tuple[i] === null ? null : operationsOf(types[i]).toHost(tuple[i], settings.session),
      );
      bindings[scan.table.columns[source].name] = [...new Set(values as SqlScalar[])];
    });
  }
  return bindings;
}

function usesParameters(scan: Scan): boolean {
  const isParameter = (expr: Expr) => someExpression(expr, (part) => part.kind === "Parameter");
  return (scan.pushed?.arguments ?? []).some(
    (set) => set.values.kind === "list" && set.values.tuples.some((tuple) => tuple.some(isParameter)),
  );
}

async function evaluateRows(
  rows: readonly (readonly Expr[])[],
  parameters: readonly Value[],
  settings: ExplainSettings,
): Promise<readonly (readonly Value[])[]> {
  const standalone = rows.every((row) => row.every((expr) => columnsOf(expr).size === 0));
  if (!standalone) return [];
  const columns = rows[0].map((expr, i) => ({
    id: i + 1,
    name: `column${i + 1}`,
    type: expr.type,
    typmod: -1,
    nullable: true,
  }));
  const plan: LogicalPlan = { kind: "Values", columns, rows };
  const answer = await preparePlan(plan, outputOf(plan)).run(
    {
      session: settings.session,
      parameters,
      limits: {
        rows: settings.limits.rows,
        bytes: settings.limits.bytes,
        timeMs: settings.limits.timeoutMs,
        depth: settings.limits.depth,
      },
      relation: () => ({ kind: "tuples", rows: [] }),
    },
    { rows: "arrays" },
  );
  return answer.rows as readonly (readonly Value[])[];
}

/** EXPLAIN ANALYZE's text: each Resource Scan with the calls made and the rows they gave. */
export function explainAnalyzed(query: PreparedQuery, result: StatementResult, durationMs: number): string {
  const root = explainPlan(query.plan);
  const annotated = annotate(root, result);
  return `${explainText(annotated)}\nExecution Time: ${durationMs.toFixed(3)} ms`;
}

function annotate(node: ExplainNode, result: StatementResult): ExplainNode {
  const inputs = node.inputs.map((input) => annotate(input, result));
  const read = node.scan === undefined ? undefined : result.resolved.get(node.scan);
  if (read === undefined) return { ...node, inputs };
  return { ...node, node: `${node.node}  (calls=${read.invocations} rows=${read.rows.length})`, inputs };
}
