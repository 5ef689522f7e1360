/**
 * The logical plan: a small algebra over {@link Column}s. Nodes are plain readonly data; rules make new ones.
 *
 * `outputOf(plan)` lists the columns that a node puts out, in order. A subplan may mention columns that none of its own
 * nodes makes: these are correlated references to an enclosing query (or, on the right of a lateral join, to its left).
 */
import type { QualOperator, Table } from "../catalog/table.js";
import type { Value } from "../types/value.js";
import type { AggregateCall, Column, Expr, SetCall, SortKey, WindowCall, WindowFrame } from "./expr.js";

/** One reference to a table in a statement: two aliases are two scans. */
export interface Scan {
  readonly kind: "Scan";
  /** Unique in the statement; resolved rows are handed to the engine by it. */
  readonly id: number;
  readonly table: Table;
  readonly alias: string;
  /** Columns read, each with its index in `table.columns`; pruning shortens the list. */
  readonly columns: readonly { readonly column: Column; readonly source: number }[];
  /** What was pushed down to a resource; absent for stored tables and before push-down. */
  readonly pushed?: PushedPredicates;
  /** Rows wanted at most, when nothing above can need more. */
  readonly fetch?: number;
  /** The same, where it is known only when the statement starts: the sum of LIMIT's and OFFSET's expressions. Never beside `fetch`. */
  readonly fetchSum?: readonly Expr[];
  /** The condition that a limited call has answered, since its columns are exact: its rows are held against it. */
  readonly exactFilter?: Expr;
  /** Order asked of the resource. */
  readonly orderBy?: readonly { readonly source: number; readonly descending: boolean }[];
  /** 1-based position of the table's name. */
  readonly position?: number;
}

/** The arguments of a scan: the calls made are the product of the sets' tuples. */
export interface PushedPredicates {
  readonly arguments: readonly ArgumentSet[];
  /** Predicates beyond equality, handed to the resource as they are: `updated_at >= …`. */
  readonly quals: readonly PushedQual[];
  /**
   * Conditions on nothing but columns that the arguments bind, worked out on their values before the calls: a value that
   * fails asks for rows that are dropped anyway.
   */
  readonly keyFilter?: Expr;
  /** True when a predicate can never hold (`key = NULL`, contradictory keys): no call, no rows. */
  readonly never?: boolean;
}

/** `column operator value`; `is null` and `is not null` have neither `value` nor `query`. */
export interface PushedQual {
  readonly source: number;
  readonly operator: QualOperator;
  /** Reads no relation. */
  readonly value?: Expr;
  /** A scalar subquery that runs before the call: one column, at most one row. */
  readonly query?: LogicalPlan;
}

/** Values for one or more columns of a scan (indexes into `table.columns`), as tuples. */
export interface ArgumentSet {
  readonly sources: readonly number[];
  readonly values: /** Known without reading anything else: constants, parameters, calls over them. One inner array a tuple. */
    | { readonly kind: "list"; readonly tuples: readonly (readonly Expr[])[] }
    /** `column = ANY($1)`: the elements of an array expression that reads nothing else. */
    | { readonly kind: "array"; readonly array: Expr }
    /** The distinct tuples of a query over other scans: a scalar subquery, IN (SELECT …), the other side of a join, an OR of these. */
    | { readonly kind: "query"; readonly plan: LogicalPlan; readonly origin: "scalar" | "in" | "join" | "union" };
}

/** Rows of expressions, one for each of `columns`. */
export interface Values {
  readonly kind: "Values";
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Expr[])[];
}
/** FROM f(…), ROWS FROM (…), with ordinality as a last bigint column. Functions that are not set-returning give one row. */
export interface FunctionScan {
  readonly kind: "FunctionScan";
  readonly calls: readonly (SetCall | { readonly scalar: Expr; readonly columns: readonly Column[] })[];
  readonly ordinality?: Column;
  readonly alias: string;
}

/** The rows for which `condition` is true (neither false nor NULL). */
export interface Filter {
  readonly kind: "Filter";
  readonly input: LogicalPlan;
  readonly condition: Expr;
}

/** New columns from the input's; those that are not listed end here. */
export interface Project {
  readonly kind: "Project";
  readonly input: LogicalPlan;
  readonly items: readonly ProjectItem[];
}

