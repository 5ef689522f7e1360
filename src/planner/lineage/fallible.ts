/**
 * Which expressions can fail for some value of their operands: whether they do tells something of the value, to a reader
 * who sees no more than that the statement failed.
 */
import type { AggregateCall, Call, Cast, Expr } from "../expr.js";
import type { LogicalPlan } from "../plan.js";

const comparisons = new Set(["=", "<>", "<", "<=", ">", ">="]);
const documentOperators = new Set(["->", "->>", "#>", "#>>", "@>", "<@", "?", "?|", "?&", "&&"]);
const patternOperators = new Set(["~~", "!~~", "~~*", "!~~*", "~", "!~", "~*", "!~*"]);

/** Functions that give a value (or NULL) whatever they are called with. */
const total = new Set([
  "lower",
  "upper",
  "initcap",
  "length",
  "char_length",
  "character_length",
  "octet_length",
  "bit_length",
  "btrim",
  "ltrim",
  "rtrim",
  "concat",
  "concat_ws",
  "reverse",
  "left",
  "right",
  "replace",
  "translate",
  "strpos",
  "position",
  "starts_with",
  "ascii",
  "md5",
  "sha224",
  "sha256",
  "sha384",
  "sha512",
  "quote_literal",
  "quote_ident",
  "quote_nullable",
  "to_json",
  "to_jsonb",
  "row_to_json",
  "json_build_array",
  "jsonb_build_array",
  "array_length",
  "cardinality",
  "array_position",
  "array_to_string",
  "date_trunc",
  "date_part",
  "extract",
  "now",
  "isfinite",
]);

/** Functions that fail by their pattern alone. */
const byPattern = new Set(["regexp_match", "regexp_replace", "regexp_like", "regexp_count", "regexp_instr"]);

/** Whether the node itself can fail for a value that one of its operands may have; what its operands do is not looked at. */
export function canFail(expr: Expr): boolean {
  switch (expr.kind) {
    case "Call":
      return canCallFail(expr);
    case "Cast":
      return canCastFail(expr);
    case "Subquery":
      return (expr.subqueryKind === "scalar" || expr.subqueryKind === "row") && !hasOneRow(expr.plan);
    default:
      return false;
  }
}

function canCallFail({ operator, name, type, args }: Call): boolean {
  const isGiven = (expr: Expr | undefined) => expr?.kind === "Constant" || expr?.kind === "Parameter";
  if (operator === undefined) return !(total.has(name) || (byPattern.has(name) && args.slice(1).every(isGiven)));
  if (comparisons.has(operator) || documentOperators.has(operator)) return false;
  if (patternOperators.has(operator)) return !isGiven(args[1]);
  if (operator === "||") return type.name !== "text";
  if (operator === "/" || operator === "%") return !isNonZero(args[1]);
  return !(type.name === "numeric" && (operator === "+" || operator === "-" || operator === "*"));
}

function isNonZero(expr: Expr | undefined): boolean {
  if (expr?.kind === "Cast") return isNonZero(expr.input);
  return expr?.kind === "Constant" && typeof expr.value === "number" && Math.abs(expr.value) > 1;
}

function canCastFail({ context, type, input }: Cast): boolean {
  if (context === "implicit" || type.name === "text") return false;
  // Between types of text nothing can be wrong but the length, which an explicit cast cuts.
  return !(context === "explicit" && type.category === "S" && input.type.category === "S");
}

/** Whether a scalar subquery is sure to find one row at most. */
function hasOneRow(plan: LogicalPlan): boolean {
  switch (plan.kind) {
    case "Project":
    case "Filter":
    case "Sort":
    case "Distinct":
      return hasOneRow(plan.input);
    case "With":
      return hasOneRow(plan.input);
    case "Aggregate":
      return plan.keys.length === 0;
    case "Values":
      return plan.rows.length <= 1;
    case "Limit":
      return plan.fetch?.kind === "Constant" && (plan.fetch.value === 0 || plan.fetch.value === 1);
    default:
      return false;
  }
}

/** Set-returning functions that give rows (or none) whatever they are called with. */
export const totalSets: ReadonlySet<string> = new Set([
  "unnest",
  "string_to_table",
  "generate_subscripts",
  "regexp_split_to_table",
  "regexp_matches",
]);

/** Whether an aggregate can fail for a value of its arguments. */
export function canAggregateFail({ function: { name } }: AggregateCall): boolean {
  return name === "json_object_agg" || name === "jsonb_object_agg";
}
