/** `select(…)`: a typed SELECT on one table. Every method gives a new query; nothing runs before a method that takes `db`. */
import { allRows, firstRow, oneRow, type RunOptions, type SqlExecutor, type SqlText } from "./executor.js";
import { invalid, StatementText, type TableFacts, tableText, type Where } from "./statement-text.js";
import type { ColumnOf, Conditions, MissingKey, Selected, TableTypes } from "./table-types.js";

/** What stands in place of a method that cannot be called yet: its name is what the compiler says. */
export interface WhereMustGiveAValueFor<Key extends string> {
  readonly missingKey: Key;
}

/** A method that runs the statement, once `where` has a value for each required key. */
export type Ready<T extends TableTypes, Bound extends string, Method> = [MissingKey<T, Bound>] extends [never]
  ? Method
  : // Looked up in a mapped type, so that the compiler's message lists the names.
    WhereMustGiveAValueFor<{ [K in MissingKey<T, Bound>]: K }[MissingKey<T, Bound>]>;

/** Where NULLs stand in an order; PostgreSQL's default is last ascending, first descending. */
export type NullsOrder = "nulls first" | "nulls last";

/**
 * A SELECT under construction. `C` are the selected columns, `Bound` the columns that `where` has named.
 */
export interface SelectQuery<T extends TableTypes, C extends ColumnOf<T>, Bound extends string = never> {
  /**
   * Rows that meet all conditions: a value is `=`, an array `= ANY`, `null` IS NULL, `{ ">=": value }` a comparison.
   * Several calls are ANDed. A value that is `undefined` is an error when the statement is made.
   */
  where<K extends ColumnOf<T>>(conditions: Pick<Conditions<T>, K>): SelectQuery<T, C, Bound | K>;
  /** Several calls give the first, second, … key. */
  orderBy(column: ColumnOf<T>, direction?: "asc" | "desc", nulls?: NullsOrder): SelectQuery<T, C, Bound>;
  /** Rows at most. @throws SqlError 22023 for what is no whole number from 0 */
  limit(rows: number): SelectQuery<T, C, Bound>;
  /** Rows to leave out first. @throws SqlError 22023 for what is no whole number from 0 */
  offset(rows: number): SelectQuery<T, C, Bound>;
  /** Each different row once. */
  distinct(): SelectQuery<T, C, Bound>;
  /** The statement and its parameters. */
  sql(): SqlText;
  /** All rows: there is no cap. */
  readonly all: Ready<T, Bound, (db: SqlExecutor, options?: RunOptions) => Promise<Selected<T, C>[]>>;
  /** The only row. Fails with P0002 when there is none, P0003 when there are several. */
  readonly one: Ready<T, Bound, (db: SqlExecutor, options?: RunOptions) => Promise<Selected<T, C>>>;
  /** The first row, `undefined` when there is none. */
  readonly first: Ready<T, Bound, (db: SqlExecutor, options?: RunOptions) => Promise<Selected<T, C> | undefined>>;
  /** How many rows `all` would give. */
  readonly count: Ready<T, Bound, (db: SqlExecutor, options?: RunOptions) => Promise<number>>;
}

interface SelectParts {
  readonly columns: readonly string[];
  readonly where: readonly Where[];
  readonly orderBy: readonly (readonly [column: string, direction: string, nulls?: string])[];
  readonly limit?: number;
  readonly offset?: number;
  readonly distinct?: boolean;
}

/** The methods of {@link SelectQuery}, untyped. */
export class SelectBuilder {
  constructor(
    private readonly table: TableFacts,
    private readonly parts: SelectParts,
  ) {}

  where(conditions: Where): SelectBuilder {
    return this.with({ where: [...this.parts.where, conditions] });
  }

  orderBy(column: string, direction = "asc", nulls?: string): SelectBuilder {
    if (direction !== "asc" && direction !== "desc")
      throw invalid(`orderBy: the direction is asc or desc, not ${JSON.stringify(direction)}`);
    if (nulls !== undefined && nulls !== "nulls first" && nulls !== "nulls last")
      throw invalid(`orderBy: write "nulls first" or "nulls last", not ${JSON.stringify(nulls)}`);
    const key = nulls === undefined ? ([column, direction] as const) : ([column, direction, nulls] as const);
    return this.with({ orderBy: [...this.parts.orderBy, key] });
  }

  limit(rows: number): SelectBuilder {
    return this.with({ limit: rowCount("limit", rows) });
  }

  offset(rows: number): SelectBuilder {
    return this.with({ offset: rowCount("offset", rows) });
  }

  distinct(): SelectBuilder {
    return this.with({ distinct: true });
  }

  sql(): SqlText {
    const text = new StatementText(this.table);
    return text.finish(this.selectText(text));
  }

  all(db: SqlExecutor, options?: RunOptions): Promise<unknown[]> {
    return this.run((text, params) => allRows(db, text, params, options));
  }

  one(db: SqlExecutor, options?: RunOptions): Promise<unknown> {
    return this.atMost(2).run((text, params) => oneRow(db, text, params, options));
  }

  first(db: SqlExecutor, options?: RunOptions): Promise<unknown> {
    return this.atMost(1).run((text, params) => firstRow(db, text, params, options));
  }

  async count(db: SqlExecutor, options?: RunOptions): Promise<number> {
    const text = new StatementText(this.table);
    const { text: sql, params } = text.finish(this.countText(text));
    const { count } = await oneRow<{ count: number | string }>(db, sql, params, options);
    return Number(count);
  }

  /** Everything wrong with the statement is told through the promise, as what is wrong with its run. */
  private async run<R>(execute: (text: string, params: unknown[]) => Promise<R>): Promise<R> {
    const { text, params } = this.sql();
    return execute(text, params);
  }

  /** The same query with fewer rows, so that a resource may stop reading. */
  private atMost(rows: number): SelectBuilder {
    return this.with({ limit: Math.min(rows, this.parts.limit ?? rows) });
  }

  private with(parts: Partial<SelectParts>): SelectBuilder {
    return new SelectBuilder(this.table, { ...this.parts, ...parts });
  }

  private selectText(text: StatementText): string {
    const { columns, where, orderBy, limit, offset, distinct } = this.parts;
    const list = columns.map((column) => text.column(column)).join(", ");
    const keys = orderBy.map(
      ([column, direction, nulls]) =>
        `${text.column(column)} ${direction.toUpperCase()}${nulls === undefined ? "" : ` ${nulls.toUpperCase()}`}`,
    );
    return [
      `SELECT ${distinct === true ? "DISTINCT " : ""}${list} FROM ${tableText(this.table)}`,
      text.where(where),
      keys.length === 0 ? "" : ` ORDER BY ${keys.join(", ")}`,
      limit === undefined ? "" : ` LIMIT ${text.parameter(limit)}`,
      offset === undefined ? "" : ` OFFSET ${text.parameter(offset)}`,
    ].join("");
  }

  private countText(text: StatementText): string {
    const { where, limit, offset, distinct } = this.parts;
    const isPlain = limit === undefined && offset === undefined && distinct !== true;
    return isPlain
      ? `SELECT count(*) AS count FROM ${tableText(this.table)}${text.where(where)}`
      : `SELECT count(*) AS count FROM (${this.selectText(text)}) AS counted`;
  }
}

function rowCount(name: string, rows: number): number {
  if (Number.isSafeInteger(rows) && rows >= 0) return rows;
  throw invalid(`${name}: ${String(rows)} is no number of rows`, "Give a whole number from 0.");
}
