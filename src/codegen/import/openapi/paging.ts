/** How a list's further pages are asked for, told from its parameters and its answer. */
import { objectShape } from "../../../json-schema/object-shape.js";
import { resolveSchema } from "../../../json-schema/resolve.js";
import { isJsonSchema, type JsonSchema, type JsonSchemaNode } from "../../../json-schema/schema.js";
import type { Yaml } from "../draft.js";
import type { Parameter } from "../operation.js";
import { columnName } from "../words.js";
import { type Part, partOf } from "./document.js";

/** The `page` of a verb, the parameters that it takes over, and what else to send so that pages are large. */
export interface RecognisedPaging {
  readonly page?: { readonly [key: string]: Yaml };
  /** Parameters that are no columns, since the connector sets them. */
  readonly taken: ReadonlySet<Parameter>;
  /** Constants by parameter name, such as `per_page: 100`. */
  readonly constants: ReadonlyMap<string, number>;
  readonly notes: readonly string[];
}

const cursorNames =
  /^(cursor|start_cursor|page_token|next_token|next_page_token|continuation_token|continuation|after|starting_after|page_cursor|next_cursor|marker)$/;
const sizeNames = /^(per_page|page_size|limit|count|size|max_results|page_limit|maxresults|pagesize|perpage)$/;
const pageNames = /^(page|page_number|page_no|pagenumber)$/;
const offsetNames = /^(offset|skip|start|start_at|startat|start_index)$/;
const nextNames =
  /^(next_cursor|next_page_token|next_token|next_page_cursor|end_cursor|continuation_token|continuation|next_marker|next)$/;

/**
 * @param answer schema of the answer of success, `undefined` when there is none
 * @param headers of that answer
 */
export function recognisePaging(
  parameters: readonly Parameter[],
  answer: JsonSchemaNode | undefined,
  root: Part,
  headers: Part,
): RecognisedPaging {
  const find = (pattern: RegExp, kind?: string) =>
    parameters.find(
      (parameter) =>
        (parameter.place === "query" || parameter.place === "body") &&
        !parameter.required &&
        pattern.test(columnName(parameter.name)) &&
        (kind === undefined || kindsOf(parameter).includes(kind)),
    );
  const size = find(sizeNames);
  const most = size === undefined ? undefined : largestSize(size);
  const notes = size !== undefined && most?.note !== undefined ? [most.note] : [];
  const found = (
    page: { readonly [key: string]: Yaml },
    taken: readonly (Parameter | undefined)[],
    more: string[] = [],
  ) => ({
    page,
    taken: new Set(taken.filter((one): one is Parameter => one !== undefined)),
    constants: new Map<string, number>(),
    notes: [...notes, ...more],
  });
  // The links of the answer say what follows, whatever the parameters are called.
  const number = find(pageNames, "integer") ?? find(pageNames, "number");
  const cursor = find(cursorNames, "string");
  if (Object.keys(headers).some((name) => name.toLowerCase() === "link")) {
    const linked = found({ kind: "link" }, [number, cursor, size]);
    if (size !== undefined && most?.size !== undefined && size.place === "query")
      linked.constants.set(size.name, most.size);
    return linked;
  }
  const next = answer === undefined ? [] : nextPlaces(answer, root);
  const address = next.find((place) => place.isAddress);
  if (address !== undefined && cursor === undefined) {
    const paged = found({ kind: "url", next: address.path }, [number, find(offsetNames), size]);
    if (size !== undefined && most?.size !== undefined && size.place === "query")
      paged.constants.set(size.name, most.size);
    return paged;
  }
  if (cursor !== undefined) {
    const place = next.find((one) => !one.isAddress);
    const guess = guessedNext(cursor.name);
    const more =
      place === undefined ? [`the answer's schema does not say where the next cursor is; guessed ${guess}`] : [];
    const page = {
      kind: "cursor",
      next: place?.path ?? guess,
      parameter: cursor.name,
      ...(cursor.place === "body" && { in: "body" }),
    };
    const paged = found(
      page,
      [cursor, size?.place === "query" ? size : undefined, next.length > 0 ? number : undefined],
      more,
    );
    if (size !== undefined && most?.size !== undefined && size.place === "query")
      paged.constants.set(size.name, most.size);
    return paged;
  }
  if (number !== undefined && number.place === "query") {
    const first = firstPage(number);
    const page = {
      kind: "page",
      parameter: number.name,
      ...(first !== 1 && { first }),
      ...(size !== undefined && most?.size !== undefined && { sizeParameter: size.name, size: most.size }),
    };
    return found(page, [number, most?.size === undefined ? undefined : size]);
  }
  const offset = find(offsetNames, "integer") ?? find(offsetNames, "number");
  if (offset !== undefined && offset.place === "query" && size !== undefined) {
    const rows = most?.size ?? 50;
    const more =
      most?.size === undefined
        ? [`the page size is a guess: a service that gives fewer than ${rows} rows a page would seem to have ended`]
        : [];
    return found(
      { kind: "offset", parameter: offset.name, sizeParameter: size.name, size: rows },
      [offset, size],
      more,
    );
  }
  const limited =
    size === undefined
      ? []
      : [
          `${size.name} limits the answer, and nothing asks for the rest: a longer list comes cut; where all come without it, write "{$limit}" in its place, and LIMIT reaches the service`,
        ];
  return { taken: new Set(), constants: new Map(), notes: limited };
}

