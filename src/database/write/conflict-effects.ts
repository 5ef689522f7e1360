/**
 * INSERT … ON CONFLICT → effects. The rows that have the proposed keys are read first; what conflicts is decided here, as
 * PostgreSQL's unique index decides it: by the rows that are there and by those that the statement itself puts in.
 */
import type { ConflictHandler } from "../../engine/write-request.js";
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type { RegisteredResource } from "../../resources/table-info.js";
import type { Value } from "../../types/value.js";
import { randomKey } from "../idempotency.js";
import { checkedRow, EffectList, type ProposedRow } from "./insert-effects.js";
import type { MadeWrite, MakeContext } from "./made-write.js";
import { decodeRow, hostValues, matchOf, sourcesOf, withValues } from "./row-values.js";

/** @throws SqlError before any effect: a bad value, 21000 for a row that would be changed twice, 0A000 for one that another part writes */
export async function makeUpsert(
  node: MadeWrite["node"],
  table: RegisteredResource,
  proposed: readonly ProposedRow[],
  conflict: ConflictHandler,
  context: MakeContext,
): Promise<MadeWrite> {
  const { keys, touched, session } = context;
  const checked = proposed.map((row, i) => checkedRow(table, row, i + 1, session));
  const asked = new Map<string, readonly Value[]>();
  for (const { row, given } of checked) {
    const key = keys.keyOf(row);
    // What is done with the row depends on whether one of its key is there.
    touched.touch(node, key === undefined ? "come" : "change", row, given);
    if (key !== undefined) asked.set(key, row);
  }
  const existing = new Map<string, readonly Value[]>();
  for (const row of await context.existing(table, [...asked.values()])) {
    const key = keys.keyOf(row);
    // The read may give more rows than were asked for.
    if (key === undefined || !asked.has(key) || keys.isWritten(key)) continue;
    existing.set(key, row);
    keys.see(row);
  }
  const list = new EffectList(table);
  checked.forEach((item, i) => {
    const key = keys.keyOf(item.row);
    const found = key === undefined ? undefined : existing.get(key);
    const isOurs = keys.isWritten(key) && keys.isPresent(key);
    if (found === undefined && !isOurs) {
      keys.enter(item.row);
      list.insert(item);
      return;
    }
    if (conflict.action === "nothing") return;
    if (isOurs || found === undefined) throw twice();
    const values = conflict.update(found, item.row);
    if (values === undefined) return;
    const set = hostValues(table, conflict.targets, values, session, i + 1);
    const decodedSet = decodeRow(table, set, i + 1);
    const next = withValues(found, conflict.targets, values);
    touched.touch(node, "come", next, conflict.targets);
    keys.leave(key);
    keys.enter(next);
    list.change(
      { table, op: "update", set, decodedSet, ...rowMatch(table, found, context), idempotencyKey: randomKey() },
      next,
    );
  });
  return { node, table, effects: list.effects, rows: list.rows };
}

function rowMatch(table: RegisteredResource, row: readonly Value[], { session }: MakeContext) {
  const sources = sourcesOf(table, table.primaryKey);
  const key = hostValues(
    table,
    sources,
    sources.map((source) => row[source]),
    session,
    1,
  );
  return matchOf(table, key, table.primaryKey);
}

function twice(): SqlError {
  return new SqlError(sqlstate.cardinalityViolation, "ON CONFLICT DO UPDATE command cannot affect row a second time", {
    hint: "Ensure that no rows proposed for insertion within the same command have duplicate constrained values.",
  });
}
