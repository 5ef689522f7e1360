/** What became of one call of a read: the line that statistics and `scratchpad.calls` are made of. */
import type { Qual } from "./resource.js";

/** `cached`: an identical call of this or an earlier statement had the answer. `canceled`: told to stop, no answer was used. */
export type CallStatus = "answered" | "failed" | "canceled" | "cached";

/** One finished call of a read. */
export interface CallRecord {
  readonly resource: string;
  readonly schema: string;
  /** Who asked; absent where nobody was named. */
  readonly actor?: string;
  /** Column → the values that the call had as arguments. */
  readonly bindings: Readonly<Record<string, readonly unknown[]>>;
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
  readonly rows: number;
  readonly bytes: number;
  /** Sum over its calls; they ran side by side, so this is more than the time that passed. */
  readonly durationMs: number;
  readonly waitedMs: number;
  readonly retries: number;
}
