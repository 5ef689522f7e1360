/**
 * The path of one prepared statement: arguments and calls, then the plan over the rows, then the result. What comes
 * before (parse, gate, bind, optimize) stands in `session.ts` and `prepare.ts`.
 */
import { readParameters } from "../backends/parameters.js";
import type { Environment, Relation } from "../engine/environment.js";
import { prepare as preparePlan } from "../engine/run.js";
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import { asSentence } from "../errors/words.js";
import type { SessionContext } from "../functions/function.js";
import type * as ast from "../grammar/ast.js";
import { parse } from "../grammar/parse.js";
import { checkParameterLabels } from "../planner/parameter-labels.js";
import { type BoundQuery, type LogicalPlan, outputOf, type Scan } from "../planner/plan.js";
import { argumentTuples, callValues } from "../resources/arguments.js";
import type { CallCache } from "../resources/call-cache.js";
import type { CallRecord } from "../resources/call-record.js";
import type { MissingPart, ProgressEvent } from "../resources/progress.js";
import { type ChangedColumns, type ResolvedScan, resolve } from "../resources/resolve.js";
import type { Row, SqlScalar } from "../resources/resource.js";
import type { Scheduler } from "../resources/scheduler.js";
import { isRegisteredResource, type RegisteredResource } from "../resources/table-info.js";
import type { Value } from "../types/value.js";
import type { Effect } from "./effect.js";
import { shownBindings } from "./flow/shown.js";
import type { DatabasePolicy } from "./policy/database-policy.js";
import { rawRow, visibleRows } from "./policy/visible-rows.js";
import { underRowFilter } from "./policy/written-rows.js";
import type { PreparedQuery } from "./prepare.js";
import type { Limits, Notice, TouchedRelation } from "./types.js";
import { badValue } from "./write/row-values.js";
import { selectByKey } from "./write/select-by-key.js";
import { StatementWrites } from "./write/statement-writes.js";

/** What a running statement needs from its session. */
export interface StatementContext {
  readonly session: SessionContext;
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
  /** Milliseconds by which the deadline has moved since. */
  stoodStillMs?(): number;
  readonly actor?: string;
  readonly limits: Required<Limits>;
  readonly cache: CallCache;
  readonly scheduler: Scheduler;
  readonly now: () => Date;
  readonly shared: Map<string, unknown>;
  /** Rows of a stored or system relation. */
  storedRows(schema: string, name: string): readonly Row[] | undefined;
  overlay(
    table: RegisteredResource,
    rows: readonly Row[],
    calls: Parameters<NonNullable<Parameters<typeof resolve>[1]["overlay"]>>[2],
  ): readonly Row[];
  /** Whether the session sees rows of the table otherwise than its calls give them. */
  isWritten(table: RegisteredResource): boolean;
  /** Columns that the session sees changed: calls must not ask for some of their values only. */
  changedColumns(table: RegisteredResource): ChangedColumns;
  carryOut(effects: readonly Effect[]): Promise<readonly unknown[]>;
  /** Whether writes wait for COMMIT. */
  readonly staging: boolean;
  /** Those that wait, in order. */
  readonly staged: readonly Effect[];
  /** See `Policy.maxAffectedRows`. */
  readonly maxAffectedRows?: number;
  /** Row filters and masks of the policy; absent for what the database reads for itself. */
  readonly rules?: DatabasePolicy | undefined;
  /** Plans a read that a write turns out to need: of the rows as they are, since what it decides is not shown. */
  prepare(statement: ast.Statement): PreparedQuery;
  /** Takes what a partial answer is without; absent when the caller wants whole answers. */
  onMissing?(part: MissingPart): void;
  onProgress?(event: ProgressEvent): void;
  /** Is told of each call when it is over. */
  onCall?(call: CallRecord): void;
}

/** The answer of a statement, not cut yet. */
export interface StatementResult {
  /** Row objects with host values; at most `maxRows`. */
  readonly rows: Record<string, unknown>[];
  readonly names: readonly string[];
  /** Rows written, for a write. */
  readonly affected?: number;
  readonly touched: readonly TouchedRelation[];
  readonly resolved: ReadonlyMap<number, ResolvedScan>;
  readonly notices?: readonly Notice[];
}

