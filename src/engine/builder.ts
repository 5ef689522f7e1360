/**
 * What building a plan needs besides the plan: numbers for sources, slots, cells and outer columns, and which columns
 * are where. One builder serves a whole plan, its subqueries included.
 */
import type { LogicalPlan } from "../planner/plan.js";
import type { SqlType } from "../types/type.js";
import type { Layout, Slot, SlotLoader } from "./batch.js";
import type { PlanSizes } from "./execution.js";
import type { Operator } from "./operator.js";
import type { Cte } from "./operators/cte.js";
import { loopCopies } from "./readers.js";

export class Builder {
  /** Subqueries compiled so far; an operator whose expressions raise it must be ready to be interrupted by them. */
  subplans = 0;
  /** Inside a subplan that runs once for each outer value: what does not depend on it is worth keeping. */
  insideCorrelated = false;
  /** The statement's own write, whose rows its command tag counts. */
  main: LogicalPlan | undefined;
  /** CTEs in scope by id. */
  readonly ctes = new Map<number, Cte>();
  /** Ids of the CTEs that write, and of those that read what they return. */
  readonly written = new Set<number>();
  private sourceCount = 0;
  private slotCount = 0;
  private cellCount = 0;
  private readonly outerNumbers = new Map<number, number>();

  /** `build` turns the plan of a subquery into operators; handed in because it stands above the compiler. */
  constructor(readonly build: (plan: LogicalPlan, needed: ReadonlySet<number>, builder: Builder) => Operator) {}

  source(): number {
    return this.sourceCount++;
  }

  /** A number for state that an execution keeps. */
  cell(): number {
    return this.cellCount++;
  }

  /** A column read from a source. */
  sourceSlot(shape: { type: SqlType; typmod: number }, source: number, item: number, load: SlotLoader, salt = 0): Slot {
    const copy = (salt + item) % loopCopies;
    return { index: this.slotCount++, load, source, item, type: shape.type, typmod: shape.typmod, copy };
  }

  /** A column whose vector an operator makes for each batch. */
  computedSlot(shape: { type: SqlType; typmod?: number }): Slot {
    return {
      index: this.slotCount++,
      source: -1,
      item: -1,
      type: shape.type,
      typmod: shape.typmod ?? -1,
      copy: 0,
    };
  }

  /** The number of a column of an enclosing query. */
  outer(columnId: number): number {
    let number = this.outerNumbers.get(columnId);
    if (number === undefined) {
      number = this.outerNumbers.size;
      this.outerNumbers.set(columnId, number);
    }
    return number;
  }

  sizes(): PlanSizes {
    return {
      sources: this.sourceCount,
      slots: this.slotCount,
      cells: this.cellCount,
      outer: this.outerNumbers.size,
    };
  }
}

/** Where expressions find their columns. */
export interface Scope {
  readonly builder: Builder;
  readonly layout: Layout;
}

/** A layout of these columns. */
export function layoutOf(slots: ReadonlyMap<number, Slot>, sources?: readonly number[]): Layout {
  const computed = new Set<Slot>();
  const used = new Set<number>(sources);
  for (const slot of slots.values()) {
    if (slot.load === undefined) computed.add(slot);
    else used.add(slot.source);
  }
  return { slots, sources: [...used], computed: [...computed] };
}

/** The part of a layout that serves the needed columns. */
export function pruneLayout(layout: Layout, needed: ReadonlySet<number>): Layout {
  const slots = new Map<number, Slot>();
  for (const [id, slot] of layout.slots) if (needed.has(id)) slots.set(id, slot);
  return layoutOf(slots);
}

/** Both layouts side by side. */
export function joinLayouts(left: Layout, right: Layout): Layout {
  return layoutOf(new Map([...left.slots, ...right.slots]));
}
