/** The database: a catalog of resources and the default session on it. The public class of the package. */

import type { ScratchpadBackend } from "../backends/backend.js";
import { Catalog } from "../catalog/catalog.js";
import { systemTables } from "../catalog/system-tables.js";
import type { Table } from "../catalog/table.js";
import { KeptAnswers } from "../resources/call-cache.js";
import { CallLog } from "../resources/call-log.js";
import { checkResource } from "../resources/define-resource.js";
import type { ResourceTable } from "../resources/resource.js";
import { Scheduler } from "../resources/scheduler.js";
import { Statistics } from "../resources/statistics.js";
import { registeredResource } from "../resources/table-info.js";
import { Audit } from "./audit/audit.js";
import type { AuditSink } from "./audit/records.js";
import type { DatabaseCore } from "./database-core.js";
import { Flows } from "./flow/flows.js";
import { labelledTable } from "./flow/labels.js";
import { declassifiersIn, type HostFunction, hostFunctions } from "./host-functions.js";
import { type CompensateOptions, compensate } from "./journal/compensate.js";
import type { Journal } from "./journal/journal.js";
import { Ledger } from "./journal/ledger.js";
import { type RecoveredReceipt, type RecoverOptions, recover, type Settlement, settle } from "./journal/recover.js";
import { type KeysOf, refuseUnknownKeys } from "./known-keys.js";
import { DatabasePolicy } from "./policy/database-policy.js";
import { StatementCache } from "./prepare.js";
import { checkActor, checkAllowPartial } from "./run-options.js";
import { type CatalogSeed, seedTables } from "./seed.js";
import { Session } from "./session.js";
import {
  completeLimits,
  type ExecuteOptions,
  type ExecuteResult,
  type ExplainResult,
  type Limits,
  type Policy,
  type Receipt,
  type SessionOptions,
  type StagedWriteView,
  smallerLimits,
} from "./types.js";

export interface DatabaseOptions {
  /** What statements may do. Default: read only. */
  policy?: Policy;
  /** Executes the final query of a read instead of the built-in engine. The database closes it. */
  backend?: ScratchpadBackend;
  /** Tables to show before anything is registered: what `glove-gen` wrote of the manifests. */
  catalog?: CatalogSeed;
  /** Who asks, where a call does not say. */
  actor?: string;
  limits?: Limits;
  /**
   * Where each effect is written down before it is sent, and what became of it after: `fileJournal` and `postgresJournal` of
   * `glove-scratchpad/journal` survive the process, so that `recover()` knows after a crash what is in doubt. Arguments of
   * writes stand in it as they are. Default: `memoryJournal()`, one of its own. The database closes it, with the last one of
   * those that share it.
   */
  journal?: Journal;
  /** Where the records of statements and calls go, beside `scratchpad.statements` and `scratchpad.calls`. The database closes them. */
  audit?: AuditSink | readonly AuditSink[];
  /** Functions of the host that statements may call, beside those of SQL. */
  functions?: readonly HostFunction[];
  /** The clock behind `now()`, for tests. */
  now?: () => Date;
}

/**
 * Tools as tables: register resources, execute SQL.
 *
 * All statements of one session run one after the other; `session()` opens further ones, each with its own transaction.
 */
export class Database {
  /** The registered tables: `list()`, `get(name)`, `has(name)`. */
  readonly catalog: Catalog;
  private readonly core: DatabaseCore;
  private readonly main: Session;
  /** The sessions that are still in use by somebody. */
  private sessions: WeakRef<Session>[] = [];

  private constructor(options: DatabaseOptions, journal: Ledger) {
    this.catalog = new Catalog();
    for (const table of systemTables()) this.catalog.add(table);
    for (const table of options.catalog === undefined ? [] : seedTables(options.catalog))
      this.catalog.add(labelledTable(table, options.policy?.labels));
    const now = options.now ?? (() => new Date());
    const policy = options.policy ?? {};
    const limits = smallerLimits(completeLimits(options.limits), policy.limits);
    const rules = new DatabasePolicy(this.catalog, policy);
    const functions = options.functions ?? [];
    this.catalog.addFunctions(hostFunctions(functions));
    const flows = new Flows(this.catalog, policy, declassifiersIn(functions), (column) => rules.isBlank(column));
    this.core = {
      catalog: this.catalog,
      policy,
      rules,
      flows,
      limits,
      now,
      statements: new StatementCache(),
      statistics: new Statistics(),
      calls: new CallLog(),
      kept: new KeptAnswers(now),
      scheduler: new Scheduler(limits.concurrency),
      audit: new Audit({
        sinks: sinksOf(options.audit),
        now,
        isRedacted: (relation, column) => flows.isRedacted(relation, column) || rules.isMasked(relation, column),
      }),
      journal,
      closed: false,
      sessionCount: 0,
      ...(options.backend !== undefined && { backend: options.backend }),
    };
    this.main = this.session(options.actor === undefined ? {} : { actor: options.actor });
  }

