/** `mountDatabase`: gives a Glove agent the two SQL tools and tells it, in its system prompt, how to use them. */
import type { Database } from "../database/database.js";
import type { Session } from "../database/session.js";
import { buildExecuteSqlTool, buildExplainSqlTool, type SqlTool, type SqlToolOptions } from "./execute-sql.js";
import { primeText } from "./prime.js";

/** The part of an agent that mounting needs; a `Glove` has it before and after `build()`. */
export interface MountableAgent {
  fold(tool: MountedTool): unknown;
  getSystemPrompt?(): string;
  setSystemPrompt?(prompt: string): void;
}

/** A tool in the Glove contract. */
export interface MountedTool {
  name: string;
  description: string;
  jsonSchema: Record<string, unknown>;
  do(input: never, display: unknown, glove: unknown, signal?: AbortSignal): Promise<MountedToolResult>;
}

/** `message` is for the model when the status is `error`. */
export interface MountedToolResult {
  status: "success" | "error";
  data: unknown;
  message?: string;
}

/** What is mounted, and how. */
export interface MountDatabaseOptions extends SqlToolOptions {
  db: Database | Session;
  /** Adds a short text on the database to the system prompt. Default true. */
  prime?: boolean;
  /** Adds `explain_sql`. Default true. */
  explain?: boolean;
}

/**
 * Folds `execute_sql` and `explain_sql` into the agent. Statements that fail come back as an error result whose message
 * is written for the model: SQLSTATE, place, hint.
 */
export function mountDatabase<A extends MountableAgent>(agent: A, options: MountDatabaseOptions): A {
  agent.fold(mounted(buildExecuteSqlTool(options.db, options)));
  if (options.explain !== false) agent.fold(mounted(buildExplainSqlTool(options.db, options)));
  if (options.prime !== false && agent.getSystemPrompt !== undefined && agent.setSystemPrompt !== undefined) {
    const prompt = agent.getSystemPrompt();
    agent.setSystemPrompt(
      prompt === "" ? primeText(options.explain !== false) : `${prompt}\n\n${primeText(options.explain !== false)}`,
    );
  }
  return agent;
}

function mounted<I>(tool: SqlTool<I>): MountedTool {
  return {
    name: tool.name,
    description: tool.description,
    jsonSchema: tool.inputSchema,
    async do(input: never, _display: unknown, _glove: unknown, signal?: AbortSignal): Promise<MountedToolResult> {
      const result = await tool.execute(input as I, signal === undefined ? {} : { signal });
      return result.ok
        ? { status: "success", data: result.data }
        : { status: "error", data: null, message: result.error };
    },
  };
}
