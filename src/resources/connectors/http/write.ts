/**
 * Writes: one request each, never sent twice. Every written column must have a place in the request: one that is left out
 * would pass for written.
 */
import { SqlError } from "../../../errors/sql-error.js";
import { sqlstate } from "../../../errors/sqlstate.js";
import type { Bindings, ResourceColumn, ResourceContext, Row } from "../../resource.js";
import { writeValues } from "./call-values.js";
import type { HttpVerb } from "./definition.js";
import { plainJson } from "./json-answer.js";
import type { PlaceholderValues } from "./placeholders.js";
import { bodyJson, type HttpAnswer, isJsonType, looseText, mediaType } from "./read-answer.js";
import { fillRequest, type RequestBase } from "./request.js";
import { type RowReader, rowReader } from "./rows.js";
import { type Sender, send } from "./send.js";
import { isSuccess, statusRules, writeFailed } from "./statuses.js";

/** A verb that writes, made ready once. */
export interface Writer {
  insert(row: Row, context: ResourceContext): Promise<unknown>;
  update(set: Row, match: Bindings, context: ResourceContext): Promise<unknown>;
  delete(match: Bindings, context: ResourceContext): Promise<unknown>;
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
  const rows = rowReader(verb, columns);
  const write = async (values: PlaceholderValues, needed: readonly string[], signal: AbortSignal) => {
    const { request, used } = fillRequest(base, verb, values);
    const lost = needed.find((column) => !used.has(column));
    if (lost !== undefined) throw notWritten(table, lost, values.single.get(lost));
    const answer = await send(request, "write", sender, signal);
    if (isSuccess(answer) || answer.status === 303) return resultOf(answer, rows, sender.service);
    if (rules.empty?.includes(answer.status) === true) return undefined;
    throw writeFailed(answer, rules, sender.authorizer.variables);
  };
  return {
    insert(row, context) {
      // The service's own default stands for a NULL that a form can't carry.
      const needed = Object.keys(row).filter((column) => row[column] !== null && row[column] !== undefined);
      return write(writeValues(row, context), needed, context.signal);
    },
    update(set, match, context) {
      return write(writeValues(set, context, match), [...Object.keys(set), ...match.eq.keys()], context.signal);
    },
    delete(match, context) {
      return write(writeValues({}, context, match), [...match.eq.keys()], context.signal);
    },
  };
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
