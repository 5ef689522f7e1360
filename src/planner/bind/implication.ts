/**
 * Whether one condition says all that another one says, as far as that is plain to see: ON CONFLICT … WHERE has to imply the
 * condition of the index that it means. Source: PostgreSQL 15, 11.8 "Partial Indexes".
 */
import { operationsOf } from "../../types/families.js";
import type { Value } from "../../types/value.js";
import type { Expr } from "../expr.js";
import { sameExpr } from "./walk.js";

/** True when the conditions are the same, or compare one expression with constants so that the first is the narrower. */
export function implies(said: Expr, wanted: Expr): boolean {
  if (sameExpr(said, wanted)) return true;
  const narrow = comparisonOf(said);
  const wide = comparisonOf(wanted);
  if (narrow === undefined || wide === undefined || !sameExpr(narrow.subject, wide.subject)) return false;
  const { compare } = operationsOf(narrow.subject.type);
  if (compare === undefined || narrow.constant === null || wide.constant === null) return false;
  const order = compare(narrow.constant, wide.constant);
  switch (wide.operator) {
    case "<":
      return narrow.operator === "<" ? order <= 0 : ["<=", "="].includes(narrow.operator) && order < 0;
    case "<=":
      return ["<", "<=", "="].includes(narrow.operator) && order <= 0;
    case ">":
      return narrow.operator === ">" ? order >= 0 : [">=", "="].includes(narrow.operator) && order > 0;
    case ">=":
      return [">", ">=", "="].includes(narrow.operator) && order >= 0;
    default:
      return false;
  }
}

/** `expression operator constant`, both of one type. */
function comparisonOf(expr: Expr): { subject: Expr; operator: string; constant: Value } | undefined {
  if (expr.kind !== "Call" || expr.operator === undefined || expr.args.length !== 2) return undefined;
  const [subject, constant] = expr.args;
  if (constant.kind !== "Constant" || constant.type !== subject.type) return undefined;
  return { subject, operator: expr.operator, constant: constant.value };
}
