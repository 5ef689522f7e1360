/** `resourceFromTool`: one tool becomes one verb of a table. */
import type { ZodObject } from "zod";
import { columnTypeOf } from "../json-schema/column-type.js";
import type { JsonSchema } from "../json-schema/schema.js";
import { columnsFromZod } from "./columns-from-zod.js";
import { checkResource } from "./define-resource.js";
import type { Bindings, ResourceColumn, ResourceContext, ResourceTable, Row, Volatility } from "./resource.js";
import { callTool, type Tool, toolInputSchema } from "./tool.js";

/** How one input field of the tool is fed. */
export interface ToolInput {
  /** The column it is taken from; the field's own name when left out. */
  column?: string;
  /** Whether a read must bind the column; by default, whether the tool's schema requires the field. */
  required?: boolean;
  description?: string;
}

/** What {@link ResourceFromToolOptions.buildInput} is given: bindings for reads, updates and deletes, the row of an insert, the SET of an update. */
export interface ToolInputSource {
  bindings?: Bindings;
  row?: Row;
  set?: Row;
}

/** How the calls of a tool are to be made; see `ResourceTable`. */
export type ToolCallOptions = Pick<
  ResourceTable,
  | "timeoutMs"
  | "idleTimeoutMs"
  | "retry"
  | "idempotent"
  | "compensate"
  | "rateLimit"
  | "concurrency"
  | "scope"
  | "ttlMs"
>;

const passedOn = [
  "timeoutMs",
  "idleTimeoutMs",
  "retry",
  "idempotent",
  "compensate",
  "rateLimit",
  "concurrency",
  "scope",
  "ttlMs",
] as const satisfies readonly (keyof ToolCallOptions)[];

export interface ResourceFromToolOptions extends ToolCallOptions {
  name: string;
  /** The tool's own description when left out. */
  description?: string;
  volatility: Volatility;
  /** The verb that the tool is; default `select`. */
  op?: "select" | "insert" | "update" | "delete";
  /** What a row of the result looks like; input fields that are no field of it become columns of their own. */
  schema?: ZodObject;
  columns?: readonly ResourceColumn[];
  /**
   * Tool input field → column. Fields that are not listed are columns of their own name. Required fields of the
   * tool's schema are required keys of a read.
   */
  inputs?: Readonly<Record<string, ToolInput>>;
  /** Takes the rows out of the tool's data: an array, one row, or nothing. Default: the data as it is. */
  rows?: (data: unknown) => unknown;
  /** Makes the tool's input, instead of one field a column. */
  buildInput?: (source: ToolInputSource) => unknown;
  primaryKey?: readonly string[];
}

interface InputColumn {
  readonly field: string;
  readonly column: ResourceColumn;
}

/**
 * A resource from one tool. Input fields become columns: a `WHERE` equality on one is the argument of the call, and the
 * rows that come back carry it. What the tool answers becomes the other columns, by `schema`, `columns`, or, when neither
 * is given, one `result` column (jsonb).
 *
 * @throws TypeError as `defineResource` does
 */
export function resourceFromTool(tool: Tool, options: ResourceFromToolOptions): ResourceTable {
  const op = options.op ?? "select";
  const inputs = inputColumns(tool, options, op);
  const declared = options.schema !== undefined ? columnsFromZod(options.schema) : options.columns;
  const columns = mergeColumns(declared ?? (op === "select" ? [resultColumn] : []), inputs, op);
  const build = options.buildInput ?? ((source: ToolInputSource) => inputOf(inputs, source));
  const base = {
    name: options.name,
    description: options.description ?? tool.description ?? "",
    columns: columns.length > 0 ? columns : [resultColumn],
    volatility: options.volatility,
    ...(options.primaryKey !== undefined && { primaryKey: options.primaryKey }),
    ...Object.fromEntries(passedOn.flatMap((name) => (options[name] === undefined ? [] : [[name, options[name]]]))),
  };
  const rowsOf = (data: unknown): Row[] => rowsFrom(data, options.rows, declared === undefined);
  switch (op) {
    case "select":
      return checkResource({
        ...base,
        select: async (bindings: Bindings, context: ResourceContext) =>
          rowsOf(await callTool(tool, build({ bindings }), context)),
      });
    case "insert":
      return checkResource({
        ...base,
        insert: (rows: Row[], context: ResourceContext) => callTool(tool, build({ row: rows[0] }), context),
      });
    case "update":
      return checkResource({
        ...base,
        update: (set: Row, bindings: Bindings, context: ResourceContext) =>
          callTool(tool, build({ set, bindings }), context),
      });
    case "delete":
      return checkResource({
        ...base,
        delete: (bindings: Bindings, context: ResourceContext) => callTool(tool, build({ bindings }), context),
      });
  }
}

