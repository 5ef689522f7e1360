/**
 * The catalog as statements may see it: relations that the rules hide are not there, for names, hints, `information_schema`
 * and `catalog.search`; the verbs that are listed of the others are those that the rules leave.
 */
import type { Catalog } from "../../catalog/catalog.js";
import { searchFunction } from "../../catalog/search.js";
import type { CatalogReader, Table } from "../../catalog/table.js";
import type { AnyFunction } from "../../functions/function.js";
import type { Rules } from "./rules.js";

/** What statements are bound by, and what lists of tables are made of. */
export interface ListedCatalog extends CatalogReader {
  list(): Table[];
}

/** A catalog without what the rules hide. */
export class VisibleCatalog implements ListedCatalog {
  private readonly search: AnyFunction = searchFunction(() => this.list());
  private readonly listed = new WeakMap<Table, Table | "hidden">();

  /** @param seenAs a table with its masks, as lists describe it */
  constructor(
    private readonly catalog: Catalog,
    private readonly rules: Rules,
    private readonly seenAs: (table: Table) => Table,
  ) {}

  get version(): number {
    return this.catalog.version;
  }

  table(name: string, schema?: string): Table | undefined {
    const table = this.catalog.table(name, schema);
    return table === undefined || this.rules.hides(table) !== undefined ? undefined : table;
  }

  /** A schema is there for those who may see something in it; the system's own always are. */
  hasSchema(schema: string): boolean {
    if (!this.catalog.hasSchema(schema)) return false;
    const tables = this.catalog.list().filter((table) => isIn(table, schema));
    return tables.length === 0 || tables.some((table) => this.rules.hides(table) === undefined);
  }

  *tableNames(): Generator<string> {
    for (const name of this.catalog.tableNames()) {
      const table = this.catalog.get(name);
      if (table !== undefined && this.rules.hides(table) === undefined) yield name;
    }
  }

  functions(name: string, schema: string): readonly AnyFunction[] {
    return this.catalog
      .functions(name, schema)
      .map((entry) => (entry.schema === this.search.schema && entry.name === this.search.name ? this.search : entry));
  }

  type(name: string): ReturnType<Catalog["type"]> {
    return this.catalog.type(name);
  }

  list(): Table[] {
    return this.catalog.list().flatMap((table) => {
      let seen = this.listed.get(table);
      if (seen === undefined) {
        seen = this.rules.hides(table) === undefined ? this.withVerbs(table) : "hidden";
        this.listed.set(table, seen);
      }
      return seen === "hidden" ? [] : [seen];
    });
  }

  private withVerbs(table: Table): Table {
    const verbs = table.verbs.filter((verb) => this.rules.refusesVerb(table, verb) === undefined);
    const seen = this.seenAs(table);
    return verbs.length === table.verbs.length ? seen : { ...seen, verbs };
  }
}

function isIn({ schema: own, name }: Table, schema: string): boolean {
  return own === schema || (own === "public" && name.startsWith(`${schema}_`));
}
