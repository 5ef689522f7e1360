/**
 * A server whose list of tools comes in pages, or is broken. MODE says how: `pages` (three pages), `loop` (a cursor that
 * comes twice), `malformed` (tools without a name, a schema or a target of `$ref`), `none` (a server without tools).
 * It speaks through the low-level server, whose handlers answer what they like.
 */
import { Server } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";

const mode = process.env.MODE ?? "pages";

const tool = (name, extra = {}) => ({ name, inputSchema: { type: "object", properties: {} }, ...extra });

const pages = {
  pages: {
    "": { tools: [tool("a1"), tool("a2")], nextCursor: "p2" },
    p2: { tools: [tool("b1")], nextCursor: "p3" },
    p3: { tools: [tool("c1"), tool("a1", { description: "again" })] },
  },
  loop: { "": { tools: [tool("a")], nextCursor: "x" }, x: { tools: [tool("b")], nextCursor: "x" } },
  malformed: {
    "": {
      tools: [
        tool("good"),
        tool("bad_ref", {
          inputSchema: {
            type: "object",
            properties: { a: { $ref: "#/$defs/Missing" }, b: { $ref: "#/$defs/Loop" } },
            required: ["a"],
            $defs: { Loop: { $ref: "#/$defs/Loop" } },
          },
          outputSchema: { type: "object", properties: { r: { $ref: "#/$defs/Gone" } } },
          annotations: { readOnlyHint: true },
        }),
        { name: "no_schema", description: 5 },
        { name: "null_schema", inputSchema: null, annotations: { readOnlyHint: "yes" } },
        { description: "nobody can call me" },
        { name: "" },
        null,
      ],
    },
  },
};

const server = new Server({ name: "lists", version: "1.0.0" }, { capabilities: mode === "none" ? {} : { tools: {} } });
if (mode !== "none") {
  server.setRequestHandler("tools/list", (request) => pages[mode][request.params?.cursor ?? ""]);
  server.setRequestHandler("tools/call", (request) => {
    if (request.params.name === "bad_ref") {
      return { content: [{ type: "text", text: "{}" }], structuredContent: { r: request.params.arguments } };
    }
    return { content: [{ type: "text", text: JSON.stringify(request.params.arguments ?? null) }] };
  });
}
await server.connect(new StdioServerTransport());
