/** string_agg and array_agg. Source: PostgreSQL 15, 9.21. */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import {
  type ArrayValue,
  boundedArray,
  checkDimensionCount,
  dimensions,
  lowerBounds,
} from "../../types/array-shape.js";
import { type SqlType, types } from "../../types/type.js";
import type { Value } from "../../types/value.js";
import { spendWork } from "../../types/work.js";
import type { Accumulator, AggregateFunction, SessionContext } from "../function.js";
import { maxAllocation } from "../strings/define.js";

/** Strings longer than this are reported to the session's memory limit, and again each time they double. */
const firstReservation = 1 << 20;

interface JoinedText {
  text: string | undefined;
  reserved: number;
}

function joinTexts(session: SessionContext): Accumulator<JoinedText> {
  return {
    init: () => ({ text: undefined, reserved: firstReservation }),
    step(state, value, delimiter) {
      if (value === null) return state;
      state.text =
        state.text === undefined ? (value as string) : state.text + ((delimiter as string | null) ?? "") + value;
      if (state.text.length > state.reserved) {
        if (state.text.length > maxAllocation)
          throw new SqlError(sqlstate.programLimitExceeded, "result of string_agg is too long");
        session.reserveBytes(state.text.length * 2);
        state.reserved = state.text.length * 2;
      }
      return state;
    },
    final: (state) => state.text ?? null,
  };
}

interface JoinedBytes {
  pieces: Uint8Array[] | undefined;
  length: number;
}

const joinBytes: Accumulator<JoinedBytes> = {
  init: () => ({ pieces: undefined, length: 0 }),
  step(state, value, delimiter) {
    if (value === null) return state;
    if (state.pieces === undefined) state.pieces = [];
    else if (delimiter !== null) addPiece(state, state.pieces, delimiter as Uint8Array);
    addPiece(state, state.pieces, value as Uint8Array);
    return state;
  },
  final({ pieces, length }) {
    if (pieces === undefined) return null;
    const result = new Uint8Array(length);
    let at = 0;
    for (const piece of pieces) {
      result.set(piece, at);
      at += piece.length;
    }
    return result;
  },
};

function addPiece(state: JoinedBytes, pieces: Uint8Array[], piece: Uint8Array): void {
  pieces.push(piece);
  state.length += piece.length;
  if (state.length > maxAllocation)
    throw new SqlError(sqlstate.programLimitExceeded, "result of string_agg is too long");
}

/** Elements in pieces: a long array would be copied as it grows, for longer than the event loop may wait. */
interface CollectedElements {
  readonly full: Value[][];
  last: Value[];
}
const elementsAtOnce = 65_536;

/** NULLs are elements like others; without any row the result is NULL. */
const collectElements: Accumulator<CollectedElements> = {
  init: () => ({ full: [], last: [] }),
  step(state, value) {
    if (state.last.length === elementsAtOnce) {
      state.full.push(state.last);
      state.last = [];
    }
    state.last.push(value);
    return state;
  },
  final({ full, last }) {
    const length = full.length * elementsAtOnce + last.length;
    spendWork(length >> 2); // over a window this happens for each row
    return length === 0 ? null : full.length === 0 ? last.slice() : ([] as Value[]).concat(...full, last);
  },
};

/** Arrays become the rows of an array with one dimension more; all must have the same shape. */
function collectArrays(element: SqlType): Accumulator<ArrayValue[]> {
  return {
    init: () => [],
    step(items, value) {
      if (value === null) throw new SqlError(sqlstate.nullValueNotAllowed, "cannot accumulate null arrays");
      const array = value as ArrayValue;
      if (array.length === 0) throw new SqlError(sqlstate.arraySubscriptError, "cannot accumulate empty arrays");
      if (items.length === 0) checkDimensionCount(dimensions(array, element).length + 1);
      else if (!sameShape(items[0], array, element))
        throw new SqlError(sqlstate.arraySubscriptError, "cannot accumulate arrays of different dimensionality");
      items.push(array);
      return items;
    },
    final(items) {
      if (items.length === 0) return null;
      const inner = lowerBounds(items[0], element);
      const plain = element !== types.jsonb && inner.every((bound) => bound === 1);
      return plain ? items.slice() : boundedArray(items, [1, ...inner]);
    },
  };
}

function sameShape(a: ArrayValue, b: ArrayValue, element: SqlType): boolean {
  const [lengths, others] = [dimensions(a, element), dimensions(b, element)];
  const [bounds, otherBounds] = [lowerBounds(a, element), lowerBounds(b, element)];
  return (
    lengths.length === others.length &&
    lengths.every((length, i) => length === others[i] && bounds[i] === otherBounds[i])
  );
}

export const collectingAggregates: readonly AggregateFunction[] = [
  {
    kind: "aggregate",
    aggregateKind: "normal",
    name: "string_agg",
    args: ["text", "text"],
    returns: "text",
    volatility: "immutable",
    strict: false,
    description: "The texts that are not NULL, joined with a delimiter",
    create: ({ session }) => joinTexts(session),
  },
  {
    kind: "aggregate",
    aggregateKind: "normal",
    name: "string_agg",
    args: ["bytea", "bytea"],
    returns: "bytea",
    volatility: "immutable",
    strict: false,
    create: () => joinBytes,
  },
  {
    kind: "aggregate",
    aggregateKind: "normal",
    name: "array_agg",
    args: ["anynonarray"],
    returns: "anyarray",
    volatility: "immutable",
    strict: false,
    create: () => collectElements,
  },
  {
    kind: "aggregate",
    aggregateKind: "normal",
    name: "array_agg",
    args: ["anyarray"],
    returns: "anyarray",
    volatility: "immutable",
    strict: false,
    create: ({ argTypes }) => collectArrays(argTypes[0].element ?? argTypes[0]),
  },
];
