/**
 * JOIN … ON, USING and NATURAL, with the columns that USING merges.
 * Source: PostgreSQL 15, 7.2.1.1 "Joined Tables".
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../../grammar/ast.js";
import { types } from "../../types/type.js";
import type { Expr } from "../expr.js";
import { castTo, commonType, commonTypmod, toBoolean } from "./conversions.js";
import { at } from "./errors.js";
import { bindExpression } from "./expressions.js";
import { type BoundFrom, bindFromItem, checkNames, isLateral } from "./from-clause.js";
import { operatorCall } from "./operators.js";
import type { JoinTree } from "./relation.js";
import type { ScopeColumn, ScopeItem } from "./scope.js";
import { behindBarrier, inClause, type QueryLevel } from "./state.js";

/** A chain of joins is left-deep: bound in a loop, so that its length is no depth of recursion. */
export function bindJoin(node: ast.JoinClause, level: QueryLevel): BoundFrom {
  const chain: ast.JoinClause[] = [];
  let leftmost: ast.FromItem = node;
  while (leftmost.kind === "JoinClause") {
    chain.push(leftmost);
    leftmost = leftmost.left;
  }
  // What an outer join fills with NULLs may not be the work table of a recursive CTE.
  const barrier = (nullable: boolean) => (nullable ? "an outer join" : undefined);
  const fillsLeft = (join: ast.JoinClause) => join.type === "right" || join.type === "full";
  const fillsRight = (join: ast.JoinClause) => join.type === "left" || join.type === "full";
  let left = behindBarrier(level.state, barrier(chain.some(fillsLeft)), () => bindFromItem(leftmost, level));
  while (chain.length > 0) {
    const join = chain.pop() as ast.JoinClause;
    const nullable = fillsRight(join) || chain.some(fillsLeft);
    left = bindOneJoin(
      join,
      left,
      () => behindBarrier(level.state, barrier(nullable), () => bindFromItem(join.right, level)),
      level,
    );
  }
  return left;
}

function bindOneJoin(node: ast.JoinClause, left: BoundFrom, bindRight: () => BoundFrom, level: QueryLevel): BoundFrom {
  const type = node.type === "cross" ? "inner" : node.type;
  const lateralOk = type === "inner" || type === "left";
  const around = level.namespace;
  level.namespace = [...around, ...left.items.map((item) => ({ ...item, lateralOnly: true, lateralOk }))];
  const right = bindRight();
  level.namespace = around;
  checkNames(left.items, right.items);

  const names = usingNames(node, left, right);
  const merged: ScopeColumn[] = [];
  const conditions: Expr[] = [];
  for (const { name, position } of names) {
    const l = sideColumn(left, name, "left", position);
    const r = sideColumn(right, name, "right", position);
    conditions.push(equality(l, r, level, position));
    merged.push({ name, expr: mergedColumn(l, r, type, level) });
  }
  let condition: Expr | undefined;
  if (conditions.length > 0) {
    condition = conditions.length === 1 ? conditions[0] : { kind: "And", args: conditions, type: types.bool };
  } else if (node.on !== undefined) {
    condition = bindOn(node.on, [...left.items, ...right.items], level);
  }
  const tree: JoinTree = {
    kind: "join",
    type,
    left: left.tree,
    right: right.tree,
    ...(condition && { condition }),
    lateral: isLateral(node.right),
  };
  const leftItems = type === "right" || type === "full" ? left.items.map(nullableItem) : left.items;
  const rightItems = type === "left" || type === "full" ? right.items.map(nullableItem) : right.items;
  return { tree, items: joinItems(node, leftItems, rightItems, merged, type) };
}

/** ON sees the two sides of its join and the queries around, not the other items of FROM. */
function bindOn(on: ast.Expression, items: readonly ScopeItem[], level: QueryLevel): Expr {
  const around = level.namespace;
  level.namespace = items.map((item) => ({ ...item, lateralOnly: false, lateralOk: true }));
  try {
    return inClause(level, "JOIN/ON", () => toBoolean(bindExpression(on, level), "JOIN/ON", level));
  } finally {
    level.namespace = around;
  }
}

