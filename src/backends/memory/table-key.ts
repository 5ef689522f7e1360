/** Unique keys of stored tables: PRIMARY KEY, UNIQUE and unique indexes, and the value of a row that they compare. */
import type { TableColumn } from "../../catalog/table.js";
import { operationsOf } from "../../types/families.js";
import { keyText } from "../../types/key-text.js";
import type { Value } from "../../types/value.js";

/** A row of a stored table: a value in memory form for each column. Rows are never changed, only replaced. */
export type StoredRow = readonly Value[];

export interface UniqueKey {
  readonly name: string;
  /** Indexes into the table's columns; from their number on, into the values that are hidden behind them. */
  readonly columns: readonly number[];
  /** Index of the hidden value that must be true for a row to count: CREATE UNIQUE INDEX … WHERE. */
  readonly where?: number;
  /** COLLATE and operator class of each of `columns`: there is one order here, but ON CONFLICT may ask for them. */
  readonly modifiers?: readonly { readonly collation?: string; readonly operatorClass?: string }[];
  readonly primary: boolean;
  readonly nullsNotDistinct: boolean;
  /** Made by a constraint; otherwise by CREATE UNIQUE INDEX. */
  readonly constraint: boolean;
}

/** What a key compares, as something a Map finds; `undefined` for a row that conflicts with none (it has a NULL). */
export type KeyOf = (row: StoredRow) => string | number | bigint | boolean | undefined;

type Primitive = string | number | bigint | boolean;

/** What a table keeps of a row: its columns, then the hidden values. */
export interface RowShape {
  readonly columns: readonly Pick<TableColumn, "name" | "type">[];
  readonly hidden: readonly Pick<TableColumn, "name" | "type">[];
}

/** A value of a row by its place, hidden ones included. */
export function placeOf({ columns, hidden }: RowShape, position: number): Pick<TableColumn, "name" | "type"> {
  return position < columns.length ? columns[position] : hidden[position - columns.length];
}

/** Reads what a key compares. Columns of the same types give comparable keys in all tables. */
export function keyOf(key: Pick<UniqueKey, "columns" | "where" | "nullsNotDistinct">, shape: RowShape): KeyOf {
  const all = keyOfAll(key, shape);
  const { where } = key;
  return where === undefined ? all : (row) => (row[where] === true ? all(row) : undefined);
}

function keyOfAll(
  { columns: positions, nullsNotDistinct }: Pick<UniqueKey, "columns" | "nullsNotDistinct">,
  shape: RowShape,
): KeyOf {
  const operations = positions.map((position) => operationsOf(placeOf(shape, position).type));
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

/** Whether a key is over columns only and counts all rows, so that foreign keys and plans may rely on it. */
export function isPlainKey({ columns, where, modifiers }: UniqueKey, shape: RowShape): boolean {
  return where === undefined && modifiers === undefined && columns.every((position) => position < shape.columns.length);
}

/** Whether two lists name the same columns in any order. */
export function sameColumns(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((column) => b.includes(column));
}
