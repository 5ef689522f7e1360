/**
 * Bound expressions: every name resolved, every type known, every implicit cast written out.
 *
 * A column is a {@link Column} object with an id that is unique in the statement. Operators of the plan list the columns
 * they put out; an expression refers to a column that its operator's input puts out, or, inside a subquery, to one of an
 * enclosing query (a correlated reference). Ids, not positions: a rule can move an expression through the plan without
 * renumbering it. The engine turns ids into positions when it builds operators.
 */

import type {
  AggregateFunction,
  Callable,
  CallSite,
  SetReturningFunction,
  Volatility,
  WindowFunction,
} from "../functions/function.js";
import type { SqlType } from "../types/type.js";
import type { Value } from "../types/value.js";
import type { LogicalPlan } from "./plan.js";

/** A column of the plan; compared by `id`. */
export interface Column {
  readonly id: number;
  readonly name: string;
  readonly type: SqlType;
  readonly typmod: number;
  /** False only when NULL cannot occur (declared NOT NULL and not on the null-supplying side of an outer join). */
  readonly nullable: boolean;
  /** Declared labels of a text column with an enumeration. */
  readonly labels?: readonly string[];
  /** The table column it is a plain copy of, for messages, lineage and labels. */
  readonly origin?: { readonly table: string; readonly column: string; readonly alias: string };
}

interface Typed {
  readonly type: SqlType;
  /** PostgreSQL's atttypmod of the result; -1 or absent when there is none. */
  readonly typmod?: number;
  /** 1-based position in the SQL text, for errors at run time and for EXPLAIN. */
  readonly position?: number;
}

/** A value that is known, in memory form (see `types/value.ts`); NULL is `null`. */
export interface Constant extends Typed {
  readonly kind: "Constant";
  readonly value: Value;
}
/** `$n`; its value is a host value converted to `type` when the statement starts. */
export interface Parameter extends Typed {
  readonly kind: "Parameter";
  readonly index: number;
}

/** A column of a node below, or of an enclosing query. */
export interface ColumnRef extends Typed {
  readonly kind: "Column";
  readonly column: Column;
}
/** An operator or function call. `operator` is set for operators: their symbol, for printing and for rules. */
export interface Call extends Typed {
  readonly kind: "Call";
  readonly name: string;
  readonly operator?: string;
  readonly args: readonly Expr[];
  readonly volatility: Volatility;
  readonly strict: boolean;
  /** Flow labels that the function takes off what it is given. */
  readonly declassifies?: readonly string[];
  /** Makes the callable for this site; `specialize`d functions get the session here. */
  readonly resolve: (site: CallSite) => Callable;
}
/** A conversion; `explicit` casts print as `::type`. `resolve` makes the conversion for a session; it is not called with NULL. */
export interface Cast extends Typed {
  readonly kind: "Cast";
  readonly input: Expr;
  readonly context: "implicit" | "assignment" | "explicit";
  readonly volatility: Volatility;
  readonly resolve: (site: CallSite) => (value: Value) => Value;
}

/** Two or more operands; NULL counts as unknown. */
export interface And extends Typed {
  readonly kind: "And";
  readonly args: readonly Expr[];
}

/** Two or more operands; NULL counts as unknown. */
export interface Or extends Typed {
  readonly kind: "Or";
  readonly args: readonly Expr[];
}

/** NULL stays NULL. */
export interface Not extends Typed {
  readonly kind: "Not";
  readonly input: Expr;
}
/** `IS [NOT] NULL`; on a row value all fields must be (not) null: `rowwise`. */
export interface IsNull extends Typed {
  readonly kind: "IsNull";
  readonly input: Expr;
  readonly negated: boolean;
  readonly rowwise: boolean;
}
/** `IS [NOT] TRUE | FALSE | UNKNOWN`. */
export interface BooleanTest extends Typed {
  readonly kind: "BooleanTest";
  readonly input: Expr;
  readonly test: "true" | "false" | "unknown";
  readonly negated: boolean;
}
/** `IS [NOT] DISTINCT FROM`; `equals` is the bound equality call of the two sides. */
export interface Distinct extends Typed {
  readonly kind: "IsDistinct";
  readonly left: Expr;
  readonly right: Expr;
  readonly negated: boolean;
  readonly equals: Call;
}
/** Searched CASE; a simple CASE is bound to equalities over one evaluation of its operand (`operand` is bound to `operandColumn` for the branches). */
export interface Case extends Typed {
  readonly kind: "Case";
  readonly operand?: Expr;
  readonly operandColumn?: Column;
  readonly branches: readonly { readonly when: Expr; readonly then: Expr }[];
  readonly otherwise: Expr;
}

/** The first argument that is not NULL; the ones behind it are not evaluated. */
export interface Coalesce extends Typed {
  readonly kind: "Coalesce";
  readonly args: readonly Expr[];
}
/** GREATEST or LEAST: NULLs are ignored. */
export interface MinMax extends Typed {
  readonly kind: "MinMax";
  readonly which: "greatest" | "least";
  readonly args: readonly Expr[];
}
/** NULLIF(a, b): `equals` compares its operands (casts applied); the result is `input` as it was. */
export interface NullIf extends Typed {
  readonly kind: "NullIf";
  readonly input: Expr;
  readonly equals: Expr;
}
/** `x [NOT] IN (a, b, …)`: all items have one type. `equals` is the bound equality of `input` with the first item. */
export interface InList extends Typed {
  readonly kind: "InList";
  readonly input: Expr;
  readonly items: readonly Expr[];
  readonly negated: boolean;
  readonly equals: Call;
}
/** `x op ANY (array)` / `ALL`; `compare` is the bound operator over (input, element). */
export interface ArrayComparison extends Typed {
  readonly kind: "ArrayComparison";
  readonly input: Expr;
  readonly array: Expr;
  readonly quantifier: "any" | "all";
  readonly compare: Call;
}