/** The columns to merge: those of USING, or for NATURAL all names that both sides have. */
function usingNames(node: ast.JoinClause, left: BoundFrom, right: BoundFrom): { name: string; position: number }[] {
  if (node.natural) {
    const rightNames = new Set(visibleColumns(right).map((column) => column.name));
    return visibleColumns(left)
      .filter((column) => rightNames.has(column.name))
      .map((column) => ({ name: column.name, position: at(node) }));
  }
  const names: { name: string; position: number }[] = [];
  for (const column of node.using?.columns ?? []) {
    if (names.some((other) => other.name === column.name)) {
      throw new SqlError(
        sqlstate.duplicateColumn,
        `column name "${column.name}" appears more than once in USING clause`,
        { position: at(column) },
      );
    }
    names.push({ name: column.name, position: at(column) });
  }
  return names;
}

function visibleColumns(side: BoundFrom): readonly ScopeColumn[] {
  return side.items.filter((item) => item.columnsVisible).flatMap((item) => item.columns);
}

function sideColumn(side: BoundFrom, name: string, which: "left" | "right", position: number): Expr {
  const found = visibleColumns(side).filter((column) => column.name === name);
  if (found.length > 1) {
    throw new SqlError(
      sqlstate.ambiguousColumn,
      `common column name "${name}" appears more than once in ${which} table`,
      { position },
    );
  }
  if (found.length === 0) {
    throw new SqlError(
      sqlstate.undefinedColumn,
      `column "${name}" specified in USING clause does not exist in ${which} table`,
      { position },
    );
  }
  return found[0].expr;
}

function equality(left: Expr, right: Expr, level: QueryLevel, position: number): Expr {
  return toBoolean(operatorCall("=", left, right, level, position), "JOIN/USING", level);
}

/** The merged column: the side that is never filled with NULLs, or for FULL the first that is not NULL. */
function mergedColumn(left: Expr, right: Expr, type: JoinTree["type"], level: QueryLevel): Expr {
  const common = commonType([left, right], "JOIN/USING", level);
  const typmod = commonTypmod([left, right], common);
  const l = castTo(left, common, typmod, "implicit", level);
  const r = castTo(right, common, typmod, "implicit", level);
  if (type === "right") return r;
  if (type !== "full") return l;
  return { kind: "Coalesce", args: [nullable(l), nullable(r)], type: common, typmod };
}

function nullable(expr: Expr): Expr {
  if (expr.kind === "Cast") return { ...expr, input: nullable(expr.input) };
  if (expr.kind !== "Column" || expr.column.nullable) return expr;
  return { ...expr, column: { ...expr.column, nullable: true } };
}

function nullableItem(item: ScopeItem): ScopeItem {
  return { ...item, columns: item.columns.map((column) => ({ ...column, expr: nullable(column.expr) })) };
}

function joinItems(
  node: ast.JoinClause,
  left: readonly ScopeItem[],
  right: readonly ScopeItem[],
  merged: readonly ScopeColumn[],
  _type: JoinTree["type"],
): readonly ScopeItem[] {
  const names = new Set(merged.map((column) => column.name));
  const rest = [...left, ...right]
    .filter((item) => item.columnsVisible)
    .flatMap((item) => item.columns.filter((column) => !names.has(column.name)));
  let columns: readonly ScopeColumn[] = [...merged, ...rest];
  const { alias } = node;
  if (alias !== undefined) columns = renamed(columns, alias);
  const below = [...left, ...right].map((item) => ({ ...item, columnsVisible: false }));
  const item: ScopeItem = {
    ...(alias && { name: alias.name.name }),
    columns,
    relationVisible: alias !== undefined,
    columnsVisible: true,
    lateralOnly: false,
    lateralOk: true,
  };
  // An alias on the whole join hides the names inside.
  if (alias !== undefined) return [item];
  if (node.using?.alias === undefined) return [...below, item];
  const usingItem: ScopeItem = {
    ...item,
    name: node.using.alias.name,
    columns: merged,
    relationVisible: true,
    columnsVisible: false,
  };
  checkNames(below, [usingItem]);
  return [...below, usingItem, item];
}

function renamed(columns: readonly ScopeColumn[], alias: ast.TableAlias): readonly ScopeColumn[] {
  if (alias.columns.length > columns.length) {
    throw new SqlError(
      sqlstate.invalidColumnReference,
      `join expression "${alias.name.name}" has ${columns.length} columns available but ${alias.columns.length} columns specified`,
      { position: at(alias) },
    );
  }
  return columns.map((column, i) => ({ ...column, name: alias.columns[i]?.name ?? column.name }));
}
