/**
 * The audit of a database: keeps a record of every statement and hands it, and the calls that it made, to the host's
 * sinks. What a session says of a statement while it runs is gathered by its {@link StatementTrail}.
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type { CallRecord } from "../../resources/call-record.js";
import { RecentByPrincipal } from "../../resources/recent-by-principal.js";
import type { ExecuteResult } from "../types.js";
import type { AuditRecord, AuditSink, StatementRecord } from "./records.js";
import { type IsRedacted, redactCall } from "./redact-call.js";
import { StatementTrail, type TrailBegin } from "./statement-trail.js";

/** Statements remembered of each principal. */
const maxStatements = 1_000;

/** What the audit of a database is made with. */
export interface AuditOptions {
  readonly sinks: readonly AuditSink[];
  readonly isRedacted: IsRedacted;
  readonly now: () => Date;
}

/** One a database; its sessions run their statements in it. */
export class Audit {
  private readonly statements = new RecentByPrincipal<StatementRecord>(maxStatements, () => undefined);

  constructor(private readonly options: AuditOptions) {}

  /** The last 1,000 statements of a principal, oldest first; the one that asks is not among them yet. */
  statementsOf(actor: string | undefined): readonly StatementRecord[] {
    return this.statements.of(actor);
  }

  /**
   * Runs a statement and records it.
   * @throws whatever the statement throws; SqlError 58030 when a sink does not take the records
   */
  async run(begin: TrailBegin, statement: (trail: StatementTrail) => Promise<ExecuteResult>): Promise<ExecuteResult> {
    const { sinks } = this.options;
    const trail = new StatementTrail(begin, {
      now: this.options.now,
      isRedacted: this.options.isRedacted,
      ...(sinks.length > 0 && { write: (record: AuditRecord) => this.write(record) }),
    });
    try {
      for (const sink of sinks) sink.begin?.(trail.begun);
    } catch (cause) {
      throw unrecorded(cause, trail);
    }
    const outcome: Outcome = await statement(trail).then(
      (result) => ({ result }),
      (error: unknown) => ({ error }),
    );
    const record = trail.end(outcome);
    this.statements.add(begin.actor, record);
    try {
      await trail.written();
      await this.write(record);
    } catch (cause) {
      throw unrecorded(cause, trail, "error" in outcome ? outcome.error : undefined);
    }
    if ("error" in outcome) throw outcome.error;
    return outcome.result;
  }

  /** A call as `scratchpad.calls` may remember it. */
  remembered(call: CallRecord): CallRecord {
    return redactCall(call, this.options.isRedacted);
  }

  /** Closes the sinks, one after the other. @throws what closing one throws, when all were closed; of several an AggregateError */
  async close(): Promise<void> {
    const failures: unknown[] = [];
    for (const sink of this.options.sinks) {
      try {
        await sink.close?.();
      } catch (error) {
        failures.push(error); // the others hold files as well
      }
    }
    if (failures.length > 1)
      throw new AggregateError(failures, `${failures.length} sinks of the audit could not be closed`);
    if (failures.length === 1) throw failures[0];
  }

  private async write(record: AuditRecord): Promise<void> {
    for (const sink of this.options.sinks) await sink.write(record);
  }
}

/** What became of a statement. */
type Outcome = { readonly result: ExecuteResult } | { readonly error: unknown };

/** A record was not taken: the caller learns it, how the statement itself failed, and what was fired. */
function unrecorded(cause: unknown, trail: StatementTrail, error?: unknown): SqlError {
  const words = cause instanceof Error ? cause.message : String(cause);
  const failure = error instanceof Error ? ` The statement itself failed: ${error.message}.` : "";
  return new SqlError(sqlstate.ioError, "the audit record of the statement could not be written", {
    detail: `${words}.${failure}`,
    hint:
      trail.receipts.length > 0
        ? "Its effects happened as the receipts say; don't repeat it."
        : "Nothing was written; try again when the host has mended the audit.",
    cause,
    receipts: trail.receipts,
  });
}
