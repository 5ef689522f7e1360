/** The errors of a read that failed: the tool's own words, what it was called with, and what became of the other calls. */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import { amount, asSentence, countOf } from "../errors/words.js";
import { argumentsText, errorWords, type ResourceCall } from "./call.js";
import { isNestedRefusal } from "./nested-statements.js";
import type { GivenUp } from "./retry.js";

/**
 * A failing tool in the words of a database error. A database error whose code speaks of the call keeps it, with the
 * arguments added; any other would read as the statement's own (a transaction that is aborted, a write whose outcome is
 * unknown) and becomes the call's failure.
 */
export function callFailed(call: ResourceCall, { error, attempts, tooLong }: GivenUp): SqlError {
  const facts: string[] = [];
  const given = argumentsText(call);
  if (given !== "") facts.push(`called with ${given}`);
  if (attempts > 1) facts.push(`tried ${attempts} times`);
  if (tooLong !== undefined) {
    const left = Math.max(0, Math.round(tooLong.leftMs));
    facts.push(`another attempt must wait ${Math.round(tooLong.delayMs)} ms, the statement has ${left} ms left`);
  }
  const about = facts.length === 0 ? "" : `(${facts.join("; ")})`;
  if (error instanceof SqlError && speaksOfTheCall(error)) return ofTheCall(error, about);
  const words = error instanceof SqlError ? [asSentence(error.message), error.detail ?? ""] : [errorWords(error)];
  return new SqlError(sqlstate.fdwError, `reading table "${call.table.name}" failed`, {
    detail: [...words, about].filter((part) => part !== "").join(" "),
    cause: error,
  });
}

/**
 * Failures of services and connections, values that can't be asked for, limits, and what the source can't do. A statement
 * that the resolver ran somewhere else and that was canceled there has PostgreSQL's words for it; the time-out of a
 * connector has its own.
 */
function speaksOfTheCall(error: SqlError): boolean {
  const { code, message } = error;
  if (code === sqlstate.queryCanceled) return !message.startsWith("canceling statement");
  return /^(HV|08|22|53|54|58)/.test(code) || code === sqlstate.featureNotSupported || isNestedRefusal(error);
}

/** Without what belongs to another statement: its writes, and where in its text it failed. */
function ofTheCall(error: SqlError, about: string): SqlError {
  const { code, message, hint, receipts, position, cause } = error;
  const detail = [error.detail ?? "", about].filter((part) => part !== "").join(" ");
  if (about === "" && receipts === undefined && position === undefined) return error;
  return new SqlError(code, message, {
    ...(detail !== "" && { detail }),
    ...(hint !== undefined && { hint }),
    cause: cause ?? error,
  });
}

/** What became of the other calls of a statement when one failed. */
export interface OtherCalls {
  readonly answered: number;
  readonly failed: number;
  readonly stopped: number;
  readonly notMade: number;
}

/** The error with the fate of the statement's other calls; as it is where there are none. */
export function withOtherCalls(error: SqlError, others: OtherCalls): SqlError {
  const total = others.answered + others.failed + others.stopped + others.notMade;
  return total === 0 ? error : withSentence(error, `Of ${countOf(total, "other call")}: ${said(others)}.`);
}

/** The error of a statement that was canceled, with what had become of its calls. */
export function withCalls(error: SqlError, calls: OtherCalls): SqlError {
  const total = calls.answered + calls.failed + calls.stopped + calls.notMade;
  return total === 0 ? error : withSentence(error, `Of ${countOf(total, "call")}: ${said(calls)}.`);
}

function said(others: OtherCalls): string {
  const fates = [
    [others.answered, "answered"],
    [others.failed, "failed"],
    [others.stopped, "stopped"],
    [others.notMade, "not made"],
  ] as const;
  return fates
    .filter(([count]) => count > 0)
    .map(([count, fate]) => `${amount(count)} ${fate}`)
    .join(", ");
}

function withSentence(error: SqlError, sentence: string): SqlError {
  return changed(error, [asSentence(error.detail ?? ""), sentence].filter((part) => part !== "").join(" "));
}

/**
 * Whether an answer may do without the call that failed so. A mistake in the statement is no missing part: what a resolver
 * refuses to look for (SQLSTATE classes 22 and 42), a limit, a verb that is not there.
 */
export function isMissingPart(error: unknown): boolean {
  return !(error instanceof SqlError) || /^(HV|08|57|58)/.test(error.code);
}

function changed(error: SqlError, detail: string): SqlError {
  const { code, message, hint, position, cause, receipts } = error;
  return new SqlError(code, message, {
    detail,
    ...(hint !== undefined && { hint }),
    ...(position !== undefined && { position }),
    ...(receipts !== undefined && { receipts }),
    cause: cause ?? error,
  });
}
