/**
 * Makes the calls of one statement: within its budget, shared when identical, when the scheduler lets them, tried again,
 * counted and reported. The first call that fails stops the others, unless the caller takes an answer without it.
 */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import type { ScanCalls } from "../planner/resolution.js";
import { attempt } from "./attempt.js";
import { bindingsOf, callIdentity, canceled, errorWords, type ResourceCall } from "./call.js";
import { CallBudget, type ScanDemand } from "./call-budget.js";
import type { CallAnswer } from "./call-cache.js";
import { callFailed, isMissingPart, type OtherCalls, withCalls, withOtherCalls } from "./call-errors.js";
import { type CallRecord, type CallStatus, estimatedBytes, type ScanFigures } from "./call-record.js";
import { foreignRows } from "./limited-calls.js";
import { ownRows } from "./own-rows.js";
import type { MissingPart, ProgressEvent } from "./progress.js";
import type { ResolveContext } from "./resolve.js";
import type { Row } from "./resource.js";
import { AttemptsFailed, askedToWait, retryDefaults, withRetry } from "./retry.js";
import type { Place } from "./scheduler.js";
import { SharedSignal } from "./stop-signal.js";

/** What the calls of a scan gave. */
export interface ScanAnswer {
  readonly rows: readonly Row[];
  /** One of the calls gave as many rows as its limit: it may have had more. */
  readonly isFull: boolean;
  readonly figures: ScanFigures;
}

export class StatementCalls {
  /** Aborted with the statement, and when one of its calls fails. */
  readonly signal: AbortSignal;
  private readonly failure = new AbortController();
  private readonly shared: SharedSignal;
  private stopped: SqlError | undefined;
  private readonly budget: CallBudget;
  private readonly spent = new Set<string>();
  private readonly fates = { answered: 0, failed: 0, stopped: 0, notMade: 0 };
  private failedCall: SqlError | undefined;
  private rowsHeld = 0;

  constructor(private readonly context: ResolveContext) {
    this.signal = AbortSignal.any([context.signal, this.failure.signal]);
    this.shared = new SharedSignal(this.signal);
    this.budget = new CallBudget(context.limits.callsPerStatement);
  }

  /** Stops all calls. The first reason counts. */
  fail(reason: unknown): void {
    this.failure.abort(reason);
  }

  /** Why the statement can't be answered; `undefined` as long as it can. */
  get failureReason(): unknown {
    if (!this.failure.signal.aborted) return undefined;
    const { reason } = this.failure.signal;
    if (reason !== this.failedCall || this.failedCall === undefined) return reason;
    const others: OtherCalls = { ...this.fates, failed: this.fates.failed - 1 };
    return withOtherCalls(this.failedCall, others);
  }

  /** The error of the statement that was canceled. */
  get cancellation(): SqlError {
    const error = canceled(this.context.signal);
    // A reason that somebody gave is passed on as it is.
    return error === this.context.signal.reason ? error : withCalls(error, this.fates);
  }

  /** Counts calls that are not made yet. @throws SqlError 53400 when they are too many for the statement */
  plan(scans: readonly { readonly scan: ScanCalls["scan"]; readonly requests: readonly ResourceCall[] }[]): void {
    const added = new Set<string>();
    const demands = scans.map<ScanDemand>(({ scan, requests }) => {
      let fresh = 0;
      for (const request of requests) {
        const identity = this.identityOf(request);
        const isAsked = this.spent.has(identity) || added.has(identity);
        if (isAsked || this.context.cache.has(identity, request.table)) continue;
        added.add(identity);
        fresh += 1;
      }
      return { scan, requests, fresh };
    });
    this.budget.spend(demands);
    for (const identity of added) this.spent.add(identity);
  }

  /** See {@link CallBudget.checkProduct}. */
  checkProduct(...args: Parameters<CallBudget["checkProduct"]>): void {
    this.budget.checkProduct(...args);
  }

