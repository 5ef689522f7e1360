/**
 * Correlated subqueries that give one value a row, as columns of a left join: aggregates become one aggregate grouped by
 * what they are correlated on, a row found by a unique key is joined by it, EXISTS in a place where it is a value becomes
 * a mark on the joined row. Where there is no partner, the value is what the aggregate of no rows gives (count: 0), NULL,
 * or false.
 *
 * The joined side is worked out for all its rows, so it must not be able to fail where the subquery would not have run.
 */

import { types } from "../../types/type.js";
import type { Value } from "../../types/value.js";
import type { AggregateCall, Column, Expr, Subquery } from "../expr.js";
import type { Aggregate, Join, LogicalPlan, Project, ProjectItem } from "../plan.js";
import { outputOf } from "../plan.js";
import type { RuleContext } from "../rule.js";
import {
  columnRef,
  conjunctionOf,
  conjunctsOf,
  eachSubquery,
  expressionsOf,
  freeColumns,
  holdsSubquery,
  idsOf,
  isVolatilePlan,
  mapExpressions,
  mapOperands,
  mentions,
  substituteColumns,
} from "../visit.js";
import { cannotAggregateFail, cannotFail, cannotPlanFail } from "./cannot-fail.js";
import { foldSession, NeedsSession } from "./fold-expression.js";
import { dependsOn, groupedBy, pullUpConditions, splitEquality } from "./pull-up-conditions.js";

/** Nodes whose expressions are evaluated over the rows of one input. */
type Reader = LogicalPlan & { readonly kind: "Filter" | "Project" | "Aggregate" | "Sort" };

export function joinScalarSubqueries(plan: Reader, rules: RuleContext): LogicalPlan {
  const subqueries: Subquery[] = [];
  for (const expr of expressionsOf(plan)) eachSubquery(expr, (subquery) => subqueries.push(subquery));
  if (subqueries.length === 0) return plan;
  let { input } = plan;
  const values = new Map<LogicalPlan, Expr>();
  for (const subquery of subqueries) {
    if (values.has(subquery.plan)) continue;
    const joined = joinSubquery(subquery, input, idsOf(plan.input), rules);
    if (joined === undefined) continue;
    input = joined.plan;
    values.set(subquery.plan, joined.value);
  }
  if (values.size === 0) return plan;
  const replaced = mapExpressions({ ...plan, input }, (expr) => replaceSubqueries(expr, values));
  if (plan.kind === "Project" || plan.kind === "Aggregate") return replaced;
  const items = outputOf(plan).map((column): ProjectItem => ({ column, expr: columnRef(column) }));
  return { kind: "Project", input: replaced, items };
}

function replaceSubqueries(expr: Expr, values: ReadonlyMap<LogicalPlan, Expr>): Expr {
  if (!holdsSubquery(expr)) return expr;
  const value = expr.kind === "Subquery" ? values.get(expr.plan) : undefined;
  return value ?? mapOperands(expr, (operand) => replaceSubqueries(operand, values));
}

/** An input with the subquery's value beside its rows. */
interface Joined {
  readonly plan: LogicalPlan;
  readonly value: Expr;
}

function joinSubquery(
  subquery: Subquery,
  input: LogicalPlan,
  outer: ReadonlySet<number>,
  rules: RuleContext,
): Joined | undefined {
  const { plan, subqueryKind } = subquery;
  if (!dependsOn(plan, outer) || isVolatilePlan(plan)) return undefined;
  if (subqueryKind === "exists") return joinMark(plan, input, outer, rules);
  if (subqueryKind !== "scalar") return undefined;
  const project = plan.kind === "Sort" ? plan.input : plan; // one row has no order
  if (project.kind !== "Project" || project.items.length !== 1) return undefined;
  const [{ expr }] = project.items;
  if (holdsSubquery(expr) || mentions(expr, outer)) return undefined;
  if (project.input.kind === "Aggregate" && project.input.keys.length === 0) {
    const grouped = groupAggregate(project.input, outer, rules);
    if (grouped === undefined) return undefined;
    return {
      plan: { kind: "Join", type: "left", left: input, right: grouped.plan, condition: grouped.condition },
      value: substituteColumns(expr, grouped.values),
    };
  }
  return joinUnique(project, input, outer, rules);
}

