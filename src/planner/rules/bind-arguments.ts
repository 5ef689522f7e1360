/**
 * Finds the arguments of every resource scan: the equalities that hold for all rows the statement can use of it.
 *
 * The plan is walked from the top with the *facts* that hold at each node: conjuncts of filters and join conditions that
 * drop every row for which they are not true. A fact on a column of a scan becomes an argument when its other side is
 * known without the scan: constants, a subquery, or columns of a relation that can be read first (a dependent join; for
 * required keys only, since for an optional column reading the table at once is one call and needs no waiting).
 * Nothing is taken out of the plan: every predicate is checked again on the rows that come back.
 *
 * Where facts may travel: an equality is never true for NULL, so a fact above an outer join may restrict either side (a
 * row that loses its partner becomes NULL-extended and fails the fact). A join's own condition restricts only sides
 * whose unmatched rows are not put out. Nothing passes LIMIT or DISTINCT ON, and a window or an aggregate only on the
 * columns it partitions or groups by.
 */
import type { Expr } from "../expr.js";
import { inSubqueries } from "../optimize.js";
import type { ArgumentSet, CteDefinition, Join, LogicalPlan, PushedPredicates, Scan } from "../plan.js";
import { outputOf } from "../plan.js";
import type { RuleContext, WholePlanRule } from "../rule.js";
import {
  columnRef,
  columnsOf,
  conjunctsOf,
  freeColumns,
  mapExpressions,
  mapInputs,
  plansWithin,
  substituteColumns,
} from "../visit.js";
import { type Binding, bindingsIn } from "./equalities.js";

export const bindArguments: WholePlanRule = {
  name: "bind-arguments",
  rewriteWhole: (plan, context) => bindPlan(plan, [], { outer: [], ctes: [], rules: context }),
};

/** A condition that every useful row fulfils, and the plans that its other columns can be read from. */
interface Fact {
  readonly condition: Expr;
  readonly sources: readonly LogicalPlan[];
}

interface Surroundings {
  /** Inputs of the enclosing queries: where correlated columns come from. */
  readonly outer: readonly LogicalPlan[];
  readonly ctes: readonly CteDefinition[];
  readonly rules: RuleContext;
}

function bindPlan(plan: LogicalPlan, facts: readonly Fact[], around: Surroundings): LogicalPlan {
  const node = mapExpressions(plan, (expr) => inSubqueries(expr, (inner) => bindPlan(inner, [], inside(plan, around))));
  switch (node.kind) {
    case "Scan":
      return node.table.kind === "resource" ? bindScan(node, facts, around) : node;
    case "Filter": {
      const own = conjunctsOf(node.condition).map((condition) => ({ condition, sources: around.outer }));
      return mapInputs(node, (input) => bindPlan(input, [...facts, ...own], around));
    }
    case "Project": {
      const items = new Map(node.items.map((item) => [item.column.id, item.expr]));
      return mapInputs(node, (input) =>
        bindPlan(
          input,
          facts.map((fact) => substituted(fact, items)),
          around,
        ),
      );
    }
    case "Aggregate": {
      const keys = new Map(node.keys.map((key) => [key.column.id, key.expr]));
      const hidden = idsOf([...node.aggregates, ...node.groupings].map((item) => item.column));
      const passing = node.keys.length === 0 ? [] : facts.filter((fact) => !mentions(fact.condition, hidden));
      return mapInputs(node, (input) =>
        bindPlan(
          input,
          passing.map((fact) => substituted(fact, keys)),
          around,
        ),
      );
    }
    case "Window": {
      const partition = new Set(node.partitionBy.flatMap((expr) => (expr.kind === "Column" ? [expr.column.id] : [])));
      const own = idsOf(outputOf(node));
      const passing = facts.filter((fact) =>
        [...columnsOf(fact.condition)].every((id) => partition.has(id) || !own.has(id)),
      );
      return mapInputs(node, (input) => bindPlan(input, passing, around));
    }
    case "ProjectSet": {
      const made = idsOf(node.calls.flatMap((call) => call.columns));
      return mapInputs(node, (input) =>
        bindPlan(
          input,
          facts.filter((fact) => !mentions(fact.condition, made)),
          around,
        ),
      );
    }
    case "Sort":
      return mapInputs(node, (input) => bindPlan(input, facts, around));
    case "Distinct":
      return mapInputs(node, (input) => bindPlan(input, node.on === undefined ? facts : [], around));
    case "SetOperation":
      return mapInputs(node, (input) => {
        const columns = new Map(node.columns.map((column, i) => [column.id, columnRef(outputOf(input)[i])] as const));
        return bindPlan(
          input,
          facts.map((fact) => substituted(fact, columns)),
          around,
        );
      });
    case "Join":
      return bindJoin(node, facts, around);
    case "With": {
      const within: Surroundings = { ...around, ctes: [...around.ctes, ...node.ctes] };
      return mapInputs(node, (input) => bindPlan(input, input === node.input ? facts : [], within));
    }
    default:
      return mapInputs(node, (input) => bindPlan(input, [], around));
  }
}

