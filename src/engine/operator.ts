/** The shape of physical operators, and how they cope with subqueries that must run before an expression can be evaluated. */
import type { Batch, Layout, Pause } from "./batch.js";
import { pause } from "./batch.js";
import type { Execution } from "./execution.js";

export type Step = Batch | Pause;

/** A physical operator: built once, opened for each execution (inside a correlated subplan, for each outer value). */
export interface Operator {
  readonly layout: Layout;
  open(execution: Execution): Generator<Step, void, void>;
}

/**
 * Thrown by an expression that needs the result of a subquery: the operator catches it, runs `run` (which may pause), and
 * evaluates the batch again.
 */
export class SubplanNeeded {
  constructor(readonly run: (execution: Execution) => Generator<Pause, void, void>) {}
}

/** Evaluates `work`, running subqueries in between as often as it asks for them. `work` must bear being repeated. */
export function* settle<T>(execution: Execution, work: () => T): Generator<Pause, T, void> {
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof SubplanNeeded)) throw error;
      yield* error.run(execution);
      if (execution.budget.due()) yield pause;
    }
  }
}
