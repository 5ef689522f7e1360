/**
 * The engine against hand-written loops on eight shapes of statements: run + row objects + JSON, medians, interleaved.
 * `npx tsx bench/engine/main.ts [rows …] [a … h]`; bundle it first for figures to rely on (a TypeScript loader that keeps
 * function names slows both sides, but not equally).
 */
import { type Environment, prepare } from "../../src/engine/run.js";
import { parse } from "../../src/grammar/parse.js";
import { bind } from "../../src/planner/bind/bind.js";
import { optimize } from "../../src/planner/optimize.js";
import type { LogicalPlan } from "../../src/planner/plan.js";
import { mapInputs } from "../../src/planner/visit.js";
import { catalogOf, session } from "../../test/engine/harness.js";
import { type Data, makeData } from "./rows.js";
import { type Shape, shapes } from "./shapes.js";

const columns = {
  pulls: {
    id: "int4",
    number: "int4",
    repo: "text",
    title: "text",
    state: "text",
    author_id: "int4",
    created_at: "timestamptz",
    updated_at: "timestamptz",
    additions: "int4",
    deletions: "int4",
    branch: "text",
    meta: "jsonb",
  },
  users: { id: "int4", name: "text", team: "text" },
  reviews: { id: "int4", pr_id: "int4", reviewer_id: "int4", verdict: "text", minutes: "int4" },
} as const;

const catalog = catalogOf(
  Object.entries(columns).map(([name, list]) => ({
    name,
    columns: Object.entries(list).map(([column, type]) => ({ name: column, type })),
    rows: [],
    primaryKey: ["id"],
  })),
);

function environmentOf(data: Data): Environment {
  return {
    session,
    parameters: [],
    limits: { timeMs: 60_000, rows: 10_000_000 },
    relation: (scan) => ({
      kind: "objects",
      rows: data[scan.table.name as keyof Data],
      columns: scan.table.columns,
    }),
  };
}

function toAntiJoin(plan: LogicalPlan): LogicalPlan {
  const changed = mapInputs(plan, toAntiJoin);
  return changed.kind === "Join" ? { ...changed, type: "anti" } : changed;
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1];
}

function normal(rows: unknown[]): string {
  return JSON.stringify(rows.map((row) => JSON.stringify(row)).sort());
}

async function measure(shape: Shape, data: Data, samples: number): Promise<{ engine: number; hand: number }> {
  const bound = bind(parse(shape.sql)[0], catalog);
  const plan = shape.antiJoin === true ? toAntiJoin(bound.plan) : bound.plan;
  const prepared = prepare(optimize(plan), bound.output);
  const environment = environmentOf(data);
  const first = await prepared.run(environment, { rows: "objects" });
  const expected = shape.byHand(data);
  const fixed = (rows: unknown[]) =>
    normal(rows)
      .replaceAll(".000Z", "Z")
      .replaceAll(/(\.\d*[1-9])0*Z/g, "$1Z");
  if (fixed(first.rows as unknown[]) !== fixed(expected)) throw new Error(`${shape.name}: the answers differ`);
  const engine: number[] = [];
  const hand: number[] = [];
  // Several runs a sample, so that the clock of CPU time is fine enough.
  const runs = Math.max(1, Math.ceil(4000 / data.pulls.length));
  for (const start = performance.now(); performance.now() - start < warmUpMs; ) {
    JSON.stringify((await prepared.run(environment, { rows: "objects" })).rows);
    JSON.stringify(shape.byHand(data));
  }
  for (let i = 0; i < samples; i++) {
    engine.push(
      await timed(runs, async () => JSON.stringify((await prepared.run(environment, { rows: "objects" })).rows)),
    );
    hand.push(await timed(runs, () => JSON.stringify(shape.byHand(data))));
  }
  return { engine: median(engine), hand: median(hand) };
}

/** Both sides run hot: what is measured is a server that has been up for a moment. */
const warmUpMs = 400;

/** Milliseconds of one run: of wall and CPU time the smaller, since other programs may be running. */
async function timed(runs: number, work: () => unknown): Promise<number> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  for (let r = 0; r < runs; r++) await work();
  const wall = performance.now() - start;
  const used = process.cpuUsage(cpu);
  return Math.min(wall, (used.user + used.system) / 1000) / runs;
}

const only = process.argv.slice(2).filter((word) => Number.isNaN(Number(word)));
const chosen = shapes.filter((shape) => only.length === 0 || only.includes(shape.name[0]));
const sizes = process.argv
  .slice(2)
  .map(Number)
  .filter((n) => !Number.isNaN(n));
for (const n of sizes.length > 0 ? sizes : [100, 1_000, 10_000, 100_000]) {
  const data = makeData(n);
  const samples = Math.max(7, Math.min(60, Math.floor(400_000 / n)));
  let logs = 0;
  console.log(`${n} rows`);
  for (const shape of chosen) {
    const { engine, hand } = await measure(shape, data, samples);
    logs += Math.log(engine / hand);
    console.log(
      `  ${shape.name.padEnd(24)} engine ${engine.toFixed(3).padStart(9)} ms, by hand ${hand.toFixed(3).padStart(9)} ms, ${(engine / hand).toFixed(2)}x`,
    );
  }
  console.log(`  geometric mean ${Math.exp(logs / chosen.length).toFixed(2)}x`);
}
