/**
 * Functions that give a value whenever they are given values. Strict says less: `'{}'::jsonb -> 'a'` is a strict call on
 * values, and NULL. So they are listed; whatever is not listed can give NULL.
 * Source: PostgreSQL 15, chapter 9, and its server's answers.
 */
import type { AggregateFunction, WindowFunction } from "../functions/function.js";
import type { Call, WindowCall, WindowFrame } from "./expr.js";

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Operators: comparison, arithmetic, text, containment. Not those that look into documents (`->`, `@?`, `@@`). */
const totalOperators = words("= <> < <= > >= + - * / % ^ || & | # << >> ~ !~ ~* !~* ~~ !~~ ~~* !~~* @> <@ && ^@ @");

/** Documents: deleting and joining give documents, asking for keys gives booleans. */
const documentOperators = words("? ?| ?& #-");

/** For values a value; NULL for NULL. */
const totalFunctions = words(`abs ceil ceiling floor round trunc sign sqrt cbrt exp ln power mod div gcd lcm
  degrees radians lower upper initcap length char_length character_length octet_length bit_length trim btrim ltrim rtrim
  left right repeat reverse lpad rpad replace translate strpos position overlay split_part starts_with ascii chr md5
  quote_ident quote_literal encode decode regexp_replace date_trunc make_date make_time make_timestamp make_interval
  make_timestamptz to_json to_jsonb row_to_json jsonb_typeof json_typeof jsonb_array_length json_array_length
  jsonb_set jsonb_insert jsonb_pretty jsonb_strip_nulls json_strip_nulls jsonb_build_array
  cardinality string_to_array array_to_string array_remove array_replace num_nulls num_nonnulls`);

/** A value whatever they are given. */
const neverNull = words(`concat quote_nullable num_nulls num_nonnulls json_build_object jsonb_build_object
  json_build_array jsonb_build_array array_append array_prepend pg_typeof now current_date current_timestamp
  localtimestamp localtime current_time clock_timestamp statement_timestamp transaction_timestamp random pi
  gen_random_uuid current_user session_user user current_database version`);

/** NULL exactly when their first argument is. */
const byFirstArgument = words("format concat_ws");

/** @param argsNullable one answer an argument */
export function callIsNullable(call: Call, argsNullable: readonly boolean[]): boolean {
  const some = argsNullable.includes(true);
  if (call.operator !== undefined) {
    // Joining an array with NULL gives the array.
    if (!call.strict) return call.operator !== "||" || !argsNullable.includes(false);
    return some || !(totalOperators.has(call.operator) || documentOperators.has(call.operator));
  }
  if (neverNull.has(call.name)) return false;
  if (byFirstArgument.has(call.name)) return argsNullable[0];
  if (call.name === "substring" || call.name === "substr") {
    // By place a text, by pattern perhaps none.
    return some || call.args.slice(1).some((arg) => arg.type.category !== "N");
  }
  return some || !totalFunctions.has(call.name);
}

/** Aggregates of no row: a number. */
const countsNothing = words("count regr_count");

/** Aggregates that keep NULLs: of a row at least, a value. */
const keepsNulls = words("array_agg json_agg jsonb_agg json_object_agg jsonb_object_agg");

/** Aggregates that leave NULLs out: of a value at least, a value. */
const leavesNullsOut = words(
  "sum min max avg bool_and bool_or every bit_and bit_or bit_xor string_agg stddev_pop var_pop",
);

/** @param mayBeEmpty whether there may be no row for it: no GROUP BY, or a FILTER */
export function aggregateIsNullable(
  { name }: AggregateFunction | WindowFunction,
  argsNullable: readonly boolean[],
  mayBeEmpty: boolean,
): boolean {
  if (countsNothing.has(name)) return false;
  if (mayBeEmpty) return true;
  if (keepsNulls.has(name)) return false;
  return !leavesNullsOut.has(name) || argsNullable[0] !== false;
}

/** Window functions that number rows. */
const numbersRows = words("row_number rank dense_rank percent_rank cume_dist");

/** @param frame the rows that the call sees */
export function windowIsNullable(call: WindowCall, argsNullable: readonly boolean[], frame: WindowFrame): boolean {
  const { name } = call.function;
  if (numbersRows.has(name)) return false;
  if (name === "ntile") return argsNullable[0];
  // Beyond the partition there is the third argument.
  if (name === "lag" || name === "lead") return argsNullable.length < 3 || argsNullable.includes(true);
  const mayBeEmpty = call.filter !== undefined || !holdsCurrentRow(frame);
  if (name === "first_value" || name === "last_value") return mayBeEmpty || argsNullable[0];
  return aggregateIsNullable(call.function, argsNullable, mayBeEmpty);
}

function holdsCurrentRow({ start, end, exclude }: WindowFrame): boolean {
  const startsBefore = start.kind === "unbounded preceding" || start.kind === "current row";
  const endsBehind = end.kind === "unbounded following" || end.kind === "current row";
  return startsBefore && endsBehind && (exclude === "none" || exclude === "ties");
}

/** Columns of set-returning functions whose rows always have a value, by place. */
const setColumns: ReadonlyMap<string, readonly number[]> = new Map([
  ["generate_series", [0]],
  ["generate_subscripts", [0]],
  ["jsonb_array_elements", [0]],
  ["json_array_elements", [0]],
  ["jsonb_object_keys", [0]],
  ["json_object_keys", [0]],
  ["jsonb_each", [0, 1]],
  ["json_each", [0, 1]],
  ["jsonb_each_text", [0]],
  ["json_each_text", [0]],
  ["regexp_split_to_table", [0]],
]);

/** A column of a set-returning function on values. In a select list, several columns are one record. */
export function setColumnIsNullable(name: string, index: number, columns: number): boolean {
  const never = setColumns.get(name);
  if (never === undefined) return true;
  return !never.includes(index) || columns < never.length;
}
