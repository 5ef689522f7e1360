/**
 * Runs statements one after the other: which kind goes where, what a failure does to the transaction, and the answer of
 * each. Source: PostgreSQL 15, 55.2.2 "Multiple Statements in a Simple Query", BEGIN, SAVEPOINT.
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../../grammar/ast.js";
import { createIndex } from "./create-index.js";
import { createEnum, createSchema, createView } from "./create-others.js";
import { createTable } from "./create-table.js";
import { drop, truncate } from "./drop.js";
import { explain } from "./explain.js";
import { requireReading } from "./read-only.js";
import { type Answer, type AnswerForm, createTableAs, runQuery, type StatementEnvironment } from "./run-query.js";
import { MemorySessionContext } from "./session-context.js";
import { Settings } from "./settings.js";
import { StatementCache } from "./statement-cache.js";
import { Store } from "./store.js";
import { SystemTables } from "./system-tables.js";
import { textAnswer } from "./text-answer.js";
import { Transaction } from "./transaction.js";

/** Limits of a memory database. */
export interface MemoryLimits {
  /** Rows that a statement may hold at one time. */
  readonly rows?: number;
  readonly bytes?: number;
  readonly timeoutMs?: number;
  /** Rounds of a recursive query. */
  readonly depth?: number;
  readonly sqlLength?: number;
}

export interface RunOptions {
  readonly params: readonly unknown[];
  readonly form: AnswerForm;
  readonly signal?: AbortSignal;
}

const emptyAnswer: Answer = { rows: [], fields: [], rowCount: 0, command: "" };

export class Session {
  readonly store = new Store();
  readonly context: MemorySessionContext;
  private readonly settings: Settings;
  private readonly cache = new StatementCache();
  private readonly system: SystemTables;
  private transaction: Transaction | undefined;

  constructor(
    private readonly limits: MemoryLimits,
    now: () => Date,
    timeZone: string,
  ) {
    this.settings = new Settings(timeZone);
    const maxBytes = limits.bytes ?? Number.POSITIVE_INFINITY;
    this.context = new MemorySessionContext(this.store, this.settings, now, maxBytes);
    this.system = new SystemTables(this.store.catalog);
  }

  get inTransaction(): boolean {
    return this.transaction !== undefined;
  }

  /** Runs a script; the answer is that of its last statement. Without BEGIN, a script of several statements is one transaction. */
  async run(sql: string, options: RunOptions): Promise<Answer> {
    const { sqlLength } = this.limits;
    if (sqlLength !== undefined && sql.length > sqlLength) {
      throw new SqlError(sqlstate.statementTooComplex, "the statement is too long", {
        detail: `It has ${sql.length} characters; the limit is ${sqlLength}.`,
      });
    }
    let answer = emptyAnswer;
    try {
      const statements = this.cache.parse(sql);
      if (options.params.length > 0 && statements.length > 1) {
        throw new SqlError(sqlstate.syntaxError, "cannot insert multiple commands into a prepared statement");
      }
      for (const [i, statement] of statements.entries()) {
        const rest = statements.length - i;
        if (rest > 1 && this.transaction === undefined) this.begin(false);
        answer = await this.runOne(statement, options);
      }
    } catch (error) {
      this.fail();
      throw error;
    }
    if (this.transaction?.explicit === false) this.end(true);
    return answer;
  }

  private fail(): void {
    const open = this.transaction;
    if (open === undefined) return;
    if (open.explicit) open.failed = true;
    else this.end(false);
  }

  private async runOne(statement: ast.Statement, options: RunOptions): Promise<Answer> {
    const open = this.transaction;
    if (open?.failed === true && !endsFailure(statement)) {
      throw new SqlError(
        sqlstate.inFailedTransaction,
        "current transaction is aborted, commands ignored until end of transaction block",
        { hint: "Send ROLLBACK, or ROLLBACK TO a savepoint." },
      );
    }
    this.context.beginStatement(this.transaction?.startedMicroseconds);
    const readOnly = open?.readOnly === true;
    if (readOnly) requireReading(statement);
    switch (statement.kind) {
      case "BeginStatement":
        this.begin(true);
        this.transaction?.setReadOnly(statement.modes.readOnly);
        return done("BEGIN");
      case "CommitStatement": {
        if (statement.chain) this.inBlock("COMMIT AND CHAIN");
        const failed = open?.failed === true;
        this.end(!failed);
        if (statement.chain) this.begin(true, readOnly);
        return done(failed ? "ROLLBACK" : "COMMIT");
      }
      case "RollbackStatement":
        if (statement.chain) this.inBlock("ROLLBACK AND CHAIN");
        this.end(false);
        if (statement.chain) this.begin(true, readOnly);
        return done("ROLLBACK");
      case "SavepointStatement":
        this.inBlock("SAVEPOINT").savepoint(statement.name.name);
        return done("SAVEPOINT");
      case "RollbackToStatement":
        this.inBlock("ROLLBACK TO SAVEPOINT").rollbackTo(statement.name.name, statement.name.range.start + 1);
        return done("ROLLBACK");
      case "ReleaseStatement":
        this.inBlock("RELEASE SAVEPOINT").release(statement.name.name, statement.name.range.start + 1);
        return done("RELEASE");
      case "SetStatement":
        this.setModes(statement);
        if (statement.local) this.transaction?.rememberLocal(statement.name);
        if (!statement.local || this.transaction !== undefined) this.settings.set(statement);
        return done("SET");
      case "ResetStatement":
        this.settings.reset(statement.name);
        return done("RESET");
      case "ShowStatement":
        return this.show(statement, options.form);
      case "ExplainStatement":
        return explain(statement, this.cache, this.environment(options), options.form);
      case "SelectStatement":
      case "InsertStatement":
      case "UpdateStatement":
      case "DeleteStatement":
      case "MergeStatement":
        return runQuery(statement, this.cache, this.environment(options), options.form);
      case "CreateTableAsStatement":
        return createTableAs(statement, this.environment(options));
      default:
        return this.define(statement, options);
    }
  }

