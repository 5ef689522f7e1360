/**
 * ORDER BY, and what it shares with GROUP BY and DISTINCT ON: an item may name an output column, count one, or be an
 * expression over the input.
 * Source: PostgreSQL 15, 7.5 "Sorting Rows (ORDER BY)".
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../../grammar/ast.js";
import { types } from "../../types/type.js";
import type { Expr } from "../expr.js";
import { castTo } from "./conversions.js";
import { at, syntaxError } from "./errors.js";
import { bindExpression } from "./expressions.js";
import { sortKeyOf } from "./sort-keys.js";
import { inClause, type QueryLevel } from "./state.js";
import type { Target } from "./targets.js";
import { sameExpr } from "./walk.js";

/** A sort item over a target. */
export interface TargetSort {
  readonly target: Target;
  readonly descending: boolean;
  readonly nullsFirst: boolean;
}

/** Binds ORDER BY; expressions that are not in the select list are added to `targets`, hidden. */
export function bindOrderBy(items: readonly ast.SortItem[], targets: Target[], level: QueryLevel): TargetSort[] {
  const sort: TargetSort[] = [];
  inClause(level, "ORDER BY", () => {
    for (const item of items) {
      const target = findOrAddTarget(item.expression, "ORDER BY", targets, level);
      if (target.expr.type === types.unknown) target.expr = castTo(target.expr, types.text, -1, "implicit", level);
      const { descending, nullsFirst } = sortKeyOf(item, target.expr, level);
      if (!sort.some((other) => other.target === target)) sort.push({ target, descending, nullsFirst });
    }
  });
  return sort;
}

/** The target that an item of ORDER BY or DISTINCT ON means, a new hidden one if need be. */
export function findOrAddTarget(
  node: ast.Expression,
  clause: "ORDER BY" | "DISTINCT ON",
  targets: Target[],
  level: QueryLevel,
): Target {
  const output = outputTarget(node, clause, targets);
  if (output !== undefined) return output;
  const expr = bindExpression(node, level);
  const same = targets.find((target) => sameExpr(withoutImplicitCasts(target.expr), expr));
  if (same !== undefined) return same;
  const target: Target = { name: "?column?", expr, hidden: true, position: at(node) };
  targets.push(target);
  return target;
}

function withoutImplicitCasts(expr: Expr): Expr {
  let inner = expr;
  while (inner.kind === "Cast" && inner.context === "implicit") inner = inner.input;
  return inner;
}

/** The output column that a bare name or a number means. @throws SqlError 42702, 42P10, 42601 */
export function outputTarget(node: ast.Expression, clause: string, targets: readonly Target[]): Target | undefined {
  const visible = targets.filter((target) => !target.hidden);
  if (node.kind === "ColumnRef" && !node.star && node.parts.length === 1) {
    const [name] = node.parts;
    const found = visible.filter((target) => target.name === name);
    if (found.some((target) => !sameExpr(target.expr, found[0].expr))) {
      throw new SqlError(sqlstate.ambiguousColumn, `${clause} "${name}" is ambiguous`, { position: at(node) });
    }
    return found[0];
  }
  if (node.kind === "NumericLiteral" && node.isInteger && Math.abs(Number(node.text)) < 2 ** 31) {
    const position = Number(node.text);
    if (position >= 1 && position <= visible.length) return visible[position - 1];
    throw new SqlError(sqlstate.invalidColumnReference, `${clause} position ${position} is not in select list`, {
      position: at(node),
      hint: `The select list has ${visible.length} column${visible.length === 1 ? "" : "s"}.`,
    });
  }
  if (node.kind === "NumericLiteral" || node.kind === "StringLiteral" || node.kind === "NullLiteral") {
    throw syntaxError(`non-integer constant in ${clause}`, at(node));
  }
  return undefined;
}
