/** UPDATE and DELETE. Source: PostgreSQL 15, reference pages UPDATE and DELETE. */
import type { Table, TableColumn } from "../../catalog/table.js";
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../../grammar/ast.js";
import type { Column, Expr } from "../expr.js";
import { type LogicalPlan, outputOf, type Write } from "../plan.js";
import { columnRef, substituteColumns } from "../visit.js";
import { bindPart, type ColumnPart, partOf, withPart } from "./assigned-parts.js";
import { toBoolean } from "./conversions.js";
import { at, notSupported, syntaxError } from "./errors.js";
import { bindExpression } from "./expressions.js";
import { bindFrom, bindScan, isLateral, relationOf } from "./from-clause.js";
import { type FromTree, planOf, type Relation } from "./relation.js";
import { fieldAt } from "./rows.js";
import { itemOf, type ScopeItem } from "./scope.js";
import { inClause, newColumn, ownColumn, type QueryLevel } from "./state.js";
import { bindRowSubquery } from "./subqueries.js";
import {
  assigned,
  assignedColumn,
  bindAssigned,
  bindReturning,
  refuseUpdateOf,
  rowColumnsOf,
  writtenTable,
} from "./write-targets.js";

export function bindUpdate(node: ast.UpdateStatement, level: QueryLevel): Write {
  const table = writtenTable(node.target.name, "update", level);
  const { target, tree, others } = bindSources(node.target, table, node.from, level);
  const { targets, assignments, rows } = bindAssignments(node.assignments, table, target, level);
  const where = bindWhere(node.where, level);
  const returned = bindReturned(node.returning, table, target, others, level);
  let input = filtered(planOf(tree), where);
  if (rows.length > 0) input = withColumns(input, rows);
  return {
    kind: "Write",
    op: "update",
    table,
    alias: target.name,
    position: at(node.target.name),
    input,
    targets,
    assignments,
    targetScan: target.scan,
    ...returned,
  };
}

export function bindDelete(node: ast.DeleteStatement, level: QueryLevel): Write {
  const table = writtenTable(node.target.name, "delete", level);
  const { target, tree, others } = bindSources(node.target, table, node.using, level);
  const where = bindWhere(node.where, level);
  const returned = bindReturned(node.returning, table, target, others, level);
  return {
    kind: "Write",
    op: "delete",
    table,
    alias: target.name,
    position: at(node.target.name),
    input: filtered(planOf(tree), where),
    targets: [],
    targetScan: target.scan,
    ...returned,
  };
}

/** The written table joined with the tables of FROM or USING, which do not see it laterally at first. */
function bindSources(
  targetNode: ast.TableReference,
  table: Table,
  from: readonly ast.FromItem[],
  level: QueryLevel,
): { target: Relation; tree: FromTree; others: readonly ScopeItem[] } {
  const target = bindScan(table, targetNode.alias, at(targetNode.name), level);
  level.namespace = [{ ...itemOf(target), lateralOnly: true, lateralOk: false }];
  const right = bindFrom(from, level);
  const others = level.namespace.slice(1);
  const tree: FromTree =
    right === undefined ? target : { kind: "join", type: "inner", left: target, right, lateral: from.some(isLateral) };
  return { target, tree, others };
}

function bindWhere(node: ast.Expression | undefined, level: QueryLevel): Expr | undefined {
  return node && inClause(level, "WHERE", () => toBoolean(bindExpression(node, level), "WHERE", level));
}

function filtered(plan: LogicalPlan, condition: Expr | undefined): LogicalPlan {
  return condition === undefined ? plan : { kind: "Filter", input: plan, condition };
}

/** The plan with some columns more, computed once a row. */
function withColumns(input: LogicalPlan, rows: readonly { column: Column; expr: Expr }[]): LogicalPlan {
  const items = outputOf(input).map((column) => ({ column, expr: columnRef(column) }));
  return { kind: "Project", input, items: [...items, ...rows] };
}

/** RETURNING sees the row as it was written, and the rows it was joined with. */
function bindReturned(
  nodes: readonly ast.SelectTarget[],
  table: Table,
  target: Relation,
  others: readonly ScopeItem[],
  level: QueryLevel,
): Pick<Write, "rowColumns" | "returning"> {
  const rowColumns = rowColumnsOf(table, target.name, level);
  const written = relationOf({ kind: "Empty", columns: rowColumns }, rowColumns, target.name, undefined, level, {
    table,
    inlineRow: true,
  });
  const named: Relation = {
    ...written,
    hasAlias: target.hasAlias,
    columns: written.columns.map((column, i) => ({ ...column, name: target.columns[i].name })),
  };
  level.namespace = [itemOf(named), ...others];
  const returning = bindReturning(nodes, level);
  return { rowColumns, ...(returning && { returning }) };
}

