/**
 * The calls of a database that were made lately, by principal: the rows of `scratchpad.calls`, and the sums that
 * `scratchpad.sources` shows. Nobody sees what another principal asked for.
 */
import type { CallRecord } from "./call-record.js";
import { RecentByPrincipal } from "./recent-by-principal.js";
import { tableKey } from "./table-key.js";

/** Calls remembered of each principal. */
const maxCalls = 1_000;

/** What became of the calls of one table so far. */
export interface CallTally {
  /** Calls made: answered, failed or stopped. Answers that were at hand do not count. */
  readonly calls: number;
  readonly failed: number;
  /** Whether the last call that ended by itself failed. */
  readonly isFailing: boolean;
  readonly lastError?: string;
  readonly lastCallAt?: Date;
}

const noCalls: CallTally = { calls: 0, failed: 0, isFailing: false };

/** Remembers finished calls. */
export class CallLog {
  private readonly calls = new RecentByPrincipal<CallRecord, Map<string, CallTally>>(maxCalls, () => new Map());

  add(call: CallRecord): void {
    const tallies = this.calls.add(call.actor, call);
    const key = tableKey({ schema: call.schema, name: call.resource });
    tallies.set(key, counted(tallies.get(key) ?? noCalls, call));
  }

  /** The last 1,000 calls of a principal, oldest first. */
  callsOf(actor: string | undefined): readonly CallRecord[] {
    return this.calls.of(actor);
  }

  /** The sums of one table for a principal. */
  tallyOf(actor: string | undefined, schema: string, name: string): CallTally {
    return this.calls.sumsOf(actor)?.get(tableKey({ schema, name })) ?? noCalls;
  }
}

function counted(tally: CallTally, call: CallRecord): CallTally {
  if (call.status === "cached") return tally;
  const failed = call.status === "failed";
  const lastError = failed ? (call.error ?? "no reason was given") : tally.lastError;
  return {
    calls: tally.calls + 1,
    failed: tally.failed + (failed ? 1 : 0),
    isFailing: failed || (call.status === "canceled" && tally.isFailing),
    ...(lastError !== undefined && { lastError }),
    lastCallAt: call.startedAt,
  };
}
