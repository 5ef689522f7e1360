/**
 * Parts of a correlated subplan (or of a recursive term) that do not depend on what changes: their rows are kept the
 * first time and given again. `LookupOperator` keeps them in a hash table, for `inner = outer` conditions.
 */
import type { Expr } from "../../planner/expr.js";
import { type Batch, batchSize, identity, type Layout, pause } from "../batch.js";
import type { Builder } from "../builder.js";
import { compile, compilePredicate } from "../compile/expression.js";
import type { Kernel, Predicate } from "../compile/kernel.js";
import type { CteReading } from "../cte-reading.js";
import type { Execution } from "../execution.js";
import type { KeyFunction } from "../keys.js";
import { type Operator, type Step, settle } from "../operator.js";
import { RowStore, type StoreShape, storeBatches, storeShape } from "../row-store.js";
import { narrow } from "./filter.js";
import { JoinTable } from "./join-table.js";
import { anyMayTakeLong, Pace } from "./pieces.js";

/** Rows, and what the CTEs held that they were made from. */
export interface Kept<Rows> {
  readonly rows: Rows;
  readonly read: readonly unknown[];
}

export class RetainOperator implements Operator {
  readonly layout: Layout;
  private readonly shape: StoreShape;
  private readonly storeCell: number;
  private readonly batchCell: number;

  /** @param reading the CTEs whose rows go into those that are kept */
  constructor(
    private readonly input: Operator,
    private readonly reading: CteReading,
    builder: Builder,
  ) {
    this.shape = storeShape(builder, input.layout);
    this.layout = this.shape.output;
    this.storeCell = builder.cell();
    this.batchCell = builder.cell();
  }

  *open(execution: Execution): Generator<Step, void, void> {
    let kept = execution.cells[this.storeCell] as Kept<RowStore> | undefined;
    if (kept === undefined || !this.reading.isPresent(execution, kept.read)) {
      const store = new RowStore(execution, this.shape);
      for (const step of this.input.open(execution)) {
        if (step === pause) yield step;
        else store.append(step, step.sel, step.count);
      }
      kept = { rows: store, read: this.reading.present(execution) };
      execution.cells[this.storeCell] = kept;
    }
    yield* storeBatches(execution, execution.batch(this.batchCell), kept.rows);
  }
}

/** An equality between an expression over the input and one over outer values only. */
export interface LookupKey {
  readonly inner: Expr;
  readonly outer: Expr;
  readonly key: KeyFunction | undefined;
}

export class LookupOperator implements Operator {
  readonly layout: Layout;
  private readonly shape: StoreShape;
  private readonly innerKeys: readonly Kernel[];
  private readonly outerKeys: readonly Kernel[];
  private readonly residual: readonly Predicate[];
  private readonly pausable: boolean;
  private readonly slow: boolean;
  private readonly tableCell: number;
  private readonly batchCell: number;
  private readonly oneCell: number;
  private readonly keptCells: readonly [number, number];

  constructor(
    private readonly input: Operator,
    private readonly keys: readonly LookupKey[],
    residual: readonly Expr[],
    private readonly reading: CteReading,
    builder: Builder,
  ) {
    this.shape = storeShape(builder, input.layout);
    this.layout = this.shape.output;
    this.innerKeys = keys.map((key) => compile(key.inner, { builder, layout: input.layout }));
    const before = builder.subplans;
    this.outerKeys = keys.map((key) =>
      compile(key.outer, { builder, layout: { slots: new Map(), sources: [], computed: [] } }),
    );
    this.residual = residual.map((conjunct) => compilePredicate(conjunct, { builder, layout: this.layout }));
    this.pausable = builder.subplans !== before;
    this.slow = anyMayTakeLong(residual);
    this.tableCell = builder.cell();
    this.batchCell = builder.cell();
    this.oneCell = builder.cell();
    this.keptCells = [builder.cell(), builder.cell()];
  }

  *open(execution: Execution): Generator<Step, void, void> {
    let kept = execution.cells[this.tableCell] as Kept<JoinTable> | undefined;
    if (kept === undefined || !this.reading.isPresent(execution, kept.read)) {
      const table = new JoinTable(
        new RowStore(execution, this.shape),
        this.keys.map((key) => key.key),
      );
      for (const step of this.input.open(execution)) {
        if (step === pause) yield step;
        else
          table.add(
            step,
            this.innerKeys.map((key) => key.evaluate(execution, step, step.sel, step.count)),
          );
      }
      kept = { rows: table, read: this.reading.present(execution) };
      execution.cells[this.tableCell] = kept;
    }
    const table = kept.rows;
    if (table.store.count === 0) return;
    const one = execution.batch(this.oneCell);
    one.reset(1);
    const evaluate = () => this.outerKeys.map((key) => key.evaluate(execution, one, identity, 1));
    const vectors = this.pausable ? yield* settle(execution, evaluate) : evaluate();
    const code = new Int32Array(1);
    table.keys.find(vectors, identity, 1, code);
    let row = code[0] < 0 ? -1 : table.heads[code[0]];
    const rows = new Int32Array(batchSize);
    const batch = execution.batch(this.batchCell);
    const pace = new Pace(this.slow);
    while (row >= 0) {
      let n = 0;
      while (row >= 0 && n < pace.rows) {
        rows[n++] = row;
        row = table.next[row];
      }
      table.store.gather(batch, rows, 0, n);
      batch.reset(n);
      pace.begin();
      yield* this.filtered(execution, batch);
      if (pace.end(n, execution)) yield pause;
    }
  }

  private *filtered(execution: Execution, batch: Batch): Generator<Step, void, void> {
    for (const predicate of this.residual) {
      if (batch.count === 0) return;
      const out = execution.ids(batch.sel === execution.ids(this.keptCells[0]) ? this.keptCells[1] : this.keptCells[0]);
      const test = (): number => predicate(execution, batch, batch.sel, batch.count, out);
      const count = this.pausable ? yield* settle(execution, test) : test();
      narrow(batch, out, count);
    }
    if (batch.count > 0) yield batch;
  }
}
