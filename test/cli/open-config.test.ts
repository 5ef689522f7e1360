/** Opening the database of a folder: an `mcpServers` file with a server that does not start. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openConfig } from "../../src/cli/open-config.js";

test("a server that does not start is told apart, so that it can be said wherever no banner is shown", async () => {
  const folder = await mkdtemp(join(tmpdir(), "scratchpad-config-"));
  const file = join(folder, "mcp.json");
  await writeFile(file, JSON.stringify({ mcpServers: { gone: { command: join(folder, "nothing-here") } } }));
  const opened = await openConfig(file);
  try {
    expect(opened.warnings).toEqual([
      expect.stringMatching(/^gone: not available \(cannot connect to MCP server "gone"/),
    ]);
    expect(opened.banner).toBe("");
  } finally {
    await opened.close();
    await rm(folder, { recursive: true });
  }
});

test("a file that names no servers is refused by name", async () => {
  const folder = await mkdtemp(join(tmpdir(), "scratchpad-config-"));
  const file = join(folder, "mcp.json");
  await writeFile(file, "{}");
  await expect(openConfig(file)).rejects.toThrow('names no servers under "mcpServers"');
  await rm(folder, { recursive: true });
});

test("a server that is reached neither by a command nor by a url is named, and none is started", async () => {
  const folder = await mkdtemp(join(tmpdir(), "scratchpad-config-"));
  const file = join(folder, "mcp.json");
  try {
    for (const entry of [{}, { command: "" }, { args: ["x"] }, null]) {
      await writeFile(file, JSON.stringify({ mcpServers: { gone: { command: join(folder, "no") }, notes: entry } }));
      await expect(openConfig(file)).rejects.toThrow('server "notes" of');
      await expect(openConfig(file)).rejects.toThrow('has neither "command" nor "url"');
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
