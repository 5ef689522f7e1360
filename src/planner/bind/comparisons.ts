/**
 * BETWEEN, IN with a list, and comparisons with the elements of an array.
 * Source: PostgreSQL 15, 9.2 "Comparison Functions and Operators", 9.24 "Row and Array Comparisons".
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../../grammar/ast.js";
import { arrayOf, types } from "../../types/type.js";
import type { Expr } from "../expr.js";
import { columnRef, columnsOf, someExpression } from "../visit.js";
import { requireCollation } from "./collations.js";
import { canCoerce, castTo, coerceTo, commonType, toBoolean } from "./conversions.js";
import { at } from "./errors.js";
import { bindExpression } from "./expressions.js";
import { checkLabels, labelledColumn } from "./labels.js";
import { callWith, operatorCall, resolveOperator } from "./operators.js";
import { bindRowFields, compareRows } from "./rows.js";
import { newColumn, type QueryLevel } from "./state.js";

/** A comparison of two nodes, as rows where both are written as rows. */
export function compareNodes(
  operator: string,
  left: Operand,
  right: Operand,
  level: QueryLevel,
  position: number,
): Expr {
  if (left.fields !== undefined && right.fields !== undefined) {
    return compareRows(operator, left.fields(), right.fields(), level, position);
  }
  return operatorCall(operator, left.value(), right.value(), level, position);
}

/** An operand that may be bound once or several times, as a value or as the fields of a row. */
interface Operand {
  value(): Expr;
  fields?(): readonly Expr[];
}

/** Binds a node once and hands the same expression out each time, unless a subquery in it needs columns of its own. */
export function operandOf(node: ast.Expression, level: QueryLevel): Operand {
  if (node.kind === "RowConstructor") {
    return { value: () => bindExpression(node, level), fields: () => bindRowFields(node, level) };
  }
  let first: Expr | undefined;
  let again = false;
  return {
    value: () => {
      if (first === undefined || again) {
        first = bindExpression(node, level);
        again = someExpression(first, (part) => part.kind === "Subquery");
      }
      return first;
    },
  };
}

/** The place of an infix keyword, which stands one blank behind its left operand in nearly every text. */
export function keywordPosition(left: ast.Expression): number {
  return left.range.end + 2;
}

/** Above this many nodes an operand is computed once rather than written twice: nested, that would double at each level. */
const maxCopiedNodes = 50;

/**
 * Binds an operand that `build` uses several times. A small one is simply repeated, so that rules see plain comparisons;
 * one with a subquery, or a large one, is computed once.
 */
function withOperand(node: ast.Expression, level: QueryLevel, build: (operand: Operand) => Expr): Expr {
  if (node.kind === "RowConstructor") return build(operandOf(node, level));
  const operand = bindExpression(node, level);
  if (isCheap(operand)) return build({ value: () => operand });
  const operandColumn = newColumn(level.state, {
    name: labelledColumn(operand)?.name ?? "operand",
    type: operand.type,
    typmod: operand.typmod,
  });
  const otherwise = build({ value: () => columnRef(operandColumn, operand.position) });
  return {
    kind: "Case",
    operand,
    operandColumn,
    branches: [],
    otherwise,
    type: types.bool,
    position: operand.position,
  };
}

function isCheap(expr: Expr): boolean {
  let nodes = 0;
  return !someExpression(expr, (part) => part.kind === "Subquery" || ++nodes > maxCopiedNodes);
}

export function bindBetween(node: ast.Between, level: QueryLevel): Expr {
  return withOperand(node.operand, level, (operand) => between(node, operand, level));
}

function between(node: ast.Between, operand: Operand, level: QueryLevel): Expr {
  const lower = operandOf(node.lower, level);
  const upper = operandOf(node.upper, level);
  const position = keywordPosition(node.operand);
  const compare = (operator: string, bound: Operand) => compareNodes(operator, operand, bound, level, position);
  const within = (low: Operand, high: Operand): Expr => ({
    kind: "And",
    args: [compare(">=", low), compare("<=", high)],
    type: types.bool,
    position,
  });
  const outside = (low: Operand, high: Operand): Expr => ({
    kind: "Or",
    args: [compare("<", low), compare(">", high)],
    type: types.bool,
    position,
  });
  if (!node.symmetric) return node.negated ? outside(lower, upper) : within(lower, upper);
  return node.negated
    ? { kind: "And", args: [outside(lower, upper), outside(upper, lower)], type: types.bool, position }
    : { kind: "Or", args: [within(lower, upper), within(upper, lower)], type: types.bool, position };
}

