/**
 * Carries out a resolution graph: evaluates the arguments of each scan, makes the calls, and hands back the rows of every
 * scan. A scan starts as soon as the scans it depends on are there; independent ones run side by side.
 *
 * When one call fails, the others are told to stop and are waited for, so that nothing runs on after the statement ended.
 */
import pLimit from "p-limit";
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import type { SessionContext } from "../functions/function.js";
import type { LogicalPlan } from "../planner/plan.js";
import { columnNames, type ResolutionGraph, type ScanCalls } from "../planner/resolution.js";
import type { Value } from "../types/value.js";
import { type ArgumentTuples, argumentTuples, callValues } from "./arguments.js";
import { callIdentity, canceled, invoke, type ResourceCall } from "./call.js";
import type { CallCache } from "./call-cache.js";
import type { CallRecord, ScanFigures } from "./call-record.js";
import type { ResourceContext, Row } from "./resource.js";
import { isRegisteredResource, type RegisteredResource } from "./table-info.js";

/** What resolving needs from the statement that it is for. */
export interface ResolveContext {
  readonly session: SessionContext;
  readonly cache: CallCache;
  readonly signal: AbortSignal;
  readonly actor?: string;
  /** Shared by all resolvers of the statement. */
  readonly shared: Map<string, unknown>;
  readonly limits: { readonly callsPerStatement: number; readonly concurrency: number };
  /** Runs a piece of the plan over the rows that are there so far. */
  run(plan: LogicalPlan, rows: ReadonlyMap<number, readonly Row[]>): Promise<readonly (readonly Value[])[]>;
  /** Changes the rows of a table as the session should see them: staged and fired writes laid over. */
  overlay?(table: RegisteredResource, rows: readonly Row[], calls: readonly ResourceCall[]): readonly Row[];
  progress?(table: string, done: number, total?: number, note?: string): void;
  /** Is told of each call when it is over, in the order in which they end. */
  onCall?(record: CallRecord): void;
}

/** What was read for one scan. */
export interface ResolvedScan {
  readonly scan: ScanCalls["scan"];
  readonly rows: readonly Row[];
  /** Column → the values that were passed, over all calls. */
  readonly bindings: Readonly<Record<string, unknown[]>>;
  /** Calls made for it; a call shared with another scan is counted where it was made. */
  readonly invocations: number;
  /** What its calls took; absent for rows that were not called for (direct writes). */
  readonly figures?: ScanFigures;
}

/** @throws SqlError of the first call that failed */
export async function resolve(
  graph: ResolutionGraph,
  context: ResolveContext,
): Promise<ReadonlyMap<number, ResolvedScan>> {
  const failure = new AbortController();
  const signal = AbortSignal.any([context.signal, failure.signal]);
  const limit = pLimit(context.limits.concurrency);
  const wanted = columnsByTable(graph);
  const done = new Map<number, Promise<ResolvedScan>>();
  let calls = 0;

  const resolveScan = async ({ scan, dependsOn }: ScanCalls): Promise<ResolvedScan> => {
    const rows = new Map<number, readonly Row[]>();
    for (const id of dependsOn) rows.set(id, (await (done.get(id) as Promise<ResolvedScan>)).rows);
    if (!isRegisteredResource(scan.table))
      throw new SqlError(sqlstate.internalError, `table "${scan.table.name}" has no resolver`);
    const table = scan.table;
    const tuples: ArgumentTuples = await argumentTuples(scan, (plan) => context.run(plan, rows), context.session);
    const requests = callValues(table, tuples).map<ResourceCall>((values) => ({
      table,
      values,
      columns: wanted.get(table) ?? [],
      ...(tuples.quals.length > 0 && { quals: tuples.quals }),
      ...(scan.fetch !== undefined && { limit: scan.fetch }),
      ...(scan.orderBy !== undefined && {
        orderBy: scan.orderBy.map(({ source, descending }) => ({ column: table.columns[source].name, descending })),
      }),
    }));
    calls += requests.length;
    if (calls > context.limits.callsPerStatement) throw tooManyCalls(scan, calls, context.limits.callsPerStatement);
    let invocations = 0;
    const answers = requests.map((call) => {
      const { rows: shared, made } = context.cache.share(identityFor(call, context.actor), table.volatility, () =>
        limit(() => invoke(call, resourceContext(call, context, signal))),
      );
      if (made) invocations += 1;
      return shared;
    });
    const read = (await Promise.all(answers)).flat();
    const seen = context.overlay?.(table, read, requests) ?? read;
    return { scan, rows: seen, bindings: mergedBindings(requests), invocations };
  };

  for (const item of graph.scans) {
    const running = resolveScan(item);
    running.catch((error: unknown) => failure.abort(error)); // the first failure stops the rest
    done.set(item.scan.id, running);
  }
  const outcomes = await Promise.allSettled(done.values());
  if (context.signal.aborted) throw canceled(context.signal);
  if (failure.signal.aborted) throw failure.signal.reason;
  const resolved = new Map<number, ResolvedScan>();
  for (const outcome of outcomes)
    if (outcome.status === "fulfilled") resolved.set(outcome.value.scan.id, outcome.value);
  return resolved;
}

/** One principal never sees what was fetched for another. */
function identityFor(call: ResourceCall, actor: string | undefined): string {
  return `${JSON.stringify(actor ?? null)}${callIdentity(call)}`;
}

/** All scans of one table ask for the same columns, so that identical arguments stay identical calls. */
function columnsByTable(graph: ResolutionGraph): Map<RegisteredResource, string[]> {
  const wanted = new Map<RegisteredResource, Set<string>>();
  for (const { scan } of graph.scans) {
    if (!isRegisteredResource(scan.table)) continue;
    const columns = wanted.get(scan.table) ?? new Set();
    for (const name of columnNames(scan)) columns.add(name);
    wanted.set(scan.table, columns);
  }
  return new Map([...wanted].map(([table, columns]) => [table, [...columns]]));
}

function resourceContext(call: ResourceCall, context: ResolveContext, signal: AbortSignal): ResourceContext {
  return {
    signal,
    cache: context.shared,
    columns: call.columns,
    ...(context.actor !== undefined && { actor: context.actor }),
    ...(call.limit !== undefined && { limit: call.limit }),
    ...(call.orderBy !== undefined && { orderBy: call.orderBy }),
    progress: (done, total, note) => context.progress?.(call.table.name, done, total, note),
    missing: (part, reason) => {
      throw new SqlError(sqlstate.fdwError, `a part of table "${call.table.name}" could not be read`, {
        detail: `${part}: ${reason}`,
      });
    },
  };
}

function mergedBindings(calls: readonly ResourceCall[]): Record<string, unknown[]> {
  const merged = new Map<string, Set<unknown>>();
  for (const call of calls) {
    for (const [column, values] of call.values) {
      const known = merged.get(column) ?? new Set();
      for (const value of values) known.add(value);
      merged.set(column, known);
    }
  }
  return Object.fromEntries([...merged].map(([column, values]) => [column, [...values]]));
}

function tooManyCalls(scan: ScanCalls["scan"], calls: number, limit: number): SqlError {
  return new SqlError(sqlstate.configurationLimitExceeded, `the statement would make more than ${limit} calls`, {
    position: scan.position,
    detail: `Table "${scan.table.name}" alone brings it to ${calls}: one call for each value of its keys.`,
    hint: "Narrow the rows that the keys come from with WHERE or LIMIT, or raise limits.callsPerStatement.",
  });
}
