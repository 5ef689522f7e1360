/**
 * percentile_cont, percentile_disc and mode: `f(direct) WITHIN GROUP (ORDER BY value)`. The engine steps the values in
 * that order; NULLs are not counted. Source: PostgreSQL 15, 9.21, table "Ordered-Set Aggregate Functions".
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import { operationsOf } from "../../types/families.js";
import { float8Text } from "../../types/float.js";
import type { TypeName } from "../../types/type.js";
import type { Value } from "../../types/value.js";
import type { Accumulator, AggregateFunction } from "../function.js";

export type Pick = (values: readonly Value[], fraction: number) => Value;

/** The first value at or beyond the fraction. */
const discrete: Pick = (values, fraction) => values[Math.max(Math.ceil(fraction * values.length), 1) - 1];

/** Between the two values next to the fraction. */
export function continuous(interpolate: (low: Value, high: Value, part: number) => Value): Pick {
  return (values, fraction) => {
    const place = fraction * (values.length - 1);
    const low = Math.floor(place);
    const high = Math.ceil(place);
    return low === high ? values[low] : interpolate(values[low], values[high], place - low);
  };
}

const continuousFloat = continuous((low, high, part) => (low as number) + part * ((high as number) - (low as number)));

function checkFraction(fraction: number): void {
  if (!(fraction >= 0 && fraction <= 1))
    throw new SqlError(
      sqlstate.numericValueOutOfRange,
      `percentile value ${Number.isFinite(fraction) ? shortFloat(fraction) : float8Text(fraction)} is not between 0 and 1`,
      { hint: "0.5 is the median, 0.9 the 90th percentile." },
    );
}

/** Six significant digits, as in C's %g. */
function shortFloat(value: number): string {
  return String(Number(value.toPrecision(6)));
}

function percentile(pick: Pick, several: boolean): Accumulator<Value[]> {
  const one = (values: readonly Value[], fraction: number | null): Value => {
    if (fraction === null) return null;
    checkFraction(fraction);
    return values.length === 0 ? null : pick(values, fraction);
  };
  const each = (values: readonly Value[], fractions: readonly unknown[]): Value[] =>
    fractions.map((fraction) =>
      Array.isArray(fraction) ? each(values, fraction) : one(values, fraction as number | null),
    );
  return {
    init: () => [],
    step(values, value) {
      if (value !== null) values.push(value);
      return values;
    },
    final(values, direct) {
      const fraction = direct?.[0] ?? null;
      if (!several) return one(values, fraction as number | null);
      return fraction === null || values.length === 0 ? null : each(values, fraction as readonly unknown[]);
    },
  };
}

/** The commonest value so far and the current run of equal values; equal values come one after the other. */
interface Runs {
  best: Value;
  bestLength: number;
  current: Value;
  length: number;
}

/** One overload, for a single fraction or an array of them. */
export function percentileEntry(
  name: string,
  fraction: "float8" | "float8[]",
  value: TypeName,
  returns: TypeName,
  pick: Pick,
): AggregateFunction {
  return {
    kind: "aggregate",
    aggregateKind: "ordered-set",
    name,
    args: [fraction, value],
    directArgs: 1,
    returns,
    volatility: "immutable",
    strict: false,
    create: () => percentile(pick, fraction === "float8[]"),
  };
}

export const orderedSetAggregates: readonly AggregateFunction[] = [
  percentileEntry("percentile_cont", "float8", "float8", "float8", continuousFloat),
  percentileEntry("percentile_cont", "float8[]", "float8", "float8[]", continuousFloat),
  percentileEntry("percentile_disc", "float8", "anyelement", "anyelement", discrete),
  percentileEntry("percentile_disc", "float8[]", "anyelement", "anyarray", discrete),
  {
    kind: "aggregate",
    aggregateKind: "ordered-set",
    name: "mode",
    args: ["anyelement"],
    directArgs: 0,
    returns: "anyelement",
    volatility: "immutable",
    strict: false,
    description: "The value that occurs most often, the first of several",
    create({ argTypes }) {
      const compare = operationsOf(argTypes[0]).compare;
      if (compare === undefined) throw new TypeError(`type ${argTypes[0].name} has no order`);
      const runs: Accumulator<Runs> = {
        init: () => ({ best: null, bestLength: 0, current: null, length: 0 }),
        step(state, value) {
          if (value === null) return state;
          if (state.length > 0 && compare(state.current, value) === 0) state.length++;
          else {
            state.current = value;
            state.length = 1;
          }
          if (state.length > state.bestLength) {
            state.best = state.current;
            state.bestLength = state.length;
          }
          return state;
        },
        final: (state) => state.best,
      };
      return runs;
    },
  },
];
