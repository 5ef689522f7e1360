/**
 * A read: requests page by page, rows out of the answers. A limit reaches the service, and stops the paging, only when the
 * request passes on every predicate of the call: otherwise rows that are dropped later would use it up.
 */
import { SqlError } from "../../../errors/sql-error.js";
import { sqlstate } from "../../../errors/sqlstate.js";
import { pages } from "../../pages.js";
import type { Bindings, ResourceContext, ResourceTable, Row, Rows } from "../../resource.js";
import { refuseOnlyWritten } from "../only-written.js";
import { type Template, templateColumns } from "../template.js";
import { batchColumns, type ReadValues, readValues, withLimit } from "./call-values.js";
import type { HttpVerb } from "./definition.js";
import { EtagCache } from "./etag-cache.js";
import { nextLink } from "./link-header.js";
import { type PageStart, type Paging, pagingOf } from "./paging.js";
import type { PlaceholderValues } from "./placeholders.js";
import { bodyJson, type HttpAnswer } from "./read-answer.js";
import { fillRequest, type HttpRequest, type RequestBase } from "./request.js";
import { type FoundRows, type RowReader, rowReader } from "./rows.js";
import { type Sender, send } from "./send.js";
import { bodyFailed, isSuccess, readFailed, type StatusRules, saysFailed, statusRules } from "./statuses.js";

/** Pages that one read may have when the resource does not say, as everywhere. */
const defaultMaxPages = 10_000;

/** A verb that reads, made ready once. */
interface Reader {
  readonly base: RequestBase;
  readonly sender: Sender;
  readonly verb: HttpVerb;
  readonly paging?: Paging;
  readonly rows: RowReader;
  readonly rules: StatusRules;
  readonly batch: ReadonlySet<string>;
  readonly kept?: EtagCache;
  readonly maxPages: number;
}

/** What one call asks for. */
interface Plan {
  readonly values: PlaceholderValues;
  /** Rows after which it may stop. */
  readonly limit?: number;
  readonly size: number | undefined;
}

/**
 * The `select` of a resource.
 * @throws TypeError for a path of the verb that can't be read
 */
export function selectOf(
  verb: HttpVerb,
  table: Pick<ResourceTable, "columns" | "batch" | "keyAlternatives" | "volatility" | "maxPages">,
  base: RequestBase,
  sender: Sender,
): NonNullable<ResourceTable["select"]> {
  const reader: Reader = {
    base,
    sender,
    verb,
    ...(verb.page !== undefined && { paging: pagingOf(verb.page) }),
    rows: rowReader(verb, table.columns),
    rules: statusRules(verb.errors),
    batch: batchColumns(table),
    ...(table.volatility !== "volatile" && verb.method === "GET" && { kept: new EtagCache() }),
    maxPages: table.maxPages ?? defaultMaxPages,
  };
  const { path, query, headers, body, form } = verb;
  const places: Template = [path, ...[query, headers, body, form].map((part) => (part ?? null) as Template)];
  const check = refuseOnlyWritten(table.columns, new Set(templateColumns(places)));
  return (bindings, context) => {
    check(bindings);
    return readRows(reader, bindings, context);
  };
}

async function readRows(reader: Reader, bindings: Bindings, context: ResourceContext): Promise<Rows> {
  const plan = planOf(reader, readValues(bindings, context, reader.verb, reader.batch), context);
  if (reader.paging === undefined) return readWhole(reader, plan, context.signal);
  const read = readPages(reader, reader.paging, plan, context.signal);
  if (context.limit === undefined || plan.limit !== undefined) return read;
  // Whoever takes the pages stops at the limit; these rows have yet to be filtered, so all of them are handed over at once.
  const rows: Row[] = [];
  for await (const page of read) {
    for (const row of page) rows.push(row);
    context.progress(rows.length);
  }
  return rows;
}

/** Whether the limit can be passed on, and what the request is made of. */
function planOf({ base, verb, paging, rows }: Reader, values: ReadValues, context: ResourceContext): Plan {
  const { limit, orderBy = [] } = context;
  const whole: Plan = { values, size: paging?.size(undefined) };
  const { used } = fillRequest(base, verb, values);
  if (limit === undefined || values.isCrowded || !values.predicates.every((name) => used.has(name))) return whole;
  if (paging === undefined && !rows.keepsAll) return whole; // the path drops rows after the service has counted them
  const limited = withLimit(values, context, verb);
  const placed = fillRequest(base, verb, limited).used;
  const isOrdered = orderBy.length === 1 && placed.has("$orderBy") && placed.has("$direction");
  if (orderBy.length > 0 && !isOrdered) return whole;
  return { values: limited, limit, size: paging?.size(limit) };
}

