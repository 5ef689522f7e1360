/**
 * What a planner may know of a table: plain data, no resolver. `resources/` extends it with functions, the engine with
 * stored rows; binder and rules see only this.
 */
import type { AnyFunction, Volatility } from "../functions/function.js";
import type { SqlType } from "../types/type.js";

/** What can be done to a table. */
export type Verb = "select" | "insert" | "update" | "delete";

/** Operators beyond equality that a resource may take as an argument. */
export type QualOperator = ">" | ">=" | "<" | "<=" | "<>" | "like" | "ilike" | "is null" | "is not null" | "@>";

/** A column as the planner knows it. */
export interface TableColumn {
  readonly name: string;
  readonly type: SqlType;
  readonly typmod: number;
  readonly nullable: boolean;
  readonly description?: string;
  /** A required key: the resource cannot be read without a value for it. */
  readonly requiredKey?: boolean;
  /** Exists only as an argument: rows carry what the statement gave, so it has to reach the call. */
  readonly argument?: boolean;
  /** Rows that do not say it carry what the call was given for it; `always`: no row says it by itself. */
  readonly stamped?: "missing" | "always";
  /** Name of the tool's argument that an INSERT has to give a value for. */
  readonly insertArgument?: string;
  /** Declared labels (`enum`): comparing with a constant that is none of them is 22P02. */
  readonly enumLabels?: readonly string[];
  /** Flow labels (`secret`, `pii`, …). */
  readonly flowLabels?: readonly string[];
  /** SQL text of the DEFAULT of a stored column. */
  readonly defaultSql?: string;
  /** Made by the table itself: `stored` by an expression over the row, `always` and `by default` (identity) by a sequence. */
  readonly generated?: "stored" | "always" | "by default";
  /** Operators beyond equality that the resource takes for this column. */
  readonly operators?: readonly QualOperator[];
  /** Whether the resource takes an equality on this column as an argument. */
  readonly pushable: boolean;
  /** Values reach the resolvers as a `Date`, which has no microseconds: a bound between two milliseconds can't be handed over. */
  readonly milliseconds?: boolean;
  /** The resource answers predicates on this column exactly, so they need no second check. */
  readonly exact?: boolean;
}

/** Whether rows have nothing in a column but what the statement gave. */
export function isOnlyArgument(column: TableColumn): boolean {
  return column.argument === true || column.stamped === "always";
}

interface TableBase {
  /** `public` for resources and user tables. */
  readonly schema: string;
  readonly name: string;
  readonly description: string;
  readonly columns: readonly TableColumn[];
  readonly verbs: readonly Verb[];
  readonly volatility: Volatility;
  /** Row identity, as column names; empty when there is none. */
  readonly primaryKey: readonly string[];
  /** Other unique keys (stored tables), for ON CONFLICT. */
  readonly uniqueKeys?: readonly (readonly string[])[];
  /** Unique indexes over expressions, or over a part of the rows: plans cannot rely on them, ON CONFLICT can name them. */
  readonly partialKeys?: readonly PartialKey[];
  /** Names of the keys that constraints made, for ON CONFLICT ON CONSTRAINT; absent: PostgreSQL's default names. */
  readonly constraints?: readonly { readonly name: string; readonly columns: readonly string[] }[];
}

/** A unique index over expressions (SQL text, of columns too), of the rows where its condition holds. */
export interface PartialKey {
  readonly name: string;
  readonly elements: readonly {
    readonly expression: string;
    readonly collation?: string;
    readonly operatorClass?: string;
  }[];
  readonly where?: string;
}

/** Rows come from calls. */
export interface ResourceTableInfo extends TableBase {
  readonly kind: "resource";
  /** Columns that must be bound, in order. */
  readonly keys: readonly string[];
  /** Groups of alternatives: one column of each group must be bound. */
  readonly keyAlternatives?: readonly (readonly string[])[];
  /** All values of a key in one call. */
  readonly batchKeys: boolean;
  /** Values in one such call at most. */
  readonly maxBatch?: number;
  /** One call takes all rows of an INSERT. */
  readonly batchInsert?: boolean;
  readonly acceptsLimit?: boolean;
  /** Columns that the resource orders by as PostgreSQL does. */
  readonly orderByColumns?: readonly string[];
  /** The answer to pushed predicates needs no second check for any column. */
  readonly exact?: boolean;
  /** What was seen of it so far; `undefined` before the first call. Read anew for each plan. */
  readonly estimate?: () => ResourceEstimate | undefined;
}

/** What earlier calls say of a resource; averages that follow the last calls. */
export interface ResourceEstimate {
  readonly rowsPerCall: number;
  readonly callMs: number;
  /** A read without any argument, where there was one. */
  readonly whole?: { readonly rows: number; readonly pages: number };
}

/** Rows are at hand: stored tables of the engine, system relations, loaded arrays. */
export interface StoredTableInfo extends TableBase {
  readonly kind: "stored";
  /** Rows right now, for estimates. */
  readonly rowCount?: number;
}

/** A named query; its text is bound in the place where it is used. */
export interface ViewInfo extends TableBase {
  readonly kind: "view";
  /** The query, parsed by whoever defined the view. */
  readonly query: import("../grammar/ast.js").SelectStatement;
}

/** Anything that FROM can name. */
export type Table = ResourceTableInfo | StoredTableInfo | ViewInfo;

/** Finds tables and types by name for the binder. Names come folded as PostgreSQL folds them. */
export interface CatalogReader {
  /** Without a schema the search path is followed. */
  table(name: string, schema?: string): Table | undefined;
  hasSchema(schema: string): boolean;
  /** Names a reader may have meant, for "did you mean". */
  tableNames(): Iterable<string>;
  /** Functions of a schema of the catalog's own, such as `catalog.search`; none for every other schema. */
  functions?(name: string, schema: string): readonly AnyFunction[];
  /** Whether an index or a sequence has that name, where there are such. */
  hasOther?(name: string, schema?: string): boolean;
  /** Enum and other user types of the catalogue. */
  type?(name: string, schema?: string): SqlType | undefined;
  /** Changes whenever a table or type is added, changed or dropped: a key of the plan cache. */
  readonly version: number;
}
