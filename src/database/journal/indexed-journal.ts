/**
 * Finds the entries of a key in a journal that can only be read from its beginning: reads it once, and knows what is
 * appended after that. For journals that one database writes at a time.
 */
import { type EffectState, isSettled, withEntry } from "./effect-state.js";
import { type Journal, JournalConflict, type JournalEntry } from "./journal.js";

interface Known {
  readonly next: number;
  readonly state: EffectState | undefined;
  /** Absent for an effect that nobody will ask for: settled, under a key that was made for it alone. */
  readonly entries?: readonly JournalEntry[];
}

/** @throws whatever reading the journal throws */
export async function indexedJournal(inner: Journal): Promise<Journal> {
  const effects = new Map<string, Known>();
  for await (const entry of inner.open()) effects.set(entry.idempotencyKey, known(effects, entry));
  return {
    async append(entry) {
      const key = entry.idempotencyKey;
      const before = effects.get(key);
      if ((before?.next ?? 0) !== entry.number) throw new JournalConflict(key);
      // Known before it is durable: of two that want to send the same effect, the second one must see the first.
      effects.set(key, known(effects, entry));
      try {
        await inner.append(entry);
      } catch (error) {
        if (before === undefined) effects.delete(key);
        else effects.set(key, before);
        throw error;
      }
    },
    open: () => inner.open(),
    async find(key) {
      const found = effects.get(key);
      if (found === undefined) return [];
      return found.entries ?? (await readAgain(inner, key));
    },
    close: () => inner.close(),
  };
}

function known(effects: ReadonlyMap<string, Known>, entry: JournalEntry): Known {
  const before = effects.get(entry.idempotencyKey);
  const state = withEntry(before?.state, entry);
  const next = entry.number + 1;
  if (state !== undefined && state.intent.hash === undefined && isSettled(state)) return { next, state: undefined };
  return { next, state, entries: [...(before?.entries ?? []), entry] };
}

async function readAgain(inner: Journal, key: string): Promise<JournalEntry[]> {
  const entries: JournalEntry[] = [];
  for await (const entry of inner.open()) if (entry.idempotencyKey === key) entries.push(entry);
  return entries;
}
