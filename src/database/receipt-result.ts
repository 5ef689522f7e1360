/** What the result of a statement says of the effects that it fired. */
import { sqlstate } from "../errors/sqlstate.js";
import type { ExecuteResult, Notice, Receipt } from "./types.js";

/** The result with the receipts of what the statement fired, and what the reader should know of them. */
export function withReceipts(result: ExecuteResult, receipts: readonly Receipt[]): ExecuteResult {
  if (receipts.length === 0) return result;
  const notices = [...(result.notices ?? []), ...receiptNotices(receipts)];
  return { ...result, receipts: [...receipts], ...(notices.length > 0 && { notices }) };
}

/** Warnings and notices that belong to receipts. */
export function receiptNotices(receipts: readonly Receipt[]): Notice[] {
  return [...unjournaledNotices(receipts), ...replayedNotices(receipts)];
}

function unjournaledNotices(receipts: readonly Receipt[]): Notice[] {
  const unjournaled = receipts.filter((receipt) => receipt.unjournaled !== undefined);
  if (unjournaled.length === 0) return [];
  return [
    {
      severity: "WARNING",
      code: sqlstate.ioError,
      message: `the journal did not take the outcome of ${writesNamed(unjournaled)}: ${unjournaled[0].unjournaled}`,
      hint: "The receipts are right; after a restart these writes are listed as in doubt.",
    },
  ];
}

function replayedNotices(receipts: readonly Receipt[]): Notice[] {
  const replayed = receipts.filter((receipt) => receipt.replayed === true);
  if (replayed.length === 0) return [];
  const cut = replayed.some((receipt) => receipt.resultTruncated === true);
  return [
    {
      severity: "NOTICE",
      code: sqlstate.successfulCompletion,
      message: `${writesNamed(replayed)} had fired before under the same idempotency key and was not sent again`,
      ...(cut && {
        hint: "The journal has only the beginning of what the service answered; RETURNING shows what was written.",
      }),
    },
  ];
}

/** `INSERT on "emails"`, `INSERT on "emails" and 2 more`. */
function writesNamed(receipts: readonly Receipt[]): string {
  const [{ op, resource }] = receipts;
  const more = receipts.length === 1 ? "" : ` and ${receipts.length - 1} more`;
  return `${op.toUpperCase()} on "${resource}"${more}`;
}
