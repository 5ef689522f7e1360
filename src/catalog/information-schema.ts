/**
 * The rows of the system relations that describe tables: `information_schema.tables`, `.columns`, `.schemata`, `.views`.
 * Their columns are declared in `manifests/system/` and generated; the rows are made here from the catalog at each
 * statement.
 * Source of columns and spellings: PostgreSQL 15, chapter 37 "The Information Schema". Columns of our own come last.
 */
import { displayType, type SqlType } from "../types/type.js";
import type { ResourceTableInfo, Table, TableColumn } from "./table.js";

/** What `table_catalog` shows; there is one database. */
export const databaseName = "scratchpad";

/** The tables that rows are made of. */
interface TableList {
  list(): readonly Table[];
}

type SystemRow = Record<string, unknown>;

/** Rows of `information_schema.tables`: tables and views, without the system's own. */
export function tablesRows(catalog: TableList): SystemRow[] {
  return catalog.list().map((table) => ({
    table_catalog: databaseName,
    table_schema: table.schema,
    table_name: table.name,
    table_type: table.kind === "view" ? "VIEW" : "BASE TABLE",
    is_insertable_into: yesNo(table.verbs.includes("insert")),
    is_typed: "NO",
    description: table.description === "" ? null : table.description,
    verbs: table.verbs,
    volatility: table.volatility,
    required_keys: table.kind === "resource" ? requiredKeys(table) : [],
  }));
}

/** Rows of `information_schema.columns`, in the order of the tables and of their columns. */
/** The keys, and each group of which one column is enough as one text: `tag | digest`. */
function requiredKeys(table: ResourceTableInfo): string[] {
  return [...table.keys, ...(table.keyAlternatives ?? []).map((group) => group.join(" | "))];
}

export function columnsRows(catalog: TableList): SystemRow[] {
  return catalog.list().flatMap((table) => table.columns.map((column, index) => columnRow(table, column, index)));
}

/** Rows of `information_schema.schemata`: the schemas that hold something, and the three that are always there. */
export function schemataRows(catalog: TableList): SystemRow[] {
  const names = new Set(["public", "information_schema", "pg_catalog", ...catalog.list().map((table) => table.schema)]);
  return [...names]
    .sort()
    .map((name) => ({ catalog_name: databaseName, schema_name: name, schema_owner: "scratchpad" }));
}

/** Rows of `information_schema.views`. */
export function viewsRows(catalog: TableList): SystemRow[] {
  return catalog
    .list()
    .filter((table) => table.kind === "view")
    .map((table) => ({ table_catalog: databaseName, table_schema: table.schema, table_name: table.name }));
}

function columnRow(table: Table, column: TableColumn, index: number): SystemRow {
  const { type, typmod } = column;
  return {
    table_catalog: databaseName,
    table_schema: table.schema,
    table_name: table.name,
    column_name: column.name,
    ordinal_position: index + 1,
    column_default: column.defaultSql ?? null,
    is_nullable: yesNo(column.nullable),
    data_type: dataType(type),
    character_maximum_length: isText(type) && typmod >= 4 ? typmod - 4 : null,
    character_octet_length: isText(type) ? (typmod >= 4 ? (typmod - 4) * 4 : 1_073_741_824) : null,
    numeric_precision: numericPrecision(type, typmod),
    numeric_precision_radix: numericRadix(type),
    numeric_scale: numericScale(type, typmod),
    datetime_precision: datetimePrecision(type, typmod),
    udt_catalog: databaseName,
    udt_schema: type.kind === "enum" ? "public" : "pg_catalog",
    udt_name: type.name,
    is_updatable: yesNo(table.verbs.includes("update")),
    description: column.description ?? null,
    required_key: column.requiredKey === true,
    enum_labels: column.enumLabels ?? type.labels ?? null,
    operators: table.kind === "resource" ? [...(column.pushable ? ["="] : []), ...(column.operators ?? [])] : null,
  };
}

function yesNo(value: boolean): "YES" | "NO" {
  return value ? "YES" : "NO";
}

/** `information_schema.columns.data_type`: an array is just ARRAY, a user's type USER-DEFINED, and no length is shown. */
function dataType(type: SqlType): string {
  if (type.kind === "array") return "ARRAY";
  if (type.kind === "enum") return "USER-DEFINED";
  return displayType(type);
}

function isText(type: SqlType): boolean {
  return type.name === "text" || type.name === "varchar" || type.name === "bpchar";
}

const integerDigits: ReadonlyMap<string, number> = new Map([
  ["int2", 16],
  ["int4", 32],
  ["int8", 64],
]);
/** Digits of the numbers that are held in base 2. */
const binaryDigits: ReadonlyMap<string, number> = new Map([...integerDigits, ["float4", 24], ["float8", 53]]);

function numericPrecision(type: SqlType, typmod: number): number | null {
  if (type.name === "numeric") return typmod < 0 ? null : ((typmod - 4) >> 16) & 0xffff;
  return binaryDigits.get(type.name) ?? null;
}

function numericRadix(type: SqlType): number | null {
  return type.name === "numeric" ? 10 : binaryDigits.has(type.name) ? 2 : null;
}

function numericScale(type: SqlType, typmod: number): number | null {
  if (type.name === "numeric") return typmod < 0 ? null : (((typmod - 4) & 0x7ff) ^ 1024) - 1024;
  return integerDigits.has(type.name) ? 0 : null;
}

function datetimePrecision(type: SqlType, typmod: number): number | null {
  switch (type.name) {
    case "date":
      return 0;
    case "time":
    case "timetz":
    case "timestamp":
    case "timestamptz":
      return typmod < 0 ? 6 : typmod;
    case "interval":
      return typmod < 0 || (typmod & 0xffff) === 0xffff ? 6 : typmod & 0xffff;
    default:
      return null;
  }
}
