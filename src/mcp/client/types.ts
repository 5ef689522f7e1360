/**
 * What the rest of this folder knows of an MCP server: its tools and the answers to calls, as the protocol sends them.
 * Structural on purpose: connections of other packages have the same shape and may be handed in.
 */
import type { JsonSchema } from "../../json-schema/schema.js";

/** Hints of a server about a tool; they are claims, not guarantees. */
export interface McpToolAnnotations {
  title?: string;
  readOnlyHint?: boolean;
  destructiveHint?: boolean;
  idempotentHint?: boolean;
  openWorldHint?: boolean;
}

/** One tool of a server, as `tools/list` gives it. Schemas may be missing or broken. */
export interface McpTool {
  name: string;
  title?: string;
  description?: string;
  inputSchema?: JsonSchema;
  outputSchema?: JsonSchema;
  annotations?: McpToolAnnotations;
  [field: string]: unknown;
}

/** One block of an answer: `text`, `image`, `audio`, `resource_link` or `resource`. */
export interface McpContent {
  type: string;
  text?: string;
  [field: string]: unknown;
}

/** The answer to a call. */
export interface McpToolResult {
  content?: McpContent[];
  structuredContent?: unknown;
  /** The tool itself reports a failure; its words are in `content`. */
  isError?: boolean;
  [field: string]: unknown;
}

/** A connected server. */
export interface McpServerConnection {
  /** Short name of the server: prefix of tables and functions. */
  readonly namespace: string;
  /** All tools, every page followed. */
  listTools(): Promise<McpTool[]>;
  /** Calls a tool; a failure that the tool itself reports comes back as `isError`. */
  callTool(name: string, args: Record<string, unknown>, options?: { signal?: AbortSignal }): Promise<McpToolResult>;
  /** Ends the connection; a server that was started is stopped. */
  close(): Promise<void>;
  /** The client underneath. */
  readonly raw: unknown;
  /** What the server says about itself, when it does. */
  readonly instructions?: string;
}

/** The verb that a tool becomes as a table. */
export type McpVerb = "select" | "insert" | "update" | "delete";
