/**
 * What binding carries along: the state of the whole statement, and one `QueryLevel` a query, which knows the query
 * around it. PostgreSQL's counterpart is its chain of parse states.
 */

import type { CatalogReader, Table } from "../../catalog/table.js";
import type { UserTypes } from "../../catalog/type-name.js";
import type { AnyFunction } from "../../functions/function.js";
import type * as ast from "../../grammar/ast.js";
import type { TypeContext } from "../../types/operations.js";
import type { SqlType, TypeWithModifier } from "../../types/type.js";
import type { AggregateCall, Column, Expr, SetCall, SortKey, WindowCall, WindowFrame } from "../expr.js";
import type { BoundQuery, CteDefinition } from "../plan.js";
import type { SeenTable } from "../row-filter.js";
import type { Collations } from "./collations.js";
import { type Relation, rowTypeOf } from "./relation.js";
import type { ScopeItem } from "./scope.js";

/** What the caller knows beforehand. */
export interface BindOptions {
  /** Types of `$1`, `$2`, … where they are known; `undefined` entries are inferred. */
  readonly parameterTypes?: readonly (SqlType | undefined)[];
  /** Function that tells whether a function may be used, asked once a call; throws when it may not. */
  readonly checkFunction?: (fn: AnyFunction, position: number) => void;
  /** How statements see a table that the host has rules for; `undefined`: as it is. */
  readonly seenAs?: (table: Table) => SeenTable | undefined;
  /** Asked for a name that the catalog does not show: throws when the host's rules are why. */
  readonly refuseRelation?: (name: ast.QualifiedName) => void;
}

/** The part of a query that an expression stands in; decides what it may contain and how errors name it. */
export type Clause =
  | "JOIN/ON"
  | "sub-SELECT in FROM"
  | "function in FROM"
  | "WHERE"
  | "HAVING"
  | "FILTER"
  | "window PARTITION BY"
  | "window ORDER BY"
  | "window RANGE"
  | "window ROWS"
  | "window GROUPS"
  | "SELECT"
  | "INSERT"
  | "UPDATE"
  | "MERGE WHEN"
  | "GROUP BY"
  | "ORDER BY"
  | "DISTINCT ON"
  | "LIMIT"
  | "OFFSET"
  | "RETURNING"
  | "VALUES"
  | "DEFAULT"
  | "ON CONFLICT";

/** State of one statement. */
export interface BindState {
  readonly catalog: CatalogReader;
  readonly options: BindOptions;
  /** Level that makes a column, and what makes it there; columns of closed inner queries may be found too. */
  readonly columns: Map<number, ColumnInfo>;
  readonly parameters: Map<number, TypeWithModifier>;
  /** Position of the first use of each parameter. */
  readonly parameterPositions: Map<number, number>;
  readonly notices: NonNullable<BoundQuery["notices"]>[number][];
  /** Views being bound, to find one that reads itself. */
  readonly openViews: Set<string>;
  /** Inside what a recursive CTE cannot read itself: `an outer join`, `EXCEPT`; set while a CTE is being bound. */
  recursionBarrier: string | undefined;
  /** Set once a COLLATE was met. */
  collations?: Collations;
  /** CTEs being bound, outermost first. */
  readonly openCtes: CteEntry[];
  nextColumn: number;
  nextScan: number;
  nextCte: number;
}

/** Where a column comes from. */
export interface ColumnInfo {
  readonly level: QueryLevel;
  readonly made: "from" | "aggregate" | "window" | "set";
  /** Where the call that makes it stands. */
  readonly position?: number;
  /** How errors name it. */
  readonly shown?: { readonly relation: string; readonly name: string };
}

/** An aggregate that was met, with the column that stands for it. */
export interface PendingAggregate {
  readonly column: Column;
  readonly call: AggregateCall;
}

/** A window function that was met; `window` is an index into the level's windows. */
export interface PendingWindowCall {
  readonly column: Column;
  readonly call: WindowCall;
  readonly window: number;
}

/** One window specification after inheritance; calls of equal specifications share a Window node. */
export interface WindowSpec {
  readonly name?: string;
  readonly partitionBy: readonly Expr[];
  readonly orderBy: readonly SortKey[];
  readonly frame: WindowFrame;
  /** Whether a frame was written: such a window cannot be copied with changes. */
  readonly hasFrame: boolean;
}

/** A set-returning function in a select list. */
export interface PendingSetCall {
  readonly call: SetCall;
  readonly position: number;
}

