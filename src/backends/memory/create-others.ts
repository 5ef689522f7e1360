/** CREATE VIEW, CREATE INDEX, CREATE TYPE … AS ENUM, CREATE SCHEMA. */
import type { ViewInfo } from "../../catalog/table.js";
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type { SessionContext } from "../../functions/function.js";
import type * as ast from "../../grammar/ast.js";
import { bind } from "../../planner/bind/bind.js";
import { operationsOf } from "../../types/families.js";
import { enumType } from "../../types/type.js";
import { columnsOfQuery, isFree } from "./create-table.js";
import { chooseName } from "./object-names.js";
import { selectFrom } from "./row-expressions.js";
import { type Store, type StoredView, targetSchema } from "./store.js";
import { StoredTable } from "./stored-table.js";
import { keyColumns, relationExists } from "./table-constraints.js";
import { keyOf, type UniqueKey } from "./table-key.js";

/** @throws SqlError 42P07, 42P16 and whatever is wrong with the query */
export function createView(statement: ast.CreateViewStatement, store: Store): void {
  const position = statement.range.start + 1;
  if (statement.recursive) {
    throw new SqlError(sqlstate.featureNotSupported, "CREATE RECURSIVE VIEW is not supported", {
      position,
      hint: "CREATE VIEW name AS WITH RECURSIVE … SELECT … does the same.",
    });
  }
  if (statement.checkOption !== undefined) {
    throw new SqlError(sqlstate.featureNotSupported, "WITH CHECK OPTION is not supported", { position });
  }
  const schema = targetSchema(store, statement.name, statement.temporary);
  const { name } = statement.name;
  const bound = bind(statement.query, store);
  if (bound.parameters.length > 0) {
    throw new SqlError(sqlstate.undefinedParameter, "views cannot contain parameters", { position });
  }
  const columns = columnsOfQuery(
    bound.output,
    statement.columns,
    "CREATE VIEW specifies more column names than columns",
  );
  const info: ViewInfo = {
    kind: "view",
    schema,
    name,
    description: "",
    columns,
    verbs: ["select"],
    volatility: "volatile",
    primaryKey: [],
    query: statement.query,
  };
  const existing = store.find(name, schema);
  if (existing !== undefined && statement.orReplace) {
    if (existing.kind !== "view") {
      throw new SqlError(sqlstate.wrongObjectType, `"${name}" is not a view`, { position });
    }
    checkReplacement(existing, info);
    store.remove(existing);
  } else {
    isFree(store, schema, statement.name, false);
  }
  store.add({ kind: "view", info });
}

/** A view may get more columns at its end, nothing else. */
function checkReplacement(before: StoredView, after: ViewInfo): void {
  before.info.columns.forEach((old, i) => {
    const now = after.columns[i];
    if (now === undefined) {
      throw new SqlError(sqlstate.invalidTableDefinition, "cannot drop columns from view");
    }
    if (now.name !== old.name) {
      throw new SqlError(
        sqlstate.invalidTableDefinition,
        `cannot change name of view column "${old.name}" to "${now.name}"`,
      );
    }
    if (now.type !== old.type || now.typmod !== old.typmod) {
      throw new SqlError(
        sqlstate.invalidTableDefinition,
        `cannot change data type of view column "${old.name}" from ${old.type.display} to ${now.type.display}`,
      );
    }
  });
}

