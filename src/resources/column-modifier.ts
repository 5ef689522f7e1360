/** What a column's length or precision says of the values that it can be asked for. */
import type { TableColumn } from "../catalog/table.js";
import { SqlError } from "../errors/sql-error.js";
import type { SessionContext } from "../functions/function.js";
import { makeCast } from "../types/casts.js";
import { operationsOf } from "../types/families.js";
import { type SqlType, types } from "../types/type.js";
import type { Value } from "../types/value.js";

/**
 * Lets through the values of a column's type that the column can hold: `'abc'` is none of a `varchar(2)`, `123.4` none of a
 * `numeric(3,1)`, `1.25` would be another number there. No row can be equal to such a value, so that nothing need be asked.
 * Blanks at the end of a `char(n)` mean nothing and are left out: services do not pad.
 * @returns for a value `undefined` when the column can't hold it (and for `undefined`)
 */
export function withinModifier(
  { type, typmod }: Pick<TableColumn, "type" | "typmod">,
  session: SessionContext,
): (value: Value | undefined) => Value | undefined {
  const held = typmod < 0 ? (value: Value) => value : holding(type, typmod, session);
  return (value) => {
    const kept = value === undefined ? undefined : held(value);
    return kept === undefined ? undefined : withoutPadding(kept, type);
  };
}

/** Blanks at the end of a `char(n)` are no part of the value: `'ab' >= 'ab   '` is true of it, and false of the texts. */
export function withoutPadding(value: Value, type: SqlType): Value {
  return type === types.bpchar ? (value as string).replace(/ +$/, "") : value;
}

function holding(type: TableColumn["type"], typmod: number, session: SessionContext) {
  const store = makeCast(type, type, typmod, false, session);
  const { compare } = operationsOf(type);
  return (value: Value): Value | undefined => {
    try {
      return compare === undefined || compare(store(value), value) === 0 ? value : undefined;
    } catch (error) {
      if (!(error instanceof SqlError)) throw error;
      return undefined; // too long, too many digits
    }
  };
}
