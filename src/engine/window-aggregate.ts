/**
 * Aggregates over window frames. Frames only move forward, so most are kept up rather than computed anew: a frame that
 * starts at the partition's start grows; one that moves is followed by taking rows out again, where the aggregate can,
 * or for min and max by a queue of candidates. What is left is computed frame by frame.
 */
import type { Accumulator, AggregateFunction, SessionContext } from "../functions/function.js";
import type { WindowCall, WindowFrame } from "../planner/expr.js";
import type { Value } from "../types/value.js";
import { type Pause, pause } from "./batch.js";
import { comparatorOf } from "./compile/conditional.js";
import type { Execution } from "./execution.js";
import type { ValueColumn } from "./value-column.js";
import { framePieces, type Partition } from "./window-frame.js";

/** Rows of a partition as one aggregate call sees them. */
interface Input {
  readonly partition: Partition;
  readonly args: readonly ValueColumn[];
  /** By row number: whether FILTER passes; absent without FILTER. */
  readonly passes: ValueColumn | undefined;
  readonly strict: boolean;
}

/** The arguments of the row at a position, `undefined` when the aggregate does not see it. */
function argsAt(input: Input, at: number): Value[] | undefined {
  const row = input.partition.rows[at];
  if (input.passes !== undefined && input.passes.at(row) !== true) return undefined;
  const values = input.args.map((arg) => arg.at(row));
  return input.strict && values.includes(null) ? undefined : values;
}

/** Writes the aggregate of each row's frame to `out`, by row number. */
export function* aggregateFrames(
  execution: Execution,
  call: WindowCall,
  frame: WindowFrame,
  partition: Partition,
  bounds: { starts: Int32Array; ends: Int32Array },
  args: readonly ValueColumn[],
  passes: ValueColumn | undefined,
  out: Value[],
): Generator<Pause, void, void> {
  const entry = call.function as AggregateFunction;
  const accumulator = accumulatorOf(entry, call, execution.session);
  const input: Input = { partition, args, passes, strict: entry.strict };
  const { starts, ends } = bounds;
  if (frame.exclude !== "none") yield* eachFrame(execution, accumulator, input, bounds, frame.exclude, out);
  else if (frame.start.kind === "unbounded preceding" || accumulator.unstep !== undefined) {
    yield* movingFrame(execution, accumulator, input, starts, ends, out);
  } else if ((entry.name === "min" || entry.name === "max") && call.args.length === 1) {
    yield* extremes(execution, call, input, starts, ends, entry.name === "max" ? 1 : -1, out);
  } else yield* eachFrame(execution, accumulator, input, bounds, "none", out);
}

function accumulatorOf(entry: AggregateFunction, call: WindowCall, session: SessionContext): Accumulator<unknown> {
  return entry.create({ argTypes: call.argTypes, resultType: call.type, session });
}

/** Follows the frame: steps rows that enter, takes out rows that leave. */
function* movingFrame(
  execution: Execution,
  accumulator: Accumulator<unknown>,
  input: Input,
  starts: Int32Array,
  ends: Int32Array,
  out: Value[],
): Generator<Pause, void, void> {
  const { rows, rowCount } = input.partition;
  let state = accumulator.init();
  let start = 0;
  let end = 0;
  let result: Value;
  let known = false;
  for (let at = 0; at < rowCount; at++) {
    if (starts[at] > start || ends[at] < end) known = false;
    let restart = starts[at] >= end || ends[at] < end;
    while (!restart && start < starts[at]) {
      const values = argsAt(input, start);
      start++;
      if (values === undefined) continue;
      const next = accumulator.unstep?.(state, ...values);
      if (next === undefined) restart = true;
      else state = next;
      if (execution.budget.step()) yield pause;
    }
    if (restart) {
      state = accumulator.init();
      start = starts[at];
      end = start;
      known = false;
    }
    while (end < ends[at]) {
      const values = argsAt(input, end++);
      known = false;
      if (values !== undefined) state = accumulator.step(state, ...values);
      if (execution.budget.step()) yield pause;
    }
    if (!known) {
      result = accumulator.final(state);
      known = true;
      if (execution.budget.step()) yield pause; // a long value makes it look at the clock at once
    }
    out[rows[at]] = result;
  }
}

/** Computes every frame anew, unless it is the same as the one before. */
function* eachFrame(
  execution: Execution,
  accumulator: Accumulator<unknown>,
  input: Input,
  bounds: { starts: Int32Array; ends: Int32Array },
  exclude: WindowFrame["exclude"],
  out: Value[],
): Generator<Pause, void, void> {
  const { partition } = input;
  const { starts, ends } = bounds;
  for (let at = 0; at < partition.rowCount; at++) {
    const same = exclude === "none" && at > 0 && starts[at] === starts[at - 1] && ends[at] === ends[at - 1];
    if (same) {
      out[partition.rows[at]] = out[partition.rows[at - 1]];
      continue;
    }
    let state = accumulator.init();
    for (const [from, to] of framePieces(partition, at, starts[at], ends[at], exclude)) {
      for (let row = from; row < to; row++) {
        const values = argsAt(input, row);
        if (values !== undefined) state = accumulator.step(state, ...values);
        if (execution.budget.step()) yield pause;
      }
    }
    out[partition.rows[at]] = accumulator.final(state);
    if (execution.budget.step()) yield pause;
  }
}

/** min and max of moving frames: a queue of the rows that can still become the extreme, best first. */
function* extremes(
  execution: Execution,
  call: WindowCall,
  input: Input,
  starts: Int32Array,
  ends: Int32Array,
  sign: number,
  out: Value[],
): Generator<Pause, void, void> {
  const compare = comparatorOf(call.argTypes[0]);
  const { rows, rowCount } = input.partition;
  const positions: number[] = [];
  const values: Value[] = [];
  let head = 0;
  let end = 0;
  for (let at = 0; at < rowCount; at++) {
    while (end < ends[at]) {
      const value = argsAt(input, end)?.[0] ?? null;
      if (value !== null) {
        // Of equal values the first one is kept, as a comparison with > would.
        while (positions.length > head && compare(value, values[values.length - 1]) * sign > 0) {
          positions.pop();
          values.pop();
        }
        positions.push(end);
        values.push(value);
      }
      end++;
      if (execution.budget.step()) yield pause;
    }
    while (head < positions.length && positions[head] < starts[at]) head++;
    out[rows[at]] = head < positions.length && starts[at] < ends[at] ? values[head] : null;
  }
}
