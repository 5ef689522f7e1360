/**
 * `npm run bench:calls`: builds the package when it is not built, bundles the benchmark and runs it with the given
 * arguments. DIST names another build.
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

if (process.env.DIST === undefined && !existsSync(path.join(root, "dist/index.js"))) run("npm", ["run", "build:js"]);
// git leaves this folder alone
const bundle = "bench/node_modules/.cache";
const entry = ["--entry.calls", "bench/calls/main.ts"];
run("npx", ["tsup", "--no-config", ...entry, "--format", "esm", "--target", "node20", "--silent", "--out-dir", bundle]);
process.env.DIST = path.resolve(root, process.env.DIST ?? "dist");
run(process.execPath, [path.join(bundle, "calls.js"), ...process.argv.slice(2)]);