/** What is around a subquery in an expression of `plan`: the rows that it is evaluated for come from the plan's inputs. */
function inside(plan: LogicalPlan, around: Surroundings): Surroundings {
  const inputs: LogicalPlan[] = [];
  mapInputs(plan, (input) => {
    inputs.push(input);
    return input;
  });
  return { ...around, outer: [...inputs, ...around.outer] };
}

function bindJoin(join: Join, facts: readonly Fact[], around: Surroundings): LogicalPlan {
  const own = join.nullAware === true ? [] : conjunctsOf(join.condition);
  const leftDrops = join.type === "inner" || join.type === "right" || join.type === "semi";
  const rightDrops = join.type === "inner" || join.type === "left" || join.type === "semi" || join.type === "anti";
  const factsFor = (other: LogicalPlan, ownApply: boolean): Fact[] => [
    ...facts.map((fact) => ({ condition: fact.condition, sources: [other, ...fact.sources] })),
    ...(ownApply ? own.map((condition) => ({ condition, sources: [other, ...around.outer] })) : []),
  ];
  // The right of a lateral join may take columns of the left, as a subquery takes those of its query.
  const rightAround = join.lateral === true ? { ...around, outer: [join.left, ...around.outer] } : around;
  const left = bindPlan(join.left, factsFor(join.right, leftDrops), around);
  const right = bindPlan(join.right, factsFor(join.left, rightDrops), rightAround);
  return left === join.left && right === join.right ? join : { ...join, left, right };
}

function substituted(fact: Fact, replacement: ReadonlyMap<number, Expr>): Fact {
  return { condition: substituteColumns(fact.condition, replacement), sources: fact.sources };
}

function bindScan(scan: Scan, facts: readonly Fact[], around: Surroundings): LogicalPlan {
  const found: { binding: Binding; sources: readonly LogicalPlan[] }[] = [];
  let never = false;
  for (const fact of facts) {
    for (const binding of bindingsIn(fact.condition, scan)) {
      if (binding.kind === "never") never = true;
      else found.push({ binding, sources: fact.sources });
    }
  }
  const known = found.flatMap(({ binding }) => standaloneSet(binding, around));
  const bound = new Set(known.flatMap((set) => set.sources));
  const dependent = dependentSets(scan, found, bound, around);
  const pushed: PushedPredicates = {
    arguments: [...known, ...dependent],
    quals: [],
    ...(never && { never }),
  };
  return { ...scan, pushed };
}

/** The argument set of a binding that needs no other relation of the same query level. */
function standaloneSet(binding: Binding, around: Surroundings): ArgumentSet[] {
  switch (binding.kind) {
    case "never":
      return [];
    case "list":
      return [{ sources: binding.sources, values: { kind: "list", tuples: binding.tuples } }];
    case "array":
      return [{ sources: [binding.source], values: { kind: "array", array: binding.array } }];
    case "equals":
      if (
        binding.value.kind === "Subquery" &&
        binding.value.subqueryKind === "scalar" &&
        freeColumns(binding.value.plan).size === 0
      )
        return [
          {
            sources: [binding.source],
            values: { kind: "query", plan: withCtes(binding.value.plan, around), origin: "scalar" },
          },
        ];
      return [];
    case "in":
      if (freeColumns(binding.plan).size > 0) return [];
      return [
        { sources: binding.sources, values: { kind: "query", plan: withCtes(binding.plan, around), origin: "in" } },
      ];
  }
}

