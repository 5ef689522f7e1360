/** Runs random statements three ways and lists those whose answers differ. */
import { randomStatement } from "./random-statements.js";
import type { Comparison } from "./three-answers.js";

export interface Difference {
  readonly seed: number;
  readonly sql: string;
  readonly params: readonly unknown[];
  readonly narrow: readonly string[];
  readonly plain: readonly string[];
  readonly oracle?: readonly string[];
}

export interface RandomReport {
  readonly differences: readonly Difference[];
  /** Statements in which a key had no value: HV002 where resources need keys, so nothing is compared. */
  readonly unbound: number;
  /** Statements that gave an error all round. */
  readonly failed: number;
  /** Statements that gave rows. */
  readonly withRows: number;
  /** Calls that were handed predicates, and those that were handed a limit. */
  readonly narrowed: number;
  readonly limited: number;
}

export async function compareRandom(comparison: Comparison, seed: number, count: number): Promise<RandomReport> {
  const differences: Difference[] = [];
  let [unbound, failed, withRows, narrowed, limited] = [0, 0, 0, 0, 0];
  for (let current = seed; current < seed + count; current++) {
    const { sql, params } = randomStatement(current);
    const { narrow, plain, oracle, calls } = await comparison.answers(sql, params);
    if (narrow[0] === "HV002") {
      unbound += 1;
      continue;
    }
    if (/^[0-9A-Z]{5}$/.test(narrow[0] ?? "")) failed += 1;
    else if (narrow.length > 0) withRows += 1;
    narrowed += calls.filter((call) => call.quals.length > 0 || call.columns.length > 0).length;
    limited += calls.filter((call) => call.limit !== undefined).length;
    if (differs(narrow, plain) || (oracle !== undefined && differs(narrow, oracle)))
      differences.push({ seed: current, sql, params, narrow, plain, ...(oracle !== undefined && { oracle }) });
  }
  return { differences, unbound, failed, withRows, narrowed, limited };
}

function differs(a: readonly string[], b: readonly string[]): boolean {
  return a.length !== b.length || a.some((row, i) => row !== b[i]);
}
