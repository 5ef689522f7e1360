/**
 * Remembers what host values of a column became, as long as the array of rows lives: timestamps, decimals and their like
 * cost more to read than all else in many statements, and one statement reads a column several times, the next ones read
 * it again. An entry holds the host value too and counts only while the row still has that value, so rows may change.
 */
import type { TypeContext } from "../types/operations.js";
import type { SqlType } from "../types/type.js";
import type { Value } from "../types/value.js";
import type { Vector } from "./batch.js";
import type { RelationColumn } from "./environment.js";

interface Memo {
  readonly type: SqlType;
  readonly typmod: number;
  /** Timestamps without a zone are read in the session's. */
  readonly timeZone: string;
  readonly raw: unknown[];
  readonly values: Value[];
}

const memos = new WeakMap<readonly object[], Map<string, Memo[]>>();

function memoOf(
  rows: readonly object[],
  column: RelationColumn,
  type: SqlType,
  typmod: number,
  timeZone: string,
): Memo {
  let columns = memos.get(rows);
  if (columns === undefined) {
    columns = new Map();
    memos.set(rows, columns);
  }
  let list = columns.get(column.name);
  if (list === undefined) {
    list = [];
    columns.set(column.name, list);
  }
  let memo = list.find((one) => one.type === type && one.typmod === typmod && one.timeZone === timeZone);
  if (memo === undefined) {
    // `null` is no host value that is looked up, so it stands for "nothing yet".
    memo = {
      type,
      typmod,
      timeZone,
      raw: new Array(rows.length).fill(null),
      values: new Array(rows.length).fill(null),
    };
    list.length = 0; // one reading of a column at a time: another zone or type starts anew
    list.push(memo);
  }
  return memo;
}

/** Turns the host values in `out` into values of the type, in place. `convert` is for those not seen before. */
export function convertRemembered(
  rows: readonly object[],
  column: RelationColumn,
  type: SqlType,
  typmod: number,
  context: TypeContext,
  ids: Int32Array,
  sel: Int32Array,
  n: number,
  out: Vector,
  convert: (value: unknown, position: number) => Value,
): void {
  const { raw, values } = memoOf(rows, column, type, typmod, context.timeZone);
  for (let k = 0; k < n; k++) {
    const i = sel[k];
    const value = out[i];
    if (value == null) {
      out[i] = null;
      continue;
    }
    const id = ids[i];
    if (raw[id] === value) {
      out[i] = values[id];
      continue;
    }
    const converted = convert(value, i);
    out[i] = converted;
    // Objects (a Date) may change and still be the same object.
    if (typeof value === "string" || typeof value === "number") {
      values[id] = converted;
      raw[id] = value;
    }
  }
}
