/**
 * What INSERT, UPDATE, DELETE and MERGE share: the table that is written, its verbs, the columns that are assigned, and
 * their defaults.
 * Source: PostgreSQL 15, reference pages of these statements; 10.4 "Value Storage".
 */
import type { Table, TableColumn, Verb } from "../../catalog/table.js";
import { closest } from "../../errors/did-you-mean.js";
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../../grammar/ast.js";
import { parseExpression } from "../../grammar/parse.js";
import type { Column, Expr } from "../expr.js";
import type { ProjectItem } from "../plan.js";
import { outputColumn } from "./assemble.js";
import { type ColumnPart, partOf } from "./assigned-parts.js";
import { castTo, coerceTo } from "./conversions.js";
import { at, datatypeMismatch, notSupported } from "./errors.js";
import { bindExpression } from "./expressions.js";
import { lookUpTable } from "./from-clause.js";
import { checkStoredLabel } from "./labels.js";
import { duplicateColumnError } from "./names.js";
import { resolveUnknown } from "./select.js";
import { inClause, newColumn, openLevel, type QueryLevel } from "./state.js";
import { bindTargets } from "./targets.js";

/** The table that a statement writes. @throws SqlError 42P01, 0A000 for a view, 55000 when it lacks the verb */
export function writtenTable(name: ast.QualifiedName, verb: Verb, level: QueryLevel): Table {
  const table = lookUpTable(name, level);
  if (table.kind === "view") {
    throw notSupported(`writing to view "${table.name}" is not supported`, at(name), "Write to the tables it reads.");
  }
  requireVerb(table, verb, at(name));
  return table;
}

/** Refuses a verb that the table does not have, naming those it has. @throws SqlError 55000; 42501 for a relation of the system */
export function requireVerb(table: Table, verb: Verb, position: number | undefined): void {
  if (table.verbs.includes(verb)) return;
  if (table.kind === "stored" && table.schema !== "public") {
    throw new SqlError(sqlstate.insufficientPrivilege, `permission denied for table ${table.name}`, {
      position,
      detail: `The relations of schema "${table.schema}" tell of the database: they can only be read.`,
      hint: "Write to the tables of schema public.",
    });
  }
  const has = table.verbs.map((item) => item.toUpperCase()).join(", ");
  throw new SqlError(
    sqlstate.objectNotInPrerequisiteState,
    `table "${table.name}" cannot be written with ${verb.toUpperCase()}`,
    { position, hint: has === "" ? "It takes no statement at all." : `It takes: ${has}.` },
  );
}

/** Index of the column that an INSERT list or a SET names. @throws SqlError 42703 */
export function assignedColumn(target: ast.AssignmentTarget, table: Table): number {
  const { name } = target.column;
  const index = table.columns.findIndex((column) => column.name === name);
  if (index < 0) {
    const near = closest(
      name,
      table.columns.map((column) => column.name),
    );
    throw new SqlError(sqlstate.undefinedColumn, `column "${name}" of relation "${table.name}" does not exist`, {
      position: at(target.column),
      hint:
        near === undefined
          ? `Its columns are: ${table.columns.map((column) => column.name).join(", ")}.`
          : `Perhaps you meant the column "${near}".`,
    });
  }
  return index;
}

/** A column of an INSERT list, or a part of one. */
export interface InsertTarget {
  readonly index: number;
  readonly part?: ColumnPart;
}

/** The columns of an INSERT list, each once, or in several parts. @throws SqlError 42701 */
export function insertTargets(
  list: readonly ast.AssignmentTarget[],
  table: Table,
  level: QueryLevel,
): readonly InsertTarget[] {
  if (list.length === 0) return table.columns.map((_, index) => ({ index }));
  const found: InsertTarget[] = [];
  for (const target of list) {
    const index = assignedColumn(target, table);
    if (found.some((other) => other.index === index && (other.part === undefined || target.path.length === 0))) {
      throw duplicateColumnError(target.column.name, at(target.column));
    }
    found.push({ index, part: partOf(target, table.columns[index], level) });
  }
  return found;
}

