/** The tables of the matrix: every call is written down, and what a write answers is the test's choice. */
import { Database, type DatabaseOptions, defineResource, type ResourceTable, type Row } from "../../../src/index.js";
import type { RecordedCall } from "../../support/recording.js";

type Verb = "select" | "insert" | "update" | "delete";

export interface World {
  readonly db: Database;
  /** All calls so far; emptied. */
  take(): RecordedCall[];
}

export interface WorldOptions extends DatabaseOptions {
  /** The verbs of `t`. */
  readonly verbs?: readonly Verb[];
  /** What the n-th write does (from 1) after it was written down; what it gives is the answer. */
  readonly onEffect?: (n: number) => unknown;
  /** Is told of each read. */
  readonly onRead?: (table: string) => void;
}

const columns = [
  { name: "id", type: "bigint" },
  { name: "v", type: "text" },
];
const table = (pairs: Record<number, string>): Row[] => Object.entries(pairs).map(([id, v]) => ({ id: Number(id), v }));

export async function openWorld(options: WorldOptions = {}): Promise<World> {
  const { verbs = ["select", "insert", "update", "delete"], onEffect, onRead, ...database } = options;
  const calls: RecordedCall[] = [];
  let effects = 0;
  const bound = (eq: ReadonlyMap<string, unknown[]>) => (eq.size === 0 ? {} : { args: Object.fromEntries(eq) });
  const effect = async (call: RecordedCall) => {
    calls.push(call);
    effects += 1;
    return onEffect?.(effects);
  };
  const reading = (name: string, rows: Row[]): Pick<ResourceTable, never> => ({
    select: (bindings: { eq: ReadonlyMap<string, unknown[]> }) => {
      calls.push({ table: name, ...bound(bindings.eq) });
      onRead?.(name);
      return rows.filter((row) => [...bindings.eq].every(([column, values]) => values.includes(row[column])));
    },
  });
  const source = (name: string, rows: Row[]) =>
    defineResource({ name, columns, volatility: "volatile", ...reading(name, rows) } as never);
  const db = await Database.create({ policy: { writes: true }, ...database });
  db.registerAll([
    source("s", table({ 11: "a", 12: "b", 13: "c" })),
    source("u", table({ 1: "x", 2: "y", 3: "z" })),
    source("m", table({ 1: "x", 2: "gone", 12: "b" })),
    defineResource({
      name: "t",
      columns,
      primaryKey: ["id"],
      volatility: "volatile",
      ...(verbs.includes("select") && reading("t", table({ 1: "one", 2: "two", 3: "three" }))),
      ...(verbs.includes("insert") && { insert: (rows: Row[]) => effect({ table: "t", op: "insert", rows }) }),
      ...(verbs.includes("update") && {
        update: (set: Row, { eq }: { eq: ReadonlyMap<string, unknown[]> }) =>
          effect({ table: "t", op: "update", set, ...bound(eq) }),
      }),
      ...(verbs.includes("delete") && {
        delete: ({ eq }: { eq: ReadonlyMap<string, unknown[]> }) => effect({ table: "t", op: "delete", ...bound(eq) }),
      }),
    } as never),
  ]);
  return { db, take: () => calls.splice(0) };
}
