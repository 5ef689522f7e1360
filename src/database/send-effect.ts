/**
 * Sends one effect: its intent is written to the journal, the verb is called, the outcome is written. Nothing is sent before
 * the journal has taken the intent, and nothing is sent twice: only a verb that is declared idempotent is tried again, under
 * the same key.
 */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import { errorWords, untilAborted } from "../resources/call.js";
import { AttemptsFailed, isRetryable, withRetry } from "../resources/retry.js";
import type { Scheduler } from "../resources/scheduler.js";
import { callVerb, type VerbContext } from "./call-verb.js";
import type { Effect } from "./effect.js";
import type { EffectState } from "./journal/effect-state.js";
import { intentOf } from "./journal/intent.js";
import { JournalConflict } from "./journal/journal.js";
import { type Attempt, JournalFailed, type Ledger, type NewOutcome } from "./journal/ledger.js";
import { safeResult } from "./journal/safe-result.js";
import { isIdempotent, receiptBase, withAnswer, withHint } from "./receipt.js";
import type { Receipt } from "./types.js";

/** What sending needs from the session. */
export interface SendContext extends VerbContext {
  /** A write waits for its turn like a read: the service counts both. */
  readonly scheduler: Scheduler;
  readonly journal: Ledger;
  readonly now: () => Date;
  /** `Date.now()` when the statement's time is over; no attempt is waited for beyond it. Default: never. */
  readonly deadlineMs?: number;
}

/** The receipt of an effect that something else than its verb kept from its outcome. Its words are the error's. */
export function brokenReceipt(effect: Effect, id: number, status: "not_tried" | "unknown", error: unknown): Receipt {
  return { ...receiptBase(effect, id), status, error: brokenWords(status, error) };
}

/**
 * @param known what the journal knows of the effect, at rest; `undefined`: nothing
 * @returns the receipt: a failure is told by it, not thrown
 * @throws JournalConflict when somebody else wrote of the effect since; nothing was sent then
 */
export async function sendEffect(
  effect: Effect,
  id: number,
  context: SendContext,
  known?: EffectState,
): Promise<Receipt> {
  const sending = new Sending(effect, context, known);
  const { outcome, answer, hint } = await sending.runOrEnd();
  const words = await sending.end(outcome);
  const { status, error, result, resultTruncated, durationMs } = outcome;
  const receipt: Receipt = {
    ...receiptBase(effect, id),
    status,
    ...(result !== undefined && { result }),
    ...(resultTruncated === true && { resultTruncated }),
    ...(error !== undefined && { error }),
    ...(durationMs !== undefined && { durationMs }),
    ...(sending.calls > 1 && { attempts: sending.calls }),
    ...(words !== undefined && { unjournaled: words }),
  };
  return withHint(withAnswer(receipt, answer), hint);
}

interface Sent {
  readonly outcome: NewOutcome;
  /** As the verb gave it. */
  readonly answer?: unknown;
  /** What the verb's error says to do next. */
  readonly hint?: string | undefined;
}

/** The attempts at one effect. */
class Sending {
  private attempt: Attempt | undefined;
  /** Calls of the verb. */
  calls = 0;
  private started = 0;
  /** A call was sent, and whether it happened is not known. */
  private inDoubt: boolean;
  private failure: unknown;

  constructor(
    private readonly effect: Effect,
    private readonly context: SendContext,
    private readonly known: EffectState | undefined,
  ) {
    this.inDoubt = known !== undefined && (known.inDoubt || known.open.size > 0);
  }

  /** Whatever fails is told by a receipt: effects that fired before this one have receipts that must not be lost. */
  async runOrEnd(): Promise<Sent> {
    try {
      return await this.run();
    } catch (error) {
      if (error instanceof JournalConflict) throw error;
      return { outcome: this.broken(error) };
    }
  }

  /** @returns the words for why the journal has no outcome, if it has none */
  async end(outcome: NewOutcome): Promise<string | undefined> {
    try {
      return await this.attempt?.end(outcome);
    } catch (error) {
      return errorWords(error); // the host's clock threw, for instance: what became of the effect is known all the same
    }
  }

  private broken(error: unknown): NewOutcome {
    const status = this.calls > 0 || this.inDoubt ? "unknown" : "not_tried";
    return { status, error: brokenWords(status, error) };
  }

  private async run(): Promise<Sent> {
    const { signal, deadlineMs = Number.POSITIVE_INFINITY } = this.context;
    const { retry } = this.effect.table.resource;
    try {
      const answer = await withRetry(() => this.once(), {
        options: isIdempotent(this.effect)
          ? { ...retry, isRetryable: (error) => isUnanswered(error) || isRetryable(error, retry) }
          : { retries: 0 },
        deadlineMs,
        signal,
      });
      const { value, truncated } = safeResult(answer);
      return {
        outcome: {
          status: "fired",
          ...(value !== undefined && { result: value }),
          ...(truncated && { resultTruncated: true }),
          durationMs: this.elapsed(),
        },
        answer,
      };
    } catch (error) {
      const reason = error instanceof AttemptsFailed ? error.outcome.error : error;
      return { outcome: this.failed(reason), hint: reason instanceof SqlError ? reason.hint : undefined };
    }
  }

