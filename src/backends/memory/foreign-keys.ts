/**
 * Foreign keys: tested when a statement has made all its changes, in both directions, with ON DELETE and ON UPDATE
 * CASCADE and SET NULL. Source: PostgreSQL 15, 5.4.5 "Foreign Keys".
 */
import type { Value } from "../../types/value.js";
import type { RowEnvironment } from "./row-expressions.js";
import { rulesOf } from "./row-rules.js";
import type { Store } from "./store.js";
import type { ForeignKey, KeyIndex, ReferentialAction, StoredTable } from "./stored-table.js";
import type { TableChanges } from "./table-changes.js";
import { keyOf, type StoredRow, sameColumns } from "./table-key.js";
import { missingReference, mixedReference, stillReferenced, uniqueViolation } from "./violations.js";

type ChangesOf = (table: StoredTable) => TableChanges;

/** @throws SqlError 23503 */
export async function checkForeignKeys(
  changed: ReadonlyMap<StoredTable, TableChanges>,
  store: Store,
  changesOf: ChangesOf,
  environment: RowEnvironment,
): Promise<void> {
  // An action takes away or changes rows that others may refer to: until nothing more happens.
  for (let acted = true; acted; ) {
    acted = false;
    for (const [table, changes] of changed) {
      for (const child of store.tables()) {
        for (const key of child.definition.foreignKeys) {
          if (key.target !== table) continue;
          if (await followParent(child, key, changes, store, changesOf, environment)) acted = true;
        }
      }
    }
  }
  for (const [table, changes] of changed) {
    for (const key of table.definition.foreignKeys) checkReferences(table, key, changes, environment);
  }
}

/** Every new row of `table` refers to a row that is there. */
function checkReferences(
  table: StoredTable,
  key: ForeignKey,
  changes: TableChanges,
  environment: RowEnvironment,
): void {
  const parents = indexOver(key.target, key.targetColumns);
  const of = keyOf({ columns: orderedLike(key, parents), nullsNotDistinct: false }, table.definition);
  for (const row of [...changes.versions.values(), ...changes.added]) {
    if (row === undefined) continue;
    const value = of(row);
    if (value === undefined) {
      if (key.matchFull && key.columns.some((column) => row[column] !== null)) throw mixedReference(table, key);
      continue;
    }
    if (!parents.rows.has(value)) throw missingReference(table, key, row, environment.session);
  }
}

/** Rows of `child` that refer to keys that are gone: an error, or the action of the constraint; whether it changed any. */
async function followParent(
  child: StoredTable,
  key: ForeignKey,
  changes: TableChanges,
  store: Store,
  changesOf: ChangesOf,
  environment: RowEnvironment,
): Promise<boolean> {
  const parents = indexOver(key.target, key.targetColumns);
  const gone = new Map<unknown, { before: StoredRow; after: StoredRow | undefined }>();
  for (const [rowId, after] of changes.versions) {
    const before = changes.base[rowId];
    const value = parents.keyOf(before);
    if (value !== undefined && !parents.rows.has(value)) gone.set(value, { before, after });
  }
  if (gone.size === 0) return false;
  const of = keyOf({ columns: orderedLike(key, parents), nullsNotDistinct: false }, child.definition);
  const childChanges = changesOf(child);
  const affected: { row: StoredRow; next: StoredRow | undefined }[] = [];
  for (const row of childChanges.current()) {
    const value = of(row);
    const parent = value === undefined ? undefined : gone.get(value);
    if (parent === undefined) continue;
    const action: ReferentialAction = parent.after === undefined ? key.onDelete : key.onUpdate;
    if (action === "no action" || action === "restrict") {
      throw stillReferenced(child, key, parent.before, environment.session);
    }
    affected.push({ row, next: acted(row, key, action, parent.after) });
  }
  const rules = rulesOf(child, store);
  for (const { row, next } of affected) {
    if (next === undefined) {
      childChanges.replaceCurrent(row, undefined);
      continue;
    }
    const [{ row: complete, problem }] = await rules.complete([next], environment);
    if (problem !== undefined) throw problem();
    const found = childChanges.conflictOf(complete, { except: row });
    if (found !== undefined) throw uniqueViolation(child, found.index.key, complete, environment.session);
    childChanges.replaceCurrent(row, complete);
  }
  return affected.length > 0;
}

/** The row of the child after the action: nothing when it goes with its parent. */
function acted(row: StoredRow, key: ForeignKey, action: ReferentialAction, parent: StoredRow | undefined) {
  if (action === "cascade" && parent === undefined) return undefined;
  const next: Value[] = [...row];
  key.columns.forEach((column, i) => {
    next[column] = action === "cascade" && parent !== undefined ? parent[key.targetColumns[i]] : null;
  });
  return next;
}

function indexOver(table: StoredTable, columns: readonly number[]): KeyIndex {
  const found = table.keyIndexes().find(({ key }) => key.where === undefined && sameColumns(key.columns, columns));
  if (found === undefined) throw new Error(`table ${table.info.name} has lost a key that a foreign key refers to`);
  return found;
}

/** The referring columns in the order of the parent's key. */
function orderedLike(key: ForeignKey, parents: KeyIndex): number[] {
  return parents.key.columns.map((column) => key.columns[key.targetColumns.indexOf(column)]);
}
