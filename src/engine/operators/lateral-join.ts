/**
 * Lateral joins: the right side is opened anew for each left row, with the left columns it mentions set as outer values.
 */
import type { Expr } from "../../planner/expr.js";
import type { Value } from "../../types/value.js";
import { type Batch, batchSize, type Layout, pause, readSlot, type Slot } from "../batch.js";
import { type Builder, joinLayouts, layoutOf } from "../builder.js";
import { compilePredicate } from "../compile/expression.js";
import type { Kernel, Predicate } from "../compile/kernel.js";
import type { Execution } from "../execution.js";
import { type Operator, type Step, settle } from "../operator.js";
import { storeLoader } from "../readers.js";
import { ownIds } from "../row-store.js";
import { narrow } from "./filter.js";
import { ownVector } from "./hash-join.js";

export interface LateralSpec {
  readonly type: "inner" | "left" | "semi" | "anti";
  readonly left: Operator;
  readonly right: Operator;
  readonly condition: Expr | undefined;
  /** Left columns that the right side mentions: where they are read, and the outer number they are set under. */
  readonly parameters: readonly { readonly kernel: Kernel; readonly outer: number }[];
  readonly leftKept: Layout;
}

export class LateralJoinOperator implements Operator {
  readonly layout: Layout;
  private readonly right: Layout;
  private readonly copied: readonly { readonly from: Slot; readonly to: number }[];
  private readonly predicate: Predicate | undefined;
  private readonly pausable: boolean;
  private readonly batchCell: number;
  private readonly keptCell: number;
  private readonly passedCell: number;

  constructor(
    private readonly spec: LateralSpec,
    builder: Builder,
  ) {
    // What the right side keeps in buffers is gone when it is opened for the next row: such columns are read at once.
    const rightSlots = new Map<number, Slot>();
    const copied: { from: Slot; to: number }[] = [];
    for (const [id, slot] of spec.right.layout.slots) {
      if (slot.load !== storeLoader) {
        rightSlots.set(id, slot);
        continue;
      }
      const copy = builder.computedSlot(slot);
      rightSlots.set(id, copy);
      copied.push({ from: slot, to: copy.index });
    }
    this.copied = copied;
    this.right = layoutOf(rightSlots);
    const pairs = joinLayouts(spec.leftKept, this.right);
    const before = builder.subplans;
    this.predicate =
      spec.condition === undefined ? undefined : compilePredicate(spec.condition, { builder, layout: pairs });
    this.pausable = builder.subplans !== before;
    this.layout = spec.type === "semi" || spec.type === "anti" ? spec.left.layout : pairs;
    this.batchCell = builder.cell();
    this.keptCell = builder.cell();
    this.passedCell = builder.cell();
  }

  *open(execution: Execution): Generator<Step, void, void> {
    const { type, parameters } = this.spec;
    const out = execution.batch(this.batchCell);
    for (const step of this.spec.left.open(execution)) {
      if (step === pause) {
        yield step;
        continue;
      }
      const vectors = parameters.map(({ kernel }) => kernel.evaluate(execution, step, step.sel, step.count));
      const passed = execution.ids(this.passedCell);
      let m = 0;
      for (let k = 0; k < step.count; k++) {
        const i = step.sel[k];
        let matched = false;
        const rows = this.openRight(
          execution,
          vectors.map((vector) => vector[i]),
        );
        for (const right of rows) {
          if (right === pause) {
            yield right;
            continue;
          }
          this.combine(execution, out, step, i, right);
          const { predicate } = this;
          if (predicate !== undefined) {
            const kept = execution.ids(this.keptCell);
            const test = (): number => predicate(execution, out, out.sel, out.count, kept);
            const count = this.pausable ? yield* settle(execution, test) : test();
            narrow(out, kept, count);
          }
          if (out.count === 0) continue;
          matched = true;
          if (type === "semi" || type === "anti") break;
          yield out;
        }
        if (type === "left" && !matched) {
          this.combineWithNulls(execution, out, step, i);
          yield out;
        }
        if ((type === "semi" && matched) || (type === "anti" && !matched)) passed[m++] = i;
        if (execution.budget.step(8)) yield pause;
      }
      if (m > 0) {
        narrow(step, passed, m);
        yield step;
      }
    }
  }

  /** The right side for one left row. Outer values are set whenever it runs, and put back whenever it hands something out. */
  private *openRight(execution: Execution, values: readonly Value[]): Generator<Step, void, void> {
    const { parameters } = this.spec;
    const { outer } = execution;
    const before: Value[] = new Array(parameters.length);
    const enter = (): void => {
      for (let p = 0; p < parameters.length; p++) {
        before[p] = outer[parameters[p].outer];
        outer[parameters[p].outer] = values[p];
      }
    };
    const leave = (): void => {
      for (let p = 0; p < parameters.length; p++) outer[parameters[p].outer] = before[p];
    };
    const rows = this.spec.right.open(execution);
    try {
      for (;;) {
        enter();
        let next: IteratorResult<Step, void>;
        try {
          next = rows.next();
        } finally {
          leave();
        }
        if (next.done === true) return;
        yield next.value;
      }
    } finally {
      rows.return();
    }
  }

  private combine(execution: Execution, out: Batch, left: Batch, position: number, right: Batch): void {
    this.fillLeft(execution, out, left, position, batchSize);
    for (const source of this.right.sources) out.ids[source] = right.ids[source];
    for (const slot of this.right.computed) out.vectors[slot.index] = right.vectors[slot.index];
    for (const { from, to } of this.copied) {
      out.vectors[to] = readSlot(execution, from, right, right.sel, right.count);
    }
    out.reset(right.count);
    out.sel = right.sel;
  }

  private combineWithNulls(execution: Execution, out: Batch, left: Batch, position: number): void {
    this.fillLeft(execution, out, left, position, 1);
    for (const source of this.right.sources) out.ids[source] = minusOne;
    for (const slot of this.right.computed) out.vectors[slot.index] = nullVector;
    out.reset(1);
  }

  private fillLeft(execution: Execution, out: Batch, left: Batch, position: number, n: number): void {
    for (const source of this.spec.leftKept.sources) {
      ownIds(execution, out, source).fill(left.ids[source][position], 0, n);
    }
    for (const slot of this.spec.leftKept.computed) {
      ownVector(execution, out, slot.index).fill(left.vectors[slot.index][position], 0, n);
    }
  }
}

const minusOne = new Int32Array([-1]);
const nullVector: null[] = [null];
