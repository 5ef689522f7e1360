/** An error of a service that says whether another attempt may succeed. */

/** What a resolver may say of a failure. */
export interface ResourceErrorOptions {
  /** Nothing happened, and the same call may succeed later (HTTP 429, 503, a refused connection). Default false. */
  readonly retryable?: boolean;
  /** Milliseconds that the service asks to wait (`Retry-After`). */
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

/**
 * Thrown by resolvers. Any error with the same two properties is treated alike, so that a client library's own errors
 * can be marked instead of wrapped.
 */
export class ResourceError extends Error {
  readonly retryable: boolean;
  readonly retryAfterMs?: number;

  constructor(message: string, options: ResourceErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "ResourceError";
    this.retryable = options.retryable === true;
    if (options.retryAfterMs !== undefined) this.retryAfterMs = options.retryAfterMs;
  }
}
