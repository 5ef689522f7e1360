/** INSERT, with ON CONFLICT and RETURNING. Source: PostgreSQL 15, reference page INSERT. */
import type { Table } from "../../catalog/table.js";
import type * as ast from "../../grammar/ast.js";
import { types } from "../../types/type.js";
import type { Column, Expr } from "../expr.js";
import type { LogicalPlan, Write } from "../plan.js";
import { columnRef } from "../visit.js";
import { oneRow } from "./assemble.js";
import { bindPart, partValue, withPart } from "./assigned-parts.js";
import { at, syntaxError } from "./errors.js";
import { relationOf } from "./from-clause.js";
import { bindOnConflict } from "./on-conflict.js";
import { requireArguments } from "./required-arguments.js";
import { itemOf } from "./scope.js";
import { openSelect } from "./select.js";
import { newColumn, openLevel, type QueryLevel } from "./state.js";
import {
  assigned,
  bindAssigned,
  bindReturning,
  defaultOf,
  type InsertTarget,
  insertTargets,
  isOverridden,
  refuseInsertInto,
  rowColumnsOf,
  writtenTable,
} from "./write-targets.js";

export function bindInsert(node: ast.InsertStatement, level: QueryLevel): Write {
  const table = writtenTable(node.target, "insert", level);
  const listed = insertTargets(node.columns, table, level);
  const { input, targets, defaulted } = bindSource(node, table, listed, level);
  const left = new Set(defaulted?.flat());
  requireArguments(
    table,
    targets.filter((target) => !left.has(target)),
    at(node.target),
  );
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
    ...(defaulted !== undefined && { defaulted }),
    ...(onConflict && { onConflict }),
    rowColumns,
    ...(returning && { returning }),
  };
}

interface Source {
  readonly input: LogicalPlan;
  /** Columns of the table that get a value, in the order of the input's; the others take their defaults. */
  readonly targets: readonly number[];
  /** Of each row of VALUES, the columns that say DEFAULT. */
  readonly defaulted?: readonly (readonly number[])[];
}

function bindSource(
  node: ast.InsertStatement,
  table: Table,
  listed: readonly InsertTarget[],
  level: QueryLevel,
): Source {
  const { source } = node;
  if (source === undefined) return { input: oneRow(), targets: [] };
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
    const { index, part } = listed[i];
    const column = table.columns[index];
    refuseInsertInto(column, node.overriding, target.expr.position);
    // Untyped literals take the type of the column; everything else is cast above the query.
    if (target.expr.type !== types.unknown) return;
    target.expr = part === undefined ? assigned(target.expr, column, inner) : partValue(part, target.expr, inner);
  });
  const positions = open.targets.map((target) => target.expr.position);
  const { plan, output } = open.finish();
  const given = listed.slice(0, output.length);
  const columns = columnsOf(given, table, level);
  const exprs = together(given, table, (target, i, present) => {
    const value = columnRef(output[i], positions[i]);
    if (target.part !== undefined) return withPart(target.part, present, value, level);
    const column = table.columns[target.index];
    return isOverridden(column, node.overriding) ? defaultOf(column, level) : assigned(value, column, level);
  });
  const items = columns.map((column, i) => ({ column, expr: exprs[i] }));
  return { input: { kind: "Project", input: plan, items }, targets: indexesOf(given) };
}

/** The columns that a list names, each once. */
function indexesOf(listed: readonly InsertTarget[]): readonly number[] {
  return [...new Set(listed.map(({ index }) => index))];
}

function columnsOf(listed: readonly InsertTarget[], table: Table, level: QueryLevel): readonly Column[] {
  return indexesOf(listed).map((index) => {
    const { name, type, typmod } = table.columns[index];
    return newColumn(level.state, { name, type, typmod });
  });
}

/** One value for each column, made of those for its parts; the parts before one are in `present`. */
function together(
  listed: readonly InsertTarget[],
  table: Table,
  make: (target: InsertTarget, i: number, present: Expr) => Expr,
): readonly Expr[] {
  const byColumn = new Map<number, Expr>();
  listed.forEach((target, i) => {
    const { type, typmod } = table.columns[target.index];
    const present = byColumn.get(target.index) ?? { kind: "Constant", value: null, type, typmod };
    byColumn.set(target.index, make(target, i, present));
  });
  return [...byColumn.values()];
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
  listed: readonly InsertTarget[],
  level: QueryLevel,
): Source {
  const inner = openLevel(level.state, level);
  const width = values.rows[0].length;
  const rows = values.rows.map((row) => {
    if (row.length !== width) throw syntaxError("VALUES lists must all be the same length", at(row[0]));
    checkCount(row, node, listed);
    return together(listed.slice(0, width), table, ({ index, part }, i, present) => {
      const item = row[i];
      const target = table.columns[index];
      if (item.kind !== "DefaultValue") refuseInsertInto(target, node.overriding, at(item));
      if (part !== undefined) return bindPart(part, present, item, "VALUES", inner);
      return isOverridden(target, node.overriding)
        ? defaultOf(target, inner)
        : bindAssigned(item, target, "VALUES", inner);
    });
  });
  const given = listed.slice(0, width);
  const defaulted = values.rows.map((row) =>
    given.flatMap(({ index }, i) => (row[i].kind === "DefaultValue" ? [index] : [])),
  );
  return {
    input: { kind: "Values", columns: columnsOf(given, table, level), rows },
    targets: indexesOf(given),
    ...(defaulted.some((columns) => columns.length > 0) && { defaulted }),
  };
}

function checkCount(
  exprs: readonly (Expr | ast.Expression)[],
  node: ast.InsertStatement,
  listed: readonly InsertTarget[],
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
