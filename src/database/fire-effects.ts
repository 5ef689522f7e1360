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
import type { Effect } from "./effect.js";
import { fireOnce, refuseOtherContent } from "./fire-once.js";
import type { Overlay } from "./overlay.js";
import { answerOf, hintOf, isCompensable, notTried } from "./receipt.js";
import type { SendContext } from "./send-effect.js";
import type { Receipt } from "./types.js";

/** What firing changes in the session, beside what each effect needs. */
export interface FiringContext extends SendContext {
  /** Forgets what was read before a write. */
  readonly cache: CallCache;
  /** Remembers what was written, for reads that come before the service shows it. */
  readonly overlay: Overlay;
}

/**
 * @returns one receipt for each effect, in order; what each verb answered is `answerOf(receipt)`
 * @throws SqlError with one receipt for each effect, as soon as one does not succeed; later ones are not tried. 22023 before
 *   anything is sent for a key of the host's that stood for another effect
 */
export async function fireInOrder(effects: readonly Effect[], context: FiringContext): Promise<Receipt[]> {
  await refuseOtherContent(effects, context);
  const receipts: Receipt[] = [];
  for (const [i, effect] of effects.entries()) {
    const receipt = await fireOnce(effect, i + 1, context);
    // Whatever became of it; what was read while it was under way goes as well.
    context.cache.forgetStable([effect.table]);
    if (receipt.status === "fired" && isCompensable(effect)) receipt.compensable = true;
    receipts.push(receipt);
    if (receipt.status !== "fired") {
      throw writeFailed(effect, receipt, [...receipts, ...notTried(effects.slice(i + 1), i + 2)]);
    }
    // What fired long ago is the service's to show: it may have been changed since.
    if (receipt.replayed !== true && effect.compensates === undefined)
      context.overlay.add(asAnswered(effect, answerOf(receipt)));
  }
  return receipts;
}

/** An insert as the service answered it, where it answered with the rows. */
function asAnswered(effect: Effect, answer: unknown): Effect {
  if (effect.op !== "insert" || effect.rows === undefined) return effect;
  const list = listOf(answer);
  if (list.length !== effect.rows.length) return effect;
  const names = effect.table.columns.map((column) => column.name);
  const rows = effect.rows.map((row, i) => ({ ...row, ...answeredColumns(list[i], names) }));
  return { ...effect, rows };
}

function listOf(answer: unknown): readonly unknown[] {
  try {
    return Array.isArray(answer) ? [...answer] : [answer];
  } catch {
    return []; // an object that can't be looked at says nothing of the rows
  }
}

function answeredColumns(given: unknown, names: readonly string[]): Row {
  if (typeof given !== "object" || given === null) return {};
  try {
    return Object.fromEntries(
      names.filter((name) => Object.hasOwn(given, name)).map((name) => [name, (given as Row)[name]]),
    );
  } catch {
    return {}; // a getter of the service's own object threw: the write has happened all the same
  }
}

function writeFailed(effect: Effect, receipt: Receipt, receipts: readonly Receipt[]): SqlError {
  const verb = effect.op.toUpperCase();
  const fired = receipts.filter((item) => item.status === "fired").length;
  const others =
    receipts.length === 1
      ? ""
      : `Of ${receipts.length} writes, ${fired} fired before it and ${receipts.length - fired - 1} were not tried.`;
  const unknown = receipt.status === "unknown";
  const fate = unknown ? "gave no answer" : receipt.status === "not_tried" ? "was not sent" : "failed";
  const hint = unknown ? "Look with SELECT whether it happened before you try again." : hintOf(receipt);
  return new SqlError(receipt.error?.code ?? sqlstate.fdwError, `${verb} on "${effect.table.name}" ${fate}`, {
    detail: [asSentence(receipt.error?.message ?? ""), others].filter((part) => part !== "").join(" "),
    ...(hint !== undefined && { hint }),
    receipts,
  });
}
