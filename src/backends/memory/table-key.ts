/** Unique keys of stored tables: PRIMARY KEY, UNIQUE and unique indexes, and the value of a row that they compare. */
import type { TableColumn } from "../../catalog/table.js";
import { operationsOf } from "../../types/families.js";
import { keyText } from "../../types/key-text.js";
import type { Value } from "../../types/value.js";

/** A row of a stored table: a value in memory form for each column. Rows are never changed, only replaced. */
export type StoredRow = readonly Value[];

export interface UniqueKey {
  readonly name: string;
  /** Indexes into the table's columns. */
  readonly columns: readonly number[];
  readonly primary: boolean;
  readonly nullsNotDistinct: boolean;
  /** Made by a constraint; otherwise by CREATE UNIQUE INDEX. */
  readonly constraint: boolean;
}

/** What a key compares, as something a Map finds; `undefined` for a row that conflicts with none (it has a NULL). */
export type KeyOf = (row: StoredRow) => string | number | bigint | boolean | undefined;

type Primitive = string | number | bigint | boolean;

/** Reads the values at `positions` of a row as a key. Columns of the same types give comparable keys in all tables. */
export function keyOf(positions: readonly number[], columns: readonly TableColumn[], nullsNotDistinct = false): KeyOf {
  const operations = positions.map((position) => operationsOf(columns[position].type));
  if (positions.length === 1 && !nullsNotDistinct) {
    const [position] = positions;
    const { key } = operations[0];
    return (row) => {
      const value = row[position];
      if (value === null) return undefined;
      return key === undefined ? (value as Primitive) : key(value);
    };
  }
  return (row) => {
    let text = "";
    for (let i = 0; i < positions.length; i++) {
      const value = row[positions[i]];
      if (value === null && !nullsNotDistinct) return undefined;
      text += keyText(value, operations[i]);
    }
    return text;
  };
}

/** Whether two lists name the same columns in any order. */
export function sameColumns(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((column) => b.includes(column));
}