/** @param maxRows rows to give at most; one more than the reader wants tells whether there are more */
export async function executeQuery(
  prepared: PreparedQuery,
  params: readonly unknown[],
  maxRows: number,
  context: StatementContext,
): Promise<StatementResult> {
  const { parameters, resolved } = await resolveForStatement(prepared, params, context);
  const rowsOf = new Map([...resolved].map(([id, scan]) => [id, scan.rows] as const));
  const further: TouchedRelation[] = [];
  const realRows = new Map([...rowsOf].map(([id, rows]) => [id, rows.map(rawRow)] as const));
  const writes = new StatementWrites({
    session: context.session,
    staging: context.staging,
    staged: context.staged,
    plan: prepared.plan,
    ...(context.maxAffectedRows !== undefined && { maxAffectedRows: context.maxAffectedRows }),
    rowsOf: (scan) => realRows.get(scan) ?? [],
    isDirect: (scan) => prepared.direct.has(scan),
    existing: async (table, keys) => {
      const { rows, touched } = await rowsByKey(table, keys, context);
      further.push(...touched);
      return rows;
    },
    carryOut: async (effects) => (await context.carryOut(effects)).map((one) => (one === staged ? undefined : one)),
  });
  const environment: Environment = {
    ...baseEnvironment(rowsOf, parameters, context),
    write: (node, request) => {
      const view = context.rules?.viewOf(node.table);
      if (view?.filter === undefined) return writes.write(node, request);
      const targets = node.targetScan === undefined ? [] : (realRows.get(node.targetScan) ?? []);
      const own = baseEnvironment(new Map(), [], context);
      return underRowFilter(view, node, request, { targets, environment: own }, (checked) =>
        writes.write(node, checked),
      );
    },
    settle: () => writes.settle(),
  };
  const answer = await prepared.engine.run(environment, { maxRows, rows: "objects" }).catch((error: unknown) => {
    throw afterEffects(error, writes.firedCount);
  });
  return {
    rows: answer.rows as Record<string, unknown>[],
    names: answer.names,
    ...(answer.affected !== undefined && { affected: answer.affected }),
    touched: [...touchedReads(prepared, resolved), ...further, ...writes.touched()],
    resolved,
    ...(writes.notices.length > 0 && { notices: writes.notices }),
  };
}

/** Reads the parameters and makes the calls. */
export async function resolveForStatement(
  prepared: PreparedQuery,
  params: readonly unknown[],
  context: StatementContext,
): Promise<{ parameters: readonly Value[]; resolved: ReadonlyMap<number, ResolvedScan> }> {
  const parameters = readParameters(prepared.query, ownParameters(prepared.query, params), context.session);
  checkParameterLabels(prepared.labelled, parameters);
  prepared.checkConstants?.({ session: context.session, parameters });
  return { parameters, resolved: await resolveScans(prepared, parameters, context) };
}

/** A script's parameters serve all its statements: one that uses fewer takes the first ones. */
export function ownParameters(query: BoundQuery, params: readonly unknown[]): readonly unknown[] {
  return params.slice(0, query.parameters.length);
}

/** Makes the calls. Scans of direct writes get rows made of the statement's own key values. */
async function resolveScans(
  prepared: PreparedQuery,
  parameters: readonly Value[],
  context: StatementContext,
): Promise<ReadonlyMap<number, ResolvedScan>> {
  const run = async (plan: LogicalPlan, rows: ReadonlyMap<number, readonly Row[]>) => {
    const output = outputOf(plan);
    const answer = await preparePlan(plan, output).run(baseEnvironment(rows, parameters, context), { rows: "arrays" });
    return answer.rows as readonly (readonly Value[])[];
  };
  const called = { scans: prepared.graph.scans.filter(({ scan }) => !prepared.direct.has(scan.id)) };
  const resolved = new Map(
    await resolve(called, {
      session: context.session,
      cache: context.cache,
      scheduler: context.scheduler,
      signal: context.signal,
      deadlineMs: context.deadlineMs,
      now: context.now,
      shared: context.shared,
      limits: context.limits,
      run,
      overlay: context.overlay,
      visible: (table) => visibleIn(table, context),
      isWritten: context.isWritten,
      changedColumns: context.changedColumns,
      ...(context.onMissing !== undefined && { onMissing: context.onMissing }),
      ...(context.onProgress !== undefined && { onProgress: context.onProgress }),
      ...(context.onCall !== undefined && { onCall: context.onCall }),
      ...(context.actor !== undefined && { actor: context.actor }),
    }),
  );
  for (const { scan } of prepared.graph.scans) {
    if (!prepared.direct.has(scan.id) || !isRegisteredResource(scan.table)) continue;
    const tuples = await argumentTuples(scan, (plan) => run(plan, new Map()), context.session);
    const rows = callValues({ ...scan.table, batchKeys: false }, tuples).flatMap(keyRows);
    resolved.set(scan.id, { scan, rows, bindings: {}, invocations: 0 });
  }
  return resolved;
}

