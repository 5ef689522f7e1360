/**
 * Subqueries inside expressions: EXISTS, IN, ANY, ALL, ARRAY(…), and a query as a value or as a row.
 * Source: PostgreSQL 15, 4.2.11 "Scalar Subqueries", 9.23 "Subquery Expressions".
 */
import type * as ast from "../../grammar/ast.js";
import { arrayOf, recordType, types } from "../../types/type.js";
import type { Column, Expr, Subquery } from "../expr.js";
import type { LogicalPlan } from "../plan.js";
import { columnRef } from "../visit.js";
import { keywordPosition } from "./comparisons.js";
import { at, datatypeMismatch, syntaxError } from "./errors.js";
import { bindExpression } from "./expressions.js";
import { bindRowFields, compareRows, fieldAt } from "./rows.js";
import { bindSelectAt } from "./select.js";
import { newColumn, openLevel, type QueryLevel } from "./state.js";

interface BoundSubquery {
  readonly plan: LogicalPlan;
  readonly output: readonly Column[];
}

function bindQuery(query: ast.SelectStatement, level: QueryLevel): BoundSubquery {
  const inner = openLevel(level.state, level);
  inner.inExpression = true;
  return bindSelectAt(query, inner);
}

/** EXISTS (SELECT …): whatever its select list, which is bound for its errors. */
export function bindExists(node: ast.Exists, level: QueryLevel): Expr {
  const { plan } = bindQuery(node.query, level);
  return { kind: "Subquery", subqueryKind: "exists", plan, type: types.bool, position: at(node) };
}

export function bindScalarSubquery(node: ast.ScalarSubquery, level: QueryLevel): Expr {
  const { plan, output } = bindQuery(node.query, level);
  if (output.length !== 1) throw syntaxError("subquery must return only one column", at(node));
  const [column] = output;
  return {
    kind: "Subquery",
    subqueryKind: "scalar",
    plan,
    type: column.type,
    typmod: column.typmod,
    position: at(node),
  };
}

/** ARRAY(SELECT …). @throws SqlError 42601 for several columns */
export function bindArraySubquery(node: ast.ArraySubquery, level: QueryLevel): Expr {
  const { plan, output } = bindQuery(node.query, level);
  if (output.length !== 1) throw syntaxError("subquery must return only one column", at(node));
  const [column] = output;
  return {
    kind: "Subquery",
    subqueryKind: "array",
    plan,
    type: arrayOf(column.type),
    typmod: column.typmod,
    position: at(node),
  };
}

/** A query whose single row is a value: `(a, b) = (SELECT …)`, `SET (a, b) = (SELECT …)`. */
export function bindRowSubquery(query: ast.SelectStatement, level: QueryLevel, position: number): Subquery {
  const { plan, output } = bindQuery(query, level);
  const type = recordType(output.map((column) => ({ name: column.name, type: column.type })));
  return { kind: "Subquery", subqueryKind: "row", plan, type, position };
}

export function bindInSubquery(node: ast.InSubquery, level: QueryLevel): Expr {
  const position = keywordPosition(node.operand);
  const any = quantified(node.operand, "=", "any", node.query, level, position, at(node));
  return node.negated ? { kind: "Not", input: any, type: types.bool, position: at(node) } : any;
}

export function bindQuantifiedSubquery(node: ast.QuantifiedSubquery, level: QueryLevel): Expr {
  const { name } = node.operator;
  return quantified(node.left, name, node.quantifier, node.query, level, at(node.operator), at(node));
}

function quantified(
  leftNode: ast.Expression,
  operator: string,
  kind: "any" | "all",
  query: ast.SelectStatement,
  level: QueryLevel,
  operatorPosition: number,
  position: number,
): Expr {
  const left = leftNode.kind === "RowConstructor" ? bindRowFields(leftNode, level) : [bindExpression(leftNode, level)];
  const { plan, output } = bindQuery(query, level);
  if (output.length > left.length) throw syntaxError("subquery has too many columns", operatorPosition);
  if (output.length < left.length) throw syntaxError("subquery has too few columns", operatorPosition);
  const right = output.map((column) => columnRef(column));
  const test = compareRows(operator, left, right, level, operatorPosition);
  if (test.type !== types.bool) {
    throw datatypeMismatch(
      `row comparison operator must yield type boolean, not type ${test.type.display}`,
      operatorPosition,
    );
  }
  return { kind: "Subquery", subqueryKind: kind, plan, test, operator, type: types.bool, position };
}

/** `(a, b) op (SELECT x, y …)`: the query's one row is taken once and its fields are compared. */
export function compareRowWithSubquery(
  operator: ast.OperatorName,
  leftNode: ast.RowConstructor,
  rightNode: ast.ScalarSubquery,
  level: QueryLevel,
): Expr {
  const position = at(operator);
  const left = bindRowFields(leftNode, level);
  const row = bindRowSubquery(rightNode.query, level, at(rightNode));
  const count = row.type.fields?.length ?? 0;
  if (count > left.length) throw syntaxError("subquery has too many columns", position);
  if (count < left.length) throw syntaxError("subquery has too few columns", position);
  const operandColumn = newColumn(level.state, { name: "row", type: row.type });
  const fields = left.map((_, index) => fieldAt(columnRef(operandColumn), index));
  const test = compareRows(operator.name, left, fields, level, position);
  return {
    kind: "Case",
    operand: row,
    operandColumn,
    branches: [],
    otherwise: test,
    type: types.bool,
    position: at(leftNode),
  };
}
