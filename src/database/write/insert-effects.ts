/**
 * INSERT → effects. Columns that the statement leaves out, or gives DEFAULT, are not in the row that the verb gets: the
 * service has defaults of its own.
 */
import type { SessionContext } from "../../functions/function.js";
import type { RegisteredResource } from "../../resources/table-info.js";
import type { Value } from "../../types/value.js";
import type { Effect } from "../effect.js";
import { randomKey } from "../idempotency.js";
import type { MadeWrite, MakeContext, WrittenRow } from "./made-write.js";
import { decodeRow, hostValues } from "./row-values.js";

/** A row to insert: complete, and the columns (indexes) that the statement gives. */
export interface ProposedRow {
  readonly row: readonly Value[];
  readonly given: readonly number[];
}

/** A proposed row whose values are acceptable, as results show them and as the verb gets them. */
export interface CheckedRow extends ProposedRow {
  readonly host: NonNullable<Effect["rows"]>[number];
  readonly decoded: NonNullable<Effect["decodedRows"]>[number];
}

/** @param rowNumber of the row in the statement, from 1 @throws SqlError 23502, 22P02, 22023 */
export function checkedRow(
  table: RegisteredResource,
  { row, given }: ProposedRow,
  rowNumber: number,
  session: SessionContext,
): CheckedRow {
  const host = hostValues(
    table,
    given,
    given.map((source) => row[source]),
    session,
    rowNumber,
  );
  return { row, given, host, decoded: decodeRow(table, host, rowNumber) };
}

/** Collects effects in the order of the rows: one insert a row, or one for all rows where the verb takes them together. */
export class EffectList {
  readonly effects: Effect[] = [];
  readonly rows: WrittenRow[] = [];
  private batch: { at: number; rows: CheckedRow[] } | undefined;

  constructor(private readonly table: RegisteredResource) {}

  insert(checked: CheckedRow): void {
    const { table } = this;
    const unsaid = table.columns.flatMap((_, source) => (checked.given.includes(source) ? [] : [source]));
    if (table.resource.batch?.insert !== true) {
      this.rows.push({ values: checked.row, effect: this.effects.length, at: 0, unsaid });
      this.effects.push(insertOf(table, [checked]));
      return;
    }
    // All rows of the statement go with the first of them.
    this.batch ??= { at: this.effects.length, rows: [] };
    this.rows.push({ values: checked.row, effect: this.batch.at, at: this.batch.rows.length, unsaid });
    this.batch.rows.push(checked);
    this.effects[this.batch.at] = insertOf(table, this.batch.rows);
  }

  change(effect: Effect, values: readonly Value[], unsaid: readonly number[] = []): void {
    this.rows.push({ values, effect: this.effects.length, at: 0, unsaid });
    this.effects.push(effect);
  }
}

function insertOf(table: RegisteredResource, rows: readonly CheckedRow[]): Effect {
  return {
    table,
    op: "insert",
    rows: rows.map(({ host }) => host),
    decodedRows: rows.map(({ decoded }) => decoded),
    idempotencyKey: randomKey(),
  };
}

/** @throws SqlError 23502, 22P02, 22023 for a bad value, 23505 for two rows of one key, 0A000 for a row that another part writes */
export function makeInsert(
  node: MadeWrite["node"],
  table: RegisteredResource,
  proposed: readonly ProposedRow[],
  context: MakeContext,
): MadeWrite {
  const checked = proposed.map((row, i) => checkedRow(table, row, i + 1, context.session));
  const list = new EffectList(table);
  for (const row of checked) {
    context.touched.touch(node, "come", row.row, row.given);
    context.keys.enter(row.row);
    list.insert(row);
  }
  return { node, table, effects: list.effects, rows: list.rows };
}
