/** Rows out of an answer: found by the verb's path, their fields named as the columns are. */
import { SqlError } from "../../../errors/sql-error.js";
import { sqlstate } from "../../../errors/sqlstate.js";
import type { ResourceColumn, Row } from "../../resource.js";
import { type AnswerPath, answerPath } from "./answer-path.js";
import type { HttpVerb } from "./definition.js";
import { columnValue, type JsonAnswer } from "./json-answer.js";

/** How one verb's answers become rows. */
export interface RowReader {
  /** See {@link AnswerPath.keepsAll}. */
  readonly keepsAll: boolean;
  /** @throws SqlError HV000 when nothing is at the path, or something that is neither row nor list */
  read(answer: JsonAnswer, service: string): FoundRows;
}

/** What was at the path. */
export interface FoundRows {
  readonly rows: Row[];
  /** Whether it was a list; one object is one row. */
  readonly isList: boolean;
}

/** @throws TypeError for a path that can't be read */
export function rowReader(verb: Pick<HttpVerb, "rows" | "fields">, columns: readonly ResourceColumn[]): RowReader {
  const path = answerPath(verb.rows ?? "@");
  const fields = Object.entries(verb.fields ?? {}).map(([column, text]) => [column, answerPath(text)] as const);
  const documents = new Set(columns.filter(({ type }) => /^jsonb?(\[\])?$/.test(type)).map(({ name }) => name));
  return {
    keepsAll: path.keepsAll,
    read(answer, service) {
      const found = path.find(answer);
      const rows = listOf(found, path, service).map((row) => rowOf(row, answer.hasLongNumbers, fields, documents));
      return { rows, isList: Array.isArray(found) };
    },
  };
}

function listOf(found: unknown, path: AnswerPath, service: string): unknown[] {
  if (Array.isArray(found)) return found;
  if (found === null && path.isPlain) return []; // some services write null for an empty list
  if (typeof found === "object" && found !== null) return [found];
  throw new SqlError(sqlstate.fdwError, `the answer of service "${service}" has no rows at ${path.text}`, {
    detail:
      found === undefined || found === null
        ? "Nothing is there."
        : `There is a ${typeof found}, not a list and not an object.`,
    hint: "See where the rows are in the answer; a path such as items || `[]` says that they may be missing.",
  });
}

function rowOf(
  row: unknown,
  hasLongNumbers: boolean,
  fields: readonly (readonly [string, AnswerPath])[],
  documents: ReadonlySet<string>,
): Row {
  if (typeof row !== "object" || row === null || Array.isArray(row)) return row as unknown as Row; // told with its number later
  if (fields.length === 0 && !hasLongNumbers) return row as Row;
  const named: Row = { ...row };
  for (const [column, path] of fields) named[column] = path.find({ value: row, hasLongNumbers });
  if (hasLongNumbers)
    for (const [name, value] of Object.entries(named)) named[name] = columnValue(value, documents.has(name));
  return named;
}
