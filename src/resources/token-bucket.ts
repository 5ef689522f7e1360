/**
 * A token bucket: how many calls a service takes in a time. It only counts; who has to wait, waits in the scheduler's
 * queue, where a call that is given up takes no token with it.
 */
import type { RateLimit } from "./resource.js";

/** Sums of fractions of a token fall short of 1 by a rounding error. */
const whole = 1 - 1e-9;

/** Full at first. Times are milliseconds of one clock that never goes back. */
export class TokenBucket {
  private tokens: number;
  private burst: number;
  private perMs: number;

  constructor(
    limit: RateLimit,
    private filledAt: number,
  ) {
    this.burst = burstOf(limit);
    this.perMs = limit.perSecond / 1000;
    this.tokens = this.burst;
  }

  /** Changes the rate; what is there stays, as far as the new bucket holds it. */
  configure(limit: RateLimit, now: number): void {
    this.fill(now);
    this.burst = burstOf(limit);
    this.perMs = limit.perSecond / 1000;
    this.tokens = Math.min(this.tokens, this.burst);
  }

  /** Milliseconds until a token is there; 0 when one is. */
  waitMs(now: number): number {
    this.fill(now);
    return this.tokens >= whole ? 0 : Math.max(1, Math.ceil((1 - this.tokens) / this.perMs));
  }

  /** Takes a token; only after {@link waitMs} said 0. */
  take(now: number): void {
    this.fill(now);
    this.tokens -= 1;
  }

  private fill(now: number): void {
    this.tokens = Math.min(this.burst, this.tokens + Math.max(0, now - this.filledAt) * this.perMs);
    this.filledAt = now;
  }
}

function burstOf({ perSecond, burst }: RateLimit): number {
  return Math.max(1, burst ?? perSecond);
}
