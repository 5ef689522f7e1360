/**
 * A resource whose verbs are tools of an MCP server, as a manifest declares it. The connection is handed in: whoever makes
 * it (`connectMcp`, or a client of the host's own) stays its owner.
 */
import type { ZodObject } from "zod";
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { type ColumnOptions, checkResource, columnsOfSchema, decoderOf } from "../define-resource.js";
import type { Bindings, ResourceContext, ResourceTable, Row, Rows } from "../resource.js";
import {
  checkMcpPaging,
  cursorIn,
  handedOver,
  type McpCursor,
  type McpPaging,
  mcpPages,
  withCursor,
} from "./mcp-paging.js";
import { mcpWriteCheck } from "./mcp-writes.js";
import { refuseOnlyWritten } from "./only-written.js";
import { fillTemplate, type Template, templateColumns, valueAt } from "./template.js";
import { writtenValues } from "./written-values.js";

/** The part of a connection that the tools need. */
export interface McpToolCaller {
  callTool(
    name: string,
    args: Record<string, unknown>,
    options?: { signal?: AbortSignal },
  ): Promise<{ content?: unknown; structuredContent?: unknown; isError?: boolean }>;
}

/** One verb of a manifest with an `mcp` connector. */
export interface McpVerb {
  readonly tool: string;
  /**
   * The tool's arguments, with `{column}` for values. A read may also take `{column >=}` (the value of a predicate, for a
   * column that declares the operator) and `{$limit}` (rows wanted at most). Default: one argument a bound column.
   */
  readonly input?: Template;
  /** Where the rows are in the answer: `$.entities`. Default `$`. */
  readonly rows?: string;
  /** Column → property of a row, where they differ; `$` is the row as a whole. */
  readonly fields?: Readonly<Record<string, string>>;
  /** A read whose answers are pages: how the further ones are asked for. Default: one call is all. */
  readonly page?: McpPaging;
}

/** What a manifest may say of a resource beside its row and its verbs; see `ResourceTable`. */
type DeclaredOptions = Pick<
  ResourceTable,
  | "primaryKey"
  | "keyAlternatives"
  | "accepts"
  | "exact"
  | "timeoutMs"
  | "idleTimeoutMs"
  | "retry"
  | "idempotent"
  | "compensate"
  | "rateLimit"
  | "concurrency"
  | "scope"
  | "source"
  | "ttlMs"
  | "maxPages"
>;

export interface McpResourceDefinition
  extends Pick<ResourceTable, "name" | "description" | "columns" | "volatility">,
    DeclaredOptions {
  readonly verbs: {
    readonly select?: McpVerb;
    readonly insert?: McpVerb;
    readonly update?: McpVerb;
    readonly delete?: McpVerb;
  };
  /** Checks and decodes a value that is written; see `ResourceTable.decode`. */
  readonly decode?: ResourceTable["decode"];
}

/**
 * Makes the resource on a connection. Each write is one call of the verb's tool, each read one call a page. Unless `accepts`
 * says otherwise, a paged read takes a limit: it stops when it has the rows that are wanted.
 * @throws TypeError for pages that can't work
 */
export function mcpResource(definition: McpResourceDefinition, connection: McpToolCaller): ResourceTable {
  const { verbs, ...table } = definition;
  const { select, insert, update, delete: remove } = verbs;
  const { accepts } = table;
  checkPages(definition);
  return checkResource({
    ...table,
    ...(select?.page !== undefined && { accepts: { limit: true, ...accepts } }),
    ...(select !== undefined && { select: selectOf(select, table, connection) }),
    ...(insert !== undefined && {
      insert: async ([row]: Row[], context: ResourceContext) =>
        writtenRows(insert, await call(connection, insert, row, context)),
    }),
    ...(update !== undefined && {
      update: (set: Row, bindings: Bindings, context: ResourceContext) =>
        call(connection, update, writtenValues(set, singleValues(bindings)), context),
    }),
    ...(remove !== undefined && {
      delete: (bindings: Bindings, context: ResourceContext) =>
        call(connection, remove, singleValues(bindings), context),
    }),
    checkWrite: mcpWriteCheck(verbs),
  });
}

/** @throws TypeError for pages that can't work */
export function checkPages({ name, columns, verbs }: Pick<McpResourceDefinition, "name" | "columns" | "verbs">): void {
  const { select, ...writes } = verbs;
  for (const [verb, declared] of Object.entries(writes))
    if (declared?.page !== undefined) throw new TypeError(`${name}: ${verb}: a write has no pages`);
  if (select?.page === undefined) return;
  const { input, page } = select;
  try {
    checkMcpPaging(page);
    const isFilled =
      input === undefined
        ? columns.some((column) => column.name === page.parameter)
        : valueAt(`$.${page.parameter}`, input) !== undefined;
    if (isFilled) throw new TypeError(`page.parameter: "${page.parameter}" gets a value by the statement as well`);
  } catch (error) {
    throw new TypeError(`${name}: select: ${(error as Error).message}`, { cause: error });
  }
}

function selectOf(
  verb: McpVerb,
  { columns, maxPages }: Pick<McpResourceDefinition, "columns" | "maxPages">,
  connection: McpToolCaller,
): NonNullable<ResourceTable["select"]> {
  const check = verb.input === undefined ? undefined : refuseOnlyWritten(columns, new Set(templateColumns(verb.input)));
  const { page } = verb;
  return async (bindings, context): Promise<Rows> => {
    check?.(bindings);
    const isWhole = carriesAll(verb, bindings);
    const input = inputOf(verb, readValues(verb, bindings, context, isWhole));
    if (page === undefined) return rowsOf(verb, await send(connection, verb, input, context));
    const fetch = async (cursor: McpCursor | undefined) => {
      const answer = await send(connection, verb, withCursor(input, page, cursor), context);
      return { rows: rowsOf(verb, answer), next: cursorIn(page, answer, verb.tool) };
    };
    return handedOver(mcpPages(fetch, context, maxPages), context, isWhole);
  };
}

