/**
 * Aggregates: which query one belongs to, whether it may stand where it stands, and its distinct, ordered, filtered and
 * WITHIN GROUP forms. In the expression a column takes its place, which the query's Aggregate node will make.
 * Source: PostgreSQL 15, 4.2.7 "Aggregate Expressions", 9.21 "Aggregate Functions".
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type { AggregateFunction } from "../../functions/function.js";
import type * as ast from "../../grammar/ast.js";
import { types } from "../../types/type.js";
import type { AggregateCall, Expr, SortKey } from "../expr.js";
import { columnRef, eachSubquery, plansWithin } from "../visit.js";
import { castTo, commonType, toBoolean, toCommonType } from "./conversions.js";
import { at, groupingError, notSupported } from "./errors.js";
import { bindExpression } from "./expressions.js";
import { type CallArguments, type ChosenFunction, castArguments } from "./functions.js";
import { placementMessage } from "./placement.js";
import { equalityCheck, sortKeyOf } from "./sort-keys.js";
import {
  type Clause,
  type CteEntry,
  inClause,
  newColumn,
  ownColumn,
  type PendingAggregate,
  type QueryLevel,
} from "./state.js";
import { isVolatile } from "./volatile.js";
import { sameExpr, visitColumns } from "./walk.js";

export function bindAggregateCall(
  node: ast.FunctionCall,
  chosen: ChosenFunction,
  args: CallArguments,
  level: QueryLevel,
): Expr {
  const position = at(node);
  const entry = chosen.entry as AggregateFunction;
  checkForm(node, entry, position);
  const call = aggregateCall(node, entry, chosen, args, level);
  const owner = owningLevel(call, level, position);
  checkPlacement(owner.clause, "aggregate functions", position);
  return pendingColumn(owner, call, entry.name, position);
}

function checkForm(node: ast.FunctionCall, entry: AggregateFunction, position: number): void {
  const wrong = (message: string) => new SqlError(sqlstate.wrongObjectType, message, { position });
  const { name } = entry;
  const ordered = entry.aggregateKind !== "normal";
  if (node.args.length === 0 && !node.star && !ordered && entry.args.length === 0) {
    throw wrong(`${name}(*) must be used to call a parameterless aggregate function`);
  }
  if (ordered && node.withinGroup === undefined) {
    throw wrong(`WITHIN GROUP is required for ordered-set aggregate ${name}`);
  }
  if (!ordered && node.withinGroup !== undefined) {
    throw wrong(`${name} is not an ordered-set aggregate, so it cannot have WITHIN GROUP`);
  }
  if (node.withinGroup !== undefined && node.distinct) {
    throw new SqlError(sqlstate.syntaxError, "cannot use DISTINCT with WITHIN GROUP", { position });
  }
}

/** The call with its arguments cast; also for aggregates used as window functions. */
function aggregateCall(
  node: ast.FunctionCall,
  entry: AggregateFunction,
  chosen: ChosenFunction,
  args: CallArguments,
  level: QueryLevel,
): AggregateCall {
  if (chosen.spread) {
    throw notSupported(`VARIADIC with an aggregate is not supported`, at(node));
  }
  const filter =
    node.filter &&
    inClause(level, "FILTER", () => toBoolean(bindExpression(node.filter as ast.Expression, level), "FILTER", level));
  const cast = castArguments(chosen, args, level);
  if (node.withinGroup !== undefined) return orderedSetCall(node, node.withinGroup, entry, chosen, cast, filter, level);
  const orderBy = node.orderBy.map((item) =>
    sortKeyOf(item, argumentLike(bindSortExpression(item, level), args, cast, level), level),
  );
  if (node.distinct) {
    for (const arg of cast) equalityCheck(arg.type, arg.position);
    const stray = orderBy.find((key) => !cast.some((arg) => sameExpr(arg, key.expr)));
    if (stray !== undefined) {
      throw new SqlError(
        sqlstate.invalidColumnReference,
        "in an aggregate with DISTINCT, ORDER BY expressions must appear in argument list",
        { position: stray.expr.position },
      );
    }
  }
  return {
    function: entry,
    args: cast,
    argTypes: cast.map((arg) => arg.type),
    type: chosen.resultType,
    distinct: node.distinct,
    orderBy,
    ...(filter && { filter }),
    ...(node.star && { star: true }),
  };
}

