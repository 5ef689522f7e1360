/** Random statements of both profiles on the built package and on PostgreSQL 15; and the generator itself. */
import { describe, expect, test } from "vitest";
import { fuzz } from "./fuzz.js";
import { Generator } from "./generator/generator.js";
import { Oracle } from "./oracle.js";
import { noPostgres, postgresBinaries } from "./postgres-server.js";
import { ratesOf, reportOf } from "./report.js";
import { deterministic } from "./shape.js";
import { makeWorld, type Profile, worldSql } from "./world.js";

const shares = { mistakes: 0.1, writes: 0.15, parameters: 0.15, rowText: 0.1 };
const profiles: Profile[] = ["core", "full"];

/** SCRATCHPAD_TEST_PG is the port of a running server on 127.0.0.1. */
const port = process.env.SCRATCHPAD_TEST_PG;

if (port !== undefined || postgresBinaries() !== undefined) {
  test.each(profiles)(
    "300 statements of the %s profile agree with PostgreSQL",
    { timeout: 240_000 },
    async (profile) => {
      const oracle = await Oracle.open(port === undefined ? {} : { port: Number(port) });
      try {
        const result = await fuzz(oracle, {
          ...{ profile, seed: 20_240_601, count: 300, shares, round: 30, limitMs: 20_000, strict: false, avoid: [] },
          ...{ reduce: 10, reduceMs: 30_000 },
        });
        const report = reportOf(result, 5);
        const rates = ratesOf(result);
        const silent = (["wrong", "crash", "hang"] as const).map((category) => result.counts.get(category) ?? 0);
        expect([...silent, result.subs.get("missed error: static") ?? 0], report).toEqual([0, 0, 0, 0]);
        // data errors are in part a matter of what is evaluated at all, and when
        expect(result.subs.get("missed error: runtime") ?? 0, report).toBeLessThanOrEqual(2);
        expect(rates.falseError, report).toBeLessThanOrEqual(profile === "core" ? 0.004 : 0.02);
        expect(rates.sameSqlstate, report).toBeGreaterThanOrEqual(0.97);
      } finally {
        await oracle.close();
      }
    },
  );
} else {
  console.warn(`Statements are not compared with PostgreSQL. ${noPostgres}`);

  test("the absence of PostgreSQL is told in a sentence", () => {
    expect(noPostgres).toMatch(/set PG_BIN/);
  });
}

describe("the generator", () => {
  test.each(profiles)("makes the same %s statements of the same seed, each with a fixed answer", (profile) => {
    for (let seed = 1; seed <= 10; seed++) {
      const world = makeWorld(seed, profile);
      expect(worldSql(makeWorld(seed, profile))).toEqual(worldSql(world));
      const [one, other] = [new Generator(seed, world, profile), new Generator(seed, world, profile)];
      for (let i = 0; i < 30; i++) {
        const made = one.statement(shares);
        expect(other.statement(shares).sql).toBe(made.sql);
        if (made.deliberate === null) expect(deterministic(made.tree), made.sql).toBe(true);
      }
    }
  });
});
