/**
 * Moves LIMIT into the scan of a resource that takes one, so that it can stop paging early, and with it the ORDER BY that
 * says which rows are meant. Runs after the arguments are bound: a limit may not pass a condition that still drops rows
 * after the call, unless the resource answers that condition exactly. Limit and sort stay: several calls may bring more
 * rows, each in its own order.
 *
 * It passes what keeps the number of rows or adds to it without leaving any out: projections, UNION ALL (each query may
 * give all), and an outer join on its preserved side. DISTINCT, aggregates, windows, and all other joins drop rows, or
 * look at rows that the limit would cut.
 */
import { types } from "../../types/type.js";
import type { Expr, SortKey } from "../expr.js";
import { type Limit, type LogicalPlan, outputOf, type Scan } from "../plan.js";
import type { WholePlanRule } from "../rule.js";
import {
  columnRef,
  columnsOf,
  conjunctsOf,
  expressionsOf,
  hasSubplans,
  holdsSubquery,
  idsOf,
  isVolatile,
  mapBranches,
  mapExpressions,
  mapInputs,
  mapOperands,
  mapSubplans,
  someExpression,
} from "../visit.js";
import { type Binding, bindingsIn } from "./equalities.js";
import { isWholeMilliseconds, qualsIn, samePredicate, surelyPassed } from "./quals.js";

export const pushDownLimit: WholePlanRule = {
  name: "push-down-limit",
  rewriteWhole: (plan) => pushInside(plan),
};

function pushInside(plan: LogicalPlan): LogicalPlan {
  const node = mapBranches(
    mapSubplans(hasSubplans(plan) ? mapExpressions(plan, pushIntoExists) : plan, pushInside),
    pushInside,
  );
  if (node.kind !== "Limit" || node.withTies !== undefined) return node;
  const wanted = rowsWanted(node);
  return wanted === undefined ? node : mapInputs(node, (input) => push(input, { fetch: wanted }));
}

/** Of a query in EXISTS the first row is enough. */
function pushIntoExists(expr: Expr): Expr {
  if (!holdsSubquery(expr)) return expr;
  const inside = mapOperands(expr, pushIntoExists);
  if (inside.kind !== "Subquery" || inside.subqueryKind !== "exists") return inside;
  const plan = push(inside.plan, { fetch: 1 });
  return plan === inside.plan ? inside : { ...inside, plan };
}

/** Rows that the limit reads at most, those of OFFSET among them; `undefined` when that is not known before it runs. */
function rowsWanted({ fetch, skip }: Limit): Demand["fetch"] | undefined {
  if (fetch === undefined) return undefined;
  const parts = skip === undefined ? [fetch] : [fetch, skip];
  if (parts.every(({ kind }) => kind === "Constant")) return constantRows(fetch, skip);
  // A negative or NULL constant is left to the engine; so is what needs rows, or would be computed twice and could differ.
  const isKnown = (part: Expr) =>
    part.kind === "Constant"
      ? part.value !== null && Number(part.value) >= 0
      : columnsOf(part).size === 0 && !holdsSubquery(part) && !isVolatile(part);
  return parts.every(isKnown) ? parts : undefined;
}

function constantRows(fetch: Expr, skip: Expr | undefined): number | undefined {
  const count = (expr: Expr | undefined): number | undefined =>
    expr === undefined ? 0 : expr.kind === "Constant" && expr.value !== null ? Number(expr.value) : undefined;
  const rows = count(fetch);
  const skipped = skip?.kind === "Constant" && skip.value === null ? 0 : count(skip);
  if (rows === undefined || skipped === undefined) return undefined;
  const total = rows + skipped;
  return rows >= 0 && skipped >= 0 && Number.isSafeInteger(total) ? total : undefined;
}

/** The rows that count: `fetch` of them, the first in an order where it says one. */
interface Demand {
  /** A number, or the sum of expressions that are known when the statement starts. */
  readonly fetch: number | readonly Expr[];
  /** Over the columns of the plan that the demand is on. */
  readonly order?: readonly SortKey[];
}

