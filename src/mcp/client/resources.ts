/**
 * The tools of an MCP server as tables. A tool that says it only reads becomes a table to SELECT from, its arguments
 * being columns a WHERE binds; every other tool becomes a table to INSERT into, one call a row.
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { handedOver, type McpCursor, mcpPages, withCursor } from "../../resources/connectors/mcp-paging.js";
import { checkResource } from "../../resources/define-resource.js";
import type {
  Bindings,
  ResourceColumn,
  ResourceContext,
  ResourceTable,
  Row,
  Rows,
  Volatility,
} from "../../resources/resource.js";
import { tableName, uniqueNames } from "../../resources/sql-names.js";
import { boundCombinations } from "./bound-values.js";
import { failureText } from "./content.js";
import { outcomeUnknown, requestFailed, stopped, toolFailed } from "./failures.js";
import { apartFrom, mergeColumns } from "./merge-columns.js";
import { type ArgumentSource, argumentsOf } from "./tool-arguments.js";
import { type ArgumentColumn, type ArgumentOverride, argumentColumns, resultShape } from "./tool-columns.js";
import { type McpTablePaging, nextCursor, toolPaging, withoutCursor } from "./tool-pages.js";
import { declaredAnswer, type RowReader, type RowsOf, shapedAnswer, wholeAnswer } from "./tool-rows.js";
import type { McpServerConnection, McpTool, McpToolResult, McpVerb } from "./types.js";

/** What differs from the defaults for one tool; every field may be left out. */
export interface McpTableOptions {
  name?: string;
  description?: string;
  op?: McpVerb;
  volatility?: Volatility;
  /** Columns of the result; arguments that are not among them are added. */
  columns?: readonly ResourceColumn[];
  /**
   * Takes the rows out of an answer. `data` is its text, unparsed, or the structured content when there is no text;
   * `whole` is the answer as it came.
   */
  rows?: RowsOf;
  /** Argument → column, whether it is required, description. */
  inputs?: Readonly<Record<string, ArgumentOverride>>;
  /** Makes the arguments of a call, instead of one argument a column. */
  buildInput?: (source: ArgumentSource) => unknown;
  /** Columns that a read must bind; the required arguments when left out. */
  keys?: readonly string[];
  primaryKey?: readonly string[];
  /**
   * How a read asks for further pages: `{ kind: "cursor", parameter: "cursor", next: "$.nextCursor" }`. The argument is no
   * column then. Default: exactly this where the tool's schemas have both; `null`: the first page alone.
   */
  page?: McpTablePaging | null;
}

/** How a server's tools become tables. */
export interface McpResourcesOptions {
  /** Called for every tool: `null` leaves it out, an object overrides the defaults, `undefined` keeps them. */
  table?: (tool: McpTool) => McpTableOptions | null | undefined;
}

/** What a database must offer for {@link mountMcpDatabase}. */
export interface ResourceRegistry {
  register(resource: ResourceTable): unknown;
}

/**
 * One table a tool, in the server's order.
 * @throws SqlError when the tools can't be listed; TypeError when `table` declares something that is no table
 */
export async function mcpResources(
  connection: McpServerConnection,
  options: McpResourcesOptions = {},
): Promise<ResourceTable[]> {
  const chosen = (await toolsOf(connection)).flatMap((tool) => {
    const override = options.table === undefined ? {} : options.table(tool);
    return override === null ? [] : [{ tool, override: override ?? {} }];
  });
  const names = uniqueNames(
    chosen.filter(({ override }) => override.name === undefined).map(({ tool }) => tool.name),
    (name) => tableName(connection.namespace, name),
  );
  return chosen.map(({ tool, override }) =>
    tableOf(connection, tool, override, override.name ?? names.get(tool.name) ?? tool.name),
  );
}

/** Registers the tables of a server's tools; gives their names. */
export async function mountMcpDatabase(
  db: ResourceRegistry,
  connection: McpServerConnection,
  options: McpResourcesOptions = {},
): Promise<string[]> {
  const tables = await mcpResources(connection, options);
  for (const table of tables) db.register(table);
  return tables.map((table) => table.name);
}

/** The tools of a connection; some connections hand out the protocol's whole answer. */
async function toolsOf(connection: McpServerConnection): Promise<McpTool[]> {
  const listed: unknown = await connection.listTools();
  const tools = Array.isArray(listed) ? listed : (listed as { tools?: unknown } | null)?.tools;
  if (!Array.isArray(tools)) throw new TypeError(`connection "${connection.namespace}" gave no list of tools`);
  return tools as McpTool[];
}

/** One tool with everything a call needs. */
interface ToolTable {
  readonly connection: McpServerConnection;
  readonly tool: McpTool;
  readonly args: readonly ArgumentColumn[];
  readonly answer: RowReader;
  readonly columns: readonly ResourceColumn[];
  readonly buildInput?: (source: ArgumentSource) => unknown;
  readonly paging?: McpTablePaging;
}

