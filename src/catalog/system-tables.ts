/** The system relations as tables: their columns as declared in `manifests/system/` and generated. */
import { systemRelations } from "../../generated/system.js";
import { parseTypeName } from "../grammar/parse.js";
import type { StoredTableInfo } from "./table.js";
import { resolveColumnType } from "./type-name.js";

/** The declared relations as the planner's tables. */
export function systemTables(): StoredTableInfo[] {
  return systemRelations.map((relation) => ({
    kind: "stored",
    schema: relation.schema,
    name: relation.name,
    description: relation.description,
    verbs: ["select"],
    volatility: "volatile",
    primaryKey: [],
    columns: relation.columns.map((column) => ({
      name: column.name,
      ...resolveColumnType(parseTypeName(column.type)),
      nullable: column.nullable,
      description: column.description,
      pushable: false,
    })),
  }));
}
