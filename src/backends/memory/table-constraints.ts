/** The constraints of CREATE TABLE: keys, checks and foreign keys, named as PostgreSQL names them. */
import type { TableColumn } from "../../catalog/table.js";
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../../grammar/ast.js";
import { deparseExpression } from "../../grammar/deparse.js";
import { walk } from "../../grammar/walk.js";
import { isOrdered } from "../../types/families.js";
import { chooseName } from "./object-names.js";
import type { Store } from "./store.js";
import { type CheckRule, type ForeignKey, type ReferentialAction, StoredTable } from "./stored-table.js";
import type { UniqueKey } from "./table-key.js";

export interface ConstraintContext {
  readonly store: Store;
  readonly schema: string;
  readonly table: string;
  readonly columns: readonly TableColumn[];
}

/** A constraint and the column that it was written on, if it was. */
interface Placed<C extends ast.TableConstraint> {
  readonly node: C;
  readonly column?: string;
}

/** The constraints of a table with those of its columns, in the order of the text. */
export function placedConstraints(statement: ast.CreateTableStatement): Placed<ast.TableConstraint>[] {
  const onColumns = statement.columns.flatMap((column) =>
    column.constraints.filter(isTableConstraint).map((node) => ({ node, column: column.name.name })),
  );
  return [...onColumns, ...statement.constraints.map((node) => ({ node }))];
}

function isTableConstraint(node: ast.ColumnConstraint): node is ast.TableConstraint {
  return node.kind === "UniqueConstraint" || node.kind === "CheckConstraint" || node.kind === "ReferencesConstraint";
}

/** Primary and unique keys; the primary key is made, and tested, first. @throws SqlError 42P16, 42703, 42701, 42704 */
export function resolveKeys(placed: readonly Placed<ast.TableConstraint>[], context: ConstraintContext): UniqueKey[] {
  const keys: UniqueKey[] = [];
  const nodes = placed.flatMap(({ node, column }) => (node.kind === "UniqueConstraint" ? [{ node, column }] : []));
  const primary = nodes.filter(({ node }) => node.primary);
  if (primary.length > 1) {
    throw new SqlError(
      sqlstate.invalidTableDefinition,
      `multiple primary keys for table "${context.table}" are not allowed`,
      { position: primary[1].node.range.start + 1 },
    );
  }
  for (const { node, column } of [...primary, ...nodes.filter(({ node }) => !node.primary)]) {
    if (node.timing !== undefined) {
      throw new SqlError(sqlstate.featureNotSupported, "deferrable unique constraints are not supported", {
        position: node.range.start + 1,
      });
    }
    const names = column === undefined ? node.columns : [{ name: column, range: node.range }];
    const columns = keyColumns(names, node.primary ? "primary key" : "unique", context);
    const taken = (name: string) => context.store.has(context.schema, name) || keys.some((key) => key.name === name);
    const name =
      node.name?.name ??
      chooseName(
        context.table,
        node.primary ? [] : columns.map((index) => context.columns[index].name),
        node.primary ? "pkey" : "key",
        taken,
      );
    if (taken(name) || name === context.table) throw relationExists(name);
    keys.push({ name, columns, primary: node.primary, nullsNotDistinct: node.nullsNotDistinct, constraint: true });
  }
  return keys;
}

export function relationExists(name: string, position?: number): SqlError {
  return new SqlError(sqlstate.duplicateTable, `relation "${name}" already exists`, { position });
}

/** Indexes of the columns of a key. */
export function keyColumns(
  names: readonly { readonly name: string; readonly range: ast.Range }[],
  what: string,
  { columns }: Pick<ConstraintContext, "columns">,
): number[] {
  const found: number[] = [];
  for (const { name, range } of names) {
    const position = range.start + 1;
    const index = columns.findIndex((column) => column.name === name);
    if (index < 0) {
      throw new SqlError(sqlstate.undefinedColumn, `column "${name}" named in key does not exist`, { position });
    }
    if (found.includes(index)) {
      throw new SqlError(sqlstate.duplicateColumn, `column "${name}" appears twice in ${what} constraint`, {
        position,
      });
    }
    const { type } = columns[index];
    if (!isOrdered(type)) {
      throw new SqlError(
        sqlstate.undefinedObject,
        `data type ${type.display} has no default operator class for access method "btree"`,
        { position },
      );
    }
    found.push(index);
  }
  return found;
}

/** CHECK constraints, sorted by name: PostgreSQL tests them in that order. @throws SqlError 42710 */
export function resolveChecks(placed: readonly Placed<ast.TableConstraint>[], context: ConstraintContext): CheckRule[] {
  const checks: CheckRule[] = [];
  const nodes = placed.flatMap(({ node, column }) => (node.kind === "CheckConstraint" ? [{ node, column }] : []));
  // Constraints with a name get it before names are made up for the others.
  const namedNodes = new Set(nodes.flatMap(({ node }) => (node.name === undefined ? [] : [node.name.name])));
  for (const { node, column } of nodes) {
    const mentioned = column === undefined ? columnsMentioned(node.expression, context.columns) : [column];
    const taken = (name: string) => namedNodes.has(name) || checks.some((check) => check.name === name);
    const name = node.name?.name ?? chooseName(context.table, mentioned.length === 1 ? mentioned : [], "check", taken);
    if (checks.some((check) => check.name === name)) {
      throw new SqlError(sqlstate.duplicateObject, `check constraint "${name}" already exists`, {
        position: node.range.start + 1,
      });
    }
    checks.push({ name, sql: deparseExpression(node.expression) });
  }
  return checks.sort((a, b) => (a.name < b.name ? -1 : 1));
}

