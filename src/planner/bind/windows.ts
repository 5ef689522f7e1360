/**
 * Window functions and window definitions. In the expression a column takes the call's place; one Window node is made
 * for each specification.
 * Source: PostgreSQL 15, 4.2.8 "Window Function Calls", 7.2.5 "Window Function Processing".
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type { AggregateFunction } from "../../functions/function.js";
import type * as ast from "../../grammar/ast.js";
import { types } from "../../types/type.js";
import type { Expr, SortKey, WindowCall, WindowFrame } from "../expr.js";
import { columnRef } from "../visit.js";
import { castTo, toBoolean } from "./conversions.js";
import { at, notSupported, windowingError } from "./errors.js";
import { bindExpression } from "./expressions.js";
import { bindFrame, defaultFrame } from "./frames.js";
import { type CallArguments, type ChosenFunction, castArguments } from "./functions.js";
import { placementMessage } from "./placement.js";
import { equalityCheck, sortKeyOf } from "./sort-keys.js";
import { inClause, newColumn, ownColumn, type QueryLevel, type WindowSpec } from "./state.js";
import { sameExpr, visitColumns } from "./walk.js";

export function bindWindowCall(
  node: ast.FunctionCall,
  chosen: ChosenFunction,
  args: CallArguments,
  level: QueryLevel,
): Expr {
  const position = at(node);
  const { entry } = chosen;
  checkForm(node, chosen, position);
  if (entry.kind !== "window" && entry.kind !== "aggregate") {
    throw wrongObject(`OVER specified, but ${entry.name} is not a window function nor an aggregate function`, position);
  }
  const cast = castArguments(chosen, args, level);
  const filter =
    node.filter &&
    inClause(level, "FILTER", () => toBoolean(bindExpression(node.filter as ast.Expression, level), "FILTER", level));
  const message = placementMessage(level.clause, "window functions");
  if (message !== undefined) throw windowingError(message, position);
  for (const expr of filter === undefined ? cast : [...cast, filter]) refuseNested(expr, level);
  const call: WindowCall = {
    function: entry,
    args: cast,
    argTypes: cast.map((arg) => arg.type),
    type: chosen.resultType,
    ...(filter && { filter }),
    ...(node.star && { star: true }),
  };
  const window = specOf(node.over as ast.Identifier | ast.WindowDefinition, level);
  const existing = level.windowCalls.find((other) => other.window === window && sameCall(other.call, call));
  if (existing !== undefined) return columnRef(existing.column, position);
  const column = newColumn(level.state, { name: entry.name, type: call.type });
  ownColumn(level, column, "window", position);
  level.windowCalls.push({ column, call, window });
  return columnRef(column, position);
}

function sameCall(a: WindowCall, b: WindowCall): boolean {
  return (
    a.function === b.function &&
    a.star === b.star &&
    a.args.length === b.args.length &&
    a.args.every((arg, i) => sameExpr(arg, b.args[i])) &&
    (a.filter === undefined ? b.filter === undefined : b.filter !== undefined && sameExpr(a.filter, b.filter))
  );
}

function wrongObject(message: string, position: number): SqlError {
  return new SqlError(sqlstate.wrongObjectType, message, { position });
}

function checkForm(node: ast.FunctionCall, chosen: ChosenFunction, position: number): void {
  const { entry } = chosen;
  const { name } = entry;
  if (node.over === undefined) throw wrongObject(`window function ${name} requires an OVER clause`, position);
  if (node.withinGroup !== undefined && entry.kind === "window") {
    throw wrongObject(`window function ${name} cannot have WITHIN GROUP`, position);
  }
  if (entry.kind === "aggregate") {
    const aggregate: AggregateFunction = entry;
    if (aggregate.aggregateKind !== "normal") {
      throw notSupported(`OVER is not supported for ordered-set aggregate ${name}`, position);
    }
    if (!node.star && node.args.length === 0 && aggregate.args.length === 0) {
      throw wrongObject(`${name}(*) must be used to call a parameterless aggregate function`, position);
    }
  } else if (node.star) {
    throw wrongObject(`${name}(*) specified, but ${name} is not an aggregate function`, position);
  }
  if (node.distinct) throw notSupported("DISTINCT is not implemented for window functions", position);
  if (node.orderBy.length > 0) {
    throw notSupported("aggregate ORDER BY is not implemented for window functions", position);
  }
  if (node.filter !== undefined && entry.kind === "window") {
    throw notSupported("FILTER is not implemented for non-aggregate window functions", position);
  }
  if (chosen.spread) throw notSupported("VARIADIC with a window function is not supported", position);
}

function refuseNested(expr: Expr, level: QueryLevel): void {
  visitColumns(expr, (column, position) => {
    const info = level.state.columns.get(column.id);
    if (info?.level !== level) return;
    if (info.made === "window")
      throw windowingError("window function calls cannot be nested", info.position ?? position);
    if (info.made === "set") {
      throw notSupported(
        "window function calls cannot contain set-returning function calls",
        info.position ?? position,
        "You might be able to move the set-returning function into a LATERAL FROM item.",
      );
    }
  });
}

/** Binds the WINDOW clause, before the select list that may use its names. */
export function bindNamedWindows(windows: readonly ast.NamedWindow[], level: QueryLevel): void {
  for (const { name, definition } of windows) {
    if (level.windows.some((spec) => spec.name === name.name)) {
      throw windowingError(`window "${name.name}" is already defined`, at(definition));
    }
    level.windows.push({ ...bindDefinition(definition, level, true), name: name.name });
  }
}

