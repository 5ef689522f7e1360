/**
 * Leaves out groups that are too small: a HAVING over the number of different rows of a table that each aggregate counts.
 * Different rows, by primary key, since a join can give one row many times; and each only once, since a row that counts a
 * thousand times beside others that count once is as good as alone.
 */

import type { AggregateFunction } from "../../functions/function.js";
import { functionsNamed, operatorsNamed } from "../../functions/registry.js";
import { callWith } from "../../planner/bind/operators.js";
import type { AggregateCall, Column, Expr } from "../../planner/expr.js";
import type { Aggregate, LogicalPlan, Scan } from "../../planner/plan.js";
import { outputOf } from "../../planner/plan.js";
import { columnRef, conjunctionOf, mapBranches, mapSubplans } from "../../planner/visit.js";
import { resolveOperator } from "../../types/resolution.js";
import { recordType, type SqlType, types } from "../../types/type.js";
import type { GroupBound } from "./check.js";
import { refusedFlow } from "./refusals.js";

/** @throws SqlError 42501 for a group whose rows can't be counted */
export function boundGroups(plan: LogicalPlan, bounds: readonly GroupBound[], newId: () => number): LogicalPlan {
  if (bounds.length === 0) return plan;
  const byNode = new Map<Aggregate, GroupBound[]>();
  for (const bound of bounds) byNode.set(bound.aggregate, [...(byNode.get(bound.aggregate) ?? []), bound]);
  const change = (node: LogicalPlan): LogicalPlan => {
    const found = node.kind === "Aggregate" ? byNode.get(node) : undefined;
    const inside = mapSubplans(mapBranches(node, change), change);
    // The condition of HAVING stays one filter: what reads the levels of a query knows it by its place.
    if (inside.kind === "Filter" && node.kind === "Filter" && byNode.has(node.input as Aggregate)) {
      const { input } = inside;
      if (input.kind === "Filter")
        return { ...input, condition: conjunctionOf([input.condition, inside.condition]) as Expr };
    }
    return found === undefined ? inside : bounded(inside as Aggregate, found, newId);
  };
  return change(plan);
}

function bounded(plan: Aggregate, bounds: readonly GroupBound[], newId: () => number): LogicalPlan {
  let { input } = plan;
  const added: { column: Column; call: AggregateCall }[] = [];
  const conditions: Expr[] = [];
  const scans = new Map<number, GroupBound>();
  for (const bound of bounds) {
    const known = scans.get(bound.scan);
    if (known === undefined || known.minGroup < bound.minGroup) scans.set(bound.scan, bound);
  }
  for (const { scan, minGroup, offence } of scans.values()) {
    const found = withKey(input, scan);
    if (found === undefined) {
      throw refusedFlow({
        ...offence,
        reason:
          "The rows behind the aggregate can't be counted: the table needs a primary key, and the aggregate has to stand directly over it.",
      });
    }
    input = found.plan;
    for (const { call } of plan.aggregates) {
      const filter = countedRows(call);
      const counts = [true, false].map((distinct) => {
        const column: Column = { id: newId(), name: "rows", type: types.int8, typmod: -1, nullable: false };
        added.push({ column, call: countOf(found.key, distinct, filter) });
        return columnRef(column);
      });
      const least: Expr = { kind: "Constant", value: minGroup, type: types.int8 };
      conditions.push(compare(">=", counts[0], least), compare("=", counts[0], counts[1]));
    }
  }
  const grouped: Aggregate = { ...plan, input, aggregates: [...plan.aggregates, ...added] };
  return { kind: "Filter", input: grouped, condition: conjunctionOf(conditions) as Expr };
}

/** The condition under which an aggregate takes a row in. */
function countedRows({ args, filter }: AggregateCall): Expr | undefined {
  const present = args
    .filter((arg) => arg.kind !== "Constant")
    .map((input): Expr => ({ kind: "IsNull", input, negated: true, rowwise: false, type: types.bool }));
  return conjunctionOf([...present, ...(filter === undefined ? [] : [filter])]);
}

