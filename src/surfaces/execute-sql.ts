/**
 * The two tools that a language model works the database through, as plain definitions: a name, a description, a JSON
 * Schema of the input, and `execute`. Adapters for agent frameworks wrap these.
 */
import type { Database } from "../database/database.js";
import type { Session } from "../database/session.js";
import { formatError } from "../errors/format-error.js";
import { SqlError } from "../errors/sql-error.js";
import { type ModelResult, modelResult } from "./model-result.js";

/** A tool without a framework. */
export interface SqlTool<Input> {
  name: string;
  description: string;
  /** JSON Schema (draft 2020-12) of the input. */
  inputSchema: Record<string, unknown>;
  /** Never throws for what is wrong with a statement: the error comes back as text for the model. */
  execute(input: Input, context?: { signal?: AbortSignal; actor?: string }): Promise<SqlToolResult>;
}

/** Rows or a plan; or the error, written for the model: SQLSTATE, place, hint. */
export type SqlToolResult =
  | { ok: true; data: ModelResult | { plan: string; [key: string]: unknown } }
  | { ok: false; error: string };

/** What the model sends. */
export interface ExecuteSqlInput {
  sql: string;
  /** Values of `$1`, `$2`, … */
  params?: unknown[];
  /** Rows returned at most. */
  limit?: number;
}

/** What the program, not the model, decides for the tools. */
export interface SqlToolOptions {
  /** Rows returned when the model does not say. Default 50. */
  defaultLimit?: number;
  /** See `ExecuteOptions.allowWrites`. */
  allowWrites?: boolean;
  actor?: string;
}

/** `execute_sql`: runs a statement and gives rows, and whatever else the reader needs to trust them. */
export function buildExecuteSqlTool(db: Database | Session, options: SqlToolOptions = {}): SqlTool<ExecuteSqlInput> {
  return {
    name: "execute_sql",
    description:
      "Run one PostgreSQL statement against the tool database. Tables are live tools: WHERE column = value passes an argument. " +
      "Find tables and columns in information_schema.tables and information_schema.columns (column required_key says what WHERE must bind). " +
      "Several writes: BEGIN; …; COMMIT; in one call, or staged over several calls.",
    inputSchema: {
      type: "object",
      properties: {
        sql: { type: "string", description: "The statement" },
        params: { type: "array", items: {}, description: "Values for $1, $2, …" },
        limit: {
          type: "integer",
          minimum: 0,
          description: `Rows returned at most (default ${options.defaultLimit ?? 50})`,
        },
      },
      required: ["sql"],
    },
    execute: (input, context) =>
      answer(input?.sql, async () => {
        const result = await db.execute(input?.sql, {
          ...(input?.params && { params: input.params }),
          limit: numberFrom(input?.limit) ?? options.defaultLimit ?? 50,
          ...(options.allowWrites !== undefined && { allowWrites: options.allowWrites }),
          ...actorOf(options, context),
          ...(context?.signal !== undefined && { signal: context.signal }),
        });
        return modelResult(result);
      }),
  };
}

/** `explain_sql`: what a statement would do, without a call. */
export function buildExplainSqlTool(
  db: Database | Session,
  options: SqlToolOptions = {},
): SqlTool<{ sql: string; params?: unknown[] }> {
  return {
    name: "explain_sql",
    description: "Show what a statement would do: which tools are called with which arguments. Calls nothing.",
    inputSchema: {
      type: "object",
      properties: {
        sql: { type: "string", description: "The statement" },
        params: { type: "array", items: {}, description: "Values for $1, $2, …" },
      },
      required: ["sql"],
    },
    execute: (input, context) =>
      answer(input?.sql, async () => {
        const explained = await db.explain(input?.sql, {
          ...(input?.params && { params: input.params }),
          ...actorOf(options, context),
        });
        return {
          plan: explained.text,
          readOnly: explained.readOnly,
          ...(explained.staged !== undefined && { staged: explained.staged.map((write) => write.sql) }),
        };
      }),
  };
}

/** Models write numbers as texts now and then. */
function numberFrom(limit: unknown): number | undefined {
  const text = typeof limit === "string" ? limit.trim() : "";
  return text !== "" && Number.isFinite(Number(text)) ? Number(text) : (limit as number | undefined);
}

function actorOf(options: SqlToolOptions, context: { actor?: string } | undefined): { actor?: string } {
  const actor = context?.actor ?? options.actor;
  return actor === undefined ? {} : { actor };
}

async function answer(
  sql: string | undefined,
  run: () => Promise<Extract<SqlToolResult, { ok: true }>["data"]>,
): Promise<SqlToolResult> {
  try {
    return { ok: true, data: await run() };
  } catch (error) {
    if (!(error instanceof SqlError)) throw error;
    return { ok: false, error: errorText(error, typeof sql === "string" ? sql : "") };
  }
}

/** The error as the model reads it; after a failed COMMIT also what became of each write. */
function errorText(error: SqlError, sql: string): string {
  const lines = [formatError(error, sql)];
  for (const receipt of error.receipts ?? []) {
    const reason = receipt.error === undefined ? "" : ` (${receipt.error.message})`;
    lines.push(`${receipt.id}. ${receipt.op} ${receipt.resource}: ${receipt.status.replace("_", " ")}${reason}`);
  }
  return lines.join("\n");
}
