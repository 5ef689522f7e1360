/**
 * Turns subqueries into joins, so that each runs once and not once a row: EXISTS and IN among the conditions of a filter
 * become semi joins, NOT EXISTS and NOT IN anti joins; what a correlated query of one row gives becomes a column of a left
 * join (`join-scalar-subqueries.ts`); LATERAL goes where the right side can be freed of the left one's columns.
 *
 * What cannot be turned without changing the answer stays a subquery: volatile functions, LIMIT inside a correlated
 * query, NOT IN of a correlated one (a NULL there is not a NULL of the join's condition). So do subqueries that depend on
 * nothing outside and run once anyway, except IN, which a join can give arguments and take them from.
 */
import type { Expr, Subquery } from "../expr.js";
import type { Filter, Join, LogicalPlan, ProjectItem } from "../plan.js";
import { outputOf } from "../plan.js";
import type { RuleContext, WholePlanRule } from "../rule.js";
import {
  columnRef,
  columnsOf,
  conjunctionOf,
  conjunctsOf,
  freeColumns,
  holdsSubquery,
  idsOf,
  isVolatile,
  isVolatilePlan,
  mapBranches,
  mapSubplans,
  substituteColumns,
} from "../visit.js";
import { joinLateralAggregate, joinScalarSubqueries } from "./join-scalar-subqueries.js";
import { dependsOn, filterOf, pullUpConditions } from "./pull-up-conditions.js";

export const decorrelateSubqueries: WholePlanRule = {
  name: "decorrelate-subqueries",
  rewriteWhole: (plan, context) => keepOutput(plan, decorrelate(plan, context)),
};

/** From the inside out: a subquery that holds none any more is easier to take apart. */
function decorrelate(plan: LogicalPlan, rules: RuleContext): LogicalPlan {
  const byPosition = ["SetOperation", "Distinct", "With", "Write", "Merge"].includes(plan.kind);
  return mapBranches(
    plan,
    (input) => {
      const inner = decorrelate(input, rules);
      return byPosition ? keepOutput(input, inner) : inner;
    },
    (node) => {
      const inside = mapSubplans(node, (subplan) => keepOutput(subplan, decorrelate(subplan, rules)));
      return rewriteNode(inside, rules);
    },
  );
}

/** A join may bring more columns than its place had; where columns count by position the old ones are picked. */
function keepOutput(before: LogicalPlan, after: LogicalPlan): LogicalPlan {
  if (after === before) return after;
  const wanted = outputOf(before);
  const got = outputOf(after);
  if (wanted.length === got.length && wanted.every((column, i) => column.id === got[i].id)) return after;
  return {
    kind: "Project",
    input: after,
    items: wanted.map((column): ProjectItem => ({ column, expr: columnRef(column) })),
  };
}

function rewriteNode(plan: LogicalPlan, rules: RuleContext): LogicalPlan {
  switch (plan.kind) {
    case "Filter":
      return holdsSubquery(plan.condition) ? rewriteFilter(plan, rules) : plan;
    case "Join": {
      const join = plan.lateral === true ? decorrelateLateral(plan, rules) : plan;
      return join.kind === "Join" ? hoistCondition(join, rules) : join;
    }
    case "Project":
    case "Aggregate":
    case "Sort":
      return joinScalarSubqueries(plan, rules);
    default:
      return plan;
  }
}

/** Conditions with subqueries of an inner join stand in a filter above it, where they are taken apart like those of WHERE. */
function hoistCondition(plan: Join, rules: RuleContext): LogicalPlan {
  if (plan.type !== "inner" || plan.condition === undefined || !holdsSubquery(plan.condition)) return plan;
  const conjuncts = conjunctsOf(plan.condition);
  const condition = conjunctionOf(conjuncts.filter((conjunct) => !holdsSubquery(conjunct)));
  const { condition: _, ...rest } = plan;
  const input: LogicalPlan = { ...rest, ...(condition !== undefined && { condition }) };
  return rewriteFilter(filterOf(input, conjuncts.filter(holdsSubquery)) as Filter, rules);
}

function rewriteFilter(plan: Filter, rules: RuleContext): LogicalPlan {
  let { input } = plan;
  const rest: Expr[] = [];
  for (const conjunct of conjunctsOf(plan.condition)) {
    const joined = joinOf(conjunct, input, rules);
    if (joined === undefined) rest.push(conjunct);
    else input = joined;
  }
  if (rest.length === 0) return input;
  const filter = (input === plan.input ? plan : filterOf(input, rest)) as Filter;
  return joinScalarSubqueries(filter, rules);
}

/** The input with the condition as a semi or anti join. */
function joinOf(condition: Expr, input: LogicalPlan, rules: RuleContext): LogicalPlan | undefined {
  const negated = condition.kind === "Not";
  const subquery = negated ? condition.input : condition;
  if (subquery.kind !== "Subquery" || isVolatile(subquery)) return undefined;
  if (subquery.subqueryKind === "exists") return joinExists(subquery, negated, input, rules);
  if (subquery.subqueryKind !== "any" || subquery.operator !== "=") return undefined;
  return negated ? joinNotIn(subquery, input) : joinIn(subquery, input, rules);
}

function joinExists(
  subquery: Subquery,
  negated: boolean,
  input: LogicalPlan,
  rules: RuleContext,
): LogicalPlan | undefined {
  const outer = idsOf(input);
  const plan = rowsOnly(subquery.plan);
  if (!dependsOn(plan, outer)) return undefined; // runs once, and stops at its first row
  const pulled = pullUpConditions(plan, { outer, existence: true, rules });
  if (pulled === undefined) return undefined;
  return place(input, pulled.plan, pulled.conditions, { type: negated ? "anti" : "semi" });
}

