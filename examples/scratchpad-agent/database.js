/**
 * The demo's database: two real MCP servers, started as child processes, and two resources of this program.
 *
 * The filesystem server is mounted tool by tool; the memory server through a module that `glove-gen` made from
 * `manifests/memory.yaml`.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Database } from "glove-scratchpad";
import { memoryEntities } from "glove-scratchpad/generated";
import { connectMcp, mountMcpDatabase } from "glove-scratchpad/mcp";
import { emails, tasks } from "./tools.js";

const require = createRequire(import.meta.url);
const files = fileURLToPath(new URL("files", import.meta.url));

/**
 * Starts the servers and mounts everything. `close` stops them and removes what they wrote.
 * @returns {Promise<{ db: Database, outbox: object[], banner: string, close: () => Promise<void> }>}
 */
export async function openDatabase() {
  const scratch = await mkdtemp(join(tmpdir(), "scratchpad-demo-"));
  const filesystem = await connectMcp({
    namespace: "filesystem",
    command: process.execPath,
    args: [require.resolve("@modelcontextprotocol/server-filesystem/dist/index.js"), files],
    cwd: files,
  });
  const memory = await connectMcp({
    namespace: "memory",
    command: process.execPath,
    args: [require.resolve("@modelcontextprotocol/server-memory/dist/index.js")],
    env: { MEMORY_FILE_PATH: join(scratch, "memory.jsonl") },
  });

  const db = await Database.create({ policy: { writes: true } });
  await mountMcpDatabase(db, filesystem, { table: filesystemTable });
  /** @type {{ to_addr: string, subject: string, body: string }[]} */
  const outbox = [];
  db.registerAll([memoryEntities({ connection: memory }), tasks(), emails(outbox)]);

  return {
    db,
    outbox,
    banner: "Tables: files, file_text (MCP server filesystem), memory_entities (MCP server memory), tasks, emails",
    async close() {
      await db.close();
      await filesystem.close();
      await memory.close();
      await rm(scratch, { recursive: true, force: true });
    },
  };
}

/**
 * Two of the server's tools become tables, the others are left out.
 * @param {{ name: string }} tool
 * @returns {import("glove-scratchpad/mcp").McpTableOptions | null}
 */
function filesystemTable(tool) {
  switch (tool.name) {
    case "list_directory_with_sizes":
      return {
        name: "files",
        description: "Files and folders in one folder",
        op: "select",
        volatility: "stable",
        columns: [
          { name: "name", type: "text", description: "Name without the folder" },
          { name: "kind", type: "text", enum: ["file", "folder"] },
          { name: "size", type: "text", description: "As the server prints it: 1.20 KB" },
        ],
        rows: (text) => String(text).split("\n").flatMap(listedFile),
      };
    case "read_text_file":
      return {
        name: "file_text",
        description: "Content of one text file",
        op: "select",
        volatility: "stable",
        columns: [{ name: "content", type: "text" }],
        rows: (text) => [{ content: text }],
      };
    default:
      return null;
  }
}

/** @param {string} line `[FILE] export.md   143 B` or `[DIR] runbooks` */
function listedFile(line) {
  const entry = /^\[(FILE|DIR)\] (.*?)(?:\s{2,}(\S.*))?$/.exec(line.trimEnd());
  if (entry === null) return []; // the totals below the list
  return [{ name: entry[2].trim(), kind: entry[1] === "FILE" ? "file" : "folder", size: entry[3] ?? null }];
}

export default openDatabase;
