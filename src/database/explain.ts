/** EXPLAIN: what a statement would do, told from its plan. Nothing is called. */

import { readParameters } from "../backends/parameters.js";
import { prepare as preparePlan } from "../engine/run.js";
import type { SessionContext } from "../functions/function.js";
import type * as ast from "../grammar/ast.js";
import { explainPlan } from "../planner/explain.js";
import { type ExplainObject, explainJson } from "../planner/explain-json.js";
import { explainMermaid } from "../planner/explain-mermaid.js";
import {
  detailsOf,
  type ExplainFact,
  type ExplainNode,
  explainText,
  fact,
  unprinted,
} from "../planner/explain-node.js";
import type { ExplainChoices } from "../planner/explain-options.js";
import { verbsOfWrite } from "../planner/explain-write.js";
import type { Expr } from "../planner/expr.js";
import { type LogicalPlan, outputOf, type Scan } from "../planner/plan.js";
import { columnsOf, plansWithin, someExpression } from "../planner/visit.js";
import type { ResolvedScan } from "../resources/resolve.js";
import type { SqlScalar } from "../resources/resource.js";
import { operationsOf } from "../types/families.js";
import type { Value } from "../types/value.js";
import { ownParameters, type StatementResult } from "./execute.js";
import { firstWrite, statementKind } from "./gate.js";
import type { PreparedQuery } from "./prepare.js";
import type { ExplainResult, Limits, PlanNode, StagedWriteView, TouchedRelation } from "./types.js";

/** What EXPLAIN needs from its session. */
export interface ExplainSettings {
  readonly params: readonly unknown[];
  readonly session: SessionContext;
  readonly limits: Required<Limits>;
  readonly staged?: StagedWriteView[];
  /** Whether values of a column may not be shown: how many bytes there are of them is not told either. */
  readonly isHidden?: (table: { readonly schema: string; readonly name: string }, column: string) => boolean;
  /** Options of an EXPLAIN statement; absent: text. */
  readonly choices?: ExplainChoices;
}

/** What EXPLAIN ANALYZE adds: what the statement's run took. */
export interface RunFigures {
  readonly resolved: StatementResult["resolved"];
  readonly durationMs: number;
}

/** The plan and what it would touch. @param queries prepared, those of `statements` that read or write @throws SqlError of constants that fail */
export async function explainStatement(
  statements: readonly ast.Statement[],
  queries: readonly PreparedQuery[],
  settings: ExplainSettings,
): Promise<ExplainResult> {
  const last = statements[statements.length - 1];
  const relations: TouchedRelation[] = [];
  for (const query of queries) checkConstants(query, settings);
  for (const query of queries) relations.push(...(await relationsOf(query, settings)));
  const root = rootOf(statements, queries, settings);
  const readOnly = statements.every((statement) => firstWrite(statement) === undefined && !endsTransaction(statement));
  return {
    statementKind: statementKind(last),
    readOnly,
    relations,
    ...(settings.staged !== undefined && { staged: settings.staged }),
    plan: planNode(root),
    text: formatted(root, settings.choices),
  };
}

/** EXPLAIN plans, so it raises what planning raises; of parameters only when their values are given. */
function checkConstants({ query, checkConstants: check }: PreparedQuery, { params, session }: ExplainSettings): void {
  if (check === undefined || params.length < query.parameters.length) return;
  check({ session, parameters: readParameters(query, ownParameters(query, params), session) });
}

/** The plan of one statement, or of a script as the parts of one. */
function rootOf(
  statements: readonly ast.Statement[],
  queries: readonly PreparedQuery[],
  settings: ExplainSettings,
): ExplainNode {
  const trees = queries.map((query) => {
    const tree = explainPlan(query.plan, {
      direct: query.direct,
      staging: settings.staged !== undefined,
      ...(settings.choices !== undefined && { costs: settings.choices.costs }),
    });
    return { ...tree, facts: [...tree.facts, ...policyFacts(query.rules)] };
  });
  if (trees.length === 1) return trees[0];
  return { node: statements.map(statementKind).join("; "), type: "Script", facts: [], inputs: trees };
}

/** One line for each rule of the policy that applies. */
function policyFacts(rules: readonly string[]): ExplainFact[] {
  if (rules.length === 0) return [];
  return [
    fact(
      "Policy",
      rules,
      rules.map((rule) => `Policy: ${rule}`),
    ),
  ];
}

/** The plan in the form that was asked for; times of a run are added to JSON and text. */
function formatted(root: ExplainNode, choices: ExplainChoices | undefined, durationMs?: number): string {
  switch (choices?.format ?? "text") {
    case "text":
      return `${explainText(root)}${durationMs === undefined ? "" : `\nExecution Time: ${durationMs.toFixed(3)} ms`}`;
    case "json":
      return JSON.stringify(planObject(root, durationMs), null, 2);
    case "mermaid":
      return explainMermaid(root);
  }
}