const resultColumn: ResourceColumn = { name: "result", type: "jsonb", description: "What the tool answered" };

/** The tool's input fields as columns; a field whose schema is unknown is text. */
function inputColumns(tool: Tool, options: ResourceFromToolOptions, op: string): InputColumn[] {
  const schema: JsonSchema = toolInputSchema(tool) ?? {};
  const fields = new Set([...Object.keys(schema.properties ?? {}), ...Object.keys(options.inputs ?? {})]);
  return [...fields].map((field) => {
    const input: ToolInput =
      options.inputs !== undefined && Object.hasOwn(options.inputs, field) ? options.inputs[field] : {};
    const property =
      schema.properties !== undefined && Object.hasOwn(schema.properties, field) ? schema.properties[field] : undefined;
    const type = property === undefined ? undefined : columnTypeOf(property, schema);
    const required = input.required ?? schema.required?.includes(field) ?? false;
    const description = input.description ?? type?.description;
    return {
      field,
      column: {
        name: input.column ?? field,
        type: type?.type ?? "text",
        nullable: !required || (type?.nullable ?? false),
        ...(description !== undefined && { description }),
        ...(type?.labels !== undefined && { enum: type.labels }),
        ...(required && op === "select" && { requiredKey: true }),
        ...(required && op === "insert" && options.buildInput === undefined && { insertArgument: field }),
      },
    };
  });
}

/** Result columns first; an input column of the same name is the same column, and lends it what the result lacks. */
function mergeColumns(
  declared: readonly ResourceColumn[],
  inputs: readonly InputColumn[],
  op: string,
): ResourceColumn[] {
  const merged = declared.map((column) => {
    const input = inputs.find((candidate) => candidate.column.name === column.name)?.column;
    if (input === undefined) return column;
    return {
      ...column,
      ...(input.requiredKey === true && { requiredKey: true, nullable: false }),
      ...(input.insertArgument !== undefined && { insertArgument: input.insertArgument, nullable: input.nullable }),
      ...(column.description === undefined && input.description !== undefined && { description: input.description }),
    };
  });
  const names = new Set(merged.map((column) => column.name));
  const others = inputs.map((input) => input.column).filter((column) => !names.has(column.name));
  if (op !== "select") return [...others, ...merged];
  return [...merged, ...others.map((column) => ({ ...column, argument: true }))];
}

/** One input field a bound column. */
function inputOf(inputs: readonly InputColumn[], source: ToolInputSource): Row {
  const input: Row = {};
  for (const { field, column } of inputs) {
    if (source.row !== undefined && Object.hasOwn(source.row, column.name)) input[field] = source.row[column.name];
    else if (source.set !== undefined && Object.hasOwn(source.set, column.name)) input[field] = source.set[column.name];
    else if (source.bindings?.has(column.name) === true) {
      // An optional field that several values were asked for is left out: the rows are filtered afterwards.
      const value = source.bindings.one(column.name);
      if (value !== undefined) input[field] = value;
    }
  }
  return input;
}

function rowsFrom(data: unknown, rows: ((data: unknown) => unknown) | undefined, single: boolean): Row[] {
  const found = rows === undefined ? data : rows(data);
  if (found === null || found === undefined) return [];
  if (rows === undefined && single) return [{ result: found }];
  const list: unknown[] = Array.isArray(found) ? found : [found];
  return list.map((item, index) => {
    if (typeof item === "object" && item !== null && !Array.isArray(item)) return item as Row;
    throw new TypeError(
      `row ${index + 1} of the tool's answer is not an object but ${Array.isArray(item) ? "an array" : typeof item}; give a rows() that makes objects`,
    );
  });
}
