/**
 * What the calls so far say of each resource: how many rows a call gives, how long it takes, how large a whole read is.
 * Plans are chosen by it and EXPLAIN shows it; no answer depends on it.
 */
import type { ResourceEstimate } from "../catalog/table.js";
import type { CallRecord } from "./call-record.js";
import { tableKey } from "./table-key.js";

/** Weight of the latest call in an average. */
const latestWeight = 0.3;
/** An estimate that changed by more than this factor makes plans anew. */
const notableFactor = 4;

interface TableStatistics {
  readonly estimate: ResourceEstimate;
  /** As it was when plans were last made anew for it. */
  readonly planned: ResourceEstimate;
}

/** Averages by table, of one database. */
export class Statistics {
  private readonly tables = new Map<string, TableStatistics>();
  private changes = 0;

  /** Changes when an estimate is new, or is another one by more than a factor of 4: a key of the plan cache. */
  get version(): number {
    return this.changes;
  }

  /** What is known of a table; `undefined` before its first whole answer. */
  estimateOf(schema: string, name: string): ResourceEstimate | undefined {
    return this.tables.get(tableKey({ schema, name }))?.estimate;
  }

  /** Takes in a finished call. Failed ones, shared ones and those that a limit cut say nothing of the table. */
  record(call: CallRecord): void {
    if (call.status !== "answered") return;
    if (call.limit !== undefined && call.rows >= call.limit) return;
    const key = tableKey({ schema: call.schema, name: call.resource });
    const known = this.tables.get(key);
    const estimate = updated(known?.estimate, call);
    const isNotable = known === undefined || differsNotably(known.planned, estimate);
    if (isNotable) this.changes += 1;
    this.tables.set(key, { estimate, planned: isNotable ? estimate : known.planned });
  }

  /** Forgets a table: another resource took its name. */
  forget(schema: string, name: string): void {
    if (this.tables.delete(tableKey({ schema, name }))) this.changes += 1;
  }
}

function updated(known: ResourceEstimate | undefined, call: CallRecord): ResourceEstimate {
  const isWhole = Object.keys(call.bindings).length === 0 && call.quals.length === 0;
  const whole = isWhole ? { rows: call.rows, pages: call.pages } : known?.whole;
  return {
    rowsPerCall: averaged(known?.rowsPerCall, call.rows),
    callMs: averaged(known?.callMs, call.durationMs),
    ...(whole !== undefined && { whole }),
  };
}

function averaged(known: number | undefined, latest: number): number {
  return known === undefined ? latest : known + latestWeight * (latest - known);
}

/** Times order nothing, so that only numbers of rows and pages count. */
function differsNotably(before: ResourceEstimate, now: ResourceEstimate): boolean {
  if ((before.whole === undefined) !== (now.whole === undefined)) return true;
  return (
    isFarFrom(before.rowsPerCall, now.rowsPerCall) ||
    isFarFrom(before.whole?.rows ?? 0, now.whole?.rows ?? 0) ||
    isFarFrom(before.whole?.pages ?? 0, now.whole?.pages ?? 0)
  );
}

/** One more on either side: from none to a few is no change worth a plan. */
function isFarFrom(before: number, now: number): boolean {
  const ratio = (before + 1) / (now + 1);
  return ratio > notableFactor || ratio < 1 / notableFactor;
}
