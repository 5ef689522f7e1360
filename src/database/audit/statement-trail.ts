/** What one statement leaves behind while it runs: its plan, its calls, its effects; at the end, its record. */
import { SqlError } from "../../errors/sql-error.js";
import { plansWithin } from "../../planner/visit.js";
import type { CallRecord } from "../../resources/call-record.js";
import type { Effect } from "../effect.js";
import type { PreparedQuery } from "../prepare.js";
import { wasCalled } from "../receipt.js";
import { redactedText } from "../redacted.js";
import type { ExecuteResult, Receipt } from "../types.js";
import { asDocument } from "./document.js";
import { planHash } from "./plan-hash.js";
import type {
  AuditRecord,
  CallAuditRecord,
  ReceiptRecord,
  RelationRecord,
  StatementBegin,
  StatementRecord,
} from "./records.js";
import type { IsRedacted } from "./redact-call.js";

/** What a session knows of a statement when it begins. */
export interface TrailBegin {
  readonly sql: string;
  /** See {@link StatementRecord.statement}. */
  readonly statement: string;
  readonly params?: readonly unknown[];
  readonly actor?: string;
  readonly session: number;
}

/** What the trail has from the audit. */
export interface TrailSettings {
  readonly now: () => Date;
  readonly isRedacted: IsRedacted;
  /** Takes the records of calls; absent when nobody listens. */
  write?(record: AuditRecord): Promise<void>;
}

/** One a statement that runs; {@link StatementTrail.end} makes its record. */
export class StatementTrail {
  readonly begun: StatementBegin;
  /** Of the effects that were tried, in order. */
  readonly receipts: Receipt[] = [];
  private readonly at: Date;
  private readonly started = performance.now();
  private prepared: PreparedQuery | undefined;
  private pending: Promise<void> = Promise.resolve();

  constructor(
    private readonly begin: TrailBegin,
    private readonly settings: TrailSettings,
  ) {
    const { sql, actor, session } = begin;
    this.at = settings.now();
    this.begun = { id: globalThis.crypto.randomUUID(), sql, session, ...(actor !== undefined && { actor }) };
  }

  /** The statement is understood, and about to make its calls. */
  planned(prepared: PreparedQuery): void {
    this.prepared = prepared;
  }

  /** A read call ended. */
  called(call: CallRecord): void {
    const { actor } = this.begin;
    this.write(() => ({
      kind: "call",
      statementId: this.begun.id,
      at: call.startedAt.toISOString(),
      ...(actor !== undefined && { actor }),
      relation: `${call.schema}.${call.resource}`,
      op: "select",
      arguments: this.values({ schema: call.schema, name: call.resource }, call.bindings),
      ...(call.quals.length > 0 && {
        quals: call.quals.map(({ column, operator, value }) => ({
          column,
          operator,
          ...(value !== undefined && {
            value: this.value({ schema: call.schema, name: call.resource }, column, value),
          }),
        })),
      }),
      ...(call.limit !== undefined && { limit: call.limit }),
      status: call.status,
      ...(call.error !== undefined && { error: call.error }),
      rows: call.rows,
      pages: call.pages,
      retries: call.retries,
      durationMs: call.durationMs,
    }));
  }

  /** Effects were sent: `receipts` are those of `effects`, in order; what was not tried is no call. */
  fired(effects: readonly Effect[], receipts: readonly Receipt[]): void {
    this.receipts.push(...receipts);
    receipts.forEach((receipt, i) => {
      const effect = effects[i];
      if (wasCalled(receipt) && effect !== undefined) this.write(() => this.effectCall(effect, receipt));
    });
  }

  private effectCall(effect: Effect, receipt: Receipt): CallAuditRecord {
    const { actor } = this.begin;
    const { table } = effect;
    const parts = {
      ...(effect.rows !== undefined && { rows: effect.rows.map((row) => this.values(table, row)) }),
      ...(effect.set !== undefined && { set: this.values(table, effect.set) }),
      ...(effect.match !== undefined && { match: this.values(table, effect.match) }),
    };
    return {
      kind: "call",
      statementId: this.begun.id,
      at: this.settings.now().toISOString(),
      ...(actor !== undefined && { actor }),
      relation: `${table.schema}.${table.name}`,
      op: effect.op,
      arguments: parts,
      status: receipt.status,
      ...(receipt.error !== undefined && { error: receipt.error.message }),
      durationMs: receipt.durationMs ?? 0,
      idempotencyKey: receipt.idempotencyKey,
    };
  }

  /** Resolves when the records of calls are taken. @throws what a sink threw */
  written(): Promise<void> {
    return this.pending;
  }

