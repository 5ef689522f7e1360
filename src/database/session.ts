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
import { statementBehind } from "../resources/nested-statements.js";
import { callOfEffect } from "./audit/effect-call.js";
import type { StatementTrail, TrailBegin } from "./audit/statement-trail.js";
import { type Block, blockAfter, isControl } from "./block.js";
import type { DatabaseCore } from "./database-core.js";
import type { Effect } from "./effect.js";
import { type StatementContext, staged } from "./execute.js";
import { type ExplainSettings, explainStatement } from "./explain.js";
import { explainResult, explainRows } from "./explain-result.js";
import { fireInOrder } from "./fire-effects.js";
import { SessionFlows } from "./flow/flows.js";
import {
  firstWrite,
  gate,
  isAnalyze,
  isQuery,
  requireEffectsAllowed,
  requireScript,
  requireWritable,
  statementKind,
} from "./gate.js";
import { EffectKeys } from "./idempotency.js";
import { nestedStatement, timedOutBefore } from "./nested-statement.js";
import { Overlay } from "./overlay.js";
import { requireApproval } from "./policy/approval.js";
import { type PreparedQuery, prepareQuery } from "./prepare.js";
import { type QueryRun, queryResult } from "./query-result.js";
import { answerOf } from "./receipt.js";
import { withFired, withReceipts, withRepeated } from "./receipt-result.js";
import {
  checkActor,
  checkOptions,
  type Deadline,
  deadline,
  isSignal,
  ownOptions,
  rowLimit,
  statementText,
  withinStack,
} from "./run-options.js";
import { mergedResult, refuseExtraParameters } from "./script.js";
import { createSessionContext } from "./session-context.js";
import { systemRows } from "./system-relations.js";
import { withStaged } from "./transaction-results.js";
import { type TransactionStatus, Transactions } from "./transactions.js";
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

function closedSession(): SqlError {
  return new SqlError(sqlstate.connectionDoesNotExist, "the session is closed", {
    hint: "Open another one with db.session().",
  });
}

/** One client's place in a database. Made by `Database.session()`. */
export class Session {
  private readonly transactions = new Transactions();
  /** The labels of what it staged. */
  private readonly flows: SessionFlows;
  /** What each actor of the session wrote. */
  private readonly overlays = new Map<string | undefined, Overlay>();
  private readonly settings: SessionOptions;
  private closed = false;
  private queue: Promise<unknown> = Promise.resolve();
  /** What stands for the statement that runs, and how many wait for it. */
  private running: object | undefined;
  private waiting = 0;
  /** Of the database's sessions, from 1. */
  private readonly number: number;

  constructor(
    private readonly core: DatabaseCore,
    settings: SessionOptions = {},
  ) {
    this.settings = { ...settings };
    this.number = ++core.sessionCount;
    this.flows = new SessionFlows(core.flows);
  }

