/**
 * Carries a value over an equality: a.x = b.y and a.x = 5 give b.y = 5, so that b is asked for less, and at once instead
 * of after a. The same goes for IN (…) and = ANY (…).
 *
 * Only between columns of the very same type, for which `=` is the type's own equality. A condition found this way is put
 * on the side of a join whose other rows can't be in the answer; pushing predicates down takes it on to the scan.
 */
import type { Column, Expr } from "../expr.js";
import type { Join, LogicalPlan, ProjectItem } from "../plan.js";
import type { WholePlanRule } from "../rule.js";
import { columnRef, conjunctsOf, idsOf, mapBranches, mapInputs, mapSubplans, substituteColumns } from "../visit.js";
import { isStandalone } from "./fold-expression.js";
import { filterOf } from "./pull-up-conditions.js";

export const inferEqualities: WholePlanRule = {
  name: "infer-equalities",
  rewriteWhole: (plan) => infer(plan, []),
};

/** What is known of a column in all rows: equal to another one, or limited to values that need no relation. */
type Fact =
  | { readonly kind: "same"; readonly a: Column; readonly b: Column }
  | { readonly kind: "values"; readonly column: Column; readonly condition: Expr };

function factsIn(condition: Expr | undefined): Fact[] {
  return conjunctsOf(condition).flatMap((conjunct): Fact[] => {
    switch (conjunct.kind) {
      case "Call": {
        if (conjunct.operator !== "=" || conjunct.args.length !== 2) return [];
        const [a, b] = conjunct.args;
        if (a.kind === "Column" && b.kind === "Column")
          return a.column.type === b.column.type ? [{ kind: "same", a: a.column, b: b.column }] : [];
        if (a.kind === "Column" && isStandalone(b)) return [{ kind: "values", column: a.column, condition: conjunct }];
        if (b.kind === "Column" && isStandalone(a)) return [{ kind: "values", column: b.column, condition: conjunct }];
        return [];
      }
      case "InList":
        return !conjunct.negated && conjunct.input.kind === "Column" && conjunct.items.every(isStandalone)
          ? [{ kind: "values", column: conjunct.input.column, condition: conjunct }]
          : [];
      case "ArrayComparison":
        return conjunct.quantifier === "any" &&
          conjunct.compare.operator === "=" &&
          conjunct.input.kind === "Column" &&
          isStandalone(conjunct.array)
          ? [{ kind: "values", column: conjunct.input.column, condition: conjunct }]
          : [];
      default:
        return [];
    }
  });
}

const known = new WeakMap<LogicalPlan, readonly Fact[]>();

/** Facts about the columns that a plan puts out. */
function factsOf(plan: LogicalPlan): readonly Fact[] {
  let facts = known.get(plan);
  if (facts === undefined) {
    facts = findFacts(plan);
    known.set(plan, facts);
  }
  return facts;
}

function findFacts(plan: LogicalPlan): readonly Fact[] {
  switch (plan.kind) {
    case "Filter":
      return [...factsOf(plan.input), ...factsIn(plan.condition)];
    case "Join":
      switch (plan.type) {
        case "inner":
          return [...factsOf(plan.left), ...factsOf(plan.right), ...factsIn(plan.condition)];
        case "left":
        case "semi":
        case "anti":
          return factsOf(plan.left);
        case "right":
          return factsOf(plan.right);
        default:
          return [];
      }
    case "Project":
      return renamed(factsOf(plan.input), plan.items);
    case "Aggregate":
      return plan.groupingSets.length === 1 && plan.groupingSets[0].length === plan.keys.length
        ? renamed(factsOf(plan.input), plan.keys)
        : [];
    case "Sort":
    case "Limit":
    case "Distinct":
    case "Window":
      return factsOf(plan.input);
    default:
      return [];
  }
}

/** Facts about input columns as facts about the columns that are plain copies of them. */
function renamed(facts: readonly Fact[], items: readonly ProjectItem[]): Fact[] {
  if (facts.length === 0) return [];
  const copies = new Map<number, Column>();
  for (const { column, expr } of items) if (expr.kind === "Column") copies.set(expr.column.id, column);
  return renameFacts(facts, copies);
}

