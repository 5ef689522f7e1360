/**
 * Window functions. All rows are kept; partitions are found through a key table and put out in the order of their keys,
 * as PostgreSQL's sort leaves them; inside, rows are sorted by the window's ORDER BY. Each call fills a column by row.
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type { WindowFunction } from "../../functions/function.js";
import type { FrameBound, SortKey, WindowCall, WindowFrame } from "../../planner/expr.js";
import type { Window } from "../../planner/plan.js";
import type { Value } from "../../types/value.js";
import {
  type Batch,
  batchSize,
  emptyLayout,
  identity,
  type Layout,
  type Pause,
  pause,
  type Slot,
  type Vector,
} from "../batch.js";
import { type Builder, layoutOf } from "../builder.js";
import { compile, compilePredicate } from "../compile/expression.js";
import type { Kernel, Predicate } from "../compile/kernel.js";
import type { Execution } from "../execution.js";
import { type KeyFunction, KeyTable, keyFunctionOf } from "../keys.js";
import { type Operator, type Step, settle } from "../operator.js";
import { storeLoader } from "../readers.js";
import { grown, ownIds, RowStore, type StoreShape, storeShape } from "../row-store.js";
import { type CompiledSortKey, compileSortKeys, KeyColumns } from "../sort-keys.js";
import { ValueColumn } from "../value-column.js";
import { aggregateFrames } from "../window-aggregate.js";
import { type FrameOffsets, frameBounds, Partition, PartitionView } from "../window-frame.js";

interface CompiledCall {
  readonly call: WindowCall;
  readonly frame: WindowFrame;
  readonly args: readonly Kernel[];
  readonly filter: Predicate | undefined;
  readonly startOffset: Kernel | undefined;
  readonly endOffset: Kernel | undefined;
}

/** What is known of all rows before the calls are computed. */
interface Collected {
  readonly store: RowStore;
  readonly keys: KeyColumns;
  /** The partition of each row, and how many there are. */
  readonly partitionOf: Int32Array;
  readonly partitionCount: number;
  readonly partitionKeys: KeyColumns;
  /** By call, argument and row. */
  readonly args: ValueColumn[][];
  /** By call and row; absent without FILTER. */
  readonly passes: (ValueColumn | undefined)[];
}

/** Up to so many wanted rows a partition are found by insertion rather than by sorting. */
const mostTopRows = 64;

export class WindowOperator implements Operator {
  readonly layout: Layout;
  private readonly partitionKernels: readonly Kernel[];
  private readonly partitionFunctions: readonly (KeyFunction | undefined)[];
  private readonly partitionKeys: readonly CompiledSortKey[];
  private readonly keys: readonly CompiledSortKey[];
  private readonly calls: readonly CompiledCall[];
  private readonly shape: StoreShape;
  private readonly resultSource: number;
  private readonly pausable: boolean;
  private readonly batchCell: number;
  private readonly oneCell: number;
  private readonly codesCell: number;
  private readonly filterCells: readonly number[];

  /** `topRows`: only the first so many rows of each partition are wanted, and no call looks beyond them. */
  constructor(
    private readonly input: Operator,
    plan: Window,
    kept: Layout,
    builder: Builder,
    private readonly topRows?: number,
  ) {
    const scope = { builder, layout: input.layout };
    const before = builder.subplans;
    this.partitionKernels = plan.partitionBy.map((expr) => compile(expr, scope));
    this.partitionFunctions = plan.partitionBy.map((expr) => keyFunctionOf(expr.type));
    const ascending = (expr: SortKey["expr"]): SortKey => ({ expr, descending: false, nullsFirst: false });
    this.partitionKeys = compileSortKeys(plan.partitionBy.map(ascending), scope);
    this.keys = compileSortKeys(plan.orderBy, scope);
    const constants = { builder, layout: emptyLayout };
    const offset = (bound: FrameBound) => (bound.offset === undefined ? undefined : compile(bound.offset, constants));
    this.calls = plan.calls.map(({ call, frame }) => ({
      call,
      frame,
      args: call.args.map((arg) => compile(arg, scope)),
      filter: call.filter === undefined ? undefined : compilePredicate(call.filter, scope),
      startOffset: offset(frame.start),
      endOffset: offset(frame.end),
    }));
    this.pausable = builder.subplans !== before;
    this.shape = storeShape(builder, kept);
    this.resultSource = builder.source();
    const slots = new Map<number, Slot>(this.shape.output.slots);
    plan.calls.forEach(({ column }, c) => {
      slots.set(column.id, builder.sourceSlot(column, this.resultSource, c, storeLoader));
    });
    this.layout = layoutOf(slots, [...this.shape.output.sources, this.resultSource]);
    this.batchCell = builder.cell();
    this.oneCell = builder.cell();
    this.codesCell = builder.cell();
    this.filterCells = plan.calls.map(() => builder.cell());
  }