  /**
   * See `Database.execute`. One that fails, that is cancelled too, aborts the session's open transaction: until ROLLBACK,
   * COMMIT (which rolls back) or ROLLBACK TO, all else is 25P02.
   */
  execute(sql: string, given: ExecuteOptions = {}): Promise<ExecuteResult> {
    const refusal = this.refusal();
    if (refusal !== undefined) return Promise.reject(refusal);
    let options: ExecuteOptions;
    try {
      options = ownOptions(given);
    } catch (error) {
      return Promise.reject(error); // a getter of the caller's object threw
    }
    const behind = isSignal(options.signal) ? statementBehind(options.signal) : statementBehind(undefined);
    if (behind !== undefined && behind === this.running) return Promise.reject(nestedStatement());
    let started = false;
    this.waiting += 1;
    const run = this.queue.then(() => {
      started = true;
      this.waiting -= 1;
      return this.executeInTurn(sql, options);
    });
    // The next statement waits for this one, whether it fails or not; the caller is told of the failure.
    this.queue = run.catch(() => undefined);
    const { signal } = options;
    if (!isSignal(signal)) return run;
    if (signal.aborted) return Promise.reject(canceled(signal));
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

  private async executeInTurn(sql: string, options: ExecuteOptions): Promise<ExecuteResult> {
    const refusal = this.refusal();
    if (refusal !== undefined) throw refusal;
    checkActor(options.actor);
    try {
      this.transactions.requireActor(this.actorOf(options.actor).actor);
    } catch (error) {
      return this.core.audit.run(this.trailBegin(sql, "", options), () => Promise.reject(error));
    }
    try {
      return await withinStack(() => this.executeNow(sql, options));
    } catch (error) {
      throw this.transactions.abortedBy(this.waiting > 0 ? timedOutBefore(this.waiting, error) : error);
    } finally {
      this.running = undefined;
    }
  }

  private refusal(): SqlError | undefined {
    if (this.core.closed) return closedDatabase();
    return this.closed ? closedSession() : undefined;
  }

  /** See `Database.explain`. An error in it leaves the transaction as it is. */
  explain(
    sql: string,
    given: { params?: unknown[]; actor?: string; signal?: AbortSignal } = {},
  ): Promise<ExplainResult> {
    const refusal = this.refusal();
    if (refusal !== undefined) return Promise.reject(refusal);
    let options: ExecuteOptions;
    try {
      options = ownOptions(given);
    } catch (error) {
      return Promise.reject(error);
    }
    if (options.signal?.aborted === true) return Promise.reject(canceled(options.signal));
    return withinStack(() => this.explainNow(sql, options));
  }

  private async explainNow(sql: string, options: ExecuteOptions): Promise<ExplainResult> {
    checkOptions(options);
    this.transactions.requireActor(this.actorOf(options.actor).actor);
    const statements = this.parse(sql);
    const { open } = this.transactions;
    // Nothing is run, so that what an error aborted can be explained as well.
    let block: Block | undefined = open && { ...open.block, failed: false };
    requireScript(statements, block !== undefined);
    const policy = { ...this.core.policy, writes: true };
    let choices: ExplainChoices | undefined;
    const queries: PreparedQuery[] = [];
    const inner = statements.map((statement) => {
      gate(statement, { policy, inTransaction: block !== undefined });
      if (statement.kind === "ExplainStatement") choices = explainChoices(statement.options);
      const explained = statement.kind === "ExplainStatement" ? refuseAnalyze(statement) : statement;
      if (isQuery(explained))
        queries.push(choices?.lineage === true ? this.prepareUnchecked(explained) : this.prepare(explained));
      requireWritable(statement, block);
      if (isControl(explained)) block = blockAfter(block, explained, 0);
      return explained;
    });
    const explained = await explainStatement(inner, queries, {
      ...this.explainSettings(options.params ?? [], options.actor),
      ...(choices !== undefined && { choices }),
    });
    const [query] = queries;
    if (choices?.lineage !== true || query === undefined) return explained;
    return { ...explained, text: this.flows.report(query, choices.format) };
  }

  /** The writes that wait for COMMIT, in order. */
  preview(): StagedWriteView[] {
    return this.transactions.open?.views() ?? [];
  }

  /** Whether a transaction is open, aborted ones included. */
  inTransaction(): boolean {
    return this.transactions.open !== undefined;
  }

  /** `failed`: an error aborted the open transaction; it takes ROLLBACK, COMMIT (which rolls back) and ROLLBACK TO only. */
  transactionStatus(): TransactionStatus {
    return this.transactions.status;
  }

  /**
   * Ends the session when the statement that runs is over: an open transaction is dropped and nothing of it is fired;
   * statements that still wait are refused (08003), and so are later ones.
   */
  close(): Promise<void> {
    this.closed = true;
    const over = this.queue.then(() => {
      this.flows.rolledBack();
      this.transactions.open = undefined;
      this.overlays.clear();
    });
    this.queue = over;
    return over;
  }

  /** Forgets what the session wrote earlier, so that reads show only what the services say. */
  forgetWrites(table?: { readonly schema: string; readonly name: string }): void {
    for (const overlay of this.overlays.values()) overlay.clear(table);
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
      ends,
      cache: new CallCache(kept),
      shared: new Map<string, unknown>(),
      keys: new EffectKeys(options.idempotencyKey, sql, options.params ?? []),
    };
    this.running = run.shared;
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
    if (options.signal?.aborted === true) throw canceled(options.signal);
    const statements = this.parse(sql);
    requireScript(statements, this.inTransaction());
    const { policy, now } = this.core;
    const { allowWrites } = options;
    let taken = 0;
    const flows = this.flows.ahead();
    const actor = this.actorOf(options.actor).actor;
    this.transactions.readAhead(statements, { actor, now }, (statement, block) => {
      gate(statement, {
        policy,
        inTransaction: block !== undefined,
        ...(allowWrites !== undefined && { allowWrites }),
      });
      taken = Math.max(taken, this.prepareAhead(statement, flows));
      requireWritable(statement, block);
    });
    refuseExtraParameters(options.params, taken);
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

  private prepare(statement: ast.Statement, flows = this.flows): PreparedQuery {
    const { statements, catalog, policy, statistics, rules } = this.core;
    return statements.prepare(statement, catalog, policy, statistics.version, rules, flows);
  }

  /** As {@link prepare}, for what only tells of flows: they are not held against the rules. */
  private prepareUnchecked(statement: ast.Statement): PreparedQuery {
    const { catalog, policy, rules } = this.core;
    return prepareQuery(statement, catalog, policy, rules);
  }

  /** The writes that wait for COMMIT, as results show them; `undefined` outside a transaction. */
  private shownStaged(): StagedWriteView[] | undefined {
    const { open } = this.transactions;
    return open && this.flows.views(open.staged);
  }

  /** @returns the number of parameters that the statement takes */
  private prepareAhead(statement: ast.Statement, flows: SessionFlows): number {
    if (statement.kind === "ExplainStatement") explainChoices(statement.options);
    const target = statement.kind === "ExplainStatement" ? statement.statement : statement;
    if (!isQuery(target)) return 0;
    if (statement.kind === "ExplainStatement" && explainChoices(statement.options).lineage)
      return this.prepareUnchecked(target).query.parameters.length;
    const prepared = this.prepare(target, flows);
    flows.begin(prepared.flow, true);
    return prepared.query.parameters.length;
  }

  private async runStatement(statement: ast.Statement, run: Run): Promise<ExecuteResult> {
    run.cache.beginStatement();
    const before = this.transactions.open?.staged.length ?? 0;
    try {
      const result = withReceipts(await this.resultOf(statement, run), run.trail.receipts);
      return withStaged(withRepeated(result, run.keys.takeRepeated()), this.shownStaged(), before);
    } catch (error) {
      this.transactions.open?.keep(before); // a statement takes place as a whole or not at all
      throw withFired(error, run.trail.receipts);
    }
  }

  private resultOf(statement: ast.Statement, run: Run): Promise<ExecuteResult> {
    if (isControl(statement)) {
      return this.transactions
        .control(statement, {
          actor: this.actorOf(run.options.actor).actor,
          now: this.core.now,
          fire: async (effects) => {
            this.flows.committed();
            return this.fireAll(await run.keys.forCommit(effects, this.actorOf(run.options.actor).actor), run, true);
          },
        })
        .finally(() => {
          // Labels stay until the transaction ends, whatever a ROLLBACK TO takes back.
          if (statement.kind === "RollbackStatement" || statement.kind === "CommitStatement") this.flows.rolledBack();
        });
    }
    return statement.kind === "ExplainStatement" ? this.explainAsQuery(statement, run) : this.runQuery(statement, run);
  }

  private async runQuery(statement: ast.Statement, run: Run): Promise<ExecuteResult> {
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
    const seen = await this.seenStaged(statement, run);
    return this.flows.run(prepared, this.inTransaction(), () =>
      queryResult(prepared, how, this.statementContext(run, seen)),
    );
  }

  /** The staged effects that a statement sees: see `EffectKeys.seenBy`. A read sees all of them. */
  private async seenStaged(statement: ast.Statement, { keys }: Run): Promise<readonly Effect[] | undefined> {
    const { open } = this.transactions;
    if (open === undefined || firstWrite(statement) === undefined) return undefined;
    const seen = await keys.seenBy(open.staged);
    return seen === open.staged ? undefined : seen;
  }

  private async explainAsQuery(statement: ast.ExplainStatement, run: Run): Promise<ExecuteResult> {
    const { params = [], actor } = run.options;
    const settings = { ...this.explainSettings(params, actor), choices: explainChoices(statement.options) };
    const { choices } = settings;
    if (choices.lineage && isQuery(statement.statement)) {
      const text = this.flows.report(this.prepareUnchecked(statement.statement), choices.format);
      return explainRows(text, choices.format);
    }
    const prepared = isQuery(statement.statement) ? this.prepare(statement.statement) : undefined;
    if (prepared === undefined) return explainResult(statement, prepared, settings, this.statementContext(run));
    run.trail.planned(prepared);
    if (choices.analyze && prepared.flow?.refusesAnalyze !== undefined) throw prepared.flow.refusesAnalyze;
    const seen = choices.analyze ? await this.seenStaged(statement.statement, run) : undefined;
    const explain = () => explainResult(statement, prepared, settings, this.statementContext(run, seen));
    return choices.analyze ? this.flows.run(prepared, this.inTransaction(), explain) : explain();
  }

  private explainSettings(params: readonly unknown[], actor: string | undefined): ExplainSettings {
    return {
      params,
      session: this.sessionContext(actor),
      limits: this.core.limits,
      staged: this.shownStaged(),
      isHidden: this.flows.isHidden,
    };
  }

  private async fireAll(
    effects: readonly Effect[],
    { signal, ends, cache, shared, options, trail }: Run,
    isCommit = false,
  ): Promise<Receipt[]> {
    const { scheduler, journal, now, policy } = this.core;
    const actor = this.actorOf(options.actor);
    const overlay = this.overlayOf(actor.actor);
    const told = (receipts: readonly Receipt[]) => {
      const shown = this.flows.receipts(receipts, effects);
      trail.fired(effects, shown);
      shown.forEach((receipt, i) => {
        const call = callOfEffect(effects[i], receipt, { at: this.core.now(), ...actor });
        if (call !== undefined) this.core.calls.add(this.core.audit.remembered(call));
      });
    };
    try {
      await ends.standStill(() => requireApproval(effects, policy, { ...actor, signal, statement: shared, isCommit }));
      const how = { signal, deadlineMs: ends.atMs, scheduler, journal, now, shared, cache, overlay, ...actor };
      const receipts = await fireInOrder(effects, how);
      told(receipts);
      return receipts;
    } catch (error) {
      if (error instanceof SqlError && error.receipts !== undefined) told(error.receipts);
      throw this.flows.failure(error, effects);
    }
  }

  private async carryOut(made: readonly Effect[], run: Run): Promise<readonly unknown[]> {
    const { open } = this.transactions;
    if (made.length > 0) requireEffectsAllowed(this.core.policy, open?.block);
    const effects = await run.keys.forStatement(made, this.actorOf(run.options.actor).actor);
    if (open !== undefined) {
      open.stage(await run.keys.fresh(effects, open.staged));
      return effects.map(() => staged);
    }
    return (await this.fireAll(effects, run)).map(answerOf);
  }

  /** @param seen the staged effects that the statement sees; absent: all that there are when it looks */
  private statementContext(run: Run, seen?: readonly Effect[]): StatementContext {
    const { catalog, scheduler, statistics, calls, limits, now, policy, audit, rules } = this.core;
    const { onProgress } = run.options;
    const actor = this.actorOf(run.options.actor);
    const seesWrites = policy.readYourWrites !== false;
    const stagedNow = () => seen ?? this.transactions.open?.staged ?? [];
    const overlay = this.overlayOf(actor.actor);
    return {
      session: this.sessionContext(run.options.actor),
      signal: run.signal,
      deadlineMs: run.deadlineMs,
      stoodStillMs: () => (run.ends.atMs === run.deadlineMs ? 0 : run.ends.atMs - run.deadlineMs),
      limits,
      cache: run.cache,
      scheduler,
      now,
      shared: run.shared,
      ...(onProgress !== undefined && { onProgress }),
      ...actor,
      storedRows: (schema, name) =>
        systemRows(schema, name, {
          catalog: rules.catalog,
          staged: () => this.flows.views(stagedNow()),
          calls,
          statements: () => audit.statementsOf(actor.actor),
          ...actor,
        }),
      onCall: (made) => {
        statistics.record(made);
        const call = this.flows.call(made);
        calls.add({
          ...audit.remembered(call),
          ...(rules.isRuled({ ...call, name: call.resource }) && { hidesCounts: true }),
        });
        run.trail.called(call);
      },
      overlay: (table, rows, made) =>
        seesWrites ? overlay.apply(rules.registered(table), rows, made, stagedNow()) : rows,
      isWritten: (table) => seesWrites && overlay.has(rules.registered(table), stagedNow()),
      // Asked of written tables only.
      changedColumns: (table) => overlay.changedColumns(rules.registered(table), stagedNow()),
      carryOut: (effects) => this.carryOut(effects, run),
      staging: this.inTransaction(),
      staged: stagedNow(),
      ...(policy.maxAffectedRows !== undefined && { maxAffectedRows: policy.maxAffectedRows }),
      rules,
      prepare: (statement) => prepareQuery(statement, catalog, policy),
    };
  }

  private sessionContext(actor: string | undefined) {
    return createSessionContext({
      now: this.core.now,
      maxBytes: this.core.limits.bytes,
      ...this.actorOf(actor),
      ...(this.transactions.open !== undefined && {
        transactionMicroseconds: this.transactions.open.startedMicroseconds,
      }),
    });
  }

  private overlayOf(actor: string | undefined): Overlay {
    const known = this.overlays.get(actor);
    if (known !== undefined) return known;
    const overlay = new Overlay();
    this.overlays.set(actor, overlay);
    return overlay;
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
  /** The clock behind `signal` and `deadlineMs`. */
  readonly ends: Deadline;
  readonly cache: CallCache;
  readonly shared: Map<string, unknown>;
  readonly keys: EffectKeys;
}

/** `explain()` promises to call nothing. */
function refuseAnalyze(statement: ast.ExplainStatement): ast.Statement {
  if (!isAnalyze(statement)) return statement.statement;
  throw new SqlError(sqlstate.featureNotSupported, "explain() does not run the statement, so it cannot ANALYZE", {
    position: statement.range.start + 1,
    hint: "Send EXPLAIN ANALYZE through execute_sql; it makes the statement's calls.",
  });
}
