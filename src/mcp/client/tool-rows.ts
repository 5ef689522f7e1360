/** Answers of a tool as rows of its table. */
import type { ResourceColumn, Row } from "../../resources/resource.js";
import { sqlName } from "../../resources/sql-names.js";
import { dataOf, textOf } from "./content.js";
import type { ResultShape } from "./tool-columns.js";
import type { McpToolResult } from "./types.js";

/** Name of the column that holds a whole answer. */
export const resultColumnName = "result";

/** Takes the rows out of an answer, as the caller wrote it. */
export type RowsOf = (data: unknown, whole: McpToolResult) => unknown;

/** How the answers of one tool are read. */
export interface RowReader {
  readonly columns: readonly ResourceColumn[];
  read(result: McpToolResult): Row[];
}

/** One column with the whole answer: its text, or jsonb when answers are structured. */
export function wholeAnswer(structured: boolean): RowReader {
  const column: ResourceColumn = {
    name: resultColumnName,
    type: structured ? "jsonb" : "text",
    description: "What the tool answered",
  };
  return {
    columns: [column],
    read(result) {
      const data = structured ? (result.structuredContent ?? parsed(textOf(result)) ?? dataOf(result)) : dataOf(result);
      if (data === null || data === undefined) return [];
      return [{ [resultColumnName]: structured || typeof data === "string" ? data : JSON.stringify(data) }];
    },
  };
}

/** Rows where the output schema says that they are; an answer without structured content is read from its text. */
export function shapedAnswer(shape: ResultShape): RowReader {
  return {
    columns: [...shape.columns.values()],
    read(result) {
      let found: unknown = result.structuredContent ?? parsed(textOf(result));
      for (const step of shape.path) found = isObject(found) && Object.hasOwn(found, step) ? found[step] : undefined;
      if (found === undefined || found === null) {
        if (shape.path.length > 0 && isObject(result.structuredContent)) return [];
        throw new TypeError(`the answer is not of the declared output schema: ${excerpt(dataOf(result))}`);
      }
      return asObjects(found).map((item) => {
        const row: Row = {};
        for (const [property, column] of shape.columns) {
          if (Object.hasOwn(item, property)) row[column.name] = item[property];
        }
        return row;
      });
    },
  };
}

/**
 * Rows for columns that the caller declared: taken out by `rows`, or found in the structured content or in JSON text.
 * Properties are matched with columns by name, as they are or as identifiers.
 */
export function declaredAnswer(columns: readonly ResourceColumn[], rows: RowsOf | undefined): RowReader {
  const names = new Set(columns.map((column) => column.name));
  const columnOf = (property: string) =>
    names.has(property) ? property : names.has(sqlName(property)) ? sqlName(property) : property;
  return {
    columns,
    read(result) {
      const found = rows === undefined ? guessRows(result, names) : rows(dataOf(result), result);
      if (found === undefined && rows !== undefined && typeof dataOf(result) === "string") {
        throw new TypeError("rows() gave undefined for an answer that is text; the text is not parsed: use JSON.parse");
      }
      if (found === undefined || found === null) return [];
      return asObjects(found).map((item) =>
        Object.fromEntries(Object.entries(item).map(([property, value]) => [columnOf(property), value])),
      );
    },
  };
}

function guessRows(result: McpToolResult, names: ReadonlySet<string>): unknown {
  const data = result.structuredContent ?? parsed(textOf(result));
  if (Array.isArray(data)) return data;
  if (isObject(data)) {
    const lists = Object.values(data).filter((value) => Array.isArray(value) && value.every(isObject));
    return lists.length === 1 && !Object.keys(data).some((key) => names.has(key) || names.has(sqlName(key)))
      ? lists[0]
      : data;
  }
  const text = dataOf(result);
  if (text === null) return null;
  if (names.has(resultColumnName)) return { [resultColumnName]: text };
  throw new TypeError(`the answer is no JSON: ${excerpt(text)}; give a rows() that reads it`);
}

function asObjects(found: unknown): Record<string, unknown>[] {
  const list: unknown[] = Array.isArray(found) ? found : [found];
  return list.map((item, index) => {
    if (isObject(item)) return item;
    throw new TypeError(`row ${index + 1} of the answer is no object: ${excerpt(item)}`);
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An answer that is JSON text, as a value; `undefined` for other answers. */
export function parsedAnswer(result: McpToolResult): unknown {
  return parsed(textOf(result));
}

/** The value of JSON text that is an object or an array; anything else has no rows in it. */
function parsed(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function excerpt(value: unknown): string {
  const text = (typeof value === "string" ? value : (JSON.stringify(value) ?? String(value))).replaceAll("\n", " ");
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
