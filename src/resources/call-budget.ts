/**
 * Counts the calls of a statement before they are made, and refuses those beyond `limits.callsPerStatement`: for what is
 * known from constants before the first call, for a scan that waits for other rows before its own first one.
 */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import { amount, countOf } from "../errors/words.js";
import type { ScanCalls } from "../planner/resolution.js";
import { type ArgumentTuples, choicesOf } from "./arguments.js";
import type { ResourceCall } from "./call.js";
import type { RegisteredResource } from "./table-info.js";

/** The calls that one scan asks for; `fresh` counts those that no identical call answers. */
export interface ScanDemand {
  readonly scan: ScanCalls["scan"];
  readonly requests: readonly ResourceCall[];
  readonly fresh: number;
}

/** Calls that may be written out before they are counted one by one. */
const maxWrittenOut = 1_000_000;

export class CallBudget {
  /** Calls asked for so far, by table. */
  private readonly asked = new Map<string, number>();

  constructor(private readonly limit: number) {}

  get total(): number {
    return [...this.asked.values()].reduce((sum, calls) => sum + calls, 0);
  }

  /** @throws SqlError 53400 when the statement would make more calls than it may; nothing is counted then */
  spend(demands: readonly ScanDemand[]): void {
    const more = demands.reduce((sum, demand) => sum + demand.fresh, 0);
    if (this.total + more > this.limit) throw this.tooMany(demands, this.total + more);
    for (const { scan, fresh } of demands) {
      if (fresh > 0) this.asked.set(scan.table.name, (this.asked.get(scan.table.name) ?? 0) + fresh);
    }
  }

  /**
   * Refuses a product of keys that is far beyond the limit without writing it out.
   * @throws SqlError 53400
   */
  checkProduct(scan: ScanCalls["scan"], table: RegisteredResource, tuples: ArgumentTuples): void {
    if (tuples.none) return;
    // A product of fewer choices is written out and counted call by call: some may be identical to earlier ones.
    if (tuples.sets.reduce((calls, set) => calls * set.tuples.length, 1) <= maxWrittenOut) return;
    const spread = choicesOf(table, tuples).filter(({ choices }) => choices.length > 1);
    const product = spread.reduce((calls, { choices }) => calls * choices.length, 1);
    if (product <= Math.max(this.limit, maxWrittenOut)) return;
    const keys = spread.map(({ columns, choices }) => {
      const names = columns.map((name) => `"${name}"`).join(", ");
      return `${names} (${amount(choices.length)})`;
    });
    const calls = countOf(product, "call");
    throw this.refusal(scan, [`Table "${table.name}" needs ${calls}: one for each value of ${keys.join(" and ")}.`]);
  }

  private tooMany(demands: readonly ScanDemand[], total: number): SqlError {
    const wanted = demands.filter((demand) => demand.fresh > 0).sort((a, b) => b.fresh - a.fresh);
    const [largest] = wanted;
    const lines = wanted.slice(0, 5).map((demand) => needs(demand));
    if (wanted.length > 1 || this.total > 0) lines.push(`That brings the statement to ${amount(total)}.`);
    return this.refusal(largest.scan, lines);
  }

  private refusal(scan: ScanCalls["scan"], lines: readonly string[]): SqlError {
    const made = [...this.asked].map(([table, calls]) => `${amount(calls)} of "${table}"`);
    return new SqlError(
      sqlstate.configurationLimitExceeded,
      `the statement would make more than ${countOf(this.limit, "call")}`,
      {
        ...(scan.position !== undefined && { position: scan.position }),
        detail: [
          ...lines,
          made.length === 0 ? "No call was made." : `Asked for before: ${made.slice(0, 10).join(", ")}.`,
        ].join(" "),
        hint: "Narrow the rows that the keys come from with WHERE or LIMIT, split the statement, or raise limits.callsPerStatement.",
      },
    );
  }
}

function needs({ scan, requests, fresh }: ScanDemand): string {
  const keys = keysOf(requests);
  const shared = requests.length - fresh;
  return (
    `Table "${scan.table.name}" needs ${countOf(fresh, "call")}` +
    (keys.length === 0 ? "" : `: one for each value of ${keys.join(" and ")}`) +
    (shared === 0 ? "." : `; ${amount(shared)} more would be shared.`)
  );
}

/** The columns by which the calls differ, with the number of values of each. */
function keysOf(requests: readonly ResourceCall[]): string[] {
  const values = new Map<string, Set<unknown>>();
  for (const request of requests) {
    for (const [column, bound] of request.values) {
      const known = values.get(column) ?? new Set();
      for (const value of bound) known.add(value);
      values.set(column, known);
    }
  }
  return [...values]
    .filter(([column, all]) => requests.some((request) => (request.values.get(column)?.length ?? 0) < all.size))
    .map(([column, all]) => `"${column}" (${amount(all.size)})`);
}