function push(plan: LogicalPlan, demand: Demand): LogicalPlan {
  const pass = (below: Demand | undefined): LogicalPlan =>
    below === undefined ? plan : mapInputs(plan, (input) => push(input, below));
  switch (plan.kind) {
    case "Project": {
      if (expressionsOf(plan).some(isVolatile)) return plan;
      const items = new Map(plan.items.map((item) => [item.column.id, item.expr]));
      return pass(reordered(demand, (id) => items.get(id)));
    }
    case "Sort":
      // The sort above decides, and that on top of another one only among equal rows: no resource is asked for both.
      return demand.order === undefined && !plan.keys.some((key) => isVolatile(key.expr))
        ? pass({ ...demand, order: plan.keys })
        : plan;
    case "Limit":
      // Which rows this limit lets through is not for the order above to say.
      return plan.skip === undefined && plan.withTies === undefined && demand.order === undefined ? pass(demand) : plan;
    case "SetOperation":
      return plan.operator === "union" && plan.all ? mapUnion(plan, demand) : plan;
    case "Join":
      return pushIntoJoin(plan, demand);
    case "Filter":
      return plan.input.kind === "Scan" &&
        conjunctsOf(plan.condition).every((part) => isExact(part, plan.input as Scan))
        ? mapInputs(plan, (input) => pushIntoScan(input as Scan, demand, plan.condition))
        : plan;
    case "Scan":
      return pushIntoScan(plan, demand);
    default:
      return plan;
  }
}

/** The demand on the input of a node whose columns are made of the given ones; `undefined` when an order is by more than a copy. */
function reordered({ fetch, order }: Demand, madeOf: (id: number) => Expr | undefined): Demand | undefined {
  if (order === undefined) return { fetch };
  const keys: SortKey[] = [];
  for (const key of order) {
    const expr = key.expr.kind === "Column" ? madeOf(key.expr.column.id) : undefined;
    if (expr?.kind !== "Column") return undefined;
    keys.push({ ...key, expr });
  }
  return { fetch, order: keys };
}

/** Each row of the preserved side comes out at least once, in the order of that side where the keys are its own. */
function pushIntoJoin(join: LogicalPlan & { kind: "Join" }, demand: Demand): LogicalPlan {
  if ((join.type !== "left" && join.type !== "right") || expressionsOf(join).some(isVolatile)) return join;
  const side = join.type;
  const kept = join[side];
  const own = idsOf(kept);
  const isOwn = ({ expr }: SortKey) => expr.kind === "Column" && own.has(expr.column.id);
  if (demand.order?.every(isOwn) === false) return join;
  const pushed = push(kept, demand);
  return pushed === kept ? join : { ...join, [side]: pushed };
}

/** @param answered the condition above the scan, which the resource has answered */
function pushIntoScan(scan: Scan, { fetch, order }: Demand, answered?: Expr): LogicalPlan {
  const { table } = scan;
  if (table.kind !== "resource" || table.acceptsLimit !== true || fetch === 0) return scan;
  const orderBy = order === undefined ? undefined : orderOf(order, scan);
  if (order !== undefined && orderBy === undefined) return scan;
  // The nearer limit stays unless this one is sure to be lower.
  if (scan.fetchSum !== undefined) return scan;
  if (scan.fetch !== undefined && (typeof fetch !== "number" || scan.fetch <= fetch)) return scan;
  return {
    ...scan,
    ...(typeof fetch === "number" ? { fetch } : { fetchSum: fetch }),
    ...(answered !== undefined && { exactFilter: answered }),
    ...(orderBy !== undefined && orderBy.length > 0 && { orderBy }),
  };
}

