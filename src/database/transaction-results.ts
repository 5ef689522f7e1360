/** The results of BEGIN, COMMIT and ROLLBACK, and what every result says of an open transaction. */
import { sqlstate } from "../errors/sqlstate.js";
import { countOf } from "../errors/words.js";
import { type Transaction, writtenBy } from "./transaction.js";
import type { ExecuteResult, Receipt } from "./types.js";

type TransactionCommand = "BEGIN" | "COMMIT" | "ROLLBACK";

function commandResult(command: TransactionCommand): ExecuteResult {
  return { rows: [], fields: [], truncated: false, touched: [], command };
}

function warning(command: TransactionCommand, code: string, message: string): ExecuteResult {
  return { ...commandResult(command), notices: [{ severity: "WARNING", code, message }] };
}

export function begun(): ExecuteResult {
  return {
    ...commandResult("BEGIN"),
    message: "Writes are staged from here on; COMMIT fires them, ROLLBACK drops them.",
  };
}

/** BEGIN within a transaction changes nothing. */
export function alreadyBegun(): ExecuteResult {
  return warning("BEGIN", sqlstate.activeTransaction, "there is already a transaction in progress");
}

/** COMMIT and ROLLBACK outside a transaction change nothing. */
export function notBegun(command: "COMMIT" | "ROLLBACK"): ExecuteResult {
  return warning(command, sqlstate.noActiveTransaction, "there is no transaction in progress");
}

export function rolledBack({ staged }: Transaction): ExecuteResult {
  const dropped = `${countOf(staged.length, "staged write")} dropped; nothing was fired.`;
  return { ...commandResult("ROLLBACK"), message: dropped };
}

/** COMMIT of a transaction that had failed rolls back and says so in its tag, as in PostgreSQL. */
export function rolledBackInstead(transaction: Transaction): ExecuteResult {
  const result = rolledBack(transaction);
  return { ...result, message: `The transaction had failed: ${result.message}` };
}

export function committed({ staged }: Transaction, receipts: Receipt[]): ExecuteResult {
  return {
    ...commandResult("COMMIT"),
    touched: writtenBy(staged),
    committed: receipts.length,
    receipts,
    message: `${countOf(receipts.length, "write")} fired.`,
  };
}

/** The result with the writes that wait for COMMIT after it. */
export function withStaged(result: ExecuteResult, transaction: Transaction | undefined): ExecuteResult {
  if (transaction === undefined) return result;
  const staged = transaction.views();
  const hasWritten = staged.length > 0 && /^(INSERT|UPDATE|DELETE)/.test(result.command ?? "");
  const waiting = hasWritten ? `${countOf(staged.length, "write")} staged; COMMIT fires, ROLLBACK drops.` : undefined;
  const message = result.message ?? waiting;
  return { ...result, staged, ...(message !== undefined && { message }) };
}
