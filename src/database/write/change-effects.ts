/**
 * UPDATE and DELETE → effects: one call a row, by primary key; where the rows were not read but made from the key values
 * of the statement itself, by these.
 */
import type { RowChange } from "../../engine/write-request.js";
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type { Merge, Write } from "../../planner/plan.js";
import type { Row } from "../../resources/resource.js";
import type { RegisteredResource } from "../../resources/table-info.js";
import type { Value } from "../../types/value.js";
import type { Effect } from "../effect.js";
import { randomKey } from "../idempotency.js";
import { EffectList } from "./insert-effects.js";
import type { MadeWrite, MakeContext } from "./made-write.js";
import { shownKey, textOf } from "./row-keys.js";
import { decodeRow, hostValues, matchOf, memoryRow, sourcesOf, withValues } from "./row-values.js";

/** @throws SqlError before any effect: a bad value, a key that is there already, rows that can't be told apart or that another part writes */
export function makeUpdate(
  node: Write,
  table: RegisteredResource,
  changes: readonly RowChange[],
  context: MakeContext,
): MadeWrite {
  const target = new TargetRows(node, table, node.targetScan as number, context);
  const list = new EffectList(table);
  const origins: number[] = [];
  changes.forEach((change, i) => {
    target.touch(change.rowId);
    if (target.isWritten(change.rowId)) return;
    origins.push(i);
    const { effect, values } = target.update(change, i + 1);
    list.change(effect, values, target.unread(change.targets));
  });
  return { node, table, effects: list.effects, rows: list.rows, ...skipped(origins, changes.length) };
}

/** @throws SqlError before any effect, as {@link makeUpdate} does */
export function makeDelete(
  node: Write,
  table: RegisteredResource,
  rowIds: readonly number[],
  context: MakeContext,
): MadeWrite {
  const target = new TargetRows(node, table, node.targetScan as number, context);
  const list = new EffectList(table);
  const origins: number[] = [];
  rowIds.forEach((rowId, i) => {
    target.touch(rowId);
    if (target.isWritten(rowId)) return;
    origins.push(i);
    const { effect, values } = target.remove(rowId);
    list.change(effect, values, target.unread([]));
  });
  return { node, table, effects: list.effects, rows: list.rows, ...skipped(origins, rowIds.length) };
}

function skipped(origins: readonly number[], requested: number): Pick<MadeWrite, "origins"> {
  return origins.length < requested ? { origins } : {};
}

/** The rows that an UPDATE, DELETE or MERGE goes through, as its scan of the table read them. */
export class TargetRows {
  private readonly rows: readonly Row[];
  private readonly identity: readonly string[];
  private readonly isDirect: boolean;
  private readonly memory: (readonly Value[] | undefined)[] = [];
  /** Where the key columns stand. */
  private readonly sources: readonly number[];
  /** RETURNING may ask for any column of a written row. */
  private readonly isReturned: boolean;
  private counts: ReadonlyMap<string, number> | undefined;

  constructor(
    private readonly node: Write | Merge,
    private readonly table: RegisteredResource,
    scan: number,
    private readonly context: MakeContext,
  ) {
    this.rows = context.rowsOf(scan);
    this.isDirect = context.isDirect(scan);
    const identity = table.primaryKey.length > 0 ? table.primaryKey : table.keys;
    if (identity.length === 0 && !this.isDirect && this.rows.length > 0) throw withoutKey(node, table);
    this.identity = identity.length > 0 ? identity : Object.keys(this.rows[0] ?? {});
    this.sources = sourcesOf(table, this.identity);
    this.isReturned = node.kind === "Write" && node.returning !== undefined;
    if (!this.isDirect) for (let i = 0; i < this.rows.length; i++) context.keys.see(this.key(i));
  }

  /** A row in memory form, of which only the key columns are filled in. */
  private key(rowId: number): readonly Value[] {
    let row = this.memory[rowId];
    if (row === undefined) {
      row = memoryRow(this.table, this.rows[rowId], this.context.session, this.sources);
      this.memory[rowId] = row;
    }
    return row;
  }

