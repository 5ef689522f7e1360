/** Bound expressions as text, for EXPLAIN and for messages. Printed the way PostgreSQL's EXPLAIN does it. */
import type { QualOperator } from "../catalog/table.js";
import { quoteString } from "../grammar/deparse/names.js";
import { operationsOf } from "../types/families.js";
import { displayType } from "../types/type.js";
import type { Column, Expr } from "./expr.js";
import type { LogicalPlan } from "./plan.js";

/** Names the plans of subqueries as they are met: `SubPlan 1`, `SubPlan 2`. */
export interface SubplanNames {
  nameOf(plan: LogicalPlan): string;
}

const anonymous: SubplanNames = { nameOf: () => "SubPlan" };
const printContext = { timeZone: "UTC", nowMicroseconds: 0 };

/** `(pr.state = 'open')`: operators in parentheses, columns with their alias. */
export function printExpr(expr: Expr, names: SubplanNames = anonymous): string {
  const print = (part: Expr) => printExpr(part, names);
  const list = (parts: readonly Expr[]) => parts.map(print).join(", ");
  switch (expr.kind) {
    case "Constant":
      return printConstant(expr);
    case "Parameter":
      return `$${expr.index}`;
    case "Column":
      return printColumn(expr.column);
    case "Call":
      return printCall(expr, print);
    case "Cast":
      return expr.context === "implicit"
        ? print(expr.input)
        : `${print(expr.input)}::${displayType(expr.type, expr.typmod)}`;
    case "And":
      return `(${expr.args.map(print).join(" AND ")})`;
    case "Or":
      return `(${expr.args.map(print).join(" OR ")})`;
    case "Not":
      return `(NOT ${print(expr.input)})`;
    case "IsNull":
      return `(${print(expr.input)} IS ${expr.negated ? "NOT " : ""}NULL)`;
    case "BooleanTest":
      return `(${print(expr.input)} IS ${expr.negated ? "NOT " : ""}${expr.test.toUpperCase()})`;
    case "IsDistinct":
      return `(${print(expr.left)} IS ${expr.negated ? "NOT " : ""}DISTINCT FROM ${print(expr.right)})`;
    case "Case": {
      const branches = expr.branches.map((branch) => `WHEN ${print(branch.when)} THEN ${print(branch.then)}`);
      return `CASE${expr.operand === undefined ? "" : ` ${print(expr.operand)}`} ${branches.join(" ")} ELSE ${print(expr.otherwise)} END`;
    }
    case "Coalesce":
      return `COALESCE(${list(expr.args)})`;
    case "MinMax":
      return `${expr.which.toUpperCase()}(${list(expr.args)})`;
    case "NullIf":
      return expr.equals.kind === "Call" ? `NULLIF(${list(expr.equals.args)})` : `NULLIF(${print(expr.input)})`;
    case "InList":
      return `(${print(expr.input)} ${expr.negated ? "NOT IN" : "IN"} (${list(expr.items)}))`;
    case "ArrayComparison":
      return `(${print(expr.input)} ${expr.compare.operator ?? "="} ${expr.quantifier.toUpperCase()} (${print(expr.array)}))`;
    case "Array":
      return `ARRAY[${list(expr.items)}]`;
    case "Row":
      return `ROW(${list(expr.items)})`;
    case "Subscript":
      return `${print(expr.input)}${expr.subscripts
        .map(
          ({ slice, lower, upper }) =>
            `[${lower === undefined ? "" : print(lower)}${slice ? ":" : ""}${upper === undefined ? "" : print(upper)}]`,
        )
        .join("")}`;
    case "Field":
      return `(${print(expr.input)}).${expr.name}`;
    case "RowCompare":
      return `(ROW(${list(expr.left)}) ${expr.operator} ROW(${list(expr.right)}))`;
    case "Grouping":
      return "GROUPING(…)";
    case "Subquery":
      return printSubquery(expr, names);
  }
}

function printSubquery(expr: Expr & { kind: "Subquery" }, names: SubplanNames): string {
  const name = names.nameOf(expr.plan);
  switch (expr.subqueryKind) {
    case "exists":
      return `EXISTS(${name})`;
    case "any":
    case "all":
      return `(${expr.test === undefined ? "" : printExpr(expr.test, names)} ${expr.subqueryKind.toUpperCase()} ${name})`;
    case "array":
      return `ARRAY(${name})`;
    default:
      return `(${name})`;
  }
}

/** An operator that a resource takes, as a statement writes it: `>=`, `LIKE`, `IS NOT NULL`. */
export function printOperator(operator: QualOperator): string {
  return operator.toUpperCase();
}

/** The column as the statement's reader knows it. */
export function printColumn(column: Column): string {
  if (column.origin === undefined) return quoteName(column.name);
  return `${quoteName(column.origin.alias)}.${quoteName(column.origin.column)}`;
}

function quoteName(name: string): string {
  return /^[a-z_][a-z0-9_$]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

function printConstant(expr: Expr & { kind: "Constant" }): string {
  const { value, type } = expr;
  if (value === null) return "NULL";
  if (type.name === "bool") return value === true ? "true" : "false";
  const text = operationsOf(type).output(value, printContext);
  if (type.category === "N") return text;
  const quoted = quoteString(text);
  return type.name === "text" || type.name === "unknown" ? quoted : `${quoted}::${type.display}`;
}

function printCall(expr: Expr & { kind: "Call" }, print: (expr: Expr) => string): string {
  if (expr.operator === undefined) return `${quoteName(expr.name)}(${expr.args.map(print).join(", ")})`;
  if (expr.args.length === 1) return `(${expr.operator} ${print(expr.args[0])})`;
  return `(${print(expr.args[0])} ${expr.operator} ${print(expr.args[1])})`;
}