interface BoundAssignments {
  readonly targets: readonly number[];
  readonly assignments: readonly Expr[];
  /** Rows of subqueries that several columns are taken from. */
  readonly rows: readonly { readonly column: Column; readonly expr: Expr }[];
}

/** As `bindAssignments`, where no plan can compute the rows of subqueries first: each column asks the subquery itself. */
export function bindAssignmentsInline(
  clauses: readonly ast.SetClause[],
  table: Table,
  target: Relation,
  level: QueryLevel,
): Omit<BoundAssignments, "rows"> {
  const { targets, assignments, rows } = bindAssignments(clauses, table, target, level);
  if (rows.length === 0) return { targets, assignments };
  const byColumn = new Map(rows.map(({ column, expr }) => [column.id, expr] as const));
  return { targets, assignments: assignments.map((expr) => substituteColumns(expr, byColumn)) };
}

/** What is assigned: a node, or an expression that is bound already. */
type Assigned = { readonly node: ast.Expression } | { readonly expr: Expr; readonly position: number };

/** The SET list; `target` is the relation of the row as it is before. */
function bindAssignments(
  clauses: readonly ast.SetClause[],
  table: Table,
  target: Relation,
  level: QueryLevel,
): BoundAssignments {
  const targets: number[] = [];
  const assignments: Expr[] = [];
  const inPart = new Set<number>();
  const rows: { column: Column; expr: Expr }[] = [];
  const assign = (node: ast.AssignmentTarget, value: Assigned) => {
    const index = assignedColumn(node, table);
    const column = table.columns[index];
    const part = partOf(node, column, level);
    if (part !== undefined || !("node" in value) || value.node.kind !== "DefaultValue") {
      refuseUpdateOf(column, "node" in value ? at(value.node) : value.position);
    }
    const earlier = targets.indexOf(index);
    const present = earlier >= 0 ? assignments[earlier] : target.columns[index].expr;
    const expr = bindValue(value, column, part, present, level);
    if (earlier >= 0 && (part === undefined || !inPart.has(index))) {
      throw new SqlError(sqlstate.syntaxError, `multiple assignments to same column "${column.name}"`);
    }
    if (part !== undefined) inPart.add(index);
    // Several parts of one column: each is put into what the ones before it made.
    if (earlier >= 0) assignments[earlier] = expr;
    else {
      targets.push(index);
      assignments.push(expr);
    }
  };
  for (const clause of clauses) {
    if (clause.kind === "Assignment") assign(clause.target, { node: clause.value });
    else bindMultiple(clause, level, assign, rows);
  }
  return { targets, assignments, rows };
}

function bindValue(
  value: Assigned,
  column: TableColumn,
  part: ColumnPart | undefined,
  present: Expr,
  level: QueryLevel,
): Expr {
  if ("node" in value) {
    return part === undefined
      ? bindAssigned(value.node, column, "UPDATE", level)
      : bindPart(part, present, value.node, "UPDATE", level);
  }
  return part === undefined ? assigned(value.expr, column, level) : withPart(part, present, value.expr, level);
}

function bindMultiple(
  clause: ast.MultiAssignment,
  level: QueryLevel,
  assign: (target: ast.AssignmentTarget, value: Assigned) => void,
  rows: { column: Column; expr: Expr }[],
): void {
  const { source, targets } = clause;
  const wrongCount = () => syntaxError("number of columns does not match number of values", at(source));
  if (source.kind === "RowConstructor") {
    if (source.fields.length !== targets.length) throw wrongCount();
    for (const [i, target] of targets.entries()) assign(target, { node: source.fields[i] });
    return;
  }
  if (source.kind !== "ScalarSubquery") {
    throw notSupported("source for a multiple-column UPDATE item must be a sub-SELECT or ROW() expression", at(source));
  }
  const row = inClause(level, "UPDATE", () => bindRowSubquery(source.query, level, at(source)));
  if (row.type.fields?.length !== targets.length) throw wrongCount();
  const column = newColumn(level.state, { name: "row", type: row.type });
  ownColumn(level, column, "from");
  rows.push({ column, expr: row });
  for (const [i, target] of targets.entries()) {
    assign(target, { expr: fieldAt(columnRef(column), i), position: at(target) });
  }
}
