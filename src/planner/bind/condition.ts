/** A condition over the columns of one table that stands outside of any statement: the row filter of a policy. */
import type { CatalogReader, Table } from "../../catalog/table.js";
import type * as ast from "../../grammar/ast.js";
import type { Column, Expr } from "../expr.js";
import { mapOperands } from "../visit.js";
import { withinStack } from "../within-stack.js";
import { toBoolean } from "./conversions.js";
import { bindExpression } from "./expressions.js";
import { bindScan } from "./from-clause.js";
import { itemOf } from "./scope.js";
import { type BindState, inClause, openLevel } from "./state.js";

/** A bound condition. */
export interface BoundCondition {
  /** One for each of the table's columns. */
  readonly columns: readonly Column[];
  /** Boolean; without positions, since those of its text are none of the statement that it is put into. */
  readonly condition: Expr;
  /** Whether `$1` or the like stands in it. */
  readonly hasParameters: boolean;
}

const noTables: CatalogReader = { table: () => undefined, hasSchema: () => false, tableNames: () => [], version: 0 };

/** @throws SqlError with PostgreSQL's SQLSTATE, words, and the position in the condition's own text */
export function bindCondition(table: Table, expression: ast.Expression): BoundCondition {
  const state: BindState = {
    catalog: noTables,
    options: {},
    columns: new Map(),
    parameters: new Map(),
    parameterPositions: new Map(),
    notices: [],
    openViews: new Set(),
    recursionBarrier: undefined,
    openCtes: [],
    nextColumn: 1,
    nextScan: 1,
    nextCte: 1,
  };
  return withinStack(() => {
    const level = openLevel(state);
    const relation = bindScan(table, undefined, 0, level);
    level.namespace = [itemOf(relation)];
    const bound = inClause(level, "WHERE", () => toBoolean(bindExpression(expression, level), "WHERE", level));
    if (relation.plan.kind !== "Scan") throw new TypeError("a table without rules is a plain scan");
    return {
      columns: relation.plan.columns.map((item) => item.column),
      condition: withoutPositions(bound),
      hasParameters: state.parameterPositions.size > 0 || state.parameters.size > 0,
    };
  });
}

function withoutPositions(expr: Expr): Expr {
  const inside = mapOperands(expr, withoutPositions);
  if (inside.position === undefined) return inside;
  const { position: _, ...rest } = inside;
  return rest as Expr;
}