/** Arguments from columns of other relations, for required keys that nothing simpler binds. Keys from one relation go together, as tuples. */
function dependentSets(
  scan: Scan,
  found: readonly { binding: Binding; sources: readonly LogicalPlan[] }[],
  bound: ReadonlySet<number>,
  around: Surroundings,
): ArgumentSet[] {
  const groups = new Map<LogicalPlan, { source: number; value: Expr }[]>();
  const taken = new Set(bound);
  for (const { binding, sources } of found) {
    if (binding.kind !== "equals" || taken.has(binding.source)) continue;
    const column = scan.table.columns[binding.source];
    if (column.requiredKey !== true && column.argument !== true) continue;
    const ids = columnsOf(binding.value);
    if (ids.size === 0) continue;
    const source = smallestSource(sources, ids);
    if (source === undefined) continue;
    taken.add(binding.source);
    const group = groups.get(source);
    const item = { source: binding.source, value: binding.value };
    if (group === undefined) groups.set(source, [item]);
    else group.push(item);
  }
  return [...groups].map(([source, items]) => ({
    sources: items.map((item) => item.source),
    values: { kind: "query", plan: withCtes(distinctValues(source, items, around), around), origin: "join" },
  }));
}

function distinctValues(
  source: LogicalPlan,
  items: readonly { source: number; value: Expr }[],
  around: Surroundings,
): LogicalPlan {
  return {
    kind: "Distinct",
    input: {
      kind: "Project",
      input: source,
      items: items.map(({ value }, i) => ({
        column: {
          id: around.rules.newColumnId(),
          name: `key${i + 1}`,
          type: value.type,
          typmod: value.typmod ?? -1,
          nullable: true,
        },
        expr: value,
      })),
    },
  };
}

/**
 * The smallest piece of the given plans that puts out all the columns and can run on its own. A larger piece would give
 * fewer keys where its joins drop rows; a smaller one waits for fewer relations. Rows too many are only fetched, not
 * answered, since the join itself is still carried out.
 */
function smallestSource(plans: readonly LogicalPlan[], ids: ReadonlySet<number>): LogicalPlan | undefined {
  for (const plan of plans) {
    if (!putsOut(plan, ids)) continue;
    const piece = descend(plan, ids);
    if (freeColumns(piece).size === 0) return piece;
  }
  return undefined;
}

function descend(plan: LogicalPlan, ids: ReadonlySet<number>): LogicalPlan {
  if (plan.kind === "Join") {
    if (putsOut(plan.left, ids)) return descend(plan.left, ids);
    if (putsOut(plan.right, ids)) return descend(plan.right, ids);
    return plan;
  }
  if (plan.kind === "Filter") {
    const below = descend(plan.input, ids);
    return below === plan.input ? plan : below;
  }
  if (plan.kind === "Sort") return descend(plan.input, ids);
  return plan;
}

function putsOut(plan: LogicalPlan, ids: ReadonlySet<number>): boolean {
  const own = idsOf(outputOf(plan));
  for (const id of ids) if (!own.has(id)) return false;
  return true;
}

/** The plan with the CTEs that it reads, so that it can run on its own. */
function withCtes(plan: LogicalPlan, around: Surroundings): LogicalPlan {
  const needed = new Set<number>();
  collectCtes(plan, around.ctes, needed);
  if (needed.size === 0) return plan;
  return { kind: "With", ctes: around.ctes.filter((cte) => needed.has(cte.id)), input: plan };
}

function collectCtes(plan: LogicalPlan, ctes: readonly CteDefinition[], needed: Set<number>): void {
  for (const node of plansWithin(plan)) {
    if (node.kind !== "CteScan" || needed.has(node.cte)) continue;
    const cte = ctes.find((candidate) => candidate.id === node.cte);
    if (cte === undefined) continue;
    needed.add(cte.id);
    collectCtes(cte.plan, ctes, needed);
    if (cte.recursive !== undefined) collectCtes(cte.recursive.term, ctes, needed);
  }
}

function idsOf(columns: readonly { readonly id: number }[]): Set<number> {
  return new Set(columns.map((column) => column.id));
}

function mentions(condition: Expr, ids: ReadonlySet<number>): boolean {
  for (const id of columnsOf(condition)) if (ids.has(id)) return true;
  return false;
}
