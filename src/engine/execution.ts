/**
 * One execution of a prepared plan: its environment, budget, and everything that changes while it runs. Compiled
 * expressions and operators hold no state of their own; they find theirs here under numbers the builder gave them, so a
 * plan can run many times, also at the same time.
 */
import type { Callable, SessionContext } from "../functions/function.js";
import type { Call, Cast } from "../planner/expr.js";
import type { LogicalPlan } from "../planner/plan.js";
import type { Value } from "../types/value.js";
import { Batch, batchSize, type Vector } from "./batch.js";
import { Budget } from "./budget.js";
import type { Environment, Relation } from "./environment.js";
import type { ValueColumn } from "./value-column.js";
import type { WriteOutcome } from "./write-request.js";

/** How many of each kind of number a plan uses. */
export interface PlanSizes {
  readonly sources: number;
  readonly slots: number;
  readonly cells: number;
  readonly outer: number;
}

/**
 * Vectors are kept between executions: at a hundred rows their allocation would cost more than the work. They still hold
 * values of the last execution, so the pool is held weakly, and a garbage collection takes it away.
 */
interface Pool {
  readonly vectors: Vector[];
  readonly ids: Int32Array[];
}
const maxSpare = 128;
let pool = new WeakRef<Pool>({ vectors: [], ids: [] });

function currentPool(): Pool {
  const current = pool.deref();
  if (current !== undefined) return current;
  const fresh: Pool = { vectors: [], ids: [] };
  pool = new WeakRef(fresh);
  return fresh;
}

/** Values of one column of a buffer, by row number. */
export type StoredColumn = readonly Value[] | ValueColumn;

export class Execution {
  readonly session: SessionContext;
  readonly budget: Budget;
  /** By source: the relation of a scan, or the columns of an operator's buffer. */
  readonly relations: (Relation | undefined)[];
  readonly stores: (readonly StoredColumn[] | undefined)[];
  /** Values of columns of enclosing queries, by the builder's outer number; `undefined` before they are set. */
  readonly outer: Value[];
  /** What the driver must wait for before it goes on after a pause: an effect of a data-modifying node. */
  pending: Promise<unknown> | undefined;
  /** Rows that data-modifying nodes wrote. */
  affected = 0;
  /** Set when the plan runs a second time, over these outcomes of its writes: the nodes do not write again. */
  outcomes: ReadonlyMap<LogicalPlan, WriteOutcome> | undefined;
  /** State of operators and expressions by cell number. */
  readonly cells: unknown[];
  private readonly held: ({ rows: number; bytes: number } | undefined)[] = [];
  private readonly pool = currentPool();
  private readonly vectors: Vector[] = [];
  private readonly idVectors: Int32Array[] = [];

  constructor(
    readonly environment: Environment,
    readonly sizes: PlanSizes,
  ) {
    this.session = environment.session;
    this.budget = new Budget(environment.limits, environment.signal);
    this.relations = new Array(sizes.sources);
    this.stores = new Array(sizes.sources);
    this.outer = new Array(sizes.outer);
    this.cells = new Array(sizes.cells);
  }

  /** A vector for the rest of the execution. */
  takeVector(): Vector {
    const vector: Vector = this.pool.vectors.pop() ?? new Array(batchSize).fill(null);
    this.vectors.push(vector);
    return vector;
  }

  /** Row ids or positions for the rest of the execution. */
  takeIds(): Int32Array {
    const ids = this.pool.ids.pop() ?? new Int32Array(batchSize);
    this.idVectors.push(ids);
    return ids;
  }

  /** The vector kept under a cell. */
  vector(cell: number): Vector {
    const kept = this.cells[cell];
    if (kept !== undefined) return kept as Vector;
    const vector = this.takeVector();
    this.cells[cell] = vector;
    return vector;
  }

  /** The row ids kept under a cell. */
  ids(cell: number): Int32Array {
    const kept = this.cells[cell];
    if (kept !== undefined) return kept as Int32Array;
    const ids = this.takeIds();
    this.cells[cell] = ids;
    return ids;
  }

  /** The batch kept under a cell. */
  batch(cell: number): Batch {
    const kept = this.cells[cell];
    if (kept !== undefined) return kept as Batch;
    const batch = new Batch(this.sizes.sources, this.sizes.slots);
    this.cells[cell] = batch;
    return batch;
  }

  /** The function of a call site for this session. */
  callable(cell: number, expr: Call): Callable {
    const kept = this.cells[cell];
    if (kept !== undefined) return kept as Callable;
    const callable = expr.resolve({
      argTypes: expr.args.map((arg) => arg.type),
      resultType: expr.type,
      session: this.session,
    });
    this.cells[cell] = callable;
    return callable;
  }

  /** The conversion of a cast for this session. */
  conversion(cell: number, expr: Cast): (value: Value) => Value {
    const kept = this.cells[cell];
    if (kept !== undefined) return kept as (value: Value) => Value;
    const convert = expr.resolve({ argTypes: [expr.input.type], resultType: expr.type, session: this.session });
    this.cells[cell] = convert;
    return convert;
  }

  /** Counts what is kept under a source. It stays until the source is made anew: rows that refer to it may be read late. */
  hold(source: number, rows: number, bytes: number): void {
    this.budget.retain(rows, bytes);
    const held = this.held[source];
    if (held === undefined) this.held[source] = { rows, bytes };
    else {
      held.rows += rows;
      held.bytes += bytes;
    }
  }

  /** Before a source is filled again (in a subplan that runs once more): what was kept under it is gone. */
  renew(source: number): void {
    const held = this.held[source];
    if (held === undefined) return;
    this.budget.release(held.rows, held.bytes);
    this.held[source] = undefined;
  }

  /** Gives vectors back for the next execution; the execution cannot go on after this. */
  close(): void {
    const { vectors, ids } = this.pool;
    for (const vector of this.vectors)
      if (vectors.length < maxSpare && vector.length === batchSize) vectors.push(vector);
    for (const one of this.idVectors) if (ids.length < maxSpare) ids.push(one);
    this.vectors.length = 0;
    this.idVectors.length = 0;
  }
}
