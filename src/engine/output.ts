/**
 * Result rows: values of a column as hosts want them, written into row objects. A value that already is what a host
 * wants (numbers, strings, booleans, jsonb) is passed on as it is.
 */
import type { Column } from "../planner/expr.js";
import { operationsOf } from "../types/families.js";
import type { SqlType } from "../types/type.js";
import type { Value } from "../types/value.js";
import type { Batch, Slot } from "./batch.js";
import type { Kernel } from "./compile/kernel.js";
import type { Execution } from "./execution.js";

export interface OutputColumn {
  readonly type: SqlType;
  /** Values in memory are host values already. */
  readonly plain: boolean;
  readonly slot: Slot | undefined;
}

const plainTypes = new Set(["bool", "int2", "int4", "oid", "text", "varchar", "name", "uuid", "citext"]);

export function compileOutput(column: Column, slot: Slot | undefined): OutputColumn {
  const { type } = column;
  const plain = type.kind === "enum" || (type.kind === "base" && plainTypes.has(type.name));
  return { type, plain, slot };
}

type Store = (rows: object[], first: number, values: readonly Value[], n: number, name: string | number) => void;

// As in `readers.ts`: one copy of the loop for each of the first columns, so that each sees one property name.
const stores: readonly Store[] = [
  (rows, first, values, n, name) => {
    for (let k = 0; k < n; k++) (rows[first + k] as Record<string | number, unknown>)[name] = values[k];
  },
  (rows, first, values, n, name) => {
    for (let k = 0; k < n; k++) (rows[first + k] as Record<string | number, unknown>)[name] = values[k];
  },
  (rows, first, values, n, name) => {
    for (let k = 0; k < n; k++) (rows[first + k] as Record<string | number, unknown>)[name] = values[k];
  },
  (rows, first, values, n, name) => {
    for (let k = 0; k < n; k++) (rows[first + k] as Record<string | number, unknown>)[name] = values[k];
  },
  (rows, first, values, n, name) => {
    for (let k = 0; k < n; k++) (rows[first + k] as Record<string | number, unknown>)[name] = values[k];
  },
  (rows, first, values, n, name) => {
    for (let k = 0; k < n; k++) (rows[first + k] as Record<string | number, unknown>)[name] = values[k];
  },
  (rows, first, values, n, name) => {
    for (let k = 0; k < n; k++) (rows[first + k] as Record<string | number, unknown>)[name] = values[k];
  },
  (rows, first, values, n, name) => {
    for (let k = 0; k < n; k++) (rows[first + k] as Record<string | number, unknown>)[name] = values[k];
  },
];

/** Writes one column of a batch's first `n` selected rows into the rows from `first` on. */
export function writeColumn(
  execution: Execution,
  batch: Batch,
  n: number,
  column: OutputColumn,
  kernel: Kernel,
  rows: object[],
  first: number,
  name: string | number,
  index: number,
): void {
  const { sel } = batch;
  const vector = kernel.evaluate(execution, batch, sel, batch.count);
  const values: Value[] = new Array(n);
  if (column.plain) for (let k = 0; k < n; k++) values[k] = vector[sel[k]];
  else {
    const { toHost } = operationsOf(column.type);
    const { session } = execution;
    for (let k = 0; k < n; k++) {
      const value = vector[sel[k]];
      values[k] = value === null ? null : toHost(value, session);
    }
  }
  if (name === "__proto__") storeOwn(rows, first, values, n, name);
  else stores[index % stores.length](rows, first, values, n, name);
}

/** As the loops above for the one name that an assignment takes for something else than a property. */
function storeOwn(rows: object[], first: number, values: readonly Value[], n: number, name: string): void {
  for (let k = 0; k < n; k++) {
    Object.defineProperty(rows[first + k], name, {
      value: values[k],
      writable: true,
      enumerable: true,
      configurable: true,
    });
  }
}
