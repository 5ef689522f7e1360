/**
 * Takes the conditions on outer columns out of a subquery's plan, so that what is left depends on nothing outside and the
 * conditions can stand in a join. `undefined` where that would change what the subquery gives.
 *
 * A condition passes an aggregate, a window or DISTINCT only as an equality with a value from outside: its column becomes
 * one more key, and the rows of one outer row are one group as before.
 */
import type { Call, Column, Expr } from "../expr.js";
import type { Aggregate, Join, LogicalPlan, Project, ProjectItem, Window } from "../plan.js";
import { outputOf } from "../plan.js";
import type { RuleContext } from "../rule.js";
import {
  columnRef,
  columnsOf,
  conjunctionOf,
  conjunctsOf,
  expressionsOf,
  freeColumns,
  holdsSubquery,
  idsOf,
  isVolatile,
  mentions,
} from "../visit.js";

export interface PulledUp {
  readonly plan: LogicalPlan;
  /** Over the plan's output and the outer columns. */
  readonly conditions: readonly Expr[];
}

export interface PullUpOptions {
  /** Ids of the outer columns to be freed of. */
  readonly outer: ReadonlySet<number>;
  /** Only whether there is a row counts, not how many or in which order: EXISTS, IN. */
  readonly existence: boolean;
  readonly rules: RuleContext;
}

export function pullUpConditions(plan: LogicalPlan, options: PullUpOptions): PulledUp | undefined {
  const { outer, existence } = options;
  if (!dependsOn(plan, outer)) return { plan, conditions: [] };
  switch (plan.kind) {
    case "Filter": {
      const below = pullUpConditions(plan.input, options);
      if (below === undefined) return undefined;
      const { stay, up } = split(plan.condition, outer);
      if (!up.every(isMovable)) return undefined;
      return { plan: filterOf(below.plan, stay), conditions: [...below.conditions, ...up] };
    }
    case "Project":
      return pullThroughProject(plan, options);
    case "Join":
      return pullThroughJoin(plan, options);
    case "Aggregate":
      return pullThroughAggregate(plan, options);
    case "Window":
      return pullThroughWindow(plan, options);
    case "Distinct": {
      if (plan.on !== undefined) return undefined;
      const below = pullUpConditions(plan.input, options);
      if (below === undefined || existence) return below;
      const inner = idsOf(below.plan);
      if (!below.conditions.every((condition) => splitEquality(condition, inner) !== undefined)) return undefined;
      return { ...below, plan: { ...plan, input: below.plan } };
    }
    case "Sort": {
      const below = pullUpConditions(plan.input, options);
      if (below === undefined || existence) return below;
      return expressionsOf(plan).some((expr) => mentions(expr, outer))
        ? undefined
        : { ...below, plan: { ...plan, input: below.plan } };
    }
    case "ProjectSet": {
      const below = pullUpConditions(plan.input, options);
      if (below === undefined || expressionsOf(plan).some((expr) => mentions(expr, outer))) return undefined;
      return { ...below, plan: { ...plan, input: below.plan } };
    }
    case "With": {
      const below = pullUpConditions(plan.input, options);
      const fromOutside = plan.ctes.some(
        (cte) => dependsOn(cte.plan, outer) || (cte.recursive !== undefined && dependsOn(cte.recursive.term, outer)),
      );
      return below === undefined || fromOutside ? undefined : { ...below, plan: { ...plan, input: below.plan } };
    }
    default:
      return undefined;
  }
}

function pullThroughProject(plan: Project, options: PullUpOptions): PulledUp | undefined {
  if (plan.items.some((item) => mentions(item.expr, options.outer))) return undefined;
  const below = pullUpConditions(plan.input, options);
  if (below === undefined) return undefined;
  const inner = idsOf(below.plan);
  const needed = new Set<number>();
  for (const condition of below.conditions) for (const id of columnsOf(condition)) if (inner.has(id)) needed.add(id);
  const own = new Set(plan.items.map((item) => item.column.id));
  const passed = outputOf(below.plan)
    .filter((column) => needed.has(column.id) && !own.has(column.id))
    .map((column): ProjectItem => ({ column, expr: columnRef(column) }));
  return {
    plan: { ...plan, input: below.plan, items: [...plan.items, ...passed] },
    conditions: below.conditions,
  };
}

function pullThroughJoin(plan: Join, options: PullUpOptions): PulledUp | undefined {
  const { outer, existence } = options;
  const { stay, up } = split(plan.condition, outer);
  const asInner = plan.type === "inner" || (plan.type === "semi" && existence);
  if (asInner) {
    if (plan.lateral === true && dependsOn(plan.right, idsOf(plan.left))) return undefined;
    const left = pullUpConditions(plan.left, options);
    const right = pullUpConditions(plan.right, options);
    if (left === undefined || right === undefined || !up.every(isMovable)) return undefined;
    const isSemi = plan.type === "semi" && right.conditions.length === 0 && up.length === 0;
    return {
      plan: {
        kind: "Join",
        type: isSemi ? "semi" : "inner",
        left: left.plan,
        right: right.plan,
        ...conditionOf(stay),
      },
      conditions: [...left.conditions, ...right.conditions, ...up],
    };
  }
  if (up.length > 0 || plan.type === "right" || plan.type === "full" || dependsOn(plan.right, outer)) return undefined;
  const left = pullUpConditions(plan.left, options);
  return left === undefined ? undefined : { ...left, plan: { ...plan, left: left.plan } };
}

