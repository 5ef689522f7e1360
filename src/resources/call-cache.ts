/**
 * Shares the rows of identical calls: within a statement always, within one `execute` for `stable` resources, for the
 * database's life for `immutable` ones, and for `ttlMs` where a resource says so. Only whole answers outlive a statement:
 * no failed call, and none that is without a part.
 */
import type { Row } from "./resource.js";
import type { RegisteredResource } from "./table-info.js";

/** The answer of one call. */
export interface CallAnswer {
  readonly rows: readonly Row[];
  readonly pages: number;
  /** Estimated. */
  readonly bytes: number;
  readonly durationMs: number;
  readonly waitedMs: number;
  readonly retries: number;
  /** Something is missing from the rows, as the caller allowed. */
  readonly isPartial: boolean;
}

/** Bounds of what is kept beyond an `execute`: calls, and rows of all of them. The least recently used goes first. */
const maxKeptCalls = 1_000;
const maxKeptRows = 1_000_000;

interface KeptAnswer {
  readonly table: RegisteredResource;
  readonly answer: CallAnswer;
  /** Milliseconds of the database's clock; absent: for ever. */
  readonly expiresAtMs?: number;
}

/**
 * Answers that outlive an `execute`: one a database. The identity of a call names the principal, so that nobody sees what
 * was fetched for another. Only finished calls are kept: a session which gives up its own call never takes another
 * session's answer away.
 */
export class KeptAnswers {
  private readonly entries = new Map<string, KeptAnswer>();
  private rows = 0;
  /** Counts what was forgotten: an answer asked for before is not kept after it. */
  private generation = 0;

  /** @param now the database's clock */
  constructor(private readonly now: () => Date) {}

  /** Calls and rows that are held. */
  get size(): { calls: number; rows: number } {
    return { calls: this.entries.size, rows: this.rows };
  }

  /** A kept answer; used last from now on. */
  get(identity: string): CallAnswer | undefined {
    const found = this.entries.get(identity);
    if (found === undefined) return undefined;
    this.drop(identity);
    if (found.expiresAtMs !== undefined && this.now().getTime() >= found.expiresAtMs) return undefined;
    this.put(identity, found);
    return found.answer;
  }

  /** Begins a call whose answer may be kept. The function that it returns takes the answer when it is there. */
  begin(identity: string, table: RegisteredResource): (answer: CallAnswer) => void {
    const { generation } = this;
    const { ttlMs } = table.resource;
    // An answer is as old as the question: the service may have looked at its data at once and answered late.
    const expiresAtMs = ttlMs === undefined ? undefined : this.now().getTime() + ttlMs;
    return (answer) => {
      if (answer.isPartial || generation !== this.generation || answer.rows.length > maxKeptRows) return;
      this.drop(identity);
      this.put(identity, { table, answer, ...(expiresAtMs !== undefined && { expiresAtMs }) });
      for (const oldest of this.entries.keys()) {
        if (this.entries.size <= maxKeptCalls && this.rows <= maxKeptRows) break;
        this.drop(oldest);
      }
    };
  }

  /** Forgets the answers of one table, or of all. A table registered anew is another one: its answers are not those of the old. */
  forget(table?: { readonly schema: string; readonly name: string }): void {
    this.generation += 1;
    for (const [identity, entry] of [...this.entries]) {
      if (table === undefined || (entry.table.schema === table.schema && entry.table.name === table.name))
        this.drop(identity);
    }
  }

  private put(identity: string, entry: KeptAnswer): void {
    this.entries.set(identity, entry);
    this.rows += entry.answer.rows.length;
  }

  private drop(identity: string): void {
    const entry = this.entries.get(identity);
    if (entry === undefined) return;
    this.entries.delete(identity);
    this.rows -= entry.answer.rows.length;
  }
}

/** The cache as one statement sees it. `execute` makes one for its script and a new statement scope in it for each statement. */
export class CallCache {
  private readonly stable = new Map<string, CallAnswer>();
  private statement = new Map<string, Promise<CallAnswer>>();
  /** Counts writes: what was asked for before one is not `stable` after it. */
  private generation = 0;

  constructor(private readonly kept: KeptAnswers) {}

  /** A new statement begins: what `volatile` resources answered is forgotten, and so is every call that failed. */
  beginStatement(): void {
    this.statement = new Map();
  }

  /** A write may have changed what `stable` resources answer, and on its own table whatever is kept. */
  forgetStable(tables: Iterable<RegisteredResource> = []): void {
    this.generation += 1;
    this.stable.clear();
    this.statement.clear();
    for (const table of tables) this.kept.forget(table);
  }

  /** Whether an identical call has been made, or is under way in this statement. */
  has(identity: string, table: RegisteredResource): boolean {
    return this.statement.has(identity) || this.known(identity, table) !== undefined;
  }

  /**
   * The answer of a call, shared with an identical one that was made or is under way.
   * `made` is false when an earlier call's answer is used. A failure is shared within the statement only.
   */
  share(
    identity: string,
    table: RegisteredResource,
    call: () => Promise<CallAnswer>,
  ): { answer: Promise<CallAnswer>; made: boolean } {
    const shared = this.statement.get(identity);
    if (shared !== undefined) return { answer: shared, made: false };
    const known = this.known(identity, table);
    // From here on the statement goes by this answer, even if it expires before the statement ends.
    const answer = known === undefined ? this.keeping(identity, table, call) : Promise.resolve(known);
    this.statement.set(identity, answer);
    return { answer, made: known === undefined };
  }

  private known(identity: string, table: RegisteredResource): CallAnswer | undefined {
    if (table.volatility === "volatile") return undefined;
    const stable = this.stable.get(identity);
    if (stable !== undefined) return stable;
    return outlives(table) ? this.kept.get(identity) : undefined;
  }

  private keeping(identity: string, table: RegisteredResource, call: () => Promise<CallAnswer>): Promise<CallAnswer> {
    if (table.volatility === "volatile") return call();
    const { generation } = this;
    const keep = outlives(table) ? this.kept.begin(identity, table) : undefined;
    return call().then((answer) => {
      keep?.(answer);
      const isStable = table.volatility === "stable" && !answer.isPartial && generation === this.generation;
      if (isStable) this.stable.set(identity, answer);
      return answer;
    });
  }
}

/** Whether answers of the table are kept beyond an `execute`. */
function outlives(table: RegisteredResource): boolean {
  return table.volatility === "immutable" || (table.volatility === "stable" && table.resource.ttlMs !== undefined);
}
