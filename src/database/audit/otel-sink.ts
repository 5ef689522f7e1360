/**
 * Audit records as OpenTelemetry spans: one a statement, under the span that was active when it was sent, and one below it
 * for each call. Attribute names follow OpenTelemetry's semantic conventions for databases (stable since 1.33); what they
 * have no name for starts with `scratchpad.`.
 */
import {
  type Attributes,
  type Context,
  context,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { AuditRecord, AuditSink, CallAuditRecord, StatementBegin, StatementRecord } from "./records.js";

/** Which tracer, and what spans may carry. */
export interface OtelSinkOptions {
  /** Default: the tracer `glove-scratchpad` of the globally registered provider. */
  readonly tracer?: Tracer;
  /** Whether spans carry the text of statements (`db.query.text`). Default true. */
  readonly queryText?: boolean;
}

/** Spans begin when the statement does, so that what resolvers trace by themselves can follow; they never carry arguments. */
export function otelSink(options: OtelSinkOptions = {}): AuditSink {
  const { tracer = trace.getTracer("glove-scratchpad"), queryText = true } = options;
  const open = new Map<string, { readonly span: Span; readonly within: Context }>();
  return {
    begin(statement: StatementBegin) {
      const parent = context.active();
      const span = tracer.startSpan("execute_sql", { kind: SpanKind.INTERNAL }, parent);
      open.set(statement.id, { span, within: trace.setSpan(parent, span) });
    },
    write(record: AuditRecord) {
      if (record.kind === "call") callSpan(tracer, record, open.get(record.statementId)?.within ?? context.active());
      else {
        const span = open.get(record.id)?.span;
        open.delete(record.id);
        if (span !== undefined) endStatement(span, record, queryText);
      }
    },
    close() {
      for (const { span } of open.values()) span.end();
      open.clear();
    },
  };
}

function endStatement(span: Span, record: StatementRecord, queryText: boolean): void {
  if (record.statement !== "") span.updateName(record.statement);
  span.setAttributes({
    "db.system.name": "glove-scratchpad",
    "db.operation.name": record.statement,
    "db.response.returned_rows": record.rows,
    ...(queryText && { "db.query.text": record.sql }),
    ...(record.actor !== undefined && { "enduser.id": record.actor }),
    ...(record.planHash !== undefined && { "scratchpad.plan_hash": record.planHash }),
    ...(record.relations.length > 0 && {
      "scratchpad.relations": [...new Set(record.relations.map(({ relation }) => relation))],
    }),
    ...(record.receipts !== undefined && { "scratchpad.effects": record.receipts.length }),
    ...(record.staged !== undefined && { "scratchpad.staged": record.staged }),
    "scratchpad.session": record.session,
    "scratchpad.tokens": record.tokens,
    ...(record.error !== undefined && {
      "db.response.status_code": record.error.code,
      "error.type": record.error.code,
    }),
  });
  if (record.error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: record.error.message });
  span.end();
}

/** Calls are told when they are over: their span is made with the times that it had. */
function callSpan(tracer: Tracer, record: CallAuditRecord, within: Context): void {
  const startTime = Date.parse(record.at);
  const attributes: Attributes = {
    "db.collection.name": record.relation,
    "db.operation.name": record.op.toUpperCase(),
    "scratchpad.call.status": record.status,
    ...(record.rows !== undefined && { "db.response.returned_rows": record.rows }),
    ...(record.pages !== undefined && { "scratchpad.call.pages": record.pages }),
    ...(record.retries !== undefined && { "scratchpad.call.retries": record.retries }),
    ...(record.idempotencyKey !== undefined && { "scratchpad.call.idempotency_key": record.idempotencyKey }),
  };
  const name = `${record.op.toUpperCase()} ${record.relation}`;
  const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, startTime, attributes }, within);
  if (record.error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: record.error });
  if (record.error !== undefined) span.setAttribute("error.type", record.status);
  span.end(startTime + record.durationMs);
}
