/**
 * `npm run fuzz -- --profile core|full --seed S --count N [options]`
 *
 * Random statements on the built engine and on a real PostgreSQL 15, which is started on a free port of 127.0.0.1
 * (binaries from PG_BIN, PATH or Debian's package) unless `--pg-port` names a running one.
 *
 * --reduce N, --reduce-minutes M   how many failures to make small, and for how long (100, 3)
 * --mistakes, --writes, --parameters, --row-text R   shares of statements (0.1, 0.15, 0.15, 0.1)
 * --only F, --avoid F,F   statements with, without features whose names contain F
 * --out FILE   failures as JSON lines; --replay FILE runs them again
 * --limit-ms N   when a statement hangs (5000); --round N   statements a world (40); --top N   kinds to print (12)
 * --strict   numerics must have PostgreSQL's scale
 *
 * Ends with 1 when an answer is wrong, or the engine crashed or hung.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { builtEngine } from "../conformance/built.js";
import { isFailure } from "./classify.js";
import type { Example } from "./failures.js";
import { fuzz } from "./fuzz.js";
import { Oracle } from "./oracle.js";
import { Pair } from "./pair.js";
import { reportOf } from "./report.js";

const text = (value: string) => ({ type: "string", default: value }) as const;
const { values } = parseArgs({
  options: {
    profile: text("core"),
    seed: text("1"),
    count: text("2000"),
    reduce: text("100"),
    "reduce-minutes": text("3"),
    mistakes: text("0.1"),
    writes: text("0.15"),
    parameters: text("0.15"),
    "row-text": text("0.1"),
    round: text("40"),
    "limit-ms": text("5000"),
    top: text("12"),
    only: { type: "string" },
    avoid: { type: "string" },
    out: { type: "string" },
    replay: { type: "string" },
    strict: { type: "boolean", default: false },
    "pg-port": { type: "string" },
  },
});
const { profile } = values;
if (profile !== "core" && profile !== "full") {
  console.error(`"${profile}" is no profile: core or full.`);
  process.exit(2);
}

await builtEngine();
const port = values["pg-port"];
const oracle = await Oracle.open(port === undefined ? {} : { port: Number(port) });
try {
  process.exitCode = values.replay === undefined ? await run(profile) : await replay(values.replay);
} finally {
  await oracle.close();
}

async function run(chosen: "core" | "full"): Promise<number> {
  const result = await fuzz(oracle, {
    profile: chosen,
    seed: Number(values.seed),
    count: Number(values.count),
    shares: {
      mistakes: Number(values.mistakes),
      writes: Number(values.writes),
      parameters: Number(values.parameters),
      rowText: Number(values["row-text"]),
    },
    round: Number(values.round),
    limitMs: Number(values["limit-ms"]),
    strict: values.strict,
    reduce: Number(values.reduce),
    reduceMs: Number(values["reduce-minutes"]) * 60_000,
    only: values.only,
    avoid: values.avoid?.split(",").map((part) => part.trim()) ?? [],
  });
  console.log(`PostgreSQL ${oracle.serverVersion}; ${reportOf(result, Number(values.top))}`);
  if (values.out !== undefined) {
    const lines = result.failures.flatMap(({ outcome, title, count, examples }) =>
      examples.map((example) => `${JSON.stringify({ category: outcome.category, title, count, ...example })}\n`),
    );
    writeFileSync(values.out, lines.join(""));
  }
  const bad = (["wrong", "crash", "hang"] as const).some((category) => (result.counts.get(category) ?? 0) > 0);
  return bad ? 1 : 0;
}

async function replay(file: string): Promise<number> {
  const pair = new Pair(oracle, Number(values["limit-ms"]), values.strict);
  const lines = readFileSync(file, "utf8").split("\n");
  let failing = 0;
  let all = 0;
  for (const line of lines.filter((item) => item !== "")) {
    const example = JSON.parse(line) as Example;
    all++;
    const lost = await pair.load(example.setup);
    const { outcome } = await pair.run(example);
    if (lost === undefined && !isFailure(outcome)) continue;
    failing++;
    console.log(`${outcome.category} ${outcome.sub}  ${example.sql}\n    ${lost ?? outcome.note ?? ""}`);
  }
  await pair.close();
  console.log(`${all} statements, ${failing} of them still fail`);
  return failing > 0 ? 1 : 0;
}
