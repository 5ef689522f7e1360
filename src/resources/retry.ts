/**
 * Tries a read again. Only errors that say that another attempt may succeed are tried again, and never beyond the
 * statement's time: the answer would come too late, so the error comes at once and names the wait that was asked for.
 *
 * A loop of its own: the wait that a service asks for goes before the back-off, an error is one by its `retryable`
 * whatever its class (a general library takes a TypeError for a mistake of the caller), and what was thrown stays what it is.
 */
import type { RetryOptions } from "./resource.js";
import type { StopSignal } from "./stop-signal.js";
import { maxTimerMs } from "./timer.js";

/** What holds where a resource does not say. */
export const retryDefaults = { retries: 2, minDelayMs: 200, maxDelayMs: 10_000 };

export interface RetryPlan {
  readonly options: RetryOptions | undefined;
  /** `Date.now()` when the statement's time is over. */
  readonly deadlineMs: number;
  readonly signal: StopSignal;
  /** Is told before each wait. */
  onRetry?(retry: { readonly attempt: number; readonly delayMs: number; readonly error: unknown }): void;
}

/** What stopped the attempts, beside the last error itself. */
export interface GivenUp {
  readonly error: unknown;
  /** Attempts made. */
  readonly attempts: number;
  /** The wait before another attempt would have ended after the statement. */
  readonly tooLong?: { readonly delayMs: number; readonly leftMs: number };
}

/** Thrown by {@link withRetry} when the last attempt failed. */
export class AttemptsFailed extends Error {
  constructor(readonly outcome: GivenUp) {
    super("every attempt failed", { cause: outcome.error });
  }
}

/**
 * @param attempt gets its number, from 1
 * @throws AttemptsFailed with the last error; the signal's reason when it is aborted meanwhile
 */
export async function withRetry<T>(attempt: (number: number) => Promise<T>, plan: RetryPlan): Promise<T> {
  const { options, signal } = plan;
  const retries = options?.retries ?? retryDefaults.retries;
  for (let number = 1; ; number++) {
    try {
      return await attempt(number);
    } catch (error) {
      signal.throwIfAborted();
      if (number > retries || !isRetryable(error, options)) throw new AttemptsFailed({ error, attempts: number });
      const delayMs = askedToWait(error) ?? backOff(number, options);
      const leftMs = plan.deadlineMs - Date.now();
      if (delayMs >= leftMs) throw new AttemptsFailed({ error, attempts: number, tooLong: { delayMs, leftMs } });
      plan.onRetry?.({ attempt: number + 1, delayMs, error });
      await sleep(delayMs, signal);
    }
  }
}

/** Whether another attempt is worth it, by the resource's own word or the error's. */
export function isRetryable(error: unknown, options: RetryOptions | undefined): boolean {
  if (options?.isRetryable !== undefined) return options.isRetryable(error);
  return typeof error === "object" && error !== null && (error as { retryable?: unknown }).retryable === true;
}

/** What the service itself asks for (`Retry-After`), in milliseconds. */
export function askedToWait(error: unknown): number | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const { retryAfterMs } = error as { retryAfterMs?: unknown };
  return typeof retryAfterMs === "number" && retryAfterMs >= 0 ? retryAfterMs : undefined;
}

/** Twice as long each time; between half of it and all of it, so that calls that failed together do not return together. */
function backOff(attempt: number, options: RetryOptions | undefined): number {
  const { minDelayMs = retryDefaults.minDelayMs, maxDelayMs = retryDefaults.maxDelayMs } = options ?? {};
  const delayMs = Math.min(maxDelayMs, minDelayMs * 2 ** (attempt - 1));
  return Math.round(delayMs * (0.5 + Math.random() / 2));
}

/** @throws the signal's reason as soon as it is aborted; the timer is gone then */
function sleep(delayMs: number, signal: StopSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      signal.removeEventListener("abort", giveUp);
      resolve();
    };
    const timer = setTimeout(end, Math.min(delayMs, maxTimerMs));
    const giveUp = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    if (signal.aborted) giveUp();
    else signal.addEventListener("abort", giveUp, { once: true });
  });
}
