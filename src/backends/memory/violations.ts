/** Errors of constraints, in PostgreSQL's words and details. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { quoteName } from "../../grammar/deparse.js";
import { operationsOf } from "../../types/families.js";
import type { TypeContext } from "../../types/operations.js";
import type { ForeignKey, StoredTable, TableDefinition } from "./stored-table.js";
import { placeOf, type StoredRow, type UniqueKey } from "./table-key.js";

/** Values of a row are cut to this many characters in details, as PostgreSQL does. */
const shownCharacters = 64;

export function notNullViolation(table: StoredTable, column: number, row: StoredRow, context: TypeContext): SqlError {
  const { name } = table.definition.columns[column];
  return new SqlError(
    sqlstate.notNullViolation,
    `null value in column "${name}" of relation "${table.info.name}" violates not-null constraint`,
    { detail: failingRow(table, row, context) },
  );
}

export function checkViolation(table: StoredTable, check: string, row: StoredRow, context: TypeContext): SqlError {
  return new SqlError(
    sqlstate.checkViolation,
    `new row for relation "${table.info.name}" violates check constraint "${check}"`,
    { detail: failingRow(table, row, context) },
  );
}

export function uniqueViolation(table: StoredTable, key: UniqueKey, row: StoredRow, context: TypeContext): SqlError {
  return new SqlError(sqlstate.uniqueViolation, `duplicate key value violates unique constraint "${key.name}"`, {
    detail: `Key ${shownKey(table.definition, key.columns, row, context)} already exists.`,
  });
}

/** A row refers to nothing. */
export function missingReference(table: StoredTable, key: ForeignKey, row: StoredRow, context: TypeContext): SqlError {
  return new SqlError(
    sqlstate.foreignKeyViolation,
    `insert or update on table "${table.info.name}" violates foreign key constraint "${key.name}"`,
    {
      detail: `Key ${shownKey(table.definition, key.columns, row, context)} is not present in table "${key.target.info.name}".`,
    },
  );
}

/** MATCH FULL allows no mixture of NULLs and values. */
export function mixedReference(table: StoredTable, key: ForeignKey): SqlError {
  return new SqlError(
    sqlstate.foreignKeyViolation,
    `insert or update on table "${table.info.name}" violates foreign key constraint "${key.name}"`,
    { detail: "MATCH FULL does not allow mixing of null and nonnull key values." },
  );
}

/** A row that others refer to was deleted or got another key. */
export function stillReferenced(child: StoredTable, key: ForeignKey, row: StoredRow, context: TypeContext): SqlError {
  const parent = key.target;
  return new SqlError(
    sqlstate.foreignKeyViolation,
    `update or delete on table "${parent.info.name}" violates foreign key constraint "${key.name}" on table "${child.info.name}"`,
    {
      detail: `Key ${shownKey(parent.definition, key.targetColumns, row, context)} is still referenced from table "${child.info.name}".`,
    },
  );
}

/** CREATE UNIQUE INDEX over rows that are not unique. */
export function duplicateInIndex(
  definition: TableDefinition,
  key: UniqueKey,
  row: StoredRow,
  context: TypeContext,
): SqlError {
  return new SqlError(sqlstate.uniqueViolation, `could not create unique index "${key.name}"`, {
    detail: `Key ${shownKey(definition, key.columns, row, context)} is duplicated.`,
  });
}

function shownKey(
  definition: TableDefinition,
  columns: readonly number[],
  row: StoredRow,
  context: TypeContext,
): string {
  const isColumn = (position: number) => position < definition.columns.length;
  const names = columns.map((position) => {
    const { name } = placeOf(definition, position);
    return isColumn(position) ? quoteName(name) : name;
  });
  const values = columns.map((column) => shown(definition, column, row, context));
  return `(${names.join(", ")})=(${values.join(", ")})`;
}

function failingRow(table: StoredTable, row: StoredRow, context: TypeContext): string {
  const { definition } = table;
  const values = definition.columns.map((_, column) => {
    const text = shown(definition, column, row, context);
    return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}...` : text;
  });
  return `Failing row contains (${values.join(", ")}).`;
}

function shown(definition: TableDefinition, column: number, row: StoredRow, context: TypeContext): string {
  const value = row[column];
  if (value === null) return "null";
  return operationsOf(placeOf(definition, column).type).output(value, context);
}
