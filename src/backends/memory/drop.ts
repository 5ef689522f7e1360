/** DROP and TRUNCATE. Source: PostgreSQL 15, 5.14 "Dependency Tracking". */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../../grammar/ast.js";
import { walk } from "../../grammar/walk.js";
import { arrayOf } from "../../types/type.js";
import type { Store, StoredView, StoreObject } from "./store.js";
import { StoredTable } from "./stored-table.js";

/** @throws SqlError 42P01, 42704, 42809, 2BP01, 0A000 */
export function drop(statement: ast.DropStatement, store: Store): void {
  for (const name of statement.names) dropOne(statement, name, store);
}

function dropOne(statement: ast.DropStatement, name: ast.QualifiedName, store: Store): void {
  switch (statement.objectType) {
    case "table":
    case "view":
      dropRelation(statement, name, store);
      break;
    case "index":
      dropIndex(statement, name, store);
      break;
    case "type":
      dropType(statement, name, store);
      break;
    case "schema":
      dropSchema(statement, name, store);
      break;
    case "sequence":
      dropSequence(statement, name, store);
      break;
    default:
      throw new SqlError(sqlstate.featureNotSupported, `DROP ${statement.objectType.toUpperCase()} is not supported`, {
        position: statement.range.start + 1,
      });
  }
}

function dropRelation(statement: ast.DropStatement, name: ast.QualifiedName, store: Store): void {
  const wanted = statement.objectType === "view" ? "view" : "stored";
  const object = store.find(name.name, name.schema);
  if (object === undefined) {
    if (statement.ifExists) return;
    throw missing(statement, name);
  }
  if (object.kind !== wanted) {
    const is = object.kind === "view" ? "view" : "table";
    throw new SqlError(sqlstate.wrongObjectType, `"${name.name}" is not a ${statement.objectType}`, {
      hint: `Use DROP ${is.toUpperCase()} to remove a ${is}.`,
    });
  }
  removeWithDependents(object, store, statement.cascade);
}

/** Views over it go along with CASCADE, and so do the foreign keys that refer to it. @throws SqlError 2BP01 */
function removeWithDependents(object: StoreObject, store: Store, cascade: boolean): void {
  const views = [...store.views()].filter((view) => view !== object && reads(view, object, store));
  const children =
    object instanceof StoredTable
      ? [...store.tables()].filter(
          (table) => table !== object && table.definition.foreignKeys.some((key) => key.target === object),
        )
      : [];
  if (!cascade && (views.length > 0 || children.length > 0)) throw dependents(object, views, children);
  for (const view of views) removeWithDependents(view, store, true);
  for (const table of children) {
    const { definition } = table;
    const foreignKeys = definition.foreignKeys.filter((key) => key.target !== object);
    table.redefine({ ...definition, foreignKeys });
    store.refresh(table);
  }
  store.remove(object);
  if (object instanceof StoredTable) for (const name of object.definition.sequences) store.removeSequence(name);
}

function dependents(object: StoreObject, views: readonly StoredView[], children: readonly StoredTable[]): SqlError {
  const kind = object.kind === "view" ? "view" : "table";
  const { name } = object.info;
  const lines = [
    ...children.flatMap((table) =>
      table.definition.foreignKeys
        .filter((key) => key.target === object)
        .map((key) => `constraint ${key.name} on table ${table.info.name} depends on ${kind} ${name}`),
    ),
    ...views.map((view) => `view ${view.info.name} depends on ${kind} ${name}`),
  ];
  return new SqlError(
    sqlstate.dependentObjectsStillExist,
    `cannot drop ${kind} ${name} because other objects depend on it`,
    { detail: lines.join("\n"), hint: "Use DROP ... CASCADE to drop the dependent objects too." },
  );
}

/** Whether the query of a view names the object. */
function reads(view: StoredView, object: StoreObject, store: Store): boolean {
  let found = false;
  walk(view.info.query, (node) => {
    if (node.kind !== "TableReference" || node.name.name !== object.info.name) return;
    if (store.find(node.name.name, node.name.schema) === object) found = true;
  });
  return found;
}

function dropIndex(statement: ast.DropStatement, name: ast.QualifiedName, store: Store): void {
  const schema = name.schema ?? "public";
  if (store.removePlainIndex(schema, name.name)) return;
  const table = store.indexOwner(schema, name.name) ?? store.indexOwner("pg_temp", name.name);
  if (table === undefined) {
    if (statement.ifExists) return;
    throw missing(statement, name);
  }
  const { definition } = table;
  const key = definition.keys.find((item) => item.name === name.name);
  if (key?.constraint === true) {
    throw new SqlError(
      sqlstate.dependentObjectsStillExist,
      `cannot drop index ${name.name} because constraint ${name.name} on table ${definition.name} requires it`,
      { hint: `You can drop constraint ${name.name} on table ${definition.name} instead.` },
    );
  }
  table.removeKey(name.name);
  store.refresh(table);
}

