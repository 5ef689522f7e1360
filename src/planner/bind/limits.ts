/** LIMIT, OFFSET and FETCH … WITH TIES. Source: PostgreSQL 15, 7.6 "LIMIT and OFFSET". */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../../grammar/ast.js";
import { types } from "../../types/type.js";
import type { Expr } from "../expr.js";
import { toSpecificType } from "./conversions.js";
import { at, syntaxError } from "./errors.js";
import { bindExpression } from "./expressions.js";
import { inClause, type QueryLevel } from "./state.js";
import { visitColumns } from "./walk.js";

/** LIMIT and OFFSET as bigint expressions; absent where they are not written. */
export interface BoundLimit {
  readonly fetch?: Expr;
  readonly skip?: Expr;
  readonly withTies: boolean;
}

export function bindLimit(statement: ast.SelectStatement, sorted: boolean, level: QueryLevel): BoundLimit | undefined {
  const { limit, offset, withTies } = statement;
  if (withTies && !sorted) {
    throw syntaxError("WITH TIES cannot be specified without ORDER BY clause", limit && at(limit));
  }
  if (limit === undefined && offset === undefined) return undefined;
  const skip = offset && rowCount(offset, "OFFSET", level);
  const fetch = limit && rowCount(limit, "LIMIT", level);
  if (withTies && limit?.kind === "NullLiteral") {
    throw new SqlError(
      sqlstate.invalidRowCountInLimit,
      "row count cannot be null in FETCH FIRST ... WITH TIES clause",
      { position: at(limit) },
    );
  }
  return { ...(fetch && { fetch }), ...(skip && { skip }), withTies };
}

/** A number of rows: of type bigint, and the same for the whole query. */
function rowCount(node: ast.Expression, clause: "LIMIT" | "OFFSET", level: QueryLevel): Expr {
  const expr = inClause(level, clause, () => bindExpression(node, level));
  const count = toSpecificType(expr, types.int8, clause, level);
  visitColumns(count, (column, position) => {
    if (level.state.columns.get(column.id)?.level !== level) return;
    throw new SqlError(sqlstate.invalidColumnReference, `argument of ${clause} must not contain variables`, {
      position,
    });
  });
  return count;
}