  /**
   * Makes an empty database.
   * @throws TypeError for an option that is none; for a policy with an unknown key or a wrong value, or a rule that does not
   *   fit a table; for a function of the host that can't be one
   * @throws whatever reading the journal throws: a database that can't tell what it has sent does not start
   */
  static async create(options: DatabaseOptions = {}): Promise<Database> {
    refuseUnknownKeys("Database.create()", options, databaseKeys);
    if (options.limits !== undefined) checkLimits(options.limits);
    const policy = options.policy === undefined ? undefined : await checkedPolicy(options.policy);
    const ledger = await Ledger.open(options.journal);
    try {
      return new Database({ ...options, ...(policy !== undefined && { policy }) }, ledger);
    } catch (error) {
      await ledger.close(); // it holds a lock
      throw error;
    }
  }

  /**
   * Adds a resource as a table; one that is registered under the same name is replaced.
   * @throws TypeError when the resource cannot be a table, for instance for a column of an unknown type, and when a rule of
   *   the policy does not fit it: a row filter over a column that it does not have
   */
  register(resource: ResourceTable, options: { schema?: string } = {}): this {
    refuseUnknownKeys("register()", options, { schema: true });
    const schema = options.schema ?? "public";
    const table = registeredResource(checkResource(resource), schema);
    const { statistics, rules } = this.core;
    const labelled = labelledTable(table, this.core.policy.labels);
    const added = { ...labelled, estimate: () => statistics.estimateOf(schema, table.name) };
    rules.bind(added);
    statistics.forget(schema, table.name);
    this.catalog.add(added);
    this.core.kept.forget(table); // answers of the one that it replaces
    this.core.scheduler.declare(table);
    return this;
  }

  /** {@link register} for each. */
  registerAll(resources: Iterable<ResourceTable>, options: { schema?: string } = {}): this {
    for (const resource of resources) this.register(resource, options);
    return this;
  }

  /**
   * Runs one statement, or one transaction as a script (`BEGIN; …; COMMIT`).
   *
   * Everything that can be found wrong without a call is found before the first one. A write outside a transaction
   * fires at once when policy and `allowWrites` let it; inside one it is staged until COMMIT.
   * @throws SqlError with SQLSTATE, position and hint; a failed COMMIT carries one receipt for each staged write
   */
  execute(sql: string, options?: ExecuteOptions): Promise<ExecuteResult> {
    return this.main.execute(sql, options);
  }

  /**
   * What a statement would do: its plan, the tables it touches and the arguments known so far. Calls nothing.
   * @throws SqlError for whatever is wrong with the statement
   */
  explain(sql: string, options?: { params?: unknown[]; actor?: string; signal?: AbortSignal }): Promise<ExplainResult> {
    return this.main.explain(sql, options);
  }

  /** The writes that wait for COMMIT in the default session, in order. */
  preview(): StagedWriteView[] {
    return this.main.preview();
  }

  /** Whether the default session has an open transaction. */
  inTransaction(): boolean {
    return this.main.inTransaction();
  }

  /**
   * Another client's session: its own transaction, its own view of its writes.
   * @throws TypeError for an option that is none, SqlError 22023 for one that has a wrong value
   */
  session(options: SessionOptions = {}): Session {
    refuseUnknownKeys("session()", options, sessionKeys);
    checkAllowPartial(options.allowPartial);
    checkActor(options.actor);
    const session = new Session(this.core, options);
    this.sessions = this.sessions.filter((known) => known.deref() !== undefined);
    this.sessions.push(new WeakRef(session));
    return session;
  }

  /**
   * Forgets the kept answers and the remembered writes of a table, or of all, in every session. An `execute` that is under
   * way keeps to what it has read; the answers of its calls are not kept.
   * @param table a name as statements write it: `issue`, `github.issue`; one that is no table forgets nothing
   */
  invalidate(table?: string): void {
    const found = table === undefined ? undefined : this.find(table);
    if (table !== undefined && found === undefined) return;
    this.core.kept.forget(found);
    this.core.flows.fired.clear(found);
    for (const session of this.sessions) session.deref()?.forgetWrites(found);
  }