async function readWhole(reader: Reader, { values, limit }: Plan, signal: AbortSignal): Promise<Row[]> {
  const { request } = fillRequest(reader.base, reader.verb, values);
  const answer = await ask(reader, request, signal);
  if (isEmpty(reader, answer, true)) return [];
  const { rows, isList } = rowsIn(reader, answer);
  const isCut = isList && nextLink(answer.headers.get("link")) !== undefined;
  if (isCut && (limit === undefined || rows.length < limit)) throw unpaged(reader, answer);
  return rows;
}

/** Pages of rows; the next one is asked for when the one before has been taken. */
function readPages(
  reader: Reader,
  paging: Paging,
  { values, size }: Plan,
  signal: AbortSignal,
): AsyncIterable<readonly Row[]> {
  const { base, verb, sender } = reader;
  let start: PageStart | undefined;
  let before: Uint8Array | undefined;
  return pages<Row>({
    signal,
    maxPages: reader.maxPages,
    async fetch(_, { number }) {
      const { request } = fillRequest(base, verb, values, paging.extra(start, size));
      const answer = await ask(
        reader,
        start?.kind === "address" ? { ...request, url: start.address } : request,
        signal,
      );
      if (isEmpty(reader, answer, number === 1, start)) return { rows: [] };
      const { rows, json } = rowsIn(reader, answer);
      if (start?.kind === "number" && rows.length > 0 && before !== undefined && isEqual(before, answer.bytes))
        throw samePage(reader, answer, number);
      before = answer.bytes;
      start = paging.next({ answer, json, rowCount: rows.length, start, size });
      return { rows, next: start === undefined ? undefined : sender.secrets.redact(identityOf(start)) };
    },
  });
}

function identityOf(start: PageStart): string {
  return String(start.kind === "cursor" ? start.cursor : start.kind === "number" ? start.number : start.address);
}

/** Sends the request, and lets the service confirm an answer that is kept. */
async function ask({ sender, kept }: Reader, request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
  if (kept === undefined) return send(request, "read", sender, signal);
  const key = JSON.stringify([request.url, request.headers]);
  const known = kept.get(key);
  const headers = known === undefined ? request.headers : { ...request.headers, "if-none-match": known.etag };
  const answer = await send({ ...request, headers }, "read", sender, signal);
  if (answer.status === 304 && known !== undefined)
    return { ...answer, status: 200, statusText: "", bytes: known.bytes, headers: known.headers };
  const etag = answer.headers.get("etag");
  const isKept =
    answer.status === 200 && etag !== null && !/\bno-store\b/i.test(answer.headers.get("cache-control") ?? "");
  if (isKept) kept.set(key, { etag, bytes: answer.bytes, headers: answer.headers });
  else kept.delete(key);
  return answer;
}

/**
 * Whether the answer means "no rows". By default that is 404 where the path holds a value: without one, the address is
 * wrong. On a later page it would cut the rows short, unless the verb says so for numbered pages.
 * @throws HttpError for any other answer that is no success
 */
function isEmpty({ verb, rules, sender }: Reader, answer: HttpAnswer, isFirst: boolean, start?: PageStart): boolean {
  const { status } = answer;
  if (status === 204 || status === 205) return true;
  if (isSuccess(answer) && status !== 206) return false; // a part of the answer is none
  const byDefault = status === 404 && /[{]/.test(verb.path) && isFirst;
  const declared = rules.empty?.includes(status) === true && (isFirst || start?.kind === "number");
  if (rules.empty === undefined ? byDefault : declared) return true;
  throw readFailed(answer, rules, sender.authorizer.variables);
}

/** @throws SqlError HV000 for an answer without rows, HttpError for one that says that the service failed */
function rowsIn(
  { rows, rules, sender }: Reader,
  answer: HttpAnswer,
): FoundRows & { json: ReturnType<typeof bodyJson> } {
  const json = bodyJson(answer);
  if (saysFailed(rules, json)) throw bodyFailed(answer, rules);
  return { ...rows.read(json, sender.service), json };
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}

function samePage({ verb, sender }: Reader, { label }: HttpAnswer, number: number): SqlError {
  const parameter = verb.page !== undefined && "parameter" in verb.page ? verb.page.parameter : "";
  return new SqlError(
    sqlstate.fdwError,
    `service "${sender.service}" answered page ${number} as it did the page before`,
    {
      detail: `${label.method} ${label.redact(label.shownUrl)}: the same pages would follow for ever.`,
      hint: `See whether the service knows the parameter "${parameter}".`,
    },
  );
}

function unpaged({ sender }: Reader, { label }: HttpAnswer): SqlError {
  return new SqlError(sqlstate.fdwError, `service "${sender.service}" gave the first page only`, {
    detail: `${label.method} ${label.redact(label.shownUrl)} answered with a link to a next page, which nobody asks for.`,
    hint: "Declare page: { kind: link } for the verb.",
  });
}
