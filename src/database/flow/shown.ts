/** What a reader of results is shown of labelled values elsewhere than in rows: arguments, staged writes, receipts, errors. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { asSentence } from "../../errors/words.js";
import type { Scan } from "../../planner/plan.js";
import type { CallRecord } from "../../resources/call-record.js";
import type { SqlScalar } from "../../resources/resource.js";
import { type Effect, viewOf } from "../effect.js";
import { redactedText } from "../redacted.js";
import type { MissingPart, Notice, Receipt, ResultField, StagedWriteView } from "../types.js";
import { keyOf } from "./labels.js";
import type { FlowVerdict } from "./verdict.js";

/** Whether values of a table's column may not be shown. */
export type IsHidden = (table: { readonly schema: string; readonly name: string }, column: string) => boolean;

/** The arguments of a scan, without values that may not be shown. */
export function shownBindings(
  verdict: FlowVerdict | undefined,
  { table }: Scan,
  bindings: Record<string, SqlScalar[]>,
): Record<string, SqlScalar[]> {
  if (verdict === undefined || verdict.handed.size === 0) return bindings;
  return Object.fromEntries(
    Object.entries(bindings).map(([column, values]) => [
      column,
      verdict.handed.has(keyOf({ schema: table.schema, table: table.name, column })) ? [redactedText] : values,
    ]),
  );
}

/** A staged write as results show it. */
export function shownView(effect: Effect, id: number, isHidden: IsHidden): StagedWriteView {
  return viewOf(shownEffect(effect, isHidden), id);
}

type Values = Readonly<Record<string, unknown>>;

function shownEffect(effect: Effect, isHidden: IsHidden): Effect {
  if (!isAnyHidden(effect, isHidden)) return effect;
  const shown = (values: Values) => shownValues(values, (column) => isHidden(effect.table, column));
  return {
    ...effect,
    ...(effect.rows !== undefined && { rows: effect.rows.map(shown) }),
    ...(effect.set !== undefined && { set: shown(effect.set) }),
    ...(effect.match !== undefined && { match: shown(effect.match) }),
  };
}

function isAnyHidden({ table, rows = [], set = {}, match = {} }: Effect, isHidden: IsHidden): boolean {
  const columns = [...rows.flatMap((row) => Object.keys(row)), ...Object.keys(set), ...Object.keys(match)];
  return columns.some((column) => isHidden(table, column));
}

function shownValues(values: Values, hides: (column: string) => boolean): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).map(([column, value]) => [column, hides(column) && value !== null ? redactedText : value]),
  );
}

/** A receipt as results show it: answers and failures may repeat what was sent. */
export function shownReceipt(receipt: Receipt, effect: Effect | undefined, isHidden: IsHidden): Receipt {
  if (effect === undefined) return receipt;
  const { table } = effect;
  const sent = isAnyHidden(effect, isHidden);
  if (!sent && !table.columns.some((column) => isHidden(table, column.name))) return receipt;
  const { result, error, ...others } = receipt;
  return {
    ...others,
    ...(result !== undefined && { result: shownAnswer(result, sent, (column) => isHidden(table, column)) }),
    ...(error !== undefined && { error: sent ? { ...error, message: leftOut } : error }),
  };
}

/** Rows of the table lose their hidden columns; anything else goes as a whole where hidden values were sent. */
function shownAnswer(answer: unknown, sent: boolean, hides: (column: string) => boolean): unknown {
  if (Array.isArray(answer)) return answer.map((item) => shownAnswer(item, sent, hides));
  if (typeof answer === "object" && answer !== null)
    return Object.fromEntries(
      Object.entries(answer).map(([key, value]) => [key, hides(key) ? redactedText : shownAnswer(value, sent, hides)]),
    );
  return sent && typeof answer === "string" ? redactedText : answer;
}

const leftOut = "the tool's words are left out, since it was given values that may not be shown";

/** Codes of errors that say nothing of values: limits, cancellation, what is refused, the state of transactions. */
const wordsStay = ["08", "0A", "25", "40", "42501", "53", "54", "55", "57", "58"];

