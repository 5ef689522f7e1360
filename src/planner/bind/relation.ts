/**
 * What FROM is made of while it is being bound: relations and joins of them. Their plan is made last, when it is known
 * whether somebody asked for a relation's rows as a whole (`SELECT t FROM t`): such a relation puts out one more column,
 * made below the joins, so that a row that an outer join fills with NULLs is NULL as a whole.
 */
import type { Table } from "../../catalog/table.js";
import { recordType, type SqlType } from "../../types/type.js";
import type { Column, Expr } from "../expr.js";
import { type LogicalPlan, outputOf } from "../plan.js";
import { columnRef, freeColumns } from "../visit.js";
import type { ScopeColumn } from "./scope.js";
import { newColumn, ownColumn, type QueryLevel } from "./state.js";

/** A table, subquery, function or CTE in FROM. */
export interface Relation {
  readonly kind: "relation";
  /** The name it goes by: its alias, or the table's own name. */
  readonly name: string;
  readonly hasAlias: boolean;
  readonly table?: Table;
  readonly columns: readonly ScopeColumn[];
  readonly plan: LogicalPlan;
  /** Id of its Scan, for a plain table. */
  readonly scan?: number;
  /** A function of one plain column: a reference to the relation as a whole is that column. */
  readonly scalarFunction?: boolean;
  /** The row of a write: taken as a whole it is made of its columns on the spot. */
  readonly inlineRow?: boolean;
  wholeRow?: Column;
}

/** Two sides whose columns are seen together. */
export interface JoinTree {
  readonly kind: "join";
  readonly type: "inner" | "left" | "right" | "full";
  readonly left: FromTree;
  readonly right: FromTree;
  readonly condition?: Expr;
  readonly lateral: boolean;
}

/** What FROM makes visible. */
export type FromTree = Relation | JoinTree;

const rowTypes = new WeakMap<Table, SqlType>();

/** The row type of a table; the same object each time. */
export function rowTypeOf(table: Table): SqlType {
  let type = rowTypes.get(table);
  if (type === undefined) {
    type = recordType(
      table.columns.map(({ name, type, typmod }) => ({ name, type, typmod })),
      table.name,
    );
    rowTypes.set(table, type);
  }
  return type;
}

/** The column that holds the rows of a relation as a whole. */
export function wholeRowOf(level: QueryLevel, relation: Relation): Column {
  if (relation.wholeRow === undefined) {
    const type =
      relation.table === undefined
        ? recordType(relation.columns.map((column) => ({ name: column.name, type: column.expr.type })))
        : rowTypeOf(relation.table);
    relation.wholeRow = newColumn(level.state, {
      name: relation.name,
      type,
      origin: { table: relation.table?.name ?? relation.name, column: "*", alias: relation.name },
    });
    ownColumn(level, relation.wholeRow, "from", undefined, { relation: relation.name, name: "*" });
  }
  return relation.wholeRow;
}

/** The plan of what FROM lists, once all expressions of its query are bound. */
export function planOf(tree: FromTree): LogicalPlan {
  if (tree.kind === "relation") return planOfRelation(tree);
  // A list of many tables is left-deep: loop, so that its length is no depth of recursion.
  const joins: JoinTree[] = [];
  let leftmost: FromTree = tree;
  while (leftmost.kind === "join") {
    joins.push(leftmost);
    leftmost = leftmost.left;
  }
  let plan = planOfRelation(leftmost);
  for (const join of joins.reverse()) {
    const right = planOf(join.right);
    const lateral = join.lateral && readsFrom(right, plan);
    plan = {
      kind: "Join",
      type: join.type,
      left: plan,
      right,
      ...(join.condition && { condition: join.condition }),
      ...(lateral && { lateral }),
    };
  }
  return plan;
}

/** Whether a plan mentions columns that another one puts out; most functions in FROM do not. */
function readsFrom(plan: LogicalPlan, source: LogicalPlan): boolean {
  const free = freeColumns(plan);
  return outputOf(source).some((column) => free.has(column.id));
}

function planOfRelation(relation: Relation): LogicalPlan {
  const { wholeRow } = relation;
  if (wholeRow === undefined) return relation.plan;
  const items = outputOf(relation.plan).map((column) => ({ column, expr: columnRef(column) }));
  const row: Expr = { kind: "Row", type: wholeRow.type, items: relation.columns.map((column) => column.expr) };
  return { kind: "Project", input: relation.plan, items: [...items, { column: wholeRow, expr: row }] };
}
