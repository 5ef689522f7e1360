/** `tsx test/federation/random-main.ts --seed 1 --count 5000`: prints every statement whose three answers differ. */
import { compareRandom } from "./compare-random.js";
import { Comparison } from "./three-answers.js";

function option(name: string, otherwise: number): number {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
}

const port = process.env.SCRATCHPAD_TEST_PG;
const comparison = await Comparison.open(port === undefined ? undefined : Number(port));
const [seed, count, round] = [option("seed", 1), option("count", 1_000), 100];
let total = { statements: 0, unbound: 0, failed: 0, withRows: 0, narrowed: 0, limited: 0, differences: 0 };
for (let from = seed; from < seed + count; from += round) {
  const size = Math.min(round, seed + count - from);
  const report = await compareRandom(comparison, from, size);
  for (const difference of report.differences) console.log(JSON.stringify(difference));
  total = {
    statements: total.statements + size,
    unbound: total.unbound + report.unbound,
    failed: total.failed + report.failed,
    withRows: total.withRows + report.withRows,
    narrowed: total.narrowed + report.narrowed,
    limited: total.limited + report.limited,
    differences: total.differences + report.differences.length,
  };
}
console.log(JSON.stringify({ postgres: port !== undefined, ...total }));
await comparison.close();
process.exitCode = total.differences === 0 ? 0 : 1;
