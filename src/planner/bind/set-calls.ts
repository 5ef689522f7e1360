/**
 * Set-returning functions in a select list. A column takes their place in the expression; a ProjectSet node makes it.
 * Source: PostgreSQL 15, 38.5.8 "SQL Functions Returning Sets".
 */
import type { SetReturningFunction } from "../../functions/function.js";
import { recordType, typeNamed, types } from "../../types/type.js";
import type { Expr } from "../expr.js";
import { columnRef } from "../visit.js";
import { notSupported } from "./errors.js";
import type { ChosenFunction } from "./functions.js";
import { placementMessage } from "./placement.js";
import { newColumn, ownColumn, type QueryLevel } from "./state.js";
import { isVolatile } from "./volatile.js";
import { sameExpr } from "./walk.js";

export function bindSetCall(
  entry: SetReturningFunction,
  chosen: ChosenFunction,
  args: readonly Expr[],
  level: QueryLevel,
  position: number,
): Expr {
  const message = placementMessage(level.clause, "set-returning functions");
  if (message !== undefined) throw notSupported(message, position);
  if (chosen.spread) throw notSupported(`VARIADIC with ${entry.name} is not supported`, position);
  const several = entry.columns !== undefined && entry.columns.length > 1;
  if (entry.columns === undefined && entry.returns === "record") {
    throw notSupported(
      `${entry.name} returns rows of no fixed shape, which a select list cannot hold`,
      position,
      `Call it in FROM with a column list: FROM ${entry.name}(…) AS t (a integer, b text).`,
    );
  }
  // Of a function with several columns the value is a row, which the engine packs.
  const type = several
    ? recordType((entry.columns ?? []).map((column) => ({ name: column.name, type: typeNamed(column.type) })))
    : chosen.resultType === types.record && entry.columns?.length === 1
      ? typeNamed(entry.columns[0].type)
      : chosen.resultType;
  level.setCallPositions.push(position);
  // The same call twice runs once: both would give the same rows in step, and GROUP BY can find the one in the other.
  const same = level.setCalls.find(
    ({ call }) =>
      call.function === entry &&
      entry.volatility !== "volatile" &&
      call.args.length === args.length &&
      call.args.every((arg, i) => sameExpr(arg, args[i]) && !isVolatile(arg)),
  );
  if (same !== undefined) return columnRef(same.call.columns[0], position);
  const column = newColumn(level.state, { name: entry.name, type });
  ownColumn(level, column, "set", position);
  level.setCalls.push({
    call: { function: entry, args, argTypes: args.map((arg) => arg.type), type, columns: [column] },
    position,
  });
  return columnRef(column, position);
}
