/**
 * A session: one client's transaction, its view of what it wrote, and its caches. Statements of a session run one after
 * the other; sessions do not see each other.
 */

import type { ScratchpadBackend } from "../backends/backend.js";
import type { Catalog } from "../catalog/catalog.js";
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import type * as ast from "../grammar/ast.js";
import { type ExplainChoices, explainChoices } from "../planner/explain-options.js";
import type { LogicalPlan } from "../planner/plan.js";
import { plansWithin } from "../planner/visit.js";
import { canceled } from "../resources/call.js";
import { CallCache, type KeptAnswers } from "../resources/call-cache.js";
import type { CallLog } from "../resources/call-log.js";
import type { Row } from "../resources/resource.js";
import type { Scheduler } from "../resources/scheduler.js";
import type { Statistics } from "../resources/statistics.js";
import { type Effect, fire } from "./effect.js";
import { executeQuery, type StatementContext, staged } from "./execute.js";
import { type ExplainSettings, explainStatement, planToAnalyze } from "./explain.js";
import { explainEmpty } from "./explain-empty.js";
import { firstWrite, gate, isAnalyze } from "./gate.js";
import { answerOnBackend } from "./on-backend.js";
import { Overlay } from "./overlay.js";
import type { PreparedQuery, StatementCache } from "./prepare.js";
import { commandTag, fieldsOf, ownRows } from "./result.js";
import { checkOptions, deadline, rowLimit, statementText, withinStack } from "./run-options.js";
import { createSessionContext } from "./session-context.js";
import { systemRows } from "./system-relations.js";
import { Transaction, writtenBy } from "./transaction.js";
import type {
  ExecuteOptions,
  ExecuteResult,
  ExplainResult,
  Limits,
  MissingPart,
  Notice,
  Policy,
  Receipt,
  SessionOptions,
  StagedWriteView,
} from "./types.js";

/** What all sessions of a database share. */
export interface DatabaseCore {
  readonly catalog: Catalog;
  readonly policy: Policy;
  readonly limits: Required<Limits>;
  readonly now: () => Date;
  readonly statements: StatementCache;
  /** What calls say of the tables, for plans. */
  readonly statistics: Statistics;
  /** The calls made lately, by principal. */
  readonly calls: CallLog;
  /** Answers that outlive an `execute`. */
  readonly kept: KeptAnswers;
  readonly scheduler: Scheduler;
  readonly backend?: ScratchpadBackend;
  /** Set by `Database.close()`: no session takes statements after it. */
  closed: boolean;
}

function closedDatabase(): SqlError {
  return new SqlError(sqlstate.connectionDoesNotExist, "the database is closed");
}

