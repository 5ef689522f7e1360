/**
 * Writes: one request each (one for all rows of an INSERT, where the body has a place for them), never sent twice. Every written column must have a place in the request: one that is left out
 * would pass for written.
 */
import { SqlError } from "../../../errors/sql-error.js";
import { sqlstate } from "../../../errors/sqlstate.js";
import type { ResourceColumn, ResourceContext, Row } from "../../resource.js";
import { type Template, templateColumns } from "../template.js";
import { rowsValues, writeValues } from "./call-values.js";
import type { HttpVerb } from "./definition.js";
import { outcomeUnknown } from "./errors.js";
import { plainJson } from "./json-answer.js";
import { hasRows, withoutRows } from "./placeholders.js";
import { bodyJson, type HttpAnswer, isJsonType, looseText, mediaType } from "./read-answer.js";
import { fillRequest, type HttpRequest, type RequestBase } from "./request.js";
import { type RowReader, rowReader } from "./rows.js";
import { type Sender, send } from "./send.js";
import { bodyFailed, isSuccess, type StatusRules, saysFailed, statusRules, writeFailed } from "./statuses.js";

/** What one request writes: rows, or columns of the row that `match` names. */
export interface Written {
  readonly rows?: readonly Row[];
  readonly set?: Row;
  readonly match?: Row;
  readonly idempotencyKey?: string;
}

/** A verb that writes, made ready once. */
export interface Writer {
  /** Makes the request and drops it. @throws SqlError 0A000, 22023, HV002 for what no request can carry */
  check(written: Written): void;
  send(written: Written, context: ResourceContext): Promise<unknown>;
}

/** @throws TypeError for a path of the verb that can't be read */
export function writerOf(
  table: string,
  verb: HttpVerb,
  columns: readonly ResourceColumn[],
  base: RequestBase,
  sender: Sender,
): Writer {
  const rules = statusRules(verb.errors);
  const reader = rowReader(verb, columns);
  const requestOf = (written: Written) => requestFor(table, verb, base, written);
  return {
    check: (written) => void requestOf(written),
    async send(written, { signal, idempotencyKey }) {
      const request = requestOf({ ...written, ...(idempotencyKey !== undefined && { idempotencyKey }) });
      const answer = await send(request, "write", sender, signal);
      if (!isSuccess(answer) && answer.status !== 303) {
        if (rules.empty?.includes(answer.status) === true) return undefined;
        throw writeFailed(answer, rules, sender.authorizer.variables);
      }
      requireDone(answer, rules);
      return resultOf(answer, reader, sender.service);
    },
  };
}

/** @throws SqlError for a value that has no place, or that its place can't carry */
function requestFor(table: string, verb: HttpVerb, base: RequestBase, written: Written): HttpRequest {
  const { rows, set = {}, match = {}, idempotencyKey } = written;
  const isBatch = rows !== undefined && hasRows(verb.body);
  if (isBatch) requireShared(table, verb, rows);
  const values = isBatch ? rowsValues(rows, idempotencyKey) : writeValues(rows?.[0] ?? set, match, idempotencyKey);
  const { request, used } = fillRequest(base, verb, values);
  // The service's own default stands for a NULL of an INSERT that a form can't carry.
  const needed =
    rows?.map((row) => Object.entries(row).filter(([, value]) => value !== null && value !== undefined)) ??
    [set, match].map((row) => Object.entries(row));
  for (const [column, value] of needed.flat()) if (!used.has(column)) throw notWritten(table, column, value);
  return request;
}

/** Rows that go together say the same where the request has one place for all of them. */
function requireShared(table: string, verb: HttpVerb, rows: readonly Row[]): void {
  const { path, query, headers, body } = verb;
  const outside = [path, query, headers, withoutRows(body)].flatMap((part) =>
    templateColumns((part ?? null) as Template),
  );
  const { single } = rowsValues(rows, undefined);
  const column = outside.find((name) => !single.has(name) && rows.some((row) => Object.hasOwn(row, name)));
  if (column === undefined) return;
  throw new SqlError(
    sqlstate.featureNotSupported,
    `rows of table "${table}" that are inserted together must agree in "${column}"`,
    {
      detail: "One request carries all rows of the statement, and has one place for the column.",
      hint: `Insert the rows of each "${column}" by a statement of their own.`,
    },
  );
}

/** @throws HttpError when the service says that it did not do it, SqlError 40003 when nobody can read what it says */
function requireDone(answer: HttpAnswer, rules: StatusRules): void {
  if (rules.failed === undefined || answer.bytes.length === 0) return;
  let hasFailed: boolean;
  try {
    hasFailed = saysFailed(rules, bodyJson(answer));
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    throw outcomeUnknown(answer.label, `whether it failed can't be read: ${error.message}`, error);
  }
  if (hasFailed) throw bodyFailed(answer, rules);
}

/**
 * What the service says of the written row, for RETURNING and the receipt. The write has happened: an answer that can't be
 * read is handed on as it is.
 */
function resultOf(answer: HttpAnswer, reader: RowReader, service: string): unknown {
  if (answer.bytes.length === 0) return undefined;
  const type = mediaType(answer.headers);
  if (type === undefined || !isJsonType(type)) return looseText(answer);
  let whole: unknown;
  try {
    const json = bodyJson(answer);
    whole = json.value;
    if (typeof whole !== "object" || whole === null) return plainJson(whole);
    const { rows, isList } = reader.read(json, service);
    const said = rows.map(withoutMissing);
    return plainJson(isList ? said : said[0]);
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    return whole === undefined ? looseText(answer) : plainJson(whole);
  }
}

/** A field that the service says nothing of stays what was written. */
function withoutMissing(row: Row): Row {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined));
}

function notWritten(table: string, column: string, value: unknown): SqlError {
  const isNull = value === null || (Array.isArray(value) && value.length === 0);
  return new SqlError(
    sqlstate.featureNotSupported,
    isNull
      ? `the service of table "${table}" can't be told that "${column}" is ${value === null ? "NULL" : "empty"}`
      : `the service of table "${table}" does not take "${column}" here`,
    {
      detail: "No part of the request carries it, so nothing was sent.",
      hint: `Leave "${column}" out of the statement.`,
    },
  );
}