  /**
   * Makes the calls of a scan, or takes the answers of identical ones.
   * @throws SqlError of the first that failed, when all have ended
   */
  async ask(requests: readonly ResourceCall[]): Promise<ScanAnswer> {
    const asked = requests.map((call) => ({
      call,
      ...this.context.cache.share(this.identityOf(call), call.table, () => this.make(call)),
    }));
    const outcomes = await Promise.allSettled(asked.map(({ answer }) => answer));
    const rows: Row[] = [];
    let isFull = false;
    const own = ownRows(requests, this.context.session);
    const figures = { calls: 0, cached: 0, pages: 0, rows: 0, bytes: 0, durationMs: 0, waitedMs: 0, retries: 0 };
    for (const [i, outcome] of outcomes.entries()) {
      if (outcome.status === "rejected") throw outcome.reason;
      const { value: answer } = outcome;
      const kept = own(asked[i].call, answer.rows);
      for (const row of kept) rows.push(row);
      // Fewer rows are all there are, and a service that gives more has not looked at the limit: it gives all, too.
      if (answer.rows.length === asked[i].call.limit) {
        if (kept.length < answer.rows.length) throw foreignRows(asked[i].call);
        isFull = true;
      }
      figures.rows += answer.rows.length;
      figures.bytes += answer.bytes;
      if (asked[i].made) {
        figures.calls += 1;
        figures.pages += answer.pages;
        figures.durationMs += answer.durationMs;
        figures.waitedMs += answer.waitedMs;
        figures.retries += answer.retries;
      } else {
        figures.cached += 1;
        this.record(asked[i].call, new Run(this.context.now()), "cached", answer);
      }
    }
    return { rows, isFull, figures };
  }

  /** One principal never sees what was fetched for another. */
  private identityOf(call: ResourceCall): string {
    return `${JSON.stringify(this.context.actor ?? null)}${callIdentity(call)}`;
  }

  private async make(call: ResourceCall): Promise<CallAnswer> {
    const run = new Run(this.context.now());
    try {
      const rows = await withRetry(() => this.attemptOnce(call, run), {
        options: call.table.resource.retry,
        deadlineMs: this.context.deadlineMs,
        signal: this.shared,
        onRetry: ({ attempt: number, error }) => {
          run.retries += 1;
          run.leave(); // one that waits for its next attempt keeps no other from starting
          this.report(call, "retry", { done: number, note: errorWords(error) });
        },
      });
      const answer = run.answer(rows);
      this.fates.answered += 1;
      this.record(call, run, "answered", answer);
      this.report(call, "done", { done: rows.length });
      return answer;
    } catch (error) {
      return this.giveUp(call, run, error);
    } finally {
      run.leave(); // not before a failure has stopped the calls that wait for the place
    }
  }

  /** @returns an answer without the rows, where the caller takes one. @throws SqlError otherwise */
  private giveUp(call: ResourceCall, run: Run, error: unknown): CallAnswer {
    if (this.signal.aborted) {
      if (run.started === undefined) this.fates.notMade += 1;
      else this.fates.stopped += 1;
      this.record(call, run, "canceled", run.answer([]));
      if (!this.context.signal.aborted) throw this.failure.signal.reason;
      // One error for all calls that are given up: a thousand of them would each look at the stack.
      this.stopped ??= canceled(this.context.signal);
      throw this.stopped;
    }
    const given = error instanceof AttemptsFailed ? error.outcome : { error, attempts: 1 };
    const failed = callFailed(call, given);
    this.fates.failed += 1;
    const words = [failed.message, failed.detail ?? ""].filter((part) => part !== "").join(": ");
    this.record(call, run, "failed", run.answer([]), words);
    this.report(call, "failed", { note: words });
    if (this.context.onMissing !== undefined && isMissingPart(given.error)) {
      this.context.onMissing({ resource: call.table.name, bindings: bindingsOf(call), reason: words });
      return { ...run.answer([]), isPartial: true };
    }
    this.failedCall ??= failed;
    this.fail(failed);
    throw failed;
  }