function tableOf(
  connection: McpServerConnection,
  tool: McpTool,
  options: McpTableOptions,
  name: string,
): ResourceTable {
  const op = options.op ?? (tool.annotations?.readOnlyHint === true ? "select" : "insert");
  if (op !== "select" && options.page) throw new TypeError(`table "${name}": a write has no pages`);
  const paging = op === "select" ? pagingOf(tool, options, name) : undefined;
  const all = argumentColumns(tool, options.inputs ?? {}, op !== "insert");
  const args = withKeys(withoutCursor(all, paging, options.buildInput !== undefined), options.keys);
  const answer = apartFrom(args, readerOf(tool, options), options.columns !== undefined);
  const merged = mergeColumns(answer.columns, args, op, options.keys);
  const columns =
    op === "insert" && options.buildInput === undefined
      ? withRequired(merged, args)
      : paging === undefined
        ? merged
        : withExactArguments(merged, args, answer);
  const primaryKey = options.primaryKey ?? (op === "update" || op === "delete" ? keysOf(columns) : undefined);
  const { buildInput } = options;
  const table: ToolTable = {
    connection,
    tool,
    args,
    answer,
    columns,
    buildInput,
    ...(paging !== undefined && { paging }),
  };
  return checkResource({
    name,
    description: options.description ?? describe(tool, name),
    columns,
    source: { name: connection.namespace, kind: "mcp" },
    volatility: options.volatility ?? (op === "select" ? "stable" : "volatile"),
    ...(primaryKey !== undefined && { primaryKey }),
    ...(paging !== undefined && { accepts: { limit: true } }), // it can stop before the last page
    ...verbOf(table, op),
  });
}

const keysOf = (columns: readonly ResourceColumn[]) =>
  columns.filter((column) => column.requiredKey === true).map((column) => column.name);

function verbOf(table: ToolTable, op: McpVerb): Partial<ResourceTable> {
  const decode = (column: string, value: unknown) => checkWritten(table, column, value);
  switch (op) {
    case "select":
      return { select: (bindings, context) => select(table, bindings, context) };
    case "insert":
      return {
        // One row a call unless the caller asks for several; each is a call of its own to the tool.
        insert: async (rows, context) => {
          const answers: Row[] = [];
          for (const row of rows) answers.push(...(await write(table, { row }, context)));
          return answers;
        },
        decode,
      };
    case "update":
      return { update: (set, bindings, context) => write(table, { set, bindings }, context), decode };
    case "delete":
      return { delete: (bindings, context) => write(table, { bindings }, context) };
  }
}

function pagingOf(tool: McpTool, { page }: McpTableOptions, name: string): McpTablePaging | undefined {
  try {
    return toolPaging(tool, page);
  } catch (error) {
    throw new TypeError(`table "${name}": ${(error as Error).message}`, { cause: error });
  }
}

function readerOf(tool: McpTool, options: McpTableOptions): RowReader {
  if (options.columns !== undefined) return declaredAnswer(options.columns, options.rows);
  const shape = resultShape(tool);
  if (options.rows !== undefined) {
    const columns = shape === undefined ? wholeAnswer(true).columns : [...shape.columns.values()];
    return declaredAnswer(columns, options.rows);
  }
  return shape === undefined ? wholeAnswer(tool.outputSchema !== undefined) : shapedAnswer(shape);
}

/** With `keys`, exactly the named columns are required keys. */
function withKeys(args: readonly ArgumentColumn[], keys: readonly string[] | undefined): readonly ArgumentColumn[] {
  if (keys === undefined) return args;
  return args.map((argument) => {
    const { requiredKey: _, ...column } = argument.column;
    return keys.includes(column.name)
      ? { ...argument, column: { ...column, requiredKey: true, nullable: false } }
      : { ...argument, column };
  });
}

/**
 * Of a paged read: a column that is an argument and nothing else has the value that was asked for in every row, so that
 * a condition on it keeps no LIMIT from stopping the pages.
 */
function withExactArguments(
  columns: readonly ResourceColumn[],
  args: readonly ArgumentColumn[],
  answer: RowReader,
): ResourceColumn[] {
  const results = new Set(answer.columns.map(({ name }) => name));
  const only = new Set(args.map(({ column }) => column.name).filter((name) => !results.has(name)));
  return columns.map((column) => (only.has(column.name) ? { exact: true, ...column } : column));
}

/** Says of the columns of an INSERT which arguments the tool insists on. */
function withRequired(columns: readonly ResourceColumn[], args: readonly ArgumentColumn[]): ResourceColumn[] {
  const required = new Map(args.flatMap(({ field, column, required }) => (required ? [[column.name, field]] : [])));
  return columns.map((column) => {
    const field = required.get(column.name);
    return field === undefined ? column : { ...column, insertArgument: field };
  });
}

/** The tool's own description, and its own name where the table's differs. */
function describe(tool: McpTool, name: string): string {
  const words = (typeof tool.description === "string" ? tool.description : (tool.title ?? "")).trim();
  const original = name === tool.name || name.endsWith(`_${tool.name}`) ? "" : `(tool ${JSON.stringify(tool.name)})`;
  return [words, original].filter((part) => part !== "").join(" ");
}

/**
 * Reads: one call for each combination of bound values, or one for each of its pages. The rows carry the values they were
 * asked for, so that a filter on an argument finds them.
 */
