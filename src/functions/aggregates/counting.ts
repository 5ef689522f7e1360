/** count, and the aggregates of booleans and bits. Source: PostgreSQL 15, 9.21 "Aggregate Functions". */
import type { Accumulator, AggregateFunction } from "../function.js";
import { simpleAggregate } from "./simple.js";

const countRows: Accumulator<number> = {
  init: () => 0,
  step: (count) => count + 1,
  final: (count) => count,
  unstep: (count) => count - 1,
};

/** How many of the values were true. */
interface Votes {
  rows: number;
  trues: number;
}

/** `verdict` says what the votes come to; it is not asked when there was no row. */
function voting(verdict: (votes: Votes) => boolean): Accumulator<Votes> {
  return {
    init: () => ({ rows: 0, trues: 0 }),
    step(votes, value) {
      votes.rows++;
      if (value === true) votes.trues++;
      return votes;
    },
    final: (votes) => (votes.rows === 0 ? null : verdict(votes)),
    unstep(votes, value) {
      votes.rows--;
      if (value === true) votes.trues--;
      return votes;
    },
  };
}

const allTrue = voting((votes) => votes.trues === votes.rows);
const anyTrue = voting((votes) => votes.trues > 0);

type BitOperation = "and" | "or" | "xor";

function combineBits(operation: BitOperation): Accumulator<number | null> {
  return {
    init: () => null,
    step(state, value) {
      const bits = value as number;
      if (state === null) return bits;
      return operation === "and" ? state & bits : operation === "or" ? state | bits : state ^ bits;
    },
    final: (state) => state,
  };
}

/** int8 goes through bigint: JavaScript's bit operators cut to 32 bits. */
function combineWideBits(operation: BitOperation): Accumulator<bigint | null> {
  return {
    init: () => null,
    step(state, value) {
      const bits = BigInt(value as number | bigint);
      if (state === null) return bits;
      return operation === "and" ? state & bits : operation === "or" ? state | bits : state ^ bits;
    },
    final: (state) => (state === null ? null : narrow(state)),
  };
}

/** An int8 value in its one representation: a number while that is safe. */
export function narrow(value: bigint): number | bigint {
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
}

const bitAggregates = (["and", "or", "xor"] as const).flatMap((operation) => [
  simpleAggregate(`bit_${operation}`, ["int2"], "int2", combineBits(operation)),
  simpleAggregate(`bit_${operation}`, ["int4"], "int4", combineBits(operation)),
  simpleAggregate(`bit_${operation}`, ["int8"], "int8", combineWideBits(operation)),
]);

export const countingAggregates: readonly AggregateFunction[] = [
  simpleAggregate("count", [], "int8", countRows, "Number of rows: count(*)"),
  simpleAggregate("count", ["any"], "int8", countRows, "Number of values that are not NULL"),
  simpleAggregate("bool_and", ["bool"], "bool", allTrue),
  simpleAggregate("bool_or", ["bool"], "bool", anyTrue),
  simpleAggregate("every", ["bool"], "bool", allTrue),
  ...bitAggregates,
];