/** A value as it is stored in a column. @throws SqlError 42804; 22P02 for a label that the column does not have */
export function assigned(expr: Expr, column: TableColumn, level: QueryLevel): Expr {
  checkStoredLabel(column.name, column.enumLabels, expr);
  const cast = coerceTo(expr, column.type, column.typmod, "assignment", level);
  if (cast !== undefined) return cast;
  throw datatypeMismatch(
    `column "${column.name}" is of type ${column.type.display} but expression is of type ${expr.type.display}`,
    expr.position,
    "You will need to rewrite or cast the expression.",
  );
}

/** A node as it is stored in a column; DEFAULT is the column's own. */
export function bindAssigned(
  node: ast.Expression,
  column: TableColumn,
  clause: "INSERT" | "UPDATE" | "VALUES",
  level: QueryLevel,
): Expr {
  if (node.kind === "DefaultValue") return defaultOf(column, level, at(node));
  return assigned(
    inClause(level, clause, () => bindExpression(node, level)),
    column,
    level,
  );
}

/** What OVERRIDING does to a value given for an identity column: it is taken, or the column's own is taken instead. */
export type Overriding = ast.InsertStatement["overriding"];

/** Whether OVERRIDING USER VALUE puts the column's own value in the place of a given one. */
export function isOverridden(column: TableColumn, overriding: Overriding): boolean {
  return overriding === "user" && (column.generated === "always" || column.generated === "by default");
}

/** A column that is computed from others, or numbered always, takes no value of a statement. @throws SqlError 428C9 */
export function refuseInsertInto(column: TableColumn, overriding: Overriding, position?: number): void {
  if (column.generated === "stored") {
    throw new SqlError(sqlstate.generatedAlways, `cannot insert a non-DEFAULT value into column "${column.name}"`, {
      position,
      detail: `Column "${column.name}" is a generated column.`,
    });
  }
  if (column.generated !== "always" || overriding !== undefined) return;
  throw new SqlError(sqlstate.generatedAlways, `cannot insert a non-DEFAULT value into column "${column.name}"`, {
    position,
    detail: `Column "${column.name}" is an identity column defined as GENERATED ALWAYS.`,
    hint: "Use OVERRIDING SYSTEM VALUE to override.",
  });
}

/** @throws SqlError 428C9 */
export function refuseUpdateOf(column: TableColumn, position?: number): void {
  if (column.generated === undefined || column.generated === "by default") return;
  const kind = column.generated === "stored" ? "a generated column" : "an identity column defined as GENERATED ALWAYS";
  throw new SqlError(sqlstate.generatedAlways, `column "${column.name}" can only be updated to DEFAULT`, {
    position,
    detail: `Column "${column.name}" is ${kind}.`,
  });
}

/** The DEFAULT of a column, NULL where it has none. */
export function defaultOf(column: TableColumn, level: QueryLevel, position?: number): Expr {
  if (column.defaultSql === undefined) {
    return { kind: "Constant", value: null, type: column.type, typmod: column.typmod, position };
  }
  const apart = openLevel(level.state);
  apart.clause = "DEFAULT";
  const expr = bindExpression(parseExpression(column.defaultSql), apart);
  return castTo(expr, column.type, column.typmod, "assignment", level);
}

/** Columns that stand for the written row, one for each of the table's. */
export function rowColumnsOf(table: Table, alias: string, level: QueryLevel): readonly Column[] {
  const seen = level.state.options.seenAs?.(table)?.table ?? table;
  return seen.columns.map((column) =>
    newColumn(level.state, {
      name: column.name,
      type: column.type,
      typmod: column.typmod,
      nullable: column.nullable,
      labels: column.enumLabels,
      origin: { table: table.name, column: column.name, alias },
    }),
  );
}

/** RETURNING, over the names that are in scope. */
export function bindReturning(
  nodes: readonly ast.SelectTarget[],
  level: QueryLevel,
): readonly ProjectItem[] | undefined {
  if (nodes.length === 0) return undefined;
  const targets = inClause(level, "RETURNING", () => bindTargets(nodes, level));
  return targets.map((target) => {
    resolveUnknown(target, level);
    return { column: outputColumn(target.name, target.expr, level), expr: target.expr };
  });
}
