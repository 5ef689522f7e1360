/** Computes the expressions of a select list. Plain columns cost nothing: they keep their slot under a new column. */
import type { ProjectItem } from "../../planner/plan.js";
import type { Layout, Slot } from "../batch.js";
import { pause } from "../batch.js";
import { type Builder, layoutOf } from "../builder.js";
import { compile } from "../compile/expression.js";
import type { Kernel } from "../compile/kernel.js";
import type { Execution } from "../execution.js";
import { type Operator, type Step, settle } from "../operator.js";

export class ProjectOperator implements Operator {
  readonly layout: Layout;
  private readonly computed: readonly { readonly slot: number; readonly kernel: Kernel }[];
  private readonly pausable: boolean;

  constructor(
    private readonly input: Operator,
    items: readonly ProjectItem[],
    builder: Builder,
  ) {
    const scope = { builder, layout: input.layout };
    const slots = new Map<number, Slot>();
    const computed: { slot: number; kernel: Kernel }[] = [];
    const before = builder.subplans;
    for (const { column, expr } of items) {
      const copied = expr.kind === "Column" ? input.layout.slots.get(expr.column.id) : undefined;
      if (copied !== undefined) {
        slots.set(column.id, copied);
        continue;
      }
      const slot = builder.computedSlot(column);
      slots.set(column.id, slot);
      computed.push({ slot: slot.index, kernel: compile(expr, scope) });
    }
    // The hidden row ids of a write's target pass through.
    for (const [id, slot] of input.layout.slots) if (id < 0) slots.set(id, slot);
    this.pausable = builder.subplans !== before;
    this.computed = computed;
    this.layout = layoutOf(slots, input.layout.sources);
  }

  open(execution: Execution): Generator<Step, void, void> {
    return this.computed.length === 0 ? this.input.open(execution) : this.compute(execution);
  }

  private *compute(execution: Execution): Generator<Step, void, void> {
    for (const step of this.input.open(execution)) {
      if (step !== pause) {
        const evaluate = (): void => {
          for (const { slot, kernel } of this.computed) {
            step.vectors[slot] = kernel.evaluate(execution, step, step.sel, step.count);
          }
        };
        if (this.pausable) yield* settle(execution, evaluate);
        else evaluate();
      }
      yield step;
    }
  }
}