/** An error as it may be shown: the same code, without words that a value of a hidden label may have come into. */
export function shownError(error: unknown, verdict: FlowVerdict | undefined): unknown {
  if (verdict === undefined || verdict.hidden.length === 0) return error;
  // A backend's errors are its own, with PostgreSQL's codes.
  const failed = error instanceof SqlError ? error : ofBackend(error);
  if (failed === undefined) return error;
  const { code, position, receipts } = failed;
  if (wordsStay.some((start) => code.startsWith(start))) return error;
  // What a tool says of a call that was given nothing hidden can't hold what it was not told.
  if (code.startsWith("HV") && verdict.handed.size === 0 && !verdict.sendsHidden) return error;
  return new SqlError(code, `${nameOf(code)} (the details are left out)`, {
    detail: `The statement reads values labelled ${verdict.hidden.map((label) => `"${label}"`).join(", ")}, and words of the error may hold some of them.`,
    hint: "Leave these columns out to see the whole error.",
    ...(position !== undefined && { position }),
    ...(receipts !== undefined && { receipts }),
  });
}

function ofBackend(error: unknown): SqlError | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  const { code } = error;
  return typeof code === "string" && code.length === 5 ? new SqlError(code, error.message) : undefined;
}

/** `invalidTextRepresentation` → `invalid text representation`, as PostgreSQL names its codes. */
function nameOf(code: string): string {
  const [name] = Object.entries(sqlstate).find(([, known]) => known === code) ?? [];
  if (name === undefined || name === "fdwError") return "the statement failed";
  return [...name].map((letter) => (letter >= "A" && letter <= "Z" ? ` ${letter.toLowerCase()}` : letter)).join("");
}

/** Whether a statement is about values that may not be shown: what explains its answer must not list any. */
export function hidesValues(verdict: FlowVerdict | undefined): boolean {
  return verdict !== undefined && verdict.hidden.length > 0;
}

/** What a rule did to the answer, for the reader. */
export function flowNotices(verdict: FlowVerdict | undefined): Notice[] {
  if (verdict?.minGroup === undefined) return [];
  return [
    {
      severity: "NOTICE",
      code: sqlstate.warning,
      message: `groups of fewer than ${verdict.minGroup} rows are left out by policy`,
      hint: "So are groups in which a join counts a row more than once.",
    },
  ];
}

/** The fields with the labels of the columns that they are made of. */
export function withLabels(fields: ResultField[], verdict: FlowVerdict | undefined): ResultField[] {
  if (verdict === undefined) return fields;
  return fields.map((field, i) => {
    const labels = verdict.fieldLabels[i] ?? [];
    return labels.length === 0 ? field : { ...field, labels: [...labels] };
  });
}

/** A part that an answer is without, without arguments that may not be shown. */
export function shownMissing(part: MissingPart, verdict: FlowVerdict | undefined): MissingPart {
  if (verdict === undefined || verdict.handed.size === 0) return part;
  const tables = [...verdict.handed].map((key) => JSON.parse(key) as [string, string, string]);
  const isHidden = (column: string) => tables.some(([, table, name]) => table === part.resource && name === column);
  const bindings = Object.entries(part.bindings).map(([column, values]): [string, typeof values] => [
    column,
    isHidden(column) ? [redactedText] : values,
  ]);
  return { ...part, bindings: Object.fromEntries(bindings) };
}

/** The error of firing effects, with receipts as results show them and without a tool's words where hidden values were sent. */
export function shownFailure(error: unknown, effects: readonly Effect[], isHidden: IsHidden): unknown {
  if (!(error instanceof SqlError) || error.receipts === undefined) return error;
  const receipts = error.receipts.map((receipt, i) => shownReceipt(receipt, effects[i], isHidden));
  const { code, message, detail, hint, position, cause } = error;
  const isSent = effects.some((effect) => isAnyHidden(effect, isHidden));
  const words = isSent ? { detail: asSentence(leftOut), hint, position } : { detail, hint, position, cause };
  return new SqlError(code, message, { ...said(words), receipts });
}

/** Without what is not there. */
function said<T extends object>(options: T): Partial<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Partial<T>;
}

/** What of a call is remembered: how many rows it gave tells of hidden values that it asked with. */
export function shownCall(call: CallRecord, handed: (column: string) => boolean, isHidden: IsHidden): CallRecord {
  const relation = { schema: call.schema, name: call.resource };
  const columns = [...Object.keys(call.bindings), ...call.quals.map((qual) => qual.column)];
  const isHanded = columns.some(handed);
  if (!isHanded && !columns.some((column) => isHidden(relation, column))) return call;
  return { ...call, hidesCounts: true, ...(isHanded && call.error !== undefined && { error: leftOut }) };
}
