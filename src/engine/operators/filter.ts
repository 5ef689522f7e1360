/**
 * Narrows the selection of each batch, conjunct by conjunct; nothing is copied. Conjuncts that are the same for all rows
 * are looked at before the input is opened, as PostgreSQL's one-time filters are.
 */
import { SqlError } from "../../errors/sql-error.js";
import type { Expr } from "../../planner/expr.js";
import { columnsOf, holdsSubquery } from "../../planner/visit.js";
import type { Batch, Layout } from "../batch.js";
import { pause } from "../batch.js";
import type { Builder } from "../builder.js";
import { compile, compilePredicate } from "../compile/expression.js";
import type { Predicate, ScalarGetter } from "../compile/kernel.js";
import { conjunctsOf } from "../compile/logic.js";
import type { Execution } from "../execution.js";
import { type Operator, type Step, settle } from "../operator.js";

export class FilterOperator implements Operator {
  readonly layout: Layout;
  private readonly predicates: readonly Predicate[];
  private readonly gates: readonly Gate[];
  private readonly pausable: readonly boolean[];
  private readonly cells: readonly [number, number];

  constructor(
    private readonly input: Operator,
    condition: Expr,
    builder: Builder,
  ) {
    this.layout = input.layout;
    const scope = { builder, layout: input.layout };
    const pausable: boolean[] = [];
    const predicates: Predicate[] = [];
    const gates: Gate[] = [];
    for (const conjunct of conjunctsOf(condition)) {
      const before = builder.subplans;
      if (!readsColumns(conjunct, input.layout)) {
        const { scalar } = compile(conjunct, scope);
        if (scalar !== undefined) {
          gates.push({ scalar, failsAtOnce: holdsSubquery(conjunct) });
          continue;
        }
      }
      predicates.push(compilePredicate(conjunct, scope));
      pausable.push(builder.subplans !== before);
    }
    this.predicates = predicates;
    this.gates = gates;
    this.pausable = pausable;
    this.cells = [builder.cell(), builder.cell()];
  }

  *open(execution: Execution): Generator<Step, void, void> {
    let failure: SqlError | undefined;
    for (const { scalar, failsAtOnce } of this.gates) {
      try {
        if ((yield* settle(execution, () => scalar(execution))) !== true) return;
      } catch (error) {
        if (failsAtOnce || !isDataError(error)) throw error;
        failure = error;
        break;
      }
    }
    const first = execution.ids(this.cells[0]);
    const second = execution.ids(this.cells[1]);
    for (const step of this.input.open(execution)) {
      if (step === pause) {
        yield step;
        continue;
      }
      if (failure !== undefined && step.count > 0) throw failure;
      for (let p = 0; p < this.predicates.length && step.count > 0; p++) {
        // Two selections by turns: one that is interrupted for a subquery leaves the other whole.
        const out = step.sel === first ? second : first;
        const predicate = this.predicates[p];
        const count = this.pausable[p]
          ? yield* settle(execution, () => predicate(execution, step, step.sel, step.count, out))
          : predicate(execution, step, step.sel, step.count, out);
        narrow(step, out, count);
      }
      if (step.count > 0) yield step;
    }
  }
}

/** A condition that is the same for all rows, worked out before the first. */
interface Gate {
  readonly scalar: ScalarGetter;
  /**
   * Otherwise an error waits for a row that it belongs to: a rule may have put a constant for a column, as that of a subquery
   * whose rows PostgreSQL would have waited for. What PostgreSQL raises without a row was raised in planning.
   */
  readonly failsAtOnce: boolean;
}

function isDataError(error: unknown): error is SqlError {
  return error instanceof SqlError && error.code.startsWith("2");
}

function readsColumns(expr: Expr, layout: Layout): boolean {
  return [...columnsOf(expr)].some((id) => layout.slots.has(id));
}

/** A batch with fewer positions selected; vectors that were loaded stay valid. */
export function narrow(batch: Batch, sel: Int32Array, count: number): void {
  batch.sel = sel;
  batch.count = count;
}
