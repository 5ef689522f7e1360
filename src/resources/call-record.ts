/** What became of one call: the line that `scratchpad.calls` and, for reads, statistics are made of. */
import type { Qual } from "./resource.js";

/** `cached`: an identical call of this or an earlier statement had the answer. `canceled`: told to stop, no answer was used. `unknown`: a write that was sent and gave no answer. */
export type CallStatus = "answered" | "failed" | "canceled" | "cached" | "unknown";

/** One finished call. */
export interface CallRecord {
  readonly resource: string;
  readonly schema: string;
  /** Who asked; absent where nobody was named. */
  readonly actor?: string;
  /** Column → the values that the call had as arguments. */
  readonly bindings: Readonly<Record<string, readonly unknown[]>>;
  /** Of a write: its verb. Absent: a read. */
  readonly op?: "insert" | "update" | "delete";
  /** Of a write: the rows of an insert, the new values of an update. */
  readonly written?: unknown;
  readonly quals: readonly Qual[];
  readonly limit?: number;
  /** The database's clock when the call was asked for. */
  readonly startedAt: Date;
  /** Milliseconds from the first attempt to the answer, waits between attempts included; 0 for `cached`. */
  readonly durationMs: number;
  /** Milliseconds that it waited for a free place or for its rate limit, before and between attempts. */
  readonly waitedMs: number;
  /** Pages of the answer; an answer that is no async iterable is one. 0 for `cached`. */
  readonly pages: number;
  /** Rows of the answer; of a failed or canceled call those that had come. */
  readonly rows: number;
  /** Bytes of the answer, estimated from its first rows. */
  readonly bytes: number;
  /** Rows and pages are not for the actor to see: some of the rows may be hidden. */
  readonly hidesCounts?: boolean;
  /** Attempts beyond the first. */
  readonly retries: number;
  readonly status: CallStatus;
  /** Why it failed, in the words of the tool. */
  readonly error?: string;
}

/** What the calls of one scan took, all together. */
export interface ScanFigures {
  /** Calls made for it. */
  readonly calls: number;
  /** Answers that an identical call had given, or was about to give. */
  readonly cached: number;
  readonly pages: number;
  /** Rows and bytes that it got, shared answers included; a call's rows before keys were compared and writes laid over. */
  readonly rows: number;
  readonly bytes: number;
  /** Sum over its calls; they ran side by side, so this is more than the time that passed. */
  readonly durationMs: number;
  readonly waitedMs: number;
  readonly retries: number;
}

/** Rows whose size is looked at; the others are taken to be like them. */
const sampledRows = 20;

/** The size of some rows in bytes, estimated from the first ones: texts by their length, whatever else by a few bytes. */
export function estimatedBytes(rows: readonly object[]): number {
  const sample = rows.slice(0, sampledRows);
  if (sample.length === 0) return 0;
  return Math.round((sizeOf(sample, 0) / sample.length) * rows.length);
}

function sizeOf(value: unknown, depth: number): number {
  if (typeof value === "string") return value.length + 8;
  if (typeof value !== "object" || value === null || depth > 8) return 8;
  let size = 16;
  for (const part of Object.values(value).slice(0, 200)) size += sizeOf(part, depth + 1);
  return size;
}
