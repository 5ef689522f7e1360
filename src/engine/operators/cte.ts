/**
 * WITH. A CTE's rows are computed when a scan first asks for them, and kept for all its scans; a data-modifying one runs
 * in any case. A recursive one goes on only as far as its scans read, so that LIMIT can end an endless recursion.
 */
import type { Column } from "../../planner/expr.js";
import type { CteScan } from "../../planner/plan.js";
import type { Value } from "../../types/value.js";
import { type Batch, batchSize, type Layout, type Pause, pause, type Slot } from "../batch.js";
import { type Builder, layoutOf } from "../builder.js";
import type { Kernel } from "../compile/kernel.js";
import type { Execution } from "../execution.js";
import { type KeyFunction, KeyTable, keyFunctionOf } from "../keys.js";
import type { Operator, Step } from "../operator.js";
import { loopCopies } from "../readers.js";
import { ownIds, RowStore, type StoreShape, storeShape } from "../row-store.js";
import { ValueColumn } from "../value-column.js";
import { columnKernels } from "./set-operation.js";
import { columnBatches, storedLayout } from "./values.js";

/** A CTE as its scans know it. */
export type Cte = StoredCte | RecursiveCte;

/** Rows kept as row ids. */
export class StoredCte {
  readonly shape: StoreShape;
  readonly cell: number;

  constructor(
    readonly operator: Operator,
    readonly columns: readonly Column[],
    readonly modifies: boolean,
    /** It reads what data-modifying CTEs return. */
    readonly readsWrites: boolean,
    builder: Builder,
  ) {
    this.shape = storeShape(builder, operator.layout);
    this.cell = builder.cell();
  }

  reset(execution: Execution): void {
    execution.cells[this.cell] = undefined;
  }

  *store(execution: Execution): Generator<Pause, RowStore, void> {
    let store = execution.cells[this.cell] as RowStore | undefined;
    if (store === undefined) {
      store = new RowStore(execution, this.shape);
      for (const step of this.operator.open(execution)) {
        if (step === pause) yield step;
        else store.append(step, step.sel, step.count);
      }
      execution.cells[this.cell] = store;
    }
    return store;
  }
}

/** Rows of a recursive CTE so far, by column, and what makes more of them. */
interface Recursion {
  readonly columns: ValueColumn[];
  count: number;
  bytes: number;
  done: boolean;
  readonly more: Generator<Pause | "rows", void, void>;
}

/** Rows kept as values: base and recursive term have different origins. */
export class RecursiveCte {
  readonly cell: number;
  /** The rows of the last round, for scans inside the recursive term. */
  readonly workCell: number;
  private base: { operator: Operator; kernels: readonly Kernel[] } | undefined;
  private term: { operator: Operator; kernels: readonly Kernel[] } | undefined;
  private readonly functions: readonly (KeyFunction | undefined)[];

  constructor(
    readonly columns: readonly Column[],
    private readonly all: boolean,
    /** As for {@link StoredCte}. */
    readonly readsWrites: boolean,
    builder: Builder,
  ) {
    this.cell = builder.cell();
    this.workCell = builder.cell();
    this.functions = columns.map((column) => keyFunctionOf(column.type));
  }

  /** The operators come after the CTE itself, since the term refers to it. */
  complete(
    base: Operator,
    baseColumns: readonly Column[],
    term: Operator,
    termColumns: readonly Column[],
    builder: Builder,
  ): void {
    this.base = { operator: base, kernels: columnKernels(baseColumns, base, builder) };
    this.term = { operator: term, kernels: columnKernels(termColumns, term, builder) };
  }

  reset(execution: Execution): void {
    const state = execution.cells[this.cell] as Recursion | undefined;
    if (state !== undefined) execution.budget.release(state.count, state.bytes);
    execution.cells[this.cell] = undefined;
  }

  state(execution: Execution): Recursion {
    let state = execution.cells[this.cell] as Recursion | undefined;
    if (state === undefined) {
      const columns = this.columns.map(() => new ValueColumn());
      state = { columns, count: 0, bytes: 0, done: false, more: this.rounds(execution, () => this.state(execution)) };
      execution.cells[this.cell] = state;
    }
    return state;
  }

  private *rounds(execution: Execution, state: () => Recursion): Generator<Pause | "rows", void, void> {
    const { base, term } = this;
    if (base === undefined || term === undefined) return;
    const table = this.all ? undefined : new KeyTable(this.functions, true, batchSize);
    let work: Value[][] = this.columns.map(() => []);
    yield* this.round(execution, base, table, work, state());
    for (let rounds = 1; state().count > 0 && (work[0]?.length ?? 0) > 0; rounds++) {
      execution.budget.checkDepth(rounds);
      execution.cells[this.workCell] = work;
      work = this.columns.map(() => []);
      yield* this.round(execution, term, table, work, state());
    }
    state().done = true;
  }

