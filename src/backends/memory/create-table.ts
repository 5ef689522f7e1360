/** CREATE TABLE, and CREATE TABLE AS with SELECT INTO. Source: PostgreSQL 15, reference pages of these statements. */
import type { TableColumn } from "../../catalog/table.js";
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../../grammar/ast.js";
import { bind } from "../../planner/bind/bind.js";
import type { Column } from "../../planner/expr.js";
import { types } from "../../types/type.js";
import { resolveColumns } from "./column-definitions.js";
import { compileChecks, compileGenerated } from "./row-expressions.js";
import { type Store, targetSchema } from "./store.js";
import { plainDefinition, StoredTable, type TableDefinition } from "./stored-table.js";
import {
  placedConstraints,
  relationExists,
  resolveChecks,
  resolveForeignKeys,
  resolveKeys,
} from "./table-constraints.js";
import type { StoredRow } from "./table-key.js";

/** Whether the name is free. @returns false when the object exists and IF NOT EXISTS was written @throws SqlError 42P07 */
export function isFree(store: Store, schema: string, name: ast.QualifiedName, ifNotExists: boolean): boolean {
  if (!store.has(schema, name.name)) return true;
  if (ifNotExists) return false;
  throw relationExists(name.name);
}

/** @throws SqlError for everything wrong with the definition */
export function createTable(statement: ast.CreateTableStatement, store: Store): void {
  refuseParts(statement);
  const schema = targetSchema(store, statement.name, statement.temporary);
  const { name } = statement.name;
  if (!isFree(store, schema, statement.name, statement.ifNotExists)) return;
  const { columns, sequences, generated } = resolveColumns(statement.columns, {
    table: name,
    userType: (type, typeSchema) => store.type(type, typeSchema),
    nameTaken: (sequence) => store.sequence(sequence) !== undefined,
  });
  const placed = placedConstraints(statement);
  const context = { store, schema, table: name, columns };
  const keys = resolveKeys(placed, context);
  const primary = keys.find((key) => key.primary);
  const definition: TableDefinition = {
    schema,
    name,
    columns: columns.map((column, i) => (primary?.columns.includes(i) ? { ...column, nullable: false } : column)),
    keys,
    checks: resolveChecks(placed, context),
    generated,
    foreignKeys: [],
    hidden: [],
    sequences: sequences.map((sequence) => sequence.name),
  };
  const table = new StoredTable(definition);
  const foreignKeys = resolveForeignKeys(placed, table, context);
  if (foreignKeys.length > 0) table.redefine({ ...definition, foreignKeys });
  store.add(table);
  for (const sequence of sequences) store.addSequence(sequence);
  try {
    validate(table, store);
  } catch (error) {
    store.remove(table);
    for (const sequence of sequences) store.removeSequence(sequence.name);
    throw error;
  }
}

/** Binds every expression of the definition, so that what is wrong with one is found now. */
function validate(table: StoredTable, store: Store): void {
  const { definition } = table;
  compileGenerated(definition, store);
  compileChecks(definition, store);
  if (definition.columns.some((column) => column.defaultSql !== undefined)) {
    const nowhere = { range: { start: 0, end: 0 } };
    const target: ast.QualifiedName = {
      kind: "QualifiedName",
      schema: definition.schema,
      name: definition.name,
      ...nowhere,
    };
    bind({ kind: "InsertStatement", target, columns: [], returning: [], ...nowhere }, store);
  }
}

function refuseParts(statement: ast.CreateTableStatement): void {
  const [part] = statement.unsupported;
  const position = statement.range.start + 1;
  if (part !== undefined) {
    throw new SqlError(sqlstate.featureNotSupported, `CREATE TABLE with ${part} is not supported`, { position });
  }
  if (statement.onCommit !== undefined && !statement.temporary) {
    throw new SqlError(sqlstate.invalidTableDefinition, "ON COMMIT can only be used on temporary tables", { position });
  }
  if (statement.onCommit === "drop" || statement.onCommit === "delete rows") {
    throw new SqlError(sqlstate.featureNotSupported, `ON COMMIT ${statement.onCommit.toUpperCase()} is not supported`, {
      position,
      hint: "Drop the table, or empty it with TRUNCATE, when you are done with it.",
    });
  }
}

/** The table that a query's rows go into. @throws SqlError 42601, 42701, 42P16 */
export function tableForQuery(
  schema: string,
  name: string,
  aliases: readonly ast.Identifier[],
  output: readonly Column[],
): StoredTable {
  const columns = columnsOfQuery(output, aliases, "CREATE TABLE AS specifies too many column names");
  return new StoredTable(plainDefinition(schema, name, columns));
}

/** The columns of a query under new names, as a table or view has them. */
export function columnsOfQuery(
  output: readonly Column[],
  aliases: readonly ast.Identifier[],
  tooMany: string,
): TableColumn[] {
  if (aliases.length > output.length) {
    throw new SqlError(sqlstate.syntaxError, tooMany, { position: aliases[output.length].range.start + 1 });
  }
  const seen = new Set<string>();
  return output.map((column, i) => {
    const name = aliases[i]?.name ?? column.name;
    if (seen.has(name)) throw new SqlError(sqlstate.duplicateColumn, `column "${name}" specified more than once`);
    seen.add(name);
    const type = column.type === types.unknown ? types.text : column.type;
    if (type.category === "P") {
      throw new SqlError(sqlstate.invalidTableDefinition, `column "${name}" has pseudo-type ${type.display}`);
    }
    return { name, type, typmod: column.typmod, nullable: true, pushable: false };
  });
}

/** Fills a table that nobody has seen yet. */
export function fill(table: StoredTable, rows: readonly StoredRow[]): void {
  table.replaceRows([...rows]);
}
