/** An open transaction: the effects staged in it, in the order of the statements. */
import { type Effect, viewOf } from "./effect.js";
import type { StagedWriteView } from "./types.js";

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
