/** A journal in memory: what it knows ends with the process. What a database has when it is given none. */
import { type EffectState, isSettled, withEntry } from "./effect-state.js";
import { type Journal, JournalConflict, type JournalEntry } from "./journal.js";

/** Options of {@link memoryJournal}. */
export interface MemoryJournalOptions {
  /**
   * Settled effects that are remembered, the latest; default 1,000. Those in doubt, and those whose key the host chose
   * (`ExecuteOptions.idempotencyKey`), are always remembered: a forgotten one would be sent again.
   */
  readonly maxSettled?: number;
}

interface Kept {
  readonly entries: JournalEntry[];
  /** Of each entry among all that were written. */
  readonly places: number[];
  state: EffectState | undefined;
}

/** @throws RangeError for a number of effects that is none */
export function memoryJournal({ maxSettled = 1_000 }: MemoryJournalOptions = {}): Journal {
  if (!(maxSettled >= 0)) throw new RangeError(`maxSettled must be 0 or more, not ${maxSettled}`);
  const effects = new Map<string, Kept>();
  let written = 0;
  /** Keys that may be forgotten, the one that was settled first at the front. */
  const settled = new Set<string>();

  function add(entry: JournalEntry): void {
    const key = entry.idempotencyKey;
    const kept = effects.get(key) ?? { entries: [], places: [], state: undefined };
    if (kept.entries.length !== entry.number) throw new JournalConflict(key);
    kept.entries.push(entry);
    kept.places.push(written++);
    kept.state = withEntry(kept.state, entry);
    effects.set(key, kept);
    if (kept.state === undefined || kept.state.intent.hash !== undefined || !isSettled(kept.state)) settled.delete(key);
    else settled.add(key);
    for (const oldest of settled) {
      if (settled.size <= maxSettled) break;
      settled.delete(oldest);
      effects.delete(oldest);
    }
  }

  return {
    append: async (entry) => add(entry),
    async *open() {
      const all = [...effects.values()].flatMap(({ entries, places }) =>
        entries.map((entry, i) => ({ entry, place: places[i] })),
      );
      for (const { entry } of all.sort((a, b) => a.place - b.place)) yield entry;
    },
    find: async (key) => [...(effects.get(key)?.entries ?? [])],
    close: async () => undefined,
  };
}
