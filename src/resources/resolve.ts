/**
 * Carries out a resolution graph: evaluates the arguments of each scan, makes the calls, and hands back the rows of every
 * scan. A scan starts as soon as the scans it depends on are there; independent ones run side by side.
 *
 * When one call fails, the others are told to stop and are waited for, so that nothing runs on after the statement ended.
 */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import type { SessionContext } from "../functions/function.js";
import type { LogicalPlan } from "../planner/plan.js";
import { columnNames, type ResolutionGraph, type ScanCalls } from "../planner/resolution.js";
import { alternativesOf } from "../planner/rules/alternatives.js";
import type { Value } from "../types/value.js";
import { type ArgumentTuples, argumentTuples, callValues } from "./arguments.js";
import type { ResourceCall } from "./call.js";
import type { CallCache } from "./call-cache.js";
import type { CallRecord, ScanFigures } from "./call-record.js";
import { checkExact, rowsWanted } from "./limited-calls.js";
import type { MissingPart, ProgressEvent } from "./progress.js";
import type { Row } from "./resource.js";
import type { Scheduler } from "./scheduler.js";
import { StatementCalls } from "./statement-calls.js";
import { isRegisteredResource, type RegisteredResource } from "./table-info.js";
import { valueIdentity } from "./value-identity.js";

/** What resolving needs from the statement that it is for. */
export interface ResolveContext {
  readonly session: SessionContext;
  readonly cache: CallCache;
  /** Decides when a call starts; one for all statements of the database. */
  readonly scheduler: Scheduler;
  readonly signal: AbortSignal;
  /** `Date.now()` when the statement's time is over. */
  readonly deadlineMs: number;
  readonly actor?: string;
  /** Shared by all resolvers of the statement. */
  readonly shared: Map<string, unknown>;
  readonly limits: { readonly callsPerStatement: number; readonly rows: number };
  /** The database's clock. */
  now(): Date;
  /** Runs a piece of the plan over the rows that are there so far. */
  run(plan: LogicalPlan, rows: ReadonlyMap<number, readonly Row[]>): Promise<readonly (readonly Value[])[]>;
  /** Changes the rows of a table as the session should see them: staged and fired writes laid over. */
  overlay?(table: RegisteredResource, rows: readonly Row[], calls: readonly ResourceCall[]): readonly Row[];
  /**
   * What leaves of a table's rows those that the statement may see; `undefined` where it may see all of them as they are.
   * Nothing of the statement has been evaluated on them before.
   */
  visible?(table: RegisteredResource): ((rows: readonly Row[]) => Promise<readonly Row[]>) | undefined;
  /** Whether `overlay` may change the rows of a table: then no call may leave out rows for a LIMIT. */
  isWritten?(table: RegisteredResource): boolean;
  /** Columns whose values `overlay` may change: no call may ask for some of their values only, unless it can't do without. */
  changedColumns?(table: RegisteredResource): ChangedColumns;
  /** Takes what a partial answer is without; absent when the caller wants whole answers, and a missing part is an error. */
  onMissing?(part: MissingPart): void;
  /** Is told what the calls are doing. What it throws fails the statement. */
  onProgress?(event: ProgressEvent): void;
  /** Is told of each call when it is over, in the order in which they end. */
  onCall?(record: CallRecord): void;
}

/** What the session changed in a table. */
export interface ChangedColumns {
  /** By name: whether the change has reached the service. */
  readonly columns: ReadonlyMap<string, "fired" | "staged">;
  /**
   * The tuples of values to ask the service for, so that it gives all rows which will have one of `tuples` when what is
   * staged has been sent: these, and those that such rows have now. `undefined` where that is not known.
   */
  before(
    columns: readonly string[],
    tuples: readonly (readonly unknown[])[],
  ): readonly (readonly unknown[])[] | undefined;
}

/** What was read for one scan. */
export interface ResolvedScan {
  readonly scan: ScanCalls["scan"];
  readonly rows: readonly Row[];
  /** Column → the values that were passed, over all calls. */
  readonly bindings: Readonly<Record<string, unknown[]>>;
  /** Calls made for it; a call shared with another scan is counted where it was made. */
  readonly invocations: number;
  /** What its calls took; absent for rows that were not called for (direct writes), and where some may be hidden. */
  readonly figures?: ScanFigures;
}

