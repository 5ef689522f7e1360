/**
 * `npm run bench:calls -- [part of a name …] [--rounds N]`
 *
 * Runs each shape of statement over resources that answer after 50 ms, and prints the calls made beside those that it
 * needs, and the time it took beside the longest chain of calls: the best of several rounds, each on a fresh database, so
 * that the statement is parsed and planned anew. By hand is the same chain of plain timers on the machine as it is now, and
 * CPU time the program's own share, whatever else the machine does.
 * `--cancel` measures something else: see cancel.ts.
 * Goal: no call too many anywhere, and at most 1.15 times the critical path wherever no rate limit holds.
 */

import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { measureCancel } from "./cancel.js";
import { answerMs, concurrency, criticalPath, criticalPathText, type Shape, shapes } from "./shapes.js";
import { makeWorld, type Package } from "./world.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string" }, cancel: { type: "boolean" }, keys: { type: "string" } },
});
const chosen = shapes.filter(({ name }) => positionals.length === 0 || positionals.some((part) => name.includes(part)));
const built: Package = await import(pathToFileURL(`${process.env.DIST ?? "dist"}/index.js`).href);
if (values.cancel === true) {
  await measureCancel(built, Number(values.keys ?? 1000), Number(values.rounds ?? 20));
  process.exit();
}

const rounds = Number(values.rounds ?? 5);
const rows = [
  ["shape", "calls", "needed", "ratio", "ms", "critical path", "ratio", "by hand", "ratio", "CPU ms", "how"],
];
for (const shape of chosen) rows.push(await measured(shape));
const widths = rows[0].map((_, i) => Math.max(...rows.map((row) => row[i].length)));
const isText = (i: number) => i === 0 || i === rows[0].length - 1;
for (const row of rows)
  console.log(
    row
      .map((cell, i) => (isText(i) ? cell.padEnd(widths[i]) : cell.padStart(widths[i])))
      .join("  ")
      .trimEnd(),
  );

/** One line of the table. */
async function measured(shape: Shape): Promise<string[]> {
  for (let i = 0; i < 2; i++) await run(shape); // the first runs compile
  const runs: Run[] = [];
  let handMs = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    runs.push(await run(shape));
    handMs = Math.min(handMs, await byHand(shape));
  }
  const calls = Math.max(...runs.map((one) => one.calls));
  const ms = Math.min(...runs.map((one) => one.ms));
  const cpuMs = Math.min(...runs.map((one) => one.cpuMs));
  const path = criticalPath(shape);
  const ratios = [calls / shape.calls, ms / path, ms / handMs].map((ratio) => ratio.toFixed(2));
  return [
    ...[shape.name, String(calls), String(shape.calls), ratios[0]],
    ...[
      ms.toFixed(0),
      String(path),
      ratios[1],
      handMs.toFixed(0),
      ratios[2],
      cpuMs.toFixed(1),
      criticalPathText(shape),
    ],
  ];
}

interface Run {
  readonly calls: number;
  readonly ms: number;
  readonly cpuMs: number;
}

async function run({ sql }: Shape): Promise<Run> {
  const world = await makeWorld(built);
  const cpu = process.cpuUsage();
  const start = performance.now();
  await world.db.execute(sql);
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  return { calls: world.calls, ms, cpuMs: (user + system) / 1000 };
}

/** Milliseconds of the same chain of answers, without a program around it. */
async function byHand({ waves, limitedMs }: Shape): Promise<number> {
  const start = performance.now();
  if (limitedMs !== undefined) await sleep(limitedMs);
  for (const calls of waves) {
    for (let left = calls; left > 0; left -= concurrency)
      await Promise.all(Array.from({ length: Math.min(left, concurrency) }, () => sleep(answerMs)));
  }
  return performance.now() - start;
}
