/**
 * rank, dense_rank, percent_rank and cume_dist of a row that is not there: `rank(5) WITHIN GROUP (ORDER BY x)`.
 *
 * How a row compares under ORDER BY (direction, NULLS FIRST) is known to the engine, not here. So for these aggregates
 * the engine steps each row of the group in that order with two arguments instead of the row's values:
 * `step(state, relation, startsPeerGroup)`, where `relation` is negative, 0 or positive as the row stands before the
 * hypothetical row, is its peer, or stands behind it, and `startsPeerGroup` is whether the row differs from the one
 * before it. Rows with NULLs are stepped too. Source: PostgreSQL 15, 9.21.
 */
import type { Value } from "../../types/value.js";
import type { Accumulator, AggregateFunction } from "../function.js";

interface Place {
  rows: number;
  before: number;
  groupsBefore: number;
  peers: number;
}

const place: Omit<Accumulator<Place>, "final"> = {
  init: () => ({ rows: 0, before: 0, groupsBefore: 0, peers: 0 }),
  step(state, relation, startsPeerGroup) {
    state.rows++;
    if ((relation as number) < 0) {
      state.before++;
      if (startsPeerGroup === true) state.groupsBefore++;
    } else if (relation === 0) state.peers++;
    return state;
  },
};

function hypothetical(name: string, returns: "int8" | "float8", final: (state: Place) => Value): AggregateFunction {
  return {
    kind: "aggregate",
    aggregateKind: "hypothetical-set",
    name,
    args: ["any"],
    variadic: true,
    returns,
    volatility: "immutable",
    strict: false,
    create: () => ({ ...place, final }),
  };
}

export const hypotheticalSetAggregates: readonly AggregateFunction[] = [
  hypothetical("rank", "int8", (state) => state.before + 1),
  hypothetical("dense_rank", "int8", (state) => state.groupsBefore + 1),
  hypothetical("percent_rank", "float8", (state) => (state.rows === 0 ? 0 : state.before / state.rows)),
  hypothetical("cume_dist", "float8", (state) => (state.before + state.peers + 1) / (state.rows + 1)),
];
