/**
 * What one statement changes in one table. The rows themselves stay as they are until the statement has succeeded, so
 * that all its parts read the same; the indexes of unique keys follow at once, and can be taken back.
 */
import type { KeyIndex, StoredTable } from "./stored-table.js";
import type { StoredRow } from "./table-key.js";

/** How often a row is looked for before the rows are put into a map. */
const maxWalks = 32;

type KeyValue = string | number | bigint | boolean;

export class TableChanges {
  /** The rows when the statement began; row ids of the engine are indexes into it. */
  readonly base: readonly StoredRow[];
  /** New versions by row id; `undefined` for a removed row. */
  readonly versions = new Map<number, StoredRow | undefined>();
  /** Inserted rows; `undefined` where one was removed again. */
  readonly added: (StoredRow | undefined)[] = [];
  /** Rows that this statement put in, whether by INSERT or UPDATE. */
  readonly fresh = new Set<StoredRow>();
  private readonly indexes: readonly KeyIndex[];
  private readonly undo: { rows: Map<KeyValue, StoredRow>; key: KeyValue; before: StoredRow | undefined }[] = [];
  private places: Map<StoredRow, number> | undefined;
  private lookUps = 0;

  constructor(readonly table: StoredTable) {
    this.base = table.rows;
    this.indexes = table.keyIndexes();
  }

  /** The first unique key that a row would violate, if any; `except` is the row that it takes the place of. */
  conflictOf(
    row: StoredRow,
    { keys = this.indexes, except }: { keys?: readonly KeyIndex[]; except?: StoredRow } = {},
  ): { index: KeyIndex; existing: StoredRow } | undefined {
    for (const index of keys) {
      const key = index.keyOf(row);
      if (key === undefined) continue;
      const existing = index.rows.get(key);
      if (existing !== undefined && existing !== except) return { index, existing };
    }
    return undefined;
  }

  insert(row: StoredRow): void {
    this.enter(row);
    this.added.push(row);
    this.fresh.add(row);
  }

  /** Whether the statement has changed or removed the row already. */
  isTouched(rowId: number): boolean {
    return this.versions.has(rowId);
  }

  /** Takes the old version out of the indexes: to be followed by `put`. */
  take(rowId: number): StoredRow {
    const row = this.base[rowId];
    this.leave(row);
    this.versions.set(rowId, undefined);
    return row;
  }

  put(rowId: number, row: StoredRow): void {
    this.enter(row);
    this.versions.set(rowId, row);
    this.fresh.add(row);
  }

  /** Where an existing row stands among the rows at the statement's beginning. */
  rowIdOf(row: StoredRow): number | undefined {
    if (this.places === undefined) {
      // Walking an array of pointers is much cheaper than making a map of it, as long as it is not done often.
      if (this.lookUps++ < maxWalks) {
        const rowId = this.base.indexOf(row);
        return rowId < 0 ? undefined : rowId;
      }
      this.places = new Map(this.base.map((item, i) => [item, i] as const));
    }
    return this.places.get(row);
  }

  /** Changes or removes a row as it is now, whatever the statement did to it before: for referential actions. */
  replaceCurrent(row: StoredRow, next: StoredRow | undefined): void {
    this.leave(row);
    const added = this.added.indexOf(row);
    if (added >= 0) {
      this.added[added] = next;
    } else {
      const rowId = this.rowIdOf(row) ?? [...this.versions].find(([, version]) => version === row)?.[0];
      if (rowId !== undefined) this.versions.set(rowId, next);
    }
    if (next !== undefined) {
      this.enter(next);
      this.fresh.add(next);
    }
  }

  /** The rows as they will be. */
  *current(): Generator<StoredRow> {
    for (let rowId = 0; rowId < this.base.length; rowId++) {
      const row = this.versions.has(rowId) ? this.versions.get(rowId) : this.base[rowId];
      if (row !== undefined) yield row;
    }
    for (const row of this.added) if (row !== undefined) yield row;
  }

  /** Old versions of rows that were changed or removed. */
  *replaced(): Generator<StoredRow> {
    for (const rowId of this.versions.keys()) yield this.base[rowId];
  }

  /** Makes the changes the table's rows. */
  apply(): void {
    this.table.change(
      this.versions,
      this.added.filter((row) => row !== undefined),
    );
  }

  /** Brings the indexes back to what they were. */
  rollback(): void {
    for (const { rows, key, before } of this.undo.reverse()) {
      if (before === undefined) rows.delete(key);
      else rows.set(key, before);
    }
    this.undo.length = 0;
  }

  private enter(row: StoredRow): void {
    for (const { keyOf, rows } of this.indexes) {
      const key = keyOf(row);
      if (key === undefined) continue;
      this.undo.push({ rows, key, before: rows.get(key) });
      rows.set(key, row);
    }
  }

  private leave(row: StoredRow): void {
    for (const { keyOf, rows } of this.indexes) {
      const key = keyOf(row);
      if (key === undefined || rows.get(key) !== row) continue;
      this.undo.push({ rows, key, before: row });
      rows.delete(key);
    }
  }
}
