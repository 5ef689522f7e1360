/**
 * The host's word before effects are sent. It is asked for exactly the list that will fire: the views it sees are copies, the
 * list is hashed before and after, and whatever is not a plain `true` in time refuses all of it.
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { invokedBy } from "../../resources/nested-statements.js";
import { maxTimerMs } from "../../resources/timer.js";
import { type Effect, viewOf } from "../effect.js";
import { notTried } from "../receipt.js";
import type { Policy, StagedWriteView } from "../types.js";
import { canonicalText, sha256Hex } from "./canonical.js";

/** Milliseconds that an answer may take where the policy does not say. */
const defaultTimeoutMs = 300_000;

/** What asking needs of the session. */
export interface ApprovalContext {
  readonly actor?: string;
  /** Of the statement: it was cancelled, or its own time is over. */
  readonly signal: AbortSignal;
  /** Stands for the statement of a session that waits: one that `approve` runs in that session is refused at once. */
  readonly statement?: object;
  /** The effects are those of a COMMIT: its transaction is over when they are refused. */
  readonly isCommit: boolean;
}

/**
 * Asks `policy.approve`, where there is one and something is to be sent.
 * @throws SqlError 42501 with receipts, none of them tried, when the answer is not `true`
 */
export async function requireApproval(
  effects: readonly Effect[],
  policy: Pick<Policy, "approve" | "approvalTimeoutMs">,
  context: ApprovalContext,
): Promise<void> {
  const { approve, approvalTimeoutMs = defaultTimeoutMs } = policy;
  if (approve === undefined || effects.length === 0) return;
  const hash = await hashOf(effects).catch((cause: unknown) => {
    throw refused(effects, context, `What they hold can't be compared: ${wordsOf(cause)}.`, cause);
  });
  const clock = new AbortController();
  const timer = Number.isFinite(approvalTimeoutMs)
    ? setTimeout(
        () => clock.abort(new DOMException("no answer in time", "TimeoutError")),
        Math.min(approvalTimeoutMs, maxTimerMs),
      )
    : undefined;
  const signal = AbortSignal.any([context.signal, clock.signal]);
  let answer: unknown;
  try {
    const { actor } = context;
    const asked = Promise.resolve().then(() =>
      invokedBy(context.statement ?? context, signal, () =>
        approve(frozenViews(effects), { hash, signal, ...(actor !== undefined && { actor }) }),
      ),
    );
    answer = await unlessAborted(asked, signal);
  } catch (error) {
    if (clock.signal.aborted && !context.signal.aborted)
      throw refused(effects, context, `The host gave no answer within ${approvalTimeoutMs} ms.`);
    if (context.signal.aborted)
      throw refused(effects, context, "The statement was cancelled while the host was asked.", error);
    throw refused(effects, context, "Asking the host failed.", error);
  } finally {
    clearTimeout(timer);
  }
  if (answer !== true) throw refused(effects, context, "The host did not approve them.");
  if ((await hashOf(effects).catch(() => undefined)) !== hash)
    throw refused(effects, context, "They were changed while the host was asked, so its answer was about others.");
}

function unlessAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

/** Over the list: tables, verbs, arguments as the verbs get them, keys. */
async function hashOf(effects: readonly Effect[]): Promise<string> {
  const list = effects.map(
    ({ table, op, rows, decodedRows, set, decodedSet, match, decodedMatch, idempotencyKey }) => ({
      table: [table.schema, table.name],
      op,
      rows,
      decodedRows,
      set,
      decodedSet,
      match,
      decodedMatch,
      idempotencyKey,
    }),
  );
  return sha256Hex(canonicalText(list));
}

/** What the host is shown is its own: changing it changes nothing that is sent. */
function frozenViews(effects: readonly Effect[]): readonly StagedWriteView[] {
  return frozen(structuredClone(effects.map((effect, i) => viewOf(effect, i + 1))));
}

function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null && !ArrayBuffer.isView(value)) {
    for (const part of Object.values(value)) frozen(part);
    Object.freeze(value);
  }
  return value;
}

function wordsOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

function refused(effects: readonly Effect[], { isCommit }: ApprovalContext, why: string, cause?: unknown): SqlError {
  const count = effects.length === 1 ? "1 write was" : `${effects.length} writes were`;
  return new SqlError(sqlstate.insufficientPrivilege, `${count} not approved; nothing was sent`, {
    detail: isCommit ? `${why} The transaction is rolled back.` : why,
    hint: isCommit
      ? "Begin again with writes that the host can approve."
      : "Ask the host, or stage the write in BEGIN … COMMIT to show it first.",
    receipts: notTried(effects, 1),
    ...(cause !== undefined && { cause }),
  });
}
