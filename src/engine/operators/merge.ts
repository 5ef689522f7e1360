/**
 * MERGE: for each row of the join of source and target, the first action whose condition holds. All steps are decided
 * before any is carried out.
 */
import { SqlError } from "../../errors/sql-error.js";
import { sqlstate } from "../../errors/sqlstate.js";
import type { Merge } from "../../planner/plan.js";
import type { Value } from "../../types/value.js";
import { type Batch, emptyLayout, type Layout, pause, type Slot, type Vector } from "../batch.js";
import type { Builder } from "../builder.js";
import { compile, compilePredicate } from "../compile/expression.js";
import type { Kernel, Predicate } from "../compile/kernel.js";
import type { Execution } from "../execution.js";
import { type Operator, type Step, settle } from "../operator.js";
import type { MergeStep } from "../write-request.js";
import { rowIdColumn } from "./row-id.js";
import { performWrite } from "./write.js";

interface CompiledAction {
  readonly condition: Predicate | undefined;
  readonly values: readonly Kernel[];
  readonly hitCell: number;
}

export class MergeOperator implements Operator {
  readonly layout: Layout = emptyLayout;
  private readonly matched: Kernel;
  private readonly actions: readonly CompiledAction[];
  private readonly rowId: Slot | undefined;

  constructor(
    private readonly input: Operator,
    private readonly plan: Merge,
    builder: Builder,
  ) {
    const scope = { builder, layout: input.layout };
    this.matched = compile(plan.matched, scope);
    this.actions = plan.actions.map((action) => ({
      condition: action.condition === undefined ? undefined : compilePredicate(action.condition, scope),
      values: action.values.map((value) => compile(value, scope)),
      hitCell: builder.cell(),
    }));
    this.rowId = input.layout.slots.get(rowIdColumn(plan.targetScan));
  }

  *open(execution: Execution): Generator<Step, void, void> {
    if (execution.outcomes !== undefined) return; // the second pass: it has written, and it returns no rows
    const steps: MergeStep[] = [];
    const touched = new Set<number>();
    for (const step of this.input.open(execution)) {
      if (step === pause) {
        yield step;
        continue;
      }
      const decided = yield* settle(execution, () => this.decide(execution, step));
      for (let k = 0; k < step.count; k++) {
        const choice = decided[step.sel[k]];
        if (choice === undefined) continue;
        if (choice.action !== "insert") {
          if (touched.has(choice.rowId)) {
            throw new SqlError(sqlstate.cardinalityViolation, "MERGE command cannot affect row a second time", {
              hint: "Ensure that not more than one source row matches any one target row.",
            });
          }
          touched.add(choice.rowId);
        }
        steps.push(choice);
      }
    }
    const outcome = yield* performWrite(execution, this.plan, { op: "merge", steps });
    execution.affected = outcome.affected;
  }

  /** By position: what becomes of each row, `undefined` for nothing. */
  private decide(execution: Execution, batch: Batch): (MergeStep | undefined)[] {
    const { sel, count } = batch;
    const matched = this.matched.evaluate(execution, batch, sel, count);
    const decided: (MergeStep | undefined)[] = [];
    let open = sel.slice(0, count);
    this.plan.actions.forEach((action, a) => {
      const { condition, values, hitCell } = this.actions[a];
      const wanted = action.when === "matched";
      let hits = open.filter((i) => (matched[i] !== null) === wanted);
      if (condition !== undefined) {
        const out = execution.ids(hitCell);
        hits = out.slice(0, condition(execution, batch, hits, hits.length, out));
      }
      const vectors = values.map((value) => value.evaluate(execution, batch, hits, hits.length));
      for (const i of hits) decided[i] = this.stepFor(action, batch, i, vectors);
      const done = new Set(hits);
      open = open.filter((i) => !done.has(i));
    });
    return decided;
  }

  private stepFor(
    action: Merge["actions"][number],
    batch: Batch,
    position: number,
    vectors: readonly Vector[],
  ): MergeStep | undefined {
    const values = vectors.map((vector) => vector[position]);
    if (action.action === "nothing") return undefined;
    if (action.action === "insert") {
      const row: Value[] = new Array(this.plan.table.columns.length).fill(null);
      action.targets.forEach((target, t) => {
        row[target] = values[t];
      });
      return { action: "insert", row, targets: action.targets };
    }
    if (this.rowId === undefined) throw new SqlError(sqlstate.internalError, "the rows to write cannot be told apart");
    const rowId = batch.ids[this.rowId.source][position];
    return action.action === "delete"
      ? { action: "delete", rowId }
      : { action: "update", rowId, targets: action.targets, values };
  }
}
