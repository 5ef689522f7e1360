/**
 * Array constructors, and subscripts of arrays and of jsonb.
 * Source: PostgreSQL 15, 4.2.12 "Array Constructors", 8.15.3 "Accessing Arrays", 8.14.5 "jsonb Subscripting".
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../../grammar/ast.js";
import { arrayOf, type SqlType, types } from "../../types/type.js";
import type { Expr, Subscript } from "../expr.js";
import { castTo, coerceTo, commonType, commonTypmod, toCommonType } from "./conversions.js";
import { at, datatypeMismatch } from "./errors.js";
import { bindExpression } from "./expressions.js";
import type { QueryLevel } from "./state.js";

/** ARRAY[…]; `target` is the array type of a cast right around it, which its elements then take directly. */
export function bindArray(node: ast.ArrayConstructor, level: QueryLevel, target?: SqlType, typmod = -1): Expr {
  const position = at(node);
  let nested = false;
  const items = node.elements.map((element) => {
    if (element.kind === "ArrayConstructor") {
      nested = true;
      return bindArray(element, level, target, typmod);
    }
    const item = bindExpression(element, level);
    if (item.type.kind === "array") nested = true;
    return item;
  });
  if (target?.element !== undefined) {
    const wanted = nested ? target : target.element;
    const typed = items.map((item) => {
      const cast = coerceTo(item, wanted, typmod, "explicit", level);
      if (cast !== undefined) return cast;
      throw new SqlError(sqlstate.cannotCoerce, `cannot cast type ${item.type.display} to ${wanted.display}`, {
        position: item.position,
      });
    });
    return { kind: "Array", items: typed, nested, type: target, typmod, position };
  }
  if (items.length === 0) {
    throw new SqlError(sqlstate.indeterminateDatatype, "cannot determine type of empty array", {
      position,
      hint: "Explicitly cast to the desired type, for example ARRAY[]::integer[].",
    });
  }
  const common = commonType(items, "ARRAY", level);
  if (nested && common.element === undefined) {
    throw new SqlError(sqlstate.undefinedObject, `could not find element type for data type ${common.display}`, {
      position,
    });
  }
  const typed = items.map((item) => toCommonType(item, common, "ARRAY", level));
  const type = nested ? common : arrayOf(common);
  return { kind: "Array", items: typed, nested, type, typmod: commonTypmod(items, common), position };
}

/** What stands in one pair of brackets. */
export type Bracket = ast.Subscript | ast.Slice | ast.IndexStep | ast.SliceStep;

/** `a[1][2]`, `a[1:2]`, `doc['key'][0]`. */
export function bindSubscript(node: ast.Subscript | ast.Slice, level: QueryLevel): Expr {
  const steps: (ast.Subscript | ast.Slice)[] = [];
  let base: ast.Expression = node;
  while (base.kind === "Subscript" || base.kind === "Slice") {
    steps.unshift(base);
    base = base.operand;
  }
  const input = bindExpression(base, level);
  const { subscripts, type } = bindBrackets(input.type, steps, at(base), level);
  const position = input.type === types.jsonb ? at(steps[steps.length - 1]) : at(node);
  return { kind: "Subscript", input, subscripts, type, typmod: input.typmod, position };
}

/** The subscripts of a value of some type, and the type of the part that they mean. @throws SqlError 42804 */
export function bindBrackets(
  container: SqlType,
  brackets: readonly Bracket[],
  position: number,
  level: QueryLevel,
): { readonly subscripts: Subscript["subscripts"]; readonly type: SqlType } {
  if (container === types.jsonb) {
    return { subscripts: brackets.map((bracket) => jsonSubscript(bracket, level)), type: types.jsonb };
  }
  const { element } = container;
  if (element === undefined) {
    throw datatypeMismatch(
      `cannot subscript type ${container.display} because it does not support subscripting`,
      position,
      container === types.json ? "Elements of json are read with -> and ->>." : undefined,
    );
  }
  const slice = brackets.some((bracket) => !("index" in bracket));
  const subscripts = brackets.map((bracket) => {
    if (!("index" in bracket)) {
      return {
        slice: true,
        lower: bracket.lower && arrayIndex(bracket.lower, level),
        upper: bracket.upper && arrayIndex(bracket.upper, level),
      };
    }
    const upper = arrayIndex(bracket.index, level);
    // Among slices a single subscript n means 1:n.
    return slice ? { slice: true, lower: one(), upper } : { slice: false, upper };
  });
  return { subscripts, type: slice ? container : element };
}

function one(): Expr {
  return { kind: "Constant", value: 1, type: types.int4 };
}

function arrayIndex(node: ast.Expression, level: QueryLevel): Expr {
  const index = bindExpression(node, level);
  const cast = coerceTo(index, types.int4, -1, "assignment", level);
  if (cast === undefined) throw datatypeMismatch("array subscript must have type integer", at(node));
  return cast;
}

function jsonSubscript(bracket: Bracket, level: QueryLevel): Subscript["subscripts"][number] {
  if (!("index" in bracket)) {
    throw datatypeMismatch("jsonb subscript does not support slices", at(bracket.upper ?? bracket.lower ?? bracket));
  }
  return { slice: false, upper: jsonIndex(bracket.index, level) };
}

function jsonIndex(node: ast.Expression, level: QueryLevel): Expr {
  const index = bindExpression(node, level);
  if (index.type === types.unknown) return castTo(index, types.text, -1, "assignment", level);
  for (const type of [types.int4, types.text]) {
    const cast = coerceTo(index, type, -1, "implicit", level);
    if (cast !== undefined) return cast;
  }
  throw new SqlError(sqlstate.datatypeMismatch, `subscript type ${index.type.display} is not supported`, {
    position: at(node),
    hint: "jsonb subscript must be coercible to either integer or text.",
  });
}
