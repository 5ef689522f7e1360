/**
 * An effect: one call of a writing verb with its final arguments, whether it fires now or waits for COMMIT.
 */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import { quoteName } from "../grammar/deparse.js";
import { sqlLiteral } from "../resources/argument-text.js";
import { createBindings } from "../resources/bindings.js";
import { errorWords, untilAborted } from "../resources/call.js";
import type { ResourceContext, Row, SqlScalar } from "../resources/resource.js";
import type { Place, Scheduler } from "../resources/scheduler.js";
import type { RegisteredResource } from "../resources/table-info.js";
import type { Receipt, StagedWriteView } from "./types.js";

export interface Effect {
  readonly table: RegisteredResource;
  readonly op: "insert" | "update" | "delete";
  /** insert: rows as results show them. */
  readonly rows?: readonly Row[];
  /** insert: the same rows as the verb gets them (decoded by the schema). */
  readonly decodedRows?: readonly Row[];
  readonly set?: Row;
  readonly decodedSet?: Row;
  /** update, delete: column → its value as results show it. */
  readonly match?: Row;
  /** The same as the verb gets it. */
  readonly decodedMatch?: Row;
  readonly idempotencyKey: string;
}

/** What firing needs from the session. */
export interface FireContext {
  readonly signal: AbortSignal;
  /** A write waits for its turn like a read: the service counts both. */
  readonly scheduler: Scheduler;
  readonly actor?: string;
  readonly shared: Map<string, unknown>;
}

/** Fires the effect once; what the verb answered is the receipt's result. A failure is told by the receipt, not thrown. */
export async function fire(effect: Effect, id: number, context: FireContext): Promise<Receipt> {
  const receipt = { id, resource: effect.table.name, op: effect.op, idempotencyKey: effect.idempotencyKey };
  let place: Place;
  try {
    place = await context.scheduler.acquire(effect.table, context, context.signal);
  } catch (error) {
    if (!context.signal.aborted) throw error;
    return {
      ...receipt,
      status: "not_tried",
      error: { code: sqlstate.queryCanceled, message: "canceled before it was sent" },
    };
  }
  const started = performance.now();
  try {
    const result = await untilAborted(Promise.resolve(invokeVerb(effect, context)), context.signal);
    return { ...receipt, status: "fired", result, durationMs: performance.now() - started };
  } catch (error) {
    const durationMs = performance.now() - started;
    if (context.signal.aborted) {
      // It was sent and nothing came back: whether it happened is not known.
      const message = "the call was sent and gave no answer in time; it may have happened";
      return {
        ...receipt,
        status: "unknown",
        error: { code: sqlstate.statementCompletionUnknown, message },
        durationMs,
      };
    }
    const code = error instanceof SqlError ? error.code : sqlstate.fdwError;
    // The verb itself may know that its call was sent and not answered.
    const status = code === sqlstate.statementCompletionUnknown ? "unknown" : "failed";
    return { ...receipt, status, error: { code, message: failureWords(error) }, durationMs };
  } finally {
    place.release();
  }
}

/** The error with what the service itself said, which stands in the detail of a database error. */
function failureWords(error: unknown): string {
  const detail = error instanceof SqlError ? error.detail : undefined;
  return detail === undefined ? errorWords(error) : `${errorWords(error)}: ${detail}`;
}

async function invokeVerb(effect: Effect, context: FireContext): Promise<unknown> {
  const { resource } = effect.table;
  const resourceContext: ResourceContext = {
    signal: context.signal,
    cache: context.shared,
    idempotencyKey: effect.idempotencyKey,
    ...(context.actor !== undefined && { actor: context.actor }),
    progress: () => undefined,
    missing: () => {
      throw new TypeError("missing() is for reads: a write happens as a whole or fails");
    },
  };
  switch (effect.op) {
    case "insert":
      return resource.insert?.([...(effect.decodedRows ?? [])], resourceContext);
    case "update":
      return resource.update?.({ ...effect.decodedSet }, matchBindings(effect), resourceContext);
    case "delete":
      return resource.delete?.(matchBindings(effect), resourceContext);
  }
}

function matchBindings(effect: Effect) {
  return createBindings(new Map(Object.entries(effect.decodedMatch ?? {}).map(([column, value]) => [column, [value]])));
}

/** The effect as the reader of `preview()` sees it. */
export function viewOf(effect: Effect, id: number): StagedWriteView {
  return {
    id,
    resource: effect.table.name,
    op: effect.op,
    sql: effectSql(effect),
    ...(effect.rows !== undefined && { rows: effect.rows.map((row) => ({ ...row })) }),
    ...(effect.set !== undefined && { set: { ...effect.set } }),
    ...(effect.match !== undefined && {
      bindings: Object.fromEntries(
        Object.entries(effect.match).map(([column, value]) => [column, [value as SqlScalar]]),
      ),
    }),
    idempotencyKey: effect.idempotencyKey,
  };
}

/** The effect as one SQL statement. */
function effectSql(effect: Effect): string {
  const table = quoteName(effect.table.name);
  switch (effect.op) {
    case "insert": {
      const columns = Object.keys(effect.rows?.[0] ?? {});
      const rows = (effect.rows ?? []).map((row) => `(${columns.map((column) => sqlLiteral(row[column])).join(", ")})`);
      return `INSERT INTO ${table} (${columns.map(quoteName).join(", ")}) VALUES ${rows.join(", ")}`;
    }
    case "update":
      return `UPDATE ${table} SET ${equalities(effect.set, ", ")} WHERE ${equalities(effect.match, " AND ")}`;
    case "delete":
      return `DELETE FROM ${table} WHERE ${equalities(effect.match, " AND ")}`;
  }
}

function equalities(values: Row | undefined, separator: string): string {
  return Object.entries(values ?? {})
    .map(([column, value]) => `${quoteName(column)} = ${sqlLiteral(value)}`)
    .join(separator);
}
