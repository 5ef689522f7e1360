/** The entry `glove-scratchpad/audit`: sinks that need files. */
export { type JsonlSinkOptions, jsonlSink } from "./jsonl-sink.js";
export type { AuditRecord, AuditSink, CallAuditRecord, StatementBegin, StatementRecord } from "./records.js";