  private async once(): Promise<unknown> {
    const { scheduler, signal } = this.context;
    const place = await scheduler.acquire(this.effect.table, this.context, signal);
    try {
      await this.writeIntent();
      signal.throwIfAborted();
      return await this.call();
    } finally {
      place.release();
    }
  }

  /** Before the first call: one intent stands for all attempts of this process. */
  private async writeIntent(): Promise<void> {
    const { journal, now, actor } = this.context;
    this.attempt ??= await journal.begin(intentOf(this.effect, actor), this.known, now);
  }

  private async call(): Promise<unknown> {
    const { signal } = this.context;
    if (this.calls === 0) this.started = performance.now();
    this.calls += 1;
    const answer = callVerb(this.effect, this.context);
    try {
      return await untilAborted(answer, signal);
    } catch (thrown) {
      const error = readable(thrown);
      this.failure = error;
      if (signal.aborted) this.learnLater(answer);
      if (signal.aborted || isUnanswered(error)) this.inDoubt = true;
      throw error;
    }
  }

  /** An answer that comes after its statement was given up still settles the effect for the journal. */
  private learnLater(answer: Promise<unknown>): void {
    answer.then(
      (late) => {
        const { value, truncated } = safeResult(late);
        return this.end({
          status: "fired",
          ...(value !== undefined && { result: value }),
          ...(truncated && { resultTruncated: true }),
          durationMs: this.elapsed(),
        });
      },
      () => undefined, // a call that was given up fails for that reason: nothing is learnt
    );
  }

  private failed(error: unknown): NewOutcome {
    if (error instanceof JournalConflict) throw error;
    if (error instanceof JournalFailed) {
      const message = `the journal did not take the intent: ${error.message}`;
      return { status: this.inDoubt ? "unknown" : "not_tried", error: { code: sqlstate.ioError, message } };
    }
    const durationMs = this.calls === 0 ? undefined : this.elapsed();
    const timed = durationMs === undefined ? {} : { durationMs };
    if (this.calls === 0) {
      if (!this.context.signal.aborted) return this.broken(error);
      return this.inDoubt
        ? { status: "unknown", error: unanswered("canceled before it was sent again") }
        : { status: "not_tried", error: { code: sqlstate.queryCanceled, message: "canceled before it was sent" } };
    }
    if (this.context.signal.aborted && this.inDoubt)
      return { status: "unknown", error: unanswered("the call was sent and gave no answer in time"), ...timed };
    // Canceled between two attempts: the last one's own error says more.
    const cause = this.context.signal.aborted ? this.failure : error;
    const message = failureWords(cause);
    if (isUnanswered(cause))
      return { status: "unknown", error: { code: sqlstate.statementCompletionUnknown, message }, ...timed };
    if (this.inDoubt)
      return { status: "unknown", error: unanswered(`${message}; an earlier call gave no answer`), ...timed };
    const code = cause instanceof SqlError ? cause.code : sqlstate.fdwError;
    return { status: "failed", error: { code, message }, ...timed };
  }

  private elapsed(): number {
    return performance.now() - this.started;
  }
}

function brokenWords(status: "not_tried" | "unknown", error: unknown): { code: string; message: string } {
  if (status === "unknown") return unanswered(errorWords(error));
  return { code: error instanceof SqlError ? error.code : sqlstate.internalError, message: errorWords(error) };
}

/** What was thrown, unless looking at it throws in turn. */
function readable(thrown: unknown): unknown {
  try {
    if (thrown instanceof SqlError || typeof thrown !== "object" || thrown === null) return thrown;
    // What is looked at later, each by a getter or trap of the service's own.
    for (const name of ["message", "retryable", "retryAfterMs"]) Reflect.get(thrown, name);
    return thrown;
  } catch {
    return new Error(errorWords(thrown));
  }
}

function unanswered(words: string): { code: string; message: string } {
  return { code: sqlstate.statementCompletionUnknown, message: `${words}; it may have happened` };
}

/** The verb itself may know that its call was sent and not answered. */
function isUnanswered(error: unknown): boolean {
  return error instanceof SqlError && error.code === sqlstate.statementCompletionUnknown;
}

/** The error with what the service itself said, which stands in the detail of a database error. */
function failureWords(error: unknown): string {
  const detail = error instanceof SqlError ? error.detail : undefined;
  return detail === undefined ? errorWords(error) : `${errorWords(error)}: ${detail}`;
}
