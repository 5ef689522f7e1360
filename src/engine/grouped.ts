/**
 * Aggregates over many groups at once: states are kept in arrays by group number. Counting and the sums, averages and
 * extremes of plain numbers have loops of their own; everything else goes through the library's accumulators.
 */
import type { Accumulator } from "../functions/function.js";
import type { AggregateCall } from "../planner/expr.js";
import { floatOverflow } from "../types/float.js";
import { numericDivide, numericFromNumber } from "../types/numeric.js";
import type { Value } from "../types/value.js";
import type { Vector } from "./batch.js";
import { comparableAs } from "./compile/comparison.js";
import type { Execution } from "./execution.js";
import { roomFor } from "./room.js";

/** The states of one aggregate for all groups. */
export interface GroupedState {
  /** Makes states for groups up to `count`. */
  grow(count: number): void;
  /** Takes the rows at these positions into their groups. `groups` is by position. */
  update(vectors: readonly Vector[], sel: Int32Array, n: number, groups: Int32Array): void;
  result(group: number, direct?: readonly Value[]): Value;
}

const narrowIntegers = new Set(["int2", "int4", "int8"]);

/** The states for an aggregate call, fast ones where there are any. */
export function groupedState(call: AggregateCall, execution: Execution): GroupedState {
  const { name, aggregateKind } = call.function;
  if (aggregateKind === "normal" && call.args.length <= 1) {
    if (name === "count") return new CountState(call.args.length === 0);
    const type = call.argTypes[0];
    if (type !== undefined) {
      const integer = narrowIntegers.has(type.name);
      if (name === "sum" && integer && call.type.name === "int8") return new IntegerSumState(false);
      if (name === "avg" && integer) return new IntegerSumState(true);
      if (name === "sum" && type.name === "float8") return new FloatSumState();
      if ((name === "min" || name === "max") && comparableAs(type, type) === "number") {
        return new ExtremeState(name === "max");
      }
    }
  }
  const site = { argTypes: call.argTypes, resultType: call.type, session: execution.session };
  return new LibraryState(call.function.create(site), call.function.strict);
}

class CountState implements GroupedState {
  private counts = new Float64Array(16);

  constructor(private readonly star: boolean) {}

  grow(count: number): void {
    this.counts = grownDoubles(this.counts, count);
  }

  update(vectors: readonly Vector[], sel: Int32Array, n: number, groups: Int32Array): void {
    const { counts } = this;
    if (this.star) {
      for (let k = 0; k < n; k++) counts[groups[sel[k]]]++;
      return;
    }
    const vector = vectors[0];
    for (let k = 0; k < n; k++) {
      const i = sel[k];
      if (vector[i] !== null) counts[groups[i]]++;
    }
  }

  result(group: number): Value {
    return this.counts[group];
  }
}

/** Sums and averages of integers; a sum that leaves the safe range goes on as a bigint. */
class IntegerSumState implements GroupedState {
  private sums = new Float64Array(16);
  private counts = new Float64Array(16);
  private readonly large = new Map<number, bigint>();

  constructor(private readonly average: boolean) {}

  grow(count: number): void {
    this.sums = grownDoubles(this.sums, count);
    this.counts = grownDoubles(this.counts, count);
  }

  update(vectors: readonly Vector[], sel: Int32Array, n: number, groups: Int32Array): void {
    const { sums, counts } = this;
    const vector = vectors[0];
    for (let k = 0; k < n; k++) {
      const i = sel[k];
      const value = vector[i];
      if (value === null) continue;
      const group = groups[i];
      counts[group]++;
      if (typeof value === "number") {
        const sum = sums[group] + value;
        if (sum <= Number.MAX_SAFE_INTEGER && sum >= -Number.MAX_SAFE_INTEGER) {
          sums[group] = sum;
          continue;
        }
      }
      this.large.set(group, (this.large.get(group) ?? 0n) + BigInt(sums[group]) + BigInt(value as number | bigint));
      sums[group] = 0;
    }
  }

