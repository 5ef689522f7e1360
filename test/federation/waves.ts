/**
 * Writes down the calls of a statement in waves: all calls that are under way before any of them is answered are one
 * wave. What could run side by side and did not, and what had to wait and did not, shows in the list; no clock is read.
 */

/** Turns of the event loop without a new call after which a wave is over: a statement needs one or two between calls. */
const quietTurns = 12;

export class Waves {
  private recorded: string[][] = [];
  private current: string[] = [];
  private waiting: (() => void)[] = [];
  private quiet = 0;
  private watching = false;

  /** Holds a call until no other call follows; `text` says which call it is. */
  call(text: string): Promise<void> {
    this.current.push(text);
    this.quiet = 0;
    if (!this.watching) this.watch();
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** The waves so far, one that is not over yet among them, each in alphabetical order; the list is emptied. */
  take(): string[][] {
    this.endWave();
    const waves = this.recorded;
    this.recorded = [];
    return waves;
  }

  private endWave(): void {
    if (this.current.length > 0) this.recorded.push(this.current.sort());
    this.current = [];
  }

  private watch(): void {
    this.watching = true;
    const turn = () => {
      this.quiet += 1;
      if (this.quiet < quietTurns) {
        setImmediate(turn);
        return;
      }
      this.watching = false;
      this.endWave();
      for (const answer of this.waiting.splice(0)) answer();
    };
    setImmediate(turn);
  }
}