  /**
   * Writes that are in doubt: a process was killed, or a call gave no answer, between their intent and their outcome. Each
   * has status `unknown` and says what it was, when, and for whom. Such a write is never sent again by itself.
   *
   * With `refire: true` those that are safe to send twice are sent again, once, also when several processes of one journal
   * recover at the same time; they are returned with what became of them. The others are for the host: look whether they
   * happened, then `settle()`.
   * @throws SqlError 58030 when the journal can't be read
   */
  async recover(options: RecoverOptions = {}): Promise<RecoveredReceipt[]> {
    refuseUnknownKeys("recover()", options, recoverKeys);
    return recover(this.core, options);
  }

  /**
   * The host's word on a write that is in doubt. After `fired` it is never sent again under its key and can be undone; after
   * `failed` a repeated `execute` with the same idempotencyKey sends it.
   * @throws SqlError P0002 for a key that the journal does not know, 55000 for a write that is not in doubt
   */
  async settle(idempotencyKey: string, status: "fired" | "failed", settlement: Settlement = {}): Promise<void> {
    refuseUnknownKeys("settle()", settlement, settlementKeys);
    return settle(this.core, idempotencyKey, status, settlement);
  }

  /**
   * Undoes a write that fired, by the `compensate` of its verb. The policy, an approval and the journal hold for it as for any
   * write; it is sent once: asked again, the receipt of the first time comes back (`replayed`).
   * @param write a receipt whose `compensable` is true, or its idempotency key
   * @throws SqlError 55000 for what can't be undone, P0002 for a write that the journal does not know; with its receipt when
   *   it fails
   */
  async compensate(write: Pick<Receipt, "idempotencyKey"> | string, options: CompensateOptions = {}): Promise<Receipt> {
    refuseUnknownKeys("compensate()", options, compensateKeys);
    const key = typeof write === "string" ? write : write.idempotencyKey;
    const receipt = await compensate(this.core, key, options);
    this.invalidate(); // what was written is not what sessions should go on seeing
    return receipt;
  }

  /** A table whose own name has a dot comes before one of another schema. */
  private find(table: string): Table | undefined {
    const dot = table.indexOf(".");
    const qualified = dot === -1 ? undefined : this.catalog.table(table.slice(dot + 1), table.slice(0, dot));
    return this.catalog.table(table) ?? qualified;
  }

  /**
   * Closes the journal, the audit's sinks, and the backend, when there is one. Statements of all sessions are refused
   * afterwards (08003); an effect that is being sent is waited for, so that its outcome is written.
   * @throws what closing one of them throws, when all have been closed
   */
  async close(): Promise<void> {
    const { journal, audit, backend, closed: wasClosed } = this.core;
    this.core.closed = true;
    const leave = wasClosed ? undefined : journal.close(); // once: others may share it
    const closed = await Promise.allSettled([leave, audit.close(), backend?.close()]);
    for (const each of closed) if (each.status === "rejected") throw each.reason;
  }
}

const databaseKeys: KeysOf<DatabaseOptions> = {
  policy: true,
  backend: true,
  catalog: true,
  actor: true,
  limits: true,
  journal: true,
  audit: true,
  functions: true,
  now: true,
};
const limitKeys: KeysOf<Limits> = {
  rows: true,
  bytes: true,
  timeoutMs: true,
  callsPerStatement: true,
  concurrency: true,
  sqlLength: true,
  depth: true,
};
const sessionKeys: KeysOf<SessionOptions> = { actor: true, allowPartial: true };
const recoverKeys: KeysOf<RecoverOptions> = { refire: true, signal: true, timeoutMs: true };
const settlementKeys: KeysOf<Settlement> = { result: true, reason: true };
const compensateKeys: KeysOf<CompensateOptions> = { actor: true, signal: true, timeoutMs: true };

function sinksOf(audit: DatabaseOptions["audit"]): readonly AuditSink[] {
  if (audit === undefined) return [];
  return "write" in audit ? [audit] : audit;
}

/** The format of policies is loaded only where there is one: without, the package starts faster. */
async function checkedPolicy(policy: Policy): Promise<Policy> {
  const { checkPolicy } = await import("./policy/check-policy.js");
  return checkPolicy(policy);
}

/** @throws TypeError for a limit that there is not, and for one that is no number from 0: it would bound nothing */
function checkLimits(limits: Limits): void {
  refuseUnknownKeys("Database.create({ limits })", limits, limitKeys);
  for (const [name, value] of Object.entries(limits)) {
    if (value !== undefined && !(typeof value === "number" && value >= 0))
      throw new TypeError(`Database.create({ limits }): ${name} must be a number, 0 or more, not ${String(value)}`);
  }
}
