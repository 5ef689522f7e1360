/** The example of generated modules as a reader runs it: an HTTP service, an MCP server and code, in typed statements. */
import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const tsx = createRequire(import.meta.url).resolve("tsx/cli");

const leftovers = async () => (await readdir(tmpdir())).filter((name) => name.startsWith("scratchpad-tracker-"));

test("the tracker is read, joined and written", async () => {
  const before = await leftovers();
  const { stdout, stderr } = await run(process.execPath, [tsx, "examples/tracker/main.ts"], { cwd: root });
  expect(stderr).not.toMatch(/error|warning/i);
  expect(stdout).toContain('{"number":62,"title":"Issue 62","updated_at":"2026-01-09T14:00:00.000Z"}');
  expect(stdout).toContain('{"assignee":null,"issues":23,"projects":2}');
  expect(stdout).toContain('{"number":1,"local_time":"2026-01-02 10:00:00","weekday":"friday"}');
  expect(stdout).toContain('{"title":"Issue 4","state":"open","comments":1,');
  expect(stdout).toContain('{"name":"core#4","observations":["commented on"]}');
  expect(await leftovers()).toEqual(before);
}, 120_000);
