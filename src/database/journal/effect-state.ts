/** What a journal's entries of one key say of the effect. */
import type { JournalEntry, JournalIntent, JournalOutcome } from "./journal.js";

/** `open`: an intent has no outcome; whether it is under way or in doubt depends on whether its writer is alive. */
export type EffectStatus = "open" | JournalOutcome["status"];

/** What is known of one effect after all its entries. */
export interface EffectState {
  /** The latest. */
  readonly intent: JournalIntent;
  /** Number of the next entry. */
  readonly next: number;
  /** Attempts without an outcome → who wrote them. */
  readonly open: ReadonlyMap<number, string>;
  /** An attempt was sent and nobody knows whether it happened. */
  readonly inDoubt: boolean;
  /** The outcome that counts. */
  readonly outcome?: JournalOutcome;
}

/**
 * The state after one more entry. `undefined` for an outcome without an intent: there is nothing that it speaks of.
 *
 * That an effect fired is the end of it, whoever says so and however late. That an attempt failed says nothing of an
 * earlier one that is in doubt; that the host says so does.
 */
export function withEntry(state: EffectState | undefined, entry: JournalEntry): EffectState | undefined {
  if (entry.kind === "intent") return withIntent(state, entry);
  return state === undefined ? undefined : withOutcome(state, entry);
}

function withIntent(state: EffectState | undefined, intent: JournalIntent): EffectState {
  const open = new Map(state?.open).set(intent.attempt, intent.writer);
  return { ...state, intent, open, inDoubt: state?.inDoubt ?? false, next: intent.number + 1 };
}

function withOutcome(state: EffectState, outcome: JournalOutcome): EffectState {
  const next = outcome.number + 1;
  if (state.outcome?.status === "fired") return { ...state, next };
  if (outcome.status === "fired" || outcome.settledBy === "host")
    return { intent: state.intent, next, open: new Map(), inDoubt: false, outcome };
  const open = new Map(state.open);
  open.delete(outcome.attempt);
  return { ...state, next, open, inDoubt: state.inDoubt || outcome.status === "unknown", outcome };
}

/** What became of it; `open` while an attempt has no outcome, `unknown` while one is in doubt. */
export function statusOf({ outcome, open, inDoubt }: EffectState): EffectStatus {
  if (outcome?.status === "fired") return "fired";
  if (open.size > 0 || outcome === undefined) return "open";
  return inDoubt ? "unknown" : outcome.status;
}

/** The state that the entries of one key give. */
export function stateOf(entries: readonly JournalEntry[]): EffectState | undefined {
  let state: EffectState | undefined;
  for (const entry of entries) state = withEntry(state, entry);
  return state;
}

/** Whether nothing is left to find out: it fired, or surely did not. */
export function isSettled(state: EffectState): boolean {
  const status = statusOf(state);
  return status !== "open" && status !== "unknown";
}
