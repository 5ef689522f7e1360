/** Whether two evaluations of an expression may differ, so that two writings of it are not one. */
import type { Expr } from "../expr.js";
import { someExpression } from "../visit.js";

export function isVolatile(expr: Expr): boolean {
  return someExpression(expr, (part) => part.kind === "Call" && part.volatility === "volatile");
}
