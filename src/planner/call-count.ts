/** How many calls a scan makes, as far as its plan tells: known from constants, bounded, or one for each value of something. */
import type { ResourceTableInfo } from "../catalog/table.js";
import type { Expr } from "./expr.js";
import type { ArgumentSet, LogicalPlan, Scan } from "./plan.js";
import { outputOf } from "./plan.js";
import { printColumn, printExpr } from "./print-expr.js";
import { callKeys } from "./rules/alternatives.js";
import { alwaysConverts } from "./rules/comparison-types.js";
import { spelledManyWays } from "./rules/thin-keys.js";

/** @see callCount */
export interface CallCount {
  /** The exact number. */
  readonly calls?: number;
  /** An estimate, where statistics give one. */
  readonly about?: number;
  /** `3`, `at most 3`, `one for each value of p.closes (about 20)`. */
  readonly text: string;
}

/** Estimates the rows of a plan; handed in, since estimates of scans are made of their calls. */
export type RowEstimate = (plan: LogicalPlan) => number | undefined;

/** What one argument set multiplies the calls by. */
interface Factor {
  readonly count?: number;
  readonly exact: boolean;
  readonly each?: string;
  readonly about?: number;
}

/** Calls of a scan before anything is read. Identical calls of other scans, and answers kept from before, are not counted off. */
export function callCount(scan: Scan & { readonly table: ResourceTableInfo }, estimate: RowEstimate): CallCount {
  const { pushed, table } = scan;
  if (pushed?.never === true) return { calls: 0, text: "none" };
  const sets = pushed?.arguments ?? [];
  const keys = callKeys(table, new Set(sets.flatMap((set) => set.sources)));
  const factors = sets.map((set) => factorOf(set, table, keys, estimate));
  const speaksTwice = new Set(sets.flatMap((set) => set.sources)).size < sets.flatMap((set) => set.sources).length;
  const isThinned = pushed?.keyFilter !== undefined;
  const exact = !isThinned && !speaksTwice && factors.every((factor) => factor.exact);
  const count = factors.reduce((product, factor) => product * (factor.count ?? 1), 1);
  const each = factors.flatMap((factor) => (factor.each === undefined ? [] : [factor.each]));
  if (each.length === 0) {
    if (exact || (count === 1 && !isThinned)) return { calls: count, text: String(count) };
    return { about: count, text: `at most ${count}` };
  }
  const known = factors.every((factor) => factor.each === undefined || factor.about !== undefined);
  const about = known
    ? Math.ceil(factors.reduce((n, factor) => n * (factor.about ?? factor.count ?? 1), 1))
    : undefined;
  const text = `${isThinned ? "at most " : ""}${count === 1 ? "one" : count} for ${each.join(" and ")}`;
  return { ...(about !== undefined && { about }), text: about === undefined ? text : `${text} (about ${about})` };
}

function factorOf(
  set: ArgumentSet,
  table: ResourceTableInfo,
  keys: ReadonlySet<number>,
  estimate: RowEstimate,
): Factor {
  const spread = set.sources.map(
    (source) => table.columns[source].argument === true || (keys.has(source) && !table.batchKeys),
  );
  if (!spread.includes(true)) return batches(set, table, keys);
  const { values } = set;
  switch (values.kind) {
    case "list": {
      // Columns that are no keys have all their values in each call.
      const calls = values.tuples.map((tuple) => tuple.filter((_, i) => spread[i]));
      return { count: distinctCount(calls), exact: areKnown(set, table) };
    }
    case "array":
      return { exact: false, each: `each element of ${printExpr(values.array)}` };
    case "query": {
      if (values.origin === "scalar") return { count: 1, exact: true };
      if (values.origin === "union") return unionFactor(values.plan, estimate);
      const about = estimate(distinctInput(values.plan));
      return { exact: false, each: `each value of ${valueNames(values.plan)}`, ...(about !== undefined && { about }) };
    }
  }
}

/** Calls that a batched key with constants takes; pairs may fall into more batches than their number tells. */
function batches(set: ArgumentSet, table: ResourceTableInfo, keys: ReadonlySet<number>): Factor {
  const { maxBatch } = table;
  const isKey = set.sources.some((source) => keys.has(source));
  if (maxBatch === undefined || set.values.kind !== "list" || !isKey) return { count: 1, exact: true };
  const { tuples } = set.values;
  const count = distinctCount(tuples);
  if (count > 1 && set.sources.length > 1) return { count, exact: false };
  return { count: Math.ceil(count / maxBatch), exact: areKnown(set, table) };
}

function distinctCount(tuples: readonly (readonly Expr[])[]): number {
  return new Set(tuples.map((tuple) => tuple.map((expr) => printExpr(expr)).join(", "))).size;
}

/** Whether the values are as many arguments as they are written: none is NULL, left out, or equal to another one. */
function areKnown(set: ArgumentSet, table: ResourceTableInfo): boolean {
  if (set.values.kind !== "list") return false;
  const columns = set.sources.map((source) => table.columns[source]);
  return set.values.tuples.every((tuple) =>
    tuple.every(
      (expr, i) =>
        expr.kind === "Constant" &&
        expr.value !== null &&
        !spelledManyWays.has(expr.type) &&
        !spelledManyWays.has(columns[i].type) &&
        columns[i].typmod < 0 &&
        alwaysConverts(expr.type, columns[i].type),
    ),
  );
}

/** The values are made distinct, which a guess of a third would count off; keys are mostly distinct already. */
function distinctInput(plan: LogicalPlan): LogicalPlan {
  if (plan.kind === "With") return distinctInput(plan.input);
  return plan.kind === "Distinct" ? plan.input : plan;
}

/** Of an OR: a call for each tuple, and for each value of its queries. */
function unionFactor(plan: LogicalPlan, estimate: RowEstimate): Factor {
  const parts = unionParts(plan);
  const tuples = parts.reduce((sum, part) => sum + (part.kind === "Values" ? part.rows.length : 0), 0);
  const queries = parts.filter((part) => part.kind !== "Values");
  if (queries.length === 0) return { count: tuples, exact: false };
  const about = estimate(plan);
  const each = `each value of ${queries.map(valueNames).join(" or ")}${tuples === 0 ? "" : ` and ${tuples} more`}`;
  return { exact: false, each, ...(about !== undefined && { about }) };
}

/** The queries, and the list of tuples, that the values of an OR are in. */
export function unionParts(plan: LogicalPlan): readonly LogicalPlan[] {
  if (plan.kind === "With") return unionParts(plan.input);
  return plan.kind === "SetOperation" && plan.all && plan.operator === "union"
    ? [...unionParts(plan.left), ...unionParts(plan.right)]
    : [plan];
}

/** `p.closes`, `(p.repo, p.number)`: what the values of an argument query are made of. */
export function valueNames(plan: LogicalPlan): string {
  let node = plan;
  while (node.kind === "Distinct" || node.kind === "With") node = node.input;
  const names =
    node.kind === "Project" ? node.items.map((item) => printExpr(item.expr)) : outputOf(plan).map(printColumn);
  return names.length === 1 ? names[0] : `(${names.join(", ")})`;
}
