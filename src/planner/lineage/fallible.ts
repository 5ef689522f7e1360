/**
 * Which expressions can fail for some value of their operands: whether they do tells something of the value, to a reader
 * who sees no more than that the statement failed.
 */
import type { AggregateCall, Call, Cast, Expr, SetCall, WindowCall } from "../expr.js";
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
  "now",
  "isfinite",
]);

/** Functions that fail by the names of units and time zones alone, which are their arguments of type text. */
const byUnit = new Set(["date_trunc", "date_part", "extract"]);

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
  if (operator === undefined) {
    if (byPattern.has(name)) return !args.slice(1).every(isGiven);
    if (byUnit.has(name)) return !args.every((arg) => arg.type.category !== "S" || isGiven(arg));
    return !total.has(name);
  }
  if (comparisons.has(operator) || documentOperators.has(operator)) return false;
  if (patternOperators.has(operator)) return !isGiven(args[1]);
  if (operator === "||") return type.name !== "text";
  if (operator === "/" || operator === "%") return !isNonZero(args[1]);
  return !(type.name === "numeric" && (operator === "+" || operator === "-" || operator === "*"));
}

/** Whether no value of a row plays a part in it. */
function isGiven(expr: Expr | undefined): boolean {
  if (expr?.kind === "Cast") return isGiven(expr.input);
  return expr?.kind === "Constant" || expr?.kind === "Parameter";
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

const totalSets = new Set(["unnest", "string_to_table", "generate_subscripts"]);
const setsByPattern = new Set(["regexp_split_to_table", "regexp_matches"]);

/** Whether a set-returning function can fail for a value of its arguments. */
export function canSetFail({ function: { name }, args }: SetCall): boolean {
  if (setsByPattern.has(name)) return !args.slice(1).every(isGiven);
  return !totalSets.has(name);
}

/** Whether an aggregate can fail for a value of its arguments. */
export function canAggregateFail({ function: { name }, args, directArgs = [] }: AggregateCall): boolean {
  if (name === "json_object_agg" || name === "jsonb_object_agg") return true;
  if (name === "array_agg") return args[0]?.type.category === "A"; // arrays of different lengths
  return name.startsWith("percentile_") && !directArgs.every(isGiven);
}

/** Whether a window function can fail for a value of its arguments: `ntile(0)`. */
export function canWindowFail({ function: { name }, args }: WindowCall): boolean {
  if (name === "ntile") return !args.every(isGiven);
  return name === "nth_value" && !args.slice(1).every(isGiven);
}

/** Whether a number of rows can be wrong: LIMIT, OFFSET and the ends of a window's frame must not be negative. */
export function canCountFail(expr: Expr): boolean {
  return !isGiven(expr);
}