interface Grouped {
  readonly plan: Aggregate;
  readonly condition: Expr | undefined;
  /** What each aggregate's column stands for where a row finds no group. */
  readonly values: ReadonlyMap<number, Expr>;
}

/** An aggregate of one row for each outer row, as one aggregate of a row for each value of what it is correlated on. */
function groupAggregate(plan: Aggregate, outer: ReadonlySet<number>, rules: RuleContext): Grouped | undefined {
  if (plan.groupingSets.length !== 1 || plan.groupings.length > 0) return undefined;
  if (expressionsOf(plan).some((expr) => mentions(expr, outer))) return undefined;
  if (!plan.aggregates.every(({ call }) => cannotAggregateFail(call))) return undefined;
  const pulled = pullUpConditions(plan.input, { outer, existence: false, rules });
  if (pulled === undefined || !cannotPlanFail(pulled.plan)) return undefined;
  const grouped = groupedBy(pulled, rules);
  if (grouped === undefined || !grouped.keys.every((key) => cannotFail(key.expr))) return undefined;
  const values = new Map<number, Expr>();
  const aggregates: { column: Column; call: AggregateCall }[] = [];
  for (const item of plan.aggregates) {
    const column: Column = { ...item.column, nullable: true };
    const reference = columnRef(column);
    const empty = valueOfNothing(item.call);
    if (empty === undefined) return undefined;
    aggregates.push({ ...item, column });
    values.set(
      column.id,
      empty === null
        ? reference
        : {
            kind: "Coalesce",
            args: [reference, { kind: "Constant", value: empty, type: column.type, typmod: column.typmod }],
            type: column.type,
            typmod: column.typmod,
          },
    );
  }
  return {
    plan: {
      kind: "Aggregate",
      input: pulled.plan,
      keys: grouped.keys,
      groupingSets: [grouped.keys.map((_, i) => i)],
      aggregates,
      groupings: [],
    },
    condition: conjunctionOf(grouped.conditions),
    values,
  };
}

/** What an aggregate gives for no rows at all; `undefined` when only a session can tell. */
function valueOfNothing(call: AggregateCall): Value | undefined {
  try {
    const accumulator = call.function.create({ argTypes: call.argTypes, resultType: call.type, session: foldSession });
    return accumulator.final(accumulator.init());
  } catch (error) {
    if (error instanceof NeedsSession) return undefined;
    throw error;
  }
}

/** EXISTS as a value: one row for each value of what it is correlated on, with a mark. */
function joinMark(
  plan: LogicalPlan,
  input: LogicalPlan,
  outer: ReadonlySet<number>,
  rules: RuleContext,
): Joined | undefined {
  let inner = plan;
  while (inner.kind === "Project" || inner.kind === "Sort") inner = inner.input;
  const pulled = pullUpConditions(inner, { outer, existence: true, rules });
  if (pulled === undefined || !cannotPlanFail(pulled.plan)) return undefined;
  const grouped = groupedBy(pulled, rules);
  if (grouped === undefined || !grouped.keys.every((key) => cannotFail(key.expr))) return undefined;
  // Correlated in its select list only: an aggregate without keys would give a row where there is none.
  if (grouped.keys.length === 0) return undefined;
  const keys: LogicalPlan = {
    kind: "Aggregate",
    input: pulled.plan,
    keys: grouped.keys,
    groupingSets: [grouped.keys.map((_, i) => i)],
    aggregates: [],
    groupings: [],
  };
  const mark: Column = { id: rules.newColumnId(), name: "exists", type: types.bool, typmod: -1, nullable: true };
  const items: ProjectItem[] = [
    ...grouped.keys.map(({ column }) => ({ column, expr: columnRef(column) })),
    { column: mark, expr: { kind: "Constant", value: true, type: types.bool } },
  ];
  return {
    plan: {
      kind: "Join",
      type: "left",
      left: input,
      right: { kind: "Project", input: keys, items },
      condition: conjunctionOf(grouped.conditions),
    },
    value: { kind: "IsNull", input: columnRef(mark), negated: true, rowwise: false, type: types.bool },
  };
}

