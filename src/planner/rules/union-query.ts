/** The query behind `key = (SELECT …) OR key = 1` and `key IN (SELECT …) OR key = 1`: all values that the key may have. */
import { makeCast } from "../../types/casts.js";
import type { SqlType } from "../../types/type.js";
import type { Column, Expr } from "../expr.js";
import { type LogicalPlan, outputOf } from "../plan.js";
import type { RuleContext } from "../rule.js";
import { alwaysConverts } from "./comparison-types.js";
import { foldSession } from "./fold-expression.js";

/**
 * @param tuples of expressions that may hold subqueries, but take no columns
 * @param plans queries of as many columns
 * @returns a query that gives all of them; `undefined` when they are of different types that are not made one here
 */
export function unionQuery(
  tuples: readonly (readonly Expr[])[],
  plans: readonly LogicalPlan[],
  rules: RuleContext,
): LogicalPlan | undefined {
  const rowsOfTypes = [...tuples, ...plans.map(outputOf)];
  const types = rowsOfTypes[0].map((_, i) => commonType(rowsOfTypes.map((row) => row[i].type)));
  if (plans.some((plan) => outputOf(plan).some(({ type }, i) => type !== types[i]))) return undefined;
  const columns = () =>
    types.map((type): Column => ({ id: rules.newColumnId(), name: "value", type, typmod: -1, nullable: true }));
  const rows: Expr[][] = [];
  for (const tuple of tuples) {
    const row = tuple.flatMap((expr, i) => asType(expr, types[i]) ?? []);
    if (row.length < tuple.length) return undefined;
    rows.push(row);
  }
  const values: readonly LogicalPlan[] = rows.length === 0 ? [] : [{ kind: "Values", columns: columns(), rows }];
  return [...plans, ...values].reduce((left, right) => ({
    kind: "SetOperation",
    operator: "union",
    all: true,
    left,
    right,
    columns: columns(),
  }));
}

/** The first type that all others convert to without loss; else the first. */
function commonType(types: readonly SqlType[]): SqlType {
  return types.find((type) => types.every((other) => alwaysConverts(other, type))) ?? types[0];
}

function asType(expr: Expr, type: SqlType): Expr | undefined {
  if (expr.type === type) return expr;
  if (expr.kind !== "Constant" || !alwaysConverts(expr.type, type)) return undefined;
  const { value } = expr;
  return {
    kind: "Constant",
    type,
    value: value === null ? null : makeCast(expr.type, type, -1, true, foldSession)(value),
  };
}