function joinIn(subquery: Subquery, input: LogicalPlan, rules: RuleContext): LogicalPlan | undefined {
  const outer = idsOf(input);
  const equalities = equalitiesOf(subquery.test);
  if (equalities === undefined || !equalities.some((test) => mentionsAny(test, outer))) return undefined;
  const plan = unordered(subquery.plan);
  if (!dependsOn(plan, outer)) return place(input, plan, equalities, { type: "semi", fromIn: true });
  // The select list may mention outer columns: the comparison takes its expressions in.
  const inner = plan.kind === "Project" ? plan.input : plan;
  const replacement =
    plan.kind === "Project" ? new Map(plan.items.map((item) => [item.column.id, item.expr])) : new Map<number, Expr>();
  const tests = equalities.map((test) => substituteColumns(test, replacement));
  if (tests.some(holdsSubquery)) return undefined;
  const pulled = pullUpConditions(inner, { outer, existence: true, rules });
  if (pulled === undefined) return undefined;
  return place(input, pulled.plan, [...tests, ...pulled.conditions], { type: "semi" });
}

/** NOT IN over one column of a query that depends on nothing outside: the join knows about NULLs. */
function joinNotIn(subquery: Subquery, input: LogicalPlan): LogicalPlan | undefined {
  const outer = idsOf(input);
  const [test, ...more] = equalitiesOf(subquery.test) ?? [];
  if (test === undefined || more.length > 0 || !mentionsAny(test, outer) || holdsSubquery(test)) return undefined;
  const plan = unordered(subquery.plan);
  if (dependsOn(plan, outer) || freeColumns(plan).size > 0) return undefined;
  return { kind: "Join", type: "anti", left: input, right: plan, condition: test, nullAware: true };
}

/** The test of IN as one equality a column. */
function equalitiesOf(test: Expr | undefined): readonly Expr[] | undefined {
  if (test === undefined || holdsSubquery(test)) return undefined;
  if (test.kind === "RowCompare" && test.operator === "=")
    return test.equals.map((call, i): Expr => ({ ...call, args: [test.left[i], test.right[i]] }));
  const parts = conjunctsOf(test);
  return parts.every((part) => part.kind === "Call" && part.operator === "=") ? parts : undefined;
}

function mentionsAny(expr: Expr, ids: ReadonlySet<number>): boolean {
  for (const id of columnsOf(expr)) if (ids.has(id)) return true;
  return false;
}

/** The plan without what makes no difference to whether it has rows. */
function rowsOnly(plan: LogicalPlan): LogicalPlan {
  switch (plan.kind) {
    case "Project":
      return isVolatilePlan(plan) ? plan : rowsOnly(plan.input);
    case "Sort":
      return rowsOnly(plan.input);
    case "Distinct":
      return plan.on === undefined ? rowsOnly(plan.input) : plan;
    case "Limit":
      return plan.skip === undefined && plan.fetch?.kind === "Constant" && Number(plan.fetch.value) > 0
        ? rowsOnly(plan.input)
        : plan;
    default:
      return plan;
  }
}

/** The plan without an order or DISTINCT: of an IN only the set of values counts. */
function unordered(plan: LogicalPlan): LogicalPlan {
  if (plan.kind === "Sort" || (plan.kind === "Distinct" && plan.on === undefined)) return unordered(plan.input);
  return plan;
}

/** The join as near to the rows it is about as inner joins let it: fewer rows go on from there. */
function place(
  input: LogicalPlan,
  right: LogicalPlan,
  conditions: readonly Expr[],
  kind: { readonly type: "semi" | "anti"; readonly fromIn?: boolean },
): LogicalPlan {
  if (input.kind === "Join" && input.lateral !== true && (input.type === "inner" || input.type === "left")) {
    const wanted = idsOf(input);
    const used = new Set<number>();
    for (const condition of conditions) for (const id of columnsOf(condition)) if (wanted.has(id)) used.add(id);
    if (isSubset(used, idsOf(input.left))) return { ...input, left: place(input.left, right, conditions, kind) };
    if (input.type === "inner" && isSubset(used, idsOf(input.right)))
      return { ...input, right: place(input.right, right, conditions, kind) };
  }
  return { kind: "Join", ...kind, left: input, right, condition: conjunctionOf(conditions) };
}

function isSubset(ids: ReadonlySet<number>, of: ReadonlySet<number>): boolean {
  for (const id of ids) if (!of.has(id)) return false;
  return true;
}

/** LATERAL without a column from the left is a plain join; so is one whose conditions on the left can stand in ON. */
function decorrelateLateral(plan: Join, rules: RuleContext): LogicalPlan {
  const { lateral: _, ...join } = plan;
  const outer = idsOf(plan.left);
  if (!dependsOn(plan.right, outer)) return join;
  if ((plan.type !== "inner" && plan.type !== "left") || isVolatilePlan(plan.right)) return plan;
  const pulled = pullUpConditions(plan.right, { outer, existence: false, rules });
  if (pulled === undefined) return joinLateralAggregate(plan, rules) ?? plan;
  return {
    ...join,
    right: pulled.plan,
    condition: conjunctionOf([...conjunctsOf(plan.condition), ...pulled.conditions]),
  };
}
