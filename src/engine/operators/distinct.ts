/** DISTINCT and DISTINCT ON: passes on the first row of each key; the batch goes on with fewer positions. */
import type { Expr } from "../../planner/expr.js";
import { batchSize, type Layout, pause } from "../batch.js";
import type { Builder } from "../builder.js";
import { compile } from "../compile/expression.js";
import type { Kernel } from "../compile/kernel.js";
import type { Execution } from "../execution.js";
import { type KeyFunction, KeyTable, keyFunctionOf } from "../keys.js";
import { type Operator, type Step, settle } from "../operator.js";
import { narrow } from "./filter.js";

export class DistinctOperator implements Operator {
  readonly layout: Layout;
  private readonly kernels: readonly Kernel[];
  private readonly functions: readonly (KeyFunction | undefined)[];
  private readonly pausable: boolean;
  private readonly codesCell: number;
  private readonly keptCell: number;

  constructor(
    private readonly input: Operator,
    keys: readonly Expr[],
    builder: Builder,
  ) {
    const before = builder.subplans;
    this.kernels = keys.map((key) => compile(key, { builder, layout: input.layout }));
    this.pausable = builder.subplans !== before;
    this.functions = keys.map((key) => keyFunctionOf(key.type));
    this.layout = input.layout;
    this.codesCell = builder.cell();
    this.keptCell = builder.cell();
  }

  *open(execution: Execution): Generator<Step, void, void> {
    const table = new KeyTable(this.functions, true, batchSize);
    const codes = execution.ids(this.codesCell);
    const kept = execution.ids(this.keptCell);
    let charged = 0;
    try {
      for (const step of this.input.open(execution)) {
        if (step === pause) {
          yield step;
          continue;
        }
        const evaluate = () => this.kernels.map((kernel) => kernel.evaluate(execution, step, step.sel, step.count));
        const vectors = this.pausable ? yield* settle(execution, evaluate) : evaluate();
        const fresh: number[] = [];
        table.encode(vectors, step.sel, step.count, codes, fresh);
        if (fresh.length === 0) continue;
        charged += fresh.length;
        execution.budget.retain(fresh.length, fresh.length * 32 * this.kernels.length);
        for (let k = 0; k < fresh.length; k++) kept[k] = fresh[k];
        narrow(step, kept, fresh.length);
        yield step;
      }
    } finally {
      execution.budget.release(charged, charged * 32 * this.kernels.length);
    }
  }
}