function renameFacts(facts: readonly Fact[], copies: ReadonlyMap<number, Column>): Fact[] {
  return facts.flatMap((fact): Fact[] => {
    if (fact.kind === "same") {
      const a = copies.get(fact.a.id);
      const b = copies.get(fact.b.id);
      return a === undefined || b === undefined ? [] : [{ kind: "same", a, b }];
    }
    const column = copies.get(fact.column.id);
    return column === undefined ? [] : [valuesOf(fact, column)];
  });
}

/** The condition on another column. */
function valuesOf(fact: Fact & { kind: "values" }, column: Column): Fact & { kind: "values" } {
  const condition = substituteColumns(fact.condition, new Map([[fact.column.id, columnRef(column)]]));
  return { kind: "values", column, condition };
}

/** @param above facts that hold for every row of the plan that counts */
function infer(plan: LogicalPlan, above: readonly Fact[]): LogicalPlan {
  const node = mapSubplans(plan, (inner) => infer(inner, []));
  switch (node.kind) {
    case "Filter":
      return mapInputs(node, (input) => infer(input, [...above, ...factsIn(node.condition)]));
    case "Sort":
      return mapInputs(node, (input) => infer(input, above));
    case "Project": {
      const sources = new Map<number, Column>();
      for (const { column, expr } of node.items) if (expr.kind === "Column") sources.set(column.id, expr.column);
      return mapInputs(node, (input) => infer(input, renameFacts(above, sources)));
    }
    case "Join":
      return inferJoin(node, above);
    default:
      return mapBranches(node, (input) => infer(input, []));
  }
}

function inferJoin(plan: Join, above: readonly Fact[]): LogicalPlan {
  if (plan.type === "full" || plan.nullAware === true) return mapInputs(plan, (input) => infer(input, []));
  const { type } = plan;
  const leftMay = type === "inner" || type === "semi" || type === "right";
  const rightMay = type === "inner" || type === "semi" || type === "left" || type === "anti";
  // Of an outer join, what is known of the side that is kept may limit the other one, not the other way round.
  const leftFacts = type === "right" ? [] : factsOf(plan.left);
  const rightFacts = type === "left" || type === "anti" ? [] : factsOf(plan.right);
  const facts = [...above, ...leftFacts, ...rightFacts, ...factsIn(plan.condition)];
  const found = derive(facts);
  const toLeft = leftMay ? onSide(found, plan.left) : [];
  const toRight = rightMay ? onSide(found, plan.right) : [];
  const left = infer(limited(plan.left, toLeft), leftMay || type === "left" ? [...above, ...toLeft] : above);
  const right = infer(limited(plan.right, toRight), type === "inner" ? [...above, ...toRight] : toRight);
  return left === plan.left && right === plan.right ? plan : { ...plan, left, right };
}

type ValuesFact = Fact & { kind: "values" };

function onSide(found: readonly ValuesFact[], side: LogicalPlan): ValuesFact[] {
  const ids = idsOf(side);
  const limitedAlready = new Set(factsOf(side).flatMap((fact) => (fact.kind === "values" ? [fact.column.id] : [])));
  return found.filter(({ column }) => ids.has(column.id) && !limitedAlready.has(column.id));
}

function limited(plan: LogicalPlan, facts: readonly ValuesFact[]): LogicalPlan {
  return filterOf(
    plan,
    facts.map((fact) => fact.condition),
  );
}

/** The values of one column for all columns equal to it that have none of their own. */
function derive(facts: readonly Fact[]): ValuesFact[] {
  const values = facts.filter((fact) => fact.kind === "values");
  if (values.length === 0) return [];
  const limitedAlready = new Set(values.map((fact) => fact.column.id));
  const found: ValuesFact[] = [];
  let grown = true;
  while (grown) {
    grown = false;
    for (const fact of facts) {
      if (fact.kind !== "same") continue;
      for (const [from, to] of [
        [fact.a, fact.b],
        [fact.b, fact.a],
      ]) {
        if (limitedAlready.has(to.id)) continue;
        const source = [...values, ...found].find((candidate) => candidate.column.id === from.id);
        if (source === undefined) continue;
        found.push(valuesOf(source, to));
        limitedAlready.add(to.id);
        grown = true;
      }
    }
  }
  return found;
}
