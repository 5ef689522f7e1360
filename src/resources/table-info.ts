/** A resource as the planner sees it: types resolved, keys listed, no function left. */
import type { ResourceTableInfo, TableColumn, Verb } from "../catalog/table.js";
import { resolveColumnType } from "../catalog/type-name.js";
import { SqlError } from "../errors/sql-error.js";
import { parseTypeName } from "../grammar/parse.js";
import type { ResourceColumn, ResourceTable } from "./resource.js";

/** A registered resource: the planner's data and the resolvers, under one object. */
export interface RegisteredResource extends ResourceTableInfo {
  readonly resource: ResourceTable;
}

/**
 * @throws TypeError when a column's type is none that the engine has; it names resource and column
 */
export function registeredResource(resource: ResourceTable, schema: string): RegisteredResource {
  const keys = resource.columns.filter((column) => column.requiredKey === true).map((column) => column.name);
  return {
    kind: "resource",
    schema,
    name: resource.name,
    description: resource.description,
    columns: tableColumns(resource.name, resource.columns),
    verbs: verbsOf(resource),
    volatility: resource.volatility,
    primaryKey: resource.primaryKey ?? [],
    keys,
    ...callFacts(resource),
    resource,
  };
}

/** What the planner knows of a resource's calls beside its columns. */
export function callFacts({
  batch,
  keyAlternatives,
  accepts,
  exact,
}: Pick<ResourceTable, "batch" | "keyAlternatives" | "accepts" | "exact">): Pick<
  ResourceTableInfo,
  "batchKeys" | "maxBatch" | "batchInsert" | "keyAlternatives" | "acceptsLimit" | "orderByColumns" | "exact"
> {
  return {
    batchKeys: batch?.keys !== undefined && batch.keys !== false,
    ...(typeof batch?.keys === "number" && { maxBatch: batch.keys }),
    ...(batch?.insert === true && { batchInsert: true }),
    ...(keyAlternatives !== undefined && { keyAlternatives }),
    ...(accepts?.limit === true && { acceptsLimit: true }),
    ...(accepts?.orderBy !== undefined && { orderByColumns: accepts.orderBy }),
    ...(exact === true && { exact: true }),
  };
}

export function isRegisteredResource(table: { readonly kind: string }): table is RegisteredResource {
  return table.kind === "resource" && "resource" in table;
}

/** The verbs a resource has, in the order that messages list them. */
export function verbsOf(resource: ResourceTable): Verb[] {
  const verbs: Verb[] = [];
  if (resource.select !== undefined) verbs.push("select");
  if (resource.insert !== undefined) verbs.push("insert");
  if (resource.update !== undefined) verbs.push("update");
  if (resource.delete !== undefined) verbs.push("delete");
  return verbs;
}

/** Declared columns with their types resolved. @throws TypeError as {@link registeredResource} does */
export function tableColumns(table: string, columns: readonly ResourceColumn[]): TableColumn[] {
  return columns.map((column) => tableColumn(table, column));
}

function tableColumn(table: string, column: ResourceColumn): TableColumn {
  let resolved: ReturnType<typeof resolveColumnType>;
  try {
    resolved = resolveColumnType(parseTypeName(column.type));
  } catch (error) {
    const reason = error instanceof SqlError ? error.message : String(error);
    throw new TypeError(`resource "${table}", column "${column.name}": ${reason}`, { cause: error });
  }
  return {
    name: column.name,
    type: resolved.type,
    typmod: resolved.typmod,
    nullable: column.requiredKey === true ? false : (column.nullable ?? true),
    pushable: column.equality !== false,
    ...(column.operators !== undefined && column.operators.length > 0 && { operators: column.operators }),
    ...(column.exact === true && { exact: true }),
    ...(column.asDate === true && resolved.type.name.startsWith("timestamp") && { milliseconds: true }),
    ...(column.description !== undefined && { description: column.description }),
    ...(column.requiredKey === true && { requiredKey: true }),
    ...(column.argument === true && { argument: true }),
    ...(column.stamped !== undefined && { stamped: column.stamped }),
    ...(column.insertArgument !== undefined && { insertArgument: column.insertArgument }),
    ...(column.enum !== undefined && { enumLabels: column.enum }),
    ...(column.labels !== undefined && { flowLabels: column.labels }),
  };
}