function countOf(key: readonly Column[], distinct: boolean, filter: Expr | undefined): AggregateCall {
  const refs = key.map((column) => columnRef(column));
  const present: Expr = { kind: "IsNull", input: refs[0], negated: true, rowwise: false, type: types.bool };
  const arg: Expr = refs.length === 1 ? refs[0] : { kind: "Row", items: refs, type: recordOf(refs) };
  const entry = functionsNamed("count").find(
    (candidate): candidate is AggregateFunction => candidate.kind === "aggregate" && candidate.args.length === 1,
  );
  if (entry === undefined) throw new Error("there is no count");
  return {
    function: entry,
    args: [arg],
    argTypes: [arg.type],
    type: types.int8,
    distinct,
    orderBy: [],
    filter: conjunctionOf([present, ...(filter === undefined ? [] : [filter])]) as Expr,
  };
}

function recordOf(items: readonly Expr[]): SqlType {
  return recordType(items.map((item, i) => ({ name: `f${i + 1}`, type: item.type })));
}

function compare(symbol: string, left: Expr, right: Expr): Expr {
  const chosen = resolveOperator(left.type, right.type, operatorsNamed(symbol));
  if (chosen.kind !== "match") throw new Error(`there is no ${symbol} of counts`);
  return callWith(chosen, [left, right], 1);
}

/** The plan with the primary key of a scan's table among its columns; `undefined` where it can't be had. */
function withKey(plan: LogicalPlan, scan: number): { plan: LogicalPlan; key: readonly Column[] } | undefined {
  switch (plan.kind) {
    case "Scan":
      return plan.id === scan ? keyOfScan(plan) : undefined;
    case "Filter":
    case "Sort":
    case "Limit":
    case "Window":
    case "ProjectSet": {
      const found = withKey(plan.input, scan);
      return found && { plan: { ...plan, input: found.plan }, key: found.key };
    }
    case "Project": {
      const found = withKey(plan.input, scan);
      if (found === undefined) return undefined;
      const shown = new Set(plan.items.map(({ column }) => column.id));
      const added = found.key.filter((column) => !shown.has(column.id));
      const items = [...plan.items, ...added.map((column) => ({ column, expr: columnRef(column) }))];
      return { plan: { ...plan, input: found.plan, items }, key: found.key };
    }
    case "Join": {
      const left = withKey(plan.left, scan);
      if (left !== undefined) return { plan: { ...plan, left: left.plan }, key: left.key };
      if (plan.type === "semi" || plan.type === "anti") return undefined;
      const right = withKey(plan.right, scan);
      return right && { plan: { ...plan, right: right.plan }, key: right.key };
    }
    default:
      return undefined;
  }
}

function keyOfScan(scan: Scan): { plan: LogicalPlan; key: readonly Column[] } | undefined {
  const { primaryKey, columns } = scan.table;
  if (primaryKey.length === 0) return undefined;
  const key = primaryKey.map((name) => {
    const source = columns.findIndex((column) => column.name === name);
    return scan.columns.find((item) => item.source === source)?.column;
  });
  return key.every((column) => column !== undefined) ? { plan: scan, key: key as readonly Column[] } : undefined;
}

/** A supply of column ids that no node of the plan uses. */
export function idsAfter(plan: LogicalPlan, nodes: (plan: LogicalPlan) => readonly LogicalPlan[]): () => number {
  let last = 0;
  for (const node of nodes(plan)) {
    for (const { id } of outputOf(node)) last = Math.max(last, id);
    if (node.kind === "Write")
      for (const { id } of [...node.rowColumns, ...(node.onConflict?.excludedColumns ?? [])]) last = Math.max(last, id);
  }
  // Ids of columns that no node puts out (the operand of a simple CASE) stay clear of ours.
  last += 2_000_000;
  return () => ++last;
}
