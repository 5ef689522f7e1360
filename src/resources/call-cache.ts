/**
 * Shares the rows of identical calls: within a statement always, within one `execute` for `stable` resources, for the
 * database's life for `immutable` ones. A failed call is forgotten at once.
 */
import type { Volatility } from "../functions/function.js";
import type { Row } from "./resource.js";

export type SharedRows = Promise<readonly Row[]>;

/** Calls that a cache of `immutable` answers holds at most; the least recently used goes first. */
const maxImmutableEntries = 1_000;

/** Answers that outlive a statement: one a database and principal. */
export class ImmutableCache {
  private readonly entries = new Map<string, SharedRows>();

  get(identity: string): SharedRows | undefined {
    const found = this.entries.get(identity);
    if (found !== undefined) {
      this.entries.delete(identity);
      this.entries.set(identity, found);
    }
    return found;
  }

  set(identity: string, rows: SharedRows): void {
    this.entries.set(identity, rows);
    if (this.entries.size > maxImmutableEntries) {
      const [oldest] = this.entries.keys();
      this.entries.delete(oldest);
    }
  }

  delete(identity: string): void {
    this.entries.delete(identity);
  }

  /** Forgets the answers of one table, or of all. */
  invalidate(isOfTable?: (identity: string) => boolean): void {
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
    const store = volatility === "immutable" ? this.immutable : volatility === "stable" ? this.stable : this.statement;
    const known = store.get(identity);
    if (known !== undefined) return { rows: known, made: false };
    const rows = call();
    store.set(identity, rows);
    rows.catch(() => store.delete(identity)); // a failure is told to whoever asked, and not remembered
    return { rows, made: true };
  }
}
