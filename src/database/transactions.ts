/**
 * The transaction of one session: begun, gone back in, aborted by an error, ended. Nobody else sees or ends it, and another
 * actor of the same session does not either.
 */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import type * as ast from "../grammar/ast.js";
import { type Block, blockAfter, type ControlStatement, isControl, requireUsable, wayOut } from "./block.js";
import type { Effect } from "./effect.js";
import { Transaction } from "./transaction.js";
import {
  alreadyBegun,
  begun,
  committed,
  notBegun,
  released,
  rolledBack,
  rolledBackInstead,
  rolledBackTo,
  savepointSet,
} from "./transaction-results.js";
import type { ExecuteResult, Receipt } from "./types.js";

/** What a statement of transaction control needs from the session. */
export interface ControlContext {
  readonly actor: string | undefined;
  /** The present moment. */
  now(): Date;
  /** Fires what a COMMIT has to. */
  fire(staged: readonly Effect[]): Promise<Receipt[]>;
}

/** Whether a session is in a transaction, and in what state: `failed` takes ROLLBACK, COMMIT and ROLLBACK TO only. */
export type TransactionStatus = "idle" | "open" | "failed";

/** One a session, which has one open transaction at most. */
export class Transactions {
  /** The open one, aborted or not. */
  open: Transaction | undefined;

  get status(): TransactionStatus {
    if (this.open === undefined) return "idle";
    return this.open.block.failed ? "failed" : "open";
  }

  /**
   * Someone else must neither see nor end what an actor has staged. The transaction stays as it is.
   * @throws SqlError 42501
   */
  requireActor(actor: string | undefined): void {
    if (this.open === undefined || this.open.actor === actor) return;
    throw new SqlError(sqlstate.insufficientPrivilege, "the open transaction belongs to another actor", {
      detail: "Its staged writes are fired as the actor who began it.",
      hint: "Open a session for each client: db.session({ actor }).",
    });
  }

  /**
   * Goes through a text before its first statement runs. An error leaves the transaction as PostgreSQL would have it at
   * that statement: aborted, where one is open by then.
   * @param check what is to be done with each statement, and the block that it will find
   * @throws SqlError of `check`, and what {@link blockAfter} throws
   */
  readAhead(
    statements: readonly ast.Statement[],
    begin: { readonly actor: string | undefined; now(): Date },
    check: (statement: ast.Statement, block: Block | undefined) => void,
  ): void {
    let block = this.open?.block;
    try {
      for (const statement of statements) {
        requireUsable(block, statement);
        check(statement, block);
        if (isControl(statement)) block = blockAfter(block, statement, 0);
      }
    } catch (error) {
      if (block !== undefined) {
        const known = new Set(this.open?.block.savepoints);
        const savepoints = block.savepoints.map((own) => (known.has(own) ? own : { ...own, staged: undefined }));
        this.open ??= new Transaction(begin.actor, begin.now().getTime() * 1000, block);
        this.open.block = { ...block, savepoints };
      }
      throw error;
    }
  }

  /** Runs a statement of transaction control. @throws SqlError with receipts when what a COMMIT fires fails; see also {@link blockAfter} */
  async control(statement: ControlStatement, context: ControlContext): Promise<ExecuteResult> {
    const { open } = this;
    const staged = open?.staged ?? [];
    const next = blockAfter(open?.block, statement, staged.length);
    switch (statement.kind) {
      case "BeginStatement":
        return this.begin(next as Block, context);
      case "CommitStatement":
        return this.commit(next, context);
      case "RollbackStatement":
        this.open = this.chained(next, context);
        return open === undefined ? notBegun("ROLLBACK") : rolledBack(staged.length);
      default:
        return this.savepoint(statement, next as Block, open as Transaction);
    }
  }

  private begin(block: Block, context: ControlContext): ExecuteResult {
    if (this.open !== undefined) {
      this.open.block = block;
      return alreadyBegun();
    }
    this.open = this.chained(block, context);
    return begun(block.readOnly);
  }

  private async commit(next: Block | undefined, context: ControlContext): Promise<ExecuteResult> {
    const { open } = this;
    if (open === undefined) return notBegun("COMMIT");
    // Whatever becomes of its writes, the transaction is over: nothing of it may be fired by another COMMIT.
    this.open = undefined;
    const { staged } = open;
    const result = open.block.failed ? rolledBackInstead(staged.length) : committed(staged, await context.fire(staged));
    this.open = this.chained(next, context);
    return result;
  }

  private savepoint(
    statement: ast.SavepointStatement | ast.RollbackToStatement | ast.ReleaseStatement,
    next: Block,
    open: Transaction,
  ): ExecuteResult {
    open.block = next;
    if (statement.kind === "SavepointStatement") return savepointSet();
    if (statement.kind === "ReleaseStatement") return released();
    const before = open.staged.length;
    open.keep(next.savepoints.at(-1)?.staged ?? before);
    return rolledBackTo(before - open.staged.length, open.staged.length);
  }

  private chained(block: Block | undefined, { actor, now }: ControlContext): Transaction | undefined {
    return block === undefined ? undefined : new Transaction(actor, now().getTime() * 1000, block);
  }

  /**
   * An `execute` failed: the open transaction is aborted, as in PostgreSQL.
   * @returns the error to give, which says so
   */
  abortedBy(error: unknown): unknown {
    const { open } = this;
    if (open === undefined) return error;
    open.block = { ...open.block, failed: true };
    if (!(error instanceof SqlError) || error.code === sqlstate.inFailedTransaction) return error;
    return withHint(error, wayOut(open.block));
  }
}

/** The same error with one sentence more in its hint. */
function withHint(error: SqlError, sentence: string): SqlError {
  const { code, message, detail, position, receipts } = error;
  const hint = error.hint === undefined ? sentence : `${error.hint} ${sentence}`;
  return new SqlError(code, message, { detail, hint, position, cause: error.cause ?? error, receipts });
}