/** What a write answers, for RETURNING. It has happened: an answer without the rows that were declared is handed on. */
function writtenRows(verb: McpVerb, answer: unknown): unknown {
  if (verb.rows === undefined && verb.fields === undefined) return answer;
  return valueAt(verb.rows ?? "$", answer) === undefined ? answer : rowsOf(verb, answer);
}

/** What a read can say: columns bound to one value, predicates, and the limit where the tool is told of all of them. */
function readValues(verb: McpVerb, bindings: Bindings, context: ResourceContext, isWhole: boolean): Row {
  const single = singleValues(bindings);
  if (verb.input === undefined) return single;
  const quals = bindings.quals.map(({ column, operator, value }) => [`${column} ${operator}`, value ?? true] as const);
  const values = { ...single, ...Object.fromEntries(quals) };
  return isWhole && context.limit !== undefined ? { ...values, $limit: context.limit } : values;
}

/**
 * Whether the tool is told of everything that the rows are asked by. One that does not know of a predicate, or of several
 * values of a column, must not get a limit: it would stop before it has given the rows that are wanted.
 */
function carriesAll(verb: McpVerb, bindings: Bindings): boolean {
  if ([...bindings.eq.values()].some((values) => values.length !== 1)) return false;
  if (verb.input === undefined) return bindings.quals.length === 0;
  const mentioned = new Set(templateColumns(verb.input));
  const asked = [...bindings.eq.keys(), ...bindings.quals.map(({ column, operator }) => `${column} ${operator}`)];
  return new Set(asked).size === asked.length && asked.every((name) => mentioned.has(name));
}

/** The columns that are bound to one value. */
function singleValues(bindings: Bindings): Row {
  return Object.fromEntries(
    [...bindings.eq].filter(([, values]) => values.length === 1).map(([column, [value]]) => [column, value]),
  );
}

function call(connection: McpToolCaller, verb: McpVerb, values: Row, context: ResourceContext): Promise<unknown> {
  return send(connection, verb, inputOf(verb, values), context);
}

function inputOf(verb: McpVerb, values: Row): Row {
  return (verb.input === undefined ? values : fillTemplate(verb.input, values)) as Row;
}

async function send(connection: McpToolCaller, verb: McpVerb, input: Row, context: ResourceContext): Promise<unknown> {
  const args = withTextForBigints(input) as Record<string, unknown>;
  const answer = await connection.callTool(verb.tool, args, { signal: context.signal });
  if (answer.isError === true) {
    throw new SqlError(sqlstate.fdwError, `tool "${verb.tool}" failed`, { detail: textOf(answer.content) });
  }
  return answer.structuredContent ?? parsedText(verb, textOf(answer.content));
}

/** JSON has no number for an integer beyond 2^53: the tool gets its digits as text. */
function withTextForBigints(value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return value.map(withTextForBigints);
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withTextForBigints(part)]));
}

function textOf(content: unknown): string {
  if (!Array.isArray(content)) return "";
  return content
    .flatMap((part: { type?: string; text?: string }) =>
      part.type === "text" && part.text !== undefined ? [part.text] : [],
    )
    .join("\n");
}

/** A server without structured content answers JSON as text; a write may answer with plain words. */
function parsedText(verb: McpVerb, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (verb.rows === undefined) return text;
    throw new SqlError(sqlstate.fdwError, `tool "${verb.tool}" did not answer with JSON`, {
      detail: text.slice(0, 200),
      cause,
    });
  }
}

function rowsOf(verb: McpVerb, answer: unknown): Row[] {
  const path = verb.rows ?? "$";
  const found = valueAt(path, answer);
  if (found === undefined) {
    throw new SqlError(sqlstate.fdwError, `the answer of tool "${verb.tool}" has nothing at ${path}`);
  }
  const rows = (Array.isArray(found) ? found : found === null ? [] : [found]) as Row[];
  const { fields } = verb;
  if (fields === undefined) return rows;
  return rows.map((row) => ({
    ...(isObject(row) && row),
    ...Object.fromEntries(Object.entries(fields).map(([column, field]) => [column, fieldOf(row, field)])),
  }));
}

/** `$` is the row itself: the rows may be plain values, or objects of which nothing is known. */
function fieldOf(row: unknown, field: string): unknown {
  if (field === "$") return row;
  return isObject(row) && Object.hasOwn(row, field) ? row[field] : undefined;
}

function isObject(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A definition without what its Zod schema says: the columns and the decoding of written values. */
export type McpDefinition = Omit<McpResourceDefinition, "columns" | "decode"> & {
  /** What the schema does not say of a column. */
  readonly columns?: Readonly<Record<string, ColumnOptions>>;
};

/**
 * What generated modules call: {@link mcpResource} with columns and decoding taken from the row's Zod schema.
 * @param keys names of the required keys
 * @throws TypeError for a key, or options of a column, that the schema does not have
 */
export function defineMcpResource(
  definition: McpDefinition,
  schema: ZodObject,
  keys: readonly string[],
  connection: McpToolCaller,
): ResourceTable {
  const columns = columnsOfSchema(schema, keys, definition.columns);
  return mcpResource({ ...definition, columns, decode: decoderOf(schema) }, connection);
}
