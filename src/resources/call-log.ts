/**
 * The calls of a database that were made lately, by principal: the rows of `scratchpad.calls`, and the sums that
 * `scratchpad.sources` shows. Nobody sees what another principal asked for.
 */
import type { CallRecord } from "./call-record.js";
import { tableKey } from "./table-key.js";

/** Calls remembered of each principal. */
const maxCalls = 1_000;
/** Principals remembered; the one that was quiet for longest goes first. */
const maxPrincipals = 100;

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

interface PrincipalLog {
  /** A ring once it is full. */
  readonly calls: CallRecord[];
  /** Where the next call goes when the ring is full: the oldest one's place. */
  next: number;
  readonly tallies: Map<string, CallTally>;
}

const noCalls: CallTally = { calls: 0, failed: 0, isFailing: false };

/** Remembers finished calls. */
export class CallLog {
  private readonly principals = new Map<string, PrincipalLog>();

  add(call: CallRecord): void {
    const log = this.logOf(call.actor);
    if (log.calls.length < maxCalls) log.calls.push(call);
    else {
      log.calls[log.next] = call;
      log.next = (log.next + 1) % maxCalls;
    }
    const key = tableKey({ schema: call.schema, name: call.resource });
    log.tallies.set(key, counted(log.tallies.get(key) ?? noCalls, call));
  }

  /** The last 1,000 calls of a principal, oldest first. */
  callsOf(actor: string | undefined): readonly CallRecord[] {
    const log = this.principals.get(nameOf(actor));
    return log === undefined ? [] : [...log.calls.slice(log.next), ...log.calls.slice(0, log.next)];
  }

  /** The sums of one table for a principal. */
  tallyOf(actor: string | undefined, schema: string, name: string): CallTally {
    return this.principals.get(nameOf(actor))?.tallies.get(tableKey({ schema, name })) ?? noCalls;
  }

  private logOf(actor: string | undefined): PrincipalLog {
    const name = nameOf(actor);
    const log = this.principals.get(name) ?? { calls: [], next: 0, tallies: new Map() };
    this.principals.delete(name);
    this.principals.set(name, log);
    if (this.principals.size > maxPrincipals) {
      const [quietest] = this.principals.keys();
      this.principals.delete(quietest);
    }
    return log;
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

/** Nobody is a principal too, and no other's name is taken for it. */
function nameOf(actor: string | undefined): string {
  return JSON.stringify(actor ?? null);
}