/** Unique indexes become keys; others would only make reading faster and leave no trace. @throws SqlError 42P07, 23505, 0A000 */
export function createIndex(statement: ast.CreateIndexStatement, store: Store, session: SessionContext): void {
  const position = statement.range.start + 1;
  const table = store.find(statement.table.name, statement.table.schema);
  if (table === undefined) {
    throw new SqlError(sqlstate.undefinedTable, `relation "${statement.table.name}" does not exist`, {
      position: statement.table.range.start + 1,
    });
  }
  if (!(table instanceof StoredTable)) {
    throw new SqlError(sqlstate.wrongObjectType, `cannot create index on relation "${statement.table.name}"`, {
      position,
      detail: "This operation is not supported for views.",
    });
  }
  const { definition } = table;
  if (statement.name !== undefined && store.has(definition.schema, statement.name.name)) {
    if (statement.ifNotExists) return;
    throw relationExists(statement.name.name);
  }
  if (statement.method !== undefined && statement.method.name !== "btree") {
    throw new SqlError(sqlstate.featureNotSupported, `access method "${statement.method.name}" is not supported`, {
      position,
    });
  }
  if (!statement.unique) {
    nameIndex(statement, table, store);
    return;
  }
  const names = statement.elements.map((element) => {
    const name = plainColumn(element);
    if (name !== undefined) return { name, range: element.range };
    throw new SqlError(sqlstate.featureNotSupported, "unique indexes on expressions are not supported", {
      position: element.range.start + 1,
      hint: "A generated column holds the value of an expression, and can be indexed.",
    });
  });
  if (statement.where !== undefined) {
    throw new SqlError(sqlstate.featureNotSupported, "partial unique indexes are not supported", {
      position: statement.where.range.start + 1,
    });
  }
  for (const { name, range } of names) {
    if (!definition.columns.some((column) => column.name === name)) {
      throw new SqlError(sqlstate.undefinedColumn, `column "${name}" does not exist`, { position: range.start + 1 });
    }
  }
  const columns = keyColumns(names, "index", definition);
  const key: UniqueKey = {
    name:
      statement.name?.name ??
      chooseName(definition.name, table.columnNames(columns), "idx", (name) => store.has(definition.schema, name)),
    columns,
    primary: false,
    nullsNotDistinct: statement.nullsNotDistinct,
    constraint: false,
  };
  refuseDuplicates(table, key, session);
  table.redefine({ ...definition, keys: [...definition.keys, key] });
  store.refresh(table);
}

/** The column that an element of an index is, unless it is an expression. */
function plainColumn({ expression }: ast.IndexElement): string | undefined {
  return expression.kind === "ColumnRef" && expression.parts.length === 1 && !expression.star
    ? expression.parts[0]
    : undefined;
}

/** An index that is not unique is kept as a name only: it can be dropped, and a second one of that name is refused. */
function nameIndex(statement: ast.CreateIndexStatement, table: StoredTable, store: Store): void {
  const { definition } = table;
  const where = statement.where === undefined ? [] : [statement.where];
  const expressions = [...statement.elements.map((element) => element.expression), ...where];
  bind(selectFrom(definition, expressions), store); // for its errors
  const labels = statement.elements.map((element) => plainColumn(element) ?? "expr");
  const taken = (name: string) => store.has(definition.schema, name);
  store.addPlainIndex(table, statement.name?.name ?? chooseName(definition.name, labels, "idx", taken));
}

function refuseDuplicates(table: StoredTable, key: UniqueKey, session: SessionContext): void {
  table.materialize(session);
  const of = keyOf(key.columns, table.definition.columns, key.nullsNotDistinct);
  const seen = new Set<unknown>();
  for (const row of table.rows) {
    const value = of(row);
    if (value === undefined) continue;
    if (seen.has(value)) {
      const names = table.columnNames(key.columns).join(", ");
      const values = key.columns.map((column) => {
        const item = row[column];
        return item === null ? "null" : operationsOf(table.definition.columns[column].type).output(item, session);
      });
      throw new SqlError(sqlstate.uniqueViolation, `could not create unique index "${key.name}"`, {
        detail: `Key (${names})=(${values.join(", ")}) is duplicated.`,
      });
    }
    seen.add(value);
  }
}

/** @throws SqlError 42710, 23505 for a label that occurs twice */
export function createEnum(statement: ast.CreateEnumStatement, store: Store): void {
  const { name } = statement.name;
  const position = statement.name.range.start + 1;
  if (store.type(name) !== undefined || store.has("public", name)) {
    throw new SqlError(sqlstate.duplicateObject, `type "${name}" already exists`, { position });
  }
  const labels = statement.labels.map((label) => label.value);
  labels.forEach((label, i) => {
    if (label.length > 63) {
      throw new SqlError(sqlstate.invalidName, `invalid enum label "${label}"`, {
        detail: "Labels must be 63 bytes or less.",
      });
    }
    if (labels.indexOf(label) < i) {
      throw new SqlError(
        sqlstate.uniqueViolation,
        'duplicate key value violates unique constraint "pg_enum_typid_label_index"',
        { position: statement.labels[i].range.start + 1, detail: `The label "${label}" occurs twice.` },
      );
    }
  });
  store.addType(enumType(name, labels));
}

/** @throws SqlError 42P06 */
export function createSchema(statement: ast.CreateSchemaStatement, store: Store): void {
  const { name } = statement.name;
  if (!store.hasSchema(name)) {
    store.addSchema(name);
    return;
  }
  if (statement.ifNotExists) return;
  throw new SqlError("42P06", `schema "${name}" already exists`, { position: statement.name.range.start + 1 });
}
