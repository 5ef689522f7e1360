/**
 * Window frames: their bounds and offsets. A RANGE offset is added to the sort key in the key's own terms.
 * Source: PostgreSQL 15, 4.2.8 "Window Function Calls"; the pairs of types are its in_range functions.
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../../grammar/ast.js";
import { canCoerce } from "../../types/casts.js";
import { type SqlType, types } from "../../types/type.js";
import type { Expr, FrameBound, SortKey, WindowFrame } from "../expr.js";
import { castTo, toSpecificType } from "./conversions.js";
import { notSupported, windowingError } from "./errors.js";
import { bindExpression } from "./expressions.js";
import { rangeShift } from "./range-shift.js";
import { inClause, type QueryLevel } from "./state.js";
import { visitColumns } from "./walk.js";

/** RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW. */
export const defaultFrame: WindowFrame = {
  mode: "range",
  start: { kind: "unbounded preceding" },
  end: { kind: "current row" },
  exclude: "none",
};

export function bindFrame(
  node: ast.WindowFrame,
  orderBy: readonly SortKey[],
  level: QueryLevel,
  position: number,
): WindowFrame {
  const hasOffset = node.start.offset !== undefined || node.end.offset !== undefined;
  if (node.mode === "range" && hasOffset && orderBy.length !== 1) {
    throw windowingError("RANGE with offset PRECEDING/FOLLOWING requires exactly one ORDER BY column", position);
  }
  if (node.mode === "groups" && orderBy.length === 0) {
    throw windowingError("GROUPS mode requires an ORDER BY clause", position);
  }
  return {
    mode: node.mode,
    start: bindBound(node.start, false, node.mode, orderBy, level),
    end: bindBound(node.end, true, node.mode, orderBy, level),
    exclude: node.exclude ?? "none",
  };
}

function bindBound(
  node: ast.FrameBound,
  isEnd: boolean,
  mode: ast.WindowFrame["mode"],
  orderBy: readonly SortKey[],
  level: QueryLevel,
): FrameBound {
  if (node.offset === undefined) return { kind: node.type };
  const name = mode.toUpperCase() as "ROWS" | "RANGE" | "GROUPS";
  const bound = inClause(level, `window ${name}`, () => bindExpression(node.offset as ast.Expression, level));
  if (mode !== "range") {
    const offset = toSpecificType(bound, types.int8, name, level);
    refuseVariables(offset, name, level);
    return { kind: node.type, offset };
  }
  const [key] = orderBy;
  const offset = rangeOffset(bound, key.expr.type, level);
  refuseVariables(offset, name, level);
  // In a descending order the rows before have greater keys.
  const add = (node.type === "following") !== key.descending;
  return { kind: node.type, offset, shift: rangeShift(key.expr.type, offset.type, add, isEnd !== key.descending) };
}

/** Types of offsets that PostgreSQL takes for a sort key of each type, the preferred one first. */
const offsetTypes = new Map<SqlType, readonly SqlType[]>([
  [types.int8, [types.int8]],
  [types.int4, [types.int4, types.int8, types.int2]],
  [types.int2, [types.int2, types.int4, types.int8]],
  [types.float4, [types.float8]],
  [types.float8, [types.float8]],
  [types.numeric, [types.numeric]],
  [types.date, [types.interval]],
  [types.timestamp, [types.interval]],
  [types.timestamptz, [types.interval]],
  [types.time, [types.interval]],
  [types.timetz, [types.interval]],
  [types.interval, [types.interval]],
]);

function rangeOffset(offset: Expr, keyType: SqlType, level: QueryLevel): Expr {
  const accepted = offsetTypes.get(keyType);
  const what = `RANGE with offset PRECEDING/FOLLOWING is not supported for column type ${keyType === types.varchar ? "text" : keyType.display}`;
  if (accepted === undefined) throw notSupported(what, offset.position);
  const target =
    offset.type === types.unknown
      ? accepted[0]
      : (accepted.find((type) => type === offset.type) ??
        accepted.find((type) => canCoerce(offset.type, type, "implicit")));
  if (target === undefined) {
    throw notSupported(
      `${what} and offset type ${offset.type.display}`,
      offset.position,
      "Cast the offset value to an appropriate type.",
    );
  }
  return castTo(offset, target, -1, "implicit", level);
}

function refuseVariables(expr: Expr, name: string, level: QueryLevel): void {
  visitColumns(expr, (column, position) => {
    if (level.state.columns.get(column.id)?.level !== level) return;
    throw new SqlError(sqlstate.invalidColumnReference, `argument of ${name} must not contain variables`, { position });
  });
}