function planObject(root: ExplainNode, durationMs: number | undefined): ExplainObject[] {
  return [{ Plan: explainJson(root), ...(durationMs !== undefined && { "Execution Time": rounded(durationMs) }) }];
}

/** Milliseconds with three digits, as PostgreSQL writes them. */
function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}

/** COMMIT fires what is staged. */
function endsTransaction(statement: ast.Statement): boolean {
  return statement.kind === "CommitStatement";
}

function planNode(node: ExplainNode): PlanNode {
  const details = detailsOf(node);
  return {
    node: node.node,
    ...(details.length > 0 && { details }),
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
    .filter((plan) => plan.kind === "Write" || plan.kind === "Merge")
    .flatMap((plan) => {
      const { name, schema, kind, volatility } = plan.table;
      const source = kind === "resource" ? "virtual" : "stored";
      const touched = { name, schema, source, volatility, bindings: {}, invocations: 0 } as const;
      const written = verbsOfWrite(plan).map((op): TouchedRelation => ({ ...touched, access: "write", op }));
      // ON CONFLICT looks which of the proposed rows are there.
      const looks = plan.kind === "Write" && plan.onConflict !== undefined && kind === "resource";
      return looks ? [{ ...touched, access: "read", op: "select" } as const, ...written] : written;
    });
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
    const exprs = set.values.tuples; // their types may differ: id = 1 OR id = 2.0
    set.sources.forEach((source, i) => {
      const values = tuples.map((tuple, row) =>
        tuple[i] === null ? null : operationsOf(exprs[row][i].type).toHost(tuple[i], settings.session),
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

/**
 * EXPLAIN ANALYZE: the plan, to which what each Resource Scan took is added after the run. It is made before, so that its
 * estimates are those that the run went by.
 */
export function planToAnalyze(query: PreparedQuery, settings: ExplainSettings): (run: RunFigures) => string {
  const root = rootOf([query.statement], [query], settings);
  const { choices } = settings;
  return (run) => {
    const annotated = annotate(root, run, { timing: choices?.timing !== false, ...settings });
    return formatted(annotated, choices, choices?.summary === false ? undefined : run.durationMs);
  };
}

function annotate(node: ExplainNode, run: RunFigures, shows: FigureChoices): ExplainNode {
  const inputs = node.inputs.map((input) => annotate(input, run, shows));
  const read = node.scan === undefined ? undefined : run.resolved.get(node.scan);
  if (read === undefined) return { ...node, inputs };
  const figures = figuresOf(read, shows);
  const shown = figures.filter(({ value, always }) => always || value !== 0);
  return {
    ...node,
    node: `${node.node}  (${shown.map(({ label, value, unit }) => `${label}=${value}${unit ?? ""}`).join(" ")})`,
    facts: [...node.facts, ...figures.map(({ key, value }): ExplainFact => unprinted(key, value))],
    inputs,
  };
}

type FigureChoices = Pick<ExplainSettings, "isHidden"> & { readonly timing: boolean };

interface Figure {
  /** In JSON. */
  readonly key: string;
  /** In text. */
  readonly label: string;
  readonly value: number;
  readonly unit?: string;
  /** Whether the text shows it when it is 0. */
  readonly always: boolean;
}

/** `calls=3 pages=3 rows=12 bytes=1024 time=152.1 ms`, and what did not go smoothly: `cached`, `retries`, `waited`. */
function figuresOf({ scan, invocations, rows, figures }: ResolvedScan, { timing, isHidden }: FigureChoices): Figure[] {
  const calls: Figure = { key: "Actual Calls", label: "calls", value: invocations, always: true };
  const given: Figure = { key: "Actual Rows", label: "rows", value: rows.length, always: true };
  if (figures === undefined) return [calls, given];
  const { table } = scan;
  const isSizeHidden = table.columns.some((column) => isHidden?.(table, column.name) === true);
  return [
    calls,
    { key: "Actual Pages", label: "pages", value: figures.pages, always: true },
    given,
    ...(isSizeHidden ? [] : [{ key: "Actual Bytes", label: "bytes", value: figures.bytes, always: true }]),
    ...(timing
      ? [
          { key: "Actual Time", label: "time", value: rounded(figures.durationMs), unit: " ms", always: true },
          { key: "Waited", label: "waited", value: Math.round(figures.waitedMs), unit: " ms", always: false },
        ]
      : []),
    { key: "Cache Hits", label: "cached", value: figures.cached, always: false },
    { key: "Retries", label: "retries", value: figures.retries, always: false },
  ];
}
