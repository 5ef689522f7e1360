/** Finds and opens the database that the shell works on: a config module, or the `mcpServers` file of an MCP client. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Database } from "../database/database.js";
import { connectMcp } from "../mcp/client/connect.js";
import { mountMcpDatabase } from "../mcp/client/resources.js";

/** A database and how to take it down. */
export interface OpenedDatabase {
  readonly db: Database;
  /** What a person reads at the start of a prompt. */
  readonly banner: string;
  /** What could not be opened, a line each: to be told however the database is used. */
  readonly warnings: readonly string[];
  close(): Promise<void>;
}

/** Looked for in the current folder, in this order. */
const defaultConfigs = ["scratchpad.config.mjs", "scratchpad.config.js", ".mcp.json", "mcp.json"];

/** @throws Error that says which files were looked for, or what is wrong with the one that was found */
export async function openConfig(path: string | undefined): Promise<OpenedDatabase> {
  const found = path ?? defaultConfigs.find((name) => existsSync(name));
  if (found === undefined) {
    throw new Error(`no database to open: give --config, or put one of ${defaultConfigs.join(", ")} into this folder`);
  }
  if (!existsSync(found)) throw new Error(`there is no file ${found}`);
  return found.endsWith(".json") ? openServers(found) : openModule(found);
}

/** A module whose default export makes `{ db, banner?, close? }`. */
async function openModule(path: string): Promise<OpenedDatabase> {
  const module = (await import(pathToFileURL(resolve(path)).href)) as { default?: unknown };
  if (typeof module.default !== "function") throw new Error(`${path} has no default export that opens a database`);
  const opened = (await module.default()) as Partial<OpenedDatabase> | null;
  if (opened?.db === undefined) throw new Error(`the default export of ${path} must give { db, close? }`);
  const { db, banner = "", close } = opened;
  return { db, banner, warnings: [], close: close === undefined ? () => db.close() : () => close() };
}

interface ServerEntry {
  command?: string;
  args?: string[];
  env?: Record<string, string>;
  cwd?: string;
  url?: string;
  headers?: Record<string, string>;
}

/**
 * Every server of an `mcpServers` file; a server that does not start is reported and left out.
 * @throws Error for a file that says of no server how it is reached, or of one of them
 */
async function openServers(path: string): Promise<OpenedDatabase> {
  const parsed = JSON.parse(await readFile(path, "utf8")) as { mcpServers?: Record<string, ServerEntry> };
  const servers = Object.entries(parsed.mcpServers ?? {});
  if (servers.length === 0) throw new Error(`${path} names no servers under "mcpServers"`);
  // Before any server is started: the file has to be corrected, and a started one would go on running.
  for (const [name, entry] of servers) {
    if (!isText(entry?.url) && !isText(entry?.command)) {
      throw new Error(`server "${name}" of ${path} has neither "command" nor "url"`);
    }
  }
  const db = await Database.create();
  const closers: (() => Promise<void>)[] = [];
  const lines: string[] = [];
  const warnings: string[] = [];
  for (const [namespace, entry] of servers) {
    try {
      const connection = await connectMcp({ namespace, ...targetOf(path, entry) });
      closers.push(() => connection.close());
      const names = await mountMcpDatabase(db, connection);
      lines.push(`${namespace}: ${names.length} tables`);
    } catch (error) {
      warnings.push(`${namespace}: not available (${error instanceof Error ? error.message : String(error)})`);
    }
  }
  return {
    db,
    banner: lines.join("\n"),
    warnings,
    async close() {
      await db.close();
      for (const close of closers) await close();
    },
  };
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

/** How a server is reached; a relative folder is one below that of the file. */
function targetOf(path: string, entry: ServerEntry) {
  if (isText(entry.url)) return { url: entry.url as string, headers: entry.headers ?? {} };
  return {
    command: entry.command as string,
    args: entry.args ?? [],
    env: entry.env ?? {},
    cwd: resolve(dirname(path), entry.cwd ?? "."),
  };
}
