/**
 * Column references: `a`, `t.a`, `s.t.a`, whole rows `t`, and what a star stands for.
 * Source: PostgreSQL 15, 4.2.1 "Column References", 8.16.5 "Using Composite Types in Queries".
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../../grammar/ast.js";
import type { Expr } from "../expr.js";
import { columnRef } from "../visit.js";
import { at, notSupported, syntaxError } from "./errors.js";
import { rowTypeOf, wholeRowOf } from "./relation.js";
import {
  columnOfItem,
  findColumn,
  findRelation,
  missingColumn,
  missingRelation,
  type ScopeColumn,
  type ScopeItem,
} from "./scope.js";
import type { QueryLevel } from "./state.js";

/** Columns that every PostgreSQL table has; rows of a resource have no such place in a file. */
const systemColumns = new Set(["ctid", "xmin", "xmax", "cmin", "cmax", "tableoid"]);

/** What a column reference without a star means. */
export function bindColumnRef(node: ast.ColumnRef, level: QueryLevel): Expr {
  const position = at(node);
  if (node.star) return bindWholeRowStar(node, level, position);
  if (node.parts.length === 1) return bindBareName(node.parts[0], level, position);
  const { schema, relation, column } = splitName(node.parts, position);
  const found = findRelation(level, schema, relation, position);
  if (found === undefined) throw missingRelation(level, schema, relation, position);
  const expr = columnOfItem(found.item, column, position);
  if (expr !== undefined) return expr;
  refuseSystemColumn(found.item, column, position);
  throw missingColumn(level, relation, column, position);
}

function bindBareName(name: string, level: QueryLevel, position: number): Expr {
  const column = findColumn(level, name, position);
  if (column !== undefined) return column;
  const found = findRelation(level, undefined, name, position);
  if (found !== undefined) return wholeRow(found.item, found.level, position);
  for (const item of level.namespace) refuseSystemColumn(item, name, position);
  throw missingColumn(level, undefined, name, position);
}

/** `t.*` where one value is wanted: `count(t.*)`. */
function bindWholeRowStar(node: ast.ColumnRef, level: QueryLevel, position: number): Expr {
  const [relation, schema] = [...node.parts].reverse() as (string | undefined)[];
  if (relation === undefined) throw syntaxError('row expansion via "*" is not supported here', position);
  const found = findRelation(level, schema, relation, position);
  if (found === undefined) throw missingRelation(level, schema, relation, position);
  return wholeRow(found.item, found.level, position);
}

function splitName(parts: readonly string[], position: number) {
  if (parts.length > 4)
    throw syntaxError(`improper qualified name (too many dotted names): ${parts.join(".")}`, position);
  const [column, relation, schema] = [...parts].reverse();
  return { column, relation, schema: schema as string | undefined };
}

function refuseSystemColumn(item: ScopeItem, name: string, position: number): void {
  if (item.relation?.table === undefined || !systemColumns.has(name)) return;
  throw notSupported(`system column "${name}" is not supported`, position, "Use the table's primary key instead.");
}

/** The rows of a relation as one value. A join's is made of its columns. */
function wholeRow(item: ScopeItem, level: QueryLevel, position: number): Expr {
  const { relation } = item;
  if (relation === undefined) {
    throw notSupported(
      `a reference to the join "${item.name}" as a whole is not supported`,
      position,
      "List its columns.",
    );
  }
  if (relation.scalarFunction) return { ...relation.columns[0].expr, position };
  if (relation.inlineRow && relation.table !== undefined) {
    return {
      kind: "Row",
      items: relation.columns.map((column) => column.expr),
      type: rowTypeOf(relation.table),
      position,
    };
  }
  return columnRef(wholeRowOf(level, relation), position);
}

/** A relation named by one bare word where no column has that name: `(t).a`, `count(t)`. */
export function relationNamed(node: ast.Expression, level: QueryLevel): ScopeItem | undefined {
  if (node.kind !== "ColumnRef" || node.star || node.parts.length !== 1) return undefined;
  if (findColumn(level, node.parts[0], at(node)) !== undefined) return undefined;
  return findRelation(level, undefined, node.parts[0], at(node))?.item;
}

/** The columns that `*` or `t.*` stands for, in order. */
export function expandStar(node: ast.ColumnRef, level: QueryLevel): readonly ScopeColumn[] {
  const position = at(node);
  if (node.parts.length === 0) {
    if (level.namespace.length === 0 || level.namespace.every((item) => !item.columnsVisible)) {
      throw syntaxError("SELECT * with no tables specified is not valid", position);
    }
    return level.namespace
      .filter((item) => item.columnsVisible && !item.lateralOnly)
      .flatMap((item) => expanded(item, position));
  }
  const [relation, schema] = [...node.parts].reverse();
  if (node.parts.length > 3) {
    throw syntaxError(`improper qualified name (too many dotted names): ${node.parts.join(".")}.*`, position);
  }
  const found = findRelation(level, schema, relation, position);
  if (found !== undefined) return expanded(found.item, position);
  throw missingRelation(level, schema, relation, position);
}

function expanded(item: ScopeItem, position: number): readonly ScopeColumn[] {
  return item.columns
    .filter((column) => column.unexpanded !== true)
    .map((column) => ({ name: column.name, expr: { ...column.expr, position } }));
}

/** Refuses two columns of one name in a list that must not have them. */
export function duplicateColumnError(name: string, position: number, message?: string): SqlError {
  return new SqlError(sqlstate.duplicateColumn, message ?? `column "${name}" specified more than once`, { position });
}
