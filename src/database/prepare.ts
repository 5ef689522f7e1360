/**
 * Everything that happens to a statement before the first call: bind, optimize, order the calls. What is wrong with it is
 * found here. Prepared statements are kept by their text, since agents repeat themselves.
 */
import type { CatalogReader } from "../catalog/table.js";
import { type PreparedPlan, prepare as preparePlan } from "../engine/run.js";
import { refuseSequences } from "../functions/sequences.js";
import type * as ast from "../grammar/ast.js";
import { parse } from "../grammar/parse.js";
import { bind } from "../planner/bind/bind.js";
import { type ConstantCheck, raiseConstantErrors } from "../planner/constant-errors.js";
import { directScans } from "../planner/direct-write.js";
import { optimize } from "../planner/optimize.js";
import { type LabelledParameter, labelledParameters } from "../planner/parameter-labels.js";
import type { BoundQuery, LogicalPlan, Scan } from "../planner/plan.js";
import { refuseNegativeLimits } from "../planner/refuse-limits.js";
import { refusePatterns } from "../planner/refuse-patterns.js";
import { type ResolutionGraph, resolutionGraph } from "../planner/resolution.js";
import { plansWithin } from "../planner/visit.js";
import type { SessionFlows } from "./flow/flows.js";
import type { FlowVerdict } from "./flow/verdict.js";
import type { DatabasePolicy } from "./policy/database-policy.js";
import { refuseUnboundedWrites } from "./policy/unbounded-writes.js";
import { requireConnected } from "./seed.js";
import type { Policy } from "./types.js";

/** A statement that reads or writes tables, ready to run. */
export interface PreparedQuery {
  readonly statement: ast.Statement;
  readonly query: BoundQuery;
  readonly plan: LogicalPlan;
  readonly graph: ResolutionGraph;
  /** Every table reference, in the order of the text. */
  readonly scans: readonly Scan[];
  /** Scans of direct writes. */
  readonly direct: ReadonlySet<number>;
  readonly engine: PreparedPlan;
  /** To be done with the values that the statement starts with, before its first call. */
  readonly checkConstants?: ConstantCheck;
  /** Parameters whose values have to be labels of a column. */
  readonly labelled: readonly LabelledParameter[];
  /** The rules of the policy that apply to its tables, as EXPLAIN says them. */
  readonly rules: readonly string[];
  /** What the rules about labels make of it; absent for a statement about columns without labels. */
  readonly flow?: FlowVerdict;
}

/**
 * @param rules of the policy; without them the statement is of the database itself, and sees every table as it is
 * @throws SqlError for everything that can be wrong without a call, 42501 for what the rules do not allow
 */
export function prepareQuery(
  statement: ast.Statement,
  catalog: CatalogReader,
  policy: Policy,
  rules?: DatabasePolicy,
  flows?: SessionFlows,
): PreparedQuery {
  const bound = bindUnder(statement, catalog, rules);
  rules?.check(bound);
  if (rules !== undefined) refuseUnboundedWrites(bound, () => bindUnder(statement, catalog, rules, false), policy);
  const masked = rules === undefined ? bound : { ...bound, plan: rules.masked(bound.plan) };
  const flow = flows?.check(masked);
  const query = flow?.query ?? masked;
  const plan = optimize(query.plan);
  const checks = [raiseConstantErrors(query), refusePatterns(plan), refuseNegativeLimits(plan)].filter(
    (check) => check !== undefined,
  );
  requireConnected(plan);
  flow?.checkArguments(plan);
  const direct = directScans(plan, policy);
  const graph = resolutionGraph(plan, direct);
  const engine = preparePlan(plan, query.output);
  const scans = scansIn(plan);
  const labelled = labelledParameters(query.plan);
  const checkConstants: ConstantCheck = (values) => {
    for (const check of checks) check(values);
  };
  return {
    statement,
    query,
    plan,
    graph,
    direct,
    scans,
    engine,
    labelled,
    rules: rules?.linesFor(plan) ?? [],
    ...(flow !== undefined && { flow }),
    ...(checks.length > 0 && { checkConstants }),
  };
}

/** @param filtered false: without row filters, for what looks at the statement's own conditions */
function bindUnder(
  statement: ast.Statement,
  catalog: CatalogReader,
  rules?: DatabasePolicy,
  filtered = true,
): BoundQuery {
  if (rules === undefined) return bind(statement, catalog, { checkFunction: refuseSequences });
  const { checkFunction, ...options } = rules.bindOptions(filtered);
  return bind(statement, rules.catalog, {
    ...options,
    checkFunction: (fn, position) => {
      checkFunction(fn, position);
      refuseSequences(fn, position);
    },
  });
}

function scansIn(plan: LogicalPlan): Scan[] {
  const scans = new Map<number, Scan>();
  for (const node of plansWithin(plan)) if (node.kind === "Scan") scans.set(node.id, node);
  return [...scans.values()].sort((a, b) => (a.position ?? 0) - (b.position ?? 0));
}

/** How many texts are kept parsed and planned. */
const maxCached = 200;

/** Statements by text; a change of the catalog, and one of the statistics that matters to plans, makes all of them anew. */
export class StatementCache {
  private readonly texts = new Map<string, readonly ast.Statement[]>();
  private readonly queries = new WeakMap<ast.Statement, { version: string; prepared: PreparedQuery }>();

  parse(sql: string): readonly ast.Statement[] {
    const known = this.texts.get(sql);
    if (known !== undefined) {
      this.texts.delete(sql);
      this.texts.set(sql, known);
      return known;
    }
    const statements = parse(sql);
    this.texts.set(sql, statements);
    if (this.texts.size > maxCached) {
      const [oldest] = this.texts.keys();
      this.texts.delete(oldest);
    }
    return statements;
  }

  /** @param statistics version of what estimates are made of */
  prepare(
    statement: ast.Statement,
    catalog: CatalogReader,
    policy: Policy,
    statistics: number,
    rules?: DatabasePolicy,
    flows?: SessionFlows,
  ): PreparedQuery {
    const version = `${catalog.version}/${statistics}/${flows?.version ?? ""}`;
    const known = this.queries.get(statement);
    if (known !== undefined && known.version === version) return known.prepared;
    const prepared = prepareQuery(statement, catalog, policy, rules, flows);
    this.queries.set(statement, { version, prepared });
    return prepared;
  }
}
