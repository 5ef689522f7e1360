/** Puts something else in the place of values that a rule redacts: `[redacted]` for texts, NULL for all other types. */
import type { Column, Expr } from "../../planner/expr.js";
import type { WrittenValue } from "../../planner/lineage.js";
import { type BoundQuery, type LogicalPlan, type Merge, outputOf, type Write } from "../../planner/plan.js";
import { columnRef, mapBranches } from "../../planner/visit.js";
import type { SqlType } from "../../types/type.js";
import { redactedText } from "../redacted.js";

/** The constant that stands for a value of the type. */
function standIn(type: SqlType, typmod: number): Expr {
  const isText = type.category === "S" && type.name !== "char" && type.name !== "name" && typmod < 0;
  return { kind: "Constant", type, typmod, value: isText ? redactedText : null };
}

/** The query with some of its result columns redacted; what they were made of is not computed any more. */
export function redactColumns(query: BoundQuery, redacted: ReadonlySet<number>, newId: () => number): BoundQuery {
  if (redacted.size === 0) return query;
  const ids = new Set([...redacted].map((i) => query.output[i].id));
  const write = redactReturning(query.plan, ids);
  if (write !== undefined) return { ...query, plan: write };
  const items = query.output.map((column, i) => {
    const { labels: _, origin: __, ...plain } = column;
    const own: Column = { ...plain, id: newId(), nullable: column.nullable || redacted.has(i) };
    return { column: own, expr: redacted.has(i) ? standIn(column.type, column.typmod) : columnRef(column) };
  });
  const plan: LogicalPlan = { kind: "Project", input: query.plan, items };
  return { ...query, plan, output: items.map(({ column }) => column) };
}

/** A write puts out what RETURNING says; `undefined` for a plan that is none. */
function redactReturning(plan: LogicalPlan, ids: ReadonlySet<number>): LogicalPlan | undefined {
  if (plan.kind === "With") {
    const input = redactReturning(plan.input, ids);
    return input && { ...plan, input };
  }
  if (plan.kind !== "Write") return undefined;
  const returning = plan.returning?.map((item) =>
    ids.has(item.column.id) ? { ...item, expr: standIn(item.column.type, item.column.typmod) } : item,
  );
  return { ...plan, ...(returning !== undefined && { returning }) };
}

/** The plan with some of the values that it writes redacted. */
export function redactWrites(plan: LogicalPlan, redacted: ReadonlySet<WrittenValue>, newId: () => number): LogicalPlan {
  if (redacted.size === 0) return plan;
  const byNode = new Map<LogicalPlan, WrittenValue[]>();
  for (const value of redacted) byNode.set(value.node, [...(byNode.get(value.node) ?? []), value]);
  const change = (node: LogicalPlan): LogicalPlan => {
    const values = byNode.get(node);
    const inside = mapBranches(node, change);
    return values === undefined ? inside : redactNode(inside as Write | Merge, values, newId);
  };
  return change(plan);
}

function redactNode(node: Write | Merge, values: readonly WrittenValue[], newId: () => number): LogicalPlan {
  const standInFor = ({ table, source }: WrittenValue) =>
    standIn(table.columns[source].type, table.columns[source].typmod);
  if (node.kind === "Merge") {
    const actions = node.actions.map((action, a) => ({
      ...action,
      values: action.values.map((expr, i) => {
        const value = values.find(({ place }) => place.kind === "action" && place.action === a && place.index === i);
        return value === undefined ? expr : standInFor(value);
      }),
    }));
    return { ...node, actions };
  }
  const at = (kind: "input" | "default" | "assignment" | "conflict", index: number) =>
    values.find(({ place }) => place.kind === kind && place.index === index);
  const replaced = (kind: "assignment" | "conflict", exprs: readonly Expr[] | undefined) =>
    exprs?.map((expr, i) => {
      const value = at(kind, i);
      return value === undefined ? expr : standInFor(value);
    });
  const assignments = replaced("assignment", node.assignments);
  const conflict = replaced("conflict", node.onConflict?.assignments);
  const isInput = values.some(({ place }) => place.kind === "input");
  const items = outputOf(node.input).map((column, i) => {
    const value = node.op === "insert" ? at("input", i) : undefined;
    return {
      column: { ...column, id: newId(), nullable: true },
      expr: value === undefined ? columnRef(column) : standInFor(value),
    };
  });
  return {
    ...node,
    ...(isInput && { input: { kind: "Project", input: node.input, items } }),
    ...(assignments !== undefined && { assignments }),
    ...(node.onConflict !== undefined &&
      conflict !== undefined && { onConflict: { ...node.onConflict, assignments: conflict } }),
  };
}
