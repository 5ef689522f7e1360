/**
 * Fires effects one after the other: what a COMMIT does with what was staged, and a write outside a transaction with its
 * own. The first that does not succeed ends it; what was fired before it is told by the receipts, since nothing can be
 * taken back.
 */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import { asSentence } from "../errors/words.js";
import type { CallCache } from "../resources/call-cache.js";
import type { Row } from "../resources/resource.js";
import { type Effect, type FireContext, fire } from "./effect.js";
import type { Overlay } from "./overlay.js";
import type { Receipt } from "./types.js";

/** What firing changes in the session, beside what each effect needs. */
export interface FiringContext extends FireContext {
  /** Forgets what was read before a write. */
  readonly cache: CallCache;
  /** Remembers what was written, for reads that come before the service shows it. */
  readonly overlay: Overlay;
}

/** @throws SqlError with one receipt for each effect, as soon as one does not succeed; later ones are not tried */
export async function fireInOrder(effects: readonly Effect[], context: FiringContext): Promise<Receipt[]> {
  const receipts: Receipt[] = [];
  for (const [i, effect] of effects.entries()) {
    const receipt = await fire(effect, i + 1, context);
    // Whatever became of it; what was read while it was under way goes as well.
    context.cache.forgetStable([effect.table]);
    receipts.push(receipt);
    if (receipt.status !== "fired") {
      throw writeFailed(effect, receipt, [...receipts, ...notTried(effects.slice(i + 1), i + 2)]);
    }
    context.overlay.add(asAnswered(effect, receipt.result));
  }
  return receipts;
}

function notTried(effects: readonly Effect[], firstId: number): Receipt[] {
  return effects.map((effect, i) => ({
    id: firstId + i,
    resource: effect.table.name,
    op: effect.op,
    status: "not_tried",
    idempotencyKey: effect.idempotencyKey,
  }));
}

/** An insert as the service answered it, where it answered with the rows. */
function asAnswered(effect: Effect, answer: unknown): Effect {
  if (effect.op !== "insert" || effect.rows === undefined) return effect;
  const list = Array.isArray(answer) ? answer : [answer];
  if (list.length !== effect.rows.length) return effect;
  const names = new Set(effect.table.columns.map((column) => column.name));
  const rows = effect.rows.map((row, i) => {
    const given: unknown = list[i];
    if (typeof given !== "object" || given === null) return row;
    return { ...row, ...Object.fromEntries(Object.entries(given as Row).filter(([name]) => names.has(name))) };
  });
  return { ...effect, rows };
}

function writeFailed(effect: Effect, receipt: Receipt, receipts: readonly Receipt[]): SqlError {
  const verb = effect.op.toUpperCase();
  const fired = receipts.filter((item) => item.status === "fired").length;
  const others =
    receipts.length === 1
      ? ""
      : `Of ${receipts.length} writes, ${fired} fired before it and ${receipts.length - fired - 1} were not tried.`;
  const unknown = receipt.status === "unknown";
  return new SqlError(
    receipt.error?.code ?? sqlstate.fdwError,
    `${verb} on "${effect.table.name}" ${unknown ? "gave no answer" : "failed"}`,
    {
      detail: [asSentence(receipt.error?.message ?? ""), others].filter((part) => part !== "").join(" "),
      ...(unknown && { hint: "Look with SELECT whether it happened before you try again." }),
      receipts,
    },
  );
}
