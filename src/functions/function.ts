/**
 * The shapes of the function library: each family is a table of these entries (see `registry.ts` for how they are found).
 * Overload resolution reads only names and types; the engine calls `call`, or what `specialize` made for one call site.
 */
import type { TypeContext } from "../types/operations.js";
import type { SqlType, TypeName } from "../types/type.js";
import type { Value } from "../types/value.js";

/**
 * As in PostgreSQL: `immutable` depends on its arguments alone, `stable` is the same within a statement, `volatile`
 * may change with every call.
 */
export type Volatility = "immutable" | "stable" | "volatile";

/** What a function may ask of the session that runs it. `now` is fixed for a statement, or for a transaction. */
export interface SessionContext extends TypeContext {
  readonly user: string;
  /** Who asks, where somebody is named: `current_actor()`. */
  readonly actor?: string;
  readonly database: string;
  /** Microseconds since 1970 at the moment of the call: `clock_timestamp()`. */
  clockMicroseconds(): number;
  /** Microseconds since 1970 of the statement's start; differs from `nowMicroseconds` inside a transaction. */
  readonly statementMicroseconds: number;
  /** A number in [0, 1): `random()`. */
  random(): number;
  setting(name: string): string | undefined;
  /** Rejects a value that would take the memory of the statement over its limit. @throws SqlError 54000 */
  reserveBytes(bytes: number): void;
  nextval?(sequence: string): number | bigint;
  /** The number that `nextval` gave last in this session; `undefined` when it gave none. Without a name: of any sequence. */
  currval?(sequence?: string): number | bigint | undefined;
  setval?(sequence: string, value: number | bigint, called: boolean): void;
}

/** What a function or an operator belongs to that PostgreSQL has and the library has not, and what to write instead. */
export interface MissingFeature {
  readonly feature: string;
  readonly hint: string;
}

/** One call in a statement, with every type resolved. */
export interface CallSite {
  readonly argTypes: readonly SqlType[];
  readonly resultType: SqlType;
  readonly session: SessionContext;
}

/** A callable over values. Arguments are given in order; a VARIADIC tail arrives as separate arguments. */
export type Callable = (...args: never[]) => Value;

interface Entry {
  readonly name: string;
  /** Absent for the library's own, which are in `pg_catalog`; otherwise calls have to write it. */
  readonly schema?: string;
  /** Types of the arguments; the last one repeats (at least once) when `variadic`. */
  readonly args: readonly TypeName[];
  readonly variadic?: boolean;
  /** How many trailing arguments may be left out; `defaults` gives their values. */
  readonly defaults?: readonly Value[];
  readonly argNames?: readonly string[];
  readonly volatility: Volatility;
  /** One line for the generated documentation, where the name does not say it all. */
  readonly description?: string;
}

/** An ordinary function. `strict`: NULL for any NULL argument, without a call. */
export interface ScalarFunction extends Entry {
  readonly kind: "scalar";
  readonly returns: TypeName;
  readonly strict: boolean;
  /** Flow labels that its result is free of, whatever its arguments have: the host's word for a function of its own. */
  readonly declassifies?: readonly string[];
  readonly call?: Callable;
  /** Instead of `call`, where the types of the call or the session matter; called once a plan. */
  readonly specialize?: (site: CallSite) => Callable;
}

/** An operator: `left` is absent for a prefix operator. Always strict unless `strict` is false. */
export interface Operator {
  readonly kind: "operator";
  /** The symbol: `+`, `||`, `->>`, `~*`, `=`. */
  readonly name: string;
  readonly left?: TypeName;
  readonly right: TypeName;
  readonly returns: TypeName;
  readonly strict?: boolean;
  readonly volatility: Volatility;
  readonly call?: Callable;
  readonly specialize?: (site: CallSite) => Callable;
  /** The operator with its sides exchanged (`<` for `>`), when there is one. */
  readonly commutator?: string;
  /** The operator that gives the opposite answer (`<>` for `=`). */
  readonly negator?: string;
  /** It takes part in the choice, as in PostgreSQL, but a statement that means it is refused. */
  readonly missing?: MissingFeature;
}

/**
 * An aggregate. `create` makes a call site's accumulator; each group owns a state.
 * With `strict`, `step` is not called for rows in which an argument is NULL.
 */
export interface AggregateFunction extends Entry {
  readonly kind: "aggregate";
  readonly returns: TypeName;
  readonly strict: boolean;
  /** `ordered-set`: WITHIN GROUP (percentile_cont, mode); its direct arguments come first in `args`, `directArgs` of them. */
  readonly aggregateKind: "normal" | "ordered-set" | "hypothetical-set";
  readonly directArgs?: number;
  readonly create: (site: CallSite) => Accumulator<unknown>;
}

/** One aggregate at one call site. Aggregates that need all values ordered get them in order, one `step` a row. */
export interface Accumulator<S> {
  init(): S;
  /** Takes one row in; the state may be changed in place, the new state is returned. */
  step(state: S, ...args: Value[]): S;
  /** The result; the state may be stepped on afterwards (window frames), so it is not to be spoiled. For ordered-set aggregates `direct` are the direct arguments. */
  final(state: S, direct?: readonly Value[]): Value;
  /** Takes a row out again, for moving window frames; absent when the aggregate cannot. `undefined`: could not, start anew. */
  unstep?(state: S, ...args: Value[]): S | undefined;
}

/** A window function proper (rank, lag, …); aggregates can be used as window functions too. */
export interface WindowFunction extends Entry {
  readonly kind: "window";
  readonly returns: TypeName;
  readonly specialize: (site: CallSite) => WindowCallable;
}

/** The partition as a window function sees it. Positions are 0-based within the partition, in window order. */
export interface WindowFrameView {
  readonly rowCount: number;
  /** Argument `i` at a row of the partition. */
  argument(i: number, row: number): Value;
  /** Peer group (rows equal under the window's ORDER BY) of a row: first position and the one after the last. */
  peersStart(row: number): number;
  peersEnd(row: number): number;
  /** Number of peer groups before that of `row`. */
  peerGroupIndex(row: number): number;
  /** Frame of the current row: the n-th row in the frame (0-based; negative counts from the end), -1 when there is none. EXCLUDE is taken into account. */
  frameRow(row: number, n: number): number;
}

/** The value for one row (0-based in its partition). */
export type WindowCallable = (view: WindowFrameView, row: number) => Value;

/** A function that gives rows. `columns` names and types them when there are several, or when the column has a name of its own. */
export interface SetReturningFunction extends Entry {
  readonly kind: "set";
  readonly returns: TypeName;
  readonly columns?: readonly { readonly name: string; readonly type: TypeName }[];
  readonly strict: boolean;
  /** Yields a value a row, or an array of values a row when `columns` has several. Lazy, so that LIMIT can stop it. */
  readonly specialize: (site: CallSite) => (...args: Value[]) => Iterable<Value>;
}

/** An entry of the library of any kind. */
export type AnyFunction = ScalarFunction | AggregateFunction | WindowFunction | SetReturningFunction;
