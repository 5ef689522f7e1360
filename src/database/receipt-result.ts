/** What the result of a statement says of the effects that it fired. */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import { asSentence } from "../errors/words.js";
import { errorWords } from "../resources/call.js";
import type { Effect } from "./effect.js";
import type { ExecuteResult, Notice, Receipt } from "./types.js";

/** The result with the receipts of what the statement fired, and what the reader should know of them. */
export function withReceipts(result: ExecuteResult, receipts: readonly Receipt[]): ExecuteResult {
  if (receipts.length === 0) return result;
  const notices = [...(result.notices ?? []), ...receiptNotices(receipts)];
  return { ...result, receipts: [...receipts], ...(notices.length > 0 && { notices }) };
}

/** The result of a statement whose effects, some at least, were staged before under the same key of the host's. */
export function withRepeated(result: ExecuteResult, repeated: readonly Effect[]): ExecuteResult {
  if (repeated.length === 0) return result;
  const writes = writesNamed(repeated.map(({ op, table }) => ({ op, resource: table.name })));
  const notice: Notice = {
    severity: "NOTICE",
    code: sqlstate.successfulCompletion,
    message: `${writes} had been staged before under the same idempotency key and was not staged again`,
  };
  return { ...result, notices: [...(result.notices ?? []), notice] };
}

/**
 * The error of a statement that fired effects and failed after that (an expression of RETURNING, for instance): whoever
 * reads it must not take it for one that did nothing.
 */
export function withFired(error: unknown, receipts: readonly Receipt[]): unknown {
  if (receipts.length === 0 || (error instanceof SqlError && error.receipts !== undefined)) return error;
  const { code, message, detail, hint, position } =
    error instanceof SqlError ? error : new SqlError(sqlstate.fdwError, errorWords(error));
  const fired = "What it wrote has happened, as the receipts say: don't repeat it.";
  return new SqlError(code, message, {
    detail: [asSentence(detail ?? ""), fired].filter((part) => part !== "").join(" "),
    ...(hint !== undefined && { hint }),
    ...(position !== undefined && { position }),
    receipts,
    cause: error,
  });
}

/** Warnings and notices that belong to receipts. */
function receiptNotices(receipts: readonly Receipt[]): Notice[] {
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
function writesNamed(receipts: readonly Pick<Receipt, "op" | "resource">[]): string {
  const [{ op, resource }] = receipts;
  const more = receipts.length === 1 ? "" : ` and ${receipts.length - 1} more`;
  return `${op.toUpperCase()} on "${resource}"${more}`;
}
