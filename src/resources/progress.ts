/** What a running statement tells of its calls, and what a partial answer is without. */
import type { SqlScalar } from "./resource.js";

/** What happened to one of a statement's calls. */
export interface ProgressEvent {
  /** `wait`: it can't start yet, for want of a free place or because of a rate limit; `call`: an attempt starts. */
  kind: "call" | "page" | "progress" | "retry" | "wait" | "done" | "failed";
  resource: string;
  /** Column → the values that the call has as arguments. */
  bindings: Record<string, SqlScalar[]>;
  /** `page`, `done`: rows so far; `progress`: what the resolver reported; `retry`: the attempt that will follow. */
  done?: number;
  total?: number;
  /** A resolver's own words, or the error that is followed by a retry. */
  note?: string;
  /** Calls of the statement that are answered, and those known of so far. */
  calls: { done: number; known: number };
}

/** A part of a table that a partial answer is without. */
export interface MissingPart {
  resource: string;
  /** The arguments of the call that it was asked with. */
  bindings: Record<string, SqlScalar[]>;
  /** What is missing, in the resolver's words; absent for a call that failed as a whole. */
  part?: string;
  reason: string;
}