function bindSortExpression(item: ast.SortItem, level: QueryLevel): Expr {
  const expr = bindExpression(item.expression, level);
  return expr.type === types.unknown ? castTo(expr, types.text, -1, "implicit", level) : expr;
}

/** A sort expression that is an argument as written sorts by the argument as it is passed, its cast included. */
function argumentLike(expr: Expr, args: CallArguments, cast: readonly Expr[], _level: QueryLevel): Expr {
  const index = args.positional.findIndex((arg) => sameExpr(arg, expr));
  return index >= 0 && index < cast.length ? cast[index] : expr;
}

function orderedSetCall(
  node: ast.FunctionCall,
  withinGroup: readonly ast.SortItem[],
  entry: AggregateFunction,
  chosen: ChosenFunction,
  cast: readonly Expr[],
  filter: Expr | undefined,
  level: QueryLevel,
): AggregateCall {
  const directCount = cast.length - withinGroup.length;
  let direct = cast.slice(0, directCount);
  let sorted = cast.slice(directCount);
  if (entry.aggregateKind === "hypothetical-set") {
    if (direct.length !== sorted.length) {
      throw new SqlError(
        sqlstate.undefinedFunction,
        `function ${entry.name}(${cast.map((arg) => arg.type.display).join(", ")}) does not exist`,
        {
          position: at(node),
          hint: `To use the hypothetical-set aggregate ${entry.name}, the number of hypothetical direct arguments (here ${direct.length}) must match the number of ordering columns (here ${sorted.length}).`,
        },
      );
    }
    // A hypothetical row is compared with the real ones, so each pair takes one type.
    const pairTypes = direct.map((arg, i) => commonType([arg, sorted[i]], "WITHIN GROUP", level));
    direct = direct.map((arg, i) => toCommonType(arg, pairTypes[i], "WITHIN GROUP", level));
    sorted = sorted.map((arg, i) => toCommonType(arg, pairTypes[i], "WITHIN GROUP", level));
  }
  const orderBy: SortKey[] = withinGroup.map((item, i) => sortKeyOf(item, sorted[i], level));
  return {
    function: entry,
    args: sorted,
    argTypes: [...direct, ...sorted].map((arg) => arg.type),
    type: chosen.resultType,
    distinct: false,
    orderBy,
    directArgs: direct,
    ...(filter && { filter }),
  };
}

/**
 * An aggregate belongs to the innermost query whose columns it reads, so `(SELECT max(outer.x))` aggregates the outer
 * query. Without columns it belongs to the query it stands in.
 */
function owningLevel(call: AggregateCall, level: QueryLevel, position: number): QueryLevel {
  let innermostColumn: QueryLevel | undefined;
  let innermostAggregate: { level: QueryLevel; position: number | undefined } | undefined;
  const parts = [...call.args, ...call.orderBy.map((key) => key.expr), ...(call.filter ? [call.filter] : [])];
  const visit = (expr: Expr) =>
    visitColumns(expr, (column) => {
      const info = level.state.columns.get(column.id);
      if (info === undefined || info.level.depth > level.depth) return;
      if (info.made === "from") {
        if (innermostColumn === undefined || info.level.depth > innermostColumn.depth) innermostColumn = info.level;
      } else if (info.made === "aggregate") {
        if (innermostAggregate === undefined || info.level.depth > innermostAggregate.level.depth) {
          innermostAggregate = { level: info.level, position: info.position };
        }
      } else if (info.level === level) refuseInside(info.made, info.position ?? position);
    });
  for (const part of [...parts, ...(call.directArgs ?? [])]) visit(part);
  const column = innermostColumn as QueryLevel | undefined;
  const nested = innermostAggregate as { level: QueryLevel; position: number | undefined } | undefined;
  if (nested === undefined) {
    const owner = column ?? level;
    refuseNestedCtes([...parts, ...(call.directArgs ?? [])], owner, level, position);
    return owner;
  }
  const owner = column !== undefined && column.depth > nested.level.depth ? column : nested.level;
  if (owner === nested.level) {
    throw groupingError("aggregate function calls cannot be nested", nested.position ?? position);
  }
  return owner;
}

