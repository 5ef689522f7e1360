/**
 * Refuses a condition on a column that is only an argument, where the calls of its table get no value for it. Such a column
 * has no values of its own: rows of a call without one have NULL there, so that `mode <> 'a'` would find nothing, and
 * `query = 'x' OR (query = 'y' AND mode = 'm')` would lose the second half, without a word.
 */
import { isOnlyArgument } from "../catalog/table.js";
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import { quoteName } from "../grammar/deparse/names.js";
import { exampleValue } from "./example-value.js";
import type { Expr } from "./expr.js";
import { type LogicalPlan, outputOf, type Scan } from "./plan.js";
import { columnsOf, expressionsOf, plansWithin, someExpression } from "./visit.js";

/** The column of a scan that a column of the plan is made of. */
interface Origin {
  readonly scan: Scan;
  readonly source: number;
}

/**
 * @param direct scans that are not read
 * @throws SqlError 0A000
 */
export function refuseUnboundArguments(plan: LogicalPlan, direct: ReadonlySet<number>): void {
  const nodes = plansWithin(plan);
  const unbound = new Map<number, Origin>();
  for (const node of nodes) {
    if (node.kind !== "Scan" || direct.has(node.id)) continue;
    for (const [id, source] of unboundColumns(node)) unbound.set(id, { scan: node, source });
  }
  if (unbound.size === 0) return;
  followCopies(nodes, unbound);
  for (const node of nodes) {
    for (const condition of conditionsOf(node)) {
      const id = [...columnsOf(condition)].find((column) => unbound.has(column));
      const origin = id === undefined ? undefined : unbound.get(id);
      if (id !== undefined && origin !== undefined) throw refusal(origin, positionOf(id, condition));
    }
  }
}

/** Column ids and sources of what is only an argument and gets no value, in a scan that carries its own arguments. */
function unboundColumns({ table, columns, pushed }: Scan): [id: number, source: number][] {
  // The same scan stands in argument queries too, without its arguments; the one in the plan has them.
  if (table.kind !== "resource" || pushed === undefined || pushed.never === true) return [];
  const bound = new Set(pushed.arguments.flatMap((set) => set.sources));
  return columns.flatMap(({ column, source }): [number, number][] =>
    isOnlyArgument(table.columns[source]) && !bound.has(source) ? [[column.id, source]] : [],
  );
}

/** Adds the columns that are made of unbound ones: in projections, as keys of groups, in set operations and CTEs. */
function followCopies(nodes: readonly LogicalPlan[], unbound: Map<number, Origin>): void {
  const copies: [from: ReadonlySet<number>, to: number][] = [];
  const add = (expr: Expr, to: number) => {
    const from = columnsOf(expr);
    if (from.size > 0) copies.push([from, to]);
  };
  const outputs = new Map<number, readonly LogicalPlan[]>();
  for (const node of nodes) {
    if (node.kind !== "With") continue;
    for (const { id, plan, recursive } of node.ctes)
      outputs.set(id, recursive === undefined ? [plan] : [plan, recursive.term]);
  }
  for (const node of nodes) {
    if (node.kind === "Project") for (const { expr, column } of node.items) add(expr, column.id);
    if (node.kind === "Aggregate") for (const { expr, column } of node.keys) add(expr, column.id);
    const queries =
      node.kind === "SetOperation"
        ? [node.left, node.right]
        : node.kind === "CteScan"
          ? (outputs.get(node.cte) ?? [])
          : [];
    for (const query of queries) {
      const columns = outputOf(query);
      for (const [i, { id }] of outputOf(node).entries()) copies.push([new Set([columns[i].id]), id]);
    }
  }
  for (let before = -1; before < unbound.size; ) {
    before = unbound.size;
    for (const [from, to] of copies) {
      const id = unbound.has(to) ? undefined : [...from].find((column) => unbound.has(column));
      const origin = id === undefined ? undefined : unbound.get(id);
      if (origin !== undefined) unbound.set(to, origin);
    }
  }
}

/** Conditions that rows are kept or counted by. */
function conditionsOf(node: LogicalPlan): readonly Expr[] {
  switch (node.kind) {
    case "Filter":
      return [node.condition];
    case "Join":
      return expressionsOf(node);
    case "Aggregate":
      return node.aggregates.flatMap(({ call }) => (call.filter === undefined ? [] : [call.filter]));
    default:
      // IN (SELECT …) as a value is a condition of the subquery's rows.
      return expressionsOf(node).flatMap(testsIn);
  }
}

function testsIn(expr: Expr): Expr[] {
  const tests: Expr[] = [];
  someExpression(expr, (part) => {
    if (part.kind === "Subquery" && part.test !== undefined) tests.push(part.test);
    return false;
  });
  return tests;
}

function positionOf(id: number, condition: Expr): number | undefined {
  let position: number | undefined;
  someExpression(condition, (part) => {
    if (part.kind !== "Column" || part.column.id !== id || part.position === undefined) return false;
    position = part.position;
    return true;
  });
  return position;
}

function refusal({ scan, source }: Origin, position: number | undefined): SqlError {
  const column = scan.table.columns[source];
  const name = `${quoteName(scan.alias)}.${quoteName(column.name)}`;
  return new SqlError(
    sqlstate.featureNotSupported,
    `a condition on "${column.name}" of table "${scan.table.name}" can't be checked: it is only an argument, and no value is passed for it`,
    {
      position: position ?? scan.position,
      detail: `The rows of "${scan.table.name}" have no "${column.name}" of their own, only the one that they were asked for with.`,
      hint: `Bind it with = or IN, such as ${name} = ${exampleValue(column)}, in every branch of an OR.`,
    },
  );
}
