/** An open transaction: whose it is, its block, and the effects staged in it, in the order of the statements. */
import type { Block } from "./block.js";
import { type Effect, viewOf } from "./effect.js";
import type { StagedWriteView, TouchedRelation } from "./types.js";

/** Belongs to one {@link Transactions}; dropped when the transaction ends. */
export class Transaction {
  private effects: readonly Effect[] = [];

  /**
   * @param actor who began it: nobody else may send statements in it
   * @param startedMicroseconds what `now()` says throughout the transaction
   */
  constructor(
    readonly actor: string | undefined,
    readonly startedMicroseconds: number,
    public block: Block,
  ) {}

  /** What waits, also while the transaction is aborted: ROLLBACK TO a savepoint may bring a part of it back. */
  get staged(): readonly Effect[] {
    return this.effects;
  }

  stage(effects: readonly Effect[]): void {
    this.effects = [...this.effects, ...effects];
  }

  /** Drops what was staged after the first `count` effects. */
  keep(count: number): void {
    this.effects = this.effects.slice(0, count);
  }

  /** What COMMIT would fire: nothing once the transaction is aborted. */
  views(): StagedWriteView[] {
    return this.block.failed ? [] : this.effects.map((effect, i) => viewOf(effect, i + 1));
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
