/**
 * The keys of one table's rows as a statement goes through them: which are there, as far as the statement has read them,
 * and which it has written. From it come the errors of PostgreSQL's unique index, before anything is sent.
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { quoteName } from "../../grammar/deparse.js";
import type { RegisteredResource } from "../../resources/table-info.js";
import { operationsOf } from "../../types/families.js";
import { keyText } from "../../types/key-text.js";
import type { TypeContext } from "../../types/operations.js";
import type { Value } from "../../types/value.js";
import { sourcesOf } from "./row-values.js";

/** Tells the rows of a table apart; one for a table and statement. */
export class RowKeys {
  private readonly sources: readonly number[];
  private readonly present = new Set<string>();
  private readonly written = new Set<string>();
  private readonly gone = new Set<string>();

  constructor(
    private readonly table: RegisteredResource,
    private readonly context: TypeContext,
  ) {
    this.sources = sourcesOf(table, table.primaryKey);
  }

  /** The primary key of a row as a text; `undefined` without one, or when a part of it is NULL. */
  keyOf(row: readonly Value[]): string | undefined {
    return this.sources.length === 0 ? undefined : textOf(this.table, this.sources, row);
  }

  /** A row is there. */
  see(row: readonly Value[]): void {
    const key = this.keyOf(row);
    if (key === undefined || this.written.has(key)) return;
    this.present.add(key);
    this.gone.delete(key);
  }

  /** A row is gone since an earlier statement of the transaction. */
  lose(row: readonly Value[]): void {
    const key = this.keyOf(row);
    if (key === undefined) return;
    this.present.delete(key);
    this.gone.add(key);
  }

  /** Whether {@link lose} said so, and the row has not come back. */
  isGone(key: string | undefined): boolean {
    return key !== undefined && this.gone.has(key);
  }

  /** Whether the statement has written the row already: it does not see what became of it. */
  isWritten(key: string | undefined): boolean {
    return key !== undefined && this.written.has(key);
  }

  /** Whether a row with the key is there, after what the statement did so far. */
  isPresent(key: string | undefined): boolean {
    return key !== undefined && this.present.has(key);
  }

  /** A row comes in. @throws SqlError 23505 when its key is there */
  enter(row: readonly Value[]): void {
    const key = this.keyOf(row);
    if (key === undefined) return;
    if (this.present.has(key)) throw this.duplicate(row);
    this.present.add(key);
    this.written.add(key);
  }

  /** A row goes, or is about to get another key. */
  leave(key: string | undefined): void {
    if (key === undefined) return;
    this.present.delete(key);
    this.written.add(key);
  }

  private duplicate(row: readonly Value[]): SqlError {
    return new SqlError(
      sqlstate.uniqueViolation,
      `duplicate key value violates unique constraint "${this.table.name}_pkey"`,
      { detail: `Key ${shownKey(this.table, this.sources, row, this.context)} already exists.` },
    );
  }
}

/** Values of some columns as a text that equal values share; `undefined` when one is NULL. */
export function textOf(
  table: RegisteredResource,
  sources: readonly number[],
  row: readonly Value[],
): string | undefined {
  if (sources.some((source) => row[source] === null || row[source] === undefined)) return undefined;
  return sources.map((source) => keyText(row[source], operationsOf(table.columns[source].type))).join("");
}

/** `(id, lang)=(7, en)`, as PostgreSQL's details show keys. */
export function shownKey(
  table: RegisteredResource,
  sources: readonly number[],
  row: readonly Value[],
  context: TypeContext,
): string {
  const names = sources.map((source) => quoteName(table.columns[source].name));
  const values = sources.map((source) => {
    const value = row[source];
    return value === null ? "null" : operationsOf(table.columns[source].type).output(value, context);
  });
  return `(${names.join(", ")})=(${values.join(", ")})`;
}
