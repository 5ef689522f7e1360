/**
 * What is kept of a plan that reads CTEs holds only as long as they keep the rows that it read. A WITH inside a correlated
 * subquery, or inside the term of a recursive one, starts anew each time that it is opened: its CTEs may depend on the
 * outer row, or on the round.
 */
import type { LogicalPlan } from "../planner/plan.js";
import { somePlan } from "../planner/visit.js";
import type { Builder } from "./builder.js";
import type { Execution } from "./execution.js";

/** The CTEs from around a plan that it reads. */
export class CteReading {
  private constructor(private readonly cells: readonly number[]) {}

  /** To be asked before the plan is built: the CTEs that it defines itself are no matter. */
  static of(plan: LogicalPlan, builder: Builder): CteReading {
    const cells = new Set<number>();
    somePlan(plan, (node) => {
      const cte = node.kind === "CteScan" ? builder.ctes.get(node.cte) : undefined;
      if (cte !== undefined) cells.add(cte.cell);
      return false;
    });
    return new CteReading([...cells]);
  }

  /** What the CTEs hold now, to be kept beside what was made from it. */
  present(execution: Execution): readonly unknown[] {
    return this.cells.map((cell) => execution.cells[cell]);
  }

  /** Whether they still hold it. */
  isPresent(execution: Execution, before: readonly unknown[]): boolean {
    return this.cells.every((cell, i) => execution.cells[cell] === before[i]);
  }
}