  *open(execution: Execution): Generator<Step, void, void> {
    const collected = yield* this.collect(execution);
    const { store } = collected;
    const results: Value[][] = this.calls.map(() => new Array(store.count));
    const offsets = yield* this.offsets(execution);
    const rows = new Int32Array(store.count);
    const order = yield* collected.partitionKeys.order(execution, collected.partitionCount);
    const { grouped, starts } = yield* rowsByPartition(execution, collected);
    let count = 0;
    for (const p of order) {
      const sorted = yield* this.sorted(execution, collected, grouped.subarray(starts[p], starts[p + 1]));
      const partition = new Partition(sorted);
      yield* partition.findPeers(
        execution,
        this.keys.length === 0 ? () => true : (a, b) => collected.keys.compareRows(a, b) === 0,
      );
      for (let c = 0; c < this.calls.length; c++) {
        yield* this.computeCall(execution, collected, partition, c, offsets[c], results[c]);
      }
      rows.set(sorted, count);
      count += sorted.length;
      if (execution.budget.step(sorted.length)) yield pause;
    }
    execution.stores[this.resultSource] = results;
    yield* this.output(execution, store, rows, count);
  }

  /** The rows of a partition in window order; for a top-n window only those that can be wanted. */
  private *sorted(execution: Execution, collected: Collected, rows: Int32Array): Generator<Pause, Int32Array, void> {
    const { topRows } = this;
    if (this.keys.length === 0) return topRows === undefined ? rows : rows.subarray(0, topRows);
    if (topRows !== undefined && topRows <= mostTopRows && rows.length > topRows) {
      if (execution.budget.step(rows.length)) yield pause;
      return collected.keys.first(rows, topRows);
    }
    const sorted = yield* collected.keys.order(execution, rows.length, rows);
    return topRows === undefined ? sorted : sorted.subarray(0, topRows);
  }

  private *collect(execution: Execution): Generator<Pause, Collected, void> {
    const store = new RowStore(execution, this.shape);
    execution.renew(this.resultSource);
    const keys = new KeyColumns(this.keys);
    const partitionKeys = new KeyColumns(this.partitionKeys);
    const table = new KeyTable(this.partitionFunctions, true, batchSize);
    let partitionOf: Int32Array = new Int32Array(0);
    const args = this.calls.map(({ args: list }) => list.map(() => new ValueColumn()));
    const passes = this.calls.map(({ filter }) => (filter === undefined ? undefined : new ValueColumn()));
    const codes = execution.ids(this.codesCell);
    for (const step of this.input.open(execution)) {
      if (step === pause) {
        yield step;
        continue;
      }
      const { sel, count } = step;
      const evaluate = () => ({
        partition: this.partitionKernels.map((kernel) => kernel.evaluate(execution, step, sel, count)),
        keys: keys.evaluate(execution, step),
        args: this.calls.map((call) => call.args.map((arg) => arg.evaluate(execution, step, sel, count))),
        passes: this.calls.map(({ filter }, c) => {
          if (filter === undefined) return undefined;
          const hits = execution.ids(this.filterCells[c]);
          return hits.slice(0, filter(execution, step, sel, count, hits));
        }),
      });
      const read = this.pausable ? yield* settle(execution, evaluate) : evaluate();
      const first = store.count;
      const fresh: number[] = [];
      table.encode(read.partition, sel, count, codes, fresh);
      if (fresh.length > 0) {
        partitionKeys.append(read.partition, Int32Array.from(fresh), fresh.length);
      }
      partitionOf = grown(partitionOf, first + count);
      for (let k = 0; k < count; k++) partitionOf[first + k] = codes[sel[k]];
      keys.append(read.keys, sel, count);
      keepVectors(read.args, args, sel, count);
      read.passes.forEach((hits, c) => {
        const list = passes[c];
        if (hits === undefined || list === undefined) return;
        let h = 0;
        for (let k = 0; k < count; k++) {
          const passed = h < hits.length && hits[h] === sel[k];
          if (passed) h++;
          list.push(passed);
        }
      });
      store.append(step, sel, count);
      execution.hold(this.resultSource, 0, 24 * count * (1 + this.calls.length));
    }
    const partitionCount = store.count === 0 ? 0 : table.count;
    return { store, keys, partitionOf, partitionCount, partitionKeys, args, passes };
  }

