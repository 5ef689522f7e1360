// A small MCP server over stdio with one tool whose answer is JSON text, as many servers have it.
import { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const server = new McpServer({ name: "github", version: "1.0.0" });
server.registerTool(
  "list_pull_requests",
  {
    description: "Pull requests of a repository",
    inputSchema: z.object({ repo: z.string() }),
    annotations: { readOnlyHint: true },
  },
  async ({ repo }) => ({
    content: [
      {
        type: "text",
        text: JSON.stringify([
          { title: `Fix login of ${repo}`, merged: true },
          { title: "Draft", merged: false },
        ]),
      },
    ],
  }),
);
server.registerTool(
  "delete_repository",
  { description: "Deletes a repository", inputSchema: z.object({ repo: z.string() }) },
  async () => ({
    content: [{ type: "text", text: "deleted" }],
  }),
);
await server.connect(new StdioServerTransport());
