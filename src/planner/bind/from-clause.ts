/**
 * FROM: tables, views, CTEs, subqueries and joins, with the rules of what each can see of the others.
 * Source: PostgreSQL 15, 7.2.1 "The FROM Clause".
 */
import type { Table, ViewInfo } from "../../catalog/table.js";
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../../grammar/ast.js";
import type { Column } from "../expr.js";
import type { LogicalPlan } from "../plan.js";
import { underRowFilter } from "../row-filter.js";
import { columnRef } from "../visit.js";
import { findCte, scanCte } from "./ctes.js";
import { at, duplicateAlias, notSupported, undefinedTable } from "./errors.js";
import { bindJoin } from "./joins.js";
import type { FromTree, Relation } from "./relation.js";
import { itemOf, type ScopeColumn, type ScopeItem } from "./scope.js";
import { bindSelect, bindSelectAt } from "./select.js";
import { inClause, newColumn, openLevel, ownColumn, type QueryLevel } from "./state.js";
import { bindTableFunction } from "./table-functions.js";

/** A bound item of FROM: its tree, and the names it brings into scope. */
export interface BoundFrom {
  readonly tree: FromTree;
  readonly items: readonly ScopeItem[];
}

/** Binds the list of FROM; the names are in `level.namespace` afterwards. Absent when the list is empty. */
export function bindFrom(nodes: readonly ast.FromItem[], level: QueryLevel): FromTree | undefined {
  let tree: FromTree | undefined;
  for (const node of nodes) {
    const bound = bindFromItem(node, level);
    checkNames(level.namespace, bound.items);
    level.namespace = [
      ...level.namespace,
      ...bound.items.map((item) => ({ ...item, lateralOnly: true, lateralOk: true })),
    ];
    tree =
      tree === undefined
        ? bound.tree
        : { kind: "join", type: "inner", left: tree, right: bound.tree, lateral: isLateral(node) };
  }
  level.namespace = level.namespace.map((item) => ({ ...item, lateralOnly: false, lateralOk: true }));
  return tree;
}

/** Whether an item of FROM may refer to the items to its left. */
export function isLateral(node: ast.FromItem): boolean {
  switch (node.kind) {
    case "SubqueryReference":
      return node.lateral;
    case "FunctionReference":
      return true;
    case "TableReference":
      return false;
    case "JoinClause": {
      let join: ast.FromItem = node;
      while (join.kind === "JoinClause") {
        if (isLateral(join.right)) return true;
        join = join.left;
      }
      return isLateral(join);
    }
  }
}

/** Two relations of one FROM need two names; two tables of different schemas may share one as long as neither is an alias. */
export function checkNames(left: readonly ScopeItem[], right: readonly ScopeItem[]): void {
  for (const item of right) {
    if (item.name === undefined || !item.relationVisible) continue;
    for (const other of left) {
      if (other.name !== item.name || !other.relationVisible) continue;
      const tables = [item.relation, other.relation].map((relation) =>
        relation?.hasAlias === false ? relation.table : undefined,
      );
      if (tables[0] !== undefined && tables[1] !== undefined && tables[0] !== tables[1]) continue;
      throw duplicateAlias(item.name);
    }
  }
}

export function bindFromItem(node: ast.FromItem, level: QueryLevel): BoundFrom {
  switch (node.kind) {
    case "TableReference":
      return single(bindTable(node, level));
    case "SubqueryReference":
      return single(bindSubquery(node, level));
    case "FunctionReference":
      return single(bindTableFunction(node, level));
    case "JoinClause":
      return bindJoin(node, level);
  }
}

function single(relation: Relation): BoundFrom {
  return { tree: relation, items: [itemOf(relation)] };
}

/** A name in FROM: a CTE in scope, otherwise a table or a view of the catalog. */
export function bindTable(node: ast.TableReference, level: QueryLevel): Relation {
  if (node.sample !== undefined) throw notSupported("TABLESAMPLE is not supported", at(node.sample));
  const { name } = node;
  if (name.schema === undefined) {
    const cte = findCte(name, level);
    if (cte !== undefined) {
      const { plan, columns, unexpanded } = scanCte(cte, node, level);
      return relationOf(plan, columns, node.alias?.name.name ?? name.name, node.alias, level, {}, unexpanded);
    }
  }
  const table = lookUpTable(name, level);
  if (table.kind === "view") return bindView(table, node, level);
  if (!table.verbs.includes("select")) {
    throw new SqlError(sqlstate.objectNotInPrerequisiteState, `table "${table.name}" cannot be read with SELECT`, {
      position: at(name),
      hint: `It takes: ${table.verbs.map((verb) => verb.toUpperCase()).join(", ")}.`,
    });
  }
  return bindScan(table, node.alias, at(name), level);
}

