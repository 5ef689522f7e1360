/**
 * Reads a condition as predicates beyond equality on the columns of one scan: `column > value`, LIKE, IS NULL, `@>`, of
 * the operators that the column declares. The predicates found are together the condition, no more and no less.
 *
 * Left alone, since not handing over is always right: what compares in a type in which values of the column fall together
 * or change their order, conditions under OR (BETWEEN SYMMETRIC is one), and a value that is volatile or of a row.
 */
import type { QualOperator, TableColumn } from "../../catalog/table.js";
import type { SessionContext } from "../../functions/function.js";
import { operationsOf } from "../../types/families.js";
import { type SqlType, types } from "../../types/type.js";
import type { Value } from "../../types/value.js";
import type { Expr } from "../expr.js";
import type { PushedQual, Scan } from "../plan.js";
import { printExpr } from "../print-expr.js";
import { columnsOf, holdsSubquery, isVolatile } from "../visit.js";
import { alwaysConverts, comparesInOrder, convertsNumber } from "./comparison-types.js";
import { foldSession } from "./fold-expression.js";

/** A predicate on a column of the scan (an index into `table.columns`); `value` reads no relation but in subqueries of its own. */
type Qual = Omit<PushedQual, "query">;

/** @returns no predicates when one part of the condition can't be handed over */
export function qualsIn(condition: Expr, scan: Scan): readonly Qual[] {
  switch (condition.kind) {
    case "Call":
      return condition.operator === undefined ? [] : operatorQual(condition.operator, condition.args, scan);
    case "Not":
      return negated(condition.input, scan);
    case "IsNull": {
      if (condition.rowwise) return [];
      const source = declaring(condition.input, condition.negated ? "is not null" : "is null", scan);
      return source === undefined ? [] : [{ source, operator: condition.negated ? "is not null" : "is null" }];
    }
    case "InList": {
      if (!condition.negated) return [];
      const quals = condition.items.map((item) => compared(condition.input, "<>", item, scan));
      return quals.every((qual) => qual !== undefined) ? quals : [];
    }
    default:
      return [];
  }
}

/** Whether two predicates are written the same; those with queries of their own are told apart. */
export function samePredicate(a: PushedQual, b: PushedQual): boolean {
  if (a.source !== b.source || a.operator !== b.operator || a.query !== undefined || b.query !== undefined)
    return false;
  if (a.value === undefined || b.value === undefined) return a.value === b.value;
  return a.value.type === b.value.type && printExpr(a.value) === printExpr(b.value);
}

/** Whether the qual's value is sure to reach the call: an exact column then answers the condition. */
export function surelyPassed(qual: Qual, scan: Scan): boolean {
  const { value } = qual;
  if (value === undefined) return true;
  if (qual.operator === "like" || qual.operator === "ilike") return value.kind === "Constant" && isPattern(value.value);
  if (qual.operator === "@>")
    return value.kind === "Constant" && value.value !== null && isExactDocument(value.value, value.type, foldSession);
  // A subquery of several rows is an error of the condition's; it is not handed over then.
  const { type, milliseconds } = scan.table.columns[qual.source];
  if (milliseconds === true)
    return value.kind === "Constant" && value.type === type && isWholeMilliseconds(value.value);
  return (
    !holdsSubquery(value) &&
    (alwaysConverts(value.type, type) || (value.kind === "Constant" && convertsNumber(value, type) === true))
  );
}

/** Whether a text is a LIKE pattern at all: PostgreSQL refuses one that ends in the escape character. */
export function isPattern(text: unknown): text is string {
  return typeof text === "string" && (/\\*$/.exec(text)?.[0].length ?? 0) % 2 === 0;
}

/** Whether a `Date` can be the instant, which is held in microseconds; infinity is none. */
export function isWholeMilliseconds(instant: Value): boolean {
  return typeof instant === "number" && instant % 1_000 === 0;
}

