/**
 * `npm run crash-test`: kills processes that commit writes, 300 times over a file journal and 300 times, two at a time, over
 * one in PostgreSQL (SCRATCHPAD_TEST_PG: its port on 127.0.0.1). Prints what was seen; exits with 1 when anything fired twice,
 * a receipt was lost, or something in doubt was not listed.
 *
 * `-- 20` kills 20 times, `-- 20 file` over that journal only; SEED=n repeats the moments of a run as well as clocks can.
 */
import path from "node:path";
import { type CrashFigures, crashRun } from "../test/effects/crash/crash-run.js";
import { filePlace, type Place, postgresPlace } from "../test/effects/crash/journals.js";

const [, , count = "300", only] = process.argv;
const kills = Number(count);
if (!(Number.isInteger(kills) && kills > 0) || (only !== undefined && only !== "file" && only !== "postgres"))
  throw new TypeError("usage: crash-test [kills] [file | postgres]");
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
const dist = path.resolve(process.env.DIST ?? "dist");
const port = process.env.SCRATCHPAD_TEST_PG;

console.log(`seed ${seed}, ${kills} kills each`);
const figures: CrashFigures[] = [];
if (only !== "postgres") figures.push(await runAt(await filePlace()));
if (only === "file") console.log("PostgreSQL is left out.");
else if (port === undefined) console.warn("PostgreSQL is left out: SCRATCHPAD_TEST_PG is not set.");
else figures.push(await runAt(await postgresPlace(Number(port))));

console.table(figures.map(({ violations, ...counts }) => ({ ...counts, violations: violations.length })));
for (const { journal, violations } of figures) for (const words of violations) console.error(`${journal}: ${words}`);
process.exitCode = figures.some(({ violations }) => violations.length > 0) ? 1 : 0;

async function runAt({ journal, remove }: Place): Promise<CrashFigures> {
  try {
    return await crashRun({ journal, kills, dist, seed });
  } finally {
    await remove();
  }
}
