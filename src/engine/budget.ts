/**
 * Budgets of one execution: time, rows and bytes held, cancellation. Operators ask `due()` once a batch, long loops call
 * `step()`; both throw when a limit is passed, and `due()` says when the event loop should have a turn. Functions, which
 * cannot pause, are held to the time by `watch`.
 */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";

/** Limits of one execution; an absent one does not apply. */
export interface EngineLimits {
  /** Rows held in memory at one time: sort buffers, hash tables, results. */
  readonly rows?: number;
  /** Estimated bytes held by them. */
  readonly bytes?: number;
  readonly timeMs?: number;
  /** Milliseconds in which the clock stood still so far: the host was asked for something. */
  readonly stoodStillMs?: () => number;
  /** Rounds of a recursive query. */
  readonly depth?: number;
}

/** How long the engine works before it lets the event loop run. */
const sliceMs = 5;
/** Units of work between two looks at the clock. */
const stepsBetweenLooks = 2048;

export class Budget {
  /** Rows that a scan puts into a batch: less than the full size when a batch takes long, so that pauses stay possible. */
  batchRows = 1024;
  private readonly deadline: number;
  private sliceEnd: number;
  private lastLook: number;
  private steps = 0;
  private rows = 0;
  private bytes = 0;
  private readonly maxRows: number;
  private readonly maxBytes: number;

  constructor(
    private readonly limits: EngineLimits,
    private readonly signal: AbortSignal | undefined,
  ) {
    const now = performance.now();
    this.lastLook = now;
    this.sliceEnd = now + sliceMs;
    this.deadline = limits.timeMs === undefined ? Number.POSITIVE_INFINITY : now + limits.timeMs;
    this.maxRows = limits.rows ?? Number.POSITIVE_INFINITY;
    this.maxBytes = limits.bytes ?? Number.POSITIVE_INFINITY;
    this.checkSignal();
  }

  /** Once a batch: whether to pause. @throws SqlError 57014 past the deadline */
  due(): boolean {
    const now = performance.now();
    if (now > this.deadline) this.checkTime(now);
    const spent = now - this.lastLook;
    this.lastLook = now;
    if (spent > 8) this.batchRows = Math.max(8, this.batchRows >> 1);
    else if (spent < 2 && this.batchRows < 1024) this.batchRows <<= 1;
    return now >= this.sliceEnd;
  }

  /** In loops that may run long between batches: as `due()`, but looks at the clock only now and then. */
  step(units = 1): boolean {
    this.steps += units;
    if (this.steps < stepsBetweenLooks) return false;
    this.steps = 0;
    const now = performance.now();
    if (now > this.deadline) this.checkTime(now);
    return now >= this.sliceEnd;
  }

  /** Within a long call (`types/work.ts`): the operator that made it looks at the clock as soon as it has its value. @throws SqlError 57014 */
  readonly watch = (): void => {
    const now = performance.now();
    if (now > this.deadline) this.checkTime(now);
    this.steps = stepsBetweenLooks;
  };

  private checkTime(now: number): void {
    const { timeMs = 0, stoodStillMs } = this.limits;
    if (now > this.deadline + (stoodStillMs?.() ?? 0)) throw timedOut(timeMs);
  }

  /** After a pause: a new slice begins. */
  resume(): void {
    this.checkSignal();
    const now = performance.now();
    if (now > this.deadline) this.checkTime(now);
    this.lastLook = now;
    this.sliceEnd = now + sliceMs;
  }

  /** Rows and bytes that an operator now holds. @throws SqlError 53400, 54000 */
  retain(rows: number, bytes: number): void {
    this.rows += rows;
    this.bytes += bytes;
    if (this.rows > this.maxRows) {
      throw new SqlError(
        sqlstate.configurationLimitExceeded,
        `statement needs more than ${this.maxRows} rows in memory`,
        { hint: "Narrow the WHERE clause, add a LIMIT, or aggregate earlier." },
      );
    }
    if (this.bytes > this.maxBytes) {
      throw new SqlError(sqlstate.programLimitExceeded, `statement needs more than ${this.maxBytes} bytes of memory`, {
        hint: "Select fewer columns, narrow the WHERE clause, or add a LIMIT.",
      });
    }
  }

  /** What `retain` took, given back. */
  release(rows: number, bytes: number): void {
    this.rows -= rows;
    this.bytes -= bytes;
  }

  /** @throws SqlError 54000 when a recursive query goes on too long */
  checkDepth(rounds: number): void {
    if (this.limits.depth !== undefined && rounds > this.limits.depth) {
      throw new SqlError(sqlstate.programLimitExceeded, `recursive query exceeds ${this.limits.depth} rounds`, {
        hint: "Add a condition to the recursive term that ends the recursion, or use UNION instead of UNION ALL.",
      });
    }
  }

  private checkSignal(): void {
    if (this.signal?.aborted === true) {
      throw new SqlError(sqlstate.queryCanceled, "canceling statement due to user request", {
        cause: this.signal.reason,
      });
    }
  }
}

function timedOut(timeMs: number): SqlError {
  return new SqlError(sqlstate.queryCanceled, "canceling statement due to statement timeout", {
    detail: `The statement ran longer than ${timeMs} ms.`,
    hint: "Narrow the WHERE clause or add a LIMIT.",
  });
}