  private async define(statement: ast.Statement, options: RunOptions): Promise<Answer> {
    const { store } = this;
    switch (statement.kind) {
      case "CreateTableStatement":
        createTable(statement, store);
        return done("CREATE TABLE");
      case "CreateViewStatement":
        createView(statement, store);
        return done("CREATE VIEW");
      case "CreateIndexStatement":
        await createIndex(statement, store, this.environment(options));
        return done("CREATE INDEX");
      case "CreateEnumStatement":
        createEnum(statement, store);
        return done("CREATE TYPE");
      case "CreateSchemaStatement":
        createSchema(statement, store);
        return done("CREATE SCHEMA");
      case "DropStatement":
        this.atomically(() => drop(statement, store));
        return done(`DROP ${statement.objectType.toUpperCase()}`);
      case "TruncateStatement":
        truncate(statement, store);
        return done("TRUNCATE TABLE");
      case "UnsupportedStatement":
        throw new SqlError(sqlstate.featureNotSupported, `${statement.keyword} is not supported`, {
          position: statement.range.start + 1,
        });
      default:
        throw new SqlError(sqlstate.internalError, `no way to run a ${statement.kind}`);
    }
  }

  /** DROP of several objects takes all of them or none. */
  private atomically(change: () => void): void {
    const before = this.store.snapshot();
    try {
      change();
    } catch (error) {
      this.store.restore(before);
      throw error;
    }
  }

  /** READ ONLY of SET TRANSACTION; that of all later transactions would have to be kept, and is refused. */
  private setModes({ name, modes, range }: ast.SetStatement): void {
    if (name === "session characteristics" && modes?.readOnly === true) {
      throw new SqlError(sqlstate.featureNotSupported, "a session whose transactions are READ ONLY is not supported", {
        position: range.start + 1,
        hint: "Write BEGIN READ ONLY.",
      });
    }
    if (name === "transaction") this.transaction?.setReadOnly(modes?.readOnly);
  }

  /** @param readOnly of a transaction that AND CHAIN begins */
  private begin(explicit: boolean, readOnly = false): void {
    if (this.transaction === undefined) {
      const started = this.context.clockMicroseconds();
      this.transaction = new Transaction(this.store, this.settings, started, explicit);
      this.transaction.readOnly = readOnly;
    } else if (explicit) {
      this.transaction.explicit = true;
    }
  }

  private end(commit: boolean): void {
    const open = this.transaction;
    this.transaction = undefined;
    if (commit) open?.commit();
    else open?.rollback();
  }

  private inBlock(command: string): Transaction {
    if (this.transaction?.explicit === true) return this.transaction;
    throw new SqlError(sqlstate.noActiveTransaction, `${command} can only be used in transaction blocks`);
  }

  private show(statement: ast.ShowStatement, form: AnswerForm): Answer {
    if (statement.name !== "all")
      return textAnswer("SHOW", [statement.name], [[this.settings.show(statement.name)]], form);
    const rows = this.settings.all().map(([name, value]) => [name, value, ""]);
    return textAnswer("SHOW", ["name", "setting", "description"], rows, form);
  }

  private environment(options: RunOptions): StatementEnvironment {
    const { rows, bytes, timeoutMs, depth } = this.limits;
    const timeMs = this.settings.statementTimeoutMs ?? timeoutMs;
    return {
      store: this.store,
      session: this.context,
      limits: { rows, bytes, timeMs, depth },
      params: options.params,
      system: this.system,
      ...(options.signal && { signal: options.signal }),
    };
  }
}

function endsFailure(statement: ast.Statement): boolean {
  return (
    statement.kind === "CommitStatement" ||
    statement.kind === "RollbackStatement" ||
    statement.kind === "RollbackToStatement"
  );
}

function done(command: string): Answer {
  return { ...emptyAnswer, command };
}
