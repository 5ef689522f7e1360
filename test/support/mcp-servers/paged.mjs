/**
 * A server whose tools answer in pages of two: `items` in structured content, `items_text` as JSON text with the cursor in
 * `page.after`. `mode` makes it misbehave. Tool `log` gives the arguments of every call so far.
 */
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

const all = [1, 2, 3, 4, 5].map((id) => ({ id, name: `item ${id}`, kind: id % 2 === 0 ? "even" : "odd" }));
const log = [];

function pageOf({ cursor, kind, mode }) {
  const rows = kind === undefined ? all : all.filter((item) => item.kind === kind);
  const from = cursor === undefined || mode === "ignores" ? 0 : Number(String(cursor).slice(1));
  if (mode === "fails" && from >= 2) throw new Error("page 2 is not there today");
  const end = mode === "strange" ? { at: 4 } : null;
  const next = from + 2 < rows.length ? `c${from + 2}` : end;
  return { items: rows.slice(from, from + 2), next };
}

serveStdio(() => {
  const server = new McpServer({ name: "paged", version: "1.0.0" }, { capabilities: { tools: {} } });
  const json = (value) => ({ content: [{ type: "text", text: JSON.stringify(value) }] });
  const common = {
    kind: z.string().optional(),
    mode: z.string().optional(),
  };
  server.registerTool(
    "items",
    {
      description: "Items, page by page",
      inputSchema: z.object({ ...common, cursor: z.string().optional() }),
      outputSchema: z.object({
        items: z.array(z.object({ id: z.int(), name: z.string(), kind: z.string() })),
        nextCursor: z.any(),
      }),
      annotations: { readOnlyHint: true },
    },
    (args) => {
      log.push(args);
      const { items, next } = pageOf(args);
      const structuredContent = { items, nextCursor: next };
      return { ...json(structuredContent), structuredContent };
    },
  );
  server.registerTool(
    "items_text",
    {
      description: "Items, page by page, as text",
      inputSchema: z.object({ ...common, page: z.object({ after: z.string().optional() }).optional() }),
      annotations: { readOnlyHint: true },
    },
    (args) => {
      log.push(args);
      const { items, next } = pageOf({ ...args, cursor: args.page?.after });
      return json(next === null ? { items } : { items, page: { after: next } });
    },
  );
  server.registerTool("log", { description: "Calls so far", annotations: { readOnlyHint: true } }, () => json(log));
  return server;
});
