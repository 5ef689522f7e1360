/** `glove-gen <folder>`: one compilation, with what it says. */
import { existsSync, statSync } from "node:fs";
import process from "node:process";
import { type Generated, generate } from "../codegen/generate.js";
import { compareGenerated, type Staleness, writeGenerated } from "../codegen/write-generated.js";

export interface GenOptions {
  readonly out: string;
  readonly check?: boolean;
}

/**
 * Compiles the manifests of a folder.
 * @returns the exit code: 1 when `--check` found something, else 0
 * @throws ManifestError, Error for a folder that is not there
 */
export async function compileManifests(folder: string, { out, check }: GenOptions): Promise<number> {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) throw new Error(`there is no folder ${folder}`);
  const progress = progressLine();
  const generated = await generate(folder, progress.show).finally(progress.clear);
  if (generated.files.size === 0) throw new Error(`${folder} has no manifests (*.yaml, *.yml, *.json)`);
  return check === true ? report(folder, out, generated) : write(out, generated);
}

async function report(folder: string, out: string, { files }: Generated): Promise<number> {
  const stale = await compareGenerated(out, files);
  const lines = described(stale, { changed: "stale", missing: "missing", extra: "no longer declared" });
  if (lines.length === 0) {
    process.stdout.write(`${files.size} generated files are up to date\n`);
    return 0;
  }
  process.stderr.write(`${lines.join("\n")}\nRun glove-gen ${folder} --out ${out} and commit ${out}.\n`);
  return 1;
}

async function write(out: string, { files, tables, renamed }: Generated): Promise<number> {
  const written = await writeGenerated(out, files);
  const lines = [
    ...described(written, { changed: "changed", missing: "new", extra: "removed" }),
    ...renamed.map(({ file, from, to }) => `renamed: ${JSON.stringify(from)} of ${file} is ${to}`),
    `${counted(tables.length, "table")}, ${counted(files.size, "file")} in ${out}`,
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
  return 0;
}

/** `1 table`, `2 tables`. */
export function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? "" : "s"}`;
}

function described(staleness: Staleness, words: Record<keyof Staleness, string>): string[] {
  return (["changed", "missing", "extra"] as const).flatMap((kind) =>
    staleness[kind].map((path) => `${words[kind]}: ${path}`),
  );
}

/** Milliseconds before a compilation counts as long work. */
const progressAfterMs = 1_000;

/** A line on the terminal that says how far long work is; nothing where there is no terminal. */
function progressLine(): { show(done: number, total: number, path: string): void; clear(): void } {
  const start = Date.now();
  const { stderr } = process;
  let isShown = false;
  return {
    show(done, total, path) {
      if (!stderr.isTTY || Date.now() - start < progressAfterMs) return;
      isShown = true;
      stderr.write(`\r\x1b[K${done}/${total} ${path}`);
    },
    clear() {
      if (isShown) stderr.write("\r\x1b[K");
    },
  };
}