/** A table of the catalog. @throws SqlError 42P01 */
export function lookUpTable(name: ast.QualifiedName, level: QueryLevel): Table {
  const { catalog } = level.state;
  const table = catalog.table(name.name, name.schema);
  if (table !== undefined) return table;
  level.state.options.refuseRelation?.(name);
  if (name.schema === undefined && isFutureCte(name.name, level)) {
    throw new SqlError(sqlstate.undefinedTable, `relation "${name.name}" does not exist`, {
      position: at(name),
      detail: `There is a WITH item named "${name.name}", but it cannot be referenced from this part of the query.`,
      hint: "Use WITH RECURSIVE, or re-order the WITH items to remove forward references.",
    });
  }
  throw undefinedTable(level.state, name);
}

function isFutureCte(name: string, level: QueryLevel): boolean {
  for (let current: QueryLevel | undefined = level; current !== undefined; current = current.parent) {
    if (current.futureCtes.has(name)) return true;
  }
  return false;
}

/** A scan of a stored or resource table, with a new column for each of the table's. */
export function bindScan(
  table: Table,
  alias: ast.TableAlias | undefined,
  position: number,
  level: QueryLevel,
): Relation {
  const { state } = level;
  const shownAlias = alias?.name.name ?? table.name;
  const seen = state.options.seenAs?.(table);
  const columns = (seen?.table ?? table).columns.map((column) =>
    newColumn(state, {
      name: column.name,
      type: column.type,
      typmod: column.typmod,
      nullable: column.nullable,
      labels: column.enumLabels,
      origin: { table: table.name, column: column.name, alias: shownAlias },
    }),
  );
  const id = state.nextScan++;
  const plan: LogicalPlan = {
    kind: "Scan",
    id,
    table: seen?.table ?? table,
    alias: shownAlias,
    columns: columns.map((column, source) => ({ column, source })),
    position,
  };
  const rows = seen?.rowFilter === undefined ? plan : underRowFilter(plan, columns, seen.rowFilter);
  return relationOf(rows, columns, shownAlias, alias, level, { table, scan: id });
}

/** A view is its query, bound where the view is used; it sees nothing of the query around it. */
function bindView(view: ViewInfo, node: ast.TableReference, level: QueryLevel): Relation {
  const { state } = level;
  const key = `${view.schema}.${view.name}`;
  if (state.openViews.has(key)) {
    throw new SqlError(sqlstate.invalidRecursion, `infinite recursion detected in rules for relation "${view.name}"`, {
      position: at(node.name),
    });
  }
  state.openViews.add(key);
  try {
    const inner = { ...openLevel(state), depth: level.depth + 1 };
    const { plan, output } = bindSelectAt(view.query, inner);
    const columns = output.map((column, i) => ({ ...column, name: view.columns[i]?.name ?? column.name }));
    return relationOf(plan, columns, node.alias?.name.name ?? view.name, node.alias, level);
  } finally {
    state.openViews.delete(key);
  }
}

function bindSubquery(node: ast.SubqueryReference, level: QueryLevel): Relation {
  const lateralBefore = level.lateralActive;
  level.lateralActive = node.lateral;
  try {
    const { plan, output } = inClause(level, "sub-SELECT in FROM", () => bindSelect(node.query, level));
    return relationOf(plan, output, node.alias.name.name, node.alias, level);
  } finally {
    level.lateralActive = lateralBefore;
  }
}

/** A relation over a plan, with the column names of its alias. */
export function relationOf(
  plan: LogicalPlan,
  columns: readonly Column[],
  name: string,
  alias: ast.TableAlias | undefined,
  level: QueryLevel,
  facts: Pick<Relation, "table" | "scan" | "scalarFunction" | "inlineRow"> = {},
  unexpanded = 0,
): Relation {
  const names = alias?.columns ?? [];
  if (names.length > columns.length) {
    throw new SqlError(
      sqlstate.invalidColumnReference,
      `table "${name}" has ${columns.length} columns available but ${names.length} columns specified`,
      { position: at(alias as ast.TableAlias) },
    );
  }
  const scoped: ScopeColumn[] = columns.map((column, i) => {
    const shown = names[i]?.name ?? column.name;
    ownColumn(level, column, "from", undefined, { relation: name, name: shown });
    const expr = columnRef(column);
    return i < columns.length - unexpanded ? { name: shown, expr } : { name: shown, expr, unexpanded: true };
  });
  const relation: Relation = {
    kind: "relation",
    name,
    hasAlias: alias !== undefined,
    columns: scoped,
    plan,
    ...facts,
  };
  level.relations.push(relation);
  return relation;
}
