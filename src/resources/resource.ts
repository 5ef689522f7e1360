/**
 * The contract of a resource: an entity of a service that becomes a table. Its verbs call the capability; everything
 * else is data that the planner reads. Programs write it through `defineResource` or `resourceFromTool`, generated
 * modules and the MCP client produce it directly.
 */
import type { Volatility } from "../functions/function.js";

export type { Volatility };

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
  /** Default true. */
  readonly nullable?: boolean;
  /** Declared labels of a text column. Comparing with a constant that is none of them is error 22P02. */
  readonly enum?: readonly string[];
  /** Flow labels such as `secret`, `pii`, `untrusted`. */
  readonly labels?: readonly string[];
  /** Resolvers get (and `insert` and `update` receive) a `Date` for this column. Set by `z.date()`. */
  readonly asDate?: boolean;
}

/** A predicate beyond equality that a resource declared to take. */
export interface Qual {
  readonly column: string;
  readonly operator: ">" | ">=" | "<" | "<=" | "<>" | "like" | "ilike" | "is null" | "is not null" | "@>";
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
  readonly orderBy?: readonly { readonly column: string; readonly descending: boolean }[];
  /** Writes only: the same for a repeated attempt at the same effect. */
  readonly idempotencyKey?: string;
  /** Reports progress of a long call: `done` of `total` units. */
  progress(done: number, total?: number, note?: string): void;
}

/** Rows of a read: an array, one row, none, or pages. */
export type Rows<R extends object = Row> = readonly R[] | R | null | undefined | AsyncIterable<readonly R[]>;

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
   * in `bindings.all()`. Default: one call a row, one call a value.
   */
  readonly batch?: { readonly insert?: boolean; readonly keys?: boolean };
  select?(bindings: Bindings, context: ResourceContext): Awaitable<Rows>;
  /** Its return value, when it has rows, feeds RETURNING. */
  insert?(rows: Row[], context: ResourceContext): Awaitable<unknown>;
  update?(set: Partial<Row>, bindings: Bindings, context: ResourceContext): Awaitable<unknown>;
  delete?(bindings: Bindings, context: ResourceContext): Awaitable<unknown>;
  /**
   * Checks and decodes one value that a statement writes to a column; returns the value to hand to the verb.
   * @throws Error whose message says what is wrong with the value
   */
  decode?(column: string, value: unknown): unknown;
}