/** A column and what it is made of. */
export interface ProjectItem {
  readonly column: Column;
  readonly expr: Expr;
}
/** Set-returning functions in a select list: all run in step, the shorter ones padded with NULL; input columns pass through. */
export interface ProjectSet {
  readonly kind: "ProjectSet";
  readonly input: LogicalPlan;
  readonly calls: readonly SetCall[];
}
/** `semi` and `anti` put out the left columns only. `lateral`: the right side may refer to columns of the left. */
export interface Join {
  readonly kind: "Join";
  readonly type: "inner" | "left" | "right" | "full" | "semi" | "anti";
  readonly left: LogicalPlan;
  readonly right: LogicalPlan;
  /** Absent for a cross join. */
  readonly condition?: Expr;
  readonly lateral?: boolean;
  /** `anti` made of NOT IN: a NULL on either side of `condition`'s comparison means no row passes. */
  readonly nullAware?: boolean;
  /** `semi` made of IN (SELECT …): a resource on the left may be asked for the right side's values only. */
  readonly fromIn?: boolean;
}
/** Without keys and with one empty grouping set there is always exactly one row. */
export interface Aggregate {
  readonly kind: "Aggregate";
  readonly input: LogicalPlan;
  readonly keys: readonly ProjectItem[];
  /** Indexes into `keys`, one list a set; a plain GROUP BY has one set with all keys. Keys outside a set are NULL in its rows. */
  readonly groupingSets: readonly (readonly number[])[];
  readonly aggregates: readonly { readonly column: Column; readonly call: AggregateCall }[];
  /** GROUPING(…) calls: the mask over the listed keys for each row's set. */
  readonly groupings: readonly { readonly column: Column; readonly keys: readonly number[] }[];
}
/** Input columns pass through, one more for each call. One node has one window specification. */
export interface Window {
  readonly kind: "Window";
  readonly input: LogicalPlan;
  readonly partitionBy: readonly Expr[];
  readonly orderBy: readonly SortKey[];
  readonly calls: readonly { readonly column: Column; readonly call: WindowCall; readonly frame: WindowFrame }[];
}
/** Stable. */
export interface Sort {
  readonly kind: "Sort";
  readonly input: LogicalPlan;
  readonly keys: readonly SortKey[];
}
/** `withTies` takes the keys of the Sort below. NULL means no limit. */
export interface Limit {
  readonly kind: "Limit";
  readonly input: LogicalPlan;
  readonly fetch?: Expr;
  readonly skip?: Expr;
  readonly withTies?: readonly SortKey[];
}
/** DISTINCT over all columns, or DISTINCT ON (exprs): the first row of each. */
export interface Distinct {
  readonly kind: "Distinct";
  readonly input: LogicalPlan;
  readonly on?: readonly Expr[];
}
/** Columns match by position; types are already the same. */
export interface SetOperation {
  readonly kind: "SetOperation";
  readonly operator: "union" | "intersect" | "except";
  readonly all: boolean;
  readonly left: LogicalPlan;
  readonly right: LogicalPlan;
  readonly columns: readonly Column[];
}
/** A CTE that is computed once however often it is read (`CteScan` with the same `cte`), or a data-modifying one. */
export interface With {
  readonly kind: "With";
  readonly ctes: readonly CteDefinition[];
  readonly input: LogicalPlan;
}

/** One query of a {@link With}. */
export interface CteDefinition {
  readonly id: number;
  readonly name: string;
  readonly plan: LogicalPlan;
  /** WITH RECURSIVE: `plan` is the non-recursive term. */
  readonly recursive?: { readonly term: LogicalPlan; readonly all: boolean };
  readonly materialized?: boolean;
  /** How many CteScans read it. */
  readonly references: number;
}
/** Positions match the CTE's output. Inside the recursive term, `workTable` is set: the rows of the last round. */
export interface CteScan {
  readonly kind: "CteScan";
  readonly cte: number;
  readonly name: string;
  readonly alias: string;
  readonly columns: readonly Column[];
  readonly workTable?: boolean;
  /** 1-based position of the name. */
  readonly position?: number;
}
/** A write to one table. */
export interface Write {
  readonly kind: "Write";
  readonly op: "insert" | "update" | "delete";
  readonly table: Table;
  readonly alias: string;
  readonly position?: number;
  /**
   * insert: the rows, already cast to the target columns, one output column for each of `targets`.
   * update, delete: the matching rows; `targets` are the SET columns, `assignments` their new values over `input`.
   */
  readonly input: LogicalPlan;
  /** Indexes into `table.columns`. */
  readonly targets: readonly number[];
  readonly assignments?: readonly Expr[];
  /** update, delete: the scan inside `input` whose rows are written. */
  readonly targetScan?: number;
  /** insert: columns that take their DEFAULT, as expressions; NULL where there is none. */
  readonly defaults?: readonly { readonly source: number; readonly expr: Expr }[];
  /** insert … VALUES: for each row, the columns among `targets` that say DEFAULT; absent when none does. */
  readonly defaulted?: readonly (readonly number[])[];
  readonly onConflict?: OnConflict;
  /** Columns of the written row that RETURNING (and the conflict action) may mention, one for each table column. */
  readonly rowColumns: readonly Column[];
  /** Over `rowColumns`. */
  readonly returning?: readonly ProjectItem[];
}

