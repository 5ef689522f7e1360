/** The public shapes of the database: options, results, what was touched, staged, fired. */
import type { ErrorReceipt } from "../errors/sql-error.js";
import type { MissingPart, ProgressEvent } from "../resources/progress.js";
import type { SqlScalar, Volatility } from "../resources/resource.js";

export type { MissingPart, ProgressEvent };

/**
 * What statements may do. Plain data but for `approve`; a key that is none of these is an error when the database is
 * created. Where several rules speak of one table, function or label, all of them hold: a denial wins.
 */
export interface Policy {
  /** Whether any write is allowed at all. Default false: the database is read-only. */
  readonly writes?: boolean;
  /** Whether reads of a session see what it wrote before the service shows it. Default true. */
  readonly readYourWrites?: boolean;
  /** Whether UPDATE and DELETE may go without WHERE. Default false. */
  readonly unboundedWrites?: boolean;
  /** Rows that one INSERT, UPDATE, DELETE or MERGE may write; more is 42501 before the first effect. Default: no bound. */
  readonly maxAffectedRows?: number;
  /** Rules by table: a name (`github_issues`, `crm.contacts`) or a pattern with `*`. All that match hold together. */
  readonly tables?: Readonly<Record<string, TableRule>>;
  /** Relations that statements may name, as names or patterns; system relations too. Without `allow`: all but the denied. */
  readonly relations?: { readonly allow?: readonly string[]; readonly deny?: readonly string[] };
  /** Functions that statements may call, as names or patterns. Without `allow`: all but the denied. */
  readonly functions?: { readonly allow?: readonly string[]; readonly deny?: readonly string[] };
  /** Flow labels of columns, beside those that resources declare: `{ "emails.body": ["untrusted"], "crm_*.tax_id": ["pii"] }`. */
  readonly labels?: Readonly<Record<string, readonly string[]>>;
  /** Where values with a label may go. */
  readonly flows?: readonly Flow[];
  /** Bounds on one statement, beside those of the database: the smaller of the two holds. */
  readonly limits?: Limits;
  /**
   * Secret of `hash` masks: with it a value has the same hash in every process. Default: a new one for each database, so
   * that nobody can find a value by hashing guesses.
   */
  readonly maskKey?: string;
  /**
   * Asked before effects are sent: at COMMIT with all staged writes, for a write outside a transaction with its own.
   * `false`, an error and no answer in time refuse them (42501), and nothing is sent. Reads never ask.
   */
  approve?(staged: readonly StagedWriteView[], info: ApprovalInfo): Promise<boolean>;
  /** Milliseconds to wait for `approve`; the statement's own clock stands still meanwhile. Default 300,000. */
  readonly approvalTimeoutMs?: number;
}

/** What is allowed on the tables of one name or pattern. */
export interface TableRule {
  /** Default: all that the table has. */
  readonly verbs?: readonly ("select" | "insert" | "update" | "delete")[];
  /**
   * A condition over the table's columns, as SQL: rows for which it is not true do not exist for the statement, and rows
   * written have to fulfil it. `current_actor()` in it is who asks: `owner = current_actor()`.
   */
  readonly rowFilter?: string;
  /** Columns whose values are never shown: replaced before the statement sees them. */
  readonly mask?: Readonly<Record<string, "redact" | "hash" | "null">>;
}

/** A rule for values with a label. Without `aggregate` or `redact` what it speaks of is refused. */
export interface Flow {
  readonly label: string;
  /** `result`: the rows that a statement returns; else a column that they are written to or passed to as an argument, as `table.column` or a pattern. */
  readonly to: "result" | string;
  readonly allow?: false;
  /**
   * Lets them through inside count, sum, avg, stddev and variance of the column over at least so many rows of its table,
   * told apart by primary key; smaller groups are left out. What it says of one answer it can't say of the difference
   * between two.
   */
  readonly aggregate?: { readonly minGroup: number };
  /** Replaces the values (texts by `[redacted]`, others by NULL) instead of refusing the statement; an argument of a call is refused. */
  readonly redact?: boolean;
  /**
   * Counts what decided that a row is there, or which (WHERE, joins, order), as well as what a value is made of; neither
   * `aggregate` nor `redact` lets that through. To `result`, also refuses expressions that fail for some of the values.
   */
  readonly strict?: boolean;
}