async function select(table: ToolTable, bindings: Bindings, context: ResourceContext): Promise<Rows> {
  const names = table.args.map((argument) => argument.column.name);
  const asked = table.buildInput === undefined ? boundCombinations(bindings, names) : [bindings];
  const { paging } = table;
  if (paging === undefined) {
    const answers = await Promise.all(
      asked.map(async (bound) => {
        const args = inputOf(table, { bindings: bound });
        return stamped(table, bound, readRows(table, args, await call(table, args, context)));
      }),
    );
    return answers.flat();
  }
  // Arguments out of the columns say nothing of predicates beyond equality; a function may have passed them on.
  const isWhole = bindings.quals.length === 0 || table.buildInput !== undefined;
  return handedOver(readPages(table, paging, asked, context), context, isWhole);
}

/** One list of pages after the other, so that a limit asks for as few as it needs. */
async function* readPages(
  table: ToolTable,
  paging: McpTablePaging,
  asked: readonly Bindings[],
  context: ResourceContext,
): AsyncGenerator<readonly Row[]> {
  for (const bound of asked) {
    const input = inputOf(table, { bindings: bound });
    yield* mcpPages(async (cursor: McpCursor | undefined) => {
      const args = withCursor(input, paging, cursor);
      const result = await call(table, args, context);
      const rows = stamped(table, bound, readRows(table, args, result));
      return { rows, next: readFrom(table, args, () => nextCursor(paging, result, table.tool.name)) };
    }, context);
  }
}

function stamped(table: ToolTable, bound: Bindings, rows: Row[]): Row[] {
  for (const row of rows) {
    for (const { column } of table.args) {
      const value = bound.has(column.name) ? bound.one(column.name) : undefined;
      if (value !== undefined && ownValue(row, column.name) === undefined) row[column.name] = value;
    }
  }
  return rows;
}

/** A row inherits from `Object`: an argument called `constructor` is none of its values. */
function ownValue(row: Row, name: string): unknown {
  return Object.hasOwn(row, name) ? row[name] : undefined;
}

async function write(table: ToolTable, source: ArgumentSource, context: ResourceContext): Promise<Row[]> {
  const args = inputOf(table, source);
  if (context.signal.aborted) throw stopped(context.signal);
  let result: McpToolResult;
  try {
    result = await call(table, args, context);
  } catch (error) {
    const unclear: readonly string[] = [sqlstate.queryCanceled, sqlstate.connectionFailure];
    // The request was on its way: the tool may or may not have done what it was asked.
    if (error instanceof SqlError && (unclear.includes(error.code) || context.signal.aborted)) {
      throw outcomeUnknown(table.connection.namespace, table.tool.name, args, error);
    }
    throw error;
  }
  return rowsAfterWrite(table, args, result);
}

/** The effect has happened; an answer that can't be read as rows must not look like a failed write. */
function rowsAfterWrite(table: ToolTable, args: Record<string, unknown>, result: McpToolResult): Row[] {
  if (result.isError === true) return readRows(table, args, result);
  try {
    return table.answer.read(result);
  } catch (error) {
    if (error instanceof TypeError) return [];
    throw error;
  }
}

function inputOf(table: ToolTable, source: ArgumentSource): Record<string, unknown> {
  if (table.buildInput === undefined) return argumentsOf(table.args, source);
  const input = table.buildInput(source);
  if (typeof input !== "object" || input === null || Array.isArray(input)) {
    throw new TypeError(`buildInput of tool "${table.tool.name}" must give an object`);
  }
  return input as Record<string, unknown>;
}

async function call(table: ToolTable, args: Record<string, unknown>, context: ResourceContext): Promise<McpToolResult> {
  const { connection, tool } = table;
  try {
    return await connection.callTool(tool.name, args, { signal: context.signal });
  } catch (error) {
    if (error instanceof SqlError) throw error;
    // A connection of another package throws errors of its own.
    if (context.signal.aborted) throw stopped(context.signal);
    throw toolFailed(
      connection.namespace,
      tool.name,
      error instanceof Error ? error.message : String(error),
      args,
      error,
    );
  }
}

function readRows(table: ToolTable, args: Record<string, unknown>, result: McpToolResult): Row[] {
  const { connection, tool } = table;
  if (result.isError === true) throw toolFailed(connection.namespace, tool.name, failureText(result), args);
  return readFrom(table, args, () => table.answer.read(result));
}

/** @throws SqlError HV000 with the arguments of the call, for an answer that can't be read */
function readFrom<T>({ connection, tool }: ToolTable, args: Record<string, unknown>, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof SqlError) throw error;
    const label = { namespace: connection.namespace, target: "", lastWords: () => "" };
    throw requestFailed(label, `reading the answer of tool "${tool.name}"`, error, args);
  }
}

/** A column that the tool only answers can't be written; the database asks before anything is called. */
function checkWritten(table: ToolTable, column: string, value: unknown): unknown {
  if (table.buildInput === undefined && !table.args.some((argument) => argument.column.name === column)) {
    throw new Error(`column "${column}" is an answer of the tool and can't be given a value`);
  }
  return value;
}
