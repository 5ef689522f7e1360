/**
 * The journal as the database uses it: writes the entries of an effect in their order, knows which effects this process has
 * under way, and says what is in doubt. One a journal; databases that are given the same journal object share it.
 */
import { type EffectState, isSettled, stateOf, statusOf, withEntry } from "./effect-state.js";
import { indexedJournal } from "./indexed-journal.js";
import {
  type Journal,
  JournalConflict,
  type JournalEntry,
  type JournalIntent,
  type JournalOutcome,
} from "./journal.js";
import { memoryJournal } from "./memory-journal.js";

/** An intent without what the ledger knows itself. */
export type NewIntent = Omit<JournalIntent, "kind" | "number" | "attempt" | "writer" | "at">;

/** An outcome without what the ledger knows itself. */
export type NewOutcome = Omit<JournalOutcome, "kind" | "idempotencyKey" | "number" | "attempt" | "writer" | "at">;

/** The journal did not take an entry. Its own words are the message. */
export class JournalFailed extends Error {
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = "JournalFailed";
  }
}

/** One time that an effect is sent, from its intent to its outcome. */
export interface Attempt {
  /**
   * Writes the outcome; where the journal does not take it, it is kept and tried again by {@link Ledger.writeLate}.
   * May be called again when more is known.
   * @returns the journal's words when it did not take it
   */
  end(outcome: NewOutcome): Promise<string | undefined>;
}

/** Milliseconds between looks at an effect that another process has under way. */
const firstLookMs = 20;
const lastLookMs = 500;

/** Made by {@link Ledger.open}; each `open` is to be followed by one `close`. */
export class Ledger {
  private static readonly ledgers = new WeakMap<Journal, Promise<Ledger>>();

  /** Of this process's entries. */
  readonly writer = globalThis.crypto.randomUUID();
  private readonly underWay = new Map<string, Promise<void>>();
  private late: JournalOutcome[] = [];
  private users = 0;

  private constructor(
    /** As the host gave it. */
    private readonly given: Journal,
    private readonly journal: Journal,
    private readonly find: (key: string) => Promise<readonly JournalEntry[]>,
  ) {}

  /** @throws what reading the journal throws, for one that is read when it is opened */
  static async open(journal: Journal = memoryJournal()): Promise<Ledger> {
    let opening = Ledger.ledgers.get(journal);
    if (opening === undefined) {
      opening = Ledger.make(journal);
      Ledger.ledgers.set(journal, opening);
      opening.catch(() => Ledger.ledgers.delete(journal)); // whoever waits is told; another try reads again
    }
    const ledger = await opening;
    ledger.users += 1;
    return ledger;
  }

  private static async make(journal: Journal): Promise<Ledger> {
    const own = journal.find === undefined ? await indexedJournal(journal) : journal;
    const { find } = own;
    return new Ledger(journal, own, (key) => (find === undefined ? Promise.resolve([]) : find.call(own, key)));
  }

  /** What the journal knows of an effect. @throws JournalFailed */
  async stateOf(key: string): Promise<EffectState | undefined> {
    try {
      return stateOf(await this.find(key));
    } catch (error) {
      throw new JournalFailed(error);
    }
  }

  /** Whether somebody is sending the effect now. */
  async isUnderWay(state: EffectState): Promise<boolean> {
    if (statusOf(state) !== "open") return false;
    for (const writer of new Set(state.open.values())) {
      if (writer === this.writer ? this.underWay.has(state.intent.idempotencyKey) : await this.isAlive(writer))
        return true;
    }
    return false;
  }

  private async isAlive(writer: string): Promise<boolean> {
    try {
      return (await this.journal.isAlive?.(writer)) ?? false;
    } catch (error) {
      throw new JournalFailed(error);
    }
  }

  /**
   * What the journal knows of an effect when nobody is sending it any more.
   * @throws the signal's reason when it is aborted before; JournalFailed
   */
  async stateAtRest(key: string, signal: AbortSignal): Promise<EffectState | undefined> {
    for (let waitMs = firstLookMs; ; waitMs = Math.min(lastLookMs, waitMs * 2)) {
      const own = this.underWay.get(key);
      if (own === undefined) {
        const state = await this.stateOf(key);
        if (state === undefined || !(await this.isUnderWay(state))) return state;
      }
      await pause(waitMs, signal, own);
      signal.throwIfAborted();
    }
  }

