/** What a rewrite of the plan is. */
import type { CatalogReader } from "../catalog/table.js";
import type { LogicalPlan } from "./plan.js";

/**
 * A rewrite that gives the same rows. It looks at one node and returns a new one, or `undefined` when it has nothing to
 * do there; `optimize` walks the plan from the top down, and asks again at the new node before it goes to the inputs.
 */
export interface Rule {
  /** Verb first, as in the file's name: `push-down-predicates`. */
  readonly name: string;
  rewrite(plan: LogicalPlan, context: RuleContext): LogicalPlan | undefined;
}

/** A rewrite that has to see the whole plan at once, such as pruning: what is needed is known only from above. */
export interface WholePlanRule {
  readonly name: string;
  rewriteWhole(plan: LogicalPlan, context: RuleContext): LogicalPlan;
}

/** What a rule may ask for. */
export interface RuleContext {
  /** A new column id, unique in the statement. */
  newColumnId(): number;
  readonly catalog?: CatalogReader;
}
