/**
 * The rows of one answer, whatever form it came in: an array, one row, none, or pages. What is no row is an error in words;
 * a read that breaks off gives nothing, since a part of the rows would pass for all of them.
 */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import { type ResourceCall, untilAborted } from "./call.js";
import type { Row } from "./resource.js";

/** Pages that one read may have when the resource does not say. */
const defaultMaxPages = 10_000;

/** What reading needs from the call. */
export interface Reading {
  readonly signal: AbortSignal;
  /** Runs the resolver's own code. */
  invoke<T>(run: () => T): T;
  /** Is told of each page: rows of it, and rows so far. An answer that is not paged is one page. */
  onPage(rows: number, total: number): void;
}

/**
 * @throws TypeError for what are no rows; SqlError HV000 for more pages than the resource may have; the signal's reason
 */
export async function readRows(call: ResourceCall, answer: unknown, reading: Reading): Promise<readonly Row[]> {
  const rows = await collectRows(call, answer, reading);
  checkRows(call, rows);
  return stampKeys(call, rows);
}

async function collectRows(call: ResourceCall, answer: unknown, reading: Reading): Promise<readonly Row[]> {
  if (isPaged(answer)) return collectPages(call, answer, reading);
  const rows = wholeAnswer(answer);
  reading.onPage(rows.length, rows.length);
  return rows;
}

function wholeAnswer(answer: unknown): readonly Row[] {
  if (answer === null || answer === undefined) return [];
  // A list of its own: a resolver may give the list that it keeps its rows in, and add to it while the answer is in use.
  if (Array.isArray(answer)) return [...(answer as Row[])];
  // A Set, a Map or a generator would pass for one row without values.
  if (typeof answer === "object" && Symbol.iterator in answer) {
    throw new TypeError(`it gave a ${kindOf(answer)}; give an array, one row, null, or pages (an async iterable)`);
  }
  return [answer as Row];
}

/** Reads pages until they end, or until the call has the rows that it wants. */
async function collectPages(
  call: ResourceCall,
  pages: AsyncIterable<unknown>,
  { signal, onPage, invoke }: Reading,
): Promise<readonly Row[]> {
  const maxPages = call.table.resource.maxPages ?? defaultMaxPages;
  const rows: Row[] = [];
  const iterator = pages[Symbol.asyncIterator]();
  let isOpen = true;
  try {
    for (let number = 1; ; number++) {
      const step = nextOf(() => invoke(() => iterator.next())).catch((error: unknown) => {
        isOpen = false; // an iterator that failed is closed
        throw error;
      });
      const { done, value: page } = await untilAborted(step, signal);
      if (done === true) {
        isOpen = false;
        return rows;
      }
      if (number > maxPages) throw tooManyPages(call, maxPages);
      if (!Array.isArray(page)) {
        const kind = page === null ? "null" : kindOf(page);
        throw new TypeError(`page ${number} is ${kind}, not an array; yield one array of rows for each page`);
      }
      for (const row of page) rows.push(row as Row);
      onPage(page.length, rows.length);
      if (call.limit !== undefined && rows.length >= call.limit) {
        rows.length = call.limit;
        return rows;
      }
    }
  } finally {
    if (isOpen) closePages(iterator);
  }
}

/** An iterator may throw before it gives a promise, or give none. */
async function nextOf(next: () => Promise<IteratorResult<unknown>>): Promise<IteratorResult<unknown>> {
  return next();
}

/**
 * Tells an iterator that no more pages are wanted. It is not waited for: a generator that hangs in its last page would never
 * answer. What its clean-up throws concerns nobody any more: the rows are there, or the call has failed already.
 */
function closePages(iterator: AsyncIterator<unknown>): void {
  Promise.resolve()
    .then(() => iterator.return?.())
    .catch(() => undefined);
}

/** An answer that came when the call was over: when it is paged, its resources are given back. */
export function dropAnswer(answer: unknown): void {
  if (isPaged(answer)) closePages(answer[Symbol.asyncIterator]());
}