/** An aggregate of an outer query cannot read a CTE that is defined below that one. */
function refuseNestedCtes(parts: readonly Expr[], owner: QueryLevel, level: QueryLevel, position: number): void {
  const below: CteEntry[] = [];
  for (let current = level; current !== owner && current.parent !== undefined; current = current.parent) {
    below.push(...current.ctes);
  }
  if (below.length === 0) return;
  for (const part of parts) {
    eachSubquery(part, ({ plan }) => {
      for (const node of plansWithin(plan)) {
        const used = node.kind === "CteScan" ? below.find((entry) => entry.id === node.cte) : undefined;
        if (used === undefined) continue;
        throw new SqlError(sqlstate.featureNotSupported, "outer-level aggregate cannot use a nested CTE", {
          position,
          detail: `CTE "${used.name}" is below the aggregate's semantic level.`,
        });
      }
    });
  }
}

function refuseInside(made: "window" | "set", position: number): never {
  if (made === "window") {
    throw groupingError("aggregate function calls cannot contain window function calls", position);
  }
  throw notSupported(
    "aggregate function calls cannot contain set-returning function calls",
    position,
    "You might be able to move the set-returning function into a LATERAL FROM item.",
  );
}

function checkPlacement(clause: Clause, what: "aggregate functions" | "grouping operations", position: number): void {
  const message = placementMessage(clause, what);
  if (message !== undefined) throw groupingError(message, position);
}

/** The column that stands for the aggregate; the same call twice is computed once. */
function pendingColumn(owner: QueryLevel, call: AggregateCall, name: string, position: number): Expr {
  const existing = owner.aggregates.find((pending) => sameCall(pending, call));
  if (existing !== undefined) return columnRef(existing.column, position);
  const column = newColumn(owner.state, { name, type: call.type, nullable: name !== "count" });
  ownColumn(owner, column, "aggregate", position);
  owner.aggregates.push({ column, call });
  return columnRef(column, position);
}

function sameCall({ call: a }: PendingAggregate, b: AggregateCall): boolean {
  return (
    a.function === b.function &&
    a.distinct === b.distinct &&
    a.star === b.star &&
    sameList(a.args, b.args) &&
    sameList(a.directArgs ?? [], b.directArgs ?? []) &&
    sameList(a.filter ? [a.filter] : [], b.filter ? [b.filter] : []) &&
    sameKeys(a.orderBy, b.orderBy) &&
    ![...b.args, ...(b.filter ? [b.filter] : [])].some(isVolatile)
  );
}

function sameList(a: readonly Expr[], b: readonly Expr[]): boolean {
  return a.length === b.length && a.every((expr, i) => sameExpr(expr, b[i]));
}

function sameKeys(a: readonly SortKey[], b: readonly SortKey[]): boolean {
  return (
    a.length === b.length &&
    a.every(
      (key, i) =>
        key.descending === b[i].descending && key.nullsFirst === b[i].nullsFirst && sameExpr(key.expr, b[i].expr),
    )
  );
}

/** GROUPING(a, b): which of its arguments are not part of the row's grouping set. Matched with the keys later. */
export function bindGrouping(node: ast.Grouping, level: QueryLevel): Expr {
  const position = at(node);
  if (node.args.length > 31) {
    throw new SqlError(sqlstate.tooManyArguments, "GROUPING must have fewer than 32 arguments", { position });
  }
  const args = node.args.map((arg) => bindExpression(arg, level));
  let owner: QueryLevel | undefined;
  for (const arg of args) {
    visitColumns(arg, (column) => {
      const info = level.state.columns.get(column.id);
      if (info === undefined || info.made !== "from" || info.level.depth > level.depth) return;
      if (owner === undefined || info.level.depth > owner.depth) owner = info.level;
    });
  }
  const target = (owner as QueryLevel | undefined) ?? level;
  checkPlacement(target.clause, "grouping operations", position);
  const column = newColumn(target.state, { name: "grouping", type: types.int4, nullable: false });
  ownColumn(target, column, "aggregate", position);
  target.groupingCalls.push({ column, args, position });
  return columnRef(column, position);
}
