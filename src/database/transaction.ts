/** An open transaction: the effects staged in it, in the order of the statements. */
import { type Effect, viewOf } from "./effect.js";
import type { StagedWriteView, TouchedRelation } from "./types.js";

export class Transaction {
  readonly staged: Effect[] = [];
  /** After an error nothing but ROLLBACK is taken, as in PostgreSQL. */
  failed = false;

  /** @param startedMicroseconds what `now()` says throughout the transaction */
  constructor(readonly startedMicroseconds: number) {}

  stage(effects: readonly Effect[]): void {
    this.staged.push(...effects);
  }

  views(): StagedWriteView[] {
    return this.staged.map((effect, i) => viewOf(effect, i + 1));
  }
}

/** What effects that were fired touched: one entry a table and verb, with the calls made. */
export function writtenBy(effects: readonly Effect[]): TouchedRelation[] {
  const touched = new Map<string, TouchedRelation>();
  for (const { table, op } of effects) {
    const key = JSON.stringify([table.schema, table.name, op]);
    const known = touched.get(key);
    if (known !== undefined) known.invocations += 1;
    else {
      touched.set(key, {
        name: table.name,
        schema: table.schema,
        source: "virtual",
        access: "write",
        op,
        volatility: table.volatility,
        bindings: {},
        invocations: 1,
      });
    }
  }
  return [...touched.values()];
}
