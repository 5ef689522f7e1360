/** Types of tools.mjs, which runs as a plain program and therefore has none. */
import type { McpServer } from "@modelcontextprotocol/server";

export function makeServer(): McpServer;
