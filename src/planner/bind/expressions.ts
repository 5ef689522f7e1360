/**
 * Binds an expression: one small function a kind of node, most of them in the neighbouring files.
 * Source: PostgreSQL 15, 4.2 "Value Expressions", chapter 10 "Type Conversion".
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../../grammar/ast.js";
import { types } from "../../types/type.js";
import type { Expr } from "../expr.js";
import { bindGrouping } from "./aggregates.js";
import { bindArray, bindSubscript } from "./arrays.js";
import { collated } from "./collations.js";
import { bindBetween, bindInList, bindQuantifiedArray, keywordPosition } from "./comparisons.js";
import { bindCase, bindCoalesce, bindDistinctFrom, bindMinMax, bindNullIf } from "./conditionals.js";
import { bindCast, toBoolean } from "./conversions.js";
import { at, datatypeMismatch, notSupported, syntaxError } from "./errors.js";
import { bindFunctionCall, callNamed } from "./functions.js";
import { numberLiteral, stringLiteral } from "./literals.js";
import { bindColumnRef } from "./names.js";
import { bindOperatorChain, bindPatternMatch, bindUnary } from "./operators.js";
import { bindParameter } from "./parameters.js";
import { bindFieldSelection, bindRow } from "./rows.js";
import { bindSqlValue } from "./sql-values.js";
import type { QueryLevel } from "./state.js";
import {
  bindArraySubquery,
  bindExists,
  bindInSubquery,
  bindQuantifiedSubquery,
  bindScalarSubquery,
} from "./subqueries.js";

/** The bound form of an expression. Quoted literals keep the type `unknown` until something around them decides. */
export function bindExpression(node: ast.Expression, level: QueryLevel): Expr {
  switch (node.kind) {
    case "NumericLiteral":
      return numberLiteral(node);
    case "StringLiteral":
      return stringLiteral(node.value, at(node));
    case "BooleanLiteral":
      return { kind: "Constant", value: node.value, type: types.bool, position: at(node) };
    case "NullLiteral":
      return { kind: "Constant", value: null, type: types.unknown, position: at(node) };
    case "BitStringLiteral":
      throw notSupported("bit strings are not supported", at(node));
    case "Parameter":
      return bindParameter(node, level);
    case "ColumnRef":
      return bindColumnRef(node, level);
    case "FieldSelection":
      return bindFieldSelection(node, level);
    case "FieldStar":
      throw syntaxError('row expansion via "*" is not supported here', at(node));
    case "Subscript":
    case "Slice":
      return bindSubscript(node, level);
    case "FunctionCall":
      return bindFunctionCall(node, level);
    case "SqlValueFunction":
      return bindSqlValue(node, level);
    case "BinaryOperator":
      return bindOperatorChain(node, level);
    case "UnaryOperator":
      return bindUnary(node, level);
    case "And":
    case "Or": {
      const name = node.kind === "And" ? "AND" : "OR";
      const args = node.operands.map((operand) => toBoolean(bindExpression(operand, level), name, level));
      return { kind: node.kind, args, type: types.bool, position: at(node) };
    }
    case "Not": {
      const input = toBoolean(bindExpression(node.operand, level), "NOT", level);
      return { kind: "Not", input, type: types.bool, position: at(node) };
    }
    case "IsTest":
      return bindIsTest(node, level);
    case "DistinctFrom":
      return bindDistinctFrom(node, level);
    case "Between":
      return bindBetween(node, level);
    case "InList":
      return bindInList(node, level);
    case "InSubquery":
      return bindInSubquery(node, level);
    case "PatternMatch":
      return bindPatternMatch(node, level);
    case "QuantifiedArray":
      return bindQuantifiedArray(node, level);
    case "QuantifiedSubquery":
      return bindQuantifiedSubquery(node, level);
    case "Exists":
      return bindExists(node, level);
    case "ScalarSubquery":
      return bindScalarSubquery(node, level);
    case "ArrayConstructor":
      return bindArray(node, level);
    case "ArraySubquery":
      return bindArraySubquery(node, level);
    case "RowConstructor":
      return bindRow(node, level);
    case "Case":
      return bindCase(node, level);
    case "Cast":
      return bindCast(node, level);
    case "Collate":
      return bindCollate(node, level);
    case "Grouping":
      return bindGrouping(node, level);
    case "Coalesce":
      return bindCoalesce(node, level);
    case "NullIf":
      return bindNullIf(node, level);
    case "MinMax":
      return bindMinMax(node, level);
    case "DefaultValue":
      throw syntaxError("DEFAULT is not allowed in this context", at(node));
    case "CurrentOf":
      throw notSupported("WHERE CURRENT OF is not supported", at(node));
  }
}

function bindIsTest(node: ast.IsTest, level: QueryLevel): Expr {
  const operand = bindExpression(node.operand, level);
  const position = at(node);
  if (node.test === "null") {
    const rowwise = operand.type.kind === "record";
    return { kind: "IsNull", input: operand, negated: node.negated, rowwise, type: types.bool, position };
  }
  const shown = `IS ${node.negated ? "NOT " : ""}${node.test.toUpperCase()}`;
  const input = toBoolean(operand, shown, level);
  return { kind: "BooleanTest", input, test: node.test, negated: node.negated, type: types.bool, position };
}

/** Collations that order as the engine does: by code point. */
const byteCollations = new Set(["C", "POSIX", "default", "ucs_basic", "C.UTF-8", "C.utf8"]);
/** Collations that a PostgreSQL usually has and the engine has not. */
const languageCollation = /^[a-z]{2,3}([_-].*)?$|^und/;

/** COLLATE changes no order, because only collations that order by code point are let through. */
function bindCollate(node: ast.Collate, level: QueryLevel): Expr {
  const input = bindExpression(node.operand, level);
  const { name } = node.collation;
  const position = keywordPosition(node.operand);
  const isString = input.type.category === "S" || input.type === types.unknown;
  if (!isString && !(input.type.element?.category === "S")) {
    throw datatypeMismatch(`collations are not supported by type ${input.type.display}`, position);
  }
  if (byteCollations.has(name)) {
    return collated(input.type === types.unknown ? callNamed.toText(input, level) : input, name, position, level);
  }
  if (languageCollation.test(name)) {
    throw notSupported(
      `collation "${name}" is not supported`,
      position,
      'Strings are ordered by code point: COLLATE "C". To ignore case, compare lower(…).',
    );
  }
  throw new SqlError(sqlstate.undefinedObject, `collation "${name}" for encoding "UTF8" does not exist`, {
    position,
  });
}
