/**
 * One attempt at a call: the resolver is invoked with a signal and a clock of its own, and its answer is read to the end.
 * A resolver that does not look at its signal is left to itself: the attempt ends when its time is over.
 */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import { createBindings } from "./bindings.js";
import { type ResourceCall, untilAborted } from "./call.js";
import { invokedBy } from "./nested-statements.js";
import { dropAnswer, readRows } from "./read-rows.js";
import type { ResourceContext, Row } from "./resource.js";
import type { StopSignal } from "./stop-signal.js";
import { maxTimerMs } from "./timer.js";

/** What an attempt needs from its statement. */
export interface AttemptContext {
  /** Ends the attempt from outside. */
  readonly signal: StopSignal;
  readonly actor?: string;
  readonly shared: Map<string, unknown>;
  onPage(rows: number, total: number): void;
  onProgress(done: number, total?: number, note?: string): void;
  /** The resolver could not have a part. May throw, which the resolver then sees. */
  onMissing(part: string, reason: string): void;
}

/**
 * @returns the rows, with the key columns that the resolver left out filled in from the arguments
 * @throws whatever the resolver threw; SqlError HV000 when its time is over; the reason of the context's signal
 */
export async function attempt(call: ResourceCall, context: AttemptContext): Promise<readonly Row[]> {
  const { resource, name } = call.table;
  const select = resource.select;
  if (select === undefined) throw new SqlError(sqlstate.objectNotInPrerequisiteState, `table "${name}" cannot be read`);
  context.signal.throwIfAborted();
  const clock = new CallClock(call, context.signal);
  const invoke = <T>(run: () => T): T => invokedBy(context.shared, clock.signal, run);
  try {
    const asked = invoked(() =>
      invoke(() => select.call(resource, createBindings(call.values, call.quals), resourceContext())),
    );
    asked.then(
      (late) => {
        if (clock.signal.aborted) dropAnswer(late);
      },
      () => undefined, // told below, or the call is over
    );
    const answer = await untilAborted(asked, clock.signal);
    return await readRows(call, answer, {
      signal: clock.signal,
      invoke,
      onPage: (rows, total) => {
        clock.touch();
        context.onPage(rows, total);
      },
    });
  } finally {
    clock.stop();
  }

  function resourceContext(): ResourceContext {
    return {
      signal: clock.signal,
      cache: context.shared,
      columns: call.columns,
      ...(context.actor !== undefined && { actor: context.actor }),
      ...(call.limit !== undefined && { limit: call.limit }),
      ...(call.orderBy !== undefined && { orderBy: call.orderBy }),
      // What a resolver says after its call is over concerns no statement any more.
      progress: (done, total, note) => {
        if (clock.isStopped) return;
        clock.touch();
        context.onProgress(done, total, note);
      },
      missing: (part, reason) => {
        if (!clock.isStopped) context.onMissing(part, reason);
      },
    };
  }
}

/** A resolver may throw before it gives a promise. */
async function invoked(select: () => unknown): Promise<unknown> {
  return select();
}

/** The attempt's own signal: aborted with the statement's reason, or when the resource's time is over. */
class CallClock {
  isStopped = false;
  private readonly controller = new AbortController();
  private readonly total: ReturnType<typeof setTimeout> | undefined;
  private idle: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly call: ResourceCall,
    private readonly outer: StopSignal,
  ) {
    const { timeoutMs } = call.table.resource;
    outer.addEventListener("abort", this.passOn, { once: true });
    if (timeoutMs !== undefined)
      this.total = setTimeout(() => this.controller.abort(timedOut(call, timeoutMs)), Math.min(timeoutMs, maxTimerMs));
    this.touch();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** The resolver gave a sign of life. */
  touch(): void {
    const { idleTimeoutMs } = this.call.table.resource;
    if (idleTimeoutMs === undefined || this.signal.aborted) return;
    clearTimeout(this.idle);
    this.idle = setTimeout(
      () => this.controller.abort(silent(this.call, idleTimeoutMs)),
      Math.min(idleTimeoutMs, maxTimerMs),
    );
  }

  stop(): void {
    this.isStopped = true;
    this.outer.removeEventListener("abort", this.passOn);
    clearTimeout(this.total);
    clearTimeout(this.idle);
  }

  private readonly passOn = (): void => this.controller.abort(this.outer.reason);
}

function timedOut(call: ResourceCall, timeoutMs: number): SqlError {
  return new SqlError(sqlstate.fdwError, `reading table "${call.table.name}" took more than ${timeoutMs} ms`, {
    hint: "Ask for less, or raise timeoutMs of the resource.",
  });
}

function silent(call: ResourceCall, idleTimeoutMs: number): SqlError {
  return new SqlError(sqlstate.fdwError, `reading table "${call.table.name}" gave nothing for ${idleTimeoutMs} ms`, {
    hint: "Ask for less, or raise idleTimeoutMs of the resource; a page and progress() count as a sign of life.",
  });
}
