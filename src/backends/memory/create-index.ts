/**
 * CREATE INDEX. Unique indexes become keys, over columns, expressions, or a part of the rows; others would only make reading
 * faster and leave no trace. Source: PostgreSQL 15, reference page CREATE INDEX.
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../../grammar/ast.js";
import { deparseExpression } from "../../grammar/deparse.js";
import { bind } from "../../planner/bind/bind.js";
import { isOrdered } from "../../types/families.js";
import { types } from "../../types/type.js";
import { chooseName } from "./object-names.js";
import { compileHidden, type RowEnvironment, selectFrom } from "./row-expressions.js";
import type { Store } from "./store.js";
import { type HiddenValue, StoredTable, type TableDefinition } from "./stored-table.js";
import { keyColumns, relationExists } from "./table-constraints.js";
import { keyOf, type UniqueKey } from "./table-key.js";
import { duplicateInIndex } from "./violations.js";

/** @throws SqlError 42P07, 42P17, 23505, 0A000 */
export async function createIndex(
  statement: ast.CreateIndexStatement,
  store: Store,
  environment: RowEnvironment,
): Promise<void> {
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
  const name = () => statement.name?.name ?? nameFor(statement, table, store);
  if (!statement.unique) {
    checkExpressions(statement, definition, store);
    store.addPlainIndex(table, name());
    return;
  }
  await addKey(table, withKey(statement, table, name(), store), store, environment);
}

/** PostgreSQL's name: the table's, the columns', and `expr` for every expression. */
function nameFor(statement: ast.CreateIndexStatement, table: StoredTable, store: Store): string {
  const labels = statement.elements.map(({ expression }) => {
    if (expression.kind === "FunctionCall") return expression.name.name;
    return plainColumn(expression) ?? "expr";
  });
  return chooseName(table.definition.name, labels, "idx", (taken) => store.has(table.definition.schema, taken));
}

/** The column that an element of an index is, unless it is an expression. */
function plainColumn(expression: ast.Expression): string | undefined {
  return expression.kind === "ColumnRef" && expression.parts.length === 1 && !expression.star
    ? expression.parts[0]
    : undefined;
}

function checkExpressions(statement: ast.CreateIndexStatement, definition: TableDefinition, store: Store): void {
  const where = statement.where === undefined ? [] : [statement.where];
  bind(selectFrom(definition, [...statement.elements.map((element) => element.expression), ...where]), store);
}

/** The definition with one key more, and the values behind the row that it compares. */
function withKey(
  statement: ast.CreateIndexStatement,
  table: StoredTable,
  name: string,
  store: Store,
): { readonly definition: TableDefinition; readonly key: UniqueKey } {
  const { definition } = table;
  const hidden: HiddenValue[] = [...definition.hidden];
  const hide = (expression: ast.Expression): number => {
    const [{ type }] = bind(selectFrom(definition, [expression]), store).output;
    const sql = deparseExpression(expression);
    hidden.push({ sql, name: expression.kind === "FunctionCall" ? sql : `(${sql})`, type });
    return definition.columns.length + hidden.length - 1;
  };
  const columns = statement.elements.map(({ expression, range }) => {
    const column = plainColumn(expression);
    if (column !== undefined) {
      if (!definition.columns.some((item) => item.name === column)) {
        throw new SqlError(sqlstate.undefinedColumn, `column "${column}" does not exist`, {
          position: range.start + 1,
        });
      }
      return keyColumns([{ name: column, range }], "index", definition)[0];
    }
    const at = hide(expression);
    const { type } = hidden[hidden.length - 1];
    if (isOrdered(type)) return at;
    throw new SqlError(
      sqlstate.undefinedObject,
      `data type ${type.display} has no default operator class for access method "btree"`,
      { position: range.start + 1 },
    );
  });
  let where: number | undefined;
  if (statement.where !== undefined) {
    where = hide(statement.where);
    const { type } = hidden[hidden.length - 1];
    if (type !== types.bool) {
      throw new SqlError(
        sqlstate.datatypeMismatch,
        `argument of WHERE must be type boolean, not type ${type.display}`,
        {
          position: statement.where.range.start + 1,
        },
      );
    }
  }
  const modified = statement.elements.some((element) => element.collation ?? element.operatorClass);
  const key: UniqueKey = {
    name,
    columns,
    ...(modified && {
      modifiers: statement.elements.map(({ collation, operatorClass }) => ({
        collation: collation?.name,
        operatorClass: operatorClass?.name,
      })),
    }),
    ...(where !== undefined && { where }),
    primary: false,
    nullsNotDistinct: statement.nullsNotDistinct,
    constraint: false,
  };
  return { definition: { ...definition, hidden, keys: [...definition.keys, key] }, key };
}

async function addKey(
  table: StoredTable,
  { definition, key }: { readonly definition: TableDefinition; readonly key: UniqueKey },
  store: Store,
  environment: RowEnvironment,
): Promise<void> {
  table.materialize(environment.session);
  let { rows } = table;
  if (definition.hidden.length > table.definition.hidden.length) {
    const width = definition.columns.length;
    const values = (await compileHidden(definition, store)?.evaluate(rows, environment)) ?? [];
    rows = rows.map((row, i) => [...row.slice(0, width), ...values[i]]);
  }
  const of = keyOf(key, definition);
  const seen = new Set<unknown>();
  for (const row of rows) {
    const value = of(row);
    if (value === undefined) continue;
    if (seen.has(value)) throw duplicateInIndex(definition, key, row, environment.session);
    seen.add(value);
  }
  table.replaceRows([...rows]);
  table.redefine(definition);
  store.refresh(table);
}
