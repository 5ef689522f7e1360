/**
 * Resources that write down every call, so that a test can compare the whole list: one call too many costs money.
 */
import { type Bindings, defineResource, type ResourceColumn, type ResourceTable, type Row } from "../../src/index.js";

/** One call as tests write it: the table, the arguments, and for writes what was written. */
export interface RecordedCall {
  table: string;
  op?: "insert" | "update" | "delete";
  args?: Record<string, unknown[]>;
  rows?: Row[];
  set?: Row;
}

export interface RecordingOptions {
  name: string;
  columns: ResourceColumn[];
  rows?: Row[];
  primaryKey?: string[];
  volatility?: "immutable" | "stable" | "volatile";
  verbs?: ("select" | "insert" | "update" | "delete")[];
  /** Fails the n-th call (from 1) of this table. */
  failAt?: number;
  /** Milliseconds before it answers. */
  delayMs?: number;
  batch?: { insert?: boolean; keys?: boolean };
}

/** Collects the calls of the resources made through it. */
export class Recorder {
  readonly calls: RecordedCall[] = [];
  /** The largest number of calls that were under way at once. */
  maxInFlight = 0;
  private inFlight = 0;
  private readonly counts = new Map<string, number>();

  /** The calls so far; the list is emptied. */
  take(): RecordedCall[] {
    return this.calls.splice(0);
  }

  resource(options: RecordingOptions): ResourceTable {
    const rows = options.rows ?? [];
    const verbs = options.verbs ?? ["select"];
    const keys = options.columns.filter((column) => column.requiredKey === true).map((column) => column.name);
    const record = async (call: RecordedCall): Promise<void> => {
      const count = (this.counts.get(options.name) ?? 0) + 1;
      this.counts.set(options.name, count);
      this.calls.push(call);
      this.inFlight += 1;
      this.maxInFlight = Math.max(this.maxInFlight, this.inFlight);
      if (options.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, options.delayMs));
      this.inFlight -= 1;
      if (count === options.failAt) throw new Error(`${options.name} is out of order`);
    };
    const bound = (eq: ReadonlyMap<string, unknown[]>) => (eq.size === 0 ? {} : { args: Object.fromEntries(eq) });
    const matching = (eq: ReadonlyMap<string, unknown[]>) =>
      rows.filter((row) => keys.every((key) => eq.get(key)?.includes(row[key]) === true));
    return defineResource({
      name: options.name,
      volatility: options.volatility ?? "stable",
      columns: options.columns,
      ...(options.primaryKey !== undefined && { primaryKey: options.primaryKey }),
      ...(options.batch !== undefined && { batch: options.batch }),
      ...(verbs.includes("select") && {
        select: async (bindings: Bindings) => {
          await record({ table: options.name, ...bound(bindings.eq) });
          return matching(bindings.eq);
        },
      }),
      ...(verbs.includes("insert") && {
        insert: async (inserted: Row[]) => {
          await record({ table: options.name, op: "insert", rows: inserted });
          rows.push(...inserted);
          return undefined;
        },
      }),
      ...(verbs.includes("update") && {
        update: async (set: Row, bindings: Bindings) => {
          await record({ table: options.name, op: "update", set, ...bound(bindings.eq) });
          for (const row of rows) if (matches(row, bindings.eq)) Object.assign(row, set);
          return undefined;
        },
      }),
      ...(verbs.includes("delete") && {
        delete: async (bindings: Bindings) => {
          await record({ table: options.name, op: "delete", ...bound(bindings.eq) });
          for (let i = rows.length - 1; i >= 0; i--) if (matches(rows[i], bindings.eq)) rows.splice(i, 1);
          return undefined;
        },
      }),
    });
  }
}

function matches(row: Row, eq: ReadonlyMap<string, unknown[]>): boolean {
  return [...eq].every(([column, values]) => values.includes(row[column]));
}