  result(group: number): Value {
    if (this.counts[group] === 0) return null;
    const large = this.large.get(group);
    const total = large === undefined ? this.sums[group] : narrowed(large + BigInt(this.sums[group]));
    if (!this.average) return total;
    return numericDivide(numericFromNumber(total), numericFromNumber(this.counts[group]));
  }
}

function narrowed(value: bigint): number | bigint {
  return value <= BigInt(Number.MAX_SAFE_INTEGER) && value >= -BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}

class FloatSumState implements GroupedState {
  private sums = new Float64Array(16);
  private counts = new Float64Array(16);

  grow(count: number): void {
    this.sums = grownDoubles(this.sums, count);
    this.counts = grownDoubles(this.counts, count);
  }

  update(vectors: readonly Vector[], sel: Int32Array, n: number, groups: Int32Array): void {
    const { sums, counts } = this;
    const vector = vectors[0];
    for (let k = 0; k < n; k++) {
      const i = sel[k];
      const value = vector[i] as number | null;
      if (value === null) continue;
      const group = groups[i];
      const before = sums[group];
      const sum = counts[group] === 0 ? value : before + value;
      counts[group]++;
      if (Math.abs(sum) === Number.POSITIVE_INFINITY && Number.isFinite(before) && Number.isFinite(value)) {
        throw floatOverflow();
      }
      sums[group] = sum;
    }
  }

  result(group: number): Value {
    return this.counts[group] === 0 ? null : this.sums[group];
  }
}

/** min and max of numbers, dates and timestamps; NaN is the greatest. */
class ExtremeState implements GroupedState {
  private readonly best: Value[] = [];

  constructor(private readonly greatest: boolean) {}

  grow(count: number): void {
    while (this.best.length < count) this.best.push(null);
  }

  update(vectors: readonly Vector[], sel: Int32Array, n: number, groups: Int32Array): void {
    const { best, greatest } = this;
    const vector = vectors[0];
    for (let k = 0; k < n; k++) {
      const i = sel[k];
      const value = vector[i] as number | null;
      if (value === null) continue;
      const group = groups[i];
      const current = best[group] as number | null;
      if (current === null) best[group] = value;
      else if (greatest) {
        if (value > current || (Number.isNaN(value) && !Number.isNaN(current))) best[group] = value;
      } else if (value < current || (Number.isNaN(current) && !Number.isNaN(value))) best[group] = value;
    }
  }

  result(group: number): Value {
    return this.best[group];
  }
}

/** Any aggregate of the library. */
class LibraryState implements GroupedState {
  private readonly states: unknown[] = [];

  constructor(
    private readonly accumulator: Accumulator<unknown>,
    private readonly strict: boolean,
  ) {}

  grow(count: number): void {
    while (this.states.length < count) this.states.push(this.accumulator.init());
  }

  update(vectors: readonly Vector[], sel: Int32Array, n: number, groups: Int32Array): void {
    const { states, accumulator, strict } = this;
    if (vectors.length === 1) {
      const vector = vectors[0];
      for (let k = 0; k < n; k++) {
        const i = sel[k];
        const value = vector[i];
        if (strict && value === null) continue;
        const group = groups[i];
        states[group] = accumulator.step(states[group], value);
      }
      return;
    }
    if (vectors.length === 2) {
      const [first, second] = vectors;
      for (let k = 0; k < n; k++) {
        const i = sel[k];
        const a = first[i];
        const b = second[i];
        if (strict && (a === null || b === null)) continue;
        const group = groups[i];
        states[group] = accumulator.step(states[group], a, b);
      }
      return;
    }
    for (let k = 0; k < n; k++) {
      const i = sel[k];
      const values = vectors.map((vector) => vector[i]);
      if (strict && values.includes(null)) continue;
      const group = groups[i];
      states[group] = accumulator.step(states[group], ...values);
    }
  }

  result(group: number, direct?: readonly Value[]): Value {
    return this.accumulator.final(this.states[group], direct);
  }
}

/** A longer copy of a vector of doubles. */
export function grownDoubles(values: Float64Array<ArrayBuffer>, length: number): Float64Array<ArrayBuffer> {
  if (values.length >= length) return values;
  const longer = new Float64Array(Math.max(length, roomFor(values.length)));
  longer.set(values);
  return longer;
}
