/**
 * Makes the plan of one SELECT from its bound parts, from the bottom up:
 * FROM, WHERE, set-returning keys, Aggregate, HAVING, Window, set-returning functions, select list, DISTINCT, ORDER BY, LIMIT.
 */
import type { Expr, SortKey } from "../expr.js";
import type { LogicalPlan, ProjectItem } from "../plan.js";
import { columnRef, columnsOf } from "../visit.js";
import { aggregatePlan } from "./aggregate-plan.js";
import { keepCollation } from "./collations.js";
import type { BoundDistinct } from "./distinct.js";
import type { BoundGroupBy } from "./grouping.js";
import { labelledColumn } from "./labels.js";
import type { BoundLimit } from "./limits.js";
import { isNullable } from "./nullable.js";
import type { TargetSort } from "./order-by.js";
import { type FromTree, planOf } from "./relation.js";
import type { BoundSelect } from "./select.js";
import { newColumn, type PendingSetCall, type QueryLevel } from "./state.js";
import type { Target } from "./targets.js";
import { sameOrdering } from "./windows.js";

/** The clauses of a query, bound. */
export interface SelectParts {
  readonly tree: FromTree | undefined;
  readonly where: Expr | undefined;
  readonly having: Expr | undefined;
  readonly targets: readonly Target[];
  readonly sort: readonly TargetSort[];
  readonly grouping: BoundGroupBy | undefined;
  readonly distinct: BoundDistinct | undefined;
  readonly limit: BoundLimit | undefined;
}

/** Rewrites an expression over the input into one over what the Aggregate puts out. */
export type Above = (expr: Expr) => Expr;

/** The group key that a target is, as a column of the Aggregate. */
export type KeyOfTarget = (target: Target) => Expr | undefined;

export function assemble(parts: SelectParts, level: QueryLevel): BoundSelect {
  // Checked before FROM's plan is made: binding may have asked for whole rows until here.
  let plan: LogicalPlan = parts.tree === undefined ? oneRow() : planOf(parts.tree);
  if (parts.where !== undefined) plan = { kind: "Filter", input: plan, condition: parts.where };

  let setCalls: readonly PendingSetCall[] = level.setCalls;
  const isAggregated =
    parts.grouping !== undefined ||
    parts.having !== undefined ||
    level.aggregates.length > 0 ||
    level.groupingCalls.length > 0;
  if (isAggregated) {
    const below = callsWithin(parts.grouping?.keys.map((key) => key.expr) ?? [], setCalls);
    plan = projectSets(plan, below);
    setCalls = setCalls.filter((pending) => !below.includes(pending));
    const { plan: grouped, rewritten } = aggregatePlan(plan, parts.grouping, level, (above, keyOf) =>
      rewriteAll(parts, level, setCalls, above, keyOf),
    );
    plan = grouped;
    if (rewritten.having !== undefined) plan = { kind: "Filter", input: plan, condition: rewritten.having };
    return finishSelect(plan, rewritten, parts, level);
  }
  return finishSelect(
    plan,
    rewriteAll(parts, level, setCalls, (expr) => expr),
    parts,
    level,
  );
}

/** All expressions above the Aggregate, rewritten, in the order in which their errors are to be found. */
export interface Rewritten {
  readonly targets: readonly { readonly target: Target; readonly expr: Expr }[];
  readonly having: Expr | undefined;
  readonly windows: QueryLevel["windows"];
  readonly windowCalls: QueryLevel["windowCalls"];
  readonly setCalls: readonly PendingSetCall[];
}

function rewriteAll(
  parts: SelectParts,
  level: QueryLevel,
  setCalls: readonly PendingSetCall[],
  above: Above,
  keyOf: KeyOfTarget = () => undefined,
): Rewritten {
  const sortKey = (key: SortKey): SortKey => ({ ...key, expr: above(key.expr) });
  return {
    targets: parts.targets.map((target) => ({ target, expr: keyOf(target) ?? above(target.expr) })),
    setCalls: setCalls.map(({ call, position }) => ({ call: { ...call, args: call.args.map(above) }, position })),
    windowCalls: level.windowCalls.map((pending) => ({
      ...pending,
      call: {
        ...pending.call,
        args: pending.call.args.map(above),
        ...(pending.call.filter && { filter: above(pending.call.filter) }),
      },
    })),
    windows: level.windows.map((spec) => ({
      ...spec,
      partitionBy: spec.partitionBy.map(above),
      orderBy: spec.orderBy.map(sortKey),
    })),
    having: parts.having && above(parts.having),
  };
}

