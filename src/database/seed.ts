/** Tables that are declared but not connected: `information_schema` knows them, reading one is an error that says so. */
import type { ResourceTableInfo } from "../catalog/table.js";
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import type { LogicalPlan } from "../planner/plan.js";
import { plansWithin } from "../planner/visit.js";
import { type DeclaredTable, declaredTableInfo } from "../resources/declared-table.js";
import { isRegisteredResource } from "../resources/table-info.js";

/** What `glove-gen` writes of the manifests; see `DatabaseOptions.catalog`. */
export interface CatalogSeed {
  tables: DeclaredTable[];
}

export function seedTables(seed: CatalogSeed): ResourceTableInfo[] {
  return seed.tables.map(declaredTableInfo);
}

/** @throws SqlError 55000 when the plan reads or writes a table that nothing stands behind */
export function requireConnected(plan: LogicalPlan): void {
  for (const node of plansWithin(plan)) {
    if (node.kind !== "Scan" && node.kind !== "Write" && node.kind !== "Merge") continue;
    if (node.table.kind !== "resource" || isRegisteredResource(node.table)) continue;
    throw new SqlError(
      sqlstate.objectNotInPrerequisiteState,
      `table "${node.table.name}" is declared but not connected`,
      {
        position: node.position,
        hint: "The host has to register the resource before it can be used.",
      },
    );
  }
}
