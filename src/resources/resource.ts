/**
 * The contract of a resource: an entity of a service that becomes a table. Its verbs call the capability; everything
 * else is data that the planner reads. Programs write it through `defineResource` or `resourceFromTool`, generated
 * modules and the MCP client produce it directly.
 */
import type { QualOperator } from "../catalog/table.js";
import type { Volatility } from "../functions/function.js";

export type { QualOperator, Volatility };

/** A value of a key as SQL sees it; bigint only beyond the safe range. Columns declared by `z.date()` give a `Date` instead. */
export type SqlScalar = string | number | bigint | boolean | null;

/** One row as a resolver gives or takes it: column name → value. Columns left out are NULL. */
export type Row = Record<string, unknown>;

export type Awaitable<T> = T | Promise<T>;

/** A column of a resource. */
export interface ResourceColumn {
  readonly name: string;
  /** Any PostgreSQL spelling of a type: `bigint`, `int8`, `varchar(20)`, `timestamptz`, `text[]`. */
  readonly type: string;
  readonly description?: string;
  /** The resource cannot be read without a value for this column: it is an argument of the call. Default false. */
  readonly requiredKey?: boolean;
  /**
   * The column exists only as an argument of the call: the rows carry what the statement gave. Several values make
   * several calls, as for a required key. Default false.
   */
  readonly argument?: boolean;
  /**
   * The resolver puts the value that the call was given into rows that do not say it (`missing`), or into all, which never
   * say it themselves (`always`: without a value, a predicate on the column is an error). What was passed comes back in it,
   * with its flow labels. Default: for required keys and arguments the values are put in for the resolver.
   */
  readonly stamped?: "missing" | "always";
  /** Name of the tool's argument that an INSERT has to give a value for: without one, it is refused before any call. */
  readonly insertArgument?: string;
  /** Default true. */
  readonly nullable?: boolean;
  /** Declared labels of a text column. Comparing with a constant that is none of them is error 22P02. */
  readonly enum?: readonly string[];
  /** Flow labels such as `secret`, `pii`, `untrusted`. */
  readonly labels?: readonly string[];
  /**
   * Whether an equality on this column is passed to the call. `false` for a column that the service can't filter by:
   * it does not tell calls apart then. Default true.
   */
  readonly equality?: boolean;
  /**
   * Operators beyond equality that the resource takes for this column; they arrive in `bindings.quals`. BETWEEN arrives as
   * `>=` and `<=`. Declare only what the service decides as PostgreSQL does: it may give rows too many, never too few.
   */
  readonly operators?: readonly QualOperator[];
  /**
   * The service decides every predicate that it is handed on this column exactly as PostgreSQL does. Needed for LIMIT to
   * reach the call beside such a predicate; the rows are checked all the same. Default false.
   */
  readonly exact?: boolean;
  /** A value that can't be read as the column's type is NULL, with a notice, instead of an error. Default false. */
  readonly lenient?: boolean;
  /** Resolvers get (and `insert` and `update` receive) a `Date` for this column. Set by `z.date()`. */
  readonly asDate?: boolean;
}

/** A predicate beyond equality that a resource declared to take. */
export interface Qual {
  readonly column: string;
  readonly operator: QualOperator;
  /** Absent for `is null` and `is not null`; never NULL. */
  readonly value?: SqlScalar | unknown;
}

/**
 * The arguments of one call: the values that equalities in the statement give to columns.
 * `R` is the row type, `K` the names of the required keys.
 */
export interface Bindings<R extends object = Row, K extends string = string> {
  /** Column → its values without duplicates, in the order of the statement. */
  readonly eq: ReadonlyMap<string, SqlScalar[]>;
  /**
   * The value of a column bound to exactly one. `undefined` for a column that is not bound, and for an optional column
   * bound to several values, so that no resolver fetches for the first one only. Never `undefined` for a required key.
   */
  one<C extends keyof R & string>(column: C): C extends K ? NonNullable<R[C]> : NonNullable<R[C]> | undefined;
  /** All values of a column; an empty array when it is not bound. */
  all<C extends keyof R & string>(column: C): NonNullable<R[C]>[];
  has(column: keyof R & string): boolean;
  /** Predicates beyond equality, of the operators that the resource declared. */
  readonly quals: readonly Qual[];
}

/** What a resolver may use beside its arguments. */
export interface ResourceContext {
  /** Aborted when the statement is cancelled or times out. */
  readonly signal: AbortSignal;
  readonly actor?: string;
  /** Shared by all calls of one statement; for whatever the resolver wants to remember. */
  readonly cache: Map<string, unknown>;
  /** Rows wanted at most; more may be returned and are ignored. Absent: all. */
  readonly limit?: number;
  /** Names of the columns that the statement reads; others may be left out. */
  readonly columns?: readonly string[];
  /**
   * Order wanted of the rows, beside `limit`; only for columns that the resource declared in `accepts.orderBy`. NULLs come
   * last ascending and first descending, text in byte order, as in PostgreSQL with the C collation.
   */
  readonly orderBy?: readonly { readonly column: string; readonly descending: boolean }[];
  /** Writes only: the same for a repeated attempt at the same effect. */
  readonly idempotencyKey?: string;
  /** Reports progress of a long call: `done` of `total` units. */
  progress(done: number, total?: number, note?: string): void;
  /**
   * Reads only: says that a part of the answer could not be had ("region eu-west-1"), and why. The statement fails with
   * it, unless the caller allows partial answers; then the result lists it.
   */
  missing(part: string, reason: string): void;
}

/** Rows of a read: an array, one row, none, or pages. */
export type Rows<R extends object = Row> = readonly R[] | R | null | undefined | AsyncIterable<readonly R[]>;

