/** What is in doubt after a crash: listed, sent again where that is safe, settled by hand where the host has looked. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type { Row } from "../../resources/resource.js";
import type { DatabaseCore } from "../database-core.js";
import type { Effect } from "../effect.js";
import { doubtWords, isIdempotent, replayedReceipt } from "../receipt.js";
import { type SendContext, sendEffect } from "../send-effect.js";
import type { Receipt } from "../types.js";
import { type EffectState, statusOf } from "./effect-state.js";
import {
  audited,
  type HostEffectOptions,
  journalError,
  refusalOf,
  tableOf,
  unknownKey,
  withHostContext,
} from "./host-effects.js";
import { argumentsOf, effectOf } from "./intent.js";
import { JournalConflict } from "./journal.js";
import { safeResult } from "./safe-result.js";

/** Options of `Database.recover`. */
export interface RecoverOptions extends HostEffectOptions {
  /**
   * Sends again, in the order of their intents and under their keys, those whose verb is declared `idempotent`, whose table
   * is registered and whose verb the policy allows. They were approved before they were sent first. Default false.
   */
  readonly refire?: boolean;
}

/** A write that is, or was until now, in doubt. */
export interface RecoveredReceipt extends Receipt {
  readonly schema: string;
  /** When it was to be sent, ISO 8601. */
  readonly at: string;
  readonly actor?: string;
  /** Whether `recover({ refire: true })` sends it again: its verb is declared idempotent and the policy allows it. */
  readonly idempotent: boolean;
  /** What it was called with: `rows` of an INSERT, `set` of an UPDATE, `match` the row's key. */
  readonly arguments: { readonly rows?: Row[]; readonly set?: Row; readonly match?: Row };
}

/** See `Database.recover`. */
export async function recover(core: DatabaseCore, options: RecoverOptions): Promise<RecoveredReceipt[]> {
  try {
    return await withHostContext(core, options, async (context) => {
      const receipts: RecoveredReceipt[] = [];
      for (const state of await core.journal.inDoubt()) {
        const found = candidate(core, state);
        const id = receipts.length + 1;
        const isSent = options.refire === true && found.effect !== undefined && !context.signal.aborted;
        const receipt = isSent
          ? await refired(core, found.effect as Effect, id, state, context)
          : doubtful(state, id, options.refire === true ? found.obstacle : undefined);
        receipts.push(described(receipt, state, found.effect !== undefined));
      }
      return receipts;
    });
  } catch (error) {
    throw journalError(error);
  }
}

/** The effect, where it may be sent again; else why it may not. */
function candidate(
  core: DatabaseCore,
  { intent }: EffectState,
): { readonly effect?: Effect; readonly obstacle?: string } {
  const table = tableOf(core, intent);
  if (table === undefined) return { obstacle: "its table is not registered" };
  if (intent.compensates !== undefined) return { obstacle: "it undoes another write, which is never sent again" };
  const refusal = refusalOf(core, intent);
  if (refusal !== undefined) return { obstacle: `the policy does not allow it (${refusal})` };
  let effect: Effect;
  try {
    effect = effectOf(intent, table);
  } catch (error) {
    return {
      obstacle: `its table does not take its values any more (${error instanceof Error ? error.message : String(error)})`,
    };
  }
  return isIdempotent(effect) ? { effect } : { obstacle: `${intent.op} is not declared idempotent` };
}

async function refired(
  core: DatabaseCore,
  effect: Effect,
  id: number,
  state: EffectState,
  context: SendContext,
): Promise<Receipt> {
  const { actor } = state.intent;
  const own: SendContext = { ...context, ...(actor !== undefined && { actor }) };
  return audited(core, effect, { statement: "RECOVER", ...(actor !== undefined && { actor }) }, async () => {
    try {
      const receipt = await sendEffect(effect, id, own, state);
      core.kept.forget(effect.table);
      return receipt;
    } catch (error) {
      if (!(error instanceof JournalConflict)) throw error;
    }
    // Another process was faster.
    const now = await core.journal.stateAtRest(effect.idempotencyKey, context.signal);
    return now !== undefined && statusOf(now) === "fired"
      ? replayedReceipt(effect, id, now)
      : doubtful(now ?? state, id);
  });
}

function doubtful(state: EffectState, id: number, obstacle?: string): Receipt {
  const { resource, op, idempotencyKey, compensates } = state.intent;
  const words = doubtWords(state);
  return {
    id,
    resource,
    op,
    status: "unknown",
    error: {
      code: sqlstate.statementCompletionUnknown,
      message: obstacle === undefined ? words : `${words}. It was not sent again: ${obstacle}`,
    },
    idempotencyKey,
    ...(compensates !== undefined && { compensates }),
  };
}

function described(receipt: Receipt, { intent }: EffectState, idempotent: boolean): RecoveredReceipt {
  return {
    ...receipt,
    schema: intent.schema,
    at: intent.at,
    ...(intent.actor !== undefined && { actor: intent.actor }),
    idempotent,
    arguments: argumentsOf(intent),
  };
}

/** What the host found out. */
export interface Settlement {
  /** What the service answered, or shows: the id of what was created, for instance. */
  readonly result?: unknown;
  /** Why it failed, for the receipt of a repeated `execute`. */
  readonly reason?: string;
}

/** See `Database.settle`. */
export async function settle(
  core: DatabaseCore,
  key: string,
  status: "fired" | "failed",
  { result, reason }: Settlement,
): Promise<void> {
  if (status !== "fired" && status !== "failed") {
    throw new SqlError(
      sqlstate.invalidParameterValue,
      `a write is settled as "fired" or "failed", not ${JSON.stringify(status)}`,
    );
  }
  const { journal, now } = core;
  try {
    await journal.writeLate();
    const state = await journal.stateOf(key);
    if (state === undefined) throw unknownKey(key);
    const current = statusOf(state);
    if (await journal.isUnderWay(state)) throw notInDoubt(key, "is being sent");
    if (current !== "open" && current !== "unknown") throw notInDoubt(key, `has ${current.replace("_", " ")} already`);
    await journal.settle(
      state,
      {
        status,
        ...(result !== undefined && resultOf(result)),
        ...(reason !== undefined && { error: { code: sqlstate.fdwError, message: reason } }),
      },
      now,
    );
  } catch (error) {
    if (error instanceof JournalConflict) throw notInDoubt(key, "was just settled or sent by somebody else");
    throw journalError(error);
  }
}

function resultOf(result: unknown): { result: unknown; resultTruncated?: true } {
  const { value, truncated } = safeResult(result);
  return { result: value, ...(truncated && { resultTruncated: true }) };
}

function notInDoubt(key: string, fact: string): SqlError {
  return new SqlError(
    sqlstate.objectNotInPrerequisiteState,
    `the write with the idempotency key ${JSON.stringify(key)} is not in doubt: it ${fact}`,
    { hint: "recover() lists the writes that are in doubt." },
  );
}