/** What `Policy.approve` is told beside the writes. */
export interface ApprovalInfo {
  /** Of exactly this list of writes with their arguments. */
  readonly hash: string;
  readonly actor?: string;
  /** Aborted when the statement is cancelled or the time to answer is over. */
  readonly signal: AbortSignal;
}

/** Bounds on one statement. Every one has a default; `Infinity` takes it away. */
export interface Limits {
  /** Rows that a statement may hold at once. Default 5,000,000. */
  rows?: number;
  /** Bytes that a statement may hold, estimated. Default 512 MiB. */
  bytes?: number;
  /** Milliseconds for one `execute`, calls included. Default 120,000. */
  timeoutMs?: number;
  /** Calls that one statement may make. Default 1,000. */
  callsPerStatement?: number;
  /** Calls under way at once, over all statements of the database. Default 8. */
  concurrency?: number;
  /** Length of a statement's text in characters. Default 1,000,000. */
  sqlLength?: number;
  /** Depth of recursion in WITH RECURSIVE. Default 10,000 rounds. */
  depth?: number;
}

/** What holds for all statements of a session, unless one says otherwise. */
export interface SessionOptions {
  /** Who asks; see `ExecuteOptions.actor`. */
  actor?: string;
  /** See `ExecuteOptions.allowPartial`. Default false. */
  allowPartial?: boolean;
}

/** Options of one `execute`. A wrong value is error 22023 before anything runs. */
export interface ExecuteOptions {
  /** Values of `$1`, `$2`, …: JSON values, bigint or Date. */
  params?: unknown[];
  /** Rows returned at most; `truncated` says whether there were more. Default 50. */
  limit?: number;
  /** `false` refuses a write outside a transaction, so that it must be staged. Has no effect while the policy refuses writes. */
  allowWrites?: boolean;
  /** Who asks; handed to resolvers and kept apart in caches. Default: the session's. */
  actor?: string;
  signal?: AbortSignal;
  /** Milliseconds for this call instead of `limits.timeoutMs`. */
  timeoutMs?: number;
  /**
   * Lets a read answer although a part of a table could not be had; `missing` of the result says which. Default: the
   * session's, which is false unless it says otherwise: such a statement fails, since a sum over a part looks like the
   * whole. A statement that writes always fails: what it writes can't be labelled.
   */
  allowPartial?: boolean;
  /**
   * Makes this `execute` safe to repeat, after a crash or a lost answer: the n-th effect gets a key made of it, and one that
   * the journal knows as fired is not sent again; its receipt says `replayed`. The statements and parameters must be the
   * same: a key that stood for another effect (or another actor's) is error 22023 before anything is sent. An effect that
   * is in doubt is sent again only when its verb is declared idempotent, otherwise the statement fails (40003). 1 to 200
   * printable ASCII characters. Keys outlive the process only in a journal that does: see `DatabaseOptions.journal`.
   */
  idempotencyKey?: string;
  /** Is told what the statement's calls are doing. An error that it throws fails the statement. */
  onProgress?: (event: ProgressEvent) => void;
}

/** A column of a result. */
export interface ResultField {
  /** As in `rows`; two columns of one name are `name` and `name_1`. */
  name: string;
  /** PostgreSQL type: `bigint`, `text[]`, `timestamp with time zone`. */
  type: string;
  /** Flow labels of the columns it is made of. */
  labels?: string[];
}

/** Something the reader should know beside the rows. */
export interface Notice {
  severity: "NOTICE" | "WARNING";
  code: string;
  message: string;
  hint?: string;
}