  /** The frames' offsets, evaluated once. */
  private *offsets(execution: Execution): Generator<Pause, FrameOffsets[], void> {
    const one = execution.batch(this.oneCell);
    const list: FrameOffsets[] = [];
    for (const call of this.calls) {
      const evaluate = (kernel: Kernel | undefined): Value => {
        one.reset(1);
        return kernel === undefined ? undefined : kernel.evaluate(execution, one, identity, 1)[0];
      };
      const start = yield* settle(execution, () => evaluate(call.startOffset));
      const end = yield* settle(execution, () => evaluate(call.endOffset));
      list.push({
        start: checkedOffset(start, call.frame, "starting"),
        end: checkedOffset(end, call.frame, "ending"),
        ...shiftOf(execution, call.frame.start, start, "rangeStart"),
        ...shiftOf(execution, call.frame.end, end, "rangeEnd"),
      });
    }
    return list;
  }

  private *computeCall(
    execution: Execution,
    collected: Collected,
    partition: Partition,
    c: number,
    offsets: FrameOffsets,
    out: Value[],
  ): Generator<Pause, void, void> {
    const { call, frame } = this.calls[c];
    const args = collected.args[c];
    if (call.function.kind === "window" && call.function.name === "row_number") {
      for (let at = 0; at < partition.rowCount; at++) out[partition.rows[at]] = at + 1;
      return;
    }
    const bounds = yield* frameBounds(execution, partition, frame, offsets, collected.keys.columns[0]);
    if (call.function.kind === "aggregate") {
      yield* aggregateFrames(execution, call, frame, partition, bounds, args, collected.passes[c], out);
      return;
    }
    const site = { argTypes: call.argTypes, resultType: call.type, session: execution.session };
    const compute = (call.function as WindowFunction).specialize(site);
    const view = new PartitionView(partition, args, bounds.starts, bounds.ends, frame.exclude);
    for (let at = 0; at < partition.rowCount; at++) {
      out[partition.rows[at]] = compute(view, at);
      if (execution.budget.step()) yield pause;
    }
  }

  private *output(execution: Execution, store: RowStore, rows: Int32Array, count: number): Generator<Step, void, void> {
    const batch: Batch = execution.batch(this.batchCell);
    for (let start = 0; start < count; start += batchSize) {
      if (start > 0 && execution.budget.due()) yield pause;
      const n = Math.min(batchSize, count - start);
      store.gather(batch, rows, start, n);
      const ids = ownIds(execution, batch, this.resultSource);
      for (let k = 0; k < n; k++) ids[k] = rows[start + k];
      batch.reset(n);
      yield batch;
    }
  }
}

function keepVectors(
  vectors: readonly (readonly Vector[])[],
  kept: readonly (readonly ValueColumn[])[],
  sel: Int32Array,
  n: number,
): void {
  vectors.forEach((list, c) => {
    list.forEach((vector, a) => {
      kept[c][a].append(vector, sel, n);
    });
  });
}

/** The rows partition by partition, in input order (a counting sort); `starts` has where each begins. */
function* rowsByPartition(
  execution: Execution,
  { partitionOf, partitionCount, store: { count } }: Collected,
): Generator<Pause, { grouped: Int32Array; starts: Int32Array }, void> {
  const starts = new Int32Array(partitionCount + 1);
  for (let row = 0; row < count; row++) {
    starts[partitionOf[row] + 1]++;
    if (execution.budget.step()) yield pause;
  }
  for (let p = 0; p < partitionCount; p++) starts[p + 1] += starts[p];
  const places = starts.slice();
  const grouped = new Int32Array(count);
  for (let row = 0; row < count; row++) {
    grouped[places[partitionOf[row]]++] = row;
    if (execution.budget.step()) yield pause;
  }
  return { grouped, starts };
}

/** @throws SqlError 22004, 22013 */
function checkedOffset(value: Value, frame: WindowFrame, which: "starting" | "ending"): number {
  if (value === undefined) return 0;
  if (value === null) throw new SqlError(sqlstate.nullValueNotAllowed, `frame ${which} offset must not be null`);
  if (frame.mode === "range") return 0;
  const count = Number(value);
  if (count < 0) {
    throw new SqlError(sqlstate.invalidPrecedingOrFollowingSize, `frame ${which} offset must not be negative`);
  }
  return count;
}

/** A RANGE bound as a function of the sort key. */
function shiftOf(
  execution: Execution,
  bound: FrameBound,
  offset: Value,
  name: "rangeStart" | "rangeEnd",
): Partial<FrameOffsets> {
  if (bound.shift === undefined || bound.offset === undefined) return {};
  const { type } = bound.offset;
  const shift = bound.shift({ argTypes: [type], resultType: type, session: execution.session });
  return { [name]: (key: Value) => shift(key, offset) };
}
