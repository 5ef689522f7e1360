/** INSERT, with ON CONFLICT and RETURNING. Source: PostgreSQL 15, reference page INSERT. */
import type { Table } from "../../catalog/table.js";
import type * as ast from "../../grammar/ast.js";
import { types } from "../../types/type.js";
import type { Expr } from "../expr.js";
import type { LogicalPlan, Write } from "../plan.js";
import { columnRef } from "../visit.js";
import { oneRow } from "./assemble.js";
import { at, syntaxError } from "./errors.js";
import { relationOf } from "./from-clause.js";
import { bindOnConflict } from "./on-conflict.js";
import { itemOf } from "./scope.js";
import { openSelect } from "./select.js";
import { newColumn, openLevel, type QueryLevel } from "./state.js";
import {
  assigned,
  assignedColumns,
  bindAssigned,
  bindReturning,
  defaultOf,
  isOverridden,
  refuseInsertInto,
  rowColumnsOf,
  writtenTable,
} from "./write-targets.js";

export function bindInsert(node: ast.InsertStatement, level: QueryLevel): Write {
  const table = writtenTable(node.target, "insert", level);
  const listed = assignedColumns(node.columns, table);
  const { input, count } = bindSource(node, table, listed, level);
  const targets = listed.slice(0, count);
  const defaults = table.columns
    .map((column, source) => ({ source, column }))
    .filter(({ source }) => !targets.includes(source))
    .map(({ source, column }) => ({ source, expr: defaultOf(column, level) }));

  const alias = node.alias?.name ?? table.name;
  const rowColumns = rowColumnsOf(table, alias, level);
  const facts = { table, inlineRow: true };
  const plan: LogicalPlan = { kind: "Empty", columns: rowColumns };
  const relation = {
    ...relationOf(plan, rowColumns, alias, undefined, level, facts),
    hasAlias: node.alias !== undefined,
  };
  level.namespace = [itemOf(relation)];
  const onConflict = node.onConflict && bindOnConflict(node.onConflict, table, relation, level);
  level.namespace = [itemOf(relation)];
  const returning = bindReturning(node.returning, level);
  return {
    kind: "Write",
    op: "insert",
    table,
    alias,
    position: at(node.target),
    input,
    targets,
    defaults,
    ...(onConflict && { onConflict }),
    rowColumns,
    ...(returning && { returning }),
  };
}

interface Source {
  readonly input: LogicalPlan;
  /** How many of the listed columns get a value; the others take their defaults. */
  readonly count: number;
}

function bindSource(node: ast.InsertStatement, table: Table, listed: readonly number[], level: QueryLevel): Source {
  const { source } = node;
  if (source === undefined) return { input: oneRow(), count: 0 };
  if (source.body.kind === "ValuesClause" && isPlain(source)) {
    return bindRows(source.body, node, table, listed, level);
  }
  const inner = openLevel(level.state, level);
  const open = openSelect(source, inner);
  checkCount(
    open.targets.map((target) => target.expr),
    node,
    listed,
  );
  open.targets.forEach((target, i) => {
    refuseInsertInto(table.columns[listed[i]], node.overriding, target.expr.position);
  });
  // Untyped literals take the type of the column; everything else is cast above the query.
  open.targets.forEach((target, i) => {
    if (target.expr.type === types.unknown) target.expr = assigned(target.expr, table.columns[listed[i]], inner);
  });
  const positions = open.targets.map((target) => target.expr.position);
  const { plan, output } = open.finish();
  const items = output.map((column, i) => {
    const target = table.columns[listed[i]];
    const expr = isOverridden(target, node.overriding)
      ? defaultOf(target, level)
      : assigned(columnRef(column, positions[i]), target, level);
    return { column: newColumn(level.state, { name: target.name, type: target.type, typmod: target.typmod }), expr };
  });
  return { input: { kind: "Project", input: plan, items }, count: items.length };
}

function isPlain(source: ast.SelectStatement): boolean {
  return (
    source.with === undefined &&
    source.orderBy.length === 0 &&
    source.limit === undefined &&
    source.offset === undefined &&
    source.locking.length === 0
  );
}

/** VALUES rows are cast to the columns one by one, so that DEFAULT and untyped literals mean what the column makes of them. */
function bindRows(
  values: ast.ValuesClause,
  node: ast.InsertStatement,
  table: Table,
  listed: readonly number[],
  level: QueryLevel,
): Source {
  const inner = openLevel(level.state, level);
  const width = values.rows[0].length;
  const rows = values.rows.map((row) => {
    if (row.length !== width) throw syntaxError("VALUES lists must all be the same length", at(row[0]));
    checkCount(row, node, listed);
    return row.map((item, i) => {
      const target = table.columns[listed[i]];
      if (item.kind !== "DefaultValue") refuseInsertInto(target, node.overriding, at(item));
      return isOverridden(target, node.overriding)
        ? defaultOf(target, inner)
        : bindAssigned(item, target, "VALUES", inner);
    });
  });
  const columns = Array.from({ length: width }, (_, i) => {
    const target = table.columns[listed[i]];
    return newColumn(level.state, { name: target.name, type: target.type, typmod: target.typmod });
  });
  return { input: { kind: "Values", columns, rows }, count: width };
}

function checkCount(
  exprs: readonly (Expr | ast.Expression)[],
  node: ast.InsertStatement,
  listed: readonly number[],
): void {
  if (exprs.length > listed.length) {
    throw syntaxError("INSERT has more expressions than target columns", placeOf(exprs[listed.length]));
  }
  if (node.columns.length > 0 && exprs.length < listed.length) {
    const row = exprs.length === 1 ? exprs[0] : undefined;
    const width =
      row?.kind === "Row" ? row.items.length : row?.kind === "RowConstructor" ? row.fields.length : undefined;
    throw syntaxError(
      "INSERT has more target columns than expressions",
      at(node.columns[exprs.length]),
      width === listed.length
        ? "The insertion source is a row expression containing the same number of columns expected by the INSERT. Did you accidentally use extra parentheses?"
        : undefined,
    );
  }
}

function placeOf(item: Expr | ast.Expression): number | undefined {
  return "range" in item ? at(item) : item.position;
}
