/** The body of an answer as text and as JSON: what is no JSON is an error that shows its beginning. */
import type { SqlError } from "../../../errors/sql-error.js";
import { badAnswer, type RequestLabel } from "./errors.js";
import { type JsonAnswer, readJson } from "./json-answer.js";

/** An answer whose body has arrived. */
export interface HttpAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  /** The address that answered, after redirects. */
  readonly url: string;
  readonly label: RequestLabel;
}

const statusWords: Readonly<Record<number, string>> = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  408: "Request Timeout",
  409: "Conflict",
  410: "Gone",
  412: "Precondition Failed",
  422: "Unprocessable Content",
  429: "Too Many Requests",
  500: "Internal Server Error",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
};

/** `404 Not Found`; HTTP/2 has no words of its own. */
export function statusLine({ status, statusText }: Pick<HttpAnswer, "status" | "statusText">): string {
  const words = statusText === "" ? (statusWords[status] ?? "") : statusText;
  return words === "" ? String(status) : `${status} ${words}`;
}

/** The body for a message: whatever can be read of it. */
export function looseText({ bytes, headers }: HttpAnswer): string {
  const decoder = decoderFor(headers) ?? new TextDecoder();
  return decoder.decode(bytes);
}

/**
 * The text of a body, in the character set that it says (UTF-8 when it says none).
 * @throws SqlError HV000 for an unknown character set, and for bytes that are no text in it
 */
export function bodyText(answer: HttpAnswer): string {
  const decoder = decoderFor(answer.headers, true);
  if (decoder === undefined)
    throw unreadable(answer, `in the character set ${charsetOf(answer.headers)}, which is unknown`);
  try {
    return decoder.decode(answer.bytes);
  } catch {
    throw unreadable(answer, `with bytes that are no ${decoder.encoding.toUpperCase()}`);
  }
}

/**
 * @throws SqlError HV000 for a body that is not declared as JSON, or is none; the parser's words are the cause
 */
export function bodyJson(answer: HttpAnswer): JsonAnswer {
  const type = mediaType(answer.headers);
  if (type !== undefined && !isJsonType(type)) throw unreadable(answer, `with ${type}, not with JSON`);
  const text = bodyText(answer);
  try {
    return readJson(text);
  } catch (cause) {
    const error = badAnswer(answer.label, "with something that is no JSON", answer.status, text);
    error.cause = cause;
    throw error;
  }
}

function unreadable(answer: HttpAnswer, problem: string): SqlError {
  return badAnswer(answer.label, problem, answer.status, looseText(answer));
}

/** `application/json`, lower case; `undefined` when the answer does not say. */
export function mediaType(headers: Headers): string | undefined {
  const type = headers.get("content-type")?.split(";")[0].trim().toLowerCase();
  return type === "" ? undefined : type;
}

export function isJsonType(type: string): boolean {
  return type === "application/json" || type === "text/json" || type.endsWith("+json");
}

function charsetOf(headers: Headers): string {
  return /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(headers.get("content-type") ?? "")?.[1] ?? "utf-8";
}

function decoderFor(headers: Headers, fatal = false): TextDecoder | undefined {
  try {
    return new TextDecoder(charsetOf(headers), { fatal });
  } catch {
    return undefined; // no character set of that name
  }
}