/** `ARRAY[…]`; `nested`: the items are arrays, which become the next dimension. */
export interface ArrayConstructor extends Typed {
  readonly kind: "Array";
  readonly items: readonly Expr[];
  readonly nested: boolean;
}

/** A record of its items. */
export interface RowConstructor extends Typed {
  readonly kind: "Row";
  readonly items: readonly Expr[];
}
/** `a[i]` (its index is `upper`), `a[i:j]`, several subscripts; jsonb subscripting too. Among slices all are slices: `a[3]` is `1:3`. */
export interface Subscript extends Typed {
  readonly kind: "Subscript";
  readonly input: Expr;
  readonly subscripts: readonly { readonly slice: boolean; readonly lower?: Expr; readonly upper?: Expr }[];
}
/** `(record).field`. */
export interface FieldSelect extends Typed {
  readonly kind: "Field";
  readonly input: Expr;
  readonly index: number;
  readonly name: string;
}
/**
 * Row comparison `(a, b) op (c, d)`: `=` and `<>` compare all fields, the others lexicographically.
 * `equals` has one bound call a field; `less` too, for the ordering operators.
 */
export interface RowCompare extends Typed {
  readonly kind: "RowCompare";
  readonly operator: string;
  readonly left: readonly Expr[];
  readonly right: readonly Expr[];
  readonly equals: readonly Call[];
  readonly compare: readonly Call[];
}
/**
 * A subquery inside an expression. `plan` may refer to columns of enclosing queries.
 * `scalar`: one column, at most one row (21000 otherwise). `exists`. `any` / `all`: `test` is a boolean expression over
 * the outer expressions and the subquery's output columns, tried for each row (`x IN (SELECT y)` is `any` with `x = y`, `NOT IN` a Not around it).
 * `array`: ARRAY(SELECT …). `row`: one row of several columns as a record.
 */
export interface Subquery extends Typed {
  readonly kind: "Subquery";
  readonly subqueryKind: "scalar" | "exists" | "any" | "all" | "array" | "row";
  readonly plan: LogicalPlan;
  readonly test?: Expr;
  /** Printed form of the operator for `any` / `all`: `=`, `<`, … */
  readonly operator?: string;
}
/** GROUPING(a, b, …): the bit mask for the current grouping set; `keys` are indexes into the Aggregate's keys. */
export interface Grouping extends Typed {
  readonly kind: "Grouping";
  readonly keys: readonly number[];
}

/** An expression with its type; every implicit cast is written out. */
export type Expr =
  | Constant
  | Parameter
  | ColumnRef
  | Call
  | Cast
  | And
  | Or
  | Not
  | IsNull
  | BooleanTest
  | Distinct
  | Case
  | Coalesce
  | MinMax
  | NullIf
  | InList
  | ArrayComparison
  | ArrayConstructor
  | RowConstructor
  | Subscript
  | FieldSelect
  | RowCompare
  | Subquery
  | Grouping;

/** One key of an ORDER BY, anywhere. `USING <` and `USING >` are ascending and descending by now. */
export interface SortKey {
  readonly expr: Expr;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

/** An aggregate in an Aggregate (or Window) node. */
export interface AggregateCall {
  readonly function: AggregateFunction;
  readonly args: readonly Expr[];
  readonly argTypes: readonly SqlType[];
  readonly type: SqlType;
  readonly distinct: boolean;
  readonly orderBy: readonly SortKey[];
  readonly filter?: Expr;
  /** Direct arguments of ordered-set aggregates. */
  readonly directArgs?: readonly Expr[];
  /** The same for each grouping set, where they hold a key that is not in every set: it is NULL in the others. */
  readonly directBySet?: readonly (readonly Expr[])[];
  /** `count(*)`. */
  readonly star?: boolean;
}

/** A window function, or an aggregate over a window. */
export interface WindowCall {
  readonly function: WindowFunction | AggregateFunction;
  readonly args: readonly Expr[];
  readonly argTypes: readonly SqlType[];
  readonly type: SqlType;
  readonly filter?: Expr;
  readonly star?: boolean;
}

/** Which rows of the partition a call sees; what was not written is filled in. */
export interface WindowFrame {
  readonly mode: "rows" | "range" | "groups";
  readonly start: FrameBound;
  readonly end: FrameBound;
  readonly exclude: "none" | "current row" | "group" | "ties";
}

/** One end of a frame; `offset` is there for `preceding` and `following`. */
export interface FrameBound {
  readonly kind: "unbounded preceding" | "preceding" | "current row" | "following" | "unbounded following";
  readonly offset?: Expr;
  /** RANGE with an offset: makes the bound from the sort key and the offset (`key - offset`, `key + offset`), for a session. */
  readonly shift?: (site: CallSite) => (key: Value, offset: Value) => Value;
}

/**
 * A call of a set-returning function. `columns` has one column for each that the function gives; in a select list it has
 * exactly one, so that of a function with several columns (`function.columns`) each row is packed into a RecordValue.
 */
export interface SetCall {
  readonly function: SetReturningFunction;
  readonly args: readonly Expr[];
  readonly argTypes: readonly SqlType[];
  readonly type: SqlType;
  readonly columns: readonly Column[];
}
