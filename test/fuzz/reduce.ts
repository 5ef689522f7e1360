/** Makes a failing statement small, then its data, while the same failure persists. */
import { print } from "./print.js";
import { edits } from "./reduce-edits.js";
import { deterministic } from "./shape.js";
import type { Statement } from "./tree.js";
import type { Table, World } from "./world.js";

export interface ReduceOptions {
  readonly attempts: number;
  readonly keepConditions?: boolean;
}

export async function reduceStatement(
  tree: Statement,
  fails: (smaller: Statement) => Promise<boolean>,
  { attempts, keepConditions = false }: ReduceOptions,
): Promise<Statement> {
  let best = tree;
  let tries = 0;
  const seen = new Set([print(tree)]);
  for (let progress = true; progress && tries < attempts; ) {
    progress = false;
    const size = print(best).length;
    for (const smaller of edits(best, keepConditions)) {
      if (tries >= attempts) break;
      if (!isWhole(smaller)) continue;
      const text = print(smaller);
      if (seen.has(text) || text.length > size + 12) continue;
      seen.add(text);
      if (!deterministic(smaller)) continue;
      tries++;
      if (!(await fails(smaller))) continue;
      best = smaller;
      progress = true;
      break;
    }
  }
  return best;
}

/** An edit may have taken the last output or the last value of a row. */
function isWhole(tree: Statement): boolean {
  let whole = true;
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    if ("k" in value) {
      if (value.k === "core" && "items" in value && (value.items as unknown[]).length === 0) whole = false;
      if (value.k === "vals" && "rows" in value) whole &&= (value.rows as unknown[][]).every((row) => row.length > 0);
    }
    for (const below of Object.values(value)) visit(below);
  };
  visit(tree);
  return whole;
}

export async function reduceWorld(
  world: World,
  sql: string,
  fails: (smaller: World) => Promise<boolean>,
  attempts: number,
): Promise<World> {
  let best = world;
  let tries = 0;
  const attempt = async (smaller: World): Promise<boolean> => {
    if (tries >= attempts) return false;
    tries++;
    if (!(await fails(smaller))) return false;
    best = smaller;
    return true;
  };
  const change = (at: number, make: (table: Table) => Table): World => ({
    ...best,
    tables: best.tables.map((table, i) => (i === at ? make(table) : table)),
  });
  const mentions = (name: string): boolean => sql.toLowerCase().includes(name.toLowerCase());
  const named = best.tables.filter((table) => mentions(table.name));
  if (named.length < best.tables.length) await attempt({ ...best, tables: named });
  for (const at of best.tables.keys()) {
    if (best.tables[at].rows.length > 0 && !(await attempt(change(at, (table) => ({ ...table, rows: [] }))))) {
      await reduceRows(
        () => best.tables[at].rows.length,
        (from, to) => {
          const kept = (_: unknown, i: number): boolean => i < from || i >= to;
          return attempt(change(at, (table) => ({ ...table, rows: table.rows.filter(kept) })));
        },
      );
    }
    const used = best.tables[at].cols.map(({ name }) => mentions(name));
    const some = used.some((is) => is) && used.some((is) => !is);
    if (some && !/\*(?!\))/.test(sql)) {
      const kept = <T>(list: readonly T[]): T[] => list.filter((_, i) => used[i]);
      await attempt(change(at, (table) => ({ ...table, cols: kept(table.cols), rows: table.rows.map(kept) })));
    }
  }
  return best;
}

/** Takes rows away in pieces of half, a quarter, … of them. */
async function reduceRows(count: () => number, without: (from: number, to: number) => Promise<boolean>): Promise<void> {
  for (let size = Math.ceil(count() / 2); ; size = Math.ceil(size / 2)) {
    for (let at = 0; at < count() && count() > 1; ) {
      if (!(await without(at, at + size))) at += size;
    }
    if (size <= 1) return;
  }
}
