/** The demo as a newcomer runs it, from the built package: exit code, output, nothing left behind. */
import { execFile, spawn } from "node:child_process";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
const main = fileURLToPath(new URL("../../examples/scratchpad-agent/main.js", import.meta.url));
const shell = fileURLToPath(new URL("../../dist/cli/glove-scratchpad.js", import.meta.url));

async function leftovers(): Promise<string[]> {
  return (await readdir(tmpdir())).filter((name) => name.startsWith("scratchpad-demo-"));
}

test("the tour runs to its end", async () => {
  const before = await leftovers();
  const { stdout, stderr } = await run(process.execPath, [main], { cwd: root });
  expect(stderr).not.toMatch(/error|warning/i);
  for (const title of [
    "1. Discover",
    "6. From one server into another",
    "12. Stage and commit",
    "17. A mistyped column",
  ]) {
    expect(stdout).toContain(title);
  }
  expect(stdout).toContain('Acme    │ customer    │ ["export (high)","billing (low)"]');
  expect(stdout).toContain("calls: files 1×, file_text 5×, memory_entities 4×");
  expect(stdout).toContain("2. insert emails: fired");
  expect(stdout).toContain("Export limit │ Raised. Acme and Hooli are told. │ Raise the export limit │ true");
  expect(stdout).toContain("ERROR HV002");
  expect(stdout.trimEnd().endsWith("npm run demo -- --interactive")).toBe(true);
  const tooWide = stdout.split("\n").filter((line) => [...line].length > 110);
  expect(tooWide).toEqual([]);
  expect(await leftovers()).toEqual(before);
});

test("the prompt takes statements over several lines from a pipe", async () => {
  const child = spawn(process.execPath, [shell], { cwd: root, stdio: ["pipe", "pipe", "inherit"] });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stdin.end(
    "SELECT name\nFROM files\nWHERE path = 'runbooks' ORDER BY 1;\n\\d files\nSELECT nope FROM tasks;\n\\q\n",
  );
  const code = await new Promise((resolve) => child.on("exit", resolve));
  expect(output).toContain("export.md");
  expect(output).toContain("required_key");
  expect(output).toContain('column "nope" does not exist');
  expect(code).toBe(1);
});

test("one statement from the command line", async () => {
  const { stdout } = await run(process.execPath, [shell, "-c", "SELECT title FROM tasks WHERE id = 3"], { cwd: root });
  expect(stdout).toContain("Write release notes");
});
