/** information_schema over the tables of a memory database: its columns are declared, its rows are made from the catalog. */
import type { Catalog } from "../../catalog/catalog.js";
import { columnsRows, schemataRows, tablesRows, viewsRows } from "../../catalog/information-schema.js";
import { systemTables } from "../../catalog/system-tables.js";
import type { Table } from "../../catalog/table.js";
import type { Relation } from "../../engine/environment.js";

const rowsByName: Readonly<Record<string, (catalog: Catalog) => readonly object[]>> = {
  tables: tablesRows,
  columns: columnsRows,
  schemata: schemataRows,
  views: viewsRows,
};

function isAnswered({ schema, name }: Table): boolean {
  return schema === "information_schema" && Object.hasOwn(rowsByName, name);
}

export class SystemTables {
  constructor(private readonly catalog: Catalog) {
    for (const table of systemTables()) if (isAnswered(table)) catalog.add(table);
  }

  /** The rows of a system relation as they are now; `undefined` for a table that is none. */
  relation(table: Table): Relation | undefined {
    if (!isAnswered(table)) return undefined;
    const columns = table.columns.map(({ name, type, typmod }) => ({ name, type, typmod }));
    return { kind: "objects", rows: rowsByName[table.name](this.catalog), columns };
  }
}
