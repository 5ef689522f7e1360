/** Whether an expression can be NULL, as far as a glance tells; when in doubt it can. */
import type { Expr } from "../expr.js";

export function isNullable(expr: Expr): boolean {
  switch (expr.kind) {
    case "Constant":
      return expr.value === null;
    case "Column":
      return expr.column.nullable;
    case "Coalesce":
      return expr.args.every(isNullable);
    case "Cast":
      return isNullable(expr.input);
    case "IsNull":
    case "BooleanTest":
    case "IsDistinct":
    case "Array":
    case "Row":
      return false;
    case "Subquery":
      return expr.subqueryKind !== "exists" && expr.subqueryKind !== "array";
    default:
      return true;
  }
}
