/**
 * UNION, INTERSECT and EXCEPT, with and without ALL. UNION ALL passes both inputs on; the others number the rows of both
 * sides in one key table and count them.
 */
import type { Column } from "../../planner/expr.js";
import type { SetOperation } from "../../planner/plan.js";
import { type Batch, batchSize, type Layout, pause, type Slot, type Vector } from "../batch.js";
import { type Builder, layoutOf } from "../builder.js";
import { compile } from "../compile/expression.js";
import type { Kernel } from "../compile/kernel.js";
import type { Execution } from "../execution.js";
import { grownDoubles } from "../grouped.js";
import { type KeyFunction, KeyTable, keyFunctionOf } from "../keys.js";
import type { Operator, Step } from "../operator.js";
import { narrow } from "./filter.js";

/** Reads the listed columns of an operator. */
export function columnKernels(columns: readonly Column[], operator: Operator, builder: Builder): Kernel[] {
  return columns.map((column) =>
    compile({ kind: "Column", column, type: column.type, typmod: column.typmod }, { builder, layout: operator.layout }),
  );
}

interface Side {
  readonly operator: Operator;
  readonly kernels: readonly Kernel[];
}

export class SetOperationOperator implements Operator {
  readonly layout: Layout;
  private readonly slots: readonly Slot[];
  private readonly left: Side;
  private readonly right: Side;
  private readonly functions: readonly (KeyFunction | undefined)[];
  private readonly batchCell: number;
  private readonly codesCell: number;
  private readonly keptCell: number;

  constructor(
    private readonly plan: SetOperation,
    left: Operator,
    leftColumns: readonly Column[],
    right: Operator,
    rightColumns: readonly Column[],
    builder: Builder,
  ) {
    this.left = { operator: left, kernels: columnKernels(leftColumns, left, builder) };
    this.right = { operator: right, kernels: columnKernels(rightColumns, right, builder) };
    this.functions = plan.columns.map((column) => keyFunctionOf(column.type));
    this.slots = plan.columns.map((column) => builder.computedSlot(column));
    this.layout = layoutOf(new Map(plan.columns.map((column, c) => [column.id, this.slots[c]])));
    this.batchCell = builder.cell();
    this.codesCell = builder.cell();
    this.keptCell = builder.cell();
  }

  *open(execution: Execution): Generator<Step, void, void> {
    const held = { rows: 0 };
    try {
      yield* this.combine(execution, held);
    } finally {
      execution.budget.release(held.rows, this.bytesOf(held.rows));
    }
  }

  /** Counts rows of which the keys are kept. */
  private hold(execution: Execution, held: { rows: number }, rows: number): void {
    execution.budget.retain(rows, this.bytesOf(rows));
    held.rows += rows;
  }

  private bytesOf(rows: number): number {
    return 32 * rows * this.slots.length;
  }

  private *combine(execution: Execution, held: { rows: number }): Generator<Step, void, void> {
    const { operator, all } = this.plan;
    if (operator === "union") {
      const table = all ? undefined : new KeyTable(this.functions, true, batchSize);
      yield* this.unionSide(execution, this.left, table, held);
      yield* this.unionSide(execution, this.right, table, held);
      return;
    }
    // The right side is counted first, so that the left one can stream.
    const table = new KeyTable(this.functions, true, batchSize);
    const codes = execution.ids(this.codesCell);
    let counts = new Float64Array(256);
    for (const step of this.right.operator.open(execution)) {
      if (step === pause) {
        yield step;
        continue;
      }
      const vectors = read(execution, this.right, step);
      const before = table.count;
      table.encode(vectors, step.sel, step.count, codes, []);
      this.hold(execution, held, table.count - before);
      counts = grownDoubles(counts, table.count);
      for (let k = 0; k < step.count; k++) counts[codes[step.sel[k]]]++;
    }
    for (const step of this.left.operator.open(execution)) {
      if (step === pause) {
        yield step;
        continue;
      }
      const vectors = read(execution, this.left, step);
      table.encode(vectors, step.sel, step.count, codes, []);
      counts = grownDoubles(counts, table.count);
      const kept = execution.ids(this.keptCell);
      const n = this.keepLeft(step, codes, counts, kept);
      if (n > 0) yield this.output(execution, step, vectors, kept, n);
    }
  }

  /** Which left rows pass. Counts become negative for rows that were given and must not be given again. */
  private keepLeft(step: Batch, codes: Int32Array, counts: Float64Array, kept: Int32Array): number {
    const { operator, all } = this.plan;
    let n = 0;
    for (let k = 0; k < step.count; k++) {
      const i = step.sel[k];
      const code = codes[i];
      const count = counts[code];
      if (operator === "intersect") {
        if (count <= 0) continue;
        counts[code] = all ? count - 1 : -1;
        kept[n++] = i;
      } else if (all) {
        if (count > 0) counts[code] = count - 1;
        else kept[n++] = i;
      } else if (count === 0) {
        counts[code] = -1;
        kept[n++] = i;
      }
    }
    return n;
  }

  private *unionSide(
    execution: Execution,
    side: Side,
    table: KeyTable | undefined,
    held: { rows: number },
  ): Generator<Step, void, void> {
    const codes = execution.ids(this.codesCell);
    for (const step of side.operator.open(execution)) {
      if (step === pause) {
        yield step;
        continue;
      }
      const vectors = read(execution, side, step);
      if (table === undefined) {
        yield this.output(execution, step, vectors, step.sel, step.count);
        continue;
      }
      const fresh: number[] = [];
      table.encode(vectors, step.sel, step.count, codes, fresh);
      if (fresh.length === 0) continue;
      this.hold(execution, held, fresh.length);
      const kept = execution.ids(this.keptCell);
      for (let k = 0; k < fresh.length; k++) kept[k] = fresh[k];
      yield this.output(execution, step, vectors, kept, fresh.length);
    }
  }

  /** The side's vectors under the operation's own columns. */
  private output(execution: Execution, step: Batch, vectors: readonly Vector[], sel: Int32Array, n: number): Batch {
    const out = execution.batch(this.batchCell);
    out.reset(step.count);
    this.slots.forEach((slot, c) => {
      out.vectors[slot.index] = vectors[c];
    });
    narrow(out, sel, n);
    return out;
  }
}

function read(execution: Execution, side: Side, step: Batch): Vector[] {
  return side.kernels.map((kernel) => kernel.evaluate(execution, step, step.sel, step.count));
}
