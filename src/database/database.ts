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
import type { Journal } from "./journal/journal.js";
import { Ledger } from "./journal/ledger.js";
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
  type SessionOptions,
  type StagedWriteView,
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
    for (const table of options.catalog === undefined ? [] : seedTables(options.catalog)) this.catalog.add(table);
    const now = options.now ?? (() => new Date());
    const limits = completeLimits(options.limits);
    this.core = {
      catalog: this.catalog,
      policy: { ...options.policy },
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
        isRedacted: (relation, column) => this.isLabelled(relation, column),
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
   * @throws whatever reading the journal throws: a database that can't tell what it has sent does not start
   */
  static async create(options: DatabaseOptions = {}): Promise<Database> {
    return new Database(options, await Ledger.open(options.journal));
  }

  /**
   * Adds a resource as a table; one that is registered under the same name is replaced.
   * @throws TypeError when the resource cannot be a table, for instance for a column of an unknown type
   */
  register(resource: ResourceTable, options: { schema?: string } = {}): this {
    const schema = options.schema ?? "public";
    const table = registeredResource(checkResource(resource), schema);
    const { statistics } = this.core;
    statistics.forget(schema, table.name);
    this.catalog.add({ ...table, estimate: () => statistics.estimateOf(schema, table.name) });
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

  /** Another client's session: its own transaction, its own view of its writes. */
  session(options: SessionOptions = {}): Session {
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
    for (const session of this.sessions) session.deref()?.forgetWrites(found);
  }

  /** A table whose own name has a dot comes before one of another schema. */
  private find(table: string): Table | undefined {
    const dot = table.indexOf(".");
    const qualified = dot === -1 ? undefined : this.catalog.table(table.slice(dot + 1), table.slice(0, dot));
    return this.catalog.table(table) ?? qualified;
  }

  /** Whether a column carries a flow label: records leave its values out. */
  private isLabelled({ schema, name }: { readonly schema: string; readonly name: string }, column: string): boolean {
    const found = this.catalog.table(name, schema)?.columns.find((candidate) => candidate.name === column);
    return (found?.flowLabels ?? []).length > 0;
  }

  /**
   * Closes the journal, the audit's sinks, and the backend, when there is one. Statements of all sessions are refused
   * afterwards (08003); an effect that is being sent is waited for, so that its outcome is written.
   * @throws what closing one of them throws, when all have been closed
   */
  async close(): Promise<void> {
    this.core.closed = true;
    const { journal, audit, backend } = this.core;
    const closed = await Promise.allSettled([journal.close(), audit.close(), backend?.close()]);
    for (const each of closed) if (each.status === "rejected") throw each.reason;
  }
}

function sinksOf(audit: DatabaseOptions["audit"]): readonly AuditSink[] {
  if (audit === undefined) return [];
  return "write" in audit ? [audit] : audit;
}