function isPaged(answer: unknown): answer is AsyncIterable<unknown> {
  return typeof answer === "object" && answer !== null && Symbol.asyncIterator in answer;
}

function tooManyPages(call: ResourceCall, maxPages: number): SqlError {
  return new SqlError(sqlstate.fdwError, `reading table "${call.table.name}" took more than ${maxPages} pages`, {
    detail: "The rows so far are not all, so none are given.",
    hint: "Narrow the statement, or raise maxPages of the resource.",
  });
}

/** @throws SqlError HV000 for a row that is no object, and for one that has values but none for a column of the table */
function checkRows(call: ResourceCall, rows: readonly unknown[]): void {
  const bad = rows.findIndex((row) => !isRow(row));
  if (bad !== -1) {
    const row = rows[bad];
    const kind = row === null ? "null" : Array.isArray(row) ? "an array" : kindOf(row);
    throw new SqlError(sqlstate.fdwError, `resource "${call.table.name}" gave a row that is not an object`, {
      detail: `Row ${bad + 1} is ${kind}.`,
    });
  }
  const { columns } = call.table;
  const strange = (rows as readonly Row[]).findIndex((row) => !columns.some(({ name }) => name in row));
  if (strange === -1) return;
  const names = Object.keys(rows[strange] as Row);
  if (names.length === 0) return;
  // All NULL would be a wrong answer: the rows lie deeper in the answer, or their names differ.
  throw new SqlError(sqlstate.fdwError, `resource "${call.table.name}" gave a row without any of its columns`, {
    detail: `Row ${strange + 1} has: ${names.slice(0, 10).join(", ")}${names.length > 10 ? ", …" : ""}.`,
    hint: `The columns are: ${columns.map(({ name }) => name).join(", ")}. Take the rows out of the answer, or rename their fields.`,
  });
}

function isRow(row: unknown): boolean {
  return (
    typeof row === "object" &&
    row !== null &&
    !Array.isArray(row) &&
    !(row instanceof Promise) &&
    !(row instanceof Date) &&
    !(Symbol.iterator in row)
  );
}

/** What a value is, for a message: its class where it has one. */
function kindOf(value: unknown): string {
  if (typeof value !== "object" || value === null) return typeof value;
  return Object.prototype.toString.call(value).slice("[object ".length, -1);
}

/**
 * Rows are copied only where a key is missing; a resolver's own objects are never written to.
 * @throws SqlError HV000 for a row that leaves out a key that the call had several values of
 */
function stampKeys(call: ResourceCall, rows: readonly Row[]): readonly Row[] {
  const stamps: [string, unknown][] = [];
  const alternatives = new Set(call.table.keyAlternatives?.flat());
  for (const column of call.table.columns) {
    if (column.requiredKey !== true && column.argument !== true && !alternatives.has(column.name)) continue;
    const values = call.values.get(column.name);
    if (values === undefined) continue;
    if (values.length === 1) stamps.push([column.name, values[0]]);
    else requireKey(call, column.name, rows);
  }
  if (stamps.length === 0) return rows;
  return rows.map((row) => {
    const missing = stamps.filter(([name]) => !Object.hasOwn(row, name) || row[name] === undefined);
    return missing.length === 0 ? row : { ...row, ...Object.fromEntries(missing) };
  });
}

/** NULL would be a wrong answer: no condition on the key holds for it, so that the rows would be gone without a word. */
function requireKey({ table, values }: ResourceCall, column: string, rows: readonly Row[]): void {
  const at = rows.findIndex((row) => !Object.hasOwn(row, column) || row[column] === undefined);
  if (at === -1) return;
  throw new SqlError(sqlstate.fdwError, `resource "${table.name}" gave a row without "${column}"`, {
    detail: `The call asked for ${values.get(column)?.length} values of "${column}"; row ${at + 1} does not say which of them it belongs to.`,
    hint: `Give "${column}" in every row.`,
  });
}
