/** What goes wrong between us and a service, as errors that name the service, the request and what to do. */
import { SqlError, type SqlErrorOptions } from "../../../errors/sql-error.js";
import { sqlstate } from "../../../errors/sqlstate.js";

/** A failure of a service, marked as worth another attempt or not: see `ResourceError`, whose marks these are. */
export class HttpError extends SqlError {
  readonly retryable: boolean;
  /** Milliseconds that the service asked to wait (`Retry-After`). */
  readonly retryAfterMs?: number;

  constructor(
    code: string,
    message: string,
    options: SqlErrorOptions & { readonly retryable?: boolean; readonly retryAfterMs?: number } = {},
  ) {
    super(code, message, options);
    this.retryable = options.retryable === true;
    if (options.retryAfterMs !== undefined) this.retryAfterMs = options.retryAfterMs;
  }
}

/** A request as messages speak of it. */
export interface RequestLabel {
  readonly service: string;
  readonly method: string;
  /** Without secrets. */
  readonly shownUrl: string;
  /** Takes secrets out of a text, for the service's own words may repeat them. */
  redact(text: string): string;
}

/** Characters of an answer that a message shows. */
const maxShown = 200;

/** The beginning of an answer, for a message. */
export function excerpt(text: string): string {
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}

/** `GET https://api.example.com/issues` */
export function requestText({ method, shownUrl, redact }: RequestLabel): string {
  return `${method} ${redact(shownUrl)}`;
}

/** The service answered, but not with what a read needs. @param problem goes on after "service … answered" */
export function badAnswer(label: RequestLabel, problem: string, status: number, body: string, hint?: string): SqlError {
  const shown = excerpt(label.redact(body));
  return new SqlError(sqlstate.fdwError, `service "${label.service}" answered ${problem}`, {
    detail: `${requestText(label)} answered ${status}: ${shown === "" ? "(nothing)" : shown}`,
    ...(hint !== undefined && { hint }),
  });
}

/** A write was sent and nobody knows what became of it. */
export function outcomeUnknown(label: RequestLabel, reason: string, cause?: unknown): SqlError {
  return new SqlError(
    sqlstate.statementCompletionUnknown,
    `a write was sent to service "${label.service}" and its outcome is unknown`,
    {
      detail: `${requestText(label)}: ${label.redact(reason)}`,
      hint: "Read the data it changes before trying again: it may have been done.",
      ...(cause !== undefined && { cause }),
    },
  );
}

/** No request could be sent, or no answer came. */
export function noConnection(label: RequestLabel, error: unknown, isRead: boolean): HttpError {
  const wasSent = !isRefused(error);
  const reason = reasonOf(error);
  return new HttpError(
    wasSent ? sqlstate.connectionFailure : sqlstate.cannotEstablishConnection,
    wasSent
      ? `the connection to service "${label.service}" broke during the request`
      : `cannot connect to service "${label.service}"`,
    {
      detail: `${requestText(label)}: ${label.redact(reason)}`,
      hint: "Check that the address is right and that the service runs.",
      retryable: isRead,
      cause: error,
    },
  );
}

/** Codes of errors that come before a byte of the request is sent. */
const beforeSending =
  /^(ECONNREFUSED|ConnectionRefused|FailedToOpenSocket|ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL|EINVAL|UND_ERR_CONNECT_TIMEOUT|CERT_\w+|ERR_TLS_\w+|\w*SELF_SIGNED\w*|UNABLE_TO_\w+|ERR_SSL_\w+)$/;

/** Whether the error says that the request never reached the service. An error without a code says nothing. */
export function isRefused(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const { code, cause, errors } = error as { code?: unknown; cause?: unknown; errors?: unknown };
  if (Array.isArray(errors) && errors.length > 0) return errors.every(isRefused); // one for each address of the host
  if (typeof code === "string") return beforeSending.test(code);
  return cause !== undefined && isRefused(cause);
}

/** One line that says why, with what lies under a `fetch failed`. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const inner = error instanceof Error ? error.cause : undefined;
  if (typeof inner !== "object" || inner === null) return message;
  const { code, message: under } = inner as { code?: unknown; message?: unknown };
  const words = [under, code].filter((word) => typeof word === "string" && word !== "" && !message.includes(word));
  return words.length === 0 ? message : `${message} (${words.join(", ")})`;
}

/**
 * `Retry-After` in milliseconds: seconds, or an HTTP date.
 * @param nowMs `Date.now()`
 * @returns `undefined` for a header that is neither
 */
export function retryAfterMs(header: string | null, nowMs: number): number | undefined {
  const text = header?.trim();
  if (text === undefined || text === "") return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1000);
  if (!/^[A-Za-z]{3,9},? /.test(text)) return undefined; // Date.parse takes much that is no HTTP date
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}
