/** Undoes a write that fired, by the `compensate` of its verb: an effect of its own, sent once. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type { FiredWrite } from "../../resources/resource.js";
import type { RegisteredResource } from "../../resources/table-info.js";
import type { DatabaseCore } from "../database-core.js";
import type { Effect } from "../effect.js";
import { type FiringContext, fireInOrder } from "../fire-effects.js";
import { compensationKey, contentHash } from "../idempotency.js";
import { requireApproval } from "../policy/approval.js";
import { denied } from "../policy/refusals.js";
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
import { effectOf } from "./intent.js";

/** Options of `Database.compensate`. */
export interface CompensateOptions extends HostEffectOptions {
  /** Who asks; handed to the resolver. Default: who wrote. */
  readonly actor?: string;
}

/** See `Database.compensate`. */
export async function compensate(core: DatabaseCore, key: string, options: CompensateOptions): Promise<Receipt> {
  try {
    return await withHostContext(core, options, async (context, ends) => {
      const state = await core.journal.stateAtRest(key, context.signal);
      if (state === undefined) throw unknownKey(key);
      const table = compensable(core, key, state);
      const actor = options.actor ?? state.intent.actor;
      const who = actor === undefined ? {} : { actor };
      const effect = await undoing(state, table);
      const done = await core.journal.stateAtRest(effect.idempotencyKey, context.signal);
      return audited(core, effect, { statement: "COMPENSATE", ...who }, async () => {
        if (done === undefined || statusOf(done) !== "fired") {
          await ends.standStill(() =>
            requireApproval([effect], core.policy, { ...who, signal: context.signal, isCommit: false }),
          );
        }
        return fireUndoing(effect, { ...context, ...who });
      });
    });
  } catch (error) {
    throw journalError(error);
  }
}

async function fireUndoing(effect: Effect, context: FiringContext): Promise<Receipt> {
  const [receipt] = await fireInOrder([effect], context);
  return receipt;
}

/** @throws SqlError 55000 for what can't be undone, 42501 where the policy does not allow the verb */
function compensable(core: DatabaseCore, key: string, state: EffectState): RegisteredResource {
  const { intent } = state;
  const write = `${intent.op.toUpperCase()} on "${intent.resource}"`;
  const status = statusOf(state);
  if (intent.compensates !== undefined) throw refuse(`${write} undid another write and can't be undone itself`);
  if (status !== "fired") {
    const inDoubt = status === "open" || status === "unknown";
    throw refuse(
      `${write} has not fired: there is nothing to undo`,
      inDoubt ? `It is in doubt: look whether it happened, then settle(${JSON.stringify(key)}, "fired").` : undefined,
    );
  }
  const table = tableOf(core, intent);
  if (table === undefined) throw refuse(`the table of ${write} is not registered with that verb`);
  if (table.resource.compensate?.[intent.op] === undefined)
    throw refuse(`${write} can't be undone`, `Give the resource a compensate.${intent.op}.`);
  const refusal = refusalOf(core, intent);
  if (refusal !== undefined)
    throw denied(`table ${intent.resource}`, refusal, "The host's policy has to allow the verb.");
  return table;
}

async function undoing(state: EffectState, table: RegisteredResource): Promise<Effect> {
  const effect = effectOf(state.intent, table);
  const { op, idempotencyKey, decodedRows, decodedSet, decodedMatch } = effect;
  const result = state.outcome?.result;
  const compensates: FiredWrite = {
    idempotencyKey,
    op,
    ...(decodedRows !== undefined && { rows: decodedRows }),
    ...(decodedSet !== undefined && { set: decodedSet }),
    ...(decodedMatch !== undefined && { match: decodedMatch }),
    ...(result !== undefined && { result }),
  };
  const hash = await contentHash(effect, state.intent.actor);
  return { ...effect, idempotencyKey: compensationKey(idempotencyKey), hash, compensates };
}

function refuse(message: string, hint?: string): SqlError {
  return new SqlError(sqlstate.objectNotInPrerequisiteState, message, hint === undefined ? {} : { hint });
}
