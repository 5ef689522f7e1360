/**
 * CASE, COALESCE, NULLIF, GREATEST, LEAST and IS DISTINCT FROM.
 * Source: PostgreSQL 15, 9.18 "Conditional Expressions", 10.5 "UNION, CASE, and Related Constructs".
 */
import type * as ast from "../../grammar/ast.js";
import { types } from "../../types/type.js";
import type { Case, Expr } from "../expr.js";
import { columnRef } from "../visit.js";
import { keywordPosition } from "./comparisons.js";
import { commonType, commonTypmod, toBoolean, toCommonType } from "./conversions.js";
import { at, datatypeMismatch, notSupported, syntaxError } from "./errors.js";
import { bindExpression } from "./expressions.js";
import { callNamed } from "./functions.js";
import { labelledColumn } from "./labels.js";
import { isBareNull, isUnknownLiteral } from "./literals.js";
import { operatorCall, uncheckedCall } from "./operators.js";
import { bindRowFields } from "./rows.js";
import { newColumn, type QueryLevel } from "./state.js";

export function bindCase(node: ast.Case, level: QueryLevel): Expr {
  const position = at(node);
  const setCallsBefore = level.setCallPositions.length;
  let operand: Expr | undefined;
  let operandColumn: Case["operandColumn"];
  if (node.operand !== undefined) {
    operand = bindExpression(node.operand, level);
    // An untyped literal as the operand is text, as PostgreSQL decides.
    if (operand.type === types.unknown) operand = callNamed.toText(operand, level);
    operandColumn = newColumn(level.state, {
      name: labelledColumn(operand)?.name ?? "case",
      type: operand.type,
      typmod: operand.typmod,
      labels: labelledColumn(operand)?.labels,
    });
  }
  const branches = node.branches.map((branch) => {
    let when: Expr;
    if (operandColumn === undefined) {
      when = toBoolean(bindExpression(branch.when, level), "CASE/WHEN", level);
    } else {
      const equals = operatorCall(
        "=",
        columnRef(operandColumn, at(branch.when)),
        bindExpression(branch.when, level),
        level,
        at(branch),
      );
      when = toBoolean(equals, "CASE/WHEN", level);
    }
    return { when, then: bindExpression(branch.then, level) };
  });
  const otherwise: Expr =
    node.otherwise === undefined
      ? { kind: "Constant", value: null, type: types.unknown, position }
      : bindExpression(node.otherwise, level);
  refuseSetFunctions(level, setCallsBefore, "CASE");
  const results = [otherwise, ...branches.map((branch) => branch.then)];
  const type = commonType(results, "CASE", level);
  return {
    kind: "Case",
    ...(operand && { operand, operandColumn }),
    branches: branches.map(({ when, then }) => ({ when, then: toCommonType(then, type, "CASE/WHEN", level) })),
    otherwise: toCommonType(otherwise, type, "CASE/ELSE", level),
    type,
    typmod: commonTypmod(results, type),
    position,
  };
}

export function bindCoalesce(node: ast.Coalesce, level: QueryLevel): Expr {
  const setCallsBefore = level.setCallPositions.length;
  const args = node.args.map((arg) => bindExpression(arg, level));
  const type = commonType(args, "COALESCE", level);
  refuseSetFunctions(level, setCallsBefore, "COALESCE");
  return {
    kind: "Coalesce",
    args: args.map((arg) => toCommonType(arg, type, "COALESCE", level)),
    type,
    typmod: commonTypmod(args, type),
    position: at(node),
  };
}

export function bindMinMax(node: ast.MinMax, level: QueryLevel): Expr {
  const name = node.operator.toUpperCase();
  const args = node.args.map((arg) => bindExpression(arg, level));
  const type = commonType(args, name, level);
  return {
    kind: "MinMax",
    which: node.operator,
    args: args.map((arg) => toCommonType(arg, type, name, level)),
    type,
    typmod: commonTypmod(args, type),
    position: at(node),
  };
}

/** CASE and COALESCE may skip an argument, so nothing in them may give rows. */
function refuseSetFunctions(level: QueryLevel, before: number, name: string): void {
  if (level.setCallPositions.length === before) return;
  throw notSupported(
    `set-returning functions are not allowed in ${name}`,
    level.setCallPositions[before],
    "You might be able to move the set-returning function into a LATERAL FROM item.",
  );
}

/** NULLIF: the operands meet in `=`, and the first one is the result in the type that `=` takes it in. */
export function bindNullIf(node: ast.NullIf, level: QueryLevel): Expr {
  const position = at(node);
  const left = bindExpression(node.left, level);
  const right = bindExpression(node.right, level);
  const equals = uncheckedCall("=", left, right, level, position);
  if (equals.type !== types.bool) throw datatypeMismatch("NULLIF requires = operator to yield boolean", position);
  const [input] = equals.args;
  return { kind: "NullIf", input, equals, type: input.type, typmod: input.typmod, position };
}

export function bindDistinctFrom(node: ast.DistinctFrom, level: QueryLevel): Expr {
  const position = keywordPosition(node.left);
  const { left: leftNode, right: rightNode, negated } = node;
  // Against a bare NULL it is a test for NULL.
  if (isBareNull(rightNode)) return nullTest(bindExpression(leftNode, level), negated, position);
  if (isBareNull(leftNode)) return nullTest(bindExpression(rightNode, level), negated, position);
  if (leftNode.kind === "RowConstructor" && rightNode.kind === "RowConstructor") {
    return rowsDistinct(bindRowFields(leftNode, level), bindRowFields(rightNode, level), negated, level, position);
  }
  return distinct(bindExpression(leftNode, level), bindExpression(rightNode, level), negated, level, position);
}

function nullTest(input: Expr, negated: boolean, position: number): Expr {
  const rowwise = input.type.kind === "record";
  if (isUnknownLiteral(input))
    return { kind: "IsNull", input, negated: !negated, rowwise: false, type: types.bool, position };
  return { kind: "IsNull", input, negated: !negated, rowwise, type: types.bool, position };
}

function distinct(left: Expr, right: Expr, negated: boolean, level: QueryLevel, position: number): Expr {
  const equals = operatorCall("=", left, right, level, position);
  if (equals.kind !== "Call" || equals.type !== types.bool) {
    throw datatypeMismatch("IS DISTINCT FROM requires = operator to yield boolean", position);
  }
  const [a, b] = equals.args;
  return { kind: "IsDistinct", left: a, right: b, negated, equals, type: types.bool, position };
}

function rowsDistinct(
  left: readonly Expr[],
  right: readonly Expr[],
  negated: boolean,
  level: QueryLevel,
  position: number,
): Expr {
  if (left.length !== right.length) throw syntaxError("unequal number of entries in row expressions", position);
  const args = left.map((field, i) => distinct(field, right[i], negated, level, position));
  if (args.length === 0) return { kind: "Constant", value: negated, type: types.bool, position };
  if (args.length === 1) return args[0];
  return { kind: negated ? "And" : "Or", args, type: types.bool, position };
}
