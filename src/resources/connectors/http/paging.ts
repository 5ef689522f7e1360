/** How the further pages of a read are asked for: what is added to the request, and where the next page begins. */
import { SqlError } from "../../../errors/sql-error.js";
import { sqlstate } from "../../../errors/sqlstate.js";
import { nextAddress } from "./address.js";
import { type AnswerPath, answerPath } from "./answer-path.js";
import type { HttpPaging } from "./definition.js";
import { excerpt } from "./errors.js";
import type { JsonAnswer } from "./json-answer.js";
import { nextLink } from "./link-header.js";
import type { HttpAnswer } from "./read-answer.js";
import type { Extra } from "./request.js";

/** Where a page begins: a place in the list, or a whole address. */
export type PageStart =
  | { readonly kind: "cursor"; readonly cursor: string | number | bigint }
  | { readonly kind: "number"; readonly number: number }
  | { readonly kind: "address"; readonly address: string };

/** A page that has arrived. */
export interface ReadPage {
  readonly answer: HttpAnswer;
  readonly json: JsonAnswer;
  readonly rowCount: number;
  /** `undefined` for the first page. */
  readonly start: PageStart | undefined;
  /** Rows that a full page has; see {@link Paging.size}. */
  readonly size: number | undefined;
}

/** The paging of one verb. */
export interface Paging {
  /** Rows that a page is asked to have, where the verb says. @param limit rows wanted at most */
  size(limit: number | undefined): number | undefined;
  /** What the request for a page has beside the verb's templates. */
  extra(start: PageStart | undefined, size: number | undefined): Extra;
  /** @throws SqlError HV000 for a next page that can't be asked for */
  next(page: ReadPage): PageStart | undefined;
}

/** @throws TypeError for a path that can't be read */
export function pagingOf(paging: HttpPaging): Paging {
  switch (paging.kind) {
    case "link":
      return byAddress(({ answer }) => nextLink(answer.headers.get("link")));
    case "url": {
      const path = answerPath(paging.next);
      return byAddress(({ json }) => path.find(json));
    }
    case "cursor":
      return byCursor(paging, answerPath(paging.next));
    case "page":
      return byNumber(paging, paging.first ?? 1, (page) => page + 1);
    case "offset":
      return byNumber(paging, 0, (offset, rowCount) => offset + rowCount);
  }
}

function byAddress(nextOf: (page: ReadPage) => unknown): Paging {
  return {
    size: () => undefined,
    extra: () => ({}),
    next(page) {
      const next = nextOf(page);
      if (isEnd(next)) return undefined;
      const { url, label } = page.answer;
      return { kind: "address", address: nextAddress(next, url, label.service) };
    },
  };
}

function byCursor(paging: Extract<HttpPaging, { kind: "cursor" }>, path: AnswerPath): Paging {
  return {
    size: () => undefined,
    extra(start) {
      if (start?.kind !== "cursor") return {};
      const { cursor } = start;
      return paging.in === "body"
        ? { body: { [paging.parameter]: cursor } }
        : { query: { [paging.parameter]: String(cursor) } };
    },
    next({ json, answer }) {
      const next = path.find(json);
      if (isEnd(next)) return undefined;
      if (typeof next === "string" || typeof next === "number" || typeof next === "bigint")
        return { kind: "cursor", cursor: next };
      throw new SqlError(sqlstate.fdwError, `service "${answer.label.service}" gave a cursor that is none`, {
        detail: `At ${paging.next} stands ${excerpt(JSON.stringify(next, (_, v) => (typeof v === "bigint" ? String(v) : v)) ?? String(next))}.`,
      });
    },
  };
}

/** What services write where no page follows. */
function isEnd(next: unknown): boolean {
  return next === undefined || next === null || next === "" || next === false;
}

function byNumber(
  paging: Extract<HttpPaging, { kind: "page" | "offset" }>,
  first: number,
  following: (number: number, rowCount: number) => number,
): Paging {
  const numberOf = (start: PageStart | undefined) => (start?.kind === "number" ? start.number : first);
  return {
    size(limit) {
      // Without a parameter for it, the size is the service's own.
      if (paging.size === undefined || paging.sizeParameter === undefined) return paging.size;
      return Math.min(paging.size, limit ?? paging.size);
    },
    extra: (start, size) => ({
      query: {
        [paging.parameter]: numberOf(start),
        ...(paging.sizeParameter !== undefined && size !== undefined && { [paging.sizeParameter]: size }),
      },
    }),
    next: ({ rowCount, start, size }) =>
      rowCount === 0 || (size !== undefined && rowCount < size)
        ? undefined
        : { kind: "number", number: following(numberOf(start), rowCount) },
  };
}
