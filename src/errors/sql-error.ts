/**
 * The one error type of the program: what a user or a model sees when a statement cannot be answered.
 *
 * Every error carries an SQLSTATE, a message that states the fact (lower case, no final stop) and, where they help, a
 * detail, a hint that names the next action, and a position in the SQL text. PostgreSQL's code and words are used where
 * PostgreSQL has the error.
 */

/** What an {@link SqlError} may carry beside its code and message. */
export interface SqlErrorOptions {
  /** The facts behind the message, in whole sentences. */
  detail?: string;
  /** A sentence that names the next action, in SQL where it can. */
  hint?: string;
  /** 1-based offset in characters (UTF-16 units) of the SQL text. */
  position?: number;
  /** The error underneath, when a tool or a library failed. */
  cause?: unknown;
  /** Outcomes of the staged writes, when a COMMIT failed part way. */
  receipts?: readonly ErrorReceipt[];
}

/** The part of a write's receipt that errors know about; `database/` refines it. */
export interface ErrorReceipt {
  id: number;
  resource: string;
  op: string;
  /** `unknown`: it was sent and no answer came, so it may have happened. */
  status: "fired" | "failed" | "not_tried" | "unknown";
  /** What the verb answered, as JSON: a bigint is its digits, a Date an ISO 8601 text. Absent when it answered nothing. */
  result?: unknown;
  /** `result` is only the beginning of the answer's JSON text, which has more than 65,536 characters. */
  resultTruncated?: boolean;
  error?: { code: string; message: string };
  /** Milliseconds from the first call to the outcome. */
  durationMs?: number;
  /** The same for every attempt at this effect, and for nothing else. */
  idempotencyKey: string;
  /** Calls that were made, where there were several: only a verb that is declared idempotent is called again. */
  attempts?: number;
  /** It had fired before, under a key of the host's, and was not sent again. */
  replayed?: boolean;
  /** `Database.compensate()` can undo it. */
  compensable?: boolean;
  /** Idempotency key of the effect that it undid. */
  compensates?: string;
  /** The journal did not take the outcome, in its words: after a restart the effect is listed as in doubt. */
  unjournaled?: string;
}

/**
 * A statement failed: `code` is the five-character SQLSTATE, `message` PostgreSQL's wording where it has one.
 * `position` is 1-based, in characters of the SQL text.
 */
export class SqlError extends Error {
  readonly code: string;
  readonly detail?: string;
  readonly hint?: string;
  readonly position?: number;
  readonly receipts?: ErrorReceipt[];

  constructor(code: string, message: string, options: SqlErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "SqlError";
    this.code = code;
    if (options.detail !== undefined) this.detail = options.detail;
    if (options.hint !== undefined) this.hint = options.hint;
    if (options.position !== undefined) this.position = options.position;
    if (options.receipts !== undefined) this.receipts = [...options.receipts];
  }
}

/** The same error with a position, for code that knows where in the text it happened; an existing position wins. */
export function withPosition(error: SqlError, position: number | undefined): SqlError {
  if (position === undefined || error.position !== undefined) return error;
  const { code, message, detail, hint, cause, receipts } = error;
  return new SqlError(code, message, { detail, hint, position, cause, receipts });
}
