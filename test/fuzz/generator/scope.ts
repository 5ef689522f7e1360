/** What names an expression may use while it is being made. */
import type { Expr, ValueType } from "../tree.js";

export interface ScopeColumn {
  readonly name: string | null;
  readonly type: ValueType;
  readonly m: number;
  readonly sub?: string | null;
}

export interface Relation {
  readonly alias: string;
  /** The table that it is, where it is one. */
  readonly table: string | null;
  readonly cols: readonly ScopeColumn[];
  readonly key: readonly string[] | null;
  /** About how many rows. */
  readonly est: number;
}

export interface Scope {
  rels: Relation[];
  /** Of the query around. */
  outer: Scope | null;
  /** No names of the query around, although it has some. */
  noOuter?: boolean;
  /** Literals name their types: inside aggregates, where nothing else would tell. */
  typed?: boolean;
  /** A join merged columns, so that bare names may be ambiguous and stars are short. */
  merged?: boolean;
  /** The scope of grouped rows: only keys and aggregates over the inner scope. */
  group?: { keys: Expr[]; inner: Scope };
}

export interface FoundColumn {
  readonly rel: Relation;
  readonly col: ScopeColumn;
  readonly scope: Scope;
}

/** A common table expression that FROM may name. */
export interface KnownCte {
  readonly name: string;
  readonly cols: readonly ScopeColumn[];
  readonly est: number;
}

export function emptyScope(outer: Scope | null = null): Scope {
  return { rels: [], outer };
}
