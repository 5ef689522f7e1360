/**
 * A server with tools that behave and misbehave, over stdio or, by `serveTools`, over any transport.
 * Run as a program: `node tools.mjs`; with MODERN_ONLY=1 it refuses the classic greeting.
 */
import { pathToFileURL } from "node:url";
import { McpServer } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { z } from "zod";

/** Calls that were stopped by the client, newest last; read by the tool `stopped`. */
const stopped = [];

export function makeServer() {
  const server = new McpServer(
    { name: "tools", version: "1.0.0" },
    { capabilities: { tools: {} }, instructions: "Tools that behave\nand misbehave." },
  );
  const text = (value) => ({ content: [{ type: "text", text: String(value) }] });

  server.registerTool(
    "list-issues",
    {
      description: "Issues of a repository",
      inputSchema: z.object({
        repo: z.string().describe("owner/name"),
        state: z.enum(["open", "closed"]).default("open"),
        perPage: z.int().optional(),
      }),
      outputSchema: z.object({
        issues: z.array(z.object({ number: z.int(), title: z.string(), createdAt: z.iso.datetime().nullable() })),
        total: z.int(),
      }),
      annotations: { readOnlyHint: true },
    },
    ({ repo, state, perPage }) => {
      const issues = [
        { number: 1, title: `${state} in ${repo}`, createdAt: "2026-01-02T03:04:05Z" },
        { number: 2, title: "second", createdAt: null },
      ].slice(0, perPage ?? 2);
      const structuredContent = { issues, total: 2 };
      return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent };
    },
  );
  server.registerTool(
    "create-issue",
    {
      description: "Creates an issue",
      inputSchema: z.object({
        title: z.string(),
        labels: z.array(z.string()).optional(),
        meta: z.record(z.string(), z.unknown()).optional(),
      }),
      outputSchema: z.object({ id: z.int(), title: z.string(), labels: z.string() }),
    },
    ({ title, labels, meta }) => {
      const structuredContent = { id: 7, title, labels: JSON.stringify([labels, meta]) };
      return { content: [{ type: "text", text: JSON.stringify(structuredContent) }], structuredContent };
    },
  );
  server.registerTool("now", { description: "The time", annotations: { readOnlyHint: true } }, () => text("12:00"));
  server.registerTool(
    "fail",
    { inputSchema: z.object({ why: z.string().optional() }), annotations: { readOnlyHint: true } },
    ({ why }) => ({ ...text(why ?? "quota used up"), isError: true }),
  );
  server.registerTool("fail_write", { inputSchema: z.object({ why: z.string() }) }, ({ why }) => ({
    ...text(why),
    isError: true,
  }));
  server.registerTool(
    "slow",
    { inputSchema: z.object({ ms: z.int() }), annotations: { readOnlyHint: true } },
    slowly("slow"),
  );
  server.registerTool("slow_write", { inputSchema: z.object({ ms: z.int() }) }, slowly("slow_write"));
  server.registerTool("stopped", { annotations: { readOnlyHint: true } }, () => text(stopped.join(",")));
  server.registerTool("blocks", { annotations: { readOnlyHint: true } }, () => ({
    content: [
      { type: "text", text: "see:" },
      { type: "resource_link", uri: "demo://a", name: "a", mimeType: "text/plain" },
      { type: "resource", resource: { uri: "demo://b", text: "embedded" } },
      { type: "image", data: "AAAA", mimeType: "image/png" },
    ],
  }));
  server.registerTool("crash", { inputSchema: z.object({}) }, () => {
    console.error("fatal: the disk is on fire");
    process.exit(3);
  });
  return server;

  function slowly(name) {
    return ({ ms }, context) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => resolve(text("done")), ms);
        context.mcpReq.signal.addEventListener("abort", () => {
          clearTimeout(timer);
          stopped.push(name);
          resolve(text("stopped"));
        });
      });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  serveStdio(makeServer, process.env.MODERN_ONLY === "1" ? { legacy: "reject" } : {});
}
