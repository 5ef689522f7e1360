/** Random statements give the same rows whatever is handed to the calls, and PostgreSQL's rows where there is a server. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { compareRandom } from "./compare-random.js";
import { Comparison } from "./three-answers.js";

/** SCRATCHPAD_TEST_PG is the port of a PostgreSQL 15 on 127.0.0.1. */
const port = process.env.SCRATCHPAD_TEST_PG;
let comparison: Comparison;

beforeAll(async () => {
  comparison = await Comparison.open(port === undefined ? undefined : Number(port));
});
afterAll(async () => comparison.close());

test("300 random statements", { timeout: 240_000 }, async () => {
  const { differences, unbound, withRows, narrowed, limited } = await compareRandom(comparison, 1, 300);
  expect(differences).toEqual([]);
  // The statements are worth trying: most have their keys, give rows, and hand something over.
  expect(unbound).toBeLessThan(90);
  expect(withRows).toBeGreaterThan(100);
  expect(narrowed).toBeGreaterThan(200);
  expect(limited).toBeGreaterThan(5);
});
