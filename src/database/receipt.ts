/** Receipts of effects, and what is known beside them. */
import type { Effect } from "./effect.js";
import { type EffectState, statusOf } from "./journal/effect-state.js";
import type { Receipt } from "./types.js";

/** What every receipt of an effect says. */
export function receiptBase(
  effect: Effect,
  id: number,
): Pick<Receipt, "id" | "resource" | "op" | "idempotencyKey" | "compensates"> {
  return {
    id,
    resource: effect.table.name,
    op: effect.op,
    idempotencyKey: effect.idempotencyKey,
    ...(effect.compensates !== undefined && { compensates: effect.compensates.idempotencyKey }),
  };
}

/** Receipts of effects that were not tried. @param firstId of the first one's receipt */
export function notTried(effects: readonly Effect[], firstId: number): Receipt[] {
  return effects.map((effect, i) => ({ ...receiptBase(effect, firstId + i), status: "not_tried" }));
}

const answers = new WeakMap<Receipt, unknown>();

/** Keeps what the verb answered beside the receipt, whose `result` is JSON of a bounded size. */
export function withAnswer(receipt: Receipt, answer: unknown): Receipt {
  answers.set(receipt, answer);
  return receipt;
}

/** What the verb of a fired effect answered, as it gave it; of a replayed one, as the journal has it. */
export function answerOf(receipt: Receipt): unknown {
  return answers.get(receipt);
}

const hints = new WeakMap<Receipt, string>();

/** Keeps what the verb's error says to do beside the receipt, for the error of the statement. */
export function withHint(receipt: Receipt, hint: string | undefined): Receipt {
  if (hint !== undefined) hints.set(receipt, hint);
  return receipt;
}

/** The hint of the error that the verb of a failed effect threw. */
export function hintOf(receipt: Receipt): string | undefined {
  return hints.get(receipt);
}

/** Whether a call was made for the receipt: its time was taken then. */
export function wasCalled({ durationMs }: Receipt): boolean {
  return durationMs !== undefined;
}

/** Whether the effect may be sent twice under its key. Undoing something is not: nobody declared it. */
export function isIdempotent({ table, op, compensates }: Effect): boolean {
  return compensates === undefined && table.resource.idempotent?.includes(op) === true;
}

/** Whether a fired effect can be undone. */
export function isCompensable({ table, op, compensates }: Effect): boolean {
  return compensates === undefined && table.resource.compensate?.[op] !== undefined;
}

/** The receipt of an effect that the journal knows as fired: it is not sent again. */
export function replayedReceipt(effect: Effect, id: number, { outcome }: EffectState): Receipt {
  const { result, resultTruncated } = outcome ?? {};
  const receipt: Receipt = {
    ...receiptBase(effect, id),
    status: "fired",
    ...(result !== undefined && { result }),
    ...(resultTruncated === true && { resultTruncated }),
    replayed: true,
    ...(isCompensable(effect) && { compensable: true }),
  };
  return withAnswer(receipt, resultTruncated === true ? undefined : result);
}

/** Why an effect that the journal has in doubt is not sent. */
export function doubtWords(state: EffectState): string {
  const { at } = state.intent;
  const { outcome } = state;
  const told = statusOf(state) === "unknown" ? outcome?.error?.message : undefined;
  return told === undefined
    ? `it was about to be sent at ${at}, and no outcome was written; it may have happened`
    : `it was sent at ${at}: ${told}`;
}
