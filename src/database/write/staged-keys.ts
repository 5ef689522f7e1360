/**
 * What the open transaction has done to the rows of a table, by key, as far as that is known without reading: PostgreSQL
 * refuses a second row of one key at once, and an UPDATE or DELETE of a row that is gone does nothing.
 */
import type { SessionContext } from "../../functions/function.js";
import type { Row } from "../../resources/resource.js";
import type { RegisteredResource } from "../../resources/table-info.js";
import type { Effect } from "../effect.js";
import type { RowKeys } from "./row-keys.js";
import { memoryRow, sourcesOf } from "./row-values.js";

/** Enters the keys of staged rows into those of a statement. */
export function seeStaged(
  keys: RowKeys,
  table: RegisteredResource,
  staged: readonly Effect[],
  session: SessionContext,
): void {
  const sources = sourcesOf(table, table.primaryKey);
  const rowOf = (row: Row) => memoryRow(table, row, session, sources);
  for (const effect of staged) {
    if (effect.table.name !== table.name || effect.table.schema !== table.schema) continue;
    for (const row of effect.rows ?? []) keys.see(rowOf(row));
    if (effect.match === undefined) continue;
    const before = rowOf(effect.match);
    if (effect.op === "delete") keys.lose(before);
    else if (changesKey(effect, table)) {
      keys.lose(before);
      keys.see(rowOf({ ...effect.match, ...effect.set }));
    }
  }
}

function changesKey({ set }: Effect, { primaryKey }: RegisteredResource): boolean {
  return primaryKey.some((name) => Object.hasOwn(set ?? {}, name));
}