/** One client's place in a database. Made by `Database.session()`. */
export class Session {
  private transaction: Transaction | undefined;
  private readonly overlay = new Overlay();
  private queue: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly core: DatabaseCore,
    private readonly settings: SessionOptions = {},
  ) {}

  /** See `Database.execute`. */
  execute(sql: string, options: ExecuteOptions = {}): Promise<ExecuteResult> {
    if (this.core.closed) return Promise.reject(closedDatabase());
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
      signal.addEventListener("abort", abort, { once: true });
      run.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
    });
  }

  /** See `Database.explain`. */
  explain(
    sql: string,
    options: { params?: unknown[]; actor?: string; signal?: AbortSignal } = {},
  ): Promise<ExplainResult> {
    if (this.core.closed) return Promise.reject(closedDatabase());
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
    const session = this.sessionContext(options.actor);
    return explainStatement(inner, queries, {
      params: options.params ?? [],
      session,
      limits: this.core.limits,
      ...(choices !== undefined && { choices }),
      staged: this.transaction?.views(),
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
    checkOptions(options);
    const statements = this.parse(sql);
    gate(statements, {
      policy: this.core.policy,
      inTransaction: this.inTransaction(),
      ...(options.allowWrites !== undefined && { allowWrites: options.allowWrites }),
    });
    // Every statement is bound before the first one runs: a script that is wrong at its end has called nothing.
    const parameters = statements.map((statement) => this.prepareAhead(statement));
    refuseExtraParameters(options.params, Math.max(...parameters));
    if (options.signal?.aborted === true) throw canceled(options.signal);
    const ends = deadline(options.signal, options.timeoutMs ?? this.core.limits.timeoutMs);
    const run: Run = {
      options,
      signal: ends.signal,
      deadlineMs: ends.atMs,
      cache: new CallCache(this.core.kept),
      shared: new Map(),
    };
    try {
      let result: ExecuteResult | undefined;
      for (const statement of statements) result = this.mergeScript(result, await this.runStatement(statement, run));
      return result as ExecuteResult;
    } finally {
      ends.clear();
    }
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

  /** A script's result is its last statement's; when that has no rows, those of the last one that had some. */
  private mergeScript(previous: ExecuteResult | undefined, next: ExecuteResult): ExecuteResult {
    if (previous === undefined) return next;
    const touched = [...previous.touched, ...next.touched];
    const notices = [...(previous.notices ?? []), ...(next.notices ?? [])];
    const merged = { ...next, touched, ...(notices.length > 0 && { notices }) };
    if (next.fields.length > 0 || previous.fields.length === 0) return merged;
    return { ...merged, rows: previous.rows, fields: previous.fields, truncated: previous.truncated };
  }

  private async runStatement(statement: ast.Statement, run: Run): Promise<ExecuteResult> {
    run.cache.beginStatement();
    switch (statement.kind) {
      case "BeginStatement":
        return this.begin();
      case "CommitStatement":
        return this.commit(run);
      case "RollbackStatement":
        return this.rollback();
      default:
    }
    if (this.transaction?.failed === true) {
      throw new SqlError(
        sqlstate.inFailedTransaction,
        "current transaction is aborted, commands ignored until end of transaction block",
        {
          hint: "Send ROLLBACK and begin again.",
        },
      );
    }
    try {
      return statement.kind === "ExplainStatement"
        ? await this.explainAsQuery(statement, run)
        : await this.runQuery(statement, run);
    } catch (error) {
      if (this.transaction !== undefined) this.transaction.failed = true;
      throw error;
    }
  }

  private async runQuery(statement: ast.Statement, run: Run): Promise<ExecuteResult> {
    const prepared = this.prepare(statement);
    const limit = rowLimit(run.options.limit);
    const { backend } = this.core;
    // A SELECT may write in WITH; effects are never another engine's affair.
    const isRead = firstWrite(statement) === undefined;
    const missing: MissingPart[] = [];
    const context = this.statementContext(run, isRead ? missing : undefined);
    const answer =
      backend !== undefined &&
      isRead &&
      prepared.graph.scans.length + prepared.scans.length > 0 &&
      !callsOwnFunction(prepared.plan)
        ? await answerOnBackend(backend, prepared, run.options.params ?? [], limit + 1, context)
        : await executeQuery(prepared, run.options.params ?? [], limit + 1, context);
    const truncated = answer.rows.length > limit;
    const rows = ownRows(truncated ? answer.rows.slice(0, limit) : answer.rows, prepared.query.output, answer.names);
    const rowCount = answer.affected ?? rows.length;
    const notices: Notice[] = (prepared.query.notices ?? []).map((notice) => ({ severity: "NOTICE", ...notice }));
    if (missing.length > 0) notices.push(incompleteAnswer(missing));
    else notices.push(...(await explainEmpty(prepared, answer, run.options.params ?? [], context)));
    return this.withStaged({
      rows,
      fields: fieldsOf(prepared.query.output, answer.names),
      truncated,
      touched: [...answer.touched],
      rowCount,
      command: commandTag(prepared.query.command, rowCount),
      ...(notices.length > 0 && { notices }),
      ...(missing.length > 0 && { missing }),
    });
  }

  private async explainAsQuery(statement: ast.ExplainStatement, run: Run): Promise<ExecuteResult> {
    const inner = statement.statement;
    const choices = explainChoices(statement.options);
    const params = run.options.params ?? [];
    const queries = isQuery(inner) ? [this.prepare(inner)] : [];
    const settings: ExplainSettings = {
      params,
      session: this.sessionContext(run.options.actor),
      limits: this.core.limits,
      choices,
      staged: this.transaction?.views(),
    };
    let { text } = await explainStatement([inner], queries, settings);
    let touched: ExecuteResult["touched"] = [];
    if (choices.analyze && queries.length > 0) {
      const analyzed = planToAnalyze(queries[0], settings);
      const started = performance.now();
      const result = await executeQuery(queries[0], params, Number.POSITIVE_INFINITY, this.statementContext(run));
      touched = [...result.touched];
      const durationMs = performance.now() - started;
      text = analyzed({ resolved: result.resolved, durationMs });
    }
    const isJson = choices.format === "json";
    // As every json value of a result: the document, not its text.
    const rows = isJson
      ? [{ "QUERY PLAN": JSON.parse(text) as unknown }]
      : text.split("\n").map((line) => ({ "QUERY PLAN": line }));
    return this.withStaged({
      rows,
      fields: [{ name: "QUERY PLAN", type: isJson ? "json" : "text" }],
      truncated: false,
      touched,
      rowCount: rows.length,
      command: "EXPLAIN",
    });
  }

  private begin(): ExecuteResult {
    if (this.transaction !== undefined) {
      return {
        ...this.plain("BEGIN"),
        notices: [
          {
            severity: "WARNING",
            code: sqlstate.activeTransaction,
            message: "there is already a transaction in progress",
          },
        ],
      };
    }
    this.transaction = new Transaction(this.core.now().getTime() * 1000);
    return {
      ...this.plain("BEGIN"),
      message: "Writes are staged from here on; COMMIT fires them, ROLLBACK drops them.",
    };
  }

  private rollback(): ExecuteResult {
    const open = this.transaction;
    this.transaction = undefined;
    if (open === undefined) {
      return {
        ...this.plain("ROLLBACK"),
        notices: [
          { severity: "WARNING", code: sqlstate.noActiveTransaction, message: "there is no transaction in progress" },
        ],
      };
    }
    return {
      ...this.plain("ROLLBACK"),
      message: `${countOf(open.staged.length, "staged write")} dropped; nothing was fired.`,
    };
  }

  private async commit(run: Run): Promise<ExecuteResult> {
    const open = this.transaction;
    this.transaction = undefined;
    if (open === undefined) {
      return {
        ...this.plain("COMMIT"),
        notices: [
          { severity: "WARNING", code: sqlstate.noActiveTransaction, message: "there is no transaction in progress" },
        ],
      };
    }
    if (open.failed) {
      return {
        ...this.plain("ROLLBACK"),
        message: `The transaction had failed: ${countOf(open.staged.length, "staged write")} dropped; nothing was fired.`,
      };
    }
    const receipts = await this.fireAll(open.staged, run);
    return {
      ...this.plain("COMMIT"),
      touched: writtenBy(open.staged),
      committed: receipts.length,
      receipts,
      message: `${countOf(receipts.length, "write")} fired.`,
    };
  }

  /** Fires effects in order and stops at the first that does not succeed. @throws SqlError with one receipt for each effect */
  private async fireAll(effects: readonly Effect[], run: Run): Promise<Receipt[]> {
    const receipts: Receipt[] = [];
    const { scheduler } = this.core;
    const context = { signal: run.signal, scheduler, shared: run.shared, ...this.actorOf(run.options.actor) };
    for (const [i, effect] of effects.entries()) {
      const receipt = await fire(effect, i + 1, context);
      // Whatever became of it; what was read while it was under way goes as well.
      run.cache.forgetStable([effect.table]);
      receipts.push(receipt);
      if (receipt.status !== "fired") {
        const rest = effects.slice(i + 1).map<Receipt>((other, n) => ({
          id: i + n + 2,
          resource: other.table.name,
          op: other.op,
          status: "not_tried",
          idempotencyKey: other.idempotencyKey,
        }));
        throw writeFailed(effect, receipt, [...receipts, ...rest]);
      }
      this.overlay.add(asAnswered(effect, receipt.result));
    }
    return receipts;
  }

  private async carryOut(effects: readonly Effect[], run: Run): Promise<readonly unknown[]> {
    if (this.transaction !== undefined) {
      this.transaction.stage(effects);
      return effects.map(() => staged);
    }
    return (await this.fireAll(effects, run)).map((receipt) => receipt.result);
  }

  /** @param missing takes what the answer is without, where a partial one is allowed; absent for statements that need it whole */
  private statementContext(run: Run, missing?: MissingPart[]): StatementContext {
    const { onProgress } = run.options;
    const allowsPartial = run.options.allowPartial ?? this.settings.allowPartial ?? false;
    return {
      session: this.sessionContext(run.options.actor),
      signal: run.signal,
      deadlineMs: run.deadlineMs,
      limits: this.core.limits,
      cache: run.cache,
      scheduler: this.core.scheduler,
      now: this.core.now,
      shared: run.shared,
      ...(allowsPartial && missing !== undefined && { onMissing: (part: MissingPart) => void missing.push(part) }),
      ...(onProgress !== undefined && { onProgress }),
      ...this.actorOf(run.options.actor),
      storedRows: (schema, name) =>
        systemRows(schema, name, {
          catalog: this.core.catalog,
          staged: () => this.transaction?.views() ?? [],
          calls: this.core.calls,
          ...this.actorOf(run.options.actor),
        }),
      onCall: (call) => {
        this.core.statistics.record(call);
        this.core.calls.add(call);
      },
      overlay: (table, rows, calls) =>
        this.core.policy.readYourWrites === false
          ? rows
          : this.overlay.apply(table, rows, calls, this.transaction?.staged ?? []),
      isWritten: (table) =>
        this.core.policy.readYourWrites !== false && this.overlay.has(table, this.transaction?.staged ?? []),
      changedColumns: (table) =>
        this.core.policy.readYourWrites === false
          ? new Set()
          : this.overlay.changedColumns(table, this.transaction?.staged ?? []),
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

  private plain(command: string): ExecuteResult {
    return this.withStaged({ rows: [], fields: [], truncated: false, touched: [], command });
  }

  private withStaged(result: ExecuteResult): ExecuteResult {
    if (this.transaction === undefined) return result;
    const views = this.transaction.views();
    const waiting =
      result.message ??
      (views.length > 0 && result.command !== undefined && /^(INSERT|UPDATE|DELETE)/.test(result.command)
        ? `${countOf(views.length, "write")} staged; COMMIT fires, ROLLBACK drops.`
        : undefined);
    return { ...result, staged: views, ...(waiting !== undefined && { message: waiting }) };
  }
}

/** One `execute`: its options, its signal and what its statements share. */
interface Run {
  readonly options: ExecuteOptions;
  readonly signal: AbortSignal;
  readonly deadlineMs: number;
  readonly cache: CallCache;
  readonly shared: Map<string, unknown>;
}

/** Whether a statement reads or writes tables, and so is bound and planned. */
function isQuery(statement: ast.Statement): boolean {
  return (
    statement.kind === "SelectStatement" ||
    statement.kind === "InsertStatement" ||
    statement.kind === "UpdateStatement" ||
    statement.kind === "DeleteStatement" ||
    statement.kind === "MergeStatement"
  );
}

/** Whether a plan calls a function that only this program has, such as `catalog.search`: no other engine can run it. */
function callsOwnFunction(plan: LogicalPlan): boolean {
  return plansWithin(plan).some(
    (node) =>
      (node.kind === "FunctionScan" || node.kind === "ProjectSet") &&
      node.calls.some((call) => "function" in call && call.function.schema !== undefined),
  );
}

function refuseAnalyze(statement: ast.ExplainStatement): ast.Statement {
  if (!isAnalyze(statement)) return statement.statement;
  throw new SqlError(sqlstate.featureNotSupported, "explain() does not run the statement, so it cannot ANALYZE", {
    position: statement.range.start + 1,
    hint: "Send EXPLAIN ANALYZE through execute_sql; it makes the statement's calls.",
  });
}

/** A value that no `$n` takes is a mistake, as it is for PostgreSQL. The statements of a script share their values. */
function refuseExtraParameters(params: readonly unknown[] | undefined, taken: number): void {
  const given = params?.length ?? 0;
  if (given <= taken) return;
  throw new SqlError(
    sqlstate.protocolViolation,
    `${given} parameter values were given, but the statement needs ${taken}`,
    {
      hint: "A $1 inside quotes is text and takes no value.",
    },
  );
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
      detail: [sentence(receipt.error?.message ?? ""), others].filter((part) => part !== "").join(" "),
      ...(unknown && { hint: `Look with SELECT whether it happened before you try again.` }),
      receipts,
    },
  );
}

/** What a tool said, ended so that a sentence can follow. */
function sentence(words: string): string {
  return words === "" || /[.!?…:]$/.test(words) ? words : `${words}.`;
}

/** Parts that a notice names; the result lists all. */
const maxPartsNamed = 3;

function incompleteAnswer(missing: readonly MissingPart[]): Notice {
  const parts = missing.slice(0, maxPartsNamed).map(({ resource, part, bindings }) => {
    const given = Object.entries(bindings).map(([column, values]) => `${column} = ${values.slice(0, 3).join(", ")}`);
    const which = part ?? (given.length > 0 ? `the rows of ${given.join("; ")}` : "its rows");
    return `"${resource}" without ${which}`;
  });
  const more = missing.length > maxPartsNamed ? ` and ${missing.length - maxPartsNamed} more parts` : "";
  return {
    severity: "WARNING",
    code: sqlstate.warning,
    message: `the answer is incomplete: ${parts.join(", ")}${more}`,
    hint: "Counts and sums are of a part only; so is the absence of a row.",
  };
}

function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
