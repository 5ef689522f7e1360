/** A catalog made of CREATE TABLE, CREATE VIEW and CREATE TYPE statements, for tests of the planner. It holds no rows. */
import type { CatalogReader, StoredTableInfo, Table, TableColumn, Verb, ViewInfo } from "../../src/catalog/table.js";
import { resolveTypeName } from "../../src/catalog/type-name.js";
import type * as ast from "../../src/grammar/ast.js";
import { parse } from "../../src/grammar/parse.js";
import { bind } from "../../src/planner/bind/bind.js";
import { enumType, type SqlType, types } from "../../src/types/type.js";

export interface FakeCatalogOptions {
  /** `table.column` → declared labels. */
  readonly labels?: Readonly<Record<string, readonly string[]>>;
  /** Verbs of single tables; the others have all. */
  readonly verbs?: Readonly<Record<string, readonly Verb[]>>;
}

const allVerbs: readonly Verb[] = ["select", "insert", "update", "delete"];

/** Reads the definitions; statements of other kinds (INSERT, CREATE INDEX) are passed over, except that unique indexes are keys. */
export function fakeCatalog(sql: readonly string[], options: FakeCatalogOptions = {}): CatalogReader {
  const tables = new Map<string, Table>();
  const userTypes = new Map<string, SqlType>();
  const reader: CatalogReader = {
    table: (name, schema) => (schema === undefined || schema === "public" ? tables.get(name) : undefined),
    hasSchema: (schema) => ["public", "pg_catalog", "information_schema"].includes(schema),
    tableNames: () => tables.keys(),
    type: (name) => userTypes.get(name),
    version: 1,
  };
  const definitions = sql
    .filter((text) => !text.startsWith("INSERT"))
    .flatMap((text) => parse(text).map((statement) => ({ statement, text })));
  for (const { statement, text } of definitions) {
    if (statement.kind === "CreateTableStatement") {
      tables.set(statement.name.name, tableOf(statement, text, reader, options));
    } else if (statement.kind === "CreateEnumStatement") {
      const labels = statement.labels.map((label) => label.value);
      userTypes.set(statement.name.name, enumType(statement.name.name, labels));
    } else if (statement.kind === "CreateViewStatement") {
      tables.set(statement.name.name, viewOf(statement, reader));
    } else if (statement.kind === "CreateIndexStatement" && statement.unique) {
      addUniqueIndex(statement, tables);
    }
  }
  return reader;
}

const serialTypes: Readonly<Record<string, SqlType>> = {
  serial: types.int4,
  serial4: types.int4,
  bigserial: types.int8,
  serial8: types.int8,
  smallserial: types.int2,
};

function tableOf(
  statement: ast.CreateTableStatement,
  text: string,
  reader: CatalogReader,
  options: FakeCatalogOptions,
): StoredTableInfo {
  const { name } = statement.name;
  const uniqueKeys: string[][] = [];
  let primaryKey: string[] = [];
  const columns = statement.columns.map((definition): TableColumn => {
    const columnName = definition.name.name;
    for (const constraint of definition.constraints) {
      if (constraint.kind !== "UniqueConstraint") continue;
      if (constraint.primary) primaryKey = [columnName];
      else uniqueKeys.push([columnName]);
    }
    return columnOf(definition, text, reader, options.labels?.[`${name}.${columnName}`]);
  });
  for (const constraint of statement.constraints) {
    if (constraint.kind !== "UniqueConstraint") continue;
    const names = constraint.columns.map((column) => column.name);
    if (constraint.primary) primaryKey = names;
    else uniqueKeys.push(names);
  }
  return {
    kind: "stored",
    schema: "public",
    name,
    description: "",
    columns: columns.map((column) => (primaryKey.includes(column.name) ? { ...column, nullable: false } : column)),
    verbs: options.verbs?.[name] ?? allVerbs,
    volatility: "stable",
    primaryKey,
    uniqueKeys,
  };
}

function columnOf(
  definition: ast.ColumnDefinition,
  text: string,
  reader: CatalogReader,
  enumLabels: readonly string[] | undefined,
): TableColumn {
  const serial = serialTypes[definition.type.name];
  const { type, typmod } = serial === undefined ? typeOf(definition.type, reader) : { type: serial, typmod: -1 };
  const defaultValue = definition.constraints.find((constraint) => constraint.kind === "DefaultConstraint");
  return {
    name: definition.name.name,
    type,
    typmod,
    nullable: !definition.constraints.some(
      (constraint) =>
        constraint.kind === "NotNullConstraint" || (constraint.kind === "UniqueConstraint" && constraint.primary),
    ),
    ...(enumLabels && { enumLabels }),
    ...(defaultValue?.kind === "DefaultConstraint" && { defaultSql: textOf(defaultValue.value, text) }),
    pushable: false,
  };
}

function textOf(node: ast.Node, text: string): string {
  return text.slice(node.range.start, node.range.end);
}

function typeOf(name: ast.TypeName, reader: CatalogReader) {
  return resolveTypeName(name, (type, schema) => reader.type?.(type, schema));
}

function viewOf(statement: ast.CreateViewStatement, reader: CatalogReader): ViewInfo {
  const { output } = bind(statement.query, reader);
  return {
    kind: "view",
    schema: "public",
    name: statement.name.name,
    description: "",
    columns: output.map((column, i) => ({
      name: statement.columns[i]?.name ?? column.name,
      type: column.type,
      typmod: column.typmod,
      nullable: column.nullable,
      pushable: false,
    })),
    verbs: ["select"],
    volatility: "stable",
    primaryKey: [],
    query: statement.query,
  };
}

function addUniqueIndex(statement: ast.CreateIndexStatement, tables: Map<string, Table>): void {
  const table = tables.get(statement.table.name);
  const names = statement.elements.map(({ expression }) =>
    expression.kind === "ColumnRef" ? expression.parts[0] : undefined,
  );
  if (table === undefined || statement.where !== undefined || names.includes(undefined)) return;
  tables.set(table.name, { ...table, uniqueKeys: [...(table.uniqueKeys ?? []), names as string[]] });
}
