/**
 * What the audit keeps: one record a statement, one a call. Records are plain data that `JSON.stringify` takes as it is:
 * a bigint is its digits, a time an ISO 8601 text.
 */
import type { Receipt } from "../types.js";

/** A statement that ended, whatever became of it. */
export interface StatementRecord {
  readonly kind: "statement";
  /** UUID; the statement's calls carry it. */
  readonly id: string;
  /** When it began, ISO 8601. */
  readonly at: string;
  /** Who asked; absent where nobody was named. */
  readonly actor?: string;
  /** Number of the session in the database, from 1. */
  readonly session: number;
  /** The text as it was sent; a statement of a script of several as it was understood. */
  readonly sql: string;
  /** `SELECT`, `INSERT`, `COMMIT`, …; empty for a text that is no statement. */
  readonly statement: string;
  /** Values of the parameters; `[redacted]` where the statement touches a labelled column. */
  readonly params?: readonly unknown[];
  /** The same for statements that run by the same plan; absent where there is none. */
  readonly planHash?: string;
  /** Tables that it named, as `schema.table`, and what it did with them. */
  readonly relations: readonly RelationRecord[];
  readonly status: "ok" | "failed";
  /** PostgreSQL's command tag of one that succeeded: `SELECT 3`. */
  readonly command?: string;
  readonly error?: { readonly code: string; readonly message: string };
  /** What became of its effects: fired by a COMMIT, or at once. Results of calls are left out. */
  readonly receipts?: readonly ReceiptRecord[];
  /** Writes that wait for COMMIT after it. */
  readonly staged?: number;
  /** Rows given to the caller. */
  readonly rows: number;
  /** Length of these rows as JSON, in characters; of more than 200 rows estimated from the first 200. */
  readonly characters: number;
  /** What they cost a model, estimated: a token for every four characters. */
  readonly tokens: number;
  /** Milliseconds from the statement's beginning to its result. */
  readonly durationMs: number;
}

/** One reference to a table in a statement. */
export interface RelationRecord {
  readonly relation: string;
  readonly access: "read" | "write";
  readonly op?: string;
  readonly calls: number;
}

/** A receipt without what the call answered. */
export type ReceiptRecord = Pick<Receipt, "id" | "resource" | "op" | "status" | "durationMs" | "idempotencyKey"> & {
  readonly error?: { readonly code: string; readonly message: string };
};

/** A call of a resource that ended. */
export interface CallAuditRecord {
  readonly kind: "call";
  /** Of the statement that made it. */
  readonly statementId: string;
  readonly at: string;
  readonly actor?: string;
  readonly relation: string;
  readonly op: "select" | "insert" | "update" | "delete";
  /** Arguments by column; `[redacted]` for labelled ones. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Predicates beyond equality that were handed over. */
  readonly quals?: readonly { readonly column: string; readonly operator: string; readonly value?: unknown }[];
  readonly limit?: number;
  /** `answered`, `failed`, `canceled`, `cached` of a read; `fired`, `failed`, `unknown` of a write. */
  readonly status: string;
  readonly error?: string;
  /** Rows and pages of a read. */
  readonly rows?: number;
  readonly pages?: number;
  readonly retries?: number;
  readonly durationMs: number;
  /** Of a write. */
  readonly idempotencyKey?: string;
}

/** What a sink is given; `kind` tells which. */
export type AuditRecord = StatementRecord | CallAuditRecord;

/** What is known of a statement when it begins. */
export interface StatementBegin {
  readonly id: string;
  readonly sql: string;
  readonly actor?: string;
  readonly session: number;
}

/**
 * Takes the records. Calls come before the statement that made them, and both after they ended.
 *
 * A statement waits for its record to be taken. A sink that throws fails the statement (58030), with the receipts of what
 * it fired: a database that must be audited does not answer unseen.
 */
export interface AuditSink {
  /** Is told that a statement begins, in the caller's own async context. */
  begin?(statement: StatementBegin): void;
  write(record: AuditRecord): void | Promise<void>;
  /** Called by `Database.close()`. */
  close?(): void | Promise<void>;
}
