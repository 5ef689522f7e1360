/**
 * The engine's door: `prepare` turns a plan into operators once; `run` executes it over an environment's rows. Execution
 * is cooperative: whenever an operator pauses, the event loop has a turn, then limits and cancellation are checked.
 */
import { ofEngineLimit } from "../errors/engine-limits.js";
import { SqlError } from "../errors/sql-error.js";
import { sqlstate } from "../errors/sqlstate.js";
import type { Column } from "../planner/expr.js";
import type { LogicalPlan } from "../planner/plan.js";
import type { Value } from "../types/value.js";
import { watchWork } from "../types/work.js";
import { type Batch, pause } from "./batch.js";
import type { Budget } from "./budget.js";
import { build } from "./build.js";
import { Builder } from "./builder.js";
import { compile } from "./compile/expression.js";
import type { Kernel } from "./compile/kernel.js";
import type { Environment } from "./environment.js";
import { yieldToEventLoop } from "./event-loop.js";
import { Execution, type PlanSizes } from "./execution.js";
import type { Operator, Step } from "./operator.js";
import { compileOutput, type OutputColumn, writeColumn } from "./output.js";

export type { EngineLimits } from "./budget.js";
export type { Environment, ObjectRelation, Relation, TupleRelation } from "./environment.js";
export type * from "./write-request.js";

export interface RunOptions {
  /** Rows wanted at most; reading stops there. */
  readonly maxRows?: number;
  /** `arrays` (default): tuples of values in memory form; `objects`: row objects of host values, by output name; `host`: tuples of host values. */
  readonly rows?: "arrays" | "objects" | "host";
}

export interface ResultRows {
  readonly rows: readonly (readonly Value[])[] | readonly Record<string, unknown>[];
  /** Property names of row objects: the output names, with `_1`, `_2`, … where one occurs again. */
  readonly names: readonly string[];
  /** Rows written, when the statement is a write (what its CTEs write does not count). */
  readonly affected?: number;
}

/** Built once, run many times, also at the same time. */
export interface PreparedPlan {
  readonly names: readonly string[];
  run(environment: Environment, options?: RunOptions): Promise<ResultRows>;
}

/** Compiles a plan. `output`: the result's columns in order, among those that the plan puts out. */
export function prepare(plan: LogicalPlan, output: readonly Column[]): PreparedPlan {
  try {
    return preparePlan(plan, output);
  } catch (error) {
    throw ofEngineLimit(error);
  }
}

function preparePlan(plan: LogicalPlan, output: readonly Column[]): PreparedPlan {
  const builder = new Builder(build);
  builder.main = mainOf(plan);
  const operator = build(plan, new Set(output.map((column) => column.id)), builder);
  const scope = { builder, layout: operator.layout };
  const kernels = output.map((column) =>
    compile({ kind: "Column", column, type: column.type, typmod: column.typmod }, scope),
  );
  const columns = output.map((column) => compileOutput(column, operator.layout.slots.get(column.id)));
  const writes = builder.main.kind === "Write" || builder.main.kind === "Merge";
  return new Prepared(operator, kernels, columns, uniqueNames(output), writes, builder.sizes());
}

/** What a statement does after its WITH. */
function mainOf(plan: LogicalPlan): LogicalPlan {
  return plan.kind === "With" ? mainOf(plan.input) : plan;
}

/** Runs a plan once. */
export function run(
  plan: LogicalPlan,
  output: readonly Column[],
  environment: Environment,
  options?: RunOptions,
): Promise<ResultRows> {
  return prepare(plan, output).run(environment, options);
}

function uniqueNames(output: readonly Column[]): string[] {
  const taken = new Set<string>();
  return output.map(({ name }) => {
    let unique = name;
    for (let n = 1; taken.has(unique); n++) unique = `${name}_${n}`;
    taken.add(unique);
    return unique;
  });
}

