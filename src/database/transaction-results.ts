/** The results of BEGIN, COMMIT, ROLLBACK and savepoints, and what every result says of an open transaction. */
import { sqlstate } from "../errors/sqlstate.js";
import { countOf } from "../errors/words.js";
import type { Effect } from "./effect.js";
import { writtenBy } from "./transaction.js";
import type { ExecuteResult, Receipt, StagedWriteView } from "./types.js";

type TransactionCommand = "BEGIN" | "COMMIT" | "ROLLBACK" | "SAVEPOINT" | "RELEASE";

function commandResult(command: TransactionCommand): ExecuteResult {
  return { rows: [], fields: [], truncated: false, touched: [], command };
}

function warning(command: TransactionCommand, code: string, message: string): ExecuteResult {
  return { ...commandResult(command), notices: [{ severity: "WARNING", code, message }] };
}

/** BEGIN that began one. */
export function begun(readOnly: boolean): ExecuteResult {
  const message = readOnly
    ? "The transaction is read-only: writes are refused in it."
    : "Writes are staged from here on; COMMIT fires them, ROLLBACK drops them.";
  return { ...commandResult("BEGIN"), message };
}

/** BEGIN within a transaction changes its modes at most. */
export function alreadyBegun(): ExecuteResult {
  return warning("BEGIN", sqlstate.activeTransaction, "there is already a transaction in progress");
}

/** COMMIT and ROLLBACK outside a transaction change nothing. */
export function notBegun(command: "COMMIT" | "ROLLBACK"): ExecuteResult {
  return warning(command, sqlstate.noActiveTransaction, "there is no transaction in progress");
}

/** ROLLBACK of an open transaction. @param dropped writes that were staged */
export function rolledBack(dropped: number): ExecuteResult {
  return { ...commandResult("ROLLBACK"), message: `${countOf(dropped, "staged write")} dropped; nothing was fired.` };
}

/** @param kept writes that stay staged */
export function rolledBackTo(dropped: number, kept: number): ExecuteResult {
  const message = `${countOf(dropped, "staged write")} dropped; ${countOf(kept, "write")} staged.`;
  return { ...commandResult("ROLLBACK"), message };
}

/** SAVEPOINT: its tag alone. */
export function savepointSet(): ExecuteResult {
  return commandResult("SAVEPOINT");
}

/** RELEASE: its tag alone. */
export function released(): ExecuteResult {
  return commandResult("RELEASE");
}

/** COMMIT of a transaction that had failed rolls back and says so in its tag, as in PostgreSQL. */
export function rolledBackInstead(dropped: number): ExecuteResult {
  const result = rolledBack(dropped);
  return { ...result, message: `The transaction had failed: ${result.message}` };
}

/** COMMIT that fired everything. @param receipts one for each of `staged` */
export function committed(staged: readonly Effect[], receipts: Receipt[]): ExecuteResult {
  return {
    ...commandResult("COMMIT"),
    touched: writtenBy(staged),
    committed: receipts.length,
    receipts,
    message: `${countOf(receipts.length, "write")} fired.`,
  };
}

/**
 * The result with the writes that wait for COMMIT after it.
 * @param before how many waited before the statement
 */
export function withStaged(
  result: ExecuteResult,
  staged: StagedWriteView[] | undefined,
  before: number,
): ExecuteResult {
  if (staged === undefined) return result;
  const hasWritten = staged.length > before;
  const waiting = hasWritten ? `${countOf(staged.length, "write")} staged; COMMIT fires, ROLLBACK drops.` : undefined;
  const message = result.message ?? waiting;
  return { ...result, staged, ...(message !== undefined && { message }) };
}