/** Whether a document says the same as JavaScript has it: a number in it that no double holds would become a text. */
export function isExactDocument(value: Value, type: SqlType, session: SessionContext): boolean {
  const { toHost, fromHost, compare } = operationsOf(type);
  const back = fromHost(toHost(value, session), -1, session);
  return compare === undefined || (back !== undefined && back !== null && compare(back, value) === 0);
}

const flipped: Readonly<Record<string, QualOperator>> = { ">": "<", ">=": "<=", "<": ">", "<=": ">=", "<>": "<>" };
const opposite: Readonly<Record<string, QualOperator>> = { ">": "<=", ">=": "<", "<": ">=", "<=": ">", "=": "<>" };
const patterns: Readonly<Record<string, QualOperator>> = { "~~": "like", "~~*": "ilike" };

function operatorQual(operator: string, args: readonly Expr[], scan: Scan): readonly Qual[] {
  const [left, right] = args;
  if (right === undefined) return [];
  let qual: Qual | undefined;
  if (operator in flipped)
    qual = compared(left, operator as QualOperator, right, scan) ?? compared(right, flipped[operator], left, scan);
  else if (operator in patterns) qual = matched(left, patterns[operator], right, scan);
  else if (operator === "@>") qual = contained(left, right, scan);
  else if (operator === "<@") qual = contained(right, left, scan);
  return qual === undefined ? [] : [qual];
}

/** NOT of a comparison is the opposite one, NULL included: both are NULL then, and let no row through. */
function negated(input: Expr, scan: Scan): readonly Qual[] {
  if (input.kind !== "Call" || input.operator === undefined) return [];
  if (input.operator in opposite) return operatorQual(opposite[input.operator], input.args, scan);
  return [];
}

function compared(left: Expr, operator: QualOperator, value: Expr, scan: Scan): Qual | undefined {
  const cast = left.kind === "Cast" && left.context === "implicit" ? left.input : left;
  const source = declaring(cast, operator, scan);
  if (source === undefined || !isKnownBefore(value)) return undefined;
  const { type } = scan.table.columns[source];
  if (!isComparable(type) || !comparesInOrder(type, left.type, value.type)) return undefined;
  // Rounded, the bound would be another one: `> 2.5` is not `> 3`.
  if (value.kind === "Constant" && convertsNumber(value, type) === false) return undefined;
  return { source, operator, value };
}

/** LIKE on text, and on citext, which matches as the column compares; char(n) is padded, which a pattern sees. */
function matched(left: Expr, operator: QualOperator, pattern: Expr, scan: Scan): Qual | undefined {
  const isText = left.kind === "Cast" && left.context === "implicit" && left.type === types.text;
  const source = declaring(isText ? left.input : left, operator, scan);
  if (source === undefined || !isKnownBefore(pattern)) return undefined;
  const { type } = scan.table.columns[source];
  const fits = type === types.text || type === types.varchar || (type === types.citext && !isText);
  return fits ? { source, operator, value: pattern } : undefined;
}

/** `@>` of jsonb and of arrays of the very same type. */
function contained(left: Expr, value: Expr, scan: Scan): Qual | undefined {
  const source = declaring(left, "@>", scan);
  if (source === undefined || !isKnownBefore(value)) return undefined;
  const { type } = scan.table.columns[source];
  const fits = (type === types.jsonb || type.kind === "array") && value.type === type;
  return fits ? { source, operator: "@>", value } : undefined;
}

/** The scan column that an expression is, when it takes the operator. */
function declaring(expr: Expr, operator: QualOperator, scan: Scan): number | undefined {
  if (expr.kind !== "Column") return undefined;
  const item = scan.columns.find((candidate) => candidate.column.id === expr.column.id);
  if (item === undefined) return undefined;
  const column: TableColumn = scan.table.columns[item.source];
  return column.operators?.includes(operator) === true ? item.source : undefined;
}

function isComparable(type: SqlType): boolean {
  return (type.kind === "base" || type.kind === "enum") && type !== types.json && type !== types.jsonb;
}

/** Known before the scan is read: no columns, of no other relation either, and nothing volatile. */
function isKnownBefore(value: Expr): boolean {
  return columnsOf(value).size === 0 && !isVolatile(value);
}