function dropType(statement: ast.DropStatement, name: ast.QualifiedName, store: Store): void {
  const type = store.type(name.name, name.schema);
  if (type === undefined) {
    if (statement.ifExists) return;
    throw missing(statement, name);
  }
  const users = [...store.tables(), ...store.views()].flatMap((object) =>
    object.info.columns
      .filter((column) => column.type === type || column.type === arrayOf(type))
      .map(
        (column) =>
          `column ${column.name} of ${object.kind === "view" ? "view" : "table"} ${object.info.name} depends on type ${type.name}`,
      ),
  );
  if (users.length > 0) {
    if (statement.cascade) {
      throw new SqlError(
        sqlstate.featureNotSupported,
        "DROP TYPE … CASCADE of a type that columns have is not supported",
        {
          detail: users.join("\n"),
          hint: "Drop the tables first.",
        },
      );
    }
    throw new SqlError(
      sqlstate.dependentObjectsStillExist,
      `cannot drop type ${type.name} because other objects depend on it`,
      { detail: users.join("\n"), hint: "Use DROP ... CASCADE to drop the dependent objects too." },
    );
  }
  store.removeType(type.name);
}

function dropSchema(statement: ast.DropStatement, name: ast.QualifiedName, store: Store): void {
  const schema = name.name;
  if (![...store.allSchemas()].includes(schema)) {
    if (statement.ifExists) return;
    throw new SqlError("3F000", `schema "${schema}" does not exist`, { position: name.range.start + 1 });
  }
  const inside = [...store.tables(), ...store.views()].filter((object) => object.info.schema === schema);
  if (inside.length > 0 && !statement.cascade) {
    throw new SqlError(
      sqlstate.dependentObjectsStillExist,
      `cannot drop schema ${schema} because other objects depend on it`,
      {
        detail: inside
          .map(
            (object) =>
              `${object.kind === "view" ? "view" : "table"} ${schema}.${object.info.name} depends on schema ${schema}`,
          )
          .join("\n"),
        hint: "Use DROP ... CASCADE to drop the dependent objects too.",
      },
    );
  }
  for (const object of inside)
    if (store.find(object.info.name, schema) === object) removeWithDependents(object, store, true);
  store.removeSchema(schema);
}

function dropSequence(statement: ast.DropStatement, name: ast.QualifiedName, store: Store): void {
  if (store.sequence(name.name) === undefined) {
    if (statement.ifExists) return;
    throw missing(statement, name);
  }
  const owner = [...store.tables()].find((table) => table.definition.sequences.includes(name.name));
  if (owner !== undefined) {
    throw new SqlError(
      sqlstate.dependentObjectsStillExist,
      `cannot drop sequence ${name.name} because other objects depend on it`,
      { detail: `A default value of table ${owner.info.name} depends on sequence ${name.name}` },
    );
  }
  store.removeSequence(name.name);
}

function missing(statement: ast.DropStatement, name: ast.QualifiedName): SqlError {
  const shown = name.schema === undefined ? name.name : `${name.schema}.${name.name}`;
  const code = statement.objectType === "type" || statement.objectType === "index" ? "42704" : sqlstate.undefinedTable;
  return new SqlError(code, `${statement.objectType} "${shown}" does not exist`);
}

/** @throws SqlError 42P01, 42809, 0A000 when a table that stays refers to one of these */
export function truncate(statement: ast.TruncateStatement, store: Store): void {
  const tables = new Set<StoredTable>();
  for (const { name } of statement.tables) {
    const found = store.find(name.name, name.schema);
    const position = name.range.start + 1;
    if (found === undefined) {
      throw new SqlError(sqlstate.undefinedTable, `relation "${name.name}" does not exist`, { position });
    }
    if (!(found instanceof StoredTable)) {
      throw new SqlError(sqlstate.wrongObjectType, `"${name.name}" is not a table`, { position });
    }
    tables.add(found);
  }
  // The set grows while CASCADE takes in the tables that refer to its members.
  for (const table of tables) {
    for (const child of store.tables()) {
      const key = child.definition.foreignKeys.find((item) => item.target === table);
      if (key === undefined || tables.has(child)) continue;
      if (!statement.cascade) {
        throw new SqlError(
          sqlstate.featureNotSupported,
          "cannot truncate a table referenced in a foreign key constraint",
          {
            detail: `Table "${child.info.name}" references "${table.info.name}".`,
            hint: `Truncate table "${child.info.name}" at the same time, or use TRUNCATE ... CASCADE.`,
          },
        );
      }
      tables.add(child);
    }
  }
  for (const table of tables) {
    table.replaceRows([]);
    if (statement.restartIdentity) for (const name of table.definition.sequences) store.sequence(name)?.restart();
  }
}
