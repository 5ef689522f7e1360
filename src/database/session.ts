/**
 * A session: one client's transaction and its view of what it wrote. Statements of a session run one after the other;
 * sessions do not see each other. What a single statement does stands beside: `query-result.ts`, `explain-result.ts`,
 * `fire-effects.ts`.
 */

import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import type * as ast from "../grammar/ast.js";
import { deparse } from "../grammar/deparse.js";
import { type ExplainChoices, explainChoices } from "../planner/explain-options.js";
import { canceled } from "../resources/call.js";
import { CallCache } from "../resources/call-cache.js";
import { callOfEffect } from "./audit/effect-call.js";
import type { StatementTrail, TrailBegin } from "./audit/statement-trail.js";
import type { DatabaseCore } from "./database-core.js";
import type { Effect } from "./effect.js";
import { type StatementContext, staged } from "./execute.js";
import { type ExplainSettings, explainStatement } from "./explain.js";
import { explainResult } from "./explain-result.js";
import { fireInOrder } from "./fire-effects.js";
import { gate, isAnalyze, isQuery, statementKind } from "./gate.js";
import { Overlay } from "./overlay.js";
import type { PreparedQuery } from "./prepare.js";
import { type QueryRun, queryResult } from "./query-result.js";
import { checkOptions, deadline, rowLimit, statementText, withinStack } from "./run-options.js";
import { mergedResult, refuseExtraParameters } from "./script.js";
import { createSessionContext } from "./session-context.js";
import { systemRows } from "./system-relations.js";
import { Transaction } from "./transaction.js";
import {
  alreadyBegun,
  begun,
  committed,
  notBegun,
  rolledBack,
  rolledBackInstead,
  withStaged,
} from "./transaction-results.js";
import type {
  ExecuteOptions,
  ExecuteResult,
  ExplainResult,
  Receipt,
  SessionOptions,
  StagedWriteView,
} from "./types.js";

function closedDatabase(): SqlError {
  return new SqlError(sqlstate.connectionDoesNotExist, "the database is closed");
}

/** One client's place in a database. Made by `Database.session()`. */
export class Session {
  private transaction: Transaction | undefined;
  private readonly overlay = new Overlay();
  private queue: Promise<unknown> = Promise.resolve();
  /** Of the database's sessions, from 1. */
  private readonly number: number;

  constructor(
    private readonly core: DatabaseCore,
    private readonly settings: SessionOptions = {},
  ) {
    this.number = ++core.sessionCount;
  }

  /** See `Database.execute`. */
  execute(sql: string, options: ExecuteOptions = {}): Promise<ExecuteResult> {
    if (this.core.closed) return Promise.reject(closedDatabase());
    if (options.signal?.aborted === true) return Promise.reject(canceled(options.signal));
    let started = false;
    const run = this.queue.then(() => {
      started = true;
      return withinStack(() => this.executeNow(sql, options));
    });
    // The next statement waits for this one, whether it fails or not; the caller is told of the failure.
    this.queue = run.catch(() => undefined);
    const { signal } = options;
    if (signal === undefined) return run;
    // One that still waits is given up at once; one that runs is told to stop, and ends by itself.
    return new Promise((resolve, reject) => {
      const abort = () => {
        if (!started) reject(canceled(signal));
      };
      // A signal of its own to listen to: Node warns of a leak where many statements that wait listen to one.
      const own = AbortSignal.any([signal]);
      own.addEventListener("abort", abort, { once: true });
      run.then(resolve, reject).finally(() => own.removeEventListener("abort", abort));
    });
  }

  /** See `Database.explain`. */
  explain(
    sql: string,
    options: { params?: unknown[]; actor?: string; signal?: AbortSignal } = {},
  ): Promise<ExplainResult> {
    if (this.core.closed) return Promise.reject(closedDatabase());
    if (options.signal?.aborted === true) return Promise.reject(canceled(options.signal));
    return withinStack(() => this.explainNow(sql, options));
  }

  private async explainNow(sql: string, options: { params?: unknown[]; actor?: string }): Promise<ExplainResult> {
    checkOptions(options);
    const statements = this.parse(sql);
    gate(statements, { policy: { ...this.core.policy, writes: true }, inTransaction: this.inTransaction() });
    let choices: ExplainChoices | undefined;
    const inner = statements.map((statement) => {
      if (statement.kind !== "ExplainStatement") return statement;
      choices = explainChoices(statement.options);
      return refuseAnalyze(statement);
    });
    const queries = inner.filter(isQuery).map((statement) => this.prepare(statement));
    return explainStatement(inner, queries, {
      ...this.explainSettings(options.params ?? [], options.actor),
      ...(choices !== undefined && { choices }),
    });
  }

  /** The writes that wait for COMMIT, in order. */
  preview(): StagedWriteView[] {
    return this.transaction?.views() ?? [];
  }

  inTransaction(): boolean {
    return this.transaction !== undefined;
  }

