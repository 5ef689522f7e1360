/** The eight queries: SQL, the loop that a programmer would write instead, and the tables that they read. */
import type { Data } from "../engine/rows.js";
import { shapes } from "../engine/shapes.js";

export type TableName = keyof Data;

/** Twelve columns of pull requests, and two tables beside them. */
export const columns: Readonly<Record<TableName, readonly (readonly [name: string, type: string])[]>> = {
  pulls: [
    ["id", "integer"],
    ["number", "integer"],
    ["repo", "text"],
    ["title", "text"],
    ["state", "text"],
    ["author_id", "integer"],
    ["created_at", "timestamptz"],
    ["updated_at", "timestamptz"],
    ["additions", "integer"],
    ["deletions", "integer"],
    ["branch", "text"],
    ["meta", "jsonb"],
  ],
  users: [
    ["id", "integer"],
    ["name", "text"],
    ["team", "text"],
  ],
  reviews: [
    ["id", "integer"],
    ["pr_id", "integer"],
    ["reviewer_id", "integer"],
    ["verdict", "text"],
    ["minutes", "integer"],
  ],
};

export interface Query {
  readonly name: string;
  readonly sql: string;
  /** Where SQLite's words are others. */
  readonly sqlite?: string;
  readonly tables: readonly TableName[];
  byHand(data: Data): unknown[];
}

const notExists = `SELECT p.id, p.title FROM pulls p WHERE p.state = 'open'
  AND NOT EXISTS (SELECT 1 FROM reviews r WHERE r.pr_id = p.id AND r.verdict = 'approve')`;

const tables: Readonly<Record<string, readonly TableName[]>> = {
  c: ["pulls", "users", "reviews"],
  e: ["pulls", "reviews"],
  f: ["pulls", "reviews"],
};

export const queries: readonly Query[] = shapes.map(({ name, sql, antiJoin, byHand }) => {
  const letter = name[0];
  return {
    name,
    sql: antiJoin === true ? notExists : sql,
    ...(letter === "g" && { sqlite: sql.replace("branch ~ ", "branch REGEXP ") }),
    tables: tables[letter] ?? ["pulls"],
    byHand,
  };
});
