/**
 * The contract of a journal: the place where a database writes down each effect before it is sent, and what became of it
 * after. What a process that was killed had under way is read from it: an intent without an outcome is in doubt.
 *
 * The entries of one effect share its idempotency key and are numbered from 0. The number is what makes writers that share
 * a journal agree: an entry is taken only when there is none of its key and number yet, so of two that want to send the
 * same effect one writes its intent and the other one sees it.
 */

/** What an effect is called with, as JSON (see `codec.ts`): `rows` of an INSERT, `set` of an UPDATE, `match` the row's key. */
export interface JournaledArguments {
  readonly rows?: unknown;
  readonly set?: unknown;
  readonly match?: unknown;
}

interface EntryPlace {
  readonly idempotencyKey: string;
  /** Counts the entries of the key, from 0. */
  readonly number: number;
  /** Counts the times that the effect was to be sent, from 1; an outcome has that of its intent. */
  readonly attempt: number;
  /** UUID of the database that wrote it: one a process, another one after a restart. */
  readonly writer: string;
  /** ISO 8601, of the database's clock. */
  readonly at: string;
}

/** An effect is about to be sent. */
export interface JournalIntent extends EntryPlace {
  readonly kind: "intent";
  readonly schema: string;
  readonly resource: string;
  readonly op: "insert" | "update" | "delete";
  readonly arguments: JournaledArguments;
  readonly actor?: string;
  /** Of what the effect is, for keys that the host chose: the same key must mean the same effect. SHA-256, hexadecimal. */
  readonly hash?: string;
  /** Idempotency key of the effect that this one undoes. */
  readonly compensates?: string;
}

/** What became of it. `unknown`: it was sent and no answer came. `not_tried`: it was not sent after all. */
export interface JournalOutcome extends EntryPlace {
  readonly kind: "outcome";
  readonly status: "fired" | "failed" | "not_tried" | "unknown";
  /** What the verb answered, as the receipt shows it. */
  readonly result?: unknown;
  /** `result` is only the beginning of a large answer. */
  readonly resultTruncated?: boolean;
  readonly error?: { readonly code: string; readonly message: string };
  readonly durationMs?: number;
  /** `host`: settled by hand, which ends every doubt. Absent: what the call said. */
  readonly settledBy?: "host";
}

/** Plain data: what `JSON.parse(JSON.stringify(entry))` gives is the same entry. */
export type JournalEntry = JournalIntent | JournalOutcome;

/**
 * Keeps entries. A journal with `append`, `open` and `close` alone is written by one database at a time, which reads it
 * when it starts; one that several processes write has `find` and `isAlive` as well.
 */
export interface Journal {
  /**
   * Resolves when the entry is as durable as the journal makes it: the effect is sent after that, not before.
   * @throws JournalConflict when it has an entry of that key and number; any other error means that it was not written, or
   *   that nobody knows
   */
  append(entry: JournalEntry): Promise<void>;
  /** All entries, oldest first. */
  open(): AsyncIterable<JournalEntry>;
  close(): Promise<void>;
  /** The entries of one key, oldest first. */
  find?(idempotencyKey: string): Promise<readonly JournalEntry[]>;
  /** Whether another writer may still be sending what it wrote intents of. Without it: none of them. */
  isAlive?(writer: string): Promise<boolean>;
}

/** Thrown by `append`: somebody else wrote that entry of the key first. */
export class JournalConflict extends Error {
  constructor(readonly idempotencyKey: string) {
    super(`the journal has a later entry of the effect ${JSON.stringify(idempotencyKey)}`);
    this.name = "JournalConflict";
  }
}
