/**
 * `npm run bench:agent`: installs the peers of `bench/` when they are missing, builds the package when it is not built,
 * bundles the benchmark (a TypeScript loader would slow the hand-written loops) and runs it with the given arguments.
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");

/** @param {string} command @param {string[]} args */
function run(command, args) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: "inherit", shell: process.platform === "win32" });
  if (status !== 0) process.exit(status ?? 1);
}

if (!existsSync(path.join(root, "bench/node_modules/better-sqlite3"))) {
  run("npm", ["install", "--prefix", "bench", "--no-audit", "--no-fund"]);
}
if (process.env.DIST === undefined && !existsSync(path.join(root, "dist/sql.js"))) run("npm", ["run", "build:js"]);
// into node_modules, from where the peers are found and which git leaves alone
const bundle = "bench/node_modules/.cache";
const entry = ["--entry.agent", "bench/agent/main.ts"];
run("npx", ["tsup", "--no-config", ...entry, "--format", "esm", "--target", "node20", "--silent", "--out-dir", bundle]);
process.env.DIST = path.resolve(root, process.env.DIST ?? "dist");
run(process.execPath, [path.join(bundle, "agent.js"), ...process.argv.slice(2)]);
