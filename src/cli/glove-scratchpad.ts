#!/usr/bin/env node
/** `glove-scratchpad`: a SQL prompt on a database of tools, or one statement from the command line. */
import process from "node:process";
import { cac } from "cac";
import { openConfig } from "./open-config.js";
import { runShell, runStatement } from "./shell.js";

const cli = cac("glove-scratchpad");

cli
  .command("", "Open a SQL prompt on the tables of this folder's config")
  .option(
    "--config <file>",
    "A module that opens a database, or an mcpServers JSON file (default: scratchpad.config.mjs, .mcp.json, mcp.json)",
  )
  .option("-c, --command <sql>", "Run one statement and leave")
  .example("glove-scratchpad --config .mcp.json")
  .example('glove-scratchpad -c "SELECT table_name FROM information_schema.tables"')
  .action(async (options: { config?: string; command?: string }) => {
    const opened = await openConfig(options.config);
    // Also for one statement and for a pipe: without its server a table is unknown, and the reader should see why.
    for (const warning of opened.warnings) process.stderr.write(`glove-scratchpad: ${warning}\n`);
    try {
      if (options.command !== undefined) {
        const print = (text: string) => process.stdout.write(`${text}\n`);
        process.exitCode = (await runStatement(opened.db, options.command, print, { output: process.stdout })) ? 0 : 1;
        return;
      }
      if (process.stdin.isTTY)
        process.stdout.write(`${opened.banner}\nEnd a statement with ;  \\? for help, \\q to leave.\n\n`);
      const failures = await runShell(opened.db, { input: process.stdin, output: process.stdout });
      process.exitCode = !process.stdin.isTTY && failures > 0 ? 1 : 0;
    } finally {
      await opened.close();
    }
  });

cli.help();

try {
  cli.parse(process.argv, { run: false });
  await cli.runMatchedCommand();
} catch (error) {
  process.stderr.write(`glove-scratchpad: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
