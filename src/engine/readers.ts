/**
 * Reading columns from rows: the loops that touch the caller's objects, and the checks that turn host values into values
 * of the column's type. Values that already look as memory wants them take a short path; everything else goes through
 * the type's own `fromHost`.
 */
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import { operationsOf } from "../types/families.js";
import { displayType, type SqlType } from "../types/type.js";
import type { Value } from "../types/value.js";
import type { Slot, SlotLoader, Vector } from "./batch.js";
import { convertRemembered } from "./conversion-memo.js";
import type { ObjectRelation } from "./environment.js";
import { isoInstant } from "./iso-instant.js";
import { isInherited, propertyReader } from "./row-property.js";
import { ValueColumn } from "./value-column.js";

type Row = Record<string, unknown>;
type RawLoop = (rows: readonly Row[], ids: Int32Array, sel: Int32Array, n: number, name: string, out: Vector) => void;

// The same loop several times over: V8 keeps inline caches per function source, and a property read that always sees one
// name and one shape of object costs a fraction of one that sees many.
const rawLoops: readonly RawLoop[] = [
  (rows, ids, sel, n, name, out) => {
    for (let k = 0; k < n; k++) {
      const i = sel[k];
      const id = ids[i];
      out[i] = id < 0 ? null : rows[id][name];
    }
  },
  (rows, ids, sel, n, name, out) => {
    for (let k = 0; k < n; k++) {
      const i = sel[k];
      const id = ids[i];
      out[i] = id < 0 ? null : rows[id][name];
    }
  },
  (rows, ids, sel, n, name, out) => {
    for (let k = 0; k < n; k++) {
      const i = sel[k];
      const id = ids[i];
      out[i] = id < 0 ? null : rows[id][name];
    }
  },
  (rows, ids, sel, n, name, out) => {
    for (let k = 0; k < n; k++) {
      const i = sel[k];
      const id = ids[i];
      out[i] = id < 0 ? null : rows[id][name];
    }
  },
  (rows, ids, sel, n, name, out) => {
    for (let k = 0; k < n; k++) {
      const i = sel[k];
      const id = ids[i];
      out[i] = id < 0 ? null : rows[id][name];
    }
  },
  (rows, ids, sel, n, name, out) => {
    for (let k = 0; k < n; k++) {
      const i = sel[k];
      const id = ids[i];
      out[i] = id < 0 ? null : rows[id][name];
    }
  },
  (rows, ids, sel, n, name, out) => {
    for (let k = 0; k < n; k++) {
      const i = sel[k];
      const id = ids[i];
      out[i] = id < 0 ? null : rows[id][name];
    }
  },
  (rows, ids, sel, n, name, out) => {
    for (let k = 0; k < n; k++) {
      const i = sel[k];
      const id = ids[i];
      out[i] = id < 0 ? null : rows[id][name];
    }
  },
  (rows, ids, sel, n, name, out) => {
    for (let k = 0; k < n; k++) {
      const i = sel[k];
      const id = ids[i];
      out[i] = id < 0 ? null : rows[id][name];
    }
  },
  (rows, ids, sel, n, name, out) => {
    for (let k = 0; k < n; k++) {
      const i = sel[k];
      const id = ids[i];
      out[i] = id < 0 ? null : rows[id][name];
    }
  },
  (rows, ids, sel, n, name, out) => {
    for (let k = 0; k < n; k++) {
      const i = sel[k];
      const id = ids[i];
      out[i] = id < 0 ? null : rows[id][name];
    }
  },
  (rows, ids, sel, n, name, out) => {
    for (let k = 0; k < n; k++) {
      const i = sel[k];
      const id = ids[i];
      out[i] = id < 0 ? null : rows[id][name];
    }
  },
];

/** For columns that are named as a property of every object. */
const ownPropertyLoop: RawLoop = (rows, ids, sel, n, name, out) => {
  const read = propertyReader(name);
  for (let k = 0; k < n; k++) {
    const i = sel[k];
    const id = ids[i];
    out[i] = id < 0 ? null : read(rows[id]);
  }
};

/** How many copies of the hot loop there are. */
export const loopCopies = rawLoops.length;

type Check = (out: Vector, sel: Int32Array, n: number, convert: (value: unknown, position: number) => Value) => void;

const checkString: Check = (out, sel, n, convert) => {
  for (let k = 0; k < n; k++) {
    const i = sel[k];
    const value = out[i];
    if (typeof value !== "string") out[i] = value == null ? null : convert(value, i);
  }
};
const checkInteger: Check = (out, sel, n, convert) => {
  for (let k = 0; k < n; k++) {
    const i = sel[k];
    const value = out[i];
    if (typeof value !== "number" || (value | 0) !== value) out[i] = value == null ? null : convert(value, i);
  }
};
const checkNumber: Check = (out, sel, n, convert) => {
  for (let k = 0; k < n; k++) {
    const i = sel[k];
    const value = out[i];
    if (typeof value !== "number") out[i] = value == null ? null : convert(value, i);
  }
};
const checkBoolean: Check = (out, sel, n, convert) => {
  for (let k = 0; k < n; k++) {
    const i = sel[k];
    const value = out[i];
    if (value !== true && value !== false) out[i] = value == null ? null : convert(value, i);
  }
};
const checkAny: Check = (out, sel, n, convert) => {
  for (let k = 0; k < n; k++) {
    const i = sel[k];
    const value = out[i];
    out[i] = value == null ? null : convert(value, i);
  }
};