/** Hides and masks rows of a table that the policy has such rules for. */
function visibleIn(table: RegisteredResource, context: StatementContext) {
  const view = context.rules?.viewOf(table);
  if (view === undefined) return undefined;
  return (rows: readonly Row[]) => visibleRows(view, rows, baseEnvironment(new Map(), [], context));
}

/** One row a combination of key values. */
function keyRows(values: ReadonlyMap<string, readonly unknown[]>): Row[] {
  return [...values].reduce<Row[]>(
    (rows, [column, choices]) => rows.flatMap((row) => choices.map((choice) => ({ ...row, [column]: choice }))),
    [{}],
  );
}

/** What a plan over rows at hand is run in; without `write`, so that no effect can come of it. */
export function baseEnvironment(
  rows: ReadonlyMap<number, readonly Row[]>,
  parameters: readonly Value[],
  context: StatementContext,
): Environment {
  const { limits } = context;
  return {
    session: context.session,
    parameters,
    limits: {
      rows: limits.rows,
      bytes: limits.bytes,
      timeMs: Math.max(1, context.deadlineMs - Date.now()),
      ...(context.stoodStillMs !== undefined && { stoodStillMs: context.stoodStillMs }),
      depth: limits.depth,
    },
    signal: context.signal,
    relation: (scan) => relationOf(scan, rows, context),
  };
}

function relationOf(scan: Scan, rows: ReadonlyMap<number, readonly Row[]>, context: StatementContext): Relation {
  const { table } = scan;
  const found = isRegisteredResource(table) ? rows.get(scan.id) : context.storedRows(table.schema, table.name);
  if (found === undefined) throw new SqlError(sqlstate.internalError, `no rows at hand for table "${table.name}"`);
  return {
    kind: "objects",
    rows: found,
    columns: table.columns.map((column) => ({
      name: column.name,
      type: column.type,
      typmod: column.typmod,
      ...(isRegisteredResource(table) && {
        onBadValue: (row: number, value: unknown) => badValue(table, column.name, column.type.display, value, row),
      }),
    })),
  };
}

/**
 * Rows of a table by their primary keys, with what the session wrote laid over. All of them and as they are: a row that the
 * policy hides conflicts as well, and is refused there.
 */
async function rowsByKey(
  table: RegisteredResource,
  keys: readonly (readonly Value[])[],
  context: StatementContext,
): Promise<{ rows: readonly (readonly Value[])[]; touched: readonly TouchedRelation[] }> {
  if (keys.length === 0) return { rows: [], touched: [] };
  const { sql, params } = selectByKey(table, keys, context.session);
  const prepared = context.prepare(parse(sql)[0]);
  const { parameters, resolved } = await resolveForStatement(prepared, params, { ...context, rules: undefined });
  const rowsOf = new Map([...resolved].map(([id, scan]) => [id, scan.rows] as const));
  const answer = await prepared.engine.run(baseEnvironment(rowsOf, parameters, context), { rows: "arrays" });
  return { rows: answer.rows as readonly (readonly Value[])[], touched: touchedReads(prepared, resolved) };
}

/** What fails once the writes are out has to say so: whoever tries again would write twice. */
function afterEffects(error: unknown, fired: number): unknown {
  if (fired === 0 || !(error instanceof SqlError)) return error;
  return new SqlError(error.code, error.message, {
    ...(error.position !== undefined && { position: error.position }),
    detail: [asSentence(error.detail ?? ""), `The statement's writes have happened all the same: ${fired}.`]
      .filter((part) => part !== "")
      .join(" "),
    hint: "Do not send it again. RETURNING could not be computed over what the service answered; read the rows with SELECT.",
    cause: error,
  });
}

/** What `carryOut` gives for an effect that waits for COMMIT. */
export const staged: unique symbol = Symbol("staged");

/** One entry for each table reference that is read, in the order of the text, with the arguments as they may be shown. */
export function touchedReads(prepared: PreparedQuery, resolved: ReadonlyMap<number, ResolvedScan>): TouchedRelation[] {
  return scansOf(prepared).map((scan) => {
    const read = resolved.get(scan.id);
    return {
      name: scan.table.name,
      schema: scan.table.schema,
      source: scan.table.kind === "resource" ? "virtual" : "stored",
      access: "read",
      op: "select",
      volatility: scan.table.volatility,
      bindings: shownBindings(prepared.flow, scan, (read?.bindings ?? {}) as Record<string, SqlScalar[]>),
      invocations: read?.invocations ?? 0,
    };
  });
}

/** The scans of a statement in the order of their text; those of direct writes read nothing. */
function scansOf(prepared: PreparedQuery): Scan[] {
  return prepared.scans.filter((scan) => !prepared.direct.has(scan.id));
}
