/** `tableQuery`: the typed statements of one table. `glove-gen` writes a call of it beside each resource. */
import { SelectBuilder, type SelectQuery } from "./select-query.js";
import type { Where } from "./statement-text.js";
import type { Changes, ColumnOf, Inserted, TableDefinition, TableTypes } from "./table-types.js";
import { type ChangeQuery, type InsertQuery, WriteBuilder } from "./write-query.js";

/** `select`. */
export interface Selects<T extends TableTypes> {
  /** The columns to read; none named: all. */
  select<C extends ColumnOf<T> = ColumnOf<T>>(...columns: C[]): SelectQuery<T, C>;
}

/** `insert`. */
export interface Inserts<T extends TableTypes> {
  /** One row or several. Several name the same columns; a property that is undefined is left out. */
  insert(rows: Inserted<T> | readonly Inserted<T>[]): InsertQuery<T>;
}

/** `update`. */
export interface Updates<T extends TableTypes> {
  /** New values by column; a property that is undefined is left out. */
  update(set: Changes<T>): ChangeQuery<T>;
}

/** `delete`. */
export interface Deletes<T extends TableTypes> {
  delete(): ChangeQuery<T>;
}

/** The statements that a table's verbs allow. */
export type TableQuery<T extends TableTypes> = (Has<T, "select"> extends true ? Selects<T> : unknown) &
  (Has<T, "insert"> extends true ? Inserts<T> : unknown) &
  (Has<T, "update"> extends true ? Updates<T> : unknown) &
  (Has<T, "delete"> extends true ? Deletes<T> : unknown);

type Has<T extends TableTypes, V extends string> = V extends T["definition"]["verbs"][number] ? true : false;

/**
 * The statements of a table, typed by its row.
 *
 *     const githubPr = tableQuery<GithubPrRow>()("github_pr", {
 *       columns: { repo: "text", number: "bigint", title: "text", state: "text" },
 *       keys: ["repo"],
 *       verbs: ["select"],
 *     });
 *     const open = await githubPr.select("number", "title").where({ repo, state: "open" }).all(db);
 *
 * `Row` is a row as the resource's schema has it; `Insert` what an insert takes, by default any part of a row. They are
 * given first, and the definition is taken as it is written.
 */
export function tableQuery<Row extends object, Insert extends object = Partial<Row>>(): <
  const D extends TableDefinition<keyof Row & string>,
>(
  name: string,
  definition: D,
) => TableQuery<{ row: Row; insert: Insert; definition: D }> {
  return (name, definition) => {
    const table = { name, definition };
    const verbs: Record<string, (argument: never) => unknown> = {
      insert: (rows: Where | readonly Where[]) =>
        new WriteBuilder(table, { op: "insert", rows: Array.isArray(rows) ? rows : [rows as Where] }),
      update: (set: Where) => new WriteBuilder(table, { op: "update", set, where: [] }),
      delete: () => new WriteBuilder(table, { op: "delete", where: [] }),
    };
    const select = (...columns: string[]) =>
      new SelectBuilder(table, {
        columns: columns.length === 0 ? Object.keys(definition.columns) : columns,
        where: [],
        orderBy: [],
      });
    const entries = definition.verbs.map((verb) => [verb, verb === "select" ? select : verbs[verb]] as const);
    // The methods are those of the verbs: what the type says of them is what the definition says.
    return Object.fromEntries(entries) as never;
  };
}
