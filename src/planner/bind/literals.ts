/**
 * Literals: numbers typed by their size, quoted literals read by the type that the context gives them. A literal that
 * its type cannot read fails here, with its place in the text, as in PostgreSQL.
 */
import { SqlError, withPosition } from "../../errors/sql-error.js";
import { checkPatterns } from "../../functions/jsonpath/like-regex.js";
import type * as ast from "../../grammar/ast.js";
import { operationsOf } from "../../types/families.js";
import type { JsonPath } from "../../types/json/jsonpath/ast.js";
import type { TypeContext } from "../../types/operations.js";
import { type SqlType, types } from "../../types/type.js";
import type { Value } from "../../types/value.js";
import type { Expr } from "../expr.js";
import { at } from "./errors.js";

/** A number is int4 or int8 when it is an integer that fits, otherwise numeric. */
export function numberLiteral(node: ast.NumericLiteral): Expr {
  const position = at(node);
  if (node.isInteger) {
    const value = BigInt(node.text);
    if (value >= -2147483648n && value <= 2147483647n) {
      return { kind: "Constant", value: Number(value), type: types.int4, position };
    }
    if (value >= -9223372036854775808n && value <= 9223372036854775807n) {
      return {
        kind: "Constant",
        value: readLiteral(node.text, types.int8, -1, position).value,
        type: types.int8,
        position,
      };
    }
  }
  return {
    kind: "Constant",
    value: readLiteral(node.text, types.numeric, -1, position).value,
    type: types.numeric,
    position,
  };
}

/** A quoted literal whose type is not known yet. */
export function stringLiteral(value: string, position: number | undefined): Expr {
  return { kind: "Constant", value, type: types.unknown, position };
}

/** A text read by its type, and whether the answer depends on the session: `'now'`, a time without its zone. */
export interface ReadLiteral {
  readonly value: Value;
  readonly dependsOnSession: boolean;
}

/** Reads a literal as a value of `type`. @throws SqlError of the type's input, at `position` */
export function readLiteral(
  text: string,
  type: SqlType,
  typmod: number,
  position: number | undefined,
  names: Pick<TypeContext, "userType" | "relation"> = {},
): ReadLiteral {
  let asked = false;
  const context: TypeContext = {
    get timeZone() {
      asked = true;
      return "UTC";
    },
    get nowMicroseconds() {
      asked = true;
      return Date.now() * 1000;
    },
    ...names,
  };
  try {
    const value = operationsOf(type).input(text, typmod, context);
    if (type === types.jsonpath) checkPatterns(value as JsonPath);
    return { value, dependsOnSession: asked };
  } catch (error) {
    throw error instanceof SqlError ? withPosition(error, position) : error;
  }
}

/** Whether an expression is a quoted literal or NULL that has no type yet. */
export function isUnknownLiteral(expr: Expr): boolean {
  return expr.kind === "Constant" && expr.type === types.unknown;
}

/** Whether an expression is a NULL that was written without a type. */
export function isBareNull(node: ast.Expression): boolean {
  return node.kind === "NullLiteral";
}