/** @throws SqlError of the first call that failed */
export async function resolve(
  graph: ResolutionGraph,
  context: ResolveContext,
): Promise<ReadonlyMap<number, ResolvedScan>> {
  const calls = new StatementCalls(context);
  const wanted = columnsByTable(graph);
  const done = new Map<number, Promise<ResolvedScan>>();

  const requestsOf = async (scan: ScanCalls["scan"], rows: ReadonlyMap<number, readonly Row[]>) => {
    const table = resourceOf(scan);
    const tuples = await argumentTuples(scan, (plan) => context.run(plan, rows), context.session);
    calls.checkProduct(scan, table, tuples);
    const limit = await rowsWanted(scan, (plan) => context.run(plan, rows));
    return limit === 0 ? [] : requestsFor(scan, table, tuples, wanted.get(table) ?? [], limit, context);
  };
  const resolveScan = async ({ scan, dependsOn }: ScanCalls): Promise<ResolvedScan> => {
    let requests = known.get(scan.id);
    if (requests === undefined) {
      const rows = new Map<number, readonly Row[]>();
      for (const id of dependsOn) rows.set(id, (await (done.get(id) as Promise<ResolvedScan>)).rows);
      requests = await requestsOf(scan, rows);
      calls.plan([{ scan, requests }]);
    }
    const { rows, isFull, figures } = await calls.ask(requests);
    const visible = context.visible?.(resourceOf(scan));
    if (isFull) {
      const run = (plan: LogicalPlan) => context.run(plan, new Map([[scan.id, rows]]));
      await checkExact(scan, requests, run, visible === undefined);
    }
    const seen = context.overlay?.(resourceOf(scan), rows, requests) ?? rows;
    const found = { scan, bindings: mergedBindings(requests), invocations: figures.calls };
    // Figures would tell of rows that the statement must not see.
    return visible === undefined ? { ...found, rows: seen, figures } : { ...found, rows: await visible(seen) };
  };

  // What needs no other rows is counted before the first call: a statement that can't be answered calls nothing.
  const known = new Map<number, readonly ResourceCall[]>();
  const independent = graph.scans.filter(({ dependsOn }) => dependsOn.length === 0);
  for (const { scan } of independent) known.set(scan.id, await requestsOf(scan, new Map()));
  calls.plan(independent.map(({ scan }) => ({ scan, requests: known.get(scan.id) ?? [] })));

  for (const item of graph.scans) {
    const running = resolveScan(item);
    running.catch((error: unknown) => calls.fail(error)); // the first failure stops the rest
    done.set(item.scan.id, running);
  }
  const outcomes = await Promise.allSettled(done.values());
  if (context.signal.aborted) throw calls.cancellation;
  const { failureReason } = calls;
  if (failureReason !== undefined) throw failureReason;
  const resolved = new Map<number, ResolvedScan>();
  for (const outcome of outcomes)
    if (outcome.status === "fulfilled") resolved.set(outcome.value.scan.id, outcome.value);
  return resolved;
}

function resourceOf(scan: ScanCalls["scan"]): RegisteredResource {
  if (isRegisteredResource(scan.table)) return scan.table;
  throw new SqlError(sqlstate.internalError, `table "${scan.table.name}" has no resolver`);
}

/** The calls that a scan asks for. */
function requestsFor(
  scan: ScanCalls["scan"],
  table: RegisteredResource,
  tuples: ArgumentTuples,
  columns: readonly string[],
  limit: number | undefined,
  context: ResolveContext,
): readonly ResourceCall[] {
  // Rows that the session wrote are laid over what is read, and may push out rows that the service would give next.
  const isWritten = context.isWritten?.(table) === true;
  const asked = isWritten ? withoutChanged(tuples, scan, table, context.changedColumns?.(table)) : tuples;
  return callValues(table, asked).map<ResourceCall>((values) => ({
    table,
    values,
    columns,
    ...(asked.quals.length > 0 && { quals: asked.quals }),
    ...(limit !== undefined && !isWritten && { limit }),
    ...(scan.orderBy !== undefined &&
      !isWritten && {
        orderBy: scan.orderBy.map(({ source, descending }) => ({ column: table.columns[source].name, descending })),
      }),
  }));
}

/**
 * The arguments without those on columns that the session changed: the service would leave out a row that has the value
 * only by that change. Keys and what is only an argument stay, since there is no call without them; where a staged update
 * gives a row another key, the service is asked for the old one too.
 * @throws SqlError 0A000 when a needed key has a staged new value and nobody knows the old one
 */
function withoutChanged(
  tuples: ArgumentTuples,
  scan: ScanCalls["scan"],
  table: RegisteredResource,
  changes: ChangedColumns | undefined,
): ArgumentTuples {
  if (changes === undefined || changes.columns.size === 0) return tuples;
  const { columns: changed } = changes;
  const needed = new Set(alternativesOf(table).flat());
  const isKept = (source: number) => {
    const column = table.columns[source];
    return column.requiredKey === true || column.argument === true || needed.has(source) || !changed.has(column.name);
  };
  const sets = tuples.sets.flatMap(({ sources, tuples: values }) => {
    const kept = sources.flatMap((source, i) => (isKept(source) ? [i] : []));
    if (kept.length === 0) return [];
    const left = distinct(values.map((tuple) => kept.map((i) => tuple[i])));
    const names = kept.map((i) => table.columns[sources[i]].name);
    const moved = names.find((name) => changed.get(name) === "staged");
    const asked = moved === undefined ? left : changes.before(names, left);
    if (asked === undefined) throw keyIsStaged(scan, moved as string);
    return [{ sources: kept.map((i) => sources[i]), tuples: distinct(asked) }];
  });
  return { ...tuples, sets, quals: tuples.quals.filter((qual) => !changed.has(qual.column)) };
}

function distinct(tuples: readonly (readonly unknown[])[]): readonly (readonly unknown[])[] {
  return [...new Map(tuples.map((tuple) => [JSON.stringify(tuple.map(valueIdentity)), tuple] as const)).values()];
}

function keyIsStaged(scan: ScanCalls["scan"], column: string): SqlError {
  return new SqlError(
    sqlstate.featureNotSupported,
    `"${scan.table.name}" can't be read by "${column}" while an update of it is staged`,
    {
      position: scan.position,
      detail: "The service still has the rows under their old values, which the staged update does not say.",
      hint: "COMMIT or ROLLBACK first; scratchpad.staged_writes shows what waits.",
    },
  );
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
