/** Fires an effect that the journal may know from before: what has fired under its key is not sent again. */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import { errorWords } from "../resources/call.js";
import type { Effect } from "./effect.js";
import { otherContent } from "./idempotency.js";
import { type EffectState, statusOf } from "./journal/effect-state.js";
import { JournalConflict } from "./journal/journal.js";
import { JournalFailed } from "./journal/ledger.js";
import { doubtWords, isIdempotent, notTried, receiptBase, replayedReceipt } from "./receipt.js";
import { brokenReceipt, type SendContext, sendEffect } from "./send-effect.js";
import type { Receipt } from "./types.js";

/**
 * An effect with a random key is new. One whose key comes from the host is replayed when it fired, waited for while somebody
 * else sends it, and sent when it surely did not happen; when that is not known, only if its verb is idempotent.
 * @returns the receipt: a failure is told by it, not thrown
 */
export async function fireOnce(effect: Effect, id: number, context: SendContext): Promise<Receipt> {
  if (effect.hash === undefined) return sendNew(effect, id, context);
  for (;;) {
    let state: EffectState | undefined;
    try {
      state = await context.journal.stateAtRest(effect.idempotencyKey, context.signal);
    } catch (error) {
      return unread(effect, id, context, error);
    }
    if (state !== undefined) {
      const status = statusOf(state);
      if (status === "fired") return replayedReceipt(effect, id, state);
      if ((status === "open" || status === "unknown") && !isIdempotent(effect)) return inDoubt(effect, id, state);
    }
    try {
      return await sendEffect(effect, id, context, state);
    } catch (error) {
      if (!(error instanceof JournalConflict)) return brokenReceipt(effect, id, "unknown", error);
      // Somebody else was faster: look what becomes of it.
    }
  }
}

/** A random key that the journal has already is no key of this effect: it is not sent under it. */
async function sendNew(effect: Effect, id: number, context: SendContext): Promise<Receipt> {
  try {
    return await sendEffect(effect, id, context);
  } catch (error) {
    return brokenReceipt(effect, id, error instanceof JournalConflict ? "not_tried" : "unknown", error);
  }
}

/** The journal could not be asked, or the statement ended while somebody else was sending the effect. */
function unread(effect: Effect, id: number, { signal }: SendContext, error: unknown): Receipt {
  const base = receiptBase(effect, id);
  if (error instanceof JournalFailed) {
    const message = `the journal could not be read: ${error.message}`;
    return { ...base, status: "not_tried", error: { code: sqlstate.ioError, message } };
  }
  if (!signal.aborted) return brokenReceipt(effect, id, "not_tried", error);
  const message =
    "another execute with the same idempotency key was sending it when this one ended; it may have happened";
  return { ...base, status: "unknown", error: { code: sqlstate.statementCompletionUnknown, message } };
}

function inDoubt(effect: Effect, id: number, state: EffectState): Receipt {
  const error = { code: sqlstate.statementCompletionUnknown, message: doubtWords(state) };
  return { ...receiptBase(effect, id), status: "unknown", error };
}

/**
 * A key of the host's stands for one effect.
 * @throws SqlError with receipts, none of them tried: 22023 when the journal, or the list itself, has it for another one;
 *   58030 when the journal can't be read
 */
export async function refuseOtherContent(effects: readonly Effect[], { journal }: SendContext): Promise<void> {
  const receipts = notTried(effects, 1);
  const seen = new Map<string, string>();
  for (const effect of effects) {
    const { idempotencyKey, hash } = effect;
    if (hash === undefined) continue;
    let known = seen.get(idempotencyKey);
    try {
      // An effect without a hash has a key of its own: it is another one.
      if (known === undefined) known = hashOf(await journal.stateOf(idempotencyKey));
    } catch (error) {
      throw new SqlError(sqlstate.ioError, "the journal could not be read", {
        detail: `${errorWords(error)}. Nothing was sent.`,
        hint: "Try again when the host has mended the journal.",
        receipts,
        cause: error,
      });
    }
    if (known !== undefined && known !== hash) throw otherContent(effect, "The journal", "Nothing was sent.", receipts);
    seen.set(idempotencyKey, hash);
  }
}

function hashOf(state: EffectState | undefined): string | undefined {
  return state === undefined ? undefined : (state.intent.hash ?? "");
}
