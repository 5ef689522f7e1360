/**
 * GROUP BY: its keys and grouping sets, and the rule that whatever stands above a group is one of its keys, depends on
 * them, or is an aggregate.
 * Source: PostgreSQL 15, 7.2.3 "The GROUP BY and HAVING Clauses", 7.2.4 "GROUPING SETS, CUBE, and ROLLUP".
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../../grammar/ast.js";
import { types } from "../../types/type.js";
import type { Expr } from "../expr.js";
import { castTo } from "./conversions.js";
import { at, groupingError, windowingError } from "./errors.js";
import { bindExpression } from "./expressions.js";
import { outputTarget } from "./order-by.js";
import { findColumnHere } from "./scope.js";
import { equalityCheck } from "./sort-keys.js";
import { inClause, type QueryLevel } from "./state.js";
import type { Target } from "./targets.js";
import { sameExpr, visitColumns } from "./walk.js";

/** A key; one that names or repeats an output column is that column's, so that `a AS x, a AS y` can be two keys. */
export interface GroupKey {
  readonly expr: Expr;
  readonly target?: Target;
}

/** The keys of all sets together, each once, and the sets over them. */
export interface BoundGroupBy {
  readonly keys: readonly GroupKey[];
  /** Indexes of keys, one list a set. */
  readonly sets: readonly (readonly number[])[];
}

const maxSets = 4096;

export function bindGroupBy(
  clause: ast.GroupByClause | undefined,
  targets: readonly Target[],
  level: QueryLevel,
): BoundGroupBy | undefined {
  if (clause === undefined) return undefined;
  const keys: GroupKey[] = [];
  const keyOf = (node: ast.Expression): number => {
    const key = groupKey(node, targets, level);
    const existing = keys.findIndex((other) =>
      key.target === undefined ? sameExpr(other.expr, key.expr) : other.target === key.target,
    );
    if (existing >= 0) return existing;
    keys.push(key);
    return keys.length - 1;
  };
  const parts = inClause(level, "GROUP BY", () => clause.items.map((item) => expand(item, keyOf)));
  let sets: (readonly number[])[] = [[]];
  for (const part of parts) {
    if (sets.length * part.length > maxSets) {
      throw new SqlError(sqlstate.statementTooComplex, `too many grouping sets present (maximum ${maxSets})`, {
        position: at(clause),
      });
    }
    sets = sets.flatMap((set) => part.map((more) => [...new Set([...set, ...more])]));
  }
  return { keys, sets: clause.distinct ? withoutDuplicates(sets) : sets };
}

function withoutDuplicates(sets: readonly (readonly number[])[]): (readonly number[])[] {
  const seen = new Set<string>();
  return sets.filter((set) => {
    const key = [...set].sort((a, b) => a - b).join();
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

type KeyOf = (node: ast.Expression) => number;

/** The grouping sets that one item stands for. */
function expand(item: ast.GroupingElement, keyOf: KeyOf): readonly (readonly number[])[] {
  switch (item.kind) {
    case "EmptyGroupingSet":
      return [[]];
    case "Rollup": {
      const lists = item.items.map((part) => simpleSet(part, keyOf));
      return lists.map((_, i) => lists.slice(0, lists.length - i).flat()).concat([[]]);
    }
    case "Cube": {
      if (item.items.length > 12) {
        throw new SqlError(sqlstate.tooManyColumns, "CUBE is limited to 12 elements", { position: at(item) });
      }
      const lists = item.items.map((part) => simpleSet(part, keyOf));
      return Array.from({ length: 1 << lists.length }, (_, mask) =>
        lists.filter((_, i) => ((mask ^ ((1 << lists.length) - 1)) & (1 << i)) !== 0).flat(),
      );
    }
    case "GroupingSets":
      return item.sets.flatMap((set) => expand(set, keyOf));
    default:
      return [simpleSet(item, keyOf)];
  }
}

/** A key, or the keys of a row in parentheses. */
function simpleSet(node: ast.Expression, keyOf: KeyOf): readonly number[] {
  return node.kind === "RowConstructor" && !node.explicit ? node.fields.map(keyOf) : [keyOf(node)];
}

/** What a key means: an input column first, then an output column by name or number, otherwise an expression. */
function groupKey(node: ast.Expression, targets: readonly Target[], level: QueryLevel): GroupKey {
  const isInput =
    node.kind === "ColumnRef" &&
    !node.star &&
    node.parts.length === 1 &&
    findColumnHere(level, node.parts[0], at(node)) !== undefined;
  const target = isInput ? undefined : outputTarget(node, "GROUP BY", targets);
  if (target === undefined) {
    const bound = bindExpression(node, level);
    const expr = bound.type === types.unknown ? castTo(bound, types.text, -1, "implicit", level) : bound;
    equalityCheck(expr.type, at(node));
    return { expr, target: targets.find((other) => !other.hidden && sameExpr(other.expr, expr)) };
  }
  if (target.expr.type === types.unknown) target.expr = castTo(target.expr, types.text, -1, "implicit", level);
  visitColumns(target.expr, (column, position) => {
    const info = level.state.columns.get(column.id);
    if (info?.level !== level) return;
    if (info.made === "aggregate") {
      throw groupingError("aggregate functions are not allowed in GROUP BY", info.position ?? position);
    }
    if (info.made === "window") {
      throw windowingError("window functions are not allowed in GROUP BY", info.position ?? position ?? at(node));
    }
  });
  equalityCheck(target.expr.type, at(node));
  return { expr: target.expr, target };
}