  /** Forgets what the session wrote earlier, so that reads show only what the services say. */
  forgetWrites(table?: { readonly schema: string; readonly name: string }): void {
    this.overlay.clear(table);
  }

  private async executeNow(sql: string, options: ExecuteOptions): Promise<ExecuteResult> {
    const { audit, limits, kept } = this.core;
    let statements: readonly ast.Statement[];
    try {
      statements = this.readStatements(sql, options);
    } catch (error) {
      return audit.run(this.trailBegin(sql, "", options), () => Promise.reject(error));
    }
    const ends = deadline(options.signal, options.timeoutMs ?? limits.timeoutMs);
    const run = {
      options,
      signal: ends.signal,
      deadlineMs: ends.atMs,
      cache: new CallCache(kept),
      shared: new Map<string, unknown>(),
    };
    try {
      let result: ExecuteResult | undefined;
      for (const statement of statements) {
        const text = statements.length === 1 ? sql : deparse(statement);
        const begin = this.trailBegin(text, statementKind(statement), options);
        const next = await audit.run(begin, (trail) => this.runStatement(statement, { ...run, trail }));
        result = mergedResult(result, next);
      }
      return result as ExecuteResult;
    } finally {
      ends.clear();
    }
  }

  /** Every statement is bound before the first one runs: a script that is wrong at its end has called nothing. */
  private readStatements(sql: string, options: ExecuteOptions): readonly ast.Statement[] {
    checkOptions(options);
    const statements = this.parse(sql);
    gate(statements, {
      policy: this.core.policy,
      inTransaction: this.inTransaction(),
      ...(options.allowWrites !== undefined && { allowWrites: options.allowWrites }),
    });
    const parameters = statements.map((statement) => this.prepareAhead(statement));
    refuseExtraParameters(options.params, Math.max(...parameters));
    if (options.signal?.aborted === true) throw canceled(options.signal);
    return statements;
  }

  private trailBegin(sql: unknown, statement: string, { params, actor }: ExecuteOptions): TrailBegin {
    return {
      sql: typeof sql === "string" ? sql : "",
      statement,
      session: this.number,
      ...this.actorOf(actor),
      ...(Array.isArray(params) && { params }),
    };
  }

  private parse(text: string): readonly ast.Statement[] {
    const sql = statementText(text);
    if (sql.length > this.core.limits.sqlLength) {
      throw new SqlError(sqlstate.statementTooComplex, "the statement is too long", {
        detail: `It has ${sql.length} characters; the limit is ${this.core.limits.sqlLength}.`,
      });
    }
    return this.core.statements.parse(sql);
  }

  private prepare(statement: ast.Statement): PreparedQuery {
    const { statements, catalog, policy, statistics } = this.core;
    return statements.prepare(statement, catalog, policy, statistics.version);
  }

  /** @returns the number of parameters that the statement takes */
  private prepareAhead(statement: ast.Statement): number {
    const target = statement.kind === "ExplainStatement" ? statement.statement : statement;
    return isQuery(target) ? this.prepare(target).query.parameters.length : 0;
  }

  private async runStatement(statement: ast.Statement, run: Run): Promise<ExecuteResult> {
    run.cache.beginStatement();
    return withStaged(await this.resultOf(statement, run), this.transaction);
  }

  private async resultOf(statement: ast.Statement, run: Run): Promise<ExecuteResult> {
    switch (statement.kind) {
      case "BeginStatement":
        return this.begin();
      case "CommitStatement":
        return this.commit(run);
      case "RollbackStatement":
        return this.rollback();
      default:
    }
    if (this.transaction?.failed === true) throw inFailedTransaction();
    try {
      return await (statement.kind === "ExplainStatement"
        ? this.explainAsQuery(statement, run)
        : this.runQuery(statement, run));
    } catch (error) {
      if (this.transaction !== undefined) this.transaction.failed = true;
      throw error;
    }
  }

  private runQuery(statement: ast.Statement, run: Run): Promise<ExecuteResult> {
    const { backend } = this.core;
    const { params = [], limit, allowPartial } = run.options;
    const how: QueryRun = {
      params,
      limit: rowLimit(limit),
      allowPartial: allowPartial ?? this.settings.allowPartial ?? false,
      ...(backend !== undefined && { backend }),
    };
    const prepared = this.prepare(statement);
    run.trail.planned(prepared);
    return queryResult(prepared, how, this.statementContext(run));
  }

  private explainAsQuery(statement: ast.ExplainStatement, run: Run): Promise<ExecuteResult> {
    const { params = [], actor } = run.options;
    const settings = { ...this.explainSettings(params, actor), choices: explainChoices(statement.options) };
    const prepared = isQuery(statement.statement) ? this.prepare(statement.statement) : undefined;
    if (prepared !== undefined) run.trail.planned(prepared);
    return explainResult(statement, prepared, settings, this.statementContext(run));
  }

