/**
 * `npm run bench:agent -- [rows …] [--query a,b] [--with database,pglite,alasql] [--rounds N]`
 *
 * Load + query + JSON over rows like pull requests, CPU time, medians of interleaved rounds, as ratios to a hand-written
 * loop. Answers are compared before anything is timed; who answers otherwise, or not at all, is left out of that query.
 */
import { parseArgs } from "node:util";
import { type Data, makeData } from "../engine/rows.js";
import {
  alasql,
  builtIn,
  type Contestant,
  gloveSql,
  handWritten,
  pglite,
  sqlite,
  wholeDatabase,
} from "./contestants.js";
import { type Query, queries } from "./queries.js";
import { sameRows } from "./same-rows.js";
import { geometricMean, median, table } from "./table.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { query: { type: "string" }, with: { type: "string" }, rounds: { type: "string" } },
});

const dist = process.env.DIST ?? "dist";
const extra = values.with?.split(",") ?? [];
const contestants: Contestant[] = [handWritten, await builtIn(dist)];
if (extra.includes("database")) contestants.push(await wholeDatabase(dist));
contestants.push(await sqlite(), await gloveSql());
if (extra.includes("alasql")) contestants.push(await alasql());
if (extra.includes("pglite")) contestants.push(await pglite());

const letters = values.query?.split(",");
const chosen = queries.filter(({ name }) => letters === undefined || letters.includes(name[0]));
const sizes = positionals.length > 0 ? positionals.map(Number) : [100, 1_000, 10_000, 100_000];

/** A call that is likely to take longer than this is not made. */
const longestMs = 20_000;

interface Time {
  readonly rows: number;
  readonly ms: number;
}

/** The last two medians of a contestant with a query. */
const lastTimes = new Map<string, Time[]>();

for (const rows of sizes) {
  const data = makeData(rows);
  console.log(`\n${rows} rows: ms of CPU by hand, and how many times as much the others take`);
  const results: Map<string, number>[] = [];
  for (const query of chosen) results.push(await measure(query, data, rows));
  console.log(table(chosen, contestants, results));
  for (const { name } of contestants.slice(1)) {
    const ratios = results.flatMap((times) => {
      const [own, hand] = [times.get(name), times.get(handWritten.name)];
      return own === undefined || hand === undefined ? [] : [own / hand];
    });
    if (ratios.length === 0) continue;
    const summary = `geometric mean ${geometricMean(ratios).toFixed(2)}, max ${Math.max(...ratios).toFixed(2)}`;
    console.log(`${name}: ${summary}${ratios.length < chosen.length ? ` (of ${ratios.length} queries)` : ""}`);
  }
}

/** Medians by contestant. */
async function measure(query: Query, data: Data, rows: number): Promise<Map<string, number>> {
  const running = await answering(query, data, rows);
  const rounds = Number(values.rounds ?? (rows >= 100_000 ? 7 : rows >= 10_000 ? 11 : 25));
  // several calls a sample, so that the clock of CPU time is fine enough
  const calls = Math.max(1, Math.ceil(5_000 / rows));
  const samples = new Map<string, number[]>(running.map(({ name }) => [name, []]));
  for (const contestant of running) await warmUp(contestant, query, data);
  for (let round = 0; round < rounds; round++) {
    for (const contestant of running) {
      const times = samples.get(contestant.name) ?? [];
      const slow = (times[0] ?? 0) * calls > 1_000;
      if (slow && times.length >= 3) continue;
      times.push(await timed(contestant, query, data, slow ? 1 : calls));
    }
  }
  const medians = new Map([...samples].map(([name, times]) => [name, median(times)]));
  for (const [name, ms] of medians) {
    const key = keyOf(name, query);
    lastTimes.set(key, [...(lastTimes.get(key) ?? []).slice(-1), { rows, ms }]);
  }
  return medians;
}

/** Those whose answer is that of the hand-written loop. */
async function answering(query: Query, data: Data, rows: number): Promise<Contestant[]> {
  const expected = JSON.parse(await handWritten.run(query, data)) as unknown[];
  const found: Contestant[] = [];
  for (const contestant of contestants) {
    const key = keyOf(contestant.name, query);
    const last = lastTimes.get(key) ?? [];
    const expectedMs = estimate(last, rows);
    if (expectedMs > longestMs) {
      if (Number.isFinite(expectedMs)) {
        const seconds = (expectedMs / 1000).toFixed(0);
        console.log(`  ${query.name}: ${contestant.name} is left out, it might take ${seconds} s`);
      }
      continue;
    }
    try {
      const answer = JSON.parse(await contestant.run(query, data)) as unknown[];
      if (sameRows(expected, answer)) found.push(contestant);
      else console.log(`  ${query.name}: ${contestant.name} answers otherwise`);
    } catch (error) {
      const reason = error instanceof Error ? error.message.split("\n")[0] : String(error);
      console.log(`  ${query.name}: ${contestant.name} cannot: ${reason.slice(0, 100)}`);
      lastTimes.set(key, [{ rows, ms: Number.POSITIVE_INFINITY }]);
    }
  }
  return found;
}

function keyOf(contestant: string, query: Query): string {
  return `${contestant} ${query.name}`;
}

/** From the last two times, as a power of the number of rows; quadratic when there is only one. */
function estimate(times: readonly Time[], rows: number): number {
  const last = times.at(-1);
  if (last === undefined) return 0;
  const [first] = times;
  const power = first === last ? 2 : Math.log(last.ms / first.ms) / Math.log(last.rows / first.rows);
  return last.ms * (rows / last.rows) ** Math.max(1, power);
}

/** Everyone runs hot: what is measured is a server that has been up for a moment. */
async function warmUp(contestant: Contestant, query: Query, data: Data): Promise<void> {
  const start = performance.now();
  for (let call = 0; call < 200 && performance.now() - start < 300; call++) await contestant.run(query, data);
}

/** CPU milliseconds of one call: of wall and CPU time the smaller, since other programs may be running. */
async function timed(contestant: Contestant, query: Query, data: Data, calls: number): Promise<number> {
  const start = performance.now();
  const before = process.cpuUsage();
  for (let call = 0; call < calls; call++) await contestant.run(query, data);
  const { user, system } = process.cpuUsage(before);
  return Math.min(performance.now() - start, (user + system) / 1000) / calls;
}