class Prepared implements PreparedPlan {
  constructor(
    private readonly operator: Operator,
    private readonly kernels: readonly Kernel[],
    private readonly columns: readonly OutputColumn[],
    readonly names: readonly string[],
    private readonly writes: boolean,
    private readonly sizes: PlanSizes,
  ) {}

  async run(environment: Environment, options: RunOptions = {}): Promise<ResultRows> {
    const execution = new Execution(environment, this.sizes);
    try {
      let rows = await this.pass(execution, options);
      // All writes are known and everything that is computed from them has succeeded: they may happen.
      const outcomes = await environment.settle?.();
      if (outcomes !== undefined && outcomes.size > 0) {
        execution.budget.release(rows.length, rows.length * this.rowBytes);
        execution.budget.resume();
        execution.outcomes = outcomes;
        rows = await this.pass(execution, options);
      }
      return {
        rows: rows as ResultRows["rows"],
        names: this.names,
        ...(this.writes && { affected: execution.affected }),
      };
    } catch (error) {
      throw ofEngineLimit(error);
    } finally {
      execution.close();
    }
  }

  /** Runs the plan to its end, or until there are as many rows as are wanted. */
  private async pass(execution: Execution, options: RunOptions): Promise<Row[]> {
    const steps = this.operator.open(execution);
    try {
      const rows: Row[] = [];
      const limit = options.maxRows ?? Number.POSITIVE_INFINITY;
      while (rows.length < limit) {
        const step = advance(steps, execution.budget);
        if (step === undefined) break;
        if (step === pause) {
          await (execution.pending ?? yieldToEventLoop()); // what a write rejects with goes to the caller as it is
          execution.pending = undefined;
          execution.budget.resume();
        } else this.collect(execution, step, rows, limit, options.rows ?? "arrays");
      }
      return rows;
    } finally {
      steps.return();
    }
  }

  /** Bytes that a row of the result counts for. */
  private get rowBytes(): number {
    return 32 + 16 * this.columns.length;
  }

  /** Adds a batch's rows to the result. */
  private collect(execution: Execution, batch: Batch, rows: Row[], limit: number, form: RunOptions["rows"]): void {
    const outer = watchWork(execution.budget.watch);
    try {
      this.write(execution, batch, rows, limit, form);
    } catch (error) {
      throw ofEvaluation(error);
    } finally {
      watchWork(outer);
    }
  }

  private write(execution: Execution, batch: Batch, rows: Row[], limit: number, form: RunOptions["rows"]): void {
    const n = Math.min(batch.count, limit - rows.length);
    const first = rows.length;
    const { names, columns } = this;
    const width = columns.length;
    execution.budget.retain(n, n * this.rowBytes);
    if (form === "objects") for (let k = 0; k < n; k++) rows.push({});
    else for (let k = 0; k < n; k++) rows.push(new Array(width));
    for (let c = 0; c < width; c++) {
      const sel = batch.sel;
      if (form === "arrays") {
        const vector = this.kernels[c].evaluate(execution, batch, sel, batch.count);
        for (let k = 0; k < n; k++) (rows[first + k] as Value[])[c] = vector[sel[k]];
      } else
        writeColumn(execution, batch, n, columns[c], this.kernels[c], rows, first, form === "host" ? c : names[c], c);
    }
  }
}

type Row = Value[] | Record<string, unknown>;

/** The next step of the plan, `undefined` at its end. */
function advance(steps: Generator<Step, void, void>, budget: Budget): Step | undefined {
  const outer = watchWork(budget.watch);
  try {
    const next = steps.next();
    return next.done === true ? undefined : next.value;
  } catch (error) {
    throw ofEvaluation(error);
  } finally {
    watchWork(outer);
  }
}

/** What evaluation threw, as an SQL error: documents are the callers' objects, and may run code of theirs when they are read. */
function ofEvaluation(error: unknown): unknown {
  if (error instanceof SqlError || error instanceof RangeError || !(error instanceof Error)) return error;
  return new SqlError(sqlstate.internalError, "a value could not be read or computed", {
    detail: error.message,
    cause: error,
  });
}