function finishSelect(input: LogicalPlan, rewritten: Rewritten, parts: SelectParts, level: QueryLevel): BoundSelect {
  let plan = addWindows(input, rewritten);
  plan = projectSets(plan, rewritten.setCalls);
  const items: ProjectItem[] = rewritten.targets.map(({ target, expr }) => ({
    column: outputColumn(target.name, expr, level),
    expr,
  }));
  plan = { kind: "Project", input: plan, items };
  const columnOf = (target: Target) => items[parts.targets.indexOf(target)].column;
  const keys: SortKey[] = parts.sort.map(({ target, descending, nullsFirst }) => ({
    expr: columnRef(columnOf(target)),
    descending,
    nullsFirst,
  }));
  const { distinct } = parts;
  if (distinct !== undefined && distinct.on === undefined) plan = { kind: "Distinct", input: plan };
  if (keys.length > 0) plan = { kind: "Sort", input: plan, keys };
  if (distinct?.on !== undefined) {
    plan = { kind: "Distinct", input: plan, on: distinct.on.map((target) => columnRef(columnOf(target))) };
  }
  plan = limited(plan, parts.limit, keys);
  const visible = items.filter((_, i) => !parts.targets[i].hidden);
  if (visible.length === items.length) return { plan, output: items.map((item) => item.column) };
  const shown = visible.map(({ column }) => ({
    column: { ...column, id: level.state.nextColumn++ },
    expr: columnRef(column),
  }));
  return { plan: { kind: "Project", input: plan, items: shown }, output: shown.map((item) => item.column) };
}

/** LIMIT and OFFSET over a plan. */
export function limited(plan: LogicalPlan, limit: BoundLimit | undefined, keys: readonly SortKey[]): LogicalPlan {
  if (limit === undefined) return plan;
  const { fetch, skip, withTies } = limit;
  return {
    kind: "Limit",
    input: plan,
    ...(fetch && { fetch }),
    ...(skip && { skip }),
    ...(withTies && { withTies: keys }),
  };
}

/** A query without FROM reads one row of no columns. */
export function oneRow(): LogicalPlan {
  return { kind: "Values", columns: [], rows: [[]] };
}

/** A column of the result; it keeps the labels and the origin of a column that it merely passes on. */
export function outputColumn(name: string, expr: Expr, level: QueryLevel) {
  const source = expr.kind === "Column" ? expr.column : undefined;
  const column = newColumn(level.state, {
    name,
    type: expr.type,
    typmod: expr.typmod,
    nullable: isNullable(expr),
    labels: labelledColumn(expr)?.labels,
    origin: source?.origin,
  });
  keepCollation(column, [expr], level);
  return column;
}

/** One Window node for each partitioning and order; frames belong to the calls. */
function addWindows(input: LogicalPlan, { windows, windowCalls }: Rewritten): LogicalPlan {
  let plan = input;
  const done = new Set<number>();
  windows.forEach((spec, index) => {
    if (done.has(index)) return;
    const group = windows.map((_, i) => i).filter((i) => i >= index && sameOrdering(windows[i], spec));
    for (const i of group) done.add(i);
    const calls = windowCalls
      .filter((pending) => group.includes(pending.window))
      .map(({ column, call, window }) => ({ column, call, frame: windows[window].frame }));
    if (calls.length === 0) return;
    plan = { kind: "Window", input: plan, partitionBy: spec.partitionBy, orderBy: spec.orderBy, calls };
  });
  return plan;
}

/** Calls whose columns some expression reads, with those that their arguments read. */
function callsWithin(exprs: readonly Expr[], calls: readonly PendingSetCall[]): readonly PendingSetCall[] {
  const wanted = new Set<number>();
  const found: PendingSetCall[] = [];
  let open = [...exprs];
  while (open.length > 0) {
    const next: Expr[] = [];
    for (const expr of open) columnsOf(expr, wanted);
    for (const pending of calls) {
      if (found.includes(pending) || !pending.call.columns.some((column) => wanted.has(column.id))) continue;
      found.push(pending);
      next.push(...pending.call.args);
    }
    open = next;
  }
  return calls.filter((pending) => found.includes(pending));
}

/** ProjectSet nodes, the calls that are arguments of others below those. Calls of one depth run in step. */
function projectSets(input: LogicalPlan, pending: readonly PendingSetCall[]): LogicalPlan {
  let plan = input;
  let open = [...pending];
  while (open.length > 0) {
    const unmade = new Set(open.flatMap(({ call }) => call.columns.map((column) => column.id)));
    const ready = open.filter(({ call }) => !call.args.some((arg) => reads(arg, unmade)));
    plan = { kind: "ProjectSet", input: plan, calls: ready.map(({ call }) => call) };
    open = open.filter((item) => !ready.includes(item));
  }
  return plan;
}

function reads(expr: Expr, ids: ReadonlySet<number>): boolean {
  for (const id of columnsOf(expr)) if (ids.has(id)) return true;
  return false;
}
