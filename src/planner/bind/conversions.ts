/**
 * Conversions of bound expressions: implicit, assignment and explicit casts written out, quoted literals read by the type
 * that is wanted, and the common type of several expressions.
 * Source: PostgreSQL 15, 10.4 "Value Storage", 10.5 "UNION, CASE, and Related Constructs", CREATE CAST.
 */
import { resolveTypeName } from "../../catalog/type-name.js";
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../../grammar/ast.js";
import { castVolatility } from "../../types/casts/volatility.js";
import { type CastContext, canCoerce, findCast, isNoOperation, makeCast } from "../../types/casts.js";
import { findCommonType, sameType, selectCommonType } from "../../types/common-type.js";
import { type SqlType, types } from "../../types/type.js";
import type { Cast, Expr } from "../expr.js";
import { bindArray } from "./arrays.js";
import { at, datatypeMismatch } from "./errors.js";
import { bindExpression } from "./expressions.js";
import { withoutLabels } from "./labels.js";
import { isUnknownLiteral, readLiteral } from "./literals.js";
import { decideParameter } from "./parameters.js";
import { namesKnown, type QueryLevel, userTypes } from "./state.js";

export { canCoerce };

/** The expression as a value of `type`, or `undefined` where the context allows no such cast. */
export function coerceTo(
  expr: Expr,
  type: SqlType,
  typmod: number,
  context: CastContext,
  level: QueryLevel,
): Expr | undefined {
  return canCoerce(expr.type, type, context) ? castTo(expr, type, typmod, context, level) : undefined;
}

/** The expression as a value of `type`; whoever calls knows that the cast exists. @throws SqlError 42846 */
export function castTo(expr: Expr, type: SqlType, typmod: number, context: CastContext, level: QueryLevel): Expr {
  if (type.kind === "pseudo" && type !== types.unknown && type !== types.void) {
    // A function that takes anything takes an untyped literal as text.
    return expr.type === types.unknown ? castTo(expr, types.text, -1, context, level) : expr;
  }
  if (sameType(expr.type, type) || (isRecord(expr.type) && type === types.record)) {
    return applyTypmod(expr, type, typmod, context);
  }
  if (expr.type === types.unknown) return castUnknown(expr, type, typmod, context, level);
  if (findCast(expr.type, type) === undefined) throw cannotCast(expr.type, type, expr.position);
  return castNode(expr, type, typmod, context);
}

function isRecord(type: SqlType): boolean {
  return type.kind === "record";
}

function applyTypmod(expr: Expr, type: SqlType, typmod: number, context: CastContext): Expr {
  if (typmod < 0 || typmod === (expr.typmod ?? -1) || isNoOperation(expr.type, type, typmod)) return expr;
  return castNode(expr, type, typmod, context);
}

function castUnknown(expr: Expr, type: SqlType, typmod: number, context: CastContext, level: QueryLevel): Expr {
  if (expr.kind === "Parameter") return applyTypmod(decideParameter(expr, type, level.state), type, typmod, context);
  if (!isUnknownLiteral(expr) || expr.kind !== "Constant") return castNode(expr, type, typmod, context);
  const { position } = expr;
  if (expr.value === null) return { kind: "Constant", value: null, type, typmod, position };
  const text = expr.value as string;
  // Only an interval is read differently for its modifier: '10'::interval minute.
  const read = readLiteral(text, type, type === types.interval ? typmod : -1, position, namesKnown(level));
  if (read.dependsOnSession) {
    // A literal all the same: PostgreSQL has read it before it plans, so that what is made of it is a constant.
    const literal: Expr = { kind: "Constant", value: text, type: types.text, position };
    return { ...castNode(literal, type, typmod, context), volatility: "immutable" };
  }
  const constant: Expr = { kind: "Constant", value: read.value, type, position };
  return applyTypmod(constant, type, typmod, context);
}

function castNode(input: Expr, type: SqlType, typmod: number, context: CastContext): Cast {
  const source = input.type;
  return {
    kind: "Cast",
    input,
    context,
    volatility: castVolatility(source, type),
    resolve: ({ session }) => makeCast(source, type, typmod, context === "explicit", session),
    type,
    typmod,
    position: input.position,
  };
}

function cannotCast(source: SqlType, target: SqlType, position: number | undefined): SqlError {
  return new SqlError(sqlstate.cannotCoerce, `cannot cast type ${source.display} to ${target.display}`, { position });
}

/** `x::type`, `CAST(x AS type)`, `type 'x'`. */
export function bindCast(node: ast.Cast, level: QueryLevel): Expr {
  const { type, typmod } = resolveTypeName(node.type, userTypes(level));
  if (node.operand.kind === "ArrayConstructor" && type.kind === "array") {
    return bindArray(node.operand, level, type, typmod);
  }
  const operand = withoutLabels(bindExpression(node.operand, level));
  if (!canCoerce(operand.type, type, "explicit")) {
    const isOperator = node.range.start >= node.operand.range.start;
    throw cannotCast(operand.type, type, isOperator ? at(node.type) - 2 : at(node));
  }
  return castTo(operand, type, typmod, "explicit", level);
}

/** A condition. @throws SqlError 42804 when it is none; `name` is the clause or operator it belongs to */
export function toBoolean(expr: Expr, name: string, level: QueryLevel): Expr {
  return toSpecificType(expr, types.bool, name, level);
}

/** An expression that must have one type. @throws SqlError 42804 */
export function toSpecificType(expr: Expr, type: SqlType, name: string, level: QueryLevel): Expr {
  const cast = coerceTo(expr, type, -1, "assignment", level);
  if (cast !== undefined) return cast;
  throw datatypeMismatch(
    `argument of ${name} must be type ${type.display}, not type ${expr.type.display}`,
    expr.position,
  );
}

/**
 * The type in which several expressions meet, the first one preferred; `undefined` when they do not and `name` is not given.
 * @throws SqlError 42804 `CASE types integer and text cannot be matched`, when `name` is given
 */
export function commonType(exprs: readonly Expr[], name: string, level: QueryLevel): SqlType;
export function commonType(exprs: readonly Expr[], name: undefined, level: QueryLevel): SqlType | undefined;
export function commonType(exprs: readonly Expr[], name: string | undefined, _level: QueryLevel): SqlType | undefined {
  const given = exprs.map((expr) => expr.type);
  if (name !== undefined) {
    return selectCommonType(
      given,
      name,
      exprs.map((expr) => expr.position),
    );
  }
  const found = findCommonType(given);
  return "type" in found ? found.type : undefined;
}

/** The modifier that all expressions share once they have the common type; -1 when they differ. */
export function commonTypmod(exprs: readonly Expr[], type: SqlType): number {
  const first = exprs[0].typmod ?? -1;
  return exprs.every((expr) => expr.type === type && (expr.typmod ?? -1) === first) ? first : -1;
}

/** An expression as a value of the common type. @throws SqlError 42846 */
export function toCommonType(expr: Expr, type: SqlType, name: string, level: QueryLevel): Expr {
  const cast = coerceTo(expr, type, -1, "implicit", level);
  if (cast !== undefined) return cast;
  throw new SqlError(sqlstate.cannotCoerce, `${name} could not convert type ${expr.type.display} to ${type.display}`, {
    position: expr.position,
  });
}
