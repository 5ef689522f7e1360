/**
 * SELECT DISTINCT and DISTINCT ON, and how they go together with ORDER BY.
 * Source: PostgreSQL 15, 7.3.3 "DISTINCT".
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../../grammar/ast.js";
import { types } from "../../types/type.js";
import { castTo } from "./conversions.js";
import { at, syntaxError } from "./errors.js";
import { findOrAddTarget, type TargetSort } from "./order-by.js";
import { equalityCheck, orderingCheck } from "./sort-keys.js";
import { inClause, type QueryLevel } from "./state.js";
import type { Target } from "./targets.js";

/** `on` is absent for plain DISTINCT. */
export interface BoundDistinct {
  readonly on?: readonly Target[];
}

export function bindDistinct(
  clause: ast.DistinctClause | undefined,
  targets: Target[],
  sort: readonly TargetSort[],
  level: QueryLevel,
): BoundDistinct | undefined {
  if (clause === undefined) return undefined;
  return clause.on.length > 0 ? bindDistinctOn(clause.on, targets, sort, level) : plainDistinct(clause, targets, sort);
}

function plainDistinct(clause: ast.DistinctClause, targets: readonly Target[], sort: readonly TargetSort[]) {
  for (const { target } of sort) {
    if (target.hidden) {
      throw new SqlError(
        sqlstate.invalidColumnReference,
        "for SELECT DISTINCT, ORDER BY expressions must appear in select list",
        { position: target.position, hint: "Add the expression to the select list, or leave out DISTINCT." },
      );
    }
  }
  const visible = targets.filter((target) => !target.hidden);
  if (visible.length === 0) throw syntaxError("SELECT DISTINCT must have at least one column", at(clause));
  for (const target of visible) {
    if (target.expr.type !== types.unknown) equalityCheck(target.expr.type, target.expr.position);
  }
  return {};
}

function bindDistinctOn(
  nodes: readonly ast.Expression[],
  targets: Target[],
  sort: readonly TargetSort[],
  level: QueryLevel,
): BoundDistinct {
  const on: Target[] = [];
  const nodeOf = new Map<Target, ast.Expression>();
  inClause(level, "DISTINCT ON", () => {
    for (const node of nodes) {
      const target = findOrAddTarget(node, "DISTINCT ON", targets, level);
      if (target.expr.type === types.unknown) target.expr = castTo(target.expr, types.text, -1, "implicit", level);
      orderingCheck(target.expr.type, at(node));
      if (!on.includes(target)) on.push(target);
      if (!nodeOf.has(target)) nodeOf.set(target, node);
    }
  });
  const mismatch = (target: Target) =>
    new SqlError(
      sqlstate.invalidColumnReference,
      "SELECT DISTINCT ON expressions must match initial ORDER BY expressions",
      { position: at(nodeOf.get(target) as ast.Expression) },
    );
  let skipped = false;
  for (const { target } of sort) {
    if (!on.includes(target)) skipped = true;
    else if (skipped) throw mismatch(target);
  }
  const unsorted = on.find((target) => !sort.some((item) => item.target === target));
  if (skipped && unsorted !== undefined) throw mismatch(unsorted);
  return { on };
}
