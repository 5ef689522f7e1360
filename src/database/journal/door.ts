/** The entry `glove-scratchpad/journal`: journals that outlive the process. */
export { type FileJournalOptions, fileJournal, type TornLine } from "./file-journal.js";
export {
  type Journal,
  JournalConflict,
  type JournalEntry,
  type JournalIntent,
  type JournalOutcome,
} from "./journal.js";
export { type MemoryJournalOptions, memoryJournal } from "./memory-journal.js";
export { type PostgresClient, type PostgresJournalOptions, postgresJournal } from "./postgres-journal.js";
