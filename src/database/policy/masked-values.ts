/**
 * Masked values in writes. What a statement reads of a masked column is the mask; written somewhere, the mask would take the
 * place of a real value without a word. So no value that is made of a masked one may be written (42501).
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type { Column, Expr } from "../../planner/expr.js";
import { type LogicalPlan, type Merge, outputOf, type Write } from "../../planner/plan.js";
import { columnRef, columnsOf, eachSubquery, plansWithin, substituteColumns } from "../../planner/visit.js";
import { maskedExpr } from "./masks.js";
import type { TableView } from "./table-view.js";

type ViewOf = (table: Write["table"]) => TableView | undefined;

/** @throws SqlError 42501 for the first value of a write that is made of a masked one */
export function refuseMaskedValues(plan: LogicalPlan, viewOf: ViewOf): void {
  const nodes = plansWithin(plan);
  const writes = nodes.filter((node): node is Write | Merge => node.kind === "Write" || node.kind === "Merge");
  if (writes.length === 0) return;
  const masked = maskedColumns(nodes, viewOf);
  if (masked.size === 0) return;
  for (const node of writes) {
    const from = writtenExprs(node)
      .map((expr) => originIn(expr, masked))
      .find((origin) => origin !== undefined);
    if (from === undefined) continue;
    throw new SqlError(sqlstate.insufficientPrivilege, `column "${from}" is masked and can't be written`, {
      ...(node.position !== undefined && { position: node.position }),
      detail: `What is read of it is the mask; table "${node.table.name}" would get that for a value.`,
      hint: "Leave the column out of the values that are written.",
    });
  }
}

/** The values that a write gives to columns. */
function writtenExprs(node: Write | Merge): readonly Expr[] {
  if (node.kind === "Merge") return node.actions.flatMap(({ values }) => values);
  const inserted = node.op === "insert" ? outputOf(node.input).map((column) => columnRef(column)) : [];
  return [...inserted, ...(node.assignments ?? []), ...(node.onConflict?.assignments ?? [])];
}

/** Ids of columns that hold masked values, or what is made of them, each with the name of the masked column. */
function maskedColumns(nodes: readonly LogicalPlan[], viewOf: ViewOf): Map<number, string> {
  const masked = new Map<number, string>();
  const addTable = (
    node: { readonly table: Write["table"] },
    columns: readonly Column[],
    sources: readonly number[],
  ) => {
    const masks = viewOf(node.table)?.masks;
    if (masks === undefined) return;
    columns.forEach((column, i) => {
      if (masks.has(sources[i])) masked.set(column.id, node.table.columns[sources[i]].name);
    });
  };
  for (const node of nodes) {
    if (node.kind === "Scan")
      addTable(
        node,
        node.columns.map((item) => item.column),
        node.columns.map((item) => item.source),
      );
    if (node.kind === "Write")
      addTable(
        node,
        node.rowColumns,
        node.rowColumns.map((_, source) => source),
      );
  }
  // Inputs come before their parents, but a CTE may be read before it is met, and a recursive one reads itself.
  for (let before = -1; before !== masked.size; ) {
    before = masked.size;
    for (const node of nodes) spread(node, nodes, masked);
  }
  return masked;
}

function spread(node: LogicalPlan, nodes: readonly LogicalPlan[], masked: Map<number, string>): void {
  const pass = (column: Column, origin: string | undefined) => {
    if (origin !== undefined && !masked.has(column.id)) masked.set(column.id, origin);
  };
  const made = (column: Column, exprs: readonly Expr[]) => {
    for (const expr of exprs) pass(column, originIn(expr, masked));
  };
  const byPosition = (columns: readonly Column[], input: LogicalPlan) => {
    const output = outputOf(input);
    columns.forEach((column, i) => {
      pass(column, output[i] === undefined ? undefined : masked.get(output[i].id));
    });
  };
  switch (node.kind) {
    case "Values":
      for (const row of node.rows)
        row.forEach((expr, i) => {
          made(node.columns[i], [expr]);
        });
      return;
    case "Project":
      for (const { column, expr } of node.items) made(column, [expr]);
      return;
    case "Write":
      for (const { column, expr } of node.returning ?? []) made(column, [expr]);
      return;
    case "FunctionScan":
      for (const call of node.calls)
        for (const column of call.columns) made(column, "scalar" in call ? [call.scalar] : call.args);
      return;
    case "ProjectSet":
      for (const call of node.calls) for (const column of call.columns) made(column, call.args);
      return;
    case "Aggregate":
      for (const { column, expr } of node.keys) made(column, [expr]);
      for (const { column, call } of node.aggregates) made(column, [...call.args, ...(call.directArgs ?? [])]);
      return;
    case "Window":
      for (const { column, call } of node.calls) made(column, call.args);
      return;
    case "SetOperation":
      byPosition(node.columns, node.left);
      byPosition(node.columns, node.right);
      return;
    case "With":
      for (const cte of node.ctes)
        for (const scan of nodes) {
          if (scan.kind !== "CteScan" || scan.cte !== cte.id) continue;
          byPosition(scan.columns, cte.plan);
          if (cte.recursive !== undefined) byPosition(scan.columns, cte.recursive.term);
        }
      return;
    default:
  }
}

/** The masked column that an expression is made of. */
function originIn(expr: Expr, masked: ReadonlyMap<number, string>): string | undefined {
  for (const id of columnsOf(expr)) {
    const origin = masked.get(id);
    if (origin !== undefined) return origin;
  }
  let found: string | undefined;
  eachSubquery(expr, ({ plan, subqueryKind }) => {
    if (subqueryKind === "exists") return;
    for (const column of outputOf(plan)) found ??= masked.get(column.id);
  });
  return found;
}

/** A write whose RETURNING and ON CONFLICT see the masks in place of the row's values. */
export function withMaskedRow(node: Write, view: TableView): Write {
  const { rowColumns, returning, onConflict } = node;
  const shown = new Map<number, Expr>();
  for (const [source, mask] of view.masks)
    shown.set(rowColumns[source].id, maskedExpr(mask, columnRef(rowColumns[source])));
  return {
    ...node,
    ...(returning && {
      returning: returning.map(({ column, expr }) => ({ column, expr: substituteColumns(expr, shown) })),
    }),
    ...(onConflict && {
      onConflict: {
        ...onConflict,
        ...(onConflict.where && { where: substituteColumns(onConflict.where, shown) }),
      },
    }),
  };
}