function kindsOf({ schema, root }: Parameter): string[] {
  const { type } = resolveSchema(schema, root);
  return Array.isArray(type) ? [...type] : typeof type === "string" ? [type] : ["string"];
}

/** The largest page that may be asked for; a page that the service cuts shorter would be taken for the last one. */
function largestSize(size: Parameter): { size?: number; note?: string } {
  const schema = resolveSchema(size.schema, size.root);
  const { maximum, default: usual } = schema;
  if (typeof maximum === "number" && Number.isInteger(maximum) && maximum > 0) return { size: Math.min(maximum, 1000) };
  const words = `${size.description ?? ""} ${typeof schema.description === "string" ? schema.description : ""}`;
  const said = /\bmax(?:imum)?(?: value)?(?: of| is|:)?\s*(\d{1,4})\b/i.exec(words);
  if (said !== null && Number(said[1]) > 0) {
    return { size: Number(said[1]), note: `${size.name}: ${said[1]} was read in the description` };
  }
  if (typeof usual === "number" && Number.isInteger(usual) && usual > 0) return { size: usual };
  return {};
}

function firstPage(number: Parameter): number {
  const { default: usual, minimum } = resolveSchema(number.schema, number.root);
  if (usual === 0 || (usual === undefined && minimum === 0)) return 0;
  return 1;
}

interface NextPlace {
  readonly path: string;
  readonly isAddress: boolean;
}

/** Where an answer says what comes next: at its top, or one or two objects below. */
function nextPlaces(answer: JsonSchemaNode, root: JsonSchema, path = "", depth = 0): NextPlace[] {
  const { properties } = objectShape(answer, root);
  return [...properties].flatMap(([name, schema]): NextPlace[] => {
    const resolved = resolveSchema(schema, root);
    const here = `${path}${/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)}`;
    const words = columnName(name);
    const isText = resolved.type === "string" || (Array.isArray(resolved.type) && resolved.type.includes("string"));
    if (isText && (nextNames.test(words) || words === "next_url" || (words === "after" && path.endsWith("next.")))) {
      const about = `${resolved.format ?? ""} ${typeof resolved.description === "string" ? resolved.description : ""}`;
      return [
        {
          path: here,
          isAddress:
            words === "next_url" || resolved.format === "uri" || (words === "next" && /\b(ur[il]|link)\b/i.test(about)),
        },
      ];
    }
    const isPagingObject =
      /^(paging|pagination|page|meta|metadata|links|response_metadata|next|page_info|cursors?)$/.test(words);
    return isPagingObject && isJsonSchema(schema) && depth < 2 ? nextPlaces(schema, root, `${here}.`, depth + 1) : [];
  });
}

/** The usual names of what `cursor` takes. */
function guessedNext(cursor: string): string {
  if (/token$/i.test(cursor))
    return /^[a-z]+[A-Z]/.test(cursor)
      ? `next${cursor[0].toUpperCase()}${cursor.slice(1)}`
      : `next_${cursor.replace(/^next_/, "")}`;
  return "next_cursor";
}

/** The headers of an answer, references followed. */
export function headersOf(response: Part, root: Part): Part {
  return partOf(response["headers"], root);
}