  private row(rowId: number): readonly Value[] {
    return this.isReturned ? memoryRow(this.table, this.rows[rowId], this.context.session) : this.key(rowId);
  }

  /** The row is about to be changed. @throws SqlError 0A000 when another part of the statement writes it */
  touch(rowId: number): void {
    this.context.touched.touch(this.node, "change", this.key(rowId), this.sources);
  }

  /** Whether the row has been written, or one that was not read is gone by what is staged. */
  isWritten(rowId: number): boolean {
    const { keys } = this.context;
    const key = keys.keyOf(this.key(rowId));
    return keys.isWritten(key) || (this.isDirect && keys.isGone(key));
  }

  /** Columns that nobody has read: all but the key and what is set, where the statement goes straight to its calls. */
  unread(targets: readonly number[]): readonly number[] {
    if (!this.isDirect) return [];
    return this.table.columns.flatMap(({ name }, source) =>
      targets.includes(source) || Object.hasOwn(this.rows[0] ?? {}, name) ? [] : [source],
    );
  }

  update(change: RowChange, rowNumber: number): { effect: Effect; values: readonly Value[] } {
    const { table, context } = this;
    const before = this.row(change.rowId);
    const set = hostValues(table, change.targets, change.values, context.session, rowNumber);
    const decodedSet = decodeRow(table, set, rowNumber);
    const match = this.match(change.rowId);
    const values = withValues(before, change.targets, change.values);
    context.touched.touch(this.node, "come", values, [...new Set([...this.sources, ...change.targets])]);
    context.keys.leave(context.keys.keyOf(before));
    context.keys.enter(values);
    return { effect: { table, op: "update", set, decodedSet, ...match, idempotencyKey: randomKey() }, values };
  }

  remove(rowId: number): { effect: Effect; values: readonly Value[] } {
    const { table, context } = this;
    const values = this.row(rowId);
    const match = this.match(rowId);
    context.keys.leave(context.keys.keyOf(values));
    return { effect: { table, op: "delete", ...match, idempotencyKey: randomKey() }, values };
  }

  private match(rowId: number): ReturnType<typeof matchOf> {
    this.requireAlone(rowId);
    return matchOf(this.table, this.rows[rowId], this.identity);
  }

  /** A call by a key that several rows have would change all of them. @throws SqlError 55000 */
  private requireAlone(rowId: number): void {
    if (this.isDirect) return;
    const { sources } = this;
    if (this.counts === undefined) {
      const counts = new Map<string, number>();
      for (let i = 0; i < this.rows.length; i++) {
        const key = textOf(this.table, sources, this.key(i));
        if (key !== undefined) counts.set(key, (counts.get(key) ?? 0) + 1);
      }
      this.counts = counts;
    }
    const key = textOf(this.table, sources, this.key(rowId));
    const count = key === undefined ? 1 : (this.counts.get(key) ?? 1);
    if (count === 1) return;
    throw new SqlError(
      sqlstate.objectNotInPrerequisiteState,
      `rows of "${this.table.name}" can't be told apart by their key`,
      {
        detail: `${count} rows have ${shownKey(this.table, sources, this.key(rowId), this.context.session)}: a call by it would mean all of them.`,
        hint: "The resource has to declare a primaryKey that no two rows share.",
      },
    );
  }
}

function withoutKey(node: Write | Merge, table: RegisteredResource): SqlError {
  const verb = node.kind === "Merge" ? "merge" : node.op;
  return new SqlError(
    sqlstate.objectNotInPrerequisiteState,
    `table "${table.name}" has no primary key to ${verb} rows by`,
    {
      position: node.position,
      hint:
        node.kind === "Merge"
          ? "Use UPDATE and DELETE with a WHERE of equalities only: they are passed to the tool as they are."
          : "Use a WHERE of equalities only: they are passed to the tool as they are.",
    },
  );
}
