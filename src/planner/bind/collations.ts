/**
 * Collations. All that are let through order by code point, so that they change no answer; but expressions that were given
 * different ones cannot meet. An explicit COLLATE goes through functions and operators; through a subquery's column it
 * becomes an implicit one, which gives way. Source: PostgreSQL 15, 24.2.1 "Concepts" of "Collation Support".
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type { SqlType } from "../../types/type.js";
import type { Column, Expr } from "../expr.js";
import { outputOf } from "../plan.js";
import { operandsOf } from "../visit.js";
import type { QueryLevel } from "./state.js";

/** The collation of an expression that is not the default; `conflict` when its parts have different implicit ones. */
export interface Collation {
  readonly name: string;
  readonly kind: "explicit" | "implicit" | "conflict";
  readonly position?: number;
  /** The other one of a conflict. */
  readonly other?: string;
}

/** What a statement with COLLATE in it knows; one without has none, and nothing is looked for. */
export interface Collations {
  readonly explicit: WeakMap<Expr, Collation>;
  readonly columns: Map<number, Collation>;
}

/** `expr COLLATE name`. */
export function collated(expr: Expr, name: string, position: number, level: QueryLevel): Expr {
  const { state } = level;
  state.collations ??= { explicit: new WeakMap(), columns: new Map() };
  const marked = { ...expr };
  state.collations.explicit.set(marked, { name, kind: "explicit", position });
  return marked;
}

/** The collation that expressions have together. @throws SqlError 42P21 when two of them say explicitly different ones */
export function commonCollation(exprs: readonly Expr[], level: QueryLevel): Collation | undefined {
  const { collations } = level.state;
  return collations && merged(exprs, collations);
}

/** As {@link commonCollation}, for what compares strings. @throws SqlError 42P22 when there is no common one */
export function requireCollation(exprs: readonly Expr[], purpose: string, level: QueryLevel): void {
  if (commonCollation(exprs, level)?.kind !== "conflict") return;
  throw new SqlError(sqlstate.indeterminateCollation, `could not determine which collation to use for ${purpose}`, {
    hint: "Use the COLLATE clause to set the collation explicitly.",
  });
}

/** Gives a column the collation that the expressions it is made from have together. */
export function keepCollation(column: Column, exprs: readonly Expr[], level: QueryLevel): void {
  const { collations } = level.state;
  if (collations === undefined) return;
  const common = merged(exprs, collations);
  if (common === undefined) return;
  collations.columns.set(column.id, common.kind === "explicit" ? { ...common, kind: "implicit" } : common);
}

/** The collation of a column, `default` when nothing says another one. */
export function collationOfColumn(column: Column, level: QueryLevel): string {
  return level.state.collations?.columns.get(column.id)?.name ?? "default";
}

/** 42P21 for columns of a set operation. */
export function implicitMismatch({ name, other, position }: Collation): SqlError {
  return new SqlError(
    sqlstate.collationMismatch,
    `collation mismatch between implicit collations "${name}" and "${other}"`,
    { position, hint: "You can choose the collation by applying the COLLATE clause to one or both expressions." },
  );
}

function merged(exprs: readonly Expr[], collations: Collations): Collation | undefined {
  let common: Collation | undefined;
  for (const expr of exprs) {
    const own = isCollatable(expr.type) ? collationOf(expr, collations) : undefined;
    common = common === undefined || own === undefined ? (common ?? own) : meet(common, own);
  }
  return common;
}

function isCollatable(type: SqlType): boolean {
  return (type.element ?? type).category === "S" || type.name === "unknown";
}

function collationOf(expr: Expr, collations: Collations): Collation | undefined {
  const explicit = collations.explicit.get(expr);
  if (explicit !== undefined) return explicit;
  switch (expr.kind) {
    case "Column":
      return implicitOf(expr.column, expr.position, collations);
    case "Subquery": {
      const [column] = outputOf(expr.plan);
      return column && implicitOf(column, expr.position, collations);
    }
    default:
      return merged(operandsOf(expr), collations);
  }
}

function implicitOf(column: Column, position: number | undefined, collations: Collations): Collation | undefined {
  const known = collations.columns.get(column.id);
  return known && { ...known, position };
}

function meet(a: Collation, b: Collation): Collation {
  if (a.kind === "explicit" && b.kind === "explicit") {
    if (a.name === b.name) return a;
    throw new SqlError(
      sqlstate.collationMismatch,
      `collation mismatch between explicit collations "${a.name}" and "${b.name}"`,
      { position: b.position },
    );
  }
  if (a.kind === "explicit") return a;
  if (b.kind === "explicit") return b;
  if (a.kind === "conflict") return a;
  if (b.kind === "conflict") return b;
  return a.name === b.name ? a : { name: a.name, other: b.name, kind: "conflict", position: b.position };
}