/** A subquery that finds its row by a unique key of a stored table. */
function joinUnique(
  project: Project,
  input: LogicalPlan,
  outer: ReadonlySet<number>,
  rules: RuleContext,
): Joined | undefined {
  const pulled = pullUpConditions(project.input, { outer, existence: false, rules });
  if (pulled === undefined || !cannotPlanFail(pulled.plan)) return undefined;
  const inner = idsOf(pulled.plan);
  const found = new Set<number>();
  let marker: Expr | undefined;
  for (const condition of pulled.conditions) {
    const side = splitEquality(condition, inner);
    if (side?.inner.kind !== "Column") continue;
    found.add(side.inner.column.id);
    marker = side.inner;
  }
  if (marker === undefined || !isUniqueBy(pulled.plan, found)) return undefined;
  const [{ expr }] = project.items;
  // A partner has a value in the column it was found by; without one the whole is NULL, whatever the expression gives.
  const value: Expr =
    expr.kind === "Column"
      ? columnRef({ ...expr.column, nullable: true })
      : {
          kind: "Case",
          branches: [
            { when: { kind: "IsNull", input: marker, negated: true, rowwise: false, type: types.bool }, then: expr },
          ],
          otherwise: { kind: "Constant", value: null, type: expr.type, typmod: expr.typmod },
          type: expr.type,
          typmod: expr.typmod,
        };
  return {
    plan: {
      kind: "Join",
      type: "left",
      left: input,
      right: pulled.plan,
      condition: conjunctionOf(pulled.conditions),
    },
    value,
  };
}

/** Whether at most one row of a filtered table has given values in these columns. */
function isUniqueBy(plan: LogicalPlan, columns: ReadonlySet<number>): boolean {
  const fixed = new Set(columns);
  let node = plan;
  while (node.kind === "Filter") {
    for (const conjunct of conjunctsOf(node.condition)) {
      if (conjunct.kind !== "Call" || conjunct.operator !== "=") continue;
      const [a, b] = conjunct.args;
      if (a.kind === "Column" && b.kind === "Constant") fixed.add(a.column.id);
      if (b.kind === "Column" && a.kind === "Constant") fixed.add(b.column.id);
    }
    node = node.input;
  }
  if (node.kind !== "Scan" || node.table.kind !== "stored") return false;
  const { table } = node;
  const names = new Set(
    node.columns.filter((item) => fixed.has(item.column.id)).map((item) => table.columns[item.source].name),
  );
  return [table.primaryKey, ...(table.uniqueKeys ?? [])].some(
    (key) => key.length > 0 && key.every((name) => names.has(name)),
  );
}

/** `JOIN LATERAL (SELECT count(*) … WHERE t.x = left.x) ON true`: one row for each left row, empty group or not. */
export function joinLateralAggregate(plan: Join, rules: RuleContext): LogicalPlan | undefined {
  const { left, right } = plan;
  if (plan.condition !== undefined && !isTrue(plan.condition)) return undefined;
  if (right.kind !== "Project" || right.input.kind !== "Aggregate" || right.input.keys.length > 0) return undefined;
  const outer = idsOf(left);
  if (right.items.some(({ expr }) => holdsSubquery(expr)) || freeColumns(right).size === 0) return undefined;
  const grouped = groupAggregate(right.input, outer, rules);
  if (grouped === undefined) return undefined;
  const items: ProjectItem[] = [
    ...outputOf(left).map((column) => ({ column, expr: columnRef(column) })),
    ...right.items.map(({ column, expr }) => ({ column, expr: substituteColumns(expr, grouped.values) })),
  ];
  return {
    kind: "Project",
    input: { kind: "Join", type: "left", left, right: grouped.plan, condition: grouped.condition },
    items,
  };
}

function isTrue(expr: Expr): boolean {
  return expr.kind === "Constant" && expr.value === true;
}
