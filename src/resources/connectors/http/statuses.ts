/** What the status of an answer means: rows, none, an error that may pass, an error that stays. */
import { sqlstate } from "../../../errors/sqlstate.js";
import { Numeric } from "../../../types/numeric.js";
import { type AnswerPath, answerPath } from "./answer-path.js";
import type { HttpErrors } from "./definition.js";
import { excerpt, HttpError, outcomeUnknown, requestText, retryAfterMs } from "./errors.js";
import { type JsonAnswer, readJson } from "./json-answer.js";
import { type HttpAnswer, isJsonType, looseText, mediaType, statusLine } from "./read-answer.js";

const defaultRetryable: readonly number[] = [408, 425, 429, 502, 503, 504];
const defaultMessages = ["message", "error.message", "error", "detail", "title"];

/** The rules of one verb. */
export interface StatusRules {
  /** Statuses that mean "no rows"; `undefined` when the verb does not say. */
  readonly empty?: readonly number[];
  readonly retryable: readonly number[];
  /** Whether an answer of success says that the service failed all the same. */
  readonly failed?: AnswerPath;
  readonly messages: readonly AnswerPath[];
}

/** @throws TypeError for a path that can't be read */
export function statusRules(errors: HttpErrors = {}): StatusRules {
  return {
    ...(errors.empty !== undefined && { empty: errors.empty }),
    retryable: errors.retryable ?? defaultRetryable,
    ...(errors.failed !== undefined && { failed: answerPath(errors.failed) }),
    messages: (errors.message === undefined ? defaultMessages : [errors.message]).map(answerPath),
  };
}

export function isSuccess({ status }: Pick<HttpAnswer, "status">): boolean {
  return status >= 200 && status < 300;
}

/**
 * The error of an answer to a read that is no success.
 * @param variables environment variables that hold the credentials
 */
export function readFailed(answer: HttpAnswer, rules: StatusRules, variables: readonly string[]): HttpError {
  return failed(answer, rules, variables, rules.retryable.includes(answer.status));
}

/**
 * The error of an answer to a write that is no success: 40003 where the service may have done it all the same. It never says
 * that another attempt may help: a write is made once.
 */
export function writeFailed(answer: HttpAnswer, rules: StatusRules, variables: readonly string[]): Error {
  const { status, label } = answer;
  // 501, 503 and 505 refuse the request; any other 5xx may come after the work, or from a gateway that lost the answer.
  const isUnknown = status >= 500 && status !== 501 && status !== 503 && status !== 505;
  if (isUnknown) return outcomeUnknown(label, `it answered ${statusLine(answer)}: ${serviceWords(answer, rules)}`);
  return failed(answer, rules, variables, false);
}

function failed(answer: HttpAnswer, rules: StatusRules, variables: readonly string[], retryable: boolean): HttpError {
  const { status, label, headers } = answer;
  const waitMs = retryAfterMs(headers.get("retry-after"), Date.now());
  const hint = hintFor(status, variables);
  return new HttpError(sqlstate.fdwError, `service "${label.service}" answered ${statusLine(answer)}`, {
    detail: `${requestText(label)}: ${serviceWords(answer, rules)}`,
    retryable,
    ...(hint !== undefined && { hint }),
    ...(retryable && waitMs !== undefined && { retryAfterMs: waitMs }),
  });
}

/** Whether the body of a successful answer says that the service failed. @throws SqlError HV000, see {@link AnswerPath} */
export function saysFailed({ failed }: StatusRules, json: JsonAnswer): boolean {
  return failed !== undefined && isTrue(failed.find(json));
}

/** JMESPath's truth. */
function isTrue(value: unknown): boolean {
  if (value === undefined || value === null || value === false || value === "") return false;
  return typeof value !== "object" || Object.keys(value).length > 0 || value instanceof Numeric;
}

/** The error of an answer that {@link saysFailed}: the same request would be answered alike, so it is not tried again. */
export function bodyFailed(answer: HttpAnswer, rules: StatusRules): HttpError {
  const { label } = answer;
  return new HttpError(
    sqlstate.fdwError,
    `service "${label.service}" answered ${statusLine(answer)}, and says in it that it failed`,
    { detail: `${requestText(label)}: ${serviceWords(answer, rules)}` },
  );
}

/** The service's own message, or the beginning of what it answered. */
function serviceWords(answer: HttpAnswer, { messages }: StatusRules): string {
  const text = looseText(answer);
  const shown = excerpt(answer.label.redact(messageIn(answer, text, messages) ?? text).trim());
  return shown === "" ? "(it said nothing)" : shown;
}

function messageIn(answer: HttpAnswer, text: string, messages: readonly AnswerPath[]): string | undefined {
  const type = mediaType(answer.headers);
  if (type !== undefined && !isJsonType(type)) return undefined;
  try {
    const json = readJson(text);
    for (const path of messages) {
      const found = path.find(json);
      if (typeof found === "string" && found !== "") return found;
    }
  } catch {
    return undefined; // no JSON: the text itself is shown
  }
  return undefined;
}

function hintFor(status: number, variables: readonly string[]): string | undefined {
  if (status === 401 || status === 403) {
    return variables.length === 0
      ? "The service wants credentials: give its connector an auth."
      : `Check the value of ${variables.join(" and ")}, and what it gives access to.`;
  }
  return status === 404 ? "Check the values, and that baseUrl is right." : undefined;
}
