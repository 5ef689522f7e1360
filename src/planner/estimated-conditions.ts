/**
 * What PostgreSQL works out of a condition to estimate how many rows pass it: the constant that a column is compared with,
 * even when it is only stable (`d = '2024-02-30'::text::date`), and a regular expression, whose fixed beginning it looks for.
 * Errors in these come up although no row is read.
 * Source: PostgreSQL 15, src/backend/utils/adt/selfuncs.c `get_restriction_variable`, like_support.c `patternsel_common`.
 */

import type { Call, Constant, Expr } from "./expr.js";
import { foldSession } from "./rules/fold-expression.js";
import { columnsOf, holdsSubquery, isVolatile } from "./visit.js";

/** A part of a condition that reads no row. */
export interface EstimatedExpression {
  readonly constant: Expr;
  /** The match whose pattern it is. */
  readonly pattern?: Call;
}

const comparisons = new Set(["=", "<>", "<", "<=", ">", ">="]);
const matches = new Set(["~", "~*", "!~", "!~*"]);

/** @param isOneTable whether columns are all of one table: across two the condition is a join, estimated otherwise */
export function estimatedExpressions(
  condition: Expr,
  isOneTable: (columns: ReadonlySet<number>) => boolean,
): readonly EstimatedExpression[] {
  const inside = (expr: Expr) => estimatedExpressions(expr, isOneTable);
  const besides = (variable: Expr, constants: readonly Expr[]): readonly EstimatedExpression[] => {
    if (columnsOf(variable).size === 0 || holdsSubquery(variable) || !isOneTable(columnsOf(variable))) return [];
    return constants.filter(readsNothing).map((constant) => ({ constant }));
  };
  switch (condition.kind) {
    case "And":
    case "Or":
      return condition.args.flatMap(inside);
    case "Not":
    case "BooleanTest":
      return inside(condition.input);
    case "IsDistinct":
      return [...besides(condition.left, [condition.right]), ...besides(condition.right, [condition.left])];
    case "InList":
      return besides(condition.input, condition.items);
    case "Call": {
      const { operator, args } = condition;
      if (operator === undefined || args.length !== 2) return [];
      const [left, right] = args;
      if (comparisons.has(operator)) return [...besides(left, [right]), ...besides(right, [left])];
      if (!matches.has(operator)) return [];
      return besides(left, [right]).map((found) => ({ ...found, pattern: condition }));
    }
    default:
      return [];
  }
}

function readsNothing(expr: Expr): boolean {
  return columnsOf(expr).size === 0 && !holdsSubquery(expr) && !isVolatile(expr);
}

/** Tries the pattern of a match on a text. */
export function raisePatternErrors(match: Call, pattern: Constant, raise: (error: unknown, expr: Expr) => void): void {
  if (pattern.value === null) return;
  const site = { argTypes: match.args.map((arg) => arg.type), resultType: match.type, session: foldSession };
  try {
    (match.resolve(site) as (text: string, pattern: Constant["value"]) => unknown)("", pattern.value);
  } catch (error) {
    raise(error, match);
  }
}
