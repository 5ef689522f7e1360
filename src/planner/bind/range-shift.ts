/**
 * `key + offset` and `key - offset` for RANGE frames, in terms that compare with the keys: a bound may lie outside the
 * key's type (a date shifted by hours, a time past midnight), so it is not always the operator's own result.
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type { CallSite } from "../../functions/function.js";
import { operatorsNamed } from "../../functions/registry.js";
import { operationsOf } from "../../types/families.js";
import { resolveOperator } from "../../types/resolution.js";
import { type SqlType, types } from "../../types/type.js";
import type { Interval, TimeWithZone, Value } from "../../types/value.js";
import { resolverOf } from "./operators.js";

type Shift = (key: Value, offset: Value) => Value;

const microsecondsPerDay = 86_400_000_000;

/**
 * Makes the shift for a session.
 * @param add whether the offset is added
 * @param upper whether the bound is the greatest key of the frame: infinity less infinity then bounds nothing above
 * @throws SqlError 22013 (when shifting) for an offset that is negative or no number
 */
export function rangeShift(
  keyType: SqlType,
  offsetType: SqlType,
  add: boolean,
  upper: boolean,
): (site: CallSite) => Shift {
  return (site) => {
    const shift = withoutNaN(plainShift(keyType, offsetType, add, site), keyType, upper, site);
    const { compare, input } = operationsOf(offsetType);
    const zero = input("0", -1, site.session);
    const nan = hasNaN(offsetType) ? input("NaN", -1, site.session) : undefined;
    return (key, offset) => {
      if (compare !== undefined && (compare(offset, zero) < 0 || (nan !== undefined && compare(offset, nan) === 0))) {
        throw new SqlError(
          sqlstate.invalidPrecedingOrFollowingSize,
          "invalid preceding or following size in window function",
        );
      }
      return shift(key, offset);
    };
  };
}

function hasNaN(type: SqlType): boolean {
  return type === types.float4 || type === types.float8 || type === types.numeric;
}

/** Where a key is infinite and the offset takes it back by infinity, every key lies within the bound. */
function withoutNaN(shift: Shift, keyType: SqlType, upper: boolean, site: CallSite): Shift {
  const { compare, input } = operationsOf(keyType);
  if (!hasNaN(keyType) || compare === undefined) return shift;
  const nan = input("NaN", -1, site.session);
  const infinity = input(upper ? "Infinity" : "-Infinity", -1, site.session);
  return (key, offset) => {
    const bound = shift(key, offset);
    return compare(bound, nan) === 0 && compare(key, nan) !== 0 ? infinity : bound;
  };
}

function plainShift(keyType: SqlType, offsetType: SqlType, add: boolean, site: CallSite): Shift {
  const sign = add ? 1 : -1;
  switch (keyType) {
    case types.int2:
    case types.int4:
    case types.int8:
      return (key, offset) => normal(BigInt(key as number) + BigInt(sign) * BigInt(offset as number));
    case types.time:
      return (key, offset) => (key as number) + sign * Number((offset as Interval).microseconds);
    case types.timetz:
      return (key, offset) => {
        const { microseconds, offsetSeconds } = key as TimeWithZone;
        return { microseconds: microseconds + sign * Number((offset as Interval).microseconds), offsetSeconds };
      };
    case types.date: {
      const shift = byOperator(types.timestamp, offsetType, add, site);
      return (key, offset) => {
        const days = key as number;
        if (!Number.isFinite(days)) return days;
        return Number(shift(days * microsecondsPerDay, offset)) / microsecondsPerDay;
      };
    }
    case types.float4:
      return byOperator(types.float8, offsetType, add, site);
    default:
      return byOperator(keyType, offsetType, add, site);
  }
}

function normal(value: bigint): number | bigint {
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}

function byOperator(keyType: SqlType, offsetType: SqlType, add: boolean, site: CallSite): Shift {
  const found = resolveOperator(keyType, offsetType, operatorsNamed(add ? "+" : "-"));
  if (found.kind !== "match") throw new Error(`no operator shifts ${keyType.name} by ${offsetType.name}`);
  const callable = resolverOf(found.entry)({
    argTypes: found.argTypes,
    resultType: found.resultType,
    session: site.session,
  });
  return callable as (...args: Value[]) => Value;
}
