/** What a type modifier does to a value that already has the type: `varchar(3)`, `numeric(5,2)`, `timestamp(0)`. */
import { dimensions, elements, lowerBounds, shapeArray } from "../array-shape.js";
import type { Int64 } from "../datetime/int64.js";
import { applyIntervalModifier } from "../datetime/interval-modifier.js";
import { roundTime, roundTimestamp } from "../datetime/timestamp-value.js";
import { applyNumericModifier, type Numeric } from "../numeric.js";
import { coerceBpchar, coerceVarchar } from "../text.js";
import type { SqlType } from "../type.js";
import type { Interval, TimeWithZone, Value } from "../value.js";

type Coercion = (value: Value, typmod: number, explicit: boolean) => Value;

const coercions: Readonly<Record<string, Coercion>> = {
  varchar: (value, typmod, explicit) => coerceVarchar(value as string, typmod, explicit),
  bpchar: (value, typmod, explicit) => coerceBpchar(value as string, typmod, explicit),
  numeric: (value, typmod) => applyNumericModifier(value as Numeric, typmod),
  time: (value, typmod) => roundTime(value as number, typmod),
  timetz: (value, typmod): TimeWithZone => {
    const { microseconds, offsetSeconds } = value as TimeWithZone;
    return { microseconds: roundTime(microseconds, typmod), offsetSeconds };
  },
  timestamp: (value, typmod) => roundTimestamp(value as Int64, typmod),
  timestamptz: (value, typmod) => roundTimestamp(value as Int64, typmod),
  interval: (value, typmod) => applyIntervalModifier(value as Interval, typmod),
};

/** The function that applies a modifier, `undefined` when there is nothing to apply. Values are not NULL. */
export function modifierCoercion(
  type: SqlType,
  typmod: number,
  explicit: boolean,
): ((value: Value) => Value) | undefined {
  if (typmod < 0) return undefined;
  if (type.kind === "array" && type.element !== undefined) {
    const element = type.element;
    const coerce = modifierCoercion(element, typmod, explicit);
    if (coerce === undefined) return undefined;
    return (value) => {
      const array = value as readonly Value[];
      const items = elements(array, element).map((item) => (item === null ? null : coerce(item)));
      return shapeArray(items, dimensions(array, element), lowerBounds(array, element), element);
    };
  }
  const coercion = Object.hasOwn(coercions, type.name) && type.kind === "base" ? coercions[type.name] : undefined;
  return coercion && ((value) => coercion(value, typmod, explicit));
}
