/**
 * Shares the rows of identical calls: within a statement always, within one `execute` for `stable` resources, for the
 * database's life for `immutable` ones. A failed call is forgotten at once.
 */
import type { Volatility } from "../functions/function.js";
import type { Row } from "./resource.js";

export type SharedRows = Promise<readonly Row[]>;

/** Calls that a cache of `immutable` answers holds at most; the least recently used goes first. */
const maxImmutableEntries = 1_000;

/**
 * Answers that outlive a statement: one a database and principal. Only finished calls are kept, so that a session which
 * gives up its own call never takes another session's answer away.
 */
export class ImmutableCache {
  private readonly entries = new Map<string, readonly Row[]>();
  /** Counts invalidations: an answer asked for before one is not kept after it. */
  private generation = 0;

  get(identity: string): readonly Row[] | undefined {
    const found = this.entries.get(identity);
    if (found !== undefined) {
      this.entries.delete(identity);
      this.entries.set(identity, found);
    }
    return found;
  }

  /** Keeps the answer of a call that begins now, once it is there. */
  async keep(identity: string, rows: SharedRows): Promise<void> {
    const { generation } = this;
    const answer = await rows;
    if (generation === this.generation) this.set(identity, answer);
  }

  private set(identity: string, rows: readonly Row[]): void {
    this.entries.set(identity, rows);
    if (this.entries.size > maxImmutableEntries) {
      const [oldest] = this.entries.keys();
      this.entries.delete(oldest);
    }
  }

  /** Forgets the answers of one table, or of all. */
  invalidate(isOfTable?: (identity: string) => boolean): void {
    this.generation += 1;
    if (isOfTable === undefined) this.entries.clear();
    else for (const identity of [...this.entries.keys()]) if (isOfTable(identity)) this.entries.delete(identity);
  }
}

/** The cache as one statement sees it. `execute` makes one for its script and a new statement scope in it for each statement. */
export class CallCache {
  private readonly stable = new Map<string, SharedRows>();
  private statement = new Map<string, SharedRows>();

  constructor(private readonly immutable: ImmutableCache) {}

  /** A new statement begins: what `volatile` resources answered is forgotten. */
  beginStatement(): void {
    this.statement = new Map();
  }

  /** A write may have changed what `stable` resources answer. */
  forgetStable(): void {
    this.stable.clear();
    this.statement.clear();
  }

  /**
   * The rows of a call, shared with an identical one that was made or is under way.
   * `made` is false when an earlier call's answer was used.
   */
  share(identity: string, volatility: Volatility, call: () => SharedRows): { rows: SharedRows; made: boolean } {
    if (volatility === "immutable") {
      const kept = this.immutable.get(identity);
      if (kept !== undefined) return { rows: Promise.resolve(kept), made: false };
    }
    const store = volatility === "stable" ? this.stable : this.statement;
    const known = store.get(identity);
    if (known !== undefined) return { rows: known, made: false };
    const rows = call();
    store.set(identity, rows);
    const forget = () => store.delete(identity); // a failure is told to whoever asked, and not remembered
    if (volatility === "immutable") this.immutable.keep(identity, rows).catch(forget);
    else rows.catch(forget);
    return { rows, made: true };
  }
}
