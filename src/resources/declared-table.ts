/** A table that is declared and has no resolvers yet: what `glove-gen` writes of a manifest, and what it checks statements by. */
import type { ResourceTableInfo, Verb } from "../catalog/table.js";
import type { ResourceColumn, ResourceTable, Volatility } from "./resource.js";
import { callFacts, tableColumns } from "./table-info.js";

/** One table of a `CatalogSeed`. */
export interface DeclaredTable {
  schema: string;
  name: string;
  description: string;
  volatility: Volatility;
  verbs: string[];
  columns: ResourceColumn[];
  keys: string[];
  primaryKey: string[];
  /** See `ResourceTable`. */
  keyAlternatives?: string[][];
  batch?: ResourceTable["batch"];
  accepts?: ResourceTable["accepts"];
  exact?: boolean;
}

/** The table as the planner sees it. @throws TypeError for a column of an unknown type */
export function declaredTableInfo(table: Readonly<DeclaredTable>): ResourceTableInfo {
  return {
    kind: "resource",
    schema: table.schema,
    name: table.name,
    description: table.description,
    volatility: table.volatility,
    verbs: table.verbs as Verb[],
    columns: tableColumns(table.name, table.columns),
    keys: table.keys,
    primaryKey: table.primaryKey,
    ...callFacts(table),
  };
}
