/** CURRENT_DATE, CURRENT_USER and the other functions that SQL writes without parentheses, as calls and casts of the library. */
import type * as ast from "../../grammar/ast.js";
import { type SqlType, types } from "../../types/type.js";
import type { Expr } from "../expr.js";
import { castTo } from "./conversions.js";
import { at } from "./errors.js";
import { callFunction } from "./functions.js";
import type { QueryLevel } from "./state.js";

const clockTypes: Partial<Record<ast.SqlValueFunction["name"], SqlType>> = {
  current_date: types.date,
  current_time: types.timetz,
  current_timestamp: types.timestamptz,
  localtime: types.time,
  localtimestamp: types.timestamp,
};

const calls: Partial<Record<ast.SqlValueFunction["name"], string>> = {
  current_role: "current_user",
  current_user: "current_user",
  session_user: "session_user",
  user: "current_user",
  current_catalog: "current_database",
  current_schema: "current_schema",
};

export function bindSqlValue(node: ast.SqlValueFunction, level: QueryLevel): Expr {
  const position = at(node);
  const clockType = clockTypes[node.name];
  if (clockType !== undefined) {
    const now = callFunction("now", [], level, position);
    const precision = node.precision === undefined ? -1 : Math.min(node.precision, 6);
    return castTo(now, clockType, precision, "explicit", level);
  }
  return callFunction(calls[node.name] ?? node.name, [], level, position);
}
