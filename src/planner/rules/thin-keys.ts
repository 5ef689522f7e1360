/**
 * Leaves out key values for which a call could only bring rows that the statement drops: `id IN (1, 2, 3) AND id > 2` asks
 * for 3 alone. Conditions that mention nothing but bound columns are worked out on the values before the calls are made:
 * here where the values are constants, else when the statement runs (`PushedPredicates.keyFilter`).
 *
 * Only on columns in whose types equal values are the same in every respect: a call for `1.0` may bring `1.00`, of which
 * `n::text = '1.00'` is true, and one for `'A'` of a citext column brings `'a'`.
 */
import type { TableColumn } from "../../catalog/table.js";
import { makeCast } from "../../types/casts.js";
import { type SqlType, types } from "../../types/type.js";
import type { Constant, Expr } from "../expr.js";
import type { ArgumentSet, PushedPredicates, Scan } from "../plan.js";
import { columnsOf, conjunctionOf, conjunctsOf, holdsSubquery, isVolatile, substituteColumns } from "../visit.js";
import { alwaysConverts } from "./comparison-types.js";
import { bindingsIn } from "./equalities.js";
import { foldExpression, foldSession } from "./fold-expression.js";

/** Types in which equal values can be told apart, or values that are written differently can be equal. */
export const spelledManyWays: ReadonlySet<SqlType> = new Set([
  types.bpchar,
  types.citext,
  types.float4,
  types.float8,
  types.interval,
  types.numeric,
  types.timetz,
]);

/** The conjuncts of a condition that can be worked out on values of the scan's columns, and that its arguments do not say already. */
export function keyConditionsIn(condition: Expr, scan: Scan): readonly Expr[] {
  return conjunctsOf(condition).filter((part) => {
    const ids = columnsOf(part);
    if (ids.size === 0 || holdsSubquery(part) || isVolatile(part) || bindingsIn(part, scan).length > 0) return false;
    return [...ids].every((id) => {
      const item = scan.columns.find(({ column }) => column.id === id);
      return item !== undefined && isTold(scan.table.columns[item.source]);
    });
  });
}

function isTold({ type }: TableColumn): boolean {
  return (type.kind === "base" || type.kind === "enum") && !isDocument(type) && !spelledManyWays.has(type);
}

function isDocument(type: SqlType): boolean {
  return type === types.json || type === types.jsonb;
}

/**
 * @param conditions of every useful row of the scan, as {@link keyConditionsIn} finds them
 * @returns the arguments without the constants that fail a condition; what can't be told yet stands in `keyFilter`
 */
export function thinKeys(scan: Scan, pushed: PushedPredicates, conditions: readonly Expr[]): PushedPredicates {
  if (conditions.length === 0 || pushed.never === true) return pushed;
  const bound = new Set(pushed.arguments.flatMap((set) => set.sources));
  const sourceOf = new Map(scan.columns.map(({ column, source }) => [column.id, source] as const));
  const sourcesIn = (condition: Expr) => [...columnsOf(condition)].map((id) => sourceOf.get(id) as number);
  let sets = pushed.arguments;
  const open: Expr[] = [];
  for (const condition of conditions) {
    const sources = sourcesIn(condition);
    if (!sources.every((source) => bound.has(source))) continue;
    const at = sets.findIndex((set) => sources.every((source) => set.sources.includes(source)));
    const thinned = at === -1 ? undefined : thin(sets[at], condition, scan);
    if (thinned === undefined) open.push(condition);
    else sets = sets.map((set, i) => (i === at ? thinned : set));
  }
  const keyFilter = conjunctionOf(open);
  const isEmpty = sets.some(({ values }) => values.kind === "list" && values.tuples.length === 0);
  if (isEmpty) return { arguments: pushed.arguments, quals: pushed.quals, never: true };
  return { ...pushed, arguments: sets, ...(keyFilter !== undefined && { keyFilter }) };
}

/** The set without the tuples that fail the condition; `undefined` when that is not known of all of them. */
function thin(set: ArgumentSet, condition: Expr, scan: Scan): ArgumentSet | undefined {
  if (set.values.kind !== "list") return undefined;
  const kept: (readonly Expr[])[] = [];
  for (const tuple of set.values.tuples) {
    const verdict = decided(tuple, set.sources, condition, scan);
    if (verdict === undefined) return undefined;
    if (verdict) kept.push(tuple);
  }
  return { ...set, values: { kind: "list", tuples: kept } };
}

/** Whether the condition is true of constants; `undefined` where it takes the running statement to tell. */
function decided(tuple: readonly Expr[], sources: readonly number[], condition: Expr, scan: Scan): boolean | undefined {
  const values = new Map<number, Expr>();
  for (const { column, source } of scan.columns) {
    const at = sources.indexOf(source);
    if (at === -1) continue;
    const value = asColumn(tuple[at], scan.table.columns[source]);
    if (value !== undefined) values.set(column.id, value);
  }
  const folded = foldExpression(substituteColumns(condition, values), { subquery: (expr) => expr });
  return folded.kind === "Constant" ? folded.value === true : undefined;
}

function asColumn(expr: Expr, { type, typmod }: TableColumn): Constant | undefined {
  if (expr.kind !== "Constant" || typmod >= 0 || !alwaysConverts(expr.type, type)) return undefined;
  if (expr.value === null) return { kind: "Constant", type, value: null };
  return expr.type === type
    ? expr
    : { kind: "Constant", type, value: makeCast(expr.type, type, -1, true, foldSession)(expr.value) };
}