  private explainSettings(params: readonly unknown[], actor: string | undefined): ExplainSettings {
    return {
      params,
      session: this.sessionContext(actor),
      limits: this.core.limits,
      staged: this.transaction?.views(),
    };
  }

  private begin(): ExecuteResult {
    if (this.transaction !== undefined) return alreadyBegun();
    this.transaction = new Transaction(this.core.now().getTime() * 1000);
    return begun();
  }

  private rollback(): ExecuteResult {
    const open = this.transaction;
    this.transaction = undefined;
    return open === undefined ? notBegun("ROLLBACK") : rolledBack(open);
  }

  private async commit(run: Run): Promise<ExecuteResult> {
    const open = this.transaction;
    this.transaction = undefined;
    if (open === undefined) return notBegun("COMMIT");
    if (open.failed) return rolledBackInstead(open);
    return committed(open, await this.fireAll(open.staged, run));
  }

  private async fireAll(
    effects: readonly Effect[],
    { signal, cache, shared, options, trail }: Run,
  ): Promise<Receipt[]> {
    const { scheduler } = this.core;
    const { overlay } = this;
    const actor = this.actorOf(options.actor);
    const told = (receipts: readonly Receipt[]) => {
      trail.fired(effects, receipts);
      receipts.forEach((receipt, i) => {
        const call = callOfEffect(effects[i], receipt, { at: this.core.now(), ...actor });
        if (call !== undefined) this.core.calls.add(this.core.audit.remembered(call));
      });
    };
    try {
      const receipts = await fireInOrder(effects, { signal, scheduler, shared, cache, overlay, ...actor });
      told(receipts);
      return receipts;
    } catch (error) {
      if (error instanceof SqlError && error.receipts !== undefined) told(error.receipts);
      throw error;
    }
  }

  private async carryOut(effects: readonly Effect[], run: Run): Promise<readonly unknown[]> {
    if (this.transaction !== undefined) {
      this.transaction.stage(effects);
      return effects.map(() => staged);
    }
    return (await this.fireAll(effects, run)).map((receipt) => receipt.result);
  }

  private statementContext(run: Run): StatementContext {
    const { catalog, scheduler, statistics, calls, limits, now, policy, audit } = this.core;
    const { onProgress } = run.options;
    const actor = this.actorOf(run.options.actor);
    const seesWrites = policy.readYourWrites !== false;
    const stagedNow = () => this.transaction?.staged ?? [];
    return {
      session: this.sessionContext(run.options.actor),
      signal: run.signal,
      deadlineMs: run.deadlineMs,
      limits,
      cache: run.cache,
      scheduler,
      now,
      shared: run.shared,
      ...(onProgress !== undefined && { onProgress }),
      ...actor,
      storedRows: (schema, name) =>
        systemRows(schema, name, {
          catalog,
          staged: () => this.transaction?.views() ?? [],
          calls,
          statements: () => audit.statementsOf(actor.actor),
          ...actor,
        }),
      onCall: (call) => {
        statistics.record(call);
        calls.add(audit.remembered(call));
        run.trail.called(call);
      },
      overlay: (table, rows, made) => (seesWrites ? this.overlay.apply(table, rows, made, stagedNow()) : rows),
      isWritten: (table) => seesWrites && this.overlay.has(table, stagedNow()),
      // Asked of written tables only.
      changedColumns: (table) => this.overlay.changedColumns(table, stagedNow()),
      carryOut: (effects) => this.carryOut(effects, run),
    };
  }

  private sessionContext(actor: string | undefined) {
    return createSessionContext({
      now: this.core.now,
      maxBytes: this.core.limits.bytes,
      ...this.actorOf(actor),
      ...(this.transaction !== undefined && { transactionMicroseconds: this.transaction.startedMicroseconds }),
    });
  }

  private actorOf(actor: string | undefined): { actor?: string } {
    const who = actor ?? this.settings.actor;
    return who === undefined ? {} : { actor: who };
  }
}

/** One statement of an `execute`: the options, the signal, what all its statements share, and what this one leaves behind. */
interface Run {
  readonly trail: StatementTrail;
  readonly options: ExecuteOptions;
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
  readonly cache: CallCache;
  readonly shared: Map<string, unknown>;
}

function inFailedTransaction(): SqlError {
  return new SqlError(
    sqlstate.inFailedTransaction,
    "current transaction is aborted, commands ignored until end of transaction block",
    { hint: "Send ROLLBACK and begin again." },
  );
}

/** `explain()` promises to call nothing. */
function refuseAnalyze(statement: ast.ExplainStatement): ast.Statement {
  if (!isAnalyze(statement)) return statement.statement;
  throw new SqlError(sqlstate.featureNotSupported, "explain() does not run the statement, so it cannot ANALYZE", {
    position: statement.range.start + 1,
    hint: "Send EXPLAIN ANALYZE through execute_sql; it makes the statement's calls.",
  });
}
