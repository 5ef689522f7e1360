/** Where the values go that a statement writes: column by column, with what decided which rows are written. */
import type { Table } from "../../catalog/table.js";
import type { Expr } from "../expr.js";
import { type Merge, outputOf, type Write } from "../plan.js";
import {
  type BaseColumn,
  baseOrigin,
  noOrigins,
  type Origins,
  type Trace,
  through,
  union,
  unionOf,
  unionTraces,
} from "./origins.js";

/** A value that is written to a column. */
export interface WrittenValue {
  readonly node: Write | Merge;
  readonly op: "insert" | "update";
  readonly table: Table;
  /** Index into `table.columns`. */
  readonly source: number;
  /** Its `decided` holds what decided that the row is written, too. */
  readonly trace: Trace;
  /** Among the `rows` of an INSERT's input, `assignments`, or the action's values: for a rewrite. */
  readonly place: WrittenPlace;
}

/** Where in its node a written value stands. */
export type WrittenPlace =
  | { readonly kind: "input"; readonly index: number }
  | { readonly kind: "default"; readonly index: number }
  | { readonly kind: "assignment"; readonly index: number }
  | { readonly kind: "conflict"; readonly index: number }
  | { readonly kind: "action"; readonly action: number; readonly index: number };

/** What decided which rows of a table are written, and how many. */
export interface WrittenRows {
  readonly node: Write | Merge;
  readonly op: "insert" | "update" | "delete" | "merge";
  readonly table: Table;
  readonly rows: Origins;
}

/** What the walk over the plan does for a write. */
interface Walk {
  readonly writes: WrittenValue[];
  readonly writtenRows: WrittenRows[];
  plan(plan: Write["input"]): Origins;
  expression(expr: Expr): Trace;
  condition(expr: Expr): Origins;
  column(column: Write["rowColumns"][number]): Trace;
  set(column: Write["rowColumns"][number], trace: Trace): void;
}

/** @returns what decided which rows RETURNING gives */
export function traceWrite(node: Write, walk: Walk): Origins {
  const { table, op, targets } = node;
  let rows = walk.plan(node.input);
  const values = new Map<number, Trace>();
  const add = (source: number, trace: Trace, place: WrittenPlace) => {
    values.set(source, trace);
    walk.writes.push({ node, op: op as "insert" | "update", table, source, trace: withRows(trace, rows), place });
  };
  if (op === "insert") {
    const output = outputOf(node.input);
    targets.forEach((source, i) => {
      add(source, walk.column(output[i]), { kind: "input", index: i });
    });
    (node.defaults ?? []).forEach(({ source, expr }, i) => {
      if (expr.kind === "Constant") return; // a column that the statement leaves to the service
      add(source, walk.expression(expr), { kind: "default", index: i });
    });
  } else if (op === "update") {
    (node.assignments ?? []).forEach((expr, i) => {
      add(targets[i], through(walk.expression(expr), table.columns[targets[i]].name), { kind: "assignment", index: i });
    });
  }
  // A service may answer with what it holds by now, so RETURNING is of the column, whatever was written to it.
  setRowColumns(node, walk, values);
  const { onConflict } = node;
  if (onConflict !== undefined) {
    onConflict.excludedColumns.forEach((column, source) => {
      walk.set(column, values.get(source) ?? { made: noOrigins, decided: noOrigins });
    });
    const keys = onConflict.keys ?? table.columns.map((_, source) => source);
    rows = unionOf([rows, ...keys.map((source) => baseOrigin(baseOf(table, source), 0))]);
    if (onConflict.where !== undefined) rows = union(rows, walk.condition(onConflict.where));
    (onConflict.assignments ?? []).forEach((expr, i) => {
      const source = (onConflict.targets ?? [])[i];
      const trace = walk.expression(expr);
      const before = values.get(source);
      values.set(source, before === undefined ? trace : unionTraces(before, trace));
      const place: WrittenPlace = { kind: "conflict", index: i };
      walk.writes.push({ node, op: "update", table, source, trace: withRows(trace, rows), place });
    });
    setRowColumns(node, walk, values);
  }
  walk.writtenRows.push({ node, op, table, rows });
  for (const { column, expr } of node.returning ?? []) walk.set(column, through(walk.expression(expr), column.name));
  return rows;
}

/** @returns what decided which rows are written */
export function traceMerge(node: Merge, walk: Walk): Origins {
  const { table } = node;
  const conditions = node.actions.flatMap(({ condition }) => (condition === undefined ? [] : [condition]));
  const rows = unionOf([walk.plan(node.input), ...[node.matched, ...conditions].map((expr) => walk.condition(expr))]);
  node.actions.forEach(({ action, targets, values }, a) => {
    if (action !== "insert" && action !== "update") return;
    values.forEach((expr, index) => {
      const trace = withRows(walk.expression(expr), rows);
      const place: WrittenPlace = { kind: "action", action: a, index };
      walk.writes.push({ node, op: action, table, source: targets[index], trace, place });
    });
  });
  walk.writtenRows.push({ node, op: "merge", table, rows });
  return rows;
}

function setRowColumns(node: Write, walk: Walk, values: ReadonlyMap<number, Trace>): void {
  node.rowColumns.forEach((column, source) => {
    const base: Trace = { made: baseOrigin(baseOf(node.table, source), 0), decided: noOrigins };
    const written = values.get(source);
    walk.set(column, written === undefined ? base : unionTraces(base, written));
  });
}

function withRows({ made, decided }: Trace, rows: Origins): Trace {
  return { made, decided: union(decided, rows) };
}

function baseOf({ schema, name, columns }: Table, source: number): BaseColumn {
  return { schema, table: name, column: columns[source].name };
}
