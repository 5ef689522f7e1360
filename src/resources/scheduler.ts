/**
 * Decides when a call may start: one for all statements of a database. A call needs a free place of the database, a free
 * place of its scope (the tables of one service) and a token of the scope's bucket, and takes all of them at once or none:
 * one that waits for a slow service keeps no other from starting, and a token is spent when the call is made, not before.
 *
 * A queue of its own rather than one limiter within another: those hold the outer place while they wait for the inner, and
 * what waits in them cannot be taken out again.
 */
import type { RateLimit } from "./resource.js";
import type { StopSignal } from "./stop-signal.js";
import type { RegisteredResource } from "./table-info.js";
import { tableKey } from "./table-key.js";
import { maxTimerMs } from "./timer.js";
import { TokenBucket } from "./token-bucket.js";

/** A call's permission to run. */
export interface Place {
  /** Milliseconds that it waited. */
  readonly waitedMs: number;
  /** Gives the place to the next; more than once does no harm. */
  release(): void;
}

interface Waiter {
  readonly since: number;
  start(place: Place): void;
}

/** The calls of one statement on one table that wait, in the order in which they came. */
interface Lane {
  readonly scope: Scope;
  readonly waiters: Set<Waiter>;
}

/**
 * One a database, shared by its sessions. A resolver that runs a statement of the same database holds its place meanwhile:
 * as many such calls at once as there are places would wait for each other until their time is over.
 */
export class Scheduler {
  private readonly scopes = new Map<string, Scope>();
  private readonly lanes = new Map<string, Lane>();
  private readonly groups = new WeakMap<object, number>();
  private groupCount = 0;
  private running = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** @param concurrency calls under way at once, over all statements */
  constructor(private readonly concurrency: number) {}

  /** Calls that hold a place, and calls that wait for one. */
  get load(): { running: number; waiting: number } {
    let waiting = 0;
    for (const lane of this.lanes.values()) waiting += lane.waiters.size;
    return { running: this.running, waiting };
  }

  /**
   * Takes the table's limits into account. Tables of one scope that declare different limits are bound by the strictest
   * of each: what a service can't take does not depend on the table that asks. A table registered again replaces what it
   * declared before.
   */
  declare(table: RegisteredResource): void {
    this.scopeOf(table).declare(tableKey(table), table);
    this.pump();
  }

  /**
   * Waits until a call on the table may start.
   * @param group whose call it is: statements take turns, so that one of a thousand calls does not hold up the others
   * @param onWait is told once, when the call can't start at once
   * @throws the signal's reason when it is aborted before the call may start; nothing is held then
   */
  acquire(table: RegisteredResource, group: object, signal: StopSignal, onWait?: () => void): Promise<Place> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const key = `${this.numberOf(group)} ${tableKey(table)}`;
      const lane = this.laneOf(key, table);
      let started = false;
      const giveUp = () => {
        lane.waiters.delete(waiter);
        this.dropIfEmpty(key, lane);
        reject(signal.reason);
      };
      const waiter: Waiter = {
        since: performance.now(),
        start: (place) => {
          started = true;
          signal.removeEventListener("abort", giveUp);
          resolve(place);
        },
      };
      lane.waiters.add(waiter);
      signal.addEventListener("abort", giveUp, { once: true });
      this.pump();
      if (!started) onWait?.();
    });
  }

  /** The service asked for a pause: no call of the table's scope starts before it is over. */
  pause(table: RegisteredResource, delayMs: number): void {
    const scope = this.scopeOf(table);
    scope.pausedUntil = Math.max(scope.pausedUntil, performance.now() + delayMs);
  }

  /** Starts whatever may start, one call of each lane in turn. */
  private pump(): void {
    const now = performance.now();
    let earliest = Number.POSITIVE_INFINITY;
    // A lane that gave a call goes to the end, where this loop meets it again; one that has to wait is met once.
    for (const [key, lane] of this.lanes) {
      if (this.running >= this.concurrency) return;
      const { scope } = lane;
      if (scope.running >= scope.concurrency) continue;
      const waitMs = scope.waitMs(now);
      if (waitMs > 0) {
        earliest = Math.min(earliest, waitMs);
        continue;
      }
      const [waiter] = lane.waiters;
      lane.waiters.delete(waiter);
      this.lanes.delete(key);
      if (lane.waiters.size > 0) this.lanes.set(key, lane);
      waiter.start(this.take(scope, waiter, now));
    }
    this.wakeAfter(earliest);
  }

  private take(scope: Scope, waiter: Waiter, now: number): Place {
    scope.bucket?.take(now);
    scope.running += 1;
    this.running += 1;
    let held = true;
    return {
      waitedMs: now - waiter.since,
      release: () => {
        if (!held) return;
        held = false;
        scope.running -= 1;
        this.running -= 1;
        this.pump();
      },
    };
  }

  /** One timer for the call that may start first; none when nothing waits for the time. */
  private wakeAfter(delayMs: number): void {
    clearTimeout(this.timer);
    this.timer = Number.isFinite(delayMs)
      ? setTimeout(() => this.pump(), Math.min(Math.ceil(delayMs), maxTimerMs)) // a longer wait is looked at again then
      : undefined;
  }

  private dropIfEmpty(key: string, lane: Lane): void {
    if (lane.waiters.size > 0 || this.lanes.get(key) !== lane) return;
    this.lanes.delete(key);
    if (this.lanes.size === 0) this.wakeAfter(Number.POSITIVE_INFINITY);
  }

  private laneOf(key: string, table: RegisteredResource): Lane {
    const known = this.lanes.get(key);
    if (known !== undefined) return known;
    const lane: Lane = { scope: this.scopeOf(table), waiters: new Set() };
    this.lanes.set(key, lane);
    return lane;
  }

  private scopeOf(table: RegisteredResource): Scope {
    const { scope } = table.resource;
    const key = scope === undefined ? `table ${tableKey(table)}` : `scope ${scope}`;
    let found = this.scopes.get(key);
    if (found === undefined) {
      found = new Scope();
      found.declare(tableKey(table), table);
      this.scopes.set(key, found);
    }
    return found;
  }

  private numberOf(group: object): number {
    let number = this.groups.get(group);
    if (number === undefined) {
      number = ++this.groupCount;
      this.groups.set(group, number);
    }
    return number;
  }
}

/** What the tables of one service share. */
class Scope {
  running = 0;
  concurrency = Number.POSITIVE_INFINITY;
  bucket: TokenBucket | undefined;
  pausedUntil = 0;
  private readonly declared = new Map<string, { concurrency?: number; rateLimit?: RateLimit }>();

  declare(table: string, { resource }: RegisteredResource): void {
    this.declared.set(table, resource);
    const all = [...this.declared.values()];
    this.concurrency = Math.min(...all.map(({ concurrency }) => concurrency ?? Number.POSITIVE_INFINITY));
    const rates = all.flatMap(({ rateLimit }) => (rateLimit === undefined ? [] : [rateLimit]));
    if (rates.length === 0) {
      this.bucket = undefined;
      return;
    }
    const strictest: RateLimit = {
      perSecond: Math.min(...rates.map((rate) => rate.perSecond)),
      burst: Math.min(...rates.map((rate) => rate.burst ?? rate.perSecond)),
    };
    const now = performance.now();
    if (this.bucket === undefined) this.bucket = new TokenBucket(strictest, now);
    else this.bucket.configure(strictest, now);
  }

  /** Milliseconds until the service takes another call. */
  waitMs(now: number): number {
    return Math.max(0, this.pausedUntil - now, this.bucket?.waitMs(now) ?? 0);
  }
}