/** What an insert does with a row whose key is there already. */
export interface OnConflict {
  readonly action: "nothing" | "update";
  /** Column indexes of the arbiter. Without keys and indexes it is any unique key. */
  readonly keys?: readonly number[];
  /** Names of arbiters that are over expressions or over a part of the rows. */
  readonly indexes?: readonly string[];
  /** Columns of `excluded`, one for each table column. */
  readonly excludedColumns: readonly Column[];
  readonly targets?: readonly number[];
  readonly assignments?: readonly Expr[];
  readonly where?: Expr;
}
/** No row at all: what a contradiction leaves behind. */
export interface Empty {
  readonly kind: "Empty";
  readonly columns: readonly Column[];
}
/** Rows that are at hand already (results of a data-modifying CTE, of a resolved piece). Values are in memory form. */
export interface Materialized {
  readonly kind: "Materialized";
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Value[])[];
}
/** MERGE INTO table USING input ON …; `input` is the join of source and target with the target side NULL-extended. */
export interface Merge {
  readonly kind: "Merge";
  readonly table: Table;
  readonly alias: string;
  readonly position?: number;
  readonly input: LogicalPlan;
  readonly targetScan: number;
  /** NULL for a source row that matched nothing. */
  readonly matched: Expr;
  readonly actions: readonly MergeAction[];
}

/** One WHEN of a MERGE; the first whose condition is true acts. */
export interface MergeAction {
  readonly when: "matched" | "not matched";
  readonly condition?: Expr;
  readonly action: "insert" | "update" | "delete" | "nothing";
  readonly targets: readonly number[];
  readonly values: readonly Expr[];
}

/** A tree of operators. Every node makes columns with ids of their own (see `expr.ts`); rules are plan → plan. */
export type LogicalPlan =
  | Scan
  | Values
  | FunctionScan
  | Filter
  | Project
  | ProjectSet
  | Join
  | Aggregate
  | Window
  | Sort
  | Limit
  | Distinct
  | SetOperation
  | With
  | CteScan
  | Write
  | Merge
  | Empty
  | Materialized;

/** A bound statement: what the database runs. */
export interface BoundQuery {
  readonly plan: LogicalPlan;
  /** Result columns in order; empty for a write without RETURNING. */
  readonly output: readonly Column[];
  /** Types of `$1`, `$2`, … as inferred. */
  readonly parameters: readonly { readonly type: import("../types/type.js").SqlType; readonly typmod: number }[];
  readonly command: "SELECT" | "INSERT" | "UPDATE" | "DELETE" | "MERGE" | "VALUES";
  readonly notices?: readonly { readonly code: string; readonly message: string; readonly hint?: string }[];
}

const outputs = new WeakMap<LogicalPlan, readonly Column[]>();

/** The columns a node puts out, in order. */
export function outputOf(plan: LogicalPlan): readonly Column[] {
  switch (plan.kind) {
    case "Values":
    case "Empty":
    case "Materialized":
    case "CteScan":
    case "SetOperation":
      return plan.columns;
    case "Filter":
    case "Sort":
    case "Limit":
    case "Distinct":
    case "With":
      return outputOf(plan.input);
    default: {
      let columns = outputs.get(plan);
      if (columns === undefined) {
        columns = listOutput(plan);
        outputs.set(plan, columns);
      }
      return columns;
    }
  }
}

type ListsOutput = Scan | FunctionScan | Project | ProjectSet | Join | Aggregate | Window | Write | Merge;

function listOutput(plan: ListsOutput): readonly Column[] {
  switch (plan.kind) {
    case "Scan":
      return plan.columns.map((item) => item.column);
    case "FunctionScan": {
      const columns = plan.calls.flatMap((call) => call.columns);
      return plan.ordinality === undefined ? columns : [...columns, plan.ordinality];
    }
    case "Project":
      return plan.items.map((item) => item.column);
    case "ProjectSet":
      return [...outputOf(plan.input), ...plan.calls.flatMap((call) => call.columns)];
    case "Join":
      return plan.type === "semi" || plan.type === "anti"
        ? outputOf(plan.left)
        : [...outputOf(plan.left), ...outputOf(plan.right)];
    case "Aggregate":
      return [
        ...plan.keys.map((key) => key.column),
        ...plan.aggregates.map((item) => item.column),
        ...plan.groupings.map((item) => item.column),
      ];
    case "Window":
      return [...outputOf(plan.input), ...plan.calls.map((item) => item.column)];
    case "Write":
      return plan.returning?.map((item) => item.column) ?? [];
    case "Merge":
      return [];
  }
}
