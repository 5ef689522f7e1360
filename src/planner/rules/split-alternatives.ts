/**
 * Reads a table twice where an OR binds one column of a group of key alternatives in one branch and another in the next:
 * `tag = 'a' OR digest = 'b'` of a tool that needs a tag or a digest. No call can be asked for both, so that the OR becomes
 * a UNION ALL: the rows with the tag, and those with the digest of which it is not true that they have the tag. Each row
 * that fulfils the OR is in exactly one of them.
 *
 * Only where no other condition at the scan binds a column of the group: then one call is enough, and the OR is checked on
 * its rows. Not in statements that write: they change the rows of one scan.
 */
import { types } from "../../types/type.js";
import type { Expr, Or } from "../expr.js";
import type { Filter, LogicalPlan, Scan } from "../plan.js";
import type { RuleContext, WholePlanRule } from "../rule.js";
import {
  columnRef,
  columnsOf,
  conjunctionOf,
  conjunctsOf,
  holdsSubquery,
  isVolatile,
  isWrite,
  mapBranches,
  mapSubplans,
  somePlan,
  substituteColumns,
} from "../visit.js";
import { alternativesOf } from "./alternatives.js";
import { bindingsIn } from "./equalities.js";

export const splitAlternatives: WholePlanRule = {
  name: "split-alternatives",
  rewriteWhole: (plan, context) => (somePlan(plan, isWrite) ? plan : splitIn(plan, context)),
};

function splitIn(plan: LogicalPlan, context: RuleContext): LogicalPlan {
  const inside = mapSubplans(plan, (inner) => splitIn(inner, context));
  if (inside.kind === "Filter" && inside.input.kind === "Scan") return split(inside, inside.input, context) ?? inside;
  return mapBranches(inside, (input) => splitIn(input, context));
}

/** The filter with its scan made several; `undefined` where one will do. */
function split(filter: Filter, scan: Scan, context: RuleContext): LogicalPlan | undefined {
  const conditions = conjunctsOf(filter.condition);
  for (const group of alternativesOf(scan.table)) {
    if (conditions.some((condition) => boundOf(condition, scan, group) !== undefined)) continue;
    for (const condition of conditions) {
      const parts = partsOf(condition, scan, group);
      if (parts === undefined) continue;
      const rest = conjunctionOf(conditions.filter((other) => other !== condition));
      const union = unionOf(scan, parts, context);
      return rest === undefined ? union : { kind: "Filter", input: union, condition: rest };
    }
  }
  return undefined;
}

/** The column of the group that a condition binds. */
function boundOf(condition: Expr, scan: Scan, group: readonly number[]): number | undefined {
  const bound = new Set<number>();
  for (const binding of bindingsIn(condition, scan)) {
    if (binding.kind === "never") continue;
    for (const source of "sources" in binding ? binding.sources : [binding.source]) bound.add(source);
  }
  return group.find((source) => bound.has(source));
}

/** The branches of an OR by the column that they bind, when each binds one, by values that need no other relation. */
function partsOf(condition: Expr, scan: Scan, group: readonly number[]): readonly Expr[] | undefined {
  if (condition.kind !== "Or" || holdsSubquery(condition) || isVolatile(condition)) return undefined;
  const own = new Set(scan.columns.map(({ column }) => column.id));
  if ([...columnsOf(condition)].some((id) => !own.has(id))) return undefined;
  const parts = new Map<number, Expr[]>();
  for (const branch of condition.args) {
    const source = boundOf(branch, scan, group);
    if (source === undefined) return undefined;
    const part = parts.get(source);
    if (part === undefined) parts.set(source, [branch]);
    else part.push(branch);
  }
  return [...parts.values()].map((branches) => (branches.length === 1 ? branches[0] : orOf(condition, branches)));
}

function orOf({ type }: Or, args: readonly Expr[]): Or {
  return { kind: "Or", type, args };
}

/** UNION ALL of a scan for each part, without the rows of the parts before it. */
function unionOf(scan: Scan, parts: readonly Expr[], context: RuleContext): LogicalPlan {
  const branches = parts.map((part, i): LogicalPlan => {
    const columns = scan.columns.map(({ column, source }) => ({
      column: { ...column, id: context.newColumnId() },
      source,
    }));
    const own = new Map(scan.columns.map(({ column }, at) => [column.id, columnRef(columns[at].column)] as const));
    const before = parts
      .slice(0, i)
      .map((input): Expr => ({ kind: "BooleanTest", type: types.bool, input, test: "true", negated: true }));
    const condition = conjunctionOf([part, ...before].map((expr) => substituteColumns(expr, own))) as Expr;
    return { kind: "Filter", input: { ...scan, id: context.newColumnId(), columns }, condition };
  });
  const columns = scan.columns.map(({ column }) => column);
  return branches.reduce((left, right, i) => ({
    kind: "SetOperation",
    operator: "union",
    all: true,
    left,
    right,
    columns: i === branches.length - 1 ? columns : columns.map((column) => ({ ...column, id: context.newColumnId() })),
  }));
}
