/**
 * `npm run bench:calls -- --cancel [--keys 1000] [--rounds 20]`
 *
 * A dependent join of so many keys, 8 calls at once, is given up while 8 are under way and the others wait. Prints how long
 * it takes from the abort to the error of the statement, in wall and CPU time, the most calls in flight, rejections that
 * nobody handled, and what the heap holds before and after all rounds. Goal: within 50 ms.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Package } from "./world.js";

/** Measures and prints. */
export async function measureCancel(built: Package, keys: number, rounds: number): Promise<void> {
  let unhandled = 0;
  process.on("unhandledRejection", () => {
    unhandled += 1;
  });
  const first = await round(built, keys);
  const heapBefore = heapMb();
  const all: Round[] = [];
  for (let i = 0; i < rounds; i++) all.push(await round(built, keys));
  const heapAfter = heapMb();

  const numbers = (of: (round: Round) => number) => all.map(of).sort((a, b) => a - b);
  const told = (sorted: readonly number[]) =>
    `best ${sorted[0].toFixed(1)}, median ${sorted[sorted.length >> 1].toFixed(1)}, worst ${sorted[sorted.length - 1].toFixed(1)}`;
  console.log(`${keys} keys, ${rounds} rounds; the first of the process: ${first.wallMs.toFixed(1)} ms`);
  console.log(`abort to error, wall ms: ${told(numbers(({ wallMs }) => wallMs))}`);
  console.log(`abort to error, CPU ms: ${told(numbers(({ cpuMs }) => cpuMs))}`);
  console.log(`calls in flight at most: ${Math.max(...all.map(({ inFlight }) => inFlight))}`);
  console.log(`unhandled rejections: ${unhandled}`);
  console.log(`heap: ${heapBefore.toFixed(1)} MB before, ${heapAfter.toFixed(1)} MB after`);
}

interface Round {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly inFlight: number;
}

async function round({ Database, defineResource }: Package, keys: number): Promise<Round> {
  const db = await Database.create({ limits: { concurrency: 8, callsPerStatement: keys + 1 } });
  let running = 0;
  let most = 0;
  db.registerAll([
    defineResource({
      name: "issue",
      volatility: "volatile",
      columns: [{ name: "id", type: "bigint" }],
      select: () => Array.from({ length: keys }, (_, id) => ({ id })),
    }),
    defineResource({
      name: "comment",
      volatility: "volatile",
      columns: [
        { name: "issue_id", type: "bigint", requiredKey: true },
        { name: "body", type: "text" },
      ],
      select: async (_, { signal }) => {
        running += 1;
        most = Math.max(most, running);
        try {
          await sleep(60_000, undefined, { signal });
          return [];
        } finally {
          running -= 1;
        }
      },
    }),
  ]);
  const giveUp = new AbortController();
  const outcome = db
    .execute("SELECT c.body FROM issue i JOIN comment c ON c.issue_id = i.id", { signal: giveUp.signal })
    .then(
      () => {
        throw new Error("the statement was answered");
      },
      (error: unknown) => {
        if ((error as { code?: string }).code !== "57014") throw error;
      },
    );
  while (running < 8) await sleep(1);
  await sleep(5);
  const cpu = process.cpuUsage();
  const start = performance.now();
  giveUp.abort();
  await outcome;
  const wallMs = performance.now() - start;
  const used = process.cpuUsage(cpu);
  await sleep(0);
  if (running !== 0) throw new Error(`${running} calls run on`);
  await db.close();
  return { wallMs, cpuMs: (used.user + used.system) / 1000, inFlight: most };
}

function heapMb(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 2 ** 20;
}