/** A CTE as a name in scope. */
export interface CteEntry {
  readonly name: string;
  readonly position: number;
  /** The query whose WITH defines it. */
  readonly home: QueryLevel;
  readonly id: number;
  /** Column names and types; absent while a recursive CTE's first term is being bound. */
  columns?: readonly { readonly name: string; readonly column: Column }[];
  /** How many of the last columns SEARCH and CYCLE added. */
  added?: number;
  references: number;
  state: "open" | "binding" | "bound";
  /** Binds the definition when it is read before its turn, under WITH RECURSIVE. */
  bind?: () => void;
  /** Set while a definition that may read itself is being bound; called for each reference, true for the work table. */
  recursion?: { reference(level: QueryLevel, position: number): boolean };
  definition?: CteDefinition;
  /** The CTEs of a WITH before the first term of a recursive definition, which come before it. */
  inner?: () => readonly CteDefinition[];
  /** True for INSERT, UPDATE, DELETE without RETURNING: cannot be read. */
  withoutRows?: boolean;
}

/** One query while it is being bound. */
export interface QueryLevel {
  readonly state: BindState;
  readonly parent?: QueryLevel;
  /** 0 for the outermost query. */
  readonly depth: number;
  clause: Clause;
  /** What names can be seen. */
  namespace: ScopeItem[];
  /** Everything that FROM holds, seen or not: for hints. */
  readonly relations: Relation[];
  /** Names of CTEs, innermost last. */
  readonly ctes: CteEntry[];
  /** CTE names that were defined but stand later (forward references get a hint). */
  readonly futureCtes: Set<string>;
  lateralActive: boolean;
  /** The query stands inside an expression, not in FROM or in a set operation. */
  inExpression: boolean;
  readonly aggregates: PendingAggregate[];
  readonly groupingCalls: { readonly column: Column; readonly args: readonly Expr[]; readonly position: number }[];
  readonly windows: WindowSpec[];
  readonly windowCalls: PendingWindowCall[];
  readonly setCalls: PendingSetCall[];
  /** Positions of all set-returning calls met so far, those that share a column with another one included. */
  readonly setCallPositions: number[];
}

/** A new level inside `parent`. */
export function openLevel(state: BindState, parent?: QueryLevel): QueryLevel {
  return {
    state,
    parent,
    depth: parent === undefined ? 0 : parent.depth + 1,
    clause: "SELECT",
    namespace: [],
    relations: [],
    ctes: [],
    futureCtes: new Set(),
    lateralActive: false,
    inExpression: false,
    aggregates: [],
    groupingCalls: [],
    windows: [],
    windowCalls: [],
    setCalls: [],
    setCallPositions: [],
  };
}

/** Binds something as part of `clause`, and goes back to the clause before. */
export function inClause<T>(level: QueryLevel, clause: Clause, bind: () => T): T {
  const before = level.clause;
  level.clause = clause;
  try {
    return bind();
  } finally {
    level.clause = before;
  }
}

/** Binds something in which a recursive CTE may not read itself; `undefined` changes nothing. */
export function behindBarrier<T>(state: BindState, barrier: string | undefined, bind: () => T): T {
  const before = state.recursionBarrier;
  state.recursionBarrier = barrier ?? before;
  try {
    return bind();
  } finally {
    state.recursionBarrier = before;
  }
}

/** What a new column is made from; nullable unless said otherwise. */
export interface ColumnShape {
  readonly name: string;
  readonly type: SqlType;
  readonly typmod?: number;
  readonly nullable?: boolean;
  readonly labels?: readonly string[];
  readonly origin?: Column["origin"];
}

/** A column with a new id. */
export function newColumn(state: BindState, shape: ColumnShape): Column {
  return {
    id: state.nextColumn++,
    name: shape.name,
    type: shape.type,
    typmod: shape.typmod ?? -1,
    nullable: shape.nullable ?? true,
    ...(shape.labels && { labels: shape.labels }),
    ...(shape.origin && { origin: shape.origin }),
  };
}

/** The types of the catalogue, as type names are resolved with them; a table's name is that of its rows' type. */
export function userTypes({ state: { catalog } }: QueryLevel): UserTypes {
  return (name, schema) => {
    const type = catalog.type?.(name, schema);
    const table = type === undefined ? catalog.table(name, schema) : undefined;
    return table === undefined ? type : rowTypeOf(table);
  };
}

/** What a text may name that is read as a value: types, and relations for regclass. */
export function namesKnown(level: QueryLevel): Pick<TypeContext, "userType" | "relation"> {
  const { catalog } = level.state;
  return {
    userType: userTypes(level),
    relation: (name, schema) => {
      if (catalog.table(name, schema) !== undefined || catalog.hasOther?.(name, schema) === true) return "found";
      return schema === undefined || catalog.hasSchema(schema) ? "no relation" : "no schema";
    },
  };
}

/** Says which level makes a column. */
export function ownColumn(
  level: QueryLevel,
  column: Column,
  made: ColumnInfo["made"],
  position?: number,
  shown?: ColumnInfo["shown"],
): void {
  level.state.columns.set(column.id, { level, made, position, shown });
}
