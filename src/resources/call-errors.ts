/** The errors of a read that failed: the tool's own words, what it was called with, and what became of the other calls. */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import { amount, asSentence, countOf } from "../errors/words.js";
import { argumentsText, errorWords, type ResourceCall } from "./call.js";
import type { GivenUp } from "./retry.js";

/** A failing tool in the words of a database error; a database error of its own stays what it is, with the arguments added. */
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
  if (error instanceof SqlError) {
    const detail = [error.detail ?? "", about].filter((part) => part !== "").join(" ");
    return about === "" ? error : changed(error, detail);
  }
  return new SqlError(sqlstate.fdwError, `reading table "${call.table.name}" failed`, {
    detail: [errorWords(error), about].filter((part) => part !== "").join(" "),
    cause: error,
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