/** A write that fired, as `compensate` gets it to undo it. */
export interface FiredWrite {
  readonly idempotencyKey: string;
  readonly op: "insert" | "update" | "delete";
  /** insert: the rows as the verb got them. */
  readonly rows?: readonly Row[];
  /** update: column → value as the verb got it. */
  readonly set?: Row;
  /** update, delete: which row, column → value as the verb got it. */
  readonly match?: Row;
  /** What the verb answered, as the receipt shows it: the id of what was created, for instance. */
  readonly result?: unknown;
}

/** Undoes a write that fired. What it returns becomes the result of its receipt. */
export type Compensation = (write: FiredWrite, context: ResourceContext) => Awaitable<unknown>;

/** How a failed read is tried again: after `minDelayMs`, twice as long each time, with jitter; `Retry-After` is honoured. */
export interface RetryOptions {
  /** Further attempts after the first. Default 2; 0 for none. */
  readonly retries?: number;
  /** Default 200. */
  readonly minDelayMs?: number;
  /** Default 10,000. */
  readonly maxDelayMs?: number;
  /** Whether an error is worth another attempt. Default: one whose `retryable` is true ({@link ResourceError}). */
  readonly isRetryable?: (error: unknown) => boolean;
}

/** A token bucket: `perSecond` tokens a second flow in, `burst` are held at most (default: `perSecond`, at least 1). */
export interface RateLimit {
  readonly perSecond: number;
  readonly burst?: number;
}

/** A table whose rows come from calls. The verbs that are there are the verbs that it has. */
export interface ResourceTable {
  readonly name: string;
  readonly description: string;
  readonly columns: readonly ResourceColumn[];
  /** `immutable`: cached for the database's life; `stable`: within one `execute`; `volatile`: never across statements. */
  readonly volatility: Volatility;
  /** Row identity, for writes by key; defaults to the required keys when there is a verb that writes. */
  readonly primaryKey?: readonly string[];
  /**
   * `insert: true`: one call takes all rows of a statement. `keys: true`: one call takes all values of a required key,
   * in `bindings.all()`; a number: at most so many. Default: one call a row, one call a value.
   */
  readonly batch?: { readonly insert?: boolean; readonly keys?: boolean | number };
  /** Groups of columns of which one each must be bound: `[["id", "number"]]`, beside the required keys. */
  readonly keyAlternatives?: readonly (readonly string[])[];
  /** What a read takes beside predicates. */
  readonly accepts?: {
    /** `context.limit` is looked at: the service can stop early. */
    readonly limit?: boolean;
    /** Columns that the service orders by as PostgreSQL does (byte order of text, NULLs last ascending); see `context.orderBy`. */
    readonly orderBy?: readonly string[];
  };
  /** Every column is `exact`. Default false. */
  readonly exact?: boolean;
  /** Milliseconds that one read may take, all its pages included; a later answer is an error. Default: the statement's. */
  readonly timeoutMs?: number;
  /** Milliseconds without a page, a row or a `progress()`. Default: none. */
  readonly idleTimeoutMs?: number;
  /**
   * How reads, and verbs that are `idempotent`, are tried again after an error marked retryable. Other writes are never
   * tried again. Default: 2 retries.
   */
  readonly retry?: RetryOptions;
  /**
   * Verbs that are safe to send twice: with the same `context.idempotencyKey` (or the same arguments) the service does the
   * work once and answers alike. They are tried again after errors marked retryable and calls without an answer, and
   * `Database.recover({ refire: true })` sends again what was in doubt. Default: none.
   */
  readonly idempotent?: readonly ("insert" | "update" | "delete")[];
  /**
   * Undoes what a verb did, where the service can (an INSERT by deleting what it created). Offered by the receipt, run only
   * on request: `Database.compensate(receipt)`.
   */
  readonly compensate?: {
    readonly insert?: Compensation;
    readonly update?: Compensation;
    readonly delete?: Compensation;
  };
  /** Calls that the service takes in a time, reads and writes together. */
  readonly rateLimit?: RateLimit;
  /** Calls under way at once, beside the database's own limit. */
  readonly concurrency?: number;
  /** Name shared by the tables of one service: they share `rateLimit` and `concurrency`. Default: the table alone. */
  readonly scope?: string;
  /** The server or service that it comes from, as `scratchpad.sources` shows it: `{ name: "github", kind: "mcp" }`. */
  readonly source?: { readonly name: string; readonly kind: string };
  /** Milliseconds for which an answer of a `stable` or `immutable` resource is good across statements. Default: see `volatility`. */
  readonly ttlMs?: number;
  /** Pages that one read may have; more is an error, since a shorter answer would be a wrong one. Default 10,000. */
  readonly maxPages?: number;
  select?(bindings: Bindings, context: ResourceContext): Awaitable<Rows>;
  /** Its return value, when it has rows, feeds RETURNING. */
  insert?(rows: Row[], context: ResourceContext): Awaitable<unknown>;
  update?(set: Partial<Row>, bindings: Bindings, context: ResourceContext): Awaitable<unknown>;
  delete?(bindings: Bindings, context: ResourceContext): Awaitable<unknown>;
  /**
   * Looks at a write that its verb would be called with, before any effect of the statement is sent or staged.
   * @throws Error for one that the verb could not carry out; the statement fails with it, and has done nothing
   */
  checkWrite?(write: Omit<FiredWrite, "result">): void;
  /**
   * Checks and decodes one value that a statement writes to a column; returns the value to hand to the verb.
   * @throws Error whose message says what is wrong with the value
   */
  decode?(column: string, value: unknown): unknown;
}