function columnsMentioned(expression: ast.Expression, columns: readonly TableColumn[]): string[] {
  const names = new Set<string>();
  walk(expression, (node) => {
    if (node.kind !== "ColumnRef") return;
    const name = node.parts[node.parts.length - 1];
    if (columns.some((column) => column.name === name)) names.add(name);
  });
  return [...names];
}

/** Foreign keys. `self` is the table being made, which may refer to itself. @throws SqlError 42P01, 42830, 42804, 0A000 */
export function resolveForeignKeys(
  placed: readonly Placed<ast.TableConstraint>[],
  self: StoredTable,
  context: ConstraintContext,
): ForeignKey[] {
  const keys: ForeignKey[] = [];
  for (const { node, column } of placed) {
    if (node.kind !== "ReferencesConstraint") continue;
    keys.push(resolveForeignKey(node, column, self, keys, context));
  }
  return keys;
}

function resolveForeignKey(
  node: ast.ReferencesConstraint,
  column: string | undefined,
  self: StoredTable,
  others: readonly ForeignKey[],
  context: ConstraintContext,
): ForeignKey {
  const position = node.range.start + 1;
  const target = referencedTable(node, self, context);
  const names = column === undefined ? node.columns : [{ name: column, range: node.range }];
  const columns = names.map(({ name, range }) => {
    const index = context.columns.findIndex((item) => item.name === name);
    if (index >= 0) return index;
    throw new SqlError(
      sqlstate.undefinedColumn,
      `column "${name}" referenced in foreign key constraint does not exist`,
      { position: range.start + 1 },
    );
  });
  const targetColumns = referencedColumns(node, target);
  if (columns.length !== targetColumns.length) {
    throw new SqlError("42830", "number of referencing and referenced columns for foreign key disagree", { position });
  }
  if (target.keyOver(targetColumns) === undefined) {
    throw new SqlError(
      "42830",
      `there is no unique constraint matching given keys for referenced table "${target.info.name}"`,
      { position },
    );
  }
  const named = node.columns.length > 0 || column !== undefined ? columns.map((i) => context.columns[i].name) : [];
  const name =
    node.name?.name ??
    chooseName(context.table, named, "fkey", (chosen) => others.some((other) => other.name === chosen));
  columns.forEach((index, i) => {
    const own = context.columns[index];
    const other = target.definition.columns[targetColumns[i]];
    if (own.type === other.type || (isInteger(own) && isInteger(other)) || (isString(own) && isString(other))) return;
    throw new SqlError(sqlstate.datatypeMismatch, `foreign key constraint "${name}" cannot be implemented`, {
      position,
      detail: `Key columns "${own.name}" and "${other.name}" are of incompatible types: ${own.type.display} and ${other.type.display}.`,
      hint: "Give both columns the same type.",
    });
  });
  return {
    name,
    columns,
    target,
    targetColumns,
    matchFull: matchOf(node) === "full",
    onDelete: actionOf(node.onDelete, position),
    onUpdate: actionOf(node.onUpdate, position),
  };
}

function isInteger({ type }: TableColumn): boolean {
  return type.name === "int2" || type.name === "int4" || type.name === "int8";
}

function isString({ type }: TableColumn): boolean {
  return type.name === "text" || type.name === "varchar";
}

function referencedTable(node: ast.ReferencesConstraint, self: StoredTable, context: ConstraintContext): StoredTable {
  const { name, schema } = node.table;
  const position = node.table.range.start + 1;
  if (name === context.table && (schema === undefined || schema === context.schema)) return self;
  const found = context.store.find(name, schema);
  if (found === undefined) {
    const shown = schema === undefined ? name : `${schema}.${name}`;
    throw new SqlError(sqlstate.undefinedTable, `relation "${shown}" does not exist`, { position });
  }
  if (found instanceof StoredTable) return found;
  throw new SqlError(sqlstate.wrongObjectType, `referenced relation "${name}" is not a table`, { position });
}

function referencedColumns(node: ast.ReferencesConstraint, target: StoredTable): number[] {
  if (node.targetColumns.length > 0) {
    return node.targetColumns.map(({ name, range }) => {
      const index = target.definition.columns.findIndex((column) => column.name === name);
      if (index >= 0) return index;
      throw new SqlError(
        sqlstate.undefinedColumn,
        `column "${name}" referenced in foreign key constraint does not exist`,
        { position: range.start + 1 },
      );
    });
  }
  const primary = target.definition.keys.find((key) => key.primary);
  if (primary !== undefined) return [...primary.columns];
  throw new SqlError(sqlstate.undefinedObject, `there is no primary key for referenced table "${target.info.name}"`, {
    position: node.range.start + 1,
  });
}

function matchOf(node: ast.ReferencesConstraint): "full" | "simple" {
  if (node.match === "partial") {
    throw new SqlError(sqlstate.featureNotSupported, "MATCH PARTIAL not yet implemented", {
      position: node.range.start + 1,
    });
  }
  if (node.timing === "deferred") {
    throw new SqlError(sqlstate.featureNotSupported, "deferred foreign keys are not supported", {
      position: node.range.start + 1,
      hint: "Leave out INITIALLY DEFERRED: the constraint is then checked at the end of each statement.",
    });
  }
  return node.match ?? "simple";
}

function actionOf(action: ast.ReferentialAction | undefined, position: number): ReferentialAction {
  switch (action) {
    case undefined:
      return "no action";
    case "set default":
    case "set null columns":
    case "set default columns":
      throw new SqlError(
        sqlstate.featureNotSupported,
        `ON DELETE or UPDATE ${action === "set null columns" ? "SET NULL with a list of columns" : "SET DEFAULT"} is not supported`,
        { position, hint: "CASCADE, SET NULL, RESTRICT and NO ACTION are supported." },
      );
    default:
      return action;
  }
}
