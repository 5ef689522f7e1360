/** CREATE VIEW, CREATE TYPE … AS ENUM, CREATE SCHEMA. */
import type { ViewInfo } from "../../catalog/table.js";
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type * as ast from "../../grammar/ast.js";
import { bind } from "../../planner/bind/bind.js";
import { enumType } from "../../types/type.js";
import { columnsOfQuery, isFree } from "./create-table.js";
import { type Store, type StoredView, targetSchema } from "./store.js";

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
