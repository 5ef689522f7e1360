/**
 * What all calls of a statement listen to. Each may wait on the statement's signal in several places, and Node warns of a
 * leak where a signal has many listeners; a signal of its own for each call takes longer to abort than a thousand calls may
 * take to be given up.
 */

/** The part of an `AbortSignal` that waiting needs; a real one will do. */
export interface StopSignal {
  readonly aborted: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: as AbortSignal has it
  readonly reason: any;
  throwIfAborted(): void;
  addEventListener(type: "abort", listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

/** Passes on the end of one signal to any number of listeners, by one listener of its own. Each is told at most once. */
export class SharedSignal implements StopSignal {
  private readonly listeners = new Set<() => void>();

  constructor(private readonly signal: AbortSignal) {
    signal.addEventListener("abort", this.tell, { once: true });
  }

  get aborted(): boolean {
    return this.signal.aborted;
  }

  get reason(): unknown {
    return this.signal.reason;
  }

  throwIfAborted(): void {
    this.signal.throwIfAborted();
  }

  /** As with an `AbortSignal`, whoever comes after the end is not told any more. */
  addEventListener(_: "abort", listener: () => void): void {
    if (!this.aborted) this.listeners.add(listener);
  }

  removeEventListener(_: "abort", listener: () => void): void {
    this.listeners.delete(listener);
  }

  /** In the order in which they came; one that another takes out meanwhile is not told. */
  private readonly tell = (): void => {
    const errors: unknown[] = [];
    for (const listener of this.listeners) {
      this.listeners.delete(listener);
      try {
        listener();
      } catch (error) {
        errors.push(error); // the others must not be kept waiting
      }
    }
    if (errors.length > 0) throw errors[0];
  };
}
