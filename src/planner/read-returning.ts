/** Which columns of a RETURNING anybody reads: those of the statement's own write all, those of one in WITH where they are used. */
import type { LogicalPlan, Write } from "./plan.js";
import { outputOf } from "./plan.js";
import { columnsOf, eachSubquery, expressionsOf, isWrite, plansWithin } from "./visit.js";

/** @returns for each write in WITH, the positions of its RETURNING list that are read; other writes are not in it */
export function readReturning(plan: LogicalPlan): ReadonlyMap<Write, ReadonlySet<number>> {
  const nodes = plansWithin(plan);
  const writes = new Map<number, Write>();
  for (const node of nodes) {
    if (node.kind !== "With") continue;
    for (const { id, plan: query } of node.ctes) {
      const write = plansWithin(query).find(isWrite);
      if (write?.kind === "Write") writes.set(id, write);
    }
  }
  if (writes.size === 0) return new Map();
  const mentioned = new Set<number>();
  for (const output of [plan, ...nodes.flatMap(matchedByPosition)]) {
    for (const column of outputOf(output)) mentioned.add(column.id);
  }
  for (const node of nodes) for (const expr of expressionsOf(node)) columnsOf(expr, mentioned);

  const read = new Map([...writes.values()].map((write) => [write, new Set<number>()] as const));
  for (const node of nodes) {
    const write = node.kind === "CteScan" ? writes.get(node.cte) : undefined;
    if (node.kind !== "CteScan" || write === undefined) continue;
    node.columns.forEach((column, position) => {
      if (mentioned.has(column.id)) read.get(write)?.add(position);
    });
  }
  return read;
}

/** Plans all of whose columns count, whether an expression mentions them or not. */
function matchedByPosition(node: LogicalPlan): readonly LogicalPlan[] {
  const found: LogicalPlan[] = [];
  for (const expr of expressionsOf(node)) {
    eachSubquery(expr, (subquery) => {
      if (subquery.subqueryKind !== "exists") found.push(subquery.plan);
    });
  }
  switch (node.kind) {
    case "With":
      for (const { plan, recursive } of node.ctes)
        found.push(plan, ...(recursive === undefined ? [] : [recursive.term]));
      break;
    case "SetOperation":
      found.push(node.left, node.right);
      break;
    case "Distinct":
      found.push(node.input);
      break;
    case "Write":
      if (node.op === "insert") found.push(node.input);
      break;
    default:
  }
  return found;
}