function conditionOf(conditions: readonly Expr[]): { condition?: Expr } {
  const condition = conjunctionOf(conditions);
  return condition === undefined ? {} : { condition };
}

function pullThroughAggregate(plan: Aggregate, options: PullUpOptions): PulledUp | undefined {
  const { outer } = options;
  // Without keys there is a row even for no input at all: that is for whoever knows what an empty group gives.
  if (plan.keys.length === 0 || plan.groupingSets.length !== 1) return undefined;
  if (expressionsOf(plan).some((expr) => mentions(expr, outer))) return undefined;
  const below = pullUpConditions(plan.input, { ...options, existence: false });
  if (below === undefined) return undefined;
  const grouped = groupedBy(below, options.rules);
  if (grouped === undefined) return undefined;
  const keys = [...plan.keys, ...grouped.keys];
  return {
    plan: { ...plan, input: below.plan, keys, groupingSets: [keys.map((_, i) => i)] },
    conditions: grouped.conditions,
  };
}

function pullThroughWindow(plan: Window, options: PullUpOptions): PulledUp | undefined {
  if (expressionsOf(plan).some((expr) => mentions(expr, options.outer))) return undefined;
  const below = pullUpConditions(plan.input, { ...options, existence: false });
  if (below === undefined) return undefined;
  const inner = idsOf(below.plan);
  const sides = below.conditions.map((condition) => splitEquality(condition, inner));
  if (sides.some((side) => side === undefined)) return undefined;
  const partitionBy = [...plan.partitionBy, ...sides.flatMap((side) => (side === undefined ? [] : [side.inner]))];
  return { plan: { ...plan, input: below.plan, partitionBy }, conditions: below.conditions };
}

/** The inner sides of equality conditions as keys to group by, and the conditions over these keys. */
export function groupedBy(
  { plan, conditions }: PulledUp,
  rules: RuleContext,
): { readonly keys: readonly ProjectItem[]; readonly conditions: readonly Expr[] } | undefined {
  const inner = idsOf(plan);
  const keys: ProjectItem[] = [];
  const over: Expr[] = [];
  for (const condition of conditions) {
    const side = splitEquality(condition, inner);
    if (side === undefined) return undefined;
    const column = keyColumn(side.inner, keys.length, rules);
    keys.push({ column, expr: side.inner });
    over.push({
      ...side.call,
      args: side.innerFirst ? [columnRef(column), side.outer] : [side.outer, columnRef(column)],
    });
  }
  return { keys, conditions: over };
}

function keyColumn(expr: Expr, index: number, rules: RuleContext): Column {
  const column = expr.kind === "Column" ? expr.column : undefined;
  return {
    id: rules.newColumnId(),
    name: column?.name ?? `key${index + 1}`,
    type: expr.type,
    typmod: expr.typmod ?? -1,
    nullable: true,
    ...(column?.origin !== undefined && { origin: column.origin }),
  };
}

export interface EqualitySides {
  readonly call: Call;
  readonly inner: Expr;
  readonly outer: Expr;
  readonly innerFirst: boolean;
}

const integers = new Set(["int2", "int4", "int8"]);

/** `inner = outer` with inner columns on one side only, of types for which at most one group of inner values is equal to an outer one. */
export function splitEquality(condition: Expr, inner: ReadonlySet<number>): EqualitySides | undefined {
  if (condition.kind !== "Call" || condition.operator !== "=" || condition.args.length !== 2) return undefined;
  const [a, b] = condition.args;
  if (a.type !== b.type && !(integers.has(a.type.name) && integers.has(b.type.name))) return undefined;
  if (isWithin(a, inner) && !mentions(b, inner)) return { call: condition, inner: a, outer: b, innerFirst: true };
  if (isWithin(b, inner) && !mentions(a, inner)) return { call: condition, inner: b, outer: a, innerFirst: false };
  return undefined;
}

function isWithin(expr: Expr, ids: ReadonlySet<number>): boolean {
  const columns = columnsOf(expr);
  if (columns.size === 0) return false;
  for (const id of columns) if (!ids.has(id)) return false;
  return true;
}

function split(condition: Expr | undefined, outer: ReadonlySet<number>): { stay: Expr[]; up: Expr[] } {
  const stay: Expr[] = [];
  const up: Expr[] = [];
  for (const conjunct of conjunctsOf(condition)) (mentions(conjunct, outer) ? up : stay).push(conjunct);
  return { stay, up };
}

function isMovable(condition: Expr): boolean {
  return !isVolatile(condition) && !holdsSubquery(condition);
}

/** Whether a plan mentions one of the columns from outside. */
export function dependsOn(plan: LogicalPlan, outer: ReadonlySet<number>): boolean {
  for (const id of freeColumns(plan)) if (outer.has(id)) return true;
  return false;
}

export function filterOf(input: LogicalPlan, conditions: readonly Expr[]): LogicalPlan {
  const condition = conjunctionOf(conditions);
  return condition === undefined ? input : { kind: "Filter", input, condition };
}
