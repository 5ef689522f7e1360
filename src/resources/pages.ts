/** Pages by cursor, for resolvers and connectors: what a service calls a cursor, a page token, a link to the next page. */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import type { Awaitable, Row } from "./resource.js";

/** One page as a service gives it. */
export interface Page<R extends object = Row, C = string> {
  readonly rows: readonly R[];
  /** Where the next page begins; absent, null or an empty text on the last one. */
  readonly next?: C | null | undefined;
}

/** What {@link PagesOptions.fetch} may use beside the cursor. */
export interface PageContext {
  /** From 1. */
  readonly number: number;
  readonly signal?: AbortSignal;
}

export interface PagesOptions<R extends object = Row, C = string> {
  /** Gets one page; the cursor is `undefined` for the first. */
  fetch(cursor: C | undefined, context: PageContext): Awaitable<Page<R, C>>;
  /** Pages at most; more is an error, since a shorter answer would be a wrong one. Default: the resource's `maxPages`. */
  readonly maxPages?: number;
  /** The call's signal (`context.signal`): no page is asked for after it is aborted. */
  readonly signal?: AbortSignal;
}

/**
 * The pages of a read as `select` may return them: `return pages({ signal: ctx.signal, fetch: (cursor) => … })`.
 *
 * A page is asked for when the one before has been taken, so that a read which has enough rows asks for no more.
 * @throws SqlError HV000 for a cursor that was there before: the service would give the same pages for ever
 */
export async function* pages<R extends object = Row, C = string>(
  options: PagesOptions<R, C>,
): AsyncGenerator<readonly R[], void, undefined> {
  const { fetch, maxPages = Number.POSITIVE_INFINITY, signal } = options;
  const seen = new Set<string>();
  let cursor: C | undefined;
  for (let number = 1; ; number++) {
    signal?.throwIfAborted();
    if (number > maxPages) throw tooMany(maxPages);
    const page = await fetch.call(options, cursor, { number, ...(signal !== undefined && { signal }) });
    if (!Array.isArray(page?.rows)) throw new TypeError(`page ${number} has no rows; give { rows: […], next }`);
    yield page.rows;
    const { next } = page;
    if (next === undefined || next === null || (next as unknown) === "") return;
    const text = cursorText(next);
    if (seen.has(text)) throw repeated(text, number);
    seen.add(text);
    cursor = next;
  }
}

function cursorText(cursor: unknown): string {
  return typeof cursor === "bigint" ? String(cursor) : JSON.stringify(cursor);
}

/** Characters of a cursor that a message shows; some hold a whole query. */
const maxShown = 100;

function repeated(cursor: string, page: number): SqlError {
  const shown = cursor.length > maxShown ? `${cursor.slice(0, maxShown)}…` : cursor;
  return new SqlError(sqlstate.fdwError, `the service gave the cursor ${shown} a second time`, {
    detail: `It came with page ${page}: the same pages would follow for ever, and those so far may not be all.`,
    hint: "See whether the cursor reaches the service under the name that it expects.",
  });
}

function tooMany(maxPages: number): SqlError {
  return new SqlError(sqlstate.fdwError, `the read took more than ${maxPages} pages`, {
    detail: "The rows so far are not all, so none are given.",
    hint: "Narrow the statement, or raise maxPages.",
  });
}
