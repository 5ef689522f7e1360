/** `insert`, `update` and `delete`: typed writes on one table, with or without RETURNING. */
import {
  allRows,
  firstRow,
  oneRow,
  type RunOptions,
  runWrite,
  type SqlExecutor,
  type SqlText,
  type WriteResult,
} from "./executor.js";
import type { Ready } from "./select-query.js";
import { invalid, StatementText, type TableFacts, tableText, type Where } from "./statement-text.js";
import type { ColumnOf, Conditions, ReadValue, TableTypes } from "./table-types.js";

/** Stands in place of `run` as long as an update or delete says of no row that it is meant. */
export interface WhereMustSayWhichRows {
  readonly missingWhere: true;
}

/**
 * A written row. A column that the statement does not give may come back without a value: it is the service's to fill, and
 * inside a transaction nothing has been sent yet.
 */
export type Returned<T extends TableTypes, C extends ColumnOf<T>> = { [K in C]: ReadValue<T, K> | null };

/** A write that gives rows back. */
export interface ReturningQuery<R> {
  /** The statement and its parameters. */
  sql(): SqlText;
  /** The written rows. */
  all(db: SqlExecutor, options?: RunOptions): Promise<R[]>;
  /** The only written row; the write has happened when there were several (P0003). */
  one(db: SqlExecutor, options?: RunOptions): Promise<R>;
  /** The first written row, `undefined` when nothing was written. */
  first(db: SqlExecutor, options?: RunOptions): Promise<R | undefined>;
}

/** An INSERT. */
export interface InsertQuery<T extends TableTypes> {
  /** The statement and its parameters. */
  sql(): SqlText;
  /** Inserts; inside a transaction, stages. */
  run(db: SqlExecutor, options?: RunOptions): Promise<WriteResult>;
  /** The same with columns of the written rows; none named: all. */
  returning<C extends ColumnOf<T> = ColumnOf<T>>(...columns: C[]): ReturningQuery<Returned<T, C>>;
}

type ReadyToChange<T extends TableTypes, Bound extends string, Method> = [Bound] extends [never]
  ? WhereMustSayWhichRows
  : Ready<T, Bound, Method>;

/** An UPDATE or DELETE. `Bound` are the columns that `where` has named: without any, it cannot run. */
export interface ChangeQuery<T extends TableTypes, Bound extends string = never> {
  /** As for `select`; several calls are ANDed. */
  where<K extends ColumnOf<T>>(conditions: Pick<Conditions<T>, K>): ChangeQuery<T, Bound | K>;
  /** The statement and its parameters. @throws SqlError 22023 without `where` */
  sql(): SqlText;
  /** Writes; inside a transaction, stages. */
  readonly run: ReadyToChange<T, Bound, (db: SqlExecutor, options?: RunOptions) => Promise<WriteResult>>;
  /** The same with columns of the written rows; none named: all. */
  readonly returning: ReadyToChange<
    T,
    Bound,
    <C extends ColumnOf<T> = ColumnOf<T>>(...columns: C[]) => ReturningQuery<Returned<T, C>>
  >;
}

type Effect =
  | { readonly op: "insert"; readonly rows: readonly Where[] }
  | { readonly op: "update"; readonly set: Where; readonly where: readonly Where[] }
  | { readonly op: "delete"; readonly where: readonly Where[] };

/** The methods of {@link InsertQuery}, {@link ChangeQuery} and {@link ReturningQuery}, untyped. */
export class WriteBuilder {
  constructor(
    private readonly table: TableFacts,
    private readonly effect: Effect,
    private readonly columns?: readonly string[],
  ) {}

  where(conditions: Where): WriteBuilder {
    const { effect } = this;
    if (effect.op === "insert") throw invalid("an insert has no where");
    return new WriteBuilder(this.table, { ...effect, where: [...effect.where, conditions] }, this.columns);
  }

  returning(...columns: string[]): WriteBuilder {
    const all = Object.keys(this.table.definition.columns);
    return new WriteBuilder(this.table, this.effect, columns.length === 0 ? all : columns);
  }

  sql(): SqlText {
    const text = new StatementText(this.table);
    const returned = this.columns?.map((column) => text.column(column));
    const returning = returned === undefined ? "" : ` RETURNING ${returned.join(", ")}`;
    return text.finish(`${this.effectText(text)}${returning}`);
  }

  async run(db: SqlExecutor, options?: RunOptions): Promise<WriteResult> {
    const { text, params } = this.sql();
    return runWrite(db, text, params, options);
  }

  async all(db: SqlExecutor, options?: RunOptions): Promise<unknown[]> {
    const { text, params } = this.sql();
    return allRows(db, text, params, options);
  }

  async one(db: SqlExecutor, options?: RunOptions): Promise<unknown> {
    const { text, params } = this.sql();
    return oneRow(db, text, params, options);
  }

  async first(db: SqlExecutor, options?: RunOptions): Promise<unknown> {
    const { text, params } = this.sql();
    return firstRow(db, text, params, options);
  }

  private effectText(text: StatementText): string {
    const { effect, table } = this;
    switch (effect.op) {
      case "insert":
        return `INSERT INTO ${tableText(table)} ${insertText(effect.rows, text)}`;
      case "update":
        return `UPDATE ${tableText(table)} SET ${setText(effect.set, text)}${whichRows("update", effect.where, text)}`;
      case "delete":
        return `DELETE FROM ${tableText(table)}${whichRows("delete", effect.where, text)}`;
    }
  }
}

/** A property that is undefined is one that the row does not have: the service's default holds. */
function given(row: Where): string[] {
  return Object.keys(row).filter((column) => row[column] !== undefined);
}

/**
 * The rows of one statement name the same columns: a NULL in place of a column that is not there would be a value that
 * nobody gave, and the service's default would be lost.
 */
function insertText(rows: readonly Where[], text: StatementText): string {
  if (rows.length === 0) throw invalid("insert: there is no row", "Ask whether there are rows before inserting them.");
  const columns = given(rows[0]);
  if (columns.length === 0) throw invalid("insert: the row has no value");
  const names = columns.map((column) => text.column(column));
  const tuples = rows.map((row, i) => {
    const own = given(row);
    if (own.length !== columns.length || own.some((column) => !columns.includes(column)))
      throw invalid(
        `insert: row ${i + 1} has other columns than the first`,
        "Insert rows with different columns by statements of their own, or give null for what they are without.",
      );
    return `(${columns.map((column) => text.valueOf(column, row[column])).join(", ")})`;
  });
  return `(${names.join(", ")}) VALUES ${tuples.join(", ")}`;
}

function setText(set: Where, text: StatementText): string {
  const columns = given(set);
  if (columns.length === 0) throw invalid("update: there is nothing to set");
  return columns.map((column) => `${text.column(column)} = ${text.valueOf(column, set[column])}`).join(", ");
}

function whichRows(verb: string, where: readonly Where[], text: StatementText): string {
  const condition = text.where(where);
  if (condition !== "") return condition;
  throw invalid(`${verb}: where is missing`, `Say which rows: ${verb}(…).where({ column: value }).`);
}