/** Index of the specification that an OVER names or writes out. */
function specOf(over: ast.Identifier | ast.WindowDefinition, level: QueryLevel): number {
  if (over.kind === "Identifier") {
    const index = level.windows.findIndex((spec) => spec.name === over.name);
    if (index < 0) throw undefinedWindow(over);
    return index;
  }
  const spec = bindDefinition(over, level, false);
  const same = level.windows.findIndex((other) => other.name === undefined && sameSpec(other, spec));
  if (same >= 0) return same;
  level.windows.push(spec);
  return level.windows.length - 1;
}

function undefinedWindow(name: ast.Identifier): SqlError {
  return new SqlError(sqlstate.undefinedObject, `window "${name.name}" does not exist`, { position: at(name) });
}

function sameSpec(a: WindowSpec, b: WindowSpec): boolean {
  return sameOrdering(a, b) && sameFrame(a.frame, b.frame);
}

/** Whether two specifications can share one pass over the rows. */
export function sameOrdering(a: WindowSpec, b: WindowSpec): boolean {
  return (
    a.partitionBy.length === b.partitionBy.length &&
    a.partitionBy.every((expr, i) => sameExpr(expr, b.partitionBy[i])) &&
    a.orderBy.length === b.orderBy.length &&
    a.orderBy.every((key, i) => {
      const other = b.orderBy[i];
      return (
        key.descending === other.descending && key.nullsFirst === other.nullsFirst && sameExpr(key.expr, other.expr)
      );
    })
  );
}

function sameFrame(a: WindowFrame, b: WindowFrame): boolean {
  const sameOffset = (left: Expr | undefined, right: Expr | undefined) =>
    left === undefined ? right === undefined : right !== undefined && sameExpr(left, right);
  return (
    a.mode === b.mode &&
    a.exclude === b.exclude &&
    a.start.kind === b.start.kind &&
    a.end.kind === b.end.kind &&
    sameOffset(a.start.offset, b.start.offset) &&
    sameOffset(a.end.offset, b.end.offset)
  );
}

function bindDefinition(node: ast.WindowDefinition, level: QueryLevel, named: boolean): WindowSpec {
  const base = node.base && level.windows.find((spec) => spec.name === node.base?.name);
  if (node.base !== undefined && base === undefined) throw undefinedWindow({ ...node.base, range: node.range });
  const orderBy = inClause(level, "window ORDER BY", () => node.orderBy.map((item) => bindWindowSort(item, level)));
  const partitionBy = inClause(level, "window PARTITION BY", () =>
    node.partitionBy.map((item) => {
      const expr = typed(bindExpression(item, level), level);
      equalityCheck(expr.type, at(item));
      return expr;
    }),
  );
  if (base !== undefined) checkInheritance(node, base, named);
  const spec = {
    partitionBy: base === undefined ? partitionBy : base.partitionBy,
    orderBy: base === undefined || base.orderBy.length === 0 ? orderBy : base.orderBy,
  };
  const frame = node.frame === undefined ? defaultFrame : bindFrame(node.frame, spec.orderBy, level, at(node));
  return { ...spec, frame, hasFrame: node.frame !== undefined };
}

/** A window may take over another one's partitions and order; it may add an order, and only where there is no frame. */
function checkInheritance(node: ast.WindowDefinition, base: WindowSpec, named: boolean): void {
  const position = at(node);
  if (node.partitionBy.length > 0) {
    throw windowingError(`cannot override PARTITION BY clause of window "${base.name}"`, position);
  }
  if (node.orderBy.length > 0 && base.orderBy.length > 0) {
    throw windowingError(`cannot override ORDER BY clause of window "${base.name}"`, position);
  }
  if (!base.hasFrame) return;
  const plainCopy = !named && node.orderBy.length === 0 && node.frame === undefined;
  throw new SqlError(sqlstate.windowingError, `cannot copy window "${base.name}" because it has a frame clause`, {
    position,
    hint: plainCopy ? "Omit the parentheses in this OVER clause." : undefined,
  });
}

function bindWindowSort(item: ast.SortItem, level: QueryLevel): SortKey {
  return sortKeyOf(item, typed(bindExpression(item.expression, level), level), level);
}

function typed(expr: Expr, level: QueryLevel): Expr {
  return expr.type === types.unknown ? castTo(expr, types.text, -1, "implicit", level) : expr;
}
