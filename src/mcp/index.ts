/** Entry `glove-scratchpad/mcp`: MCP servers as tables and functions. */
export { type ConnectMcpOptions, connectMcp } from "./client/connect.js";
export { type FnsFromMcpOptions, fnsFromMcp } from "./client/functions.js";
export {
  type McpResourcesOptions,
  type McpTableOptions,
  mcpResources,
  mountMcpDatabase,
  type ResourceRegistry,
} from "./client/resources.js";
export type { ArgumentSource } from "./client/tool-arguments.js";
export type { ArgumentOverride } from "./client/tool-columns.js";
export type { McpTablePaging } from "./client/tool-pages.js";
export type {
  McpContent,
  McpServerConnection,
  McpTool,
  McpToolAnnotations,
  McpToolResult,
  McpVerb,
} from "./client/types.js";
