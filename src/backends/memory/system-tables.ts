/** information_schema over the tables of a memory database: columns from the generated declarations, rows from the catalog. */
import { systemRelations } from "../../../generated/system.js";
import type { Catalog } from "../../catalog/catalog.js";
import { columnsRows, schemataRows, tablesRows, viewsRows } from "../../catalog/information-schema.js";
import type { StoredTableInfo, Table } from "../../catalog/table.js";
import { resolveTypeName } from "../../catalog/type-name.js";
import type { Relation } from "../../engine/environment.js";
import { parseTypeName } from "../../grammar/parse.js";

const rowsByName: Readonly<Record<string, (catalog: Catalog) => readonly object[]>> = {
  tables: tablesRows,
  columns: columnsRows,
  schemata: schemataRows,
  views: viewsRows,
};

export class SystemTables {
  constructor(private readonly catalog: Catalog) {
    for (const relation of systemRelations) {
      if (relation.schema !== "information_schema" || !Object.hasOwn(rowsByName, relation.name)) continue;
      const info: StoredTableInfo = {
        kind: "stored",
        schema: relation.schema,
        name: relation.name,
        description: relation.description,
        verbs: ["select"],
        volatility: "volatile",
        primaryKey: [],
        columns: relation.columns.map((column) => ({
          name: column.name,
          ...resolveTypeName(parseTypeName(column.type)),
          nullable: column.nullable,
          description: column.description,
          pushable: false,
        })),
      };
      catalog.add(info);
    }
  }

  /** The rows of a system relation as they are now; `undefined` for a table that is none. */
  relation(table: Table): Relation | undefined {
    if (table.schema !== "information_schema" || !Object.hasOwn(rowsByName, table.name)) return undefined;
    const columns = table.columns.map(({ name, type, typmod }) => ({ name, type, typmod }));
    return { kind: "objects", rows: rowsByName[table.name](this.catalog), columns };
  }
}