/** The order as the resource is asked for it; `undefined` when it can't be. */
function orderOf(keys: readonly SortKey[], scan: Scan): Scan["orderBy"] {
  const { table } = scan;
  const offered = table.kind === "resource" ? (table.orderByColumns ?? []) : [];
  const order: { source: number; descending: boolean }[] = [];
  for (const { expr, descending, nullsFirst } of keys) {
    const item = expr.kind === "Column" ? scan.columns.find(({ column }) => column.id === expr.column.id) : undefined;
    if (item === undefined || nullsFirst !== descending || !offered.includes(table.columns[item.source].name))
      return undefined;
    if (!order.some(({ source }) => source === item.source)) order.push({ source: item.source, descending });
  }
  return order;
}

/** Every query of a chain of UNION ALL; one of another kind in the chain stops it there. */
function mapUnion(plan: LogicalPlan & { kind: "SetOperation" }, demand: Demand): LogicalPlan {
  const chain: (typeof plan)[] = [];
  let node: LogicalPlan = plan;
  while (node.kind === "SetOperation" && node.operator === "union" && node.all) {
    chain.push(node);
    node = node.left;
  }
  // The columns of every node of the chain stand in the same places.
  const places = new Map(plan.columns.map((column, i) => [column.id, i] as const));
  const branch = (query: LogicalPlan): LogicalPlan => {
    const output = outputOf(query);
    const below = reordered(demand, (id) => {
      const place = places.get(id);
      return place === undefined ? undefined : columnRef(output[place]);
    });
    return below === undefined ? query : push(query, below);
  };
  let left = branch(node);
  for (let next = chain.pop(); next !== undefined; next = chain.pop()) {
    const right = branch(next.right);
    left = left === next.left && right === next.right ? next : { ...next, left, right };
  }
  return left;
}

/** Whether the resource has answered the condition: it is nothing but what it was handed, on columns that are declared exact. */
function isExact(condition: Expr, scan: Scan): boolean {
  if (scan.table.kind !== "resource" || condition.kind === "Or") return false;
  return isExactEquality(condition, scan) || areExactQuals(condition, scan);
}

function isExactEquality(condition: Expr, scan: Scan): boolean {
  const [binding, ...more] = bindingsIn(condition, scan);
  if (binding === undefined || more.length > 0 || (binding.kind !== "list" && binding.kind !== "array")) return false;
  const sources = binding.kind === "list" ? binding.sources : [binding.source];
  // Of several pairs a call may be given each column's values: more rows than the pairs ask for.
  if (binding.kind === "list" && sources.length > 1 && binding.tuples.length > 1) return false;
  // The service compares as the column does, so `citext_column = 'A'::text` gives rows that are dropped here.
  if (someExpression(condition, (part) => part.kind === "Cast" && part.input.type === types.citext)) return false;
  const passed = new Set((scan.pushed?.arguments ?? []).flatMap((set) => set.sources));
  return sources.every(
    (source, i) => passed.has(source) && isExactColumn(source, scan) && canBeAsked(binding, source, i, scan),
  );
}

/** A time that no `Date` can be is not passed to a resolver that gets one. */
function canBeAsked(binding: Binding, source: number, at: number, scan: Scan): boolean {
  const { type, milliseconds } = scan.table.columns[source];
  if (milliseconds !== true) return true;
  const isWhole = (value: Expr) => value.kind === "Constant" && value.type === type && isWholeMilliseconds(value.value);
  return binding.kind === "list" && binding.tuples.every((tuple) => isWhole(tuple[at]));
}

function areExactQuals(condition: Expr, scan: Scan): boolean {
  const quals = qualsIn(condition, scan);
  const passed = scan.pushed?.quals ?? [];
  return (
    quals.length > 0 &&
    quals.every(
      (qual) =>
        isExactColumn(qual.source, scan) &&
        surelyPassed(qual, scan) &&
        passed.some((other) => samePredicate(qual, other)),
    )
  );
}

function isExactColumn(source: number, { table }: Scan): boolean {
  return table.kind === "resource" && (table.exact === true || table.columns[source].exact === true);
}