function isPlainJson(value: unknown): boolean {
  if (typeof value !== "object") return typeof value === "string";
  if (Array.isArray(value)) return true;
  return Object.getPrototypeOf(value) === Object.prototype && (value as { toJSON?: unknown }).toJSON === undefined;
}

/** Objects and arrays of JSON as they are; what else a host may put into one is left to the type. */
const checkJson: Check = (out, sel, n, convert) => {
  for (let k = 0; k < n; k++) {
    const i = sel[k];
    const value = out[i];
    if (value == null) out[i] = null;
    else if (!isPlainJson(value)) out[i] = convert(value, i);
  }
};

/** The check of a type whose values can be told at a glance; `undefined` for types that must be converted and are worth remembering. */
function checkFor(type: SqlType, typmod: number): Check | undefined {
  if (type.kind !== "base") return checkAny;
  switch (type.name) {
    case "text":
    case "citext":
      return checkString;
    case "varchar":
      return typmod < 0 ? checkString : undefined;
    case "int4":
    case "int8":
      return checkInteger; // integers of 32 bits; wider ones take the long way
    case "float8":
      return checkNumber;
    case "bool":
      return checkBoolean;
    case "jsonb":
      return checkJson;
    case "bytea":
    case "json":
      return checkAny;
    default:
      return undefined;
  }
}

/**
 * The loader of a scan's slot.
 * @param table for errors: whose rows they are
 */
export function scanLoader(type: SqlType, typmod: number, table: string): SlotLoader {
  const check = checkFor(type, typmod);
  const { fromHost } = operationsOf(type);
  const isInstant = type.name === "timestamptz" && typmod < 0;
  return (execution, slot, ids, sel, n, out) => {
    const relation = execution.relations[slot.source];
    if (relation === undefined) return fillNull(sel, n, out);
    if (relation.kind === "tuples") {
      const { rows } = relation;
      const { item } = slot;
      for (let k = 0; k < n; k++) {
        const i = sel[k];
        const id = ids[i];
        out[i] = id < 0 ? null : rows[id][item];
      }
      return;
    }
    const column = relation.columns[slot.item];
    const { session } = execution;
    const convert = (value: unknown, position: number): Value => {
      if (isInstant && typeof value === "string") {
        const microseconds = isoInstant(value);
        if (!Number.isNaN(microseconds)) return microseconds;
      }
      const converted = fromHost(value, typmod, session);
      return converted === undefined ? refuse(relation, slot, ids[position], value) : converted;
    };
    try {
      const loop = isInherited(column.name) ? ownPropertyLoop : rawLoops[slot.copy];
      loop(relation.rows as readonly Row[], ids, sel, n, column.name, out);
      if (check !== undefined) check(out, sel, n, convert);
      else convertRemembered(relation.rows, column, type, typmod, session, ids, sel, n, out, convert);
    } catch (error) {
      throw error instanceof SqlError ? error : unreadable(table, column.name, error);
    }
  };
}

/** A row object may run code of its own when it is read: getters, proxies, `toJSON`. */
function unreadable(table: string, column: string, error: unknown): SqlError {
  return new SqlError(sqlstate.fdwError, `column "${column}" of a row of "${table}" could not be read`, {
    detail: error instanceof Error ? error.message : String(error),
    hint: "The property of the row object failed; give plain objects, or catch the error where the rows are made.",
    cause: error,
  });
}

/** @throws SqlError 22P02, or the relation's own error */
function refuse(relation: ObjectRelation, slot: Slot, row: number, value: unknown): never {
  const column = relation.columns[slot.item];
  if (column.onBadValue !== undefined) throw column.onBadValue(row, value);
  throw new SqlError(
    sqlstate.invalidTextRepresentation,
    `row ${row + 1} has a value in column "${column.name}" that is not of type ${displayType(slot.type, slot.typmod)}`,
  );
}

/** A source that was never opened gives only rows of NULLs: it was on the null-supplying side of an outer join. */
function fillNull(sel: Int32Array, n: number, out: Vector): void {
  for (let k = 0; k < n; k++) out[sel[k]] = null;
}

/** The loader of a slot over an operator's buffer. */
export const storeLoader: SlotLoader = (execution, slot, ids, sel, n, out) => {
  const columns = execution.stores[slot.source];
  if (columns === undefined) return fillNull(sel, n, out);
  const column = columns[slot.item];
  if (column instanceof ValueColumn) return column.read(ids, sel, n, out);
  for (let k = 0; k < n; k++) {
    const i = sel[k];
    const id = ids[i];
    out[i] = id < 0 ? null : column[id];
  }
};
