/**
 * The state of a transaction block, and what each statement of transaction control makes of it. Pure, so that a text can be
 * gone through before its first statement runs: a savepoint that will not exist is found before any call.
 * Source: PostgreSQL 15, BEGIN, SAVEPOINT, ROLLBACK TO SAVEPOINT, RELEASE SAVEPOINT, COMMIT (AND CHAIN).
 */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import type * as ast from "../grammar/ast.js";
import { quoteName } from "../grammar/deparse.js";

/** A savepoint of an open block: what going back to it brings back. */
export interface Savepoint {
  readonly name: string;
  readonly readOnly: boolean;
  /** How many writes were staged when it was set; `undefined` for one of a text that failed before it ran. */
  readonly staged: number | undefined;
}

/** An open transaction as its statements see it; `undefined` stands for none. */
export interface Block {
  /** After an error nothing is taken but COMMIT, ROLLBACK and ROLLBACK TO. */
  readonly failed: boolean;
  readonly readOnly: boolean;
  /** In the order of setting; of two with one name the later one is meant. */
  readonly savepoints: readonly Savepoint[];
}

/** Statements that begin, end or go back in a transaction. */
export type ControlStatement =
  | ast.BeginStatement
  | ast.CommitStatement
  | ast.RollbackStatement
  | ast.SavepointStatement
  | ast.RollbackToStatement
  | ast.ReleaseStatement;

/** Whether a statement is one of transaction control; all others run within a block or without one. */
export function isControl(statement: ast.Statement): statement is ControlStatement {
  switch (statement.kind) {
    case "BeginStatement":
    case "CommitStatement":
    case "RollbackStatement":
    case "SavepointStatement":
    case "RollbackToStatement":
    case "ReleaseStatement":
      return true;
    default:
      return false;
  }
}

/** COMMIT or ROLLBACK, with AND CHAIN too: what was staged is fired or dropped. */
export function endsTransaction(statement: ast.Statement): boolean {
  return statement.kind === "CommitStatement" || statement.kind === "RollbackStatement";
}

/**
 * The block after a statement of transaction control.
 * @param staged writes that are staged when it runs
 * @throws SqlError 25P02 in a failed transaction, 25P01 outside one, 3B001 for a savepoint that is not there, 0A000 for an
 *   isolation level that live services cannot give
 */
export function blockAfter(block: Block | undefined, statement: ControlStatement, staged: number): Block | undefined {
  requireUsable(block, statement);
  switch (statement.kind) {
    case "BeginStatement":
      return begin(block, statement);
    case "CommitStatement":
      return chained(block, statement, "COMMIT AND CHAIN");
    case "RollbackStatement":
      return chained(block, statement, "ROLLBACK AND CHAIN");
    case "SavepointStatement": {
      const open = inBlock(block, "SAVEPOINT", statement);
      const savepoint = { name: statement.name.name, readOnly: open.readOnly, staged };
      return { ...open, savepoints: [...open.savepoints, savepoint] };
    }
    case "RollbackToStatement": {
      const open = inBlock(block, "ROLLBACK TO SAVEPOINT", statement);
      const index = savepointIndex(open, statement.name);
      return {
        failed: false,
        readOnly: open.savepoints[index].readOnly,
        savepoints: open.savepoints.slice(0, index + 1),
      };
    }
    case "ReleaseStatement": {
      const open = inBlock(block, "RELEASE SAVEPOINT", statement);
      return { ...open, savepoints: open.savepoints.slice(0, savepointIndex(open, statement.name)) };
    }
  }
}

/** @throws SqlError 25P02 for a statement that a failed transaction does not take */
export function requireUsable(block: Block | undefined, statement: ast.Statement): void {
  if (block?.failed !== true || endsTransaction(statement) || statement.kind === "RollbackToStatement") return;
  throw new SqlError(
    sqlstate.inFailedTransaction,
    "current transaction is aborted, commands ignored until end of transaction block",
    { hint: wayOut(block) },
  );
}

/** What to send after an error in a transaction. */
export function wayOut({ savepoints }: Block): string {
  const last = savepoints.findLast(({ staged }) => staged !== undefined);
  return last === undefined
    ? "The transaction is aborted: send ROLLBACK and begin again."
    : `The transaction is aborted: send ROLLBACK TO ${quoteName(last.name)} to go on from the savepoint, or ROLLBACK.`;
}

function begin(block: Block | undefined, { modes, range }: ast.BeginStatement): Block {
  if (modes.isolation === "serializable" || modes.isolation === "repeatable read") {
    throw new SqlError(
      sqlstate.featureNotSupported,
      `isolation level ${modes.isolation.toUpperCase()} is not supported`,
      {
        position: range.start + 1,
        detail: "The services behind the tables give no snapshot: a second read may show what others have changed.",
        hint: "Write BEGIN alone, or ISOLATION LEVEL READ COMMITTED.",
      },
    );
  }
  if (block === undefined) return { failed: false, readOnly: modes.readOnly === true, savepoints: [] };
  if (block.readOnly && modes.readOnly === false) {
    throw new SqlError(sqlstate.activeTransaction, "transaction read-write mode must be set before any query", {
      position: range.start + 1,
      hint: "End the transaction with ROLLBACK, then BEGIN another one.",
    });
  }
  return { ...block, readOnly: modes.readOnly ?? block.readOnly };
}

/** AND CHAIN begins a transaction with the modes of the one that ends. */
function chained(
  block: Block | undefined,
  statement: ast.CommitStatement | ast.RollbackStatement,
  command: string,
): Block | undefined {
  if (!statement.chain) return undefined;
  const { readOnly } = inBlock(block, command, statement);
  return { failed: false, readOnly, savepoints: [] };
}

function inBlock(block: Block | undefined, command: string, { range }: ast.Statement): Block {
  if (block !== undefined) return block;
  throw new SqlError(sqlstate.noActiveTransaction, `${command} can only be used in transaction blocks`, {
    position: range.start + 1,
    hint: "Send BEGIN first.",
  });
}

function savepointIndex({ savepoints }: Block, { name, range }: ast.Identifier): number {
  const index = savepoints.findLastIndex((savepoint) => savepoint.name === name);
  const position = range.start + 1;
  if (index === -1) {
    const names = [...new Set(savepoints.map((savepoint) => quoteName(savepoint.name)))];
    throw new SqlError(sqlstate.invalidSavepoint, `savepoint "${name}" does not exist`, {
      position,
      hint:
        names.length === 0
          ? "No savepoint is set; ROLLBACK drops the whole transaction."
          : `There are ${names.join(", ")}.`,
    });
  }
  if (savepoints[index].staged === undefined) {
    throw new SqlError(sqlstate.invalidSavepoint, `savepoint "${name}" does not exist`, {
      position,
      detail: "The text that sets it was refused as a whole before it ran: nothing of it was staged.",
      hint: "Send ROLLBACK and begin again.",
    });
  }
  return index;
}
