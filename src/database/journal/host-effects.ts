/**
 * Effects that the host asks for beside any statement: sent again after a crash, undone. They are held against the policy,
 * written to the journal and to the audit as those of statements are.
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { canceled } from "../../resources/call.js";
import { CallCache } from "../../resources/call-cache.js";
import { isRegisteredResource, type RegisteredResource } from "../../resources/table-info.js";
import { callOfEffect } from "../audit/effect-call.js";
import type { DatabaseCore } from "../database-core.js";
import type { Effect } from "../effect.js";
import type { FiringContext } from "../fire-effects.js";
import { type IsHidden, shownReceipt, shownView } from "../flow/shown.js";
import { Overlay } from "../overlay.js";
import { type Decision, Rules } from "../policy/rules.js";
import { notTried } from "../receipt.js";
import { deadline } from "../run-options.js";
import type { ExecuteResult, Receipt } from "../types.js";
import type { JournalIntent } from "./journal.js";
import { JournalFailed } from "./ledger.js";

/** Options of what the host asks for. */
export interface HostEffectOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds for all of it. Default: `limits.timeoutMs` of the database. */
  readonly timeoutMs?: number;
}

/** Runs something with a clock of its own; `context` fires effects as a session of nobody's would. */
export async function withHostContext<T>(
  core: DatabaseCore,
  { signal, timeoutMs }: HostEffectOptions,
  run: (context: FiringContext, ends: ReturnType<typeof deadline>) => Promise<T>,
): Promise<T> {
  if (core.closed) throw new SqlError(sqlstate.connectionDoesNotExist, "the database is closed");
  const ends = deadline(signal, timeoutMs ?? core.limits.timeoutMs);
  const context: FiringContext = {
    signal: ends.signal,
    get deadlineMs() {
      return ends.atMs;
    },
    scheduler: core.scheduler,
    journal: core.journal,
    now: core.now,
    shared: new Map(),
    cache: new CallCache(core.kept),
    overlay: new Overlay(),
  };
  try {
    return await run(context, ends);
  } catch (error) {
    throw ends.signal.aborted && error === ends.signal.reason ? canceled(ends.signal) : error;
  } finally {
    ends.clear();
  }
}

/**
 * Records an effect as a statement of its own, without values that records leave out: whoever asked for the effect first may
 * read the record in `scratchpad.statements`.
 * @returns its receipt, whatever became of it
 */
export async function audited(
  core: DatabaseCore,
  effect: Effect,
  { statement, actor }: { readonly statement: string; readonly actor?: string },
  fire: () => Promise<Receipt>,
): Promise<Receipt> {
  const who = actor === undefined ? {} : { actor };
  let receipt: Receipt = notTried([effect], 1)[0];
  const isHidden: IsHidden = (table, column) =>
    core.flows.isRedacted(table, column) || core.rules.isMasked(table, column);
  const { sql } = shownView(effect, 1, isHidden);
  await core.audit.run({ sql, statement, session: 0, ...who }, async (trail) => {
    const tell = (own: Receipt) => {
      const told = shownReceipt(own, effect, isHidden);
      trail.fired([effect], [told]);
      const call = callOfEffect(effect, told, { at: core.now(), ...who });
      if (call !== undefined) core.calls.add(core.audit.remembered(call));
    };
    try {
      receipt = await fire();
    } catch (error) {
      if (error instanceof SqlError && error.receipts?.length === 1) tell(error.receipts[0]);
      throw error;
    }
    tell(receipt);
    return commandOf(statement);
  });
  return receipt;
}

function commandOf(command: string): ExecuteResult {
  return { rows: [], fields: [], truncated: false, touched: [], command };
}

/** The table that an intent was written for; `undefined` when it is not registered now, or without the verb. */
export function tableOf(core: DatabaseCore, intent: JournalIntent): RegisteredResource | undefined {
  const table = core.catalog.table(intent.resource, intent.schema);
  if (table === undefined || !isRegisteredResource(table)) return undefined;
  return table.verbs.includes(intent.op) ? table : undefined;
}

/** The rule of the policy by which a write may not be sent. */
export function refusalOf({ policy }: DatabaseCore, { schema, resource, op }: JournalIntent): Decision | undefined {
  if (policy.writes !== true) return "policy.writes, which is not true";
  const rules = new Rules(policy);
  const table = { schema, name: resource };
  return rules.hides(table) ?? rules.refusesVerb(table, op);
}

/** What the journal throws, as the host gets it. */
export function journalError(error: unknown): unknown {
  if (!(error instanceof JournalFailed)) return error;
  return new SqlError(sqlstate.ioError, "the journal could not be read or written", {
    detail: error.message,
    hint: "Mend the journal and ask again.",
    cause: error,
  });
}

/** @throws SqlError P0002 */
export function unknownKey(key: string): SqlError {
  return new SqlError(
    sqlstate.noDataFound,
    `the journal knows no write with the idempotency key ${JSON.stringify(key)}`,
    {
      hint: "recover() lists the writes that are in doubt.",
    },
  );
}