  private async attemptOnce(call: ResourceCall, run: Run): Promise<readonly Row[]> {
    const { scheduler, actor, shared } = this.context;
    const place = await scheduler.acquire(call.table, this, this.shared, () => this.report(call, "wait"));
    run.begin(place);
    const missing: MissingPart[] = [];
    try {
      this.report(call, "call");
      const rows = await attempt(call, {
        signal: this.shared,
        shared,
        ...(actor !== undefined && { actor }),
        onPage: (count, total) => {
          run.page(total);
          this.hold(count);
          this.report(call, "page", { done: total });
        },
        onProgress: (done, total, note) =>
          this.report(call, "progress", {
            done,
            ...(total !== undefined && { total }),
            ...(note !== undefined && { note }),
          }),
        onMissing: (part, reason) => {
          missing.push({ resource: call.table.name, bindings: bindingsOf(call), part, reason });
          if (this.context.onMissing === undefined) throw partMissing(call, part, reason);
        },
      });
      // A resolver may have caught what `missing()` threw; its answer is partial all the same.
      const [first] = missing;
      if (first !== undefined && this.context.onMissing === undefined)
        throw partMissing(call, first.part ?? "", first.reason);
      for (const part of missing) this.context.onMissing?.(part);
      run.isPartial = missing.length > 0;
      return rows;
    } catch (error) {
      this.rowsHeld -= run.rows; // what a broken read gave is dropped
      const delayMs = askedToWait(error);
      // A service's wish to be left alone holds up the other calls of its scope no longer than this.
      const maxPauseMs = call.table.resource.retry?.maxDelayMs ?? retryDefaults.maxDelayMs;
      if (delayMs !== undefined) scheduler.pause(call.table, Math.min(delayMs, maxPauseMs));
      throw error;
    } finally {
      run.end();
    }
  }

  /** @throws SqlError 53400 when the answers so far are more than a statement may hold */
  private hold(rows: number): void {
    this.rowsHeld += rows;
    const { rows: most } = this.context.limits;
    if (this.rowsHeld > most) {
      throw new SqlError(sqlstate.configurationLimitExceeded, `statement needs more than ${most} rows in memory`, {
        hint: "Narrow the WHERE clause, add a LIMIT, or aggregate earlier.",
      });
    }
  }

  private report(
    call: ResourceCall,
    kind: ProgressEvent["kind"],
    more: Pick<ProgressEvent, "done" | "total" | "note"> = {},
  ): void {
    const { onProgress } = this.context;
    if (onProgress === undefined || this.signal.aborted) return;
    const calls = { done: this.fates.answered + this.fates.failed, known: this.budget.total };
    try {
      onProgress({ kind, resource: call.table.name, bindings: bindingsOf(call), ...more, calls });
    } catch (error) {
      this.fail(error); // whoever watches may stop the statement; a resolver must not catch it
    }
  }

  private record(call: ResourceCall, run: Run, status: CallStatus, answer: CallAnswer, error?: string): void {
    const { onCall, actor } = this.context;
    if (onCall === undefined) return;
    const isCached = status === "cached";
    const record: CallRecord = {
      resource: call.table.name,
      schema: call.table.schema,
      ...(actor !== undefined && { actor }),
      bindings: bindingsOf(call),
      quals: call.quals ?? [],
      ...(call.limit !== undefined && { limit: call.limit }),
      startedAt: run.askedAt,
      durationMs: isCached ? 0 : answer.durationMs,
      waitedMs: isCached ? 0 : answer.waitedMs,
      pages: isCached ? 0 : answer.pages,
      rows: status === "answered" || isCached ? answer.rows.length : run.rows,
      bytes: answer.bytes,
      retries: isCached ? 0 : answer.retries,
      status,
      ...(error !== undefined && { error }),
    };
    onCall(record);
  }
}

/** One call on its way: what its attempts took so far. */
class Run {
  /** When the first attempt began; `undefined` for a call that was never made. */
  started: number | undefined;
  pages = 0;
  rows = 0;
  retries = 0;
  waitedMs = 0;
  isPartial = false;
  private ended = 0;
  private place: Place | undefined;

  constructor(readonly askedAt: Date) {}

  begin(place: Place): void {
    this.place = place;
    this.started ??= performance.now();
    this.waitedMs += place.waitedMs;
    this.pages = 0;
    this.rows = 0;
  }

  page(rows: number): void {
    this.pages += 1;
    this.rows = rows;
  }

  end(): void {
    this.ended = performance.now();
  }

  leave(): void {
    this.place?.release();
  }

  answer(rows: readonly Row[]): CallAnswer {
    return {
      rows,
      pages: this.pages,
      bytes: estimatedBytes(rows),
      durationMs: this.started === undefined ? 0 : this.ended - this.started,
      waitedMs: this.waitedMs,
      retries: this.retries,
      isPartial: this.isPartial,
    };
  }
}

function partMissing(call: ResourceCall, part: string, reason: string): SqlError {
  return new SqlError(sqlstate.fdwError, `a part of table "${call.table.name}" could not be read`, {
    detail: `${part}: ${reason}`,
    hint: "The program may allow partial answers (allowPartial); they say what is missing.",
  });
}