/** One reference to a table in a statement: what was asked of it and how many calls that took. */
export interface TouchedRelation {
  name: string;
  schema: string;
  /** `virtual`: rows come from calls. `stored`: rows are at hand. */
  source: "virtual" | "stored";
  access: "read" | "write";
  op?: "select" | "insert" | "update" | "delete";
  volatility?: Volatility;
  /** Column → the values passed as arguments. */
  bindings: Record<string, SqlScalar[]>;
  /** Calls made. */
  invocations: number;
}

/** A write that waits for COMMIT. */
export interface StagedWriteView {
  /** Counts from 1 within the transaction. */
  id: number;
  resource: string;
  op: "insert" | "update" | "delete";
  /** The effect as a SQL statement. */
  sql: string;
  /** insert: the rows, with the values that the verb will get. */
  rows?: Record<string, unknown>[];
  /** update: column → new value. */
  set?: Record<string, unknown>;
  /** update, delete: which row, as the verb will get it. */
  bindings?: Record<string, SqlScalar[]>;
  idempotencyKey: string;
}

/** What became of one effect. `unknown`: it was sent and no answer came, so it may have happened. */
export type Receipt = ErrorReceipt;

/** What one `execute` answers; of a script, what its statements touched together and the rows of the last that has any. */
export interface ExecuteResult {
  rows: Record<string, unknown>[];
  fields: ResultField[];
  /** More rows than `limit` were there. */
  truncated: boolean;
  touched: TouchedRelation[];
  /** Rows of the result before `limit` cut it (when it did: `limit`), or rows written. */
  rowCount?: number;
  /** PostgreSQL's command tag: `SELECT 3`, `INSERT 0 15`, `COMMIT`. */
  command?: string;
  /** The writes that wait for COMMIT after this statement; absent outside a transaction. */
  staged?: StagedWriteView[];
  /** Number of effects that a COMMIT fired. */
  committed?: number;
  receipts?: Receipt[];
  /** A sentence about what happened, for the reader. */
  message?: string;
  notices?: Notice[];
  /** What the answer is without; only with `allowPartial`. */
  missing?: MissingPart[];
}

/** A plan as data: what EXPLAIN prints as a tree. */
export interface PlanNode {
  node: string;
  details?: string[];
  inputs?: PlanNode[];
}

/** What `explain` answers: the plan, and what the statement would touch. Nothing was called. */
export interface ExplainResult {
  /** `SELECT`, `INSERT`, `BEGIN`, … of the (last) statement. */
  statementKind: string;
  /** Whether it runs without an effect. */
  readOnly: boolean;
  relations: TouchedRelation[];
  /** The writes that wait for COMMIT already. */
  staged?: StagedWriteView[];
  plan: PlanNode;
  text: string;
}

/** The limits with every default filled in. */
export function completeLimits(limits: Limits = {}): Required<Limits> {
  return {
    rows: limits.rows ?? 5_000_000,
    bytes: limits.bytes ?? 512 * 1024 * 1024,
    timeoutMs: limits.timeoutMs ?? 120_000,
    callsPerStatement: limits.callsPerStatement ?? 1_000,
    concurrency: limits.concurrency ?? 8,
    sqlLength: limits.sqlLength ?? 1_000_000,
    depth: limits.depth ?? 10_000,
  };
}

/** Of each bound the smaller one. */
export function smallerLimits(limits: Required<Limits>, others: Limits = {}): Required<Limits> {
  const smaller = (key: keyof Limits) => Math.min(limits[key], others[key] ?? Number.POSITIVE_INFINITY);
  return {
    rows: smaller("rows"),
    bytes: smaller("bytes"),
    timeoutMs: smaller("timeoutMs"),
    callsPerStatement: smaller("callsPerStatement"),
    concurrency: smaller("concurrency"),
    sqlLength: smaller("sqlLength"),
    depth: smaller("depth"),
  };
}