  /** The record of the statement. Called once, when it has answered or failed; `durationMs` ends here. */
  end(outcome: { readonly result: ExecuteResult } | { readonly error: unknown }): StatementRecord {
    const { actor, params, statement } = this.begin;
    const result = "result" in outcome ? outcome.result : undefined;
    const characters = result === undefined || result.rows.length === 0 ? 0 : lengthOf(result.rows);
    const receipts = this.receipts.length > 0 ? this.receipts : receiptsOf(outcome);
    return {
      kind: "statement",
      id: this.begun.id,
      at: this.at.toISOString(),
      ...(actor !== undefined && { actor }),
      session: this.begin.session,
      sql: this.begin.sql,
      statement,
      ...(params !== undefined && params.length > 0 && { params: this.parameters(params) }),
      ...(this.prepared !== undefined && { planHash: planHash(this.prepared) }),
      relations: this.relations(result),
      status: result === undefined ? "failed" : "ok",
      ...(result?.command !== undefined && { command: result.command }),
      ...("error" in outcome && { error: errorRecord(outcome.error) }),
      ...(receipts.length > 0 && { receipts: receipts.map(receiptRecord) }),
      ...(result?.staged !== undefined && { staged: result.staged.length }),
      rows: result?.rows.length ?? 0,
      characters,
      tokens: Math.ceil(characters / 4),
      durationMs: performance.now() - this.started,
    };
  }

  private write(record: () => CallAuditRecord): void {
    const { write } = this.settings;
    if (write === undefined) return;
    this.pending = this.pending.then(() => write(record()));
    // The failure is for whoever waits for `written()`; until then it must not count as unhandled.
    this.pending.catch(() => undefined);
  }

  /** As the run says it; of a statement that failed, the tables that it names. */
  private relations(result: ExecuteResult | undefined): RelationRecord[] {
    if (result !== undefined) {
      return result.touched.map(({ schema, name, access, op, invocations }) => ({
        relation: `${schema}.${name}`,
        access,
        ...(op !== undefined && { op }),
        calls: invocations,
      }));
    }
    const scans = this.prepared?.scans ?? [];
    return scans.map(({ table }) => ({
      relation: `${table.schema}.${table.name}`,
      access: "read",
      op: "select",
      calls: 0,
    }));
  }

  /** Nobody can tell where a parameter's value comes from: beside a labelled column all of them are left out. */
  private parameters(params: readonly unknown[]): readonly unknown[] {
    const tables = this.prepared === undefined ? [] : tablesOf(this.prepared);
    const isLabelled = tables.some((table) =>
      table.columns.some((column) => this.settings.isRedacted(table, column.name)),
    );
    return params.map((value) => (isLabelled ? redactedText : asDocument(value)));
  }

  private values(
    relation: { readonly schema: string; readonly name: string },
    values: Readonly<Record<string, unknown>>,
  ): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(values).map(([column, value]) => [column, this.value(relation, column, value)]),
    );
  }

  private value(relation: { readonly schema: string; readonly name: string }, column: string, value: unknown): unknown {
    return this.settings.isRedacted(relation, column) ? redactedText : asDocument(value);
  }
}

function tablesOf(prepared: PreparedQuery) {
  return plansWithin(prepared.plan).flatMap((node) =>
    node.kind === "Scan" || node.kind === "Write" || node.kind === "Merge" ? [node.table] : [],
  );
}

/** Rows whose length is taken; a large answer is not written as JSON only to be counted. */
const measuredRows = 200;

function lengthOf(rows: readonly unknown[]): number {
  const measured = rows.slice(0, measuredRows);
  const text = JSON.stringify(measured, (_, value) => (typeof value === "bigint" ? value.toString() : value));
  return Math.round((text.length / measured.length) * rows.length);
}

function receiptsOf(outcome: { readonly result?: ExecuteResult; readonly error?: unknown }): readonly Receipt[] {
  if (outcome.result !== undefined) return outcome.result.receipts ?? [];
  return outcome.error instanceof SqlError ? (outcome.error.receipts ?? []) : [];
}

function receiptRecord({ id, resource, op, status, error, durationMs, idempotencyKey }: Receipt): ReceiptRecord {
  return {
    id,
    resource,
    op,
    status,
    ...(error !== undefined && { error }),
    ...(durationMs !== undefined && { durationMs }),
    idempotencyKey,
  };
}

function errorRecord(error: unknown): { code: string; message: string } {
  if (error instanceof SqlError) return { code: error.code, message: error.message };
  return { code: "XX000", message: error instanceof Error ? error.message : String(error) };
}
