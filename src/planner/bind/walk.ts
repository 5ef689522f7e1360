/**
 * Walks bound expressions with the plans of their subqueries: the binder replaces what stands above an Aggregate, looks
 * for the columns that an expression reads, and compares expressions.
 */
import { sameType } from "../../types/common-type.js";
import type { SqlType } from "../../types/type.js";
import type { Column, Expr } from "../expr.js";
import type { LogicalPlan } from "../plan.js";
import { mapExpressions, mapInputs, mapOperands } from "../visit.js";

/** Replaces an expression; `undefined` keeps it and looks into its parts. */
export type Replace = (expr: Expr, inSubquery: boolean) => Expr | undefined;

/** The expression with every part replaced that `replace` has an answer for, outermost first, subqueries included. */
export function replaceIn(expr: Expr, replace: Replace, inSubquery = false): Expr {
  const replaced = replace(expr, inSubquery);
  if (replaced !== undefined) return replaced;
  const mapped = mapOperands(expr, (operand) => replaceIn(operand, replace, inSubquery));
  if (mapped.kind !== "Subquery") return mapped;
  const plan = replaceInPlan(mapped.plan, replace);
  return plan === mapped.plan ? mapped : { ...mapped, plan };
}

/** The plan of a subquery with the expressions in all its nodes replaced. */
function replaceInPlan(plan: LogicalPlan, replace: Replace): LogicalPlan {
  const inputs = mapInputs(plan, (input) => replaceInPlan(input, replace));
  return mapExpressions(inputs, (expr) => replaceIn(expr, replace, true));
}

/** Calls `visit` for every reference to a column, those inside subqueries included. */
export function visitColumns(expr: Expr, visit: (column: Column, position: number | undefined) => void): void {
  replaceIn(expr, (part) => {
    if (part.kind === "Column") visit(part.column, part.position);
    return undefined;
  });
}

const ignored = new Set(["position", "resolve", "context", "volatility", "strict", "typmod", "operandColumn"]);

/** Columns of one expression that stand for columns of the other, by id: the operands of its simple CASEs. */
type Renamed = ReadonlyMap<number, number>;

const nothingRenamed: Renamed = new Map();

/** Whether two expressions are the same apart from their place in the text; subqueries are the same only as objects. */
export function sameExpr(a: Expr, b: Expr, renamed: Renamed = nothingRenamed): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind || !sameType(a.type, b.type)) return false;
  if (a.kind === "Column" && b.kind === "Column") {
    return (renamed.get(a.column.id) ?? a.column.id) === b.column.id;
  }
  if (a.kind === "Subquery") return false;
  if ((a.typmod ?? -1) !== (b.typmod ?? -1)) return false;
  return sameFields(a, b, withOperand(a, b, renamed));
}

/** The operand of a simple CASE has a column of its own each time it is bound. */
function withOperand(a: Expr, b: Expr, renamed: Renamed): Renamed {
  if (a.kind !== "Case" || b.kind !== "Case") return renamed;
  if (a.operandColumn === undefined || b.operandColumn === undefined) return renamed;
  return new Map([...renamed, [a.operandColumn.id, b.operandColumn.id]]);
}

function sameFields(a: object, b: object, renamed: Renamed): boolean {
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    if (!ignored.has(key) && !sameValue(left[key], right[key], renamed)) return false;
  }
  return true;
}

function sameValue(a: unknown, b: unknown, renamed: Renamed): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (isExpr(a) && isExpr(b)) return sameExpr(a, b, renamed);
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => sameValue(item, b[index], renamed));
  }
  if (isType(a) && isType(b)) return sameType(a, b);
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  return sameFields(a, b, renamed);
}

function isExpr(value: object): value is Expr {
  return "kind" in value && "type" in value;
}

function isType(value: object): value is SqlType {
  return "oid" in value;
}
