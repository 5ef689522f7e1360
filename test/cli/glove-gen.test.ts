/** `glove-gen` as it is run: what it prints, and how it ends. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const program = fileURLToPath(new URL("../../src/cli/glove-gen.ts", import.meta.url));
const loader = import.meta.resolve("tsx");

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "glove-gen-"));
  await mkdir(join(folder, "manifests"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(...args: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, ["--import", loader, program, ...args], { cwd: folder }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

const manifest = `service: s
description: A service
connector: { kind: mcp }
resources:
  a-b:
    description: Rows
    volatility: stable
    row: { type: object, properties: { id: { type: integer } } }
    select: { tool: x }
`;

describe("glove-gen", () => {
  test("writes, checks, and tells what is stale", async () => {
    await writeFile(join(folder, "manifests/s.yaml"), manifest);
    expect(await run("manifests")).toEqual({
      code: 0,
      stdout: `new: index.ts
new: information_schema.ts
new: s/a-b.ts
renamed: "a-b" of s.yaml is s_a_b
1 table, 3 files in generated
`,
      stderr: "",
    });
    expect(await run("manifests", "--check")).toEqual({
      code: 0,
      stdout: "3 generated files are up to date\n",
      stderr: "",
    });
    await writeFile(join(folder, "manifests/s.yaml"), manifest.replace("a-b:", "c:"));
    expect(await run("manifests", "--check")).toEqual({
      code: 1,
      stdout: "",
      stderr: `stale: index.ts
stale: information_schema.ts
missing: s/c.ts
no longer declared: s/a-b.ts
Run glove-gen manifests --out generated and commit generated.
`,
    });
  });

  test("refuses a wrong manifest with its place", async () => {
    await writeFile(join(folder, "manifests/s.yaml"), manifest.replace("stable", "stabel"));
    expect(await run("manifests")).toEqual({
      code: 1,
      stdout: "",
      stderr: `s.yaml:7:17: "stabel" is not possible for "volatility"
  hint: Perhaps you meant "stable".
1 problem
`,
    });
  });

  test.each([
    { name: "no folder", args: [], code: 2, says: /missing required args for command `<folder>`/ },
    { name: "an unknown option", args: ["manifests", "--chek"], code: 2, says: /Unknown option `--chek`/ },
    { name: "options that exclude each other", args: ["manifests", "--check", "--watch"], code: 2, says: /exclude/ },
    {
      name: "a folder that is not there",
      args: ["nowhere"],
      code: 1,
      says: /^glove-gen: there is no folder nowhere\n$/,
    },
    { name: "a folder without manifests", args: ["manifests"], code: 1, says: /has no manifests/ },
    { name: "help", args: ["--help"], code: 0, says: /A manifest[\s\S]*connector: \{ kind: http[\s\S]*Exit codes/ },
  ])("$name", async ({ args, code, says }) => {
    const ended = await run(...args);
    expect(ended.code).toBe(code);
    expect(ended.stdout + ended.stderr).toMatch(says);
    expect(ended.stderr).not.toMatch(/\n\s+at /); // no stack trace
  });
});
