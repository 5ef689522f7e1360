/** `glove-gen --watch` as a process: what it compiles, what it says of a broken manifest, how it ends. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";

const program = fileURLToPath(new URL("../../src/cli/glove-gen.ts", import.meta.url));
const loader = import.meta.resolve("tsx");

let folder: string;
let watcher: Watcher | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "gen-watch-"));
  await mkdir(join(folder, "manifests"));
});
afterEach(async () => {
  await watcher?.end("SIGKILL");
  watcher = undefined;
  await rm(folder, { recursive: true, force: true });
});

/** A running `glove-gen manifests --watch`, with what it has said so far. */
class Watcher {
  private said = "";
  private from = 0;
  private told = () => {};
  private readonly ended: Promise<number | string | null>;
  private readonly child: ChildProcess;

  constructor(cwd: string) {
    this.child = spawn(process.execPath, ["--import", loader, program, "manifests", "--watch"], { cwd });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => {
        this.said += text;
        this.told();
      });
    this.ended = new Promise((resolve) => this.child.once("exit", (code, signal) => resolve(code ?? signal)));
  }

  /** Waits until it says something, after what was waited for before. */
  async says(text: string): Promise<void> {
    while (!this.said.slice(this.from).includes(text)) {
      const more = new Promise<true>((resolve) => {
        this.told = () => resolve(true);
      });
      const end = this.ended.then((how) => Promise.reject(new Error(`it ended (${how}) after: ${this.said}`)));
      await Promise.race([more, end]);
    }
    this.from = this.said.indexOf(text, this.from) + text.length;
  }

  end(signal: NodeJS.Signals): Promise<number | string | null> {
    this.child.kill(signal);
    return this.ended;
  }
}

const manifest = (column: string) => `service: s
description: A service
connector: { kind: mcp }
resources:
  items:
    description: Rows
    volatility: stable
    row: { type: object, properties: { ${column}: { type: integer } } }
    select: { tool: x }
`;
const save = (text: string) => writeFile(join(folder, "manifests/s.yaml"), text);
const module = () => readFile(join(folder, "generated/s/items.ts"), "utf8");

test("compiles at each change, tells what is wrong and goes on, and ends when it is interrupted", async () => {
  await save(manifest("first"));
  watcher = new Watcher(folder);
  await watcher.says("watching manifests");
  expect(await module()).toContain("first?: number;");

  await save(manifest("second"));
  await watcher.says("changed: s/items.ts");
  expect(await module()).toContain("second?: number;");

  await save("service: [");
  await watcher.says("s.yaml:1:");
  await watcher.says("1 problem");
  expect(await module()).toContain("second?: number;");

  await save(manifest("third"));
  await watcher.says("changed: s/items.ts");
  expect(await module()).toContain("third?: number;");

  expect(await watcher.end("SIGINT")).toBe(130);
}, 180_000);

test("begins with a broken manifest, and compiles when it is mended", async () => {
  await save(manifest("first").replace("tool", "tol"));
  watcher = new Watcher(folder);
  await watcher.says('"tool" is missing');
  await watcher.says("watching manifests");
  await save(manifest("first"));
  await watcher.says("new: s/items.ts");
  expect(await watcher.end("SIGTERM")).toBe(143);
}, 180_000);
