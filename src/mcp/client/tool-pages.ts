/** Tools that answer in pages, as tables: whether a tool does, and where its cursors are. */
import { objectShape } from "../../json-schema/object-shape.js";
import { isJsonSchema, type JsonSchema } from "../../json-schema/schema.js";
import {
  asCursor,
  checkMcpPaging,
  cursorIn,
  type McpCursor,
  type McpPaging,
} from "../../resources/connectors/mcp-paging.js";
import { dataOf } from "./content.js";
import type { ArgumentColumn } from "./tool-columns.js";
import { parsedAnswer } from "./tool-rows.js";
import type { McpTool, McpToolResult } from "./types.js";

/** {@link McpPaging} with a function for answers that are no JSON. */
export interface McpTablePaging extends Omit<McpPaging, "next"> {
  /** Where the answer has the cursor of the next page, or what takes it out; the parameters are those of `rows`. */
  readonly next: string | ((data: unknown, whole: McpToolResult) => unknown);
}

/**
 * The paging of a tool: as declared, or, when its schemas declare an optional argument `cursor` and an answer with
 * `nextCursor` (or `next_cursor`), by these.
 * @param declared `null`: the first page is all that is wanted
 * @throws TypeError for a paging that can't work
 */
export function toolPaging(tool: McpTool, declared: McpTablePaging | null | undefined): McpTablePaging | undefined {
  if (declared === null) return undefined;
  if (declared === undefined) return byConvention(tool);
  const { next } = declared;
  checkMcpPaging(typeof next === "function" ? { ...declared, next: "$.next" } : { ...declared, next });
  return declared;
}

function byConvention(tool: McpTool): McpPaging | undefined {
  const input = shapeOf(tool.inputSchema);
  if (input?.properties.has("cursor") !== true || input.required.has("cursor")) return undefined;
  const output = shapeOf(tool.outputSchema);
  const name = ["nextCursor", "next_cursor"].find((candidate) => output?.properties.has(candidate));
  return name === undefined ? undefined : { kind: "cursor", parameter: "cursor", next: `$.${name}` };
}

function shapeOf(schema: JsonSchema | undefined): ReturnType<typeof objectShape> | undefined {
  return isJsonSchema(schema) ? objectShape(schema, schema) : undefined;
}

/**
 * The arguments that are columns: the one that takes the cursor is none.
 * @throws TypeError when the tool insists on a cursor, which the first call has none of
 */
export function withoutCursor(
  args: readonly ArgumentColumn[],
  paging: McpTablePaging | undefined,
  isBuilt: boolean,
): readonly ArgumentColumn[] {
  const cursor = args.find(({ field }) => field === paging?.parameter);
  if (cursor === undefined) return args;
  if (cursor.required && !isBuilt)
    throw new TypeError(
      `argument "${cursor.field}" is required, and the first page has no cursor: give it in buildInput, or say inputs: { ${cursor.field}: { required: false } }`,
    );
  return args.filter((argument) => argument !== cursor);
}

/** The cursor of the next page. @throws SqlError HV000, TypeError for an answer in which there is no place for one */
export function nextCursor(paging: McpTablePaging, result: McpToolResult, tool: string): McpCursor | undefined {
  const { next } = paging;
  if (typeof next === "function") return asCursor(next(dataOf(result), result), "For next", tool);
  const answer = result.structuredContent ?? parsedAnswer(result);
  if (answer === undefined)
    throw new TypeError("the answer is no JSON: give page.next as a function that takes the cursor out of it");
  return cursorIn({ ...paging, next }, answer, tool);
}
