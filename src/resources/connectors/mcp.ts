/**
 * A resource whose verbs are tools of an MCP server, as a manifest declares it. The connection is handed in: whoever makes
 * it (`connectMcp`, or a client of the host's own) stays its owner.
 */
import type { ZodObject } from "zod";
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { columnsFromZod } from "../columns-from-zod.js";
import { checkResource, decoderOf } from "../define-resource.js";
import type { Bindings, ResourceContext, ResourceTable, Row } from "../resource.js";
import { fillTemplate, type Template, valueAt } from "./template.js";

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
  /** The tool's arguments, with `{column}` for values. Default: one argument a bound column. */
  readonly input?: Template;
  /** Where the rows are in the answer: `$.entities`. Default `$`. */
  readonly rows?: string;
  /** Column → property of a row, where they differ. */
  readonly fields?: Readonly<Record<string, string>>;
}

export interface McpResourceDefinition
  extends Pick<ResourceTable, "name" | "description" | "columns" | "volatility" | "primaryKey"> {
  readonly verbs: {
    readonly select?: McpVerb;
    readonly insert?: McpVerb;
    readonly update?: McpVerb;
    readonly delete?: McpVerb;
  };
  /** Checks and decodes a value that is written; see `ResourceTable.decode`. */
  readonly decode?: ResourceTable["decode"];
}

/** Makes the resource on a connection. Each write is one call of the verb's tool. */
export function mcpResource(definition: McpResourceDefinition, connection: McpToolCaller): ResourceTable {
  const { verbs, ...table } = definition;
  const { select, insert, update, delete: remove } = verbs;
  return checkResource({
    ...table,
    ...(select !== undefined && {
      select: async (bindings: Bindings, context: ResourceContext) =>
        rowsOf(select, await call(connection, select, singleValues(bindings), context)),
    }),
    ...(insert !== undefined && {
      insert: ([row]: Row[], context: ResourceContext) => call(connection, insert, row, context),
    }),
    ...(update !== undefined && {
      update: (set: Row, bindings: Bindings, context: ResourceContext) =>
        call(connection, update, { ...singleValues(bindings), ...set }, context),
    }),
    ...(remove !== undefined && {
      delete: (bindings: Bindings, context: ResourceContext) =>
        call(connection, remove, singleValues(bindings), context),
    }),
  });
}

/** The columns that are bound to one value. */
function singleValues(bindings: Bindings): Row {
  return Object.fromEntries(
    [...bindings.eq].filter(([, values]) => values.length === 1).map(([column, [value]]) => [column, value]),
  );
}

async function call(connection: McpToolCaller, verb: McpVerb, values: Row, context: ResourceContext): Promise<unknown> {
  const input = verb.input === undefined ? values : fillTemplate(verb.input, values);
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
    ...row,
    ...Object.fromEntries(
      Object.entries(fields).map(([column, field]) => [column, Object.hasOwn(row, field) ? row[field] : undefined]),
    ),
  }));
}

/** A definition without what its Zod schema says: the columns and the decoding of written values. */
export type McpDefinition = Omit<McpResourceDefinition, "columns" | "decode">;

/**
 * What generated modules call: {@link mcpResource} with columns and decoding taken from the row's Zod schema.
 * @param keys names of the required keys
 */
export function defineMcpResource(
  definition: McpDefinition,
  schema: ZodObject,
  keys: readonly string[],
  connection: McpToolCaller,
): ResourceTable {
  return mcpResource({ ...definition, columns: columnsFromZod(schema, keys), decode: decoderOf(schema) }, connection);
}