  /**
   * Writes the intent to send an effect.
   * @param state what the journal knows of it; `undefined`: nothing
   * @throws JournalConflict when somebody else wrote of the effect meanwhile; JournalFailed when the intent was not written
   */
  async begin(intent: NewIntent, state: EffectState | undefined, now: () => Date): Promise<Attempt> {
    const key = intent.idempotencyKey;
    const number = state?.next ?? 0;
    const attempt = state === undefined ? 1 : state.intent.attempt + 1;
    const entry: JournalIntent = { ...intent, kind: "intent", number, attempt, writer: this.writer, at: written(now) };
    if (this.underWay.has(key)) throw new JournalConflict(key);
    const over = this.startSending(key);
    try {
      await this.journal.append(entry);
    } catch (error) {
      over();
      if (error instanceof JournalConflict) throw error;
      // It may stand there all the same: then it must not stay in doubt, for it is not sent.
      this.late.push({ ...placeAfter(entry, now), status: "not_tried" });
      throw new JournalFailed(error);
    }
    if (this.late.length > 0) await this.writeLate(); // the journal takes entries again
    return {
      end: async (outcome) => {
        try {
          return await this.append({ ...placeAfter(entry, now), ...outcome });
        } finally {
          over();
        }
      },
    };
  }

  /** @returns what ends it, for those who wait */
  private startSending(key: string): () => void {
    let done = (): void => undefined;
    const sending = new Promise<void>((resolve) => {
      done = resolve;
    });
    this.underWay.set(key, sending);
    return () => {
      if (this.underWay.get(key) === sending) this.underWay.delete(key);
      done();
    };
  }

  /** The host's word on an effect that is in doubt. @throws JournalFailed, JournalConflict */
  async settle(state: EffectState, outcome: NewOutcome, now: () => Date): Promise<void> {
    const { idempotencyKey, attempt } = state.intent;
    try {
      await this.journal.append({
        kind: "outcome",
        idempotencyKey,
        number: state.next,
        attempt,
        writer: this.writer,
        at: written(now),
        ...outcome,
        settledBy: "host",
      });
    } catch (error) {
      throw error instanceof JournalConflict ? error : new JournalFailed(error);
    }
  }

  private async append(outcome: JournalOutcome): Promise<string | undefined> {
    try {
      await this.appendNext(outcome);
      return undefined;
    } catch (error) {
      this.late.push(outcome);
      return error instanceof Error ? error.message : String(error);
    }
  }

  /** With the next free number: others may have written of the effect while it was under way. */
  private async appendNext(outcome: JournalOutcome): Promise<void> {
    let { number } = outcome;
    for (;;) {
      try {
        await this.journal.append({ ...outcome, number });
        return;
      } catch (error) {
        if (!(error instanceof JournalConflict)) throw error;
        const next = stateOf(await this.find(outcome.idempotencyKey))?.next;
        if (next === undefined) return; // the journal has forgotten the effect: it was settled long ago
        if (next <= number) throw error;
        number = next;
      }
    }
  }

  /**
   * Tries again to write the outcomes that the journal did not take.
   * @returns how many it still does not take, and its words for the last
   */
  async writeLate(): Promise<{ readonly left: number; readonly error?: unknown }> {
    const waiting = this.late;
    this.late = [];
    let failure: unknown;
    for (const outcome of waiting) {
      try {
        // An intent that was not written after all has no outcome.
        if ((await this.find(outcome.idempotencyKey)).length > 0) await this.appendNext(outcome);
      } catch (error) {
        failure = error;
        this.late.push(outcome);
      }
    }
    return { left: this.late.length, ...(failure !== undefined && { error: failure }) };
  }

  /** Effects that were sent, or about to be, and of which nobody knows whether they happened; in the order of their intents. */
  async inDoubt(): Promise<EffectState[]> {
    await this.writeLate();
    const states = new Map<string, EffectState>();
    try {
      for await (const entry of this.journal.open()) {
        const state = withEntry(states.get(entry.idempotencyKey), entry);
        if (state === undefined || isSettled(state)) states.delete(entry.idempotencyKey);
        else states.set(entry.idempotencyKey, state);
      }
    } catch (error) {
      throw new JournalFailed(error);
    }
    const found: EffectState[] = [];
    for (const state of states.values()) if (!(await this.isUnderWay(state))) found.push(state);
    return found;
  }

  /** The last database that uses it closes the journal. @throws what closing it throws, or the words for outcomes that are still not written */
  async close(): Promise<void> {
    this.users -= 1;
    if (this.users > 0) return;
    Ledger.ledgers.delete(this.given);
    await Promise.all(this.underWay.values());
    const { error } = await this.writeLate();
    await this.journal.close();
    if (error !== undefined) throw new JournalFailed(error);
  }
}

type Place = Pick<JournalOutcome, "kind" | "idempotencyKey" | "number" | "attempt" | "writer" | "at">;

/** The place of an intent's outcome. */
function placeAfter({ idempotencyKey, number, attempt, writer }: JournalIntent, now: () => Date): Place {
  return { kind: "outcome", idempotencyKey, number: number + 1, attempt, writer, at: written(now) };
}

function written(now: () => Date): string {
  return now().toISOString();
}

/** Until the time is over, the signal is aborted, or the other promise resolves. */
function pause(ms: number, signal: AbortSignal, other: Promise<void> | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end, { once: true });
    other?.then(end);
  });
}
