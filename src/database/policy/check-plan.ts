/**
 * Holds a bound plan against the rules: which verbs it uses on which tables, and which functions it calls. A table is read
 * when a scan of it gives rows to the statement; the table that an UPDATE or DELETE goes through is read when a column of it
 * is mentioned, as PostgreSQL asks for the SELECT privilege.
 */
import type { Table, Verb } from "../../catalog/table.js";
import type { AnyFunction } from "../../functions/function.js";
import type { Expr } from "../../planner/expr.js";
import type { LogicalPlan, Merge, Scan, Write } from "../../planner/plan.js";
import { isRowFilter } from "../../planner/row-filter.js";
import { columnsOf, expressionsOf, operandsOf, plansWithin } from "../../planner/visit.js";
import { denied, otherTables } from "./refusals.js";
import type { Rules } from "./rules.js";

/** @throws SqlError 42501 for the first use that the rules do not allow */
export function checkPlan(plan: LogicalPlan, rules: Rules): void {
  for (const { table, verb, position } of usesOf(plan)) {
    const decision = rules.refusesVerb(table, verb);
    if (decision === undefined) continue;
    const allowed = table.verbs.filter((other) => rules.refusesVerb(table, other) === undefined);
    const hint =
      allowed.length === 0
        ? otherTables
        : `On "${table.name}" you may use: ${allowed.map((item) => item.toUpperCase()).join(", ")}.`;
    throw denied(`table ${table.name}`, decision, hint, position);
  }
  if (rules.refusesFunctions) checkFunctions(plan, rules);
}

interface Use {
  readonly table: Table;
  readonly verb: Verb;
  readonly position?: number;
}

/** What a plan does with tables, in the order of its nodes. */
function usesOf(plan: LogicalPlan): Use[] {
  const nodes = plansWithin(plan);
  const targets = new Set<number>();
  for (const node of nodes) {
    if (node.kind === "Merge") targets.add(node.targetScan);
    else if (node.kind === "Write" && node.targetScan !== undefined) targets.add(node.targetScan);
  }
  const mentioned = mentionedColumns(nodes);
  const reads = (columns: readonly { readonly id: number }[]) => columns.some(({ id }) => mentioned.has(id));
  return nodes.flatMap((node): Use[] => {
    if (node.kind === "Scan") {
      const isRead = !targets.has(node.id) || reads(node.columns.map((item) => item.column));
      return isRead ? [use(node, "select")] : [];
    }
    if (node.kind === "Write") {
      const isRead = node.onConflict !== undefined || reads(node.rowColumns);
      return [
        use(node, node.op),
        ...(node.onConflict?.action === "update" ? [use(node, "update")] : []),
        ...(isRead ? [use(node, "select")] : []),
      ];
    }
    if (node.kind !== "Merge") return [];
    const verbs = node.actions.flatMap(({ action }) => (action === "nothing" ? [] : [action]));
    return [...verbs.map((verb) => use(node, verb)), use(node, "select")];
  });
}

function use({ table, position }: Scan | Write | Merge, verb: Verb): Use {
  return { table, verb, ...(position !== undefined && { position }) };
}

/** Columns that expressions of the statement read; what is only passed on is not, nor what row filters read. */
function mentionedColumns(nodes: readonly LogicalPlan[]): Set<number> {
  const found = new Set<number>();
  const add = (expr: Expr) => {
    for (const id of columnsOf(expr)) found.add(id);
  };
  for (const node of nodes) {
    if (isRowFilter(node)) continue;
    if (node.kind === "Project") {
      for (const { column, expr } of node.items) if (expr.kind !== "Column" || expr.column.id !== column.id) add(expr);
    } else for (const expr of expressionsOf(node)) add(expr);
  }
  return found;
}

function checkFunctions(plan: LogicalPlan, rules: Rules): void {
  const check = (name: string, schema: string, position?: number) => refuseFunction({ name, schema }, position, rules);
  for (const node of plansWithin(plan)) {
    if (isRowFilter(node)) continue;
    if (node.kind === "Aggregate") for (const { call } of node.aggregates) check(call.function.name, "pg_catalog");
    if (node.kind === "Window") for (const { call } of node.calls) check(call.function.name, "pg_catalog");
    if (node.kind === "ProjectSet") for (const call of node.calls) checkEntry(call.function, rules);
    if (node.kind === "FunctionScan")
      for (const call of node.calls) if ("function" in call) checkEntry(call.function, rules);
    for (const expr of expressionsOf(node)) eachCall(expr, (call) => check(call.name, "pg_catalog", call.position));
  }
}

/** Calls of an expression; the plans of subqueries are visited by themselves. Operators are none. */
function eachCall(expr: Expr, visit: (call: Expr & { readonly kind: "Call" }) => void): void {
  if (expr.kind === "Call" && expr.operator === undefined) visit(expr);
  for (const operand of operandsOf(expr)) eachCall(operand, visit);
}

/** @throws SqlError 42501 */
export function checkEntry(entry: AnyFunction, rules: Rules, position?: number): void {
  refuseFunction({ name: entry.name, schema: entry.schema ?? "pg_catalog" }, position, rules);
}

function refuseFunction(fn: { name: string; schema: string }, position: number | undefined, rules: Rules): void {
  const decision = rules.refusesFunction(fn);
  if (decision === undefined) return;
  const shown = fn.schema === "pg_catalog" ? fn.name : `${fn.schema}.${fn.name}`;
  throw denied(`function ${shown}`, decision, "Write the statement without it.", position);
}
