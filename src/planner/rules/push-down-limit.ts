/**
 * Moves LIMIT into the scan of a resource that takes one, so that it can stop paging early. Runs after the arguments are
 * bound: a limit may not pass a condition that still drops rows after the call, unless the resource answers that condition
 * exactly. The LIMIT itself stays: several calls may bring more rows.
 */
import type { Expr } from "../expr.js";
import type { Limit, LogicalPlan, Scan } from "../plan.js";
import type { WholePlanRule } from "../rule.js";
import {
  conjunctsOf,
  expressionsOf,
  hasSubplans,
  holdsSubquery,
  isVolatile,
  mapBranches,
  mapExpressions,
  mapInputs,
  mapOperands,
  mapSubplans,
} from "../visit.js";
import { bindingsIn } from "./equalities.js";

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
  return wanted === undefined ? node : mapInputs(node, (input) => push(input, wanted));
}

/** Of a query in EXISTS the first row is enough. */
function pushIntoExists(expr: Expr): Expr {
  if (!holdsSubquery(expr)) return expr;
  const inside = mapOperands(expr, pushIntoExists);
  if (inside.kind !== "Subquery" || inside.subqueryKind !== "exists") return inside;
  const plan = push(inside.plan, 1);
  return plan === inside.plan ? inside : { ...inside, plan };
}

/** Rows that the limit reads at most, those of OFFSET among them; `undefined` when that is not known before it runs. */
function rowsWanted({ fetch, skip }: Limit): number | undefined {
  const count = (expr: Expr | undefined): number | undefined =>
    expr === undefined ? 0 : expr.kind === "Constant" && expr.value !== null ? Number(expr.value) : undefined;
  if (fetch === undefined) return undefined;
  const rows = count(fetch);
  const skipped = skip?.kind === "Constant" && skip.value === null ? 0 : count(skip);
  if (rows === undefined || skipped === undefined) return undefined;
  const total = rows + skipped;
  return rows >= 0 && skipped >= 0 && Number.isSafeInteger(total) ? total : undefined;
}

function push(plan: LogicalPlan, fetch: number): LogicalPlan {
  switch (plan.kind) {
    case "Project":
      return expressionsOf(plan).some(isVolatile) ? plan : mapInputs(plan, (input) => push(input, fetch));
    case "Limit":
      return plan.skip === undefined && plan.withTies === undefined
        ? mapInputs(plan, (input) => push(input, fetch))
        : plan;
    case "SetOperation":
      return plan.operator === "union" && plan.all ? mapUnion(plan, fetch) : plan;
    case "Filter":
      return plan.input.kind === "Scan" &&
        conjunctsOf(plan.condition).every((part) => isExact(part, plan.input as Scan))
        ? mapInputs(plan, (input) => push(input, fetch))
        : plan;
    case "Scan": {
      if (plan.table.kind !== "resource" || plan.table.acceptsLimit !== true) return plan;
      const smaller = Math.min(fetch, plan.fetch ?? fetch);
      return smaller === plan.fetch ? plan : { ...plan, fetch: smaller };
    }
    default:
      return plan;
  }
}

/** Every query of a chain of UNION ALL; one of another kind in the chain stops it there. */
function mapUnion(plan: LogicalPlan & { kind: "SetOperation" }, fetch: number): LogicalPlan {
  const chain: (typeof plan)[] = [];
  let node: LogicalPlan = plan;
  while (node.kind === "SetOperation" && node.operator === "union" && node.all) {
    chain.push(node);
    node = node.left;
  }
  let left = push(node, fetch);
  for (let next = chain.pop(); next !== undefined; next = chain.pop()) {
    const right = push(next.right, fetch);
    left = left === next.left && right === next.right ? next : { ...next, left, right };
  }
  return left;
}

/** Whether the resource has answered the condition: it is nothing but an argument, of a column that is declared exact. */
function isExact(condition: Expr, scan: Scan): boolean {
  if (scan.table.kind !== "resource" || condition.kind === "Or") return false;
  const [binding, ...more] = bindingsIn(condition, scan);
  if (binding === undefined || more.length > 0 || (binding.kind !== "list" && binding.kind !== "array")) return false;
  const sources = binding.kind === "list" ? binding.sources : [binding.source];
  const { table, pushed } = scan;
  const passed = new Set((pushed?.arguments ?? []).flatMap((set) => set.sources));
  return sources.every(
    (source) => passed.has(source) && (table.exact === true || table.columns[source].exact === true),
  );
}
