/** Tools that answer in pages: the answer names a cursor, which the next call passes as an argument. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { pages } from "../pages.js";
import type { ResourceContext, Row } from "../resource.js";
import { valueAt } from "./template.js";

/** How the further pages of a tool's rows are asked for. */
export interface McpPaging {
  readonly kind: "cursor";
  /** Argument of the tool that takes the cursor; a dot leads into an object: `page.after`. The first call goes without. */
  readonly parameter: string;
  /** Where the answer has the cursor of the next page: `$.nextCursor`. Nothing, null, false or "" there ends the pages. */
  readonly next: string;
}

/** Where a page begins. */
export type McpCursor = string | number;

/** One page of a tool's answer. */
export interface McpPage {
  readonly rows: readonly Row[];
  readonly next: McpCursor | undefined;
}

/** Pages that one read may have when the resource does not say, as everywhere. */
const defaultMaxPages = 10_000;

/** @throws TypeError for a paging that can't work */
export function checkMcpPaging(paging: McpPaging): void {
  if (paging.kind !== "cursor") throw new TypeError(`page.kind must be "cursor", not ${JSON.stringify(paging.kind)}`);
  if (typeof paging.parameter !== "string" || paging.parameter.split(".").includes(""))
    throw new TypeError("page.parameter must name the argument that takes the cursor");
  if (typeof paging.next !== "string" || !/^\$(\.[^.]+)+$/.test(paging.next))
    throw new TypeError(`page.next must be a path such as $.nextCursor, not ${JSON.stringify(paging.next)}`);
}

/** The arguments of a tool with the cursor among them. */
export function withCursor(args: Row, { parameter }: Pick<McpPaging, "parameter">, cursor: McpCursor | undefined): Row {
  return cursor === undefined ? args : withField(args, parameter.split("."), cursor);
}

function withField(value: unknown, [name, ...rest]: readonly string[], cursor: McpCursor): Row {
  const object = typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Row) : {};
  const field = Object.hasOwn(object, name) ? object[name] : undefined;
  return { ...object, [name]: rest.length === 0 ? cursor : withField(field, rest, cursor) };
}

/**
 * The cursor that an answer names; `undefined` on the last page.
 * @param tool for messages
 * @throws SqlError HV000 for an answer that has no place for a cursor, or something else in it: the rows so far would pass
 * for all of them
 */
export function cursorIn({ next }: McpPaging, answer: unknown, tool: string): McpCursor | undefined {
  return asCursor(isPlaceOfCursor(next, answer) ? valueAt(next, answer) : answer, `At ${next} of its answer`, tool);
}

/**
 * What stands where an answer has its cursor, as a cursor; `undefined` on the last page.
 * @param place where it was found, for messages: `At $.next of its answer`
 * @throws SqlError HV000 for what is no cursor
 */
export function asCursor(found: unknown, place: string, tool: string): McpCursor | undefined {
  if (found === undefined || found === null || found === "" || found === false) return undefined;
  if (typeof found === "string" || (typeof found === "number" && isExact(found))) return found;
  throw new SqlError(sqlstate.fdwError, `tool "${tool}" gave a cursor that is none`, {
    detail: `${place} stands ${excerpt(found)}.`,
    hint: "See where the answer has the cursor of the next page, and correct page.next.",
  });
}

/** Whether the objects on the way to the cursor are objects, as far as they are there. */
function isPlaceOfCursor(path: string, answer: unknown): boolean {
  if (typeof answer !== "object" || answer === null || Array.isArray(answer)) return false;
  const steps = path.split(".").slice(0, -1);
  return steps.every((_, i) => {
    const at = valueAt(steps.slice(0, i + 1).join("."), answer);
    return at === undefined || at === null || (typeof at === "object" && !Array.isArray(at));
  });
}

/** JSON has rounded an integer beyond 2^53: it would lead to another page. */
function isExact(cursor: number): boolean {
  return Number.isFinite(cursor) && (!Number.isInteger(cursor) || Number.isSafeInteger(cursor));
}

function excerpt(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

/** The pages of one list, each asked for when the one before has been taken. */
export function mcpPages(
  fetch: (cursor: McpCursor | undefined) => Promise<McpPage>,
  context: ResourceContext,
  maxPages: number = defaultMaxPages,
): AsyncIterable<readonly Row[]> {
  return pages<Row, McpCursor>({ signal: context.signal, maxPages, fetch });
}

/**
 * The pages as a `select` gives them. Whoever takes them stops at the limit of the context: where the tool is not told of
 * everything that the rows are asked by, those that are dropped later would use it up, and all are handed over at once.
 */
export async function handedOver(
  read: AsyncIterable<readonly Row[]>,
  context: ResourceContext,
  isWhole: boolean,
): Promise<AsyncIterable<readonly Row[]> | Row[]> {
  if (isWhole || context.limit === undefined) return read;
  const rows: Row[] = [];
  for await (const page of read) {
    for (const row of page) rows.push(row);
    context.progress(rows.length);
  }
  return rows;
}
