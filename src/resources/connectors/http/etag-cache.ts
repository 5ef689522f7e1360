/**
 * Answers that a service may confirm instead of sending them again (`ETag`, `If-None-Match`, 304). Bounded; the answer that
 * was not used for longest goes first. Source: RFC 9110, sections 8.8.3 and 13.1.2.
 */

/** An answer that is kept. */
export interface KeptAnswer {
  readonly etag: string;
  readonly bytes: Uint8Array;
  /** The headers that reading it needs. */
  readonly headers: Headers;
}

const maxEntries = 500;
const maxBytes = 16 * 1024 * 1024;

/** The kept answers of one resource. */
export class EtagCache {
  private readonly answers = new Map<string, KeptAnswer>();
  private bytes = 0;

  /** @param key tells requests apart: address and headers */
  get(key: string): KeptAnswer | undefined {
    const found = this.answers.get(key);
    if (found === undefined) return undefined;
    this.answers.delete(key);
    this.answers.set(key, found); // the newest in the order of use
    return found;
  }

  set(key: string, answer: KeptAnswer): void {
    this.delete(key);
    if (answer.bytes.length > maxBytes / 4) return; // one answer must not push out all others
    this.answers.set(key, answer);
    this.bytes += answer.bytes.length;
    for (const oldest of this.answers.keys()) {
      if (this.answers.size <= maxEntries && this.bytes <= maxBytes) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    this.bytes -= this.answers.get(key)?.bytes.length ?? 0;
    this.answers.delete(key);
  }
}