/**
 * `x IN (a, b, …)`. As in PostgreSQL, the items that read no column of this query become one list when they share a
 * type with `x`; the others, and lists of rows, are compared one by one.
 */
export function bindInList(node: ast.InList, level: QueryLevel): Expr {
  return withOperand(node.operand, level, (left) => inList(node, left, level));
}

function inList(node: ast.InList, left: Operand, level: QueryLevel): Expr {
  const position = keywordPosition(node.operand);
  const operator = node.negated ? "<>" : "=";
  const items = node.items.map((item) => operandOf(item, level));
  const parts: Expr[] = [];
  let rest = items;
  if (left.fields === undefined && items.length > 1) {
    const fixed = items.filter((item) => item.fields === undefined && !readsOwnColumn(item.value(), level));
    const list = fixed.length > 1 ? listComparison(left.value(), fixed, node.negated, level, position) : undefined;
    if (list !== undefined) {
      parts.push(list);
      rest = items.filter((item) => !fixed.includes(item));
    }
  }
  for (const item of rest) {
    parts.push(toBoolean(compareNodes(operator, left, item, level, position), "IN", level));
  }
  if (parts.length === 1) return parts[0];
  return { kind: node.negated ? "And" : "Or", args: parts, type: types.bool, position };
}

function readsOwnColumn(expr: Expr, level: QueryLevel): boolean {
  for (const id of columnsOf(expr)) if (level.state.columns.get(id)?.level === level) return true;
  return false;
}

function listComparison(
  left: Expr,
  items: readonly Operand[],
  negated: boolean,
  level: QueryLevel,
  position: number,
): Expr | undefined {
  const values = items.map((item) => item.value());
  const type = commonType([left, ...values], undefined, level);
  if (type === undefined || type.kind === "record") return undefined;
  if (![left, ...values].every((value) => canCoerce(value.type, type, "implicit"))) return undefined;
  for (const value of values) checkLabels(left, value);
  if (type.category === "S") requireCollation([left, ...values], "string comparison", level);
  const typed = values.map((value) => castTo(value, type, -1, "implicit", level));
  // Looked up under the symbol that was meant, so that an error shows it; the list itself is kept by its equality.
  const meant = resolveOperator(negated ? "<>" : "=", left, typed[0], position);
  const equals = negated ? resolveOperator("=", left, typed[0], position) : meant;
  const input = castTo(left, equals.argTypes[0], -1, "implicit", level);
  const cast = typed.map((value) => castTo(value, equals.argTypes[1], -1, "implicit", level));
  const call = callWith(equals, [input, cast[0]], position);
  return { kind: "InList", input, items: cast, negated, equals: call, type: types.bool, position };
}

/** `x op ANY (array)`, `x op ALL (array)`. */
export function bindQuantifiedArray(node: ast.QuantifiedArray, level: QueryLevel): Expr {
  const position = at(node.operator);
  const left = bindExpression(node.left, level);
  const array = bindExpression(node.array, level);
  const isUnknown = array.type === types.unknown;
  const element = isUnknown ? types.unknown : array.type.element;
  const wrongType = (message: string) => new SqlError(sqlstate.wrongObjectType, message, { position });
  if (element === undefined) throw wrongType("op ANY/ALL (array) requires array on right side");
  const sample: Expr =
    element === types.unknown
      ? { kind: "Constant", value: null, type: types.unknown }
      : { kind: "Constant", value: null, type: element };
  const operator = resolveOperator(node.operator.name, left, sample, position);
  const [leftType, rightType] = operator.argTypes;
  if (operator.resultType !== types.bool) throw wrongType("op ANY/ALL (array) requires operator to yield boolean");
  const input = castTo(left, leftType, -1, "implicit", level);
  const wanted = rightType.kind === "record" && array.type.element !== undefined ? array.type : arrayOf(rightType);
  const typed = coerceTo(array, wanted, -1, "implicit", level) ?? array;
  if (node.operator.name === "=" || node.operator.name === "<>") checkLabels(left, typed);
  const right: Expr = { kind: "Constant", value: null, type: rightType };
  const compare = callWith(operator, [input, right], position);
  return {
    kind: "ArrayComparison",
    input,
    array: typed,
    quantifier: node.quantifier,
    compare,
    type: types.bool,
    position,
  };
}