  /** Runs one side once; its (new) rows go to the result and to the next work table. */
  private *round(
    execution: Execution,
    side: { operator: Operator; kernels: readonly Kernel[] },
    table: KeyTable | undefined,
    work: Value[][],
    state: Recursion,
  ): Generator<Pause | "rows", void, void> {
    for (const step of side.operator.open(execution)) {
      if (step === pause) {
        yield step;
        continue;
      }
      const vectors = side.kernels.map((kernel) => kernel.evaluate(execution, step, step.sel, step.count));
      let sel: ArrayLike<number> = step.sel;
      let n = step.count;
      if (table !== undefined) {
        const fresh: number[] = [];
        table.encode(vectors, step.sel, n, new Int32Array(batchSize), fresh);
        sel = fresh;
        n = fresh.length;
      }
      for (let c = 0; c < vectors.length; c++) {
        for (let k = 0; k < n; k++) {
          const value = vectors[c][sel[k]];
          state.columns[c].push(value);
          work[c].push(value);
        }
      }
      state.count += n;
      execution.budget.retain(n, n * 32 * vectors.length);
      state.bytes += n * 32 * vectors.length;
      if (n > 0) yield "rows";
      if (execution.budget.step(16)) yield pause;
    }
  }
}

/** The input of a WITH; its CTEs start anew each time it is opened. */
export class WithOperator implements Operator {
  readonly layout: Layout;

  constructor(
    private readonly input: Operator,
    private readonly ctes: readonly Cte[],
  ) {
    this.layout = input.layout;
  }

  *open(execution: Execution): Generator<Step, void, void> {
    const modifying = this.ctes.filter((cte): cte is StoredCte => cte instanceof StoredCte && cte.modifies);
    // In a second pass only what the writes returned is new; the CTEs beside them keep the rows that these were made from.
    const isKept = (cte: Cte) =>
      execution.outcomes !== undefined &&
      modifying.length > 0 &&
      !cte.readsWrites &&
      !modifying.includes(cte as StoredCte);
    for (const cte of this.ctes) if (!isKept(cte)) cte.reset(execution);
    for (const cte of modifying) yield* cte.store(execution);
    yield* this.input.open(execution);
  }
}

/** One reference to a CTE: the kept rows under sources of its own, so that two references can be joined. */
export class CteScanOperator implements Operator {
  readonly layout: Layout;
  private readonly sources: readonly { readonly from: number; readonly to: number }[];
  private readonly storeSource: number | undefined;
  private readonly batchCell: number;

  constructor(
    plan: CteScan,
    private readonly cte: StoredCte,
    needed: ReadonlySet<number>,
    builder: Builder,
  ) {
    const slots = new Map<number, Slot>();
    const sources = new Map<number, number>();
    plan.columns.forEach((column, c) => {
      if (!needed.has(column.id)) return;
      const slot = cte.shape.output.slots.get(cte.columns[c].id);
      if (slot?.load === undefined) throw new TypeError(`CTE ${plan.name} does not keep column ${column.name}`);
      let source = sources.get(slot.source);
      if (source === undefined) {
        source = builder.source();
        sources.set(slot.source, source);
      }
      slots.set(
        column.id,
        builder.sourceSlot(slot, source, slot.item, slot.load, slot.copy + loopCopies * 64 - (slot.item % loopCopies)),
      );
    });
    this.sources = [...sources].map(([from, to]) => ({ from, to }));
    this.storeSource = sources.get(cte.shape.source);
    this.layout = layoutOf(slots);
    this.batchCell = builder.cell();
  }

  *open(execution: Execution): Generator<Step, void, void> {
    const store = yield* this.cte.store(execution);
    for (const { from, to } of this.sources) {
      execution.relations[to] = execution.relations[from];
      execution.stores[to] = from === this.cte.shape.source ? store.columns : execution.stores[from];
    }
    const batch = execution.batch(this.batchCell);
    for (let start = 0; start < store.count; start += batchSize) {
      if (start > 0 && execution.budget.due()) yield pause;
      const n = Math.min(batchSize, store.count - start);
      this.fill(execution, batch, store, start, n);
      batch.reset(n);
      yield batch;
    }
  }

  private fill(execution: Execution, batch: Batch, store: RowStore, start: number, n: number): void {
    for (const { from, to } of this.sources) {
      const ids = ownIds(execution, batch, to);
      if (to === this.storeSource) for (let k = 0; k < n; k++) ids[k] = start + k;
      else {
        const kept = store.ids[from];
        for (let k = 0; k < n; k++) ids[k] = kept[start + k];
      }
    }
  }
}

/** A reference to a recursive CTE: to all its rows, or inside its term to the last round's. */
export class RecursiveScanOperator implements Operator {
  readonly layout: Layout;
  private readonly source: number;
  private readonly batchCell: number;

  constructor(
    private readonly plan: CteScan,
    private readonly cte: RecursiveCte,
    builder: Builder,
  ) {
    this.source = builder.source();
    this.layout = storedLayout(builder, plan.columns, this.source);
    this.batchCell = builder.cell();
  }

  *open(execution: Execution): Generator<Step, void, void> {
    const batch = execution.batch(this.batchCell);
    if (this.plan.workTable === true) {
      const work = (execution.cells[this.cte.workCell] as Value[][] | undefined) ?? [];
      execution.stores[this.source] = work;
      yield* columnBatches(execution, batch, this.source, work[0]?.length ?? 0);
      return;
    }
    const state = this.cte.state(execution);
    execution.stores[this.source] = state.columns;
    for (let start = 0; ; ) {
      if (start < state.count) {
        const n = Math.min(batchSize, state.count - start);
        const ids = ownIds(execution, batch, this.source);
        for (let k = 0; k < n; k++) ids[k] = start + k;
        batch.reset(n);
        start += n;
        yield batch;
        if (execution.budget.due()) yield pause;
      } else if (state.done) return;
      else if (state.more.next().value === pause) yield pause;
    }
  }
}
