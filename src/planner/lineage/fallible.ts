/**
 * Which expressions can fail for some value of their operands: whether they do tells something of the value, to a reader
 * who sees no more than that the statement failed. Source: PostgreSQL 15, asked for each function with the values at the
 * edges of its arguments' types. Not counted: that a value becomes too large for memory, and that a sum of floats overflows,
 * which takes values near 1e308, beside which rounding leaves nothing of others.
 */
import type { SqlType } from "../../types/type.js";
import type {
  AggregateCall,
  ArrayComparison,
  ArrayConstructor,
  Call,
  Cast,
  Expr,
  SetCall,
  WindowCall,
} from "../expr.js";
import type { LogicalPlan } from "../plan.js";

const comparisons = new Set(["=", "<>", "<", "<=", ">", ">="]);
const documentOperators = new Set(["->", "->>", "#>", "#>>", "@>", "<@", "?", "?|", "?&", "&&"]);
const patternOperators = new Set(["~~", "!~~", "~~*", "!~~*", "~", "!~", "~*", "!~*"]);

/** Functions that give a value (or NULL) whatever they are called with. */
const total = new Set([
  "lower",
  "upper",
  "initcap",
  "char_length",
  "character_length",
  "octet_length",
  "btrim",
  "ltrim",
  "rtrim",
  "concat",
  "concat_ws",
  "reverse",
  "left",
  "right",
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
  "row_to_json",
  "json_build_array",
  "array_length",
  "cardinality",
  "array_to_string",
  "now",
  "isfinite",
]);

/** Functions that fail by the names of units alone, which are their arguments of type text. */
const byUnit = new Set(["date_part", "extract"]);

/** Units that can be cut to within the day or week of the first timestamp there is; the month of that one is out of range. */
const shortUnits = new Set(["microseconds", "milliseconds", "second", "minute", "hour", "day", "week"]);

/** Functions that fail by their pattern and numbers alone; `replace` makes of one letter a text of any length. */
const byPattern = new Set(["regexp_match", "regexp_replace", "regexp_like", "regexp_count", "regexp_instr", "replace"]);

/** Functions that make jsonb of their arguments: json may hold what jsonb can't, `"\u0000"` and `1e1000000`. */
const makesJsonb = new Set(["to_jsonb", "jsonb_build_array", "jsonb_agg"]);

/** Operators that read json, which is found wrong (`"\u0000"`) only then. */
const readsJson = new Set(["->", "->>", "#>", "#>>"]);

/** Whether the node itself can fail for a value that one of its operands may have; what its operands do is not looked at. */
export function canFail(expr: Expr): boolean {
  switch (expr.kind) {
    case "Call":
      return canCallFail(expr);
    case "Cast":
      return canCastFail(expr);
    case "Array":
      return canArrayFail(expr);
    case "ArrayComparison":
      return canComparisonFail(expr);
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
    if (name === "date_trunc") return args.length > 2 || !isShortUnit(args[0]);
    if (name === "length") return args.length > 1; // the second one is an encoding that bytes must be right in
    if (makesJsonb.has(name)) return args.some((arg) => canHoldJson(arg.type));
    return !total.has(name);
  }
  if (readsJson.has(operator) && args[0]?.type.name === "json") return true;
  if (comparisons.has(operator) || documentOperators.has(operator)) return false;
  if (patternOperators.has(operator)) return !isGiven(args[1]);
  if (operator === "||") return type.name !== "text";
  if (operator === "/" || operator === "%") return !isNonZero(args[1]);
  // numeric overflows as well: x + 9e131071. Only the sign of a number other than an integer can always be turned.
  return !(args.length === 1 && operator === "-" && (type.name === "numeric" || isFloat(type)));
}

function isFloat({ name }: SqlType): boolean {
  return name === "float8" || name === "float4";
}

function canHoldJson({ name, category }: SqlType): boolean {
  return name === "json" || name === "_json" || category === "P" || category === "C";
}

function isShortUnit(unit: Expr | undefined): boolean {
  if (unit?.kind === "Cast") return isShortUnit(unit.input);
  return unit?.kind === "Constant" && typeof unit.value === "string" && shortUnits.has(unit.value.toLowerCase());
}

/** Arrays in an array must be of one shape; of those that are written out it can be seen. */
function canArrayFail({ nested, items }: ArrayConstructor): boolean {
  if (!nested) return false;
  const [first] = items;
  if (first?.kind !== "Array") return true;
  return !items.every((item) => item.kind === "Array" && !item.nested && item.items.length === first.items.length);
}

/** `x ~ ANY (patterns)`; other operators fail as they do elsewhere. */
function canComparisonFail({ compare, array }: ArrayComparison): boolean {
  if (patternOperators.has(compare.operator ?? "")) return !isGivenArray(array);
  return canCallFail(compare);
}

function isGivenArray(expr: Expr): boolean {
  if (expr.kind === "Cast") return isGivenArray(expr.input);
  return expr.kind === "Array" ? expr.items.every(isGivenArray) : isGiven(expr);
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
  if (type.name === "text") return false;
  if (context === "implicit") return isNarrowing(input.type, type);
  // Between types of text nothing can be wrong but the length, which an explicit cast cuts.
  return !(context === "explicit" && type.category === "S" && input.type.category === "S");
}

/** Implicit casts to types of a smaller range. */
function isNarrowing(from: SqlType, to: SqlType): boolean {
  if (from.name === "numeric") return isFloat(to);
  return from.name === "date" && (to.name === "timestamp" || to.name === "timestamptz");
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
  if (makesJsonb.has(name)) return args.some((arg) => canHoldJson(arg.type));
  if (canSumFail(name, args)) return true;
  if (name === "array_agg") return args[0]?.type.category === "A"; // arrays of different lengths
  return name.startsWith("percentile_") && !directArgs.every(isGiven);
}

const sums = new Set(["sum", "avg", "stddev", "stddev_samp", "stddev_pop", "variance", "var_samp", "var_pop"]);

/**
 * Sums of numerics and intervals overflow. Beside a value near the end of the range, which UNION ALL or coalesce bring in,
 * it tells another one exactly; the values of a column alone are what they are.
 */
function canSumFail(name: string, [arg]: readonly Expr[]): boolean {
  if (!sums.has(name) || arg === undefined) return false;
  if (arg.type.name !== "numeric" && arg.type.name !== "interval") return false;
  return arg.kind !== "Column" || arg.column.origin === undefined;
}

/** Whether a window function can fail for a value of its arguments: `ntile(0)`. */
export function canWindowFail({ function: { name }, args }: WindowCall): boolean {
  if (canSumFail(name, args)) return true;
  if (name === "ntile") return !args.every(isGiven);
  return name === "nth_value" && !args.slice(1).every(isGiven);
}

/** Whether a number of rows can be wrong: LIMIT, OFFSET and the ends of a window's frame must not be negative. */
export function canCountFail(expr: Expr): boolean {
  return !isGiven(expr);
}
